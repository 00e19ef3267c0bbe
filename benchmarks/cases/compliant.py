"""200 spheres that fall into a box: rigid contacts (`dt.Moreau`) against Exudyn's compliant ones, interleaved.

    python benchmarks/contact_exudyn.py [--repeat 2] [--stiffness 1e6]

Exudyn's contacts between bodies are springs and dampers with regularised friction (GeneralContact: spheres against
each other and against the triangles of the box), integrated by its explicit Euler method. Not the same model: what a
stiffness buys is told by the overlap, 0 for rigid contacts. The step of Exudyn is a tenth of the period in which two
spheres bounce off each other divided by pi, where the result no longer depends on it by much; duoti's is 1 ms.
"""

from __future__ import annotations

import argparse
import time

import contact
import exudyn as exu
import numpy as np
from exudyn.utilities import InertiaSphere

import duoti as dt

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
            referencePosition=list(place), inertia=InertiaSphere(1.0, RADIUS), gravity=[0, 0, -contact.G],
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


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--stiffness", type=float, nargs="*", default=[1e5, 1e6, 1e7])
    arguments = parser.parse_args()
    model, _ = contact.spheres()
    system = dt.compile(model)
    places = [np.array(b.position, float) for b in list(model.bodies.values()) if b.name != "ground"]
    contact.by_duoti(system, 0.01, ["all"])  # kernels
    print("| | step | time per second | overlap at the end | mean height |\n|---|---|---|---|---|")
    mine, theirs, soft = [], {k: [] for k in arguments.stiffness}, {k: [] for k in arguments.stiffness}
    systems = {k: compliant(k) for k in arguments.stiffness}
    for _ in range(arguments.repeat):
        took, overlap, r = contact.by_duoti(system, SECONDS, ["all"])
        height = float(np.mean([r[f"b{i}.position"][-1, 2] for i in range(len(places))]))
        mine.append((took, overlap, height))
        for k in arguments.stiffness:
            step = 0.1 * np.sqrt(0.5 / k)
            theirs[k].append(by_exudyn(places, k, step))
            soft[k].append(by_compliant(systems[k], step))
    best = min(mine)
    print(f"| duoti, rigid | 1 ms | {best[0]:.2f} s | {best[1]:.1e} m | {best[2]:.4f} m |")
    for k in arguments.stiffness:
        for name, found in (("duoti", soft[k]), ("Exudyn", theirs[k])):
            one = min(found)
            print(f"| {name}, {k:.0e} N/m | {1e6 * 0.1 * np.sqrt(0.5 / k):.0f} us | {one[0]:.2f} s | {one[1]:.1e} m | "
                  f"{one[2]:.4f} m |", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
