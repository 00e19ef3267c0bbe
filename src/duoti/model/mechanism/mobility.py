"""Mobility and redundancy of closed loops from the screws of their joints, in the reference configuration or another.

Around every loop the relative twists of the joints add up to nothing,

    K v = 0,   K = [signed screws of the joints of each loop, 6 rows per loop],                            (1)

with all joints in K, cut or not: nothing here depends on the choice of the tree. Hence

    mobility = (rates of all joints) - rank K,     redundancy = (rows of K) - rank K.                       (2)

A vector of the left null space of K is a state of self-stress: wrenches that run around the loops and are balanced
without any load. A joint's reaction is not unique if some self-stress runs through it.

Redundancy in one position may belong to the structure or only to this position, which is then singular (all bars of a
four-bar in line): `lasting` looks at positions nearby.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from duoti.kernel import one_blas_thread
from duoti.kernel.decorators import plain  # by its file: in plain Python the package has a module of this name
from duoti.model.elements import GROUND
from duoti.model.equations import EQUATION_KINDS
from duoti.model.joints import Joint
from duoti.model.mechanism.placement import Placement, place_bodies
from duoti.model.model import Model
from duoti.spatial import Pose, Rotation
from duoti.spatial.algebra import ZERO3
from duoti.topology import Topology

# Positions of a mechanism near its reference configuration, from the closure equations of its joints.
#
# Every body has six coordinates here and every joint is an equation: slow, but it needs nothing but poses.


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


RANK_TOLERANCE = 1e-9  # singular values below this part of the largest are round-off of the user's coordinates
NEARBY_TOLERANCE = 1e-7  # the same in a position that was found by iteration, closed to about 1e-12
LARGEST = 1500  # rows of K of loops that hang together, beyond which the analysis would take too long
MOST_NEARBY = 12  # loops that hang together, beyond which positions nearby are not looked at
SAMPLES = 3  # positions nearby
FEW = 4  # loops that hang together, whose matrices no BLAS shares among threads


@dataclass(frozen=True)
class LoopGroup:
    """Loops that share joints, analysed together.

    stresses: for each joint through which self-stress runs, an orthonormal basis (rows: torque, force) of the wrenches,
    at the joint's point and in world axes, with lengths in units of `length` [m].
    """

    loops: tuple[str, ...]
    joints: tuple[str, ...]
    rates: int
    equations: int
    rank: int
    length: float
    stresses: dict[str, Array] = field(default_factory=dict)
    remedy: dict[str, str] = field(default_factory=dict)
    """Joint -> type to use instead, for a change that removes all redundancy and adds no mobility."""

    @property
    def mobility(self) -> int:
        """Degrees of freedom in this configuration."""
        return self.rates - self.rank

    @property
    def redundancy(self) -> int:
        """Closure equations that say nothing new."""
        return self.equations - self.rank


def joint_screws(joint: Joint, X_WF: Pose, origin: Array, length: float) -> Array:
    """Columns: twist per rate of the joint in the reference configuration, world axes, about `origin`, scaled."""
    columns: list[tuple[float, ...]] = []
    x, y, z = (X_WF.position - origin).tolist()
    for part in joint.parts:
        R = X_WF.rotation @ part.frame()
        for row in part.subspace_at_zero:
            (a, b, c), (u, v, w) = R.turned((row[0], row[1], row[2])), R.turned((row[3], row[4], row[5]))
            shift = (u + y * c - z * b, v + z * a - x * c, w + x * b - y * a)
            columns.append((a, b, c, *(each / length for each in shift)))
    return np.array(columns).reshape(-1, 6).T


def _screws_between(joint: Joint, X_WF: Pose, X_WM: Pose, origin: Array, length: float) -> Array:
    """The same for frames that are apart: the twists on which the joint's reactions do no work, orthonormal."""
    near, far = (Pose(X.rotation, (X.position - origin) / length) for X in (X_WF, X_WM))
    _, wrenches = joint_equations(joint, near, far, length)
    _, _, Vt = np.linalg.svd(wrenches)
    return Vt[len(wrenches) :].T


