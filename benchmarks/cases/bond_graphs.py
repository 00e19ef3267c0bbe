"""Bond graphs: set-up of RLC ladders, the cost of a step against a sparse equation by hand, and a robot with motors.

    python benchmarks/bond_graphs.py [rounds]

* set-up: from the described graph to a system that is ready to run, in processor time; BondGraphTools' symbolic
  reduction of the same ladder beside it, where it is installed (16 cells take it some 20 s).
* step: a run of RK4 with constant steps against the same Runge-Kutta steps on dx/dt = A x + b in compressed rows,
  compiled by Numba. The graph also accumulates what sources supply and resistors lose.
* robot: three links with three motors, the motors as a bond graph and as states and forces written by hand.

What is compared runs in turn; the ratio is the median over the rounds, in processor time of the calling thread.
"""

from __future__ import annotations

import sys
from statistics import median
from time import thread_time

import numba
import numpy as np

import duoti as dt
from duoti.bond import C, Graph, I, One, Port, R, Se, Zero, library
from duoti.bond.coupled import model_of

CELLS = (16, 100, 1000, 2000)
L, RESISTANCE, CAPACITY = 1e-3, 1.0, 1e-6
STEP = 1e-6


def ladder(cells: int) -> Graph:
    """A source, then cells of a coil with a resistor in series and a capacitor across: 5 elements each."""
    g = Graph("ladder")
    g.add("U", Se(1.0))
    before = "U"
    for k in range(cells):
        for name, element in ((f"a{k}", One()), (f"L{k}", I(L)), (f"R{k}", R(RESISTANCE)), (f"n{k}", Zero()),
                              (f"C{k}", C(CAPACITY))):  # fmt: skip
            g.add(name, element)
        for start, end in ((before, f"a{k}"), (f"a{k}", f"L{k}"), (f"a{k}", f"R{k}"), (f"a{k}", f"n{k}"),
                           (f"n{k}", f"C{k}")):  # fmt: skip
            g.bond(start, end)
        before = f"n{k}"
    return g


def by_hand(cells: int) -> tuple[np.ndarray, ...]:
    """The same as dx/dt = A x + b in compressed rows; x are momenta and charges in turn."""
    start, column, value, b = [0], list[int](), list[float](), np.zeros(2 * cells)
    b[0] = 1.0
    for k in range(cells):
        entries = [(2 * k, -RESISTANCE / L), (2 * k + 1, -1 / CAPACITY)] + ([(2 * k - 1, 1 / CAPACITY)] if k else [])
        for entries_of_row in (entries, [(2 * k, 1 / L)] + ([(2 * k + 2, -1 / L)] if k + 1 < cells else [])):
            column += [c for c, _ in entries_of_row]
            value += [x for _, x in entries_of_row]
            start.append(len(column))
    return np.array(start), np.array(column), np.array(value), b


@numba.njit(fastmath={"contract", "nsz"})
def rates(start, column, value, b, x, out):
    for r in range(len(b)):
        s = b[r]
        for k in range(start[r], start[r + 1]):
            s += value[k] * x[column[k]]
        out[r] = s


@numba.njit(fastmath={"contract", "nsz"})
def rk4(start, column, value, b, x, h, steps):
    n = len(x)
    k1, k2, k3, k4, y = np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n)
    for _ in range(steps):
        rates(start, column, value, b, x, k1)
        for i in range(n):
            y[i] = x[i] + 0.5 * h * k1[i]
        rates(start, column, value, b, y, k2)
        for i in range(n):
            y[i] = x[i] + 0.5 * h * k2[i]
        rates(start, column, value, b, y, k3)
        for i in range(n):
            y[i] = x[i] + h * k3[i]
        rates(start, column, value, b, y, k4)
        for i in range(n):
            x[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i])


def timed(function) -> float:
    begin = thread_time()
    function()
    return thread_time() - begin


