"""Bond graphs: steps of an RLC ladder against the same sparse equation written by hand, and a robot with motors.

The ladder runs RK4 with constant steps, beside the same Runge-Kutta steps on dx/dt = A x + b in compressed rows,
compiled by Numba. The graph also accumulates what sources supply and resistors dissipate. The robot has three links
with three motors, as a bond graph and as states and forces written by hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import duoti as dt
from benchmarks.harness import Later, Pair, Side, case, repeated
from duoti.bond import C, Graph, I, One, Port, R, Se, Zero, library
from duoti.bond.compiled.coupled import model_of

by_numba: Any = Later("benchmarks.peers.sparse_numba")
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


@case("RLC ladder of 1000 cells, RK4, by hand", "Numba", 0.67, shown=False)
def ladder_steps() -> Pair:
    cells, steps = 1000, 1000
    system, hand = dt.compile(model_of(ladder(cells))), by_hand(cells)

    def ours() -> Any:
        return dt.simulate(system, steps * STEP, outputs=[steps * STEP], solver=dt.RK4(step=STEP), progress=False)

    def theirs() -> np.ndarray:
        x = np.zeros(2 * cells)
        by_numba.rk4(*hand, x, STEP, steps)
        return x

    x = theirs()
    differ = float(np.max(np.abs(ours().z[-1] - x)) / np.max(np.abs(x)))
    return Pair(Side(repeated(ours)), Side(repeated(theirs)), differ, 1e-10)


@case("robot with three motors as a bond graph, RK4")
def robot_steps() -> Pair:
    system = dt.compile(robot(True))
    return Pair(Side(repeated(lambda: dt.simulate(system, 1.0, outputs=[1.0], solver=dt.RK4(step=1e-4)))))
