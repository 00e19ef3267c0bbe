"""Random trees of bodies, built through the public interface, with a record of how they were meant.

The record (`Meant`) is made independently of the package's own placement code, so that an oracle can be built from it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

import duoti as dt
from duoti.model.joints import JOINT_TYPES

ALL_KINDS = tuple(JOINT_TYPES)


@dataclass
class MeantJoint:
    """A joint: its name and type, the body on either side of it in the tree, and its frame in the world."""

    name: str
    joint: dt.model.joints.Joint
    inboard: str
    outboard: str
    reversed: bool  # the user's parent is the outboard body
    X_WJ: dt.spatial.Pose


@dataclass
class Meant:
    """A model and what it was meant to be in its reference configuration."""

    model: dt.Model
    bodies: dict[str, dt.spatial.Pose] = field(default_factory=dict)
    inertias: dict[str, dt.Inertia] = field(default_factory=dict)
    joints: list[MeantJoint] = field(default_factory=list)


def random_rotation(rng: np.random.Generator) -> dt.Rotation:
    q = rng.normal(size=4)
    return dt.Rotation(q / np.linalg.norm(q))


def random_pose(rng: np.random.Generator, size: float = 1.0) -> dt.spatial.Pose:
    return dt.spatial.Pose(random_rotation(rng), size * rng.normal(size=3))


def random_inertia(rng: np.random.Generator, size: float = 0.4) -> dt.Inertia:
    """Any mass centre, any principal axes, moments that a body of this size can have."""
    mass = rng.uniform(0.3, 3.0)
    spread = mass * size**2 * rng.uniform(0.1, 1.0, size=3)  # integrals of x², y², z²
    R = random_rotation(rng).matrix
    return dt.Inertia(mass, com=0.3 * rng.normal(size=3), matrix=R @ np.diag(spread.sum() - spread) @ R.T)


def random_model(
    rng: np.random.Generator,
    n_bodies: int,
    kinds: tuple[str, ...] = ALL_KINDS,
    *,
    reverse: float = 0.3,
    branch: float = 0.3,
    root: str | None = None,
    gravity: tuple[float, float, float] | None = None,
) -> Meant:
    """A tree of `n_bodies` with joints of random types from `kinds`, placed in all ways that users have."""
    model = dt.Model("random", gravity=rng.normal(size=3) * 5 if gravity is None else gravity)
    meant = Meant(model, {"ground": dt.spatial.Pose.identity()})
    for i in range(n_bodies):
        name = f"b{i}"
        if i == 0:
            inboard = "ground"
        elif rng.random() < branch:
            inboard = str(rng.choice([*meant.bodies])) if root is None else f"b{rng.integers(i)}"
        else:
            inboard = f"b{i - 1}"
        kind = root if root and i == 0 else str(rng.choice(kinds))
        X_WP = meant.bodies[inboard]
        X_WB = dt.spatial.Pose(random_rotation(rng), X_WP.position + 0.5 * rng.normal(size=3))
        inertia = random_inertia(rng)
        joint = JOINT_TYPES[kind].sample(rng)
        backwards = bool(rng.random() < reverse)
        near, far, X_WJ = _place(rng, model, name, inboard, inertia, X_WP, X_WB)
        parent, child = (far, near) if backwards else (near, far)
        at = X_WJ.position if near == inboard and far == name else None
        model.add_joint(f"j{i}", joint, parent, child, at=at)
        meant.bodies[name], meant.inertias[name] = X_WB, inertia
        meant.joints.append(MeantJoint(f"j{i}", joint, inboard, name, backwards, X_WJ))
    return meant


def _place(rng, model, name, inboard, inertia, X_WP, X_WB):
    """Add a body, and markers if it is placed by them: what the joint is given on either side, and its frame."""
    point = 0.5 * (X_WP.position + X_WB.position) + 0.2 * rng.normal(size=3)
    way = rng.choice(["at", "both markers", "placed by markers", "marker inboard"], p=[0.5, 0.2, 0.2, 0.1])
    if way == "at":
        model.add_body(name, inertia, position=X_WB.position, rotation=X_WB.rotation)
        return inboard, name, dt.spatial.Pose(dt.Rotation.identity(), point)
    X_WJ = dt.spatial.Pose(random_rotation(rng), point)
    if way == "placed by markers":  # the body's place follows from the joint
        model.add_body(name, inertia)
    else:
        model.add_body(name, inertia, position=X_WB.position, rotation=X_WB.rotation.matrix)
    X_PF, X_BM = X_WP.inverse() @ X_WJ, X_WB.inverse() @ X_WJ
    near = model.add_marker(f"{name}.in", inboard, position=X_PF.position, rotation=X_PF.rotation).name
    if way == "marker inboard":
        return near, name, X_WJ
    far = model.add_marker(f"{name}.out", name, position=X_BM.position, rotation=X_BM.rotation.quaternion).name
    return near, far, X_WJ


def random_state(rng: np.random.Generator, system: dt.System, speed: float = 1.0) -> tuple[np.ndarray, ...]:
    """q (quaternions of unit length), v and a."""
    tree = system.tree
    q = rng.normal(size=tree.nq)
    for k in tree.quat_q:
        q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    return q, speed * rng.normal(size=tree.nv), rng.normal(size=tree.nv)


def step_q(system: dt.System, q: np.ndarray, v: np.ndarray, h: complex) -> np.ndarray:
    """q + h dq/dt, to first order in h: a direction for derivatives along the motion. h may be complex."""
    rates = np.zeros(system.nq)
    tree = system.tree
    rates[tree.plain_q] = v[tree.plain_v]
    for k, j in zip(tree.quat_q, tree.quat_v, strict=True):
        w, x, y, z = q[k : k + 4]
        a, b, c = v[j : j + 3]
        rates[k : k + 4] = 0.5 * np.array(
            [-x * a - y * b - z * c, w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a]
        )
    return q + h * rates


def relative(difference: np.ndarray, scale: np.ndarray) -> float:
    """Largest element of a difference, relative to the largest of what was compared."""
    return float(np.max(np.abs(difference), initial=0.0) / max(np.max(np.abs(scale), initial=0.0), 1e-300))