def ladders(rounds: int) -> None:
    print("RLC ladder: cells, elements, set-up [s], step of RK4 [us] by graph and by hand, ratio (median)")
    for cells in CELLS:
        g = ladder(cells)
        set_up = min(timed(lambda g=g: dt.compile(model_of(g))) for _ in range(3))
        system, hand = dt.compile(model_of(g)), by_hand(cells)
        steps = max(1000, 200_000 // cells)
        x = np.zeros(2 * cells)
        rk4(*hand, x, STEP, 1)
        run = lambda s=system, n=steps: dt.simulate(s, n * STEP, outputs=[n * STEP], solver=dt.RK4(step=STEP))  # noqa: E731
        few = lambda s=system: dt.simulate(s, STEP, outputs=[STEP], solver=dt.RK4(step=STEP))  # noqa: E731
        run()
        ratios, best = [], [np.inf, np.inf]
        for _ in range(rounds):
            a = (timed(run) - timed(few)) / (steps - 1)
            x = np.zeros(2 * cells)
            b = timed(lambda x=x, n=steps, h=hand: rk4(*h, x, STEP, n)) / steps
            ratios.append(a / b)
            best = [min(best[0], a), min(best[1], b)]
        r = run()
        error = np.max(np.abs(r.z[-1] - x)) / np.max(np.abs(x))
        times = f"{1e6 * best[0]:9.2f} {1e6 * best[1]:9.2f} {median(ratios):6.2f}"
        print(f"  {cells:5d} {5 * cells + 1:6d} {set_up:8.3f} {times}   (difference {error:.0e})")


def symbolic() -> None:
    try:
        import BondGraphTools as bgt  # noqa: N813
    except ImportError:
        print("BondGraphTools is not installed")
        return
    for cells in (4, 8, 16):
        begin = thread_time()
        g = bgt.new(name="ladder")
        parts = [bgt.new("Se", value=1.0)]
        bgt.add(g, parts[0])
        before = parts[0]
        for _ in range(cells):
            a, n = bgt.new("1"), bgt.new("0")
            l, r, c = bgt.new("I", value=L), bgt.new("R", value=RESISTANCE), bgt.new("C", value=CAPACITY)
            bgt.add(g, a, n, l, r, c)
            for pair in ((before, a), (a, l), (a, r), (a, n), (n, c)):
                bgt.connect(*pair)
            before = n
        _ = g.constitutive_relations
        print(f"  BondGraphTools, {cells} cells: {thread_time() - begin:.2f} s")


def robot(by_graph: bool) -> dt.Model:
    """Column, arm and forearm, each with a motor and a reducer."""
    m = dt.Model("robot", parameters={"U": 240.0, "R": 10.0, "L": 0.2, "K": 0.157, "N": 20.0, "b": 4e-4})
    link = dt.Inertia(5.0, matrix=np.diag([1e-3, 0.118, 0.118]))
    places = ((0, 0, 0), (0, 0, 0.4), (0.5, 0, 0.4))
    chain = ("ground", "column", "arm", "forearm")
    g = Graph("drives")
    for k, (axis, at) in enumerate(zip(("z", "-y", "-y"), places, strict=True), 1):
        m.add_body(chain[k], link, position=(at[0] + 0.25, at[1], at[2]))
        m.add_joint(f"q{k}", dt.Revolute(axis), chain[k - 1], chain[k], at=at, rotor_inertia=None if by_graph else 0.8)
        if by_graph:
            g.add(f"U{k}", Se("U"))
            g.add(f"motor{k}", library.dc_motor("L", "R", "K", 0.002, "b"))
            g.add(f"gear{k}", library.reducer(20.0))
            g.add(f"p{k}", Port())
            for ends in (
                (f"U{k}", f"motor{k}.electric"),
                (f"motor{k}.shaft", f"gear{k}.fast"),
                (f"gear{k}.slow", f"p{k}"),
            ):
                g.bond(*ends)
        else:
            m.add_state(f"i{k}", f"(U - R*i{k} - K*N*q{k}.rate)/L")
            m.add_force(f"motor{k}", dt.JointTorque(f"q{k}", f"N*K*i{k}"))
            m.add_force(f"friction{k}", dt.JointDamping(f"q{k}", 4e-4 * 400))
    if by_graph:
        m.add_bond_graph("drives", g, ports={f"p{k}": f"q{k}" for k in (1, 2, 3)})
    return m


def robots(rounds: int) -> None:
    systems = [dt.compile(robot(by_graph)) for by_graph in (True, False)]
    runs = [lambda s=s: dt.simulate(s, 1.0, outputs=[1.0], solver=dt.RK4(step=1e-4)) for s in systems]
    a, b = (run() for run in runs)
    difference = np.max(np.abs(a.q[-1] - b.q[-1]))
    times = [[timed(run) for run in runs] for _ in range(rounds)]
    print(f"robot with three motors, 10 000 steps of RK4: graph {1e3 * min(t[0] for t in times):.1f} ms, by hand "
          f"{1e3 * min(t[1] for t in times):.1f} ms, speed {median(t[1] / t[0] for t in times):.2f} of theirs "
          f"(difference {difference:.0e})")  # fmt: skip


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    robots(count)
    ladders(count)
    symbolic()
