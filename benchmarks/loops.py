"""Closed loops: N four-bar linkages in a row, against Exudyn at equal error, and the growth of cost with N.

    python benchmarks/loops.py [rounds]

The linkage is IFToMM's A02 (bars of 1 m and 1 kg, all hinges in one plane, started with the cranks upright and turning
at 1 rad/s), followed for 0.6 s, before it passes its flat position. duoti gets spatial hinges, so that three equations
of each loop are redundant; Exudyn gets its planar bodies and joints (three coordinates a body, no redundancy), the
generalised-alpha solver with index-2 constraints, and its sparse matrices from N = 4 on.

Exudyn runs with a given step; its error in the first crank's angle is that against a tight run of duoti (checked once
with two solvers). duoti then runs DOPRI5 with the loosest tolerance whose error is not larger. The ratio is the median
over the rounds of Exudyn's time over duoti's, measured one after the other in each round.

Timed, in processor time of the thread (all are single-threaded), are `SolveDynamic` and `dt.simulate`, both from a
given state with closed loops; `Assemble` and `dt.compile`, which come before, are not. In the last column duoti also
closes the loops itself, from the initial value of one joint.
"""

from __future__ import annotations

import sys
import warnings
from statistics import median
from time import thread_time

import exudyn as exu
import numpy as np
from exudyn.utilities import (
    LoadMassProportional,
    MarkerBodyMass,
    MarkerBodyPosition,
    NodeRigidBody2D,
    ObjectGround,
    RevoluteJoint2D,
    RigidBody2D,
)

import duoti as dt

warnings.simplefilter("ignore", DeprecationWarning)  # Exudyn renames its settings
DURATION, GRAVITY, RADIUS = 0.6, 9.81, 0.01
TOLERANCES = 10.0 ** -np.arange(4, 11)
FASTER, GROWTH = 5.0, 1.5  # targets


def linkage(n: int) -> dt.Model:
    m = dt.Model(f"{n} four-bars", gravity=(0, 0, -GRAVITY))

    def bar(name: str, axis: str, place: tuple[float, float, float]) -> dt.Body:
        return m.add_body(name, dt.Inertia.cylinder(1.0, RADIUS, 1.0, axis=axis), position=place)

    previous = bar("crank0", "z", (0, 0, 0.5))
    m.add_joint("A0", dt.Revolute("y"), m.ground, previous, at=(0, 0, 0), v0=-1.0)
    for i in range(1, n + 1):
        coupler, crank = bar(f"coupler{i}", "x", (i - 0.5, 0, 1)), bar(f"crank{i}", "z", (i, 0, 0.5))
        m.add_joint(f"B{i}", dt.Revolute("y"), previous, coupler, at=(i - 1, 0, 1))
        m.add_joint(f"C{i}", dt.Revolute("y"), coupler, crank, at=(i, 0, 1))
        m.add_joint(f"A{i}", dt.Revolute("y"), m.ground, crank, at=(i, 0, 0))
        previous = crank
    return m


class Duoti:
    def __init__(self, n: int) -> None:
        self.system = dt.compile(linkage(n))
        first = dt.simulate(self.system, 0.001)
        self.closed = (first.q[0], first.v[0])

    def run(self, solver: dt.DOPRI5 | dt.DOP853 | dt.RK4, close: bool = False) -> tuple[float, float]:
        """Seconds of the whole call, with or without closing the loops, and the first crank's angle at the end."""
        state = None if close else self.closed
        began = thread_time()
        result = dt.simulate(self.system, DURATION, outputs=[DURATION], solver=solver, at=state, progress=False)
        took = thread_time() - began
        assert result.ok, result.reason
        return took, float(result["A0.angle"][-1])


