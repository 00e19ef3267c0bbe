"""Closed loops: N four-bar linkages in a row, against Exudyn at equal error.

The linkage is IFToMM's A02 (bars of 1 m and 1 kg, all hinges in one plane, started with the cranks upright and turning
at 1 rad/s), followed for 0.6 s, before it passes its flat position. duoti gets spatial hinges, so that three equations
of each loop are redundant; Exudyn gets its planar bodies and joints (three coordinates a body, no redundancy), the
generalised-alpha solver with index-2 constraints, and its sparse matrices from N = 4 on.

Exudyn runs with a given step; its error in the first crank's angle is that against a tight run of duoti (checked with
two solvers). duoti then runs DOPRI5 with the loosest tolerance whose error is not larger. Timed are `SolveDynamic` and
`dt.simulate`, both from a given state with closed loops.
"""

from __future__ import annotations

from time import thread_time
from typing import Any

import numpy as np

import duoti as dt
from benchmarks.harness import Later, Pair, Side, case, repeated

exu: Any = Later("exudyn")
utilities: Any = Later("exudyn.utilities")
DURATION, GRAVITY, RADIUS = 0.6, 9.81, 0.01
TOLERANCES = 10.0 ** -np.arange(4, 11)


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
        result = dt.simulate(self.system, DURATION, outputs=[DURATION], solver=solver, state=state, progress=False)
        took = thread_time() - began
        assert result.ok, result.reason
        return took, float(result["A0.angle"][-1])


class Exudyn:
    def __init__(self, n: int, step: float) -> None:
        container = exu.SystemContainer()
        self.mbs = mbs = container.AddSystem()
        self.container = container
        inertia = (3 * RADIUS**2 + 1.0) / 12
        ground = mbs.AddObject(utilities.ObjectGround())

        def bar(x: float, y: float, angle: float, velocity: float, rate: float) -> int:
            node = mbs.AddNode(
                utilities.NodeRigidBody2D(referenceCoordinates=[x, y, angle], initialVelocities=[velocity, 0, rate])
            )
            body = mbs.AddObject(utilities.RigidBody2D(mass=1.0, inertia=inertia, nodeNumber=node))
            marker = mbs.AddMarker(utilities.MarkerBodyMass(bodyNumber=body))
            mbs.AddLoad(utilities.LoadMassProportional(markerNumber=marker, loadVector=[0, -GRAVITY, 0]))
            return body

        def hinge(a: int, p: list[float], b: int, q: list[float]) -> None:
            ends = [
                mbs.AddMarker(utilities.MarkerBodyPosition(bodyNumber=k, localPosition=x)) for k, x in ((a, p), (b, q))
            ]
            mbs.AddObject(utilities.RevoluteJoint2D(markerNumbers=ends))

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


def pair(n: int, step: float) -> Pair:
    ours = Duoti(n)
    reference = ours.run(dt.DOP853(rtol=1e-11, atol=1e-12))[1]
    other = ours.run(dt.DOPRI5(rtol=1e-11, atol=1e-12))[1]
    error = abs(Exudyn(n, step).run()[1] - reference)
    assert abs(other - reference) < 0.01 * error, "the reference is not good enough"
    errors = {tol: abs(ours.run(dt.DOPRI5(rtol=tol, atol=0.01 * tol))[1] - reference) for tol in TOLERANCES}
    chosen = next(tol for tol in TOLERANCES if errors[tol] <= error)
    solver = dt.DOPRI5(rtol=chosen, atol=0.01 * chosen)
    return Pair(
        Side(repeated(lambda: ours.run(solver)), errors[chosen], setting=f"DOPRI5, rtol {chosen:g}"),
        Side(fresh=lambda: Exudyn(n, step).run, error=error, setting=f"generalised-alpha, step {step:g} s"),
        unit="rad",
    )


for n in (1, 2, 5, 10, 20, 40):
    for step in (2e-3, 5e-4):
        shown = step == 2e-3 and n == 10
        name = f"{n} four-bar{'s' if n > 1 else ''}, error of Exudyn at {1e3 * step:g} ms"
        case(name, "Exudyn", 5.0, shown)(lambda n=n, h=step: pair(n, h))


@case("100 four-bars, RK4")
def hundred() -> Pair:
    ours = Duoti(100)
    exact = ours.run(dt.DOP853(rtol=1e-11, atol=1e-12))[1]
    solver = dt.RK4(step=0.003)
    return Pair(Side(repeated(lambda: ours.run(solver)), abs(ours.run(solver)[1] - exact)), unit="rad")