def _groups(topo: Topology) -> list[list[int]]:
    """Indices of loops that hang together by common joints."""
    owner: dict[str, int] = {}
    parent = list(range(topo.loop_count))

    def find(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for i, loop in enumerate(topo.loops):
        for joint in loop.joints:
            if joint in owner:
                parent[find(i)] = find(owner[joint])
            owner[joint] = i
    groups: dict[int, list[int]] = {}
    for i in range(topo.loop_count):
        groups.setdefault(find(i), []).append(i)
    return list(groups.values())


def _few_threads(loops: int) -> AbstractContextManager[None]:
    """BLAS on one thread where it would take several: small matrices need no care, and no import of threadpoolctl."""
    return one_blas_thread() if loops > FEW else nullcontext()


def mobility(model: Model, topo: Topology, placement: Placement | None = None) -> list[LoopGroup]:
    """Mobility and redundancy of every group of loops; groups that are too large are left out."""
    placement = placement or place_bodies(model)
    groups = [group for group in _groups(topo) if 6 * len(group) <= LARGEST]
    with _few_threads(max(map(len, groups), default=0)):
        return [_analyse(model, topo, placement, [topo.cut_joints[i] for i in group]) for group in groups]


def lasting(model: Model, topo: Topology, group: LoopGroup, placement: Placement | None = None) -> LoopGroup:
    """The group as it is away from singular positions: where it was analysed, or nearby if it is less redundant there.

    Redundancy that is left belongs to the structure. Groups with many loops or composite joints are not looked at.
    """
    if not group.redundancy or len(group.loops) > MOST_NEARBY:
        return group
    if any(len(model.joints[name].joint.parts) > 1 for name in group.joints):
        return group
    placement = placement or place_bodies(model)
    rng = np.random.default_rng(1)
    least, where = group.redundancy, None
    with _few_threads(len(group.loops)):
        for _ in range(SAMPLES):
            poses = closed_nearby(model, placement, group.joints, rng, group.length)
            if poses is not None:
                redundancy = _analyse(model, topo, placement, group.loops, poses, remedies=False).redundancy
                least, where = (redundancy, poses) if redundancy < least else (least, where)
        return group if where is None else _analyse(model, topo, placement, group.loops, where)


def _analyse(
    model: Model,
    topo: Topology,
    placement: Placement,
    cuts: Sequence[str],
    poses: Mapping[str, Pose] | None = None,
    remedies: bool = True,
) -> LoopGroup:
    """Loops closed by `cuts`, in the reference configuration or where the bodies have the `poses`."""
    loops = [topo.loops[cut] for cut in cuts]
    members = {joint for loop in loops for joint in loop.joints}
    names = [name for name in model.joints if name in members]
    at = placement.bodies if poses is None else poses
    parents = {name: at[model.joints[name].parent] @ placement.on_parent[name] for name in names}
    frames = {name: at[model.joints[name].child] @ placement.on_child[name] for name in names}
    points = np.array([frames[name].position for name in names])
    origin = points.mean(axis=0)
    size = float(np.max(np.linalg.norm(points - origin, axis=1)))
    length = size if size > 1e-12 else 1.0  # all joints at one point
    sign = {
        (name, i): 1.0 if model.joints[name].parent == start else -1.0
        for i, loop in enumerate(loops)
        for name, start in zip(loop.joints, loop.bodies, strict=True)
    }

    def screws(name: str, joint: Joint) -> Array:
        if poses is None:
            return joint_screws(joint, parents[name], origin, length)
        return _screws_between(joint, parents[name], frames[name], origin, length)

    def closure(joints: dict[str, Joint]) -> tuple[Array, dict[str, slice]]:
        blocks = {name: screws(name, joint) for name, joint in joints.items()}
        columns: dict[str, slice] = {}
        start = 0
        for name in names:
            columns[name] = slice(start, start + blocks[name].shape[1])
            start = columns[name].stop
        K = np.zeros((6 * len(loops), start))
        for (name, i), s in sign.items():
            K[6 * i : 6 * i + 6, columns[name]] = s * blocks[name]
        return K, columns

    K, _ = closure({name: model.joints[name].joint for name in names})
    U, sigma, _ = np.linalg.svd(K)
    tolerance = RANK_TOLERANCE if poses is None else NEARBY_TOLERANCE
    rank = int(np.sum(sigma > tolerance * max(sigma.max(initial=0.0), 1.0)))
    null = U[:, rank:]
    stresses: dict[str, Array] = {}
    wrench = {name: np.zeros((6, null.shape[1])) for name in names}  # through each joint, of each redundant equation
    for (name, i), s in sign.items():
        wrench[name] += s * null[6 * i : 6 * i + 6]
    for name, through in wrench.items():
        wrenches = _at_point(through, (frames[name].position - origin) / length)
        u, s, _ = np.linalg.svd(wrenches, full_matrices=False)
        kept = int(np.sum(s > 1e-6))
        if kept:
            stresses[name] = u[:, :kept].T
    group_result = LoopGroup(
        tuple(loop.cut for loop in loops), tuple(names), K.shape[1], K.shape[0], rank, length, stresses
    )
    if remedies and group_result.redundancy and len(loops) == 1 and len(names) <= 7:
        group_result.remedy.update(_remedy(model, names, closure, group_result.mobility, tolerance))
    return group_result


def _at_point(wrenches: Array, arm: Array) -> Array:
    """Move wrenches (columns: torque, force; about the common origin) to the point at `arm`."""
    moved = wrenches.copy()
    (x, y, z), (fx, fy, fz) = arm.tolist(), wrenches[3:]
    moved[0] -= y * fz - z * fy
    moved[1] -= z * fx - x * fz
    moved[2] -= x * fy - y * fx
    return moved


def directions(wrenches: Array) -> str:
    """Components in which a reaction is not unique, in words: "force y, torque x, z" (world axes)."""
    words: list[str] = []
    for start, name in ((3, "force"), (0, "torque")):
        size = np.linalg.norm(wrenches[:, start : start + 3], axis=0)
        letters = [axis for axis, s in zip("xyz", size, strict=True) if s > 1e-6]
        if letters:
            words.append(f"{name} {', '.join(letters)}")
    return ", ".join(words)


def _looser(joint: Joint) -> Sequence[Joint]:
    """Joints that allow the motion of this one and more."""
    from duoti.model.joints.cylindrical import Cylindrical
    from duoti.model.joints.spherical import Spherical

    axis = getattr(joint, "axis", None)
    if joint.kind == "revolute":
        return [Cylindrical(axis), Spherical()]  # pyright: ignore[reportArgumentType, reportReturnType]
    if joint.kind == "prismatic":
        return [Cylindrical(axis)]  # pyright: ignore[reportArgumentType, reportReturnType]
    return []


def _remedy(
    model: Model,
    names: list[str],
    closure: Callable[[dict[str, Joint]], tuple[Array, dict[str, slice]]],
    wanted: int,
    tolerance: float,
) -> dict[str, str]:
    """Fewest joints to loosen so that nothing is redundant and the mobility stays; empty if there is no such change."""
    original = {name: model.joints[name].joint for name in names}
    options = {name: [None, *_looser(original[name])] for name in names}
    best: tuple[int, int, dict[str, str]] | None = None
    for choice in itertools.product(*(options[name] for name in names)):
        changed = {name: joint for name, joint in zip(names, choice, strict=True) if joint is not None}
        rates = sum((changed.get(name) or original[name]).nv for name in names)
        if not changed or rates - 6 != wanted or (best and len(changed) > best[0]):
            continue
        K, _ = closure({**original, **changed})
        sigma = np.linalg.svd(K, compute_uv=False)
        if np.sum(sigma > tolerance * max(sigma[0], 1.0)) < 6:
            continue
        # among equally few changes prefer those late in the loop: the cut joint and its neighbours
        lateness = -sum(names.index(name) for name in changed)
        if best is None or (len(changed), lateness) < best[:2]:
            best = (len(changed), lateness, {name: joint.kind for name, joint in changed.items()})
    return best[2] if best else {}