class Exudyn:
    def __init__(self, n: int, step: float) -> None:
        container = exu.SystemContainer()
        self.mbs = mbs = container.AddSystem()
        self.container = container
        inertia = (3 * RADIUS**2 + 1.0) / 12
        ground = mbs.AddObject(ObjectGround())

        def bar(x: float, y: float, angle: float, velocity: float, rate: float) -> int:
            node = mbs.AddNode(
                NodeRigidBody2D(referenceCoordinates=[x, y, angle], initialVelocities=[velocity, 0, rate])
            )
            body = mbs.AddObject(RigidBody2D(mass=1.0, inertia=inertia, nodeNumber=node))
            marker = mbs.AddMarker(MarkerBodyMass(bodyNumber=body))
            mbs.AddLoad(LoadMassProportional(markerNumber=marker, loadVector=[0, -GRAVITY, 0]))
            return body

        def hinge(a: int, p: list[float], b: int, q: list[float]) -> None:
            ends = [mbs.AddMarker(MarkerBodyPosition(bodyNumber=k, localPosition=x)) for k, x in ((a, p), (b, q))]
            mbs.AddObject(RevoluteJoint2D(markerNumbers=ends))

        near, far = [-0.5, 0, 0], [0.5, 0, 0]
        previous = bar(0, 0.5, np.pi / 2, -0.5, 1.0)
        hinge(ground, [0, 0, 0], previous, near)
        for i in range(1, n + 1):
            coupler, crank = bar(i - 0.5, 1, 0, -1.0, 0), bar(i, 0.5, np.pi / 2, -0.5, 1.0)
            hinge(previous, far, coupler, near)
            hinge(coupler, far, crank, far)
            hinge(ground, [i, 0, 0], crank, near)
            previous = crank
        mbs.Assemble()
        self.settings = settings = exu.SimulationSettings()
        settings.timeIntegration.numberOfSteps = round(DURATION / step)
        settings.timeIntegration.endTime = DURATION
        settings.timeIntegration.verboseMode = 0
        settings.timeIntegration.newton.useModifiedNewton = True
        settings.timeIntegration.generalizedAlpha.useIndex2Constraints = True
        settings.timeIntegration.generalizedAlpha.useNewmark = True
        settings.solutionSettings.writeSolutionToFile = False
        if n >= 4:
            settings.linearSolverType = exu.LinearSolverType.EigenSparse

    def run(self) -> tuple[float, float]:
        began = thread_time()
        self.mbs.SolveDynamic(self.settings)
        took = thread_time() - began
        return took, -float(self.mbs.GetNodeOutput(0, exu.OutputVariableType.Coordinates)[2])


def compare(n: int, step: float, rounds: int) -> float:
    ours = Duoti(n)
    reference = ours.run(dt.DOP853(rtol=1e-11, atol=1e-12))[1]
    other = ours.run(dt.DOPRI5(rtol=1e-11, atol=1e-12))[1]
    error = abs(Exudyn(n, step).run()[1] - reference)
    assert abs(other - reference) < 0.01 * error, "the reference is not good enough"
    errors = {tol: abs(ours.run(dt.DOPRI5(rtol=tol, atol=0.01 * tol))[1] - reference) for tol in TOLERANCES}
    chosen = next(tol for tol in TOLERANCES if errors[tol] <= error)
    solver = dt.DOPRI5(rtol=chosen, atol=0.01 * chosen)
    rounds = max(rounds, min(40, 200 // n))  # short runs are disturbed more easily
    trials = [(Exudyn(n, step).run()[0], ours.run(solver)[0], ours.run(solver, close=True)[0]) for _ in range(rounds)]
    ratio = median(theirs / mine for theirs, mine, _ in trials)
    closing = median(theirs / mine for theirs, _, mine in trials)
    theirs, mine = min(each[0] for each in trials) * 1e3, min(each[1] for each in trials) * 1e3
    verdict = "PASS" if ratio >= FASTER else "FAIL"
    print(
        f"{n:4d} {step:8.0e} {theirs:12.2f} {error:10.1e} {mine:12.2f} {errors[chosen]:10.1e} {ratio:8.1f} {verdict}"
        f" {closing:8.1f}"
    )
    return ratio


def costs_per_loop(sizes: tuple[int, ...], rounds: int) -> dict[int, float]:
    """Microseconds of one evaluation, per loop, in the midst of the motion.

    The best of many short runs, all sizes in turn, all with the same number of loops times steps: a longer run would be
    disturbed more often.
    """
    step = DURATION / 400
    systems, best = {n: dt.compile(linkage(n)) for n in sizes}, dict.fromkeys(sizes, np.inf)
    middle = {}
    for n, system in systems.items():
        result = dt.simulate(system, DURATION / 2, outputs=[DURATION / 2])
        middle[n] = (result.q[-1], result.v[-1])
    for _ in range(20 * rounds):
        for n, system in systems.items():
            duration = step * 4000 / n
            stats = dt.simulate(system, duration, outputs=[duration], solver=dt.RK4(step=step), at=middle[n]).stats
            best[n] = min(best[n], stats.seconds / stats.evaluations / n * 1e6)
    return best


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    print(f"equal error, {rounds} rounds, target {FASTER:g}; times [ms] are the best, the ratio is the median")
    print("   N  step      Exudyn ms      error     duoti ms      error    ratio      closing")
    ratios = [compare(n, step, rounds) for n in (1, 2, 5, 10, 20, 40) for step in (2e-3, 5e-4)]
    print("\ncost of one evaluation per loop [us]")
    costs = costs_per_loop((10, 50, 200), rounds)
    growth = costs[200] / costs[10]
    for n, cost in costs.items():
        print(f"{n:4d} {cost:8.2f}")
    print(f"from N = 10 to N = 200: {growth:.2f}, target <= {GROWTH:g} {'PASS' if growth <= GROWTH else 'FAIL'}")
    return int(min(ratios) < FASTER or growth > GROWTH)


if __name__ == "__main__":
    sys.exit(main())
