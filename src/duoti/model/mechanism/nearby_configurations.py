"""Positions of a mechanism near its reference configuration, from the closure equations of its joints.

Every body has six coordinates here and every joint is an equation: slow, but it needs nothing but poses.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from duoti.kernel.decorators import plain  # by its file: in plain Python the package has a module of this name
from duoti.model.elements import GROUND
from duoti.model.equations import EQUATION_KINDS
from duoti.model.joints import Joint
from duoti.model.mechanism.placement import Placement
from duoti.model.model import Model
from duoti.spatial import Pose, Rotation
from duoti.spatial.algebra import ZERO3

Array = NDArray[np.float64]
CLOSED = 1e-11  # residual that counts as closed, in lengths of the mechanism and radians
ITERATIONS = 30
STEP = 0.1  # of the bodies away from the reference configuration, in lengths of the mechanism and radians


def joint_equations(joint: Joint, X_WF: Pose, X_WM: Pose, length: float = 1.0) -> tuple[Array, Array]:
    """Residuals of a joint's closure equations, and the wrench of each on the child (torque about the origin, force).

    The equations are the kind of equation of `duoti.model.equations`. Positions are in units of `length` [m].
    """
    A, B = (X_WF.rotation @ joint.frame()).matrix, (X_WM.rotation @ joint.frame()).matrix
    R_A, R_B = tuple(A.ravel().tolist()), tuple(B.ravel().tolist())
    p, d = tuple(X_WM.position.tolist()), tuple((X_WM.position - X_WF.position).tolist())
    advance = joint.parameters()[0] / length if joint.kind == "screw" else 0.0
    residuals: list[float] = []
    wrenches: list[tuple[float, ...]] = []
    for row in joint.closure:
        law = plain(EQUATION_KINDS[row.kind].law)
        g, _, _, (torque, force) = law(row.i, row.j, advance, R_A, R_B, d, p, *[ZERO3] * 6)
        residuals.append(g)
        wrenches.append((*torque, *force))
    return np.array(residuals), np.array(wrenches).reshape(-1, 6)


def closed_nearby(
    model: Model, placement: Placement, joints: Sequence[str], rng: np.random.Generator, length: float
) -> dict[str, Pose] | None:
    """Poses of the bodies of these joints in a random closed position near the reference; None if none was found.

    A step in a random direction that the equations allow to first order, then Gauss-Newton steps of least length.
    """
    elements = [model.joints[name] for name in joints]
    names = list(dict.fromkeys(body for e in elements for body in (e.parent, e.child)))
    moving = [name for name in names if name != GROUND]
    origin = placement.bodies[moving[0]].position
    start = {
        name: Pose(placement.bodies[name].rotation, (placement.bodies[name].position - origin) / length)
        for name in names
    }

    def frame(poses: dict[str, Pose], body: str, X: Pose) -> Pose:
        return poses[body] @ Pose(X.rotation, X.position / length)

    def equations(poses: dict[str, Pose]) -> tuple[Array, Array]:
        residuals: list[Array] = []
        rows: list[Array] = []
        for element in elements:
            X_WF = frame(poses, element.parent, placement.on_parent[element.name])
            X_WM = frame(poses, element.child, placement.on_child[element.name])
            g, wrenches = joint_equations(element.joint, X_WF, X_WM, length)
            block = np.zeros((len(g), 6 * len(moving)))
            for body, sign in ((element.child, 1.0), (element.parent, -1.0)):
                if body != GROUND:
                    i = 6 * moving.index(body)
                    block[:, i : i + 6] += sign * wrenches
            residuals.append(g)
            rows.append(block)
        return np.concatenate(residuals), np.concatenate(rows)

    def moved(poses: dict[str, Pose], x: Array) -> dict[str, Pose]:
        new = dict(poses)
        for name, twist in zip(moving, x.reshape(-1, 6), strict=True):
            new[name] = Pose(Rotation.from_vector(twist[:3]), twist[3:]) @ poses[name]
        return new

    g, G = equations(start)
    _, s, Vt = np.linalg.svd(G)
    free = Vt[int(np.sum(s > 1e-9 * max(s.max(initial=0.0), 1.0))) :]
    if not len(free):
        return None
    direction = free.T @ rng.normal(size=len(free))
    poses = moved(start, STEP * direction / max(float(np.max(np.abs(direction))), 1e-300))
    for _ in range(ITERATIONS):
        g, G = equations(poses)
        if np.max(np.abs(g), initial=0.0) <= CLOSED:
            return {name: Pose(X.rotation, origin + length * X.position) for name, X in poses.items()}
        poses = moved(poses, np.asarray(np.linalg.lstsq(G, -g, rcond=1e-9)[0], dtype=float))
    return None
