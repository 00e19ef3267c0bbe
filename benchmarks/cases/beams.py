"""Beams against Exudyn at equal error.

    python -W ignore benchmarks/beams.py [rounds] [problems]

Problems: `pendulum` (flexible pendulum, against Exudyn's ANCF cable), `spinup` (a beam on a hub that is turned up to
speed) and `spaghetti` (free flight), both in a plane, against its geometrically exact beam in the plane, `space`
(cantilever bent out of the plane, against its geometrically exact beam in space). Both programs use the
generalised-alpha method with the same spectral radius, and may choose their explicit methods, too, with steps next to
the largest stable ones. Each is run with several numbers of elements, steps and
tolerances of Newton's iteration; of those whose tip is nowhere further than `target` from the reference the fastest
counts, for Exudyn also the fastest with its own default tolerance. The reference is a fine solution of duoti; that a
fine one of Exudyn agrees with it is shown. Times are processor times of the runs alone, without building the model:
each model is run twice, and the better time counts, then the best of the rounds; the ratio is that of the best settings
of both, run by turns once more. Where the step of duoti is zero, it is
`dt.Rodas` with this tolerance; VERLET in the place of a tolerance is `dt.Verlet`, in the pendulum on a thin cable.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from operator import itemgetter
from time import thread_time
from typing import Any, NamedTuple

import exudyn as exu
import numpy as np
from exudyn.beams import GenerateBeamElementsAlongLine
from exudyn.utilities import (
    Cable2D,
    CoordinateConstraint,
    LoadForceVector,
    LoadTorqueVector,
    MarkerNodeCoordinate,
    MarkerNodePosition,
    MarkerNodeRigid,
    NodePointGround,
    NodeRigidBodyRxyz,
    ObjectBeamGeometricallyExact,
    ObjectBeamGeometricallyExact2D,
    SensorNode,
)

import duoti as dt

RHO = 0.8
FINE = 1e-6, 1e-8  # default tolerances of the Newton iterations of duoti and Exudyn
IMPLICIT = "GeneralizedAlpha"  # of Exudyn
VERLET = "Verlet"  # of duoti
SECONDS = itemgetter(0)
TURNS = 4  # times the rounds that the best settings of both programs are run by turns
RUNS = 2  # of each model: the first of a model has things to prepare
Run = tuple[np.ndarray, float]  # positions of the tip at the times, seconds
Found = tuple[float, str, tuple[Any, float, Any]]  # seconds, text, setting
Mesh = int | tuple[int, int]  # elements; or elements and their order (duoti alone)


class Problem(NamedTuple):
    """What is compared: runs by (mesh, step, tolerance) of each program."""

    name: str
    target: float
    times: np.ndarray
    ours: Callable[[Any, float, Any], Run]
    theirs: Callable[..., Run]
    our_grid: Sequence[tuple[Mesh, float, float | str]]
    their_grid: list[tuple[int, float]]  # with each of THEIR_TOLERANCES
    fine: tuple[Mesh, float]
    their_fine: tuple[int, float, float]
    their_explicit: tuple[tuple[int, float, str], ...] = ()  # elements, step, method


THEIR_TOLERANCES = 1e-8, 1e-4, 1e-3, 1e-2


def run_ours(m: dt.Model, tip: str, times: np.ndarray, step: float, tolerance: float | str) -> Run:
    system = dt.compile(m)
    if isinstance(tolerance, str):
        solver = dt.Verlet(step=step)
    else:
        solver = dt.GeneralisedAlpha(step=step, rho=RHO, rtol=tolerance) if step else dt.Rodas(tolerance, tolerance)
    best: Run = np.full((len(times), 3), np.nan), np.inf
    for _ in range(RUNS):
        began = thread_time()
        r = dt.simulate(system, float(times[-1]), outputs=np.r_[0.0, times], solver=solver)
        spent = thread_time() - began
        if r.ok and spent < best[1]:
            best = r[f"{tip}.position"][np.searchsorted(r.t, times - 1e-9)], spent
    return best


def elements_of(mesh: Mesh, **how: Any) -> dict[str, Any]:
    """Arguments of `add_beam`; how: further ones of elements of order 1."""
    return {"elements": mesh, **how} if isinstance(mesh, int) else {"elements": mesh[0], "order": mesh[1]}


def in_plane(m: dt.Model, nodes: Any, normal: str, of: Any = None) -> None:
    for node in nodes:
        m.add_joint(f"{node.name}.plane", dt.Planar(normal), m.ground if of is None else of, node)


def run_theirs(
    mbs: Any, node: int, times: np.ndarray, step: float, tolerance: float, method: str = IMPLICIT, pause: float = 0.0,
    flag: Any = None,
) -> Run:  # fmt: skip
    """With a pause, at which `flag` becomes empty and the run goes on from where it is."""
    sensor = mbs.AddSensor(
        SensorNode(nodeNumber=node, storeInternal=True, outputVariableType=exu.OutputVariableType.Position)
    )
    mbs.Assemble()
    best: Run = np.full((len(times), 3), np.nan), np.inf
    state = mbs.systemData.GetSystemState()
    for modified in ((True, False) if method == IMPLICIT else (True,)) * RUNS:
        mbs.systemData.SetSystemState(state, configuration=exu.ConfigurationType.Initial)
        if flag is not None:
            flag[:] = [True]
        settings = exu.SimulationSettings()
        settings.timeIntegration.verboseMode = 0
        settings.timeIntegration.adaptiveStep = False  # a step that does not converge ends the run
        settings.timeIntegration.newton.useModifiedNewton = modified
        settings.timeIntegration.newton.relativeTolerance = tolerance
        settings.timeIntegration.generalizedAlpha.spectralRadius = RHO
        settings.timeIntegration.explicitIntegration.eliminateConstraints = True  # it treats no others
        settings.solutionSettings.writeSolutionToFile = False
        settings.solutionSettings.sensorsWritePeriod = float(times[0])
        settings.linearSolverType = exu.LinearSolverType.EigenSparse
        began, rows, start = thread_time(), [], 0.0
        try:
            for end in (pause, float(times[-1])) if pause else (float(times[-1]),):
                settings.timeIntegration.startTime, settings.timeIntegration.endTime = start, end
                settings.timeIntegration.numberOfSteps = round((end - start) / step)
                mbs.SolveDynamic(settings, solverType=getattr(exu.DynamicSolverType, method))
                rows.append(mbs.GetSensorStoredData(sensor).copy())
                if flag:
                    flag.clear()
                    here = mbs.systemData.GetSystemState()
                    mbs.systemData.SetSystemState(here, configuration=exu.ConfigurationType.Initial)
                start = end
        except (ValueError, RuntimeError):
            continue
        spent = thread_time() - began
        if spent < best[1]:
            data = np.vstack(rows)
            best = data[[int(np.argmin(np.abs(data[:, 0] - t))) for t in times], 1:4], spent
    return best


# ------------------------------------------------------------------------------------------------------------ pendulum


def pendulum() -> Problem:
    """Data of Escalona, Hussien & Shabana (1998)."""
    E, L, A, I, density = 7e5, 0.4, 0.0018, 1.215e-8, 5540.0
    times = np.arange(0.1, 1.01, 0.1)

    def ours(mesh: Mesh, step: float, tolerance: float | str) -> Run:
        m = dt.Model("pendulum", gravity=(0, -9.81, 0))
        if isinstance(tolerance, str):
            assert isinstance(mesh, int)
            c = m.add_cable(
                "b", m.ground, (L, 0, 0), E * A, density * A, None, mesh, bending_stiffness=E * I, thin=True
            )
            return run_ours(m, c.end.name, times, step, tolerance)
        shear = (50 if isinstance(mesh, int) else 2) * E * A  # large: no shear; 2: a change of the tip by 0.3 mm
        beam = dt.Beam.from_stiffness(
            EA=E * A, GAy=shear, GAz=shear, GJ=E * I, EIy=E * I, EIz=E * I,
            mass_per_length=density * A, rotary_inertia=np.array([2.0, 1.0, 1.0]) * 1e-3 * density * I,
        )  # fmt: skip
        b = m.add_beam("b", beam, start=(0, 0, 0), end=(L, 0, 0), **elements_of(mesh, short_ends=True))
        m.add_joint("hinge", dt.Revolute("z"), m.ground, b.start)
        in_plane(m, b.nodes[1:], "z")
        return run_ours(m, b.end.name, times, step, tolerance)

    def theirs(n: int, step: float, tolerance: float, method: str = IMPLICIT) -> Run:
        mbs = exu.SystemContainer().AddSystem()
        cable = Cable2D(physicsMassPerLength=density * A, physicsBendingStiffness=E * I, physicsAxialStiffness=E * A)
        made = GenerateBeamElementsAlongLine(
            mbs,
            [0, 0, 0],
            [L, 0, 0],
            n,
            cable,
            gravity=[0, -9.81, 0],
            groundConstraintsStart=[True, True, False, False],
        )
        return run_theirs(mbs, made["nodes"][-1], times, step, tolerance, method)

    ours_grid = [
        (17, 1 / 650, VERLET),
        (18, 1 / 700, VERLET),
        (20, 1 / 800, VERLET),
        (18, 0.0, 0.02),
        (20, 0.0, 0.01),
        (18, 1.25e-3, 0.2),
        (18, 1.25e-3, 0.05),
        (20, 1 / 700, 0.05),
        (21, 1 / 650, 0.05),
        (22, 1 / 650, 0.2),
        (20, 1.25e-3, FINE[0]),
        (22, 1 / 700, FINE[0]),
        ((9, 2), 1 / 600, 0.2),
        ((9, 2), 1 / 600, 0.05),
        ((10, 2), 1 / 600, FINE[0]),
    ]
    theirs_grid = [(10, 1.25e-3), (11, 1.25e-3), (12, 1e-3), (12, 1 / 700), (12, 1 / 600), (14, 1 / 600), (16, 1 / 600)]
    # eliminated constraints do not change the mass matrix: errors of first order in the mesh
    explicit = (11, 1 / 1600, "VelocityVerlet"), (32, 1 / 6000, "VelocityVerlet"), (11, 5e-4, "RK44")
    fine, their_fine = (80, 2.5e-4), (32, 2.5e-4, FINE[1])
    return Problem("pendulum", 1e-3, times, ours, theirs, ours_grid, theirs_grid, fine, their_fine, explicit)


# -------------------------------------------------------------------------------------------------------------- spin-up


def spinup() -> Problem:
    """Simo & Vu-Quoc (1987): a beam on a hub that reaches 6 rad/s in 15 s."""
    EA, GA, EI, mass, rotary, L = 2.8e7, 1e7, 1.4e4, 1.2, 6e-4, 10.0
    times = np.arange(1.0, 20.01, 1.0)
    turned = "if(t < 15, 0.4*(t^2/2 + (15/(2*pi))^2*(cos(2*pi*t/15) - 1)), 6*(t - 7.5))"

    def angle(t: float) -> float:
        return 0.4 * (t * t / 2 + (7.5 / np.pi) ** 2 * (np.cos(2 * np.pi * t / 15) - 1)) if t < 15 else 6 * (t - 7.5)

    def ours(mesh: Mesh, step: float, tolerance: float) -> Run:
        m = dt.Model("spin-up", gravity=(0, 0, 0))
        beam = dt.Beam.from_stiffness(
            EA=EA, GAy=GA, GAz=GA, GJ=EI, EIy=EI, EIz=EI, mass_per_length=mass,
            rotary_inertia=(2 * rotary, rotary, rotary),
        )  # fmt: skip
        b = m.add_beam("b", beam, start=(0, 0, 0), end=(L, 0, 0), **elements_of(mesh))
        m.add_joint("hub", dt.Revolute("z"), m.ground, b.start)
        in_plane(m, b.nodes[1:], "z", of=b.start)  # coordinates that turn with the hub
        m.add_constraint("spin", dt.JointMotion("hub", turned))
        return run_ours(m, b.end.name, times, step, tolerance)

    def theirs(n: int, step: float, tolerance: float) -> Run:
        mbs = exu.SystemContainer().AddSystem()
        beam = ObjectBeamGeometricallyExact2D(
            nodeNumbers=[-1, -1], physicsMassPerLength=mass, physicsCrossSectionInertia=rotary,
            physicsBendingStiffness=EI, physicsAxialStiffness=EA, physicsShearStiffness=GA,
            includeReferenceRotations=True,
        )  # fmt: skip
        made = GenerateBeamElementsAlongLine(mbs, [0, 0, 0], [L, 0, 0], n, beam)
        ground = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=mbs.AddNode(NodePointGround()), coordinate=0))
        for coordinate in range(3):
            held = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=made["nodes"][0], coordinate=coordinate))
            by_angle = {"offsetUserFunction": lambda _mbs, t, _number, _offset: angle(t)} if coordinate == 2 else {}
            mbs.AddObject(CoordinateConstraint(markerNumbers=[ground, held], **by_angle))
        return run_theirs(mbs, made["nodes"][-1], times, step, tolerance)

    ours_grid = [(5, 0.04, 0.01), (6, 0.04, 0.01), (6, 0.05, FINE[0]), (6, 0.04, FINE[0]), (8, 0.025, FINE[0])]
    ours_grid += [((2, 2), 0.04, 0.01), ((1, 4), 0.04, 0.1), ((1, 4), 0.04, FINE[0])]
    theirs_grid = [(8, 0.01), (8, 0.005), (12, 0.005)]
    return Problem("spinup", 1e-3, times, ours, theirs, ours_grid, theirs_grid, (16, 5e-3), (16, 2.5e-3, 1e-4))


# ----------------------------------------------------------------------------------------------------------- spaghetti


def spaghetti() -> Problem:
    """Simo & Vu-Quoc (1986), with E I = 500."""
    times = np.arange(0.5, 10.01, 0.5)

    def ours(mesh: Mesh, step: float, tolerance: float | str) -> Run:
        m = dt.Model("spaghetti", gravity=(0, 0, 0))
        beam = dt.Beam.from_stiffness(
            EA=1e4, GAy=1e4, GAz=1e4, GJ=500, EIy=500, EIz=500, mass_per_length=1.0, rotary_inertia=(10, 10, 10)
        )
        b = m.add_beam("b", beam, start=(6, 0, 0), end=(0, 8, 0), **elements_of(mesh))
        in_plane(m, b.nodes, "z")
        m.add_force("F", dt.AppliedForce(b.start, (8, 0, 0)))
        m.add_force("M", dt.AppliedTorque(b.start, (0, 0, -80)))
        m.add_state("on", initial=1.0, switches=("F", "M"))
        m.add_event("off", dt.Event("t - 2.5", sets={"on": 0.0}))
        return run_ours(m, b.end.name, times, step, tolerance)

    def theirs(n: int, step: float, tolerance: float, method: str = IMPLICIT) -> Run:
        mbs = exu.SystemContainer().AddSystem()
        beam = ObjectBeamGeometricallyExact2D(
            nodeNumbers=[-1, -1], physicsMassPerLength=1.0, physicsCrossSectionInertia=10.0,
            physicsBendingStiffness=500.0, physicsAxialStiffness=1e4, physicsShearStiffness=1e4,
            includeReferenceRotations=True,
        )  # fmt: skip
        made = GenerateBeamElementsAlongLine(mbs, [6, 0, 0], [0, 8, 0], n, beam)
        first = mbs.AddMarker(MarkerNodeRigid(nodeNumber=made["nodes"][0]))
        acts = [True]

        def while_it_acts(_mbs: Any, _t: float, vector: Any) -> Any:
            return vector if acts else [0.0, 0.0, 0.0]

        mbs.AddLoad(LoadForceVector(markerNumber=first, loadVector=[8, 0, 0], loadVectorUserFunction=while_it_acts))
        mbs.AddLoad(LoadTorqueVector(markerNumber=first, loadVector=[0, 0, -80], loadVectorUserFunction=while_it_acts))
        return run_theirs(mbs, made["nodes"][-1], times, step, tolerance, method, 2.5, acts)

    ours_grid = [
        ((5, 2), 0.0, 0.002),
        (20, 1 / 28, 0.1),
        (20, 0.025, 0.1),
        (21, 0.02, 0.1),
        (22, 0.025, 0.01),
        (24, 0.025, 0.01),
        (24, 0.02, FINE[0]),
        ((2, 4), 1 / 144, VERLET),
        ((3, 3), 1 / 138, VERLET),
        ((2, 4), 1 / 24, 0.01),
        ((2, 4), 1 / 32, 0.01),
        ((2, 4), 1 / 25, 0.03),
        ((2, 4), 1 / 32, FINE[0]),
    ]
    theirs_grid = [
        (24, 0.025),
        (28, 0.025),
        (28, 1 / 28),
        (32, 1 / 28),
        (32, 0.03125),
        (32, 0.025),
        (32, 0.02),
        (40, 0.01),
    ]
    explicit = (32, 1 / 600, "VelocityVerlet"), (40, 1 / 800, "VelocityVerlet"), (32, 1 / 400, "RK44")
    fine, their_fine = ((6, 6), 0.0025), (80, 0.0025, FINE[1])
    return Problem("spaghetti", 2e-2, times, ours, theirs, ours_grid, theirs_grid, fine, their_fine, explicit)


# --------------------------------------------------------------------------------------------------------------- space


def space() -> Problem:
    """A cantilever of 10 m, pushed in two directions at its tip for two seconds; it bends and twists in space."""
    L, EA, EI, force = 10.0, 1e6, 1e3, (0.0, 20.0, 50.0)
    times = np.arange(0.5, 5.01, 0.5)

    def ours(mesh: Mesh, step: float, tolerance: float) -> Run:
        m = dt.Model("space", gravity=(0, 0, 0))
        beam = dt.Beam.from_stiffness(
            EA=EA, GAy=EA, GAz=EA, GJ=EI, EIy=EI, EIz=EI, mass_per_length=1.0, rotary_inertia=(20, 10, 10)
        )
        b = m.add_beam("b", beam, start=(0, 0, 0), end=(L, 0, 0), **elements_of(mesh))
        m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
        m.add_force("F", dt.AppliedForce(b.end, tuple(f"{f}*max(0, min(t, 2 - t))" for f in force)))
        return run_ours(m, b.end.name, times, step, tolerance)

    def theirs(n: int, step: float, tolerance: float) -> Run:
        mbs = exu.SystemContainer().AddSystem()
        section = exu.BeamSection()
        section.stiffnessMatrix = np.diag([EA, EA, EA, EI, EI, EI])
        section.inertia = np.diag([20.0, 10.0, 10.0])
        section.massPerLength = 1.0
        nodes = [mbs.AddNode(NodeRigidBodyRxyz(referenceCoordinates=[L * k / n, 0, 0, 0, 0, 0])) for k in range(n + 1)]
        for a, b in pairwise(nodes):
            mbs.AddObject(ObjectBeamGeometricallyExact(nodeNumbers=[a, b], physicsLength=L / n, sectionData=section))
        ground = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=mbs.AddNode(NodePointGround()), coordinate=0))
        for coordinate in range(6):
            held = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=nodes[0], coordinate=coordinate))
            mbs.AddObject(CoordinateConstraint(markerNumbers=[ground, held]))

        def pulse(_mbs: Any, t: float, vector: Any) -> Any:
            return [x * max(0.0, min(t, 2.0 - t)) for x in vector]

        tip = mbs.AddMarker(MarkerNodePosition(nodeNumber=nodes[-1]))
        mbs.AddLoad(LoadForceVector(markerNumber=tip, loadVector=list(force), loadVectorUserFunction=pulse))
        return run_theirs(mbs, nodes[-1], times, step, tolerance)

    ours_grid = [(8, 0.02, 0.01), (10, 0.02, 0.01), (12, 0.02, 0.01), (12, 0.02, FINE[0])]
    ours_grid += [((2, 3), 0.02, 0.01), ((1, 5), 0.025, 0.01), ((2, 3), 0.025, FINE[0])]
    theirs_grid = [(16, 0.025), (20, 0.025), (20, 0.02)]
    return Problem("space", 2e-2, times, ours, theirs, ours_grid, theirs_grid, (48, 0.004), (24, 0.0125, FINE[1]))


# ------------------------------------------------------------------------------------------------------------- measure


def cheapest(runs: Callable[[Any, float, Any], Run], grid: Sequence[tuple[Any, float, Any]], exact: np.ndarray,
             problem: Problem, rounds: int) -> dict[float | str, Found]:  # fmt: skip
    """By tolerance of Newton's iteration (or explicit method): seconds of the fastest setting within the target,
    how it reads, and the setting itself."""
    found: dict[float | str, Found] = {}
    for n, step, tolerance in grid:
        best, place = np.inf, exact
        for _ in range(rounds):
            place, spent = runs(n, step, tolerance)
            best = min(best, spent)
        error = float(np.max(np.linalg.norm(place[:, : exact.shape[1]] - exact, axis=1)))
        within = "*" if error <= problem.target else " "
        mesh = f"{n} elements" if isinstance(n, int) else f"{n[0]} elements of order {n[1]}"
        method = f"step {step:.4g}" if step else "Rodas"
        text = f"{mesh}, {method}, {tolerance if isinstance(tolerance, str) else f'tolerance {tolerance:g}'}"
        print(f"    {text}: error {error:.2e}{within} {best * 1e3:9.1f} ms", flush=True)
        if error <= problem.target and best < found.get(tolerance, (np.inf,))[0]:
            found[tolerance] = best, text, (n, step, tolerance)
    return found


def compare(problem: Problem, rounds: int) -> None:
    exact = problem.ours(*problem.fine, FINE[0])[0]
    other = problem.theirs(*problem.their_fine)[0]
    gap = float(np.max(np.linalg.norm(other - exact, axis=1)))
    print(f"{problem.name}: fine solutions of both differ by {gap:.1e} m; wanted: {problem.target:g} m")
    print("  duoti")
    ours = cheapest(problem.ours, problem.our_grid, exact, problem, rounds)
    print("  Exudyn")

    def their_run(n: int, step: float, how: float | str) -> Run:
        return problem.theirs(n, step, FINE[1], how) if isinstance(how, str) else problem.theirs(n, step, how)

    grid = [(n, step, tolerance) for n, step in problem.their_grid for tolerance in THEIR_TOLERANCES]
    theirs = cheapest(their_run, [*grid, *problem.their_explicit], exact, problem, rounds)
    for what, mine, peer in (
        ("default tolerances", ours.get(FINE[0]), theirs.get(FINE[1])),
        (
            "best tolerances",
            min(ours.values(), default=None, key=SECONDS),
            min(theirs.values(), default=None, key=SECONDS),
        ),
    ):
        if mine is None or peer is None:
            print(f"  {what}: none is within the target")
            continue
        a = b = np.inf
        for _ in range(TURNS * rounds):  # by turns: what else the machine does changes with time
            a, b = min(a, problem.ours(*mine[2])[1]), min(b, their_run(*peer[2])[1])
        print(f"  {what}: duoti {a * 1e3:.1f} ms ({mine[1]}), Exudyn {b * 1e3:.1f} ms ({peer[1]}): {b / a:.1f}x")
    print()


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    chosen = sys.argv[2:] or ["pendulum", "spinup", "spaghetti", "space"]
    for problem in (pendulum, spinup, spaghetti, space):
        if problem.__name__ in chosen:
            compare(problem(), rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
