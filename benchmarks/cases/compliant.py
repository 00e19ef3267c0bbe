"""Compliant contacts: 200 spheres that fall into a box, against Exudyn's GeneralContact; a stack of boxes.

Exudyn's contacts between bodies are springs and dampers with regularised friction (spheres against each other and
against the triangles of the box), integrated by its explicit Euler method; duoti has the same stiffness and damping and
its semi-implicit Euler method. The step of both is a tenth of the period in which two spheres bounce off each other
divided by pi, where the result no longer depends on it by much. Mean heights of the spheres after 0.4 s are compared.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import duoti as dt
from benchmarks.cases import contact
from benchmarks.harness import Later, Pair, Side, case, repeated

exu: Any = Later("exudyn")
utilities: Any = Later("exudyn.utilities")
SECONDS, RADIUS, WALL, TALL = 0.4, 0.1, 0.65, 3.0


def box() -> tuple[list[list[float]], list[list[int]]]:
    """Points and triangles of the floor and four walls, normals inward."""
    points, triangles = [], []
    quads = [[(-WALL, -WALL, 0), (WALL, -WALL, 0), (WALL, WALL, 0), (-WALL, WALL, 0)]]
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):  # outward directions of the walls
        a, b = (
            np.array([x * WALL - y * WALL, y * WALL + x * WALL]),
            np.array([x * WALL + y * WALL, y * WALL - x * WALL]),
        )
        quads.append([(*a, 0.0), (*b, 0.0), (*b, TALL), (*a, TALL)])
    for quad in quads:
        n = len(points)
        points += [list(map(float, p)) for p in quad]
        p = np.array(quad)
        normal = np.cross(p[1] - p[0], p[2] - p[0])
        inward = np.array([0, 0, TALL / 2]) - p.mean(axis=0)
        order = [[0, 1, 2], [0, 2, 3]] if normal @ inward > 0 else [[0, 2, 1], [0, 3, 2]]
        triangles += [[n + i for i in three] for three in order]
    return points, triangles


def by_exudyn(places: list[np.ndarray], stiffness: float, step: float) -> tuple[float, float, float]:
    """Processor time per simulated second, largest overlap of two spheres or sphere and floor, height of the centre."""
    system = exu.SystemContainer()
    mbs = system.AddSystem()
    ground = mbs.CreateGround()
    general = mbs.AddGeneralContact()
    damping = 0.2 * np.sqrt(stiffness)  # a tenth of critical for two spheres of 1 kg
    bodies = []
    for place in places:
        body = mbs.CreateRigidBody(
            referencePosition=list(place), inertia=utilities.InertiaSphere(1.0, RADIUS), gravity=[0, 0, -contact.G],
            nodeType=exu.NodeType.RotationRotationVector,
        )  # fmt: skip
        bodies.append(body)
        marker = mbs.AddMarker({"markerType": "NodeRigid", "nodeNumber": mbs.GetObject(body)["nodeNumber"], "name": ""})
        general.AddSphereWithMarker(marker, RADIUS, stiffness, damping, 0)
    floor = mbs.AddMarker({"markerType": "BodyRigid", "bodyNumber": ground, "name": ""})
    points, triangles = box()
    general.AddTrianglesRigidBodyBased(floor, stiffness, damping, 0, points, triangles)
    general.SetFrictionPairings(0.3 * np.eye(1))
    general.frictionProportionalZone = 1e-3
    general.SetSearchTreeCellSize(numberOfCells=[8, 8, 16])
    general.SetSearchTreeBox(pMin=np.array([-0.8, -0.8, -0.2]), pMax=np.array([0.8, 0.8, TALL]))
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(SECONDS / step)
    settings.timeIntegration.endTime = SECONDS
    settings.timeIntegration.verboseMode = 0
    settings.solution.file.write = False
    settings.timeIntegration.explicit.computeEndOfStepAccelerations = False
    settings.timeIntegration.explicit.computeMassMatrixInversePerBody = True
    settings.linearSolver.solverType = exu.LinearSolverType.EigenSparse
    began = time.process_time()
    mbs.SolveDynamic(settings, solverType=exu.DynamicSolverType.ExplicitEuler)
    took = time.process_time() - began
    at = np.array([mbs.GetObjectOutputBody(b, exu.OutputVariableType.Position, [0, 0, 0]) for b in bodies])
    return took / SECONDS, overlap_of(at), float(at[:, 2].mean())


def compliant(stiffness: float) -> dt.System:
    """The same spheres with springs and dampers between them."""
    model, _ = contact.spheres()
    del model.contacts["all"]
    law = dt.CompliantContact(stiffness, damping=0.2 * np.sqrt(stiffness), friction=0.3, slip_speed=1e-3)
    model.add_contact("all", law, "all", "all")
    return dt.compile(model)


def by_compliant(system: dt.System, step: float) -> tuple[float, float, float]:
    """The same as `by_exudyn`, of duoti's compliant contacts with its semi-implicit Euler method."""
    began = time.process_time()
    r = dt.simulate(system, SECONDS, outputs=[0.0, SECONDS], solver=dt.SemiImplicitEuler(step=step))
    took = time.process_time() - began
    at = np.array([r[f"b{i}.position"][-1] for i in range(200)])
    return took / SECONDS, overlap_of(at), float(at[:, 2].mean())


def overlap_of(at: np.ndarray) -> float:
    """Largest overlap of two spheres, or of a sphere with the floor."""
    apart = np.linalg.norm(at[:, None] - at[None], axis=2) + np.eye(len(at))
    return float(max(2 * RADIUS - apart.min(), RADIUS - at[:, 2].min(), 0.0))


@case("200 compliant spheres, 1e5 N/m", "Exudyn", 1.0)
def compliant_spheres() -> Pair:
    stiffness = 1e5
    model, _ = contact.spheres()
    places = [np.array(b.position, float) for b in model.bodies.values() if b.name != "ground"]
    system, step = compliant(stiffness), 0.1 * np.sqrt(0.5 / stiffness)
    mine, other = by_compliant(system, step), by_exudyn(places, stiffness, step)
    differ = abs(mine[2] / other[2] - 1)
    return Pair(
        Side(taken=lambda: by_compliant(system, step)[0], setting=f"step {step:.2g} s"),
        Side(taken=lambda: by_exudyn(places, stiffness, step)[0], setting=f"step {step:.2g} s"), differ, 0.01,
        "of the mean height", "process",
    )  # fmt: skip


@case("stack of 5 compliant boxes")
def compliant_boxes() -> Pair:
    model, shape = dt.Model("boxes"), dt.Shape.box((0.2, 0.2, 0.2))
    below, other = model.ground, dt.Shape.plane()
    for i in range(5):
        box = model.add_body(f"b{i}", dt.Inertia.box(1.0, size=(0.2, 0.2, 0.2)), position=(0, 0, 0.1 + 0.2 * i))
        model.add_joint(f"j{i}", dt.Free(), model.ground, box)
        law = dt.CompliantContact(stiffness=1e5, damping=500.0, friction=0.4)
        model.add_contact(f"c{i}", law, below, box, shapes=(other, shape))
        below, other = box, shape
    system = dt.compile(model)
    return Pair(Side(repeated(lambda: dt.simulate(system, 0.05, outputs=[0.05], progress=False))), clock="process")
