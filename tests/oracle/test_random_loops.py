"""Random closed-loop mechanisms against a dense calculation in absolute coordinates, in plain NumPy.

The oracle knows six velocities for every body and nothing of trees, recursions or cuts. Its constraints are written in
other forms than the package's (vector equations with more rows than needed); their Jacobians and second derivatives
come from Taylor arithmetic. It solves by singular values, so that redundancy needs no treatment of its own and tells
which reactions are unique.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.states.assemble import assemble
from duoti.dynamics.loops.constraints import closure_state
from duoti.dynamics.workspace import new_workspace
from duoti.results.result import Stats
from duoti.system.arrays import size_of_state
from duoti.system.constraint_arrays import dense_jacobian
from support.random_models import random_inertia, random_rotation

# --------------------------------------------------------------------------------------------------- Taylor arithmetic


@dataclass
class Jet:
    """A vector function of time by its value and two derivatives; the last axis is the vector's."""

    x: np.ndarray
    d: np.ndarray
    dd: np.ndarray

    def __sub__(self, other: Jet) -> Jet:
        return Jet(self.x - other.x, self.d - other.d, self.dd - other.dd)


def product(f, a: Jet, b: Jet) -> Jet:
    """Of two jets with any bilinear f."""
    return Jet(f(a.x, b.x), f(a.d, b.x) + f(a.x, b.d), f(a.dd, b.x) + 2 * f(a.d, b.d) + f(a.x, b.dd))


def dot(a: Jet, b: Jet) -> Jet:
    return product(lambda x, y: np.sum(x * y, axis=-1, keepdims=True), a, b)


def cross(a: Jet, b: Jet) -> Jet:
    return product(np.cross, a, b)


def atan2(s: Jet, c: Jet) -> Jet:
    n = s.x**2 + c.x**2
    dn = 2 * (s.x * s.d + c.x * c.d)
    d = (c.x * s.d - s.x * c.d) / n
    return Jet(np.arctan2(s.x, c.x), d, (c.x * s.dd - s.x * c.dd) / n - d * dn / n)


@dataclass
class Motion:
    """Poses and velocities of a body (its mass centre), with many first-order variations at once."""

    R: np.ndarray
    p: np.ndarray
    omega: np.ndarray  # [k, 3]
    v: np.ndarray  # [k, 3]

    def axis(self, a: np.ndarray) -> Jet:
        """An axis fixed in the body, at zero angular acceleration."""
        x = np.broadcast_to(self.R @ a, self.omega.shape)
        d = np.cross(self.omega, x)
        return Jet(x, d, np.cross(self.omega, d))

    def point(self, arm: np.ndarray) -> Jet:
        """A point fixed in the body, at zero accelerations."""
        r = self.axis(arm)
        return Jet(self.p + r.x, self.v + r.d, r.dd)


# ------------------------------------------------------------------------------------------------ joints of the oracle


def equations(joint, x_F, y_F, z_F, x_M, y_M, z_M, d: Jet) -> list[Jet]:
    """Vector equations of a joint between the axes of its frames and the vector d from F to M."""
    kind = joint.kind
    parallel = cross(z_F, z_M)
    same_attitude = [dot(x_F, y_M) - dot(y_F, x_M), dot(y_F, z_M) - dot(z_F, y_M), dot(z_F, x_M) - dot(x_F, z_M)]
    along = cross(z_F, d)
    turn = atan2(dot(y_F, x_M), dot(x_F, x_M))
    if kind == "revolute":
        return [d, parallel]
    if kind == "prismatic":
        return [along, *same_attitude]
    if kind == "cylindrical":
        return [along, parallel]
    if kind == "universal":
        return [d, dot(z_F, x_M)]
    if kind == "spherical":
        return [d]
    if kind == "planar":
        return [dot(z_F, d), parallel]
    if kind == "fixed":
        return [d, *same_attitude]
    assert kind == "screw"
    advance = joint.lead_per_turn / (2 * np.pi)
    advanced = dot(z_F, d)
    turn.x = turn.x + 2 * np.pi * np.round((advanced.x / advance - turn.x) / (2 * np.pi))
    return [along, parallel, advanced - Jet(advance * turn.x, advance * turn.d, advance * turn.dd)]


def law_axes(joint) -> np.ndarray:
    """Columns x, y, z of the joint's own frame: z along its axis, x along the second one of a universal joint."""
    if joint.kind in ("spherical", "fixed"):
        return np.eye(3)
    if joint.kind == "universal":
        z, x = np.array(joint.axis1, float), np.array(joint.axis2, float)
    else:
        z = np.array(joint.axis, float)
        x = np.cross(z, [0.3, -0.5, 0.8])  # any: no equation of the other types depends on it
    z, x = z / np.linalg.norm(z), x / np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


@dataclass
class Mechanism:
    """A model and what it was meant to be: poses and inertias of the bodies, joints with ends and points."""

    model: dt.Model
    poses: dict[str, dt.spatial.Pose] = field(default_factory=dict)
    inertias: dict[str, dt.Inertia] = field(default_factory=dict)
    joints: dict[str, tuple] = field(default_factory=dict)  # name -> (joint, parent, child, point)
    spring: tuple | None = None

    def add_body(self, rng, position):
        name = f"b{len(self.inertias)}"
        pose = dt.spatial.Pose(random_rotation(rng), np.asarray(position, float))
        inertia = random_inertia(rng)
        self.model.add_body(name, inertia, position=pose.position, rotation=pose.rotation)
        self.poses[name], self.inertias[name] = pose, inertia
        return name

    def add_joint(self, joint, parent, child, at):
        name = f"j{len(self.joints)}"
        self.model.add_joint(name, joint, parent, child, at=at)
        self.joints[name] = (joint, parent, child, np.asarray(at, float))


class Dense:
    """Constrained dynamics of a mechanism in given positions and velocities of its bodies."""

    def __init__(self, mech: Mechanism, frames: dict[str, tuple]):
        """frames: body -> (R, p, omega, v) of its own frame in the world."""
        self.mech = mech
        names = list(mech.inertias)
        n = len(names)
        self.column = {name: 6 * i for i, name in enumerate(names)}
        # k = 0: the velocities; then a unit turn and a unit shift of the mass centre of every body in turn
        motions = {"ground": Motion(np.eye(3), np.zeros(3), np.zeros((6 * n + 1, 3)), np.zeros((6 * n + 1, 3)))}
        half, right = np.zeros((6 * n, 6 * n)), np.zeros(6 * n)  # M^-1/2, forces
        g = np.asarray(mech.model.gravity, float)
        self.com: dict[str, np.ndarray] = {"ground": np.zeros(3)}
        self.R: dict[str, np.ndarray] = {"ground": np.eye(3)}
        for name in names:
            R, p, omega, v = frames[name]
            inertia, i = mech.inertias[name], self.column[name]
            arm = R @ inertia.com
            W, V = np.zeros((6 * n + 1, 3)), np.zeros((6 * n + 1, 3))
            W[0], V[0] = omega, v + np.cross(omega, arm)
            W[1 + i : 4 + i], V[4 + i : 7 + i] = np.eye(3), np.eye(3)
            motions[name] = Motion(R, p + arm, W, V)
            self.com[name], self.R[name] = p + arm, R
            J = R @ inertia.about(inertia.com) @ R.T
            w, U = np.linalg.eigh(J)
            half[i : i + 3, i : i + 3] = U @ np.diag(w**-0.5) @ U.T
            half[i + 3 : i + 6, i + 3 : i + 6] = np.eye(3) * inertia.mass**-0.5
            right[i : i + 3] = -np.cross(omega, J @ omega)
            right[i + 3 : i + 6] = inertia.mass * g
        self._spring(motions, right)
        rows, gamma, self.residual, self.rate, self.first = [], [], [], [], {}
        self.flipped: list[str] = []  # closed the wrong way round: all equations of axes hold then too
        for name, (joint, parent, child, point) in mech.joints.items():
            axes = law_axes(joint)
            ends = []
            for body in (parent, child):
                X = mech.poses[body]
                com = mech.inertias[body].com if body != "ground" else np.zeros(3)
                local = X.rotation.matrix.T
                ends.append((motions[body], local @ axes, local @ (point - X.position) - com))
            (A, axes_A, arm_A), (B, axes_B, arm_B) = ends
            jets = [A.axis(axes_A[:, k]) for k in range(3)] + [B.axis(axes_B[:, k]) for k in range(3)]
            x, y, z = (float(dot(jets[k], jets[3 + k]).x[0, 0]) for k in range(3))
            attitude = {"prismatic": x + y + z - 2, "fixed": x + y + z - 2, "universal": 1, "spherical": 1}
            if attitude.get(joint.kind, z) < 0:
                self.flipped.append(name)
            start = len(rows)
            for eq in equations(joint, *jets, B.point(arm_B) - A.point(arm_A)):
                for k in range(eq.d.shape[-1]):
                    rows.append(eq.d[1:, k])
                    gamma.append(-eq.dd[0, k])
                    self.residual.append(eq.x[0, k])
                    self.rate.append(eq.d[0, k])
            self.first[name] = (start, len(rows), B.point(arm_B).x[0])
        self.G, gamma = np.array(rows), np.array(gamma)
        W = self.G @ half
        U, s, Vt = np.linalg.svd(W)
        self.singular_values = s
        keep = s > 1e-8 * s[0]
        rank = int(np.sum(keep))
        free = half @ half @ right
        defect = gamma - self.G @ free
        self.inconsistency = float(np.max(np.abs(U[:, rank:].T @ defect), initial=0.0))
        self.a = free + half @ (Vt[:rank].T @ ((U[:, :rank].T @ defect) / s[:rank]))
        self.multipliers = U[:, :rank] @ ((U[:, :rank].T @ defect) / s[:rank] ** 2)
        self.null = U[:, rank:]
        self.gap = (s[rank - 1] / s[0], (s[rank] if rank < len(s) else 0.0) / s[0])
        self.rank = rank

    def _spring(self, motions, right):
        if self.mech.spring is None:
            return
        (a, p_a), (b, p_b), k, rest = self.mech.spring
        ends = []
        for body, p in ((a, p_a), (b, p_b)):
            com = self.mech.inertias[body].com if body != "ground" else np.zeros(3)
            ends.append(self.com[body] + self.R[body] @ (p - com))
        line = ends[1] - ends[0]
        length = np.linalg.norm(line)
        force = k * (length - rest) * line / length
        for body, end, f in ((a, ends[0], force), (b, ends[1], -force)):
            if body != "ground":
                i = self.column[body]
                right[i : i + 3] += np.cross(end - self.com[body], f)
                right[i + 3 : i + 6] += f

    def reaction(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Wrench (torque at the joint's point on the child, force) on the child, and the self-stresses (6, k) in it."""
        _, parent, child, _ = self.mech.joints[name]
        start, stop, point = self.first[name]
        body, sign = (child, 1.0) if child != "ground" else (parent, -1.0)
        i = self.column[body]
        L = sign * self.G[start:stop, i : i + 6].T
        arm = point - self.com[body]
        shift = np.eye(6)
        shift[:3, 3:] = -np.array([[0, -arm[2], arm[1]], [arm[2], 0, -arm[0]], [-arm[1], arm[0], 0]])
        L = shift @ L
        return L @ self.multipliers[start:stop], L @ self.null[start:stop]


# --------------------------------------------------------------------------------------------------- random mechanisms

SPATIAL = ("revolute", "prismatic", "cylindrical", "universal", "spherical", "planar", "screw", "fixed")


def random_joint(rng, kind, frame=None):
    """A joint of the kind along random axes, or along z of the frame."""
    axis, other = rng.normal(size=3), rng.normal(size=3)
    if frame is not None:
        axis, other = frame[:, 2], frame[:, 0] * np.cos(t := rng.uniform(0, 6)) + frame[:, 1] * np.sin(t)
    if kind == "universal":
        return dt.Universal(axis / np.linalg.norm(axis), np.cross(axis, other))
    if kind == "screw":
        return dt.Screw(axis, lead_per_turn=float(rng.choice([-1, 1]) * rng.uniform(0.1, 0.6)))
    if kind == "prismatic" and frame is not None:
        return dt.Prismatic(other)
    kinds = {"revolute": dt.Revolute, "prismatic": dt.Prismatic, "cylindrical": dt.Cylindrical, "planar": dt.Planar}
    return kinds[kind](axis) if kind in kinds else {"spherical": dt.Spherical, "fixed": dt.Fixed}[kind]()


def close(mech, rng, joint_of, at_of, loops):
    """Further joints between bodies that are not neighbours."""
    bodies = ["ground", *mech.inertias]
    joined = {frozenset(ends[1:3]) for ends in mech.joints.values()}
    for _ in range(loops):
        pairs = [(a, b) for i, a in enumerate(bodies) for b in bodies[i + 1 :] if frozenset((a, b)) not in joined]
        a, b = pairs[rng.integers(len(pairs))]
        joined.add(frozenset((a, b)))
        parent, child = (a, b) if rng.random() < 0.5 else (b, a)
        mech.add_joint(joint_of(), parent, child, at_of(a, b))


def spatial(rng) -> Mechanism:
    """Any joints anywhere: nothing redundant, as a rule."""
    mech = Mechanism(dt.Model("spatial", gravity=rng.normal(size=3) * 5), {"ground": dt.spatial.Pose.identity()})
    n, loops = int(rng.integers(4, 8)), int(rng.integers(1, 3))
    names = ["ground"]
    for _ in range(n):
        inboard = names[-1] if rng.random() < 0.75 else names[rng.integers(len(names))]
        position = mech.poses[inboard].position + 0.6 * rng.normal(size=3)
        names.append(mech.add_body(rng, position))
        at = 0.5 * (mech.poses[inboard].position + position) + 0.2 * rng.normal(size=3)
        kind = str(rng.choice(SPATIAL, p=[0.2, 0.1, 0.15, 0.2, 0.2, 0.08, 0.05, 0.02]))
        ends = (inboard, names[-1]) if rng.random() < 0.7 else (names[-1], inboard)
        mech.add_joint(random_joint(rng, kind), *ends, at)
    weights = [0.1, 0.05, 0.15, 0.2, 0.3, 0.1, 0.08, 0.02]
    close(
        mech,
        rng,
        lambda: random_joint(rng, str(rng.choice(SPATIAL, p=weights))),
        lambda a, b: 0.5 * (mech.poses[a].position + mech.poses[b].position) + 0.2 * rng.normal(size=3),
        loops,
    )
    return mech


def flat(rng) -> Mechanism:
    """All joints in one plane, which lies anyhow in space: three redundant equations for each loop."""
    mech = Mechanism(dt.Model("flat", gravity=rng.normal(size=3) * 5), {"ground": dt.spatial.Pose.identity()})
    frame, origin = random_rotation(rng).matrix, rng.normal(size=3)
    n, loops = int(rng.integers(3, 8)), int(rng.integers(1, 3))

    def in_plane(centre, spread):
        return origin + frame[:, :2] @ (centre + spread * rng.normal(size=2))

    names, places = ["ground"], {"ground": np.zeros(2)}
    for _ in range(n):
        inboard = names[-1] if rng.random() < 0.8 else names[rng.integers(len(names))]
        centre = places[inboard] + 0.7 * rng.normal(size=2)
        name = mech.add_body(rng, origin + frame[:, :2] @ centre + 0.3 * frame[:, 2] * rng.normal())
        names.append(name)
        places[name] = centre
        kind = "revolute" if rng.random() < 0.8 else str(rng.choice(["prismatic", "planar", "cylindrical"]))
        ends = (inboard, name) if rng.random() < 0.7 else (name, inboard)
        mech.add_joint(random_joint(rng, kind, frame), *ends, in_plane(0.5 * (places[inboard] + centre), 0.2))
    close(
        mech, rng, lambda: random_joint(rng, "revolute" if rng.random() < 0.8 else "prismatic", frame),
        lambda a, b: in_plane(0.5 * (places[a] + places[b]), 0.2), loops,
    )  # fmt: skip
    return mech


def around_a_point(rng) -> Mechanism:
    """Hinges whose axes meet in one point: spherical linkages, three redundant equations for each loop."""
    mech = Mechanism(dt.Model("around", gravity=rng.normal(size=3) * 5), {"ground": dt.spatial.Pose.identity()})
    centre = rng.normal(size=3)
    names = ["ground"]
    for _ in range(int(rng.integers(3, 6))):
        inboard = names[-1]
        names.append(mech.add_body(rng, centre + rng.normal(size=3)))
        axis = rng.normal(size=3)
        mech.add_joint(dt.Revolute(axis), inboard, names[-1], centre + rng.uniform(-1, 1) * axis)
    axis = rng.normal(size=3)
    mech.add_joint(dt.Revolute(axis), "ground", names[-1], centre + rng.uniform(-1, 1) * axis)
    return mech


def doors(rng) -> Mechanism:
    """Two parallel joints of one kind on one axis between the same bodies, in a chain: nearly all of it redundant."""
    mech = Mechanism(dt.Model("doors", gravity=rng.normal(size=3) * 5), {"ground": dt.spatial.Pose.identity()})
    names = ["ground"]
    for _ in range(int(rng.integers(1, 4))):
        inboard = names[-1]
        position = mech.poses[inboard].position + rng.normal(size=3)
        names.append(mech.add_body(rng, position))
        kind = str(rng.choice(["revolute", "prismatic", "cylindrical", "fixed", "screw", "planar", "spherical"]))
        joint = random_joint(rng, kind)
        axis = np.asarray(getattr(joint, "axis", rng.normal(size=3)), float)
        for k in range(2):
            mech.add_joint(joint, inboard, names[-1], position + (k + 0.3) * axis)
    return mech


def on_an_arm(rng) -> Mechanism:
    """A planar loop between moving bodies, at the end of a spatial chain."""
    mech = flat(rng)
    (name, (joint, parent, child, at)) = next(iter(mech.joints.items()))
    assert "ground" in (parent, child)
    carried = Mechanism(mech.model, mech.poses, mech.inertias, mech.joints, mech.spring)
    arm = carried.add_body(rng, rng.normal(size=3))
    carried.add_joint(
        random_joint(rng, str(rng.choice(["universal", "spherical", "revolute"]))), "ground", arm, [0, 0, 0]
    )
    # everything that hung on ground now hangs on the arm
    model = dt.Model("on an arm", gravity=mech.model.gravity)
    moved = Mechanism(model, dict(mech.poses), dict(mech.inertias), {})
    for body, inertia in mech.inertias.items():
        model.add_body(body, inertia, position=mech.poses[body].position, rotation=mech.poses[body].rotation)
    last = list(mech.joints)[-1]
    for name, (joint, parent, child, at) in mech.joints.items():
        ends = (parent, child) if name == last else (arm if e == "ground" else e for e in (parent, child))
        moved.add_joint(joint, *ends, at)
    return moved


FAMILIES = (spatial, flat, around_a_point, doors, on_an_arm)


def with_spring(mech, rng):
    bodies = ["ground", *mech.inertias]
    a, b = (str(x) for x in rng.choice(bodies, size=2, replace=False))
    p_a, p_b = rng.normal(size=3), rng.normal(size=3)
    k, rest = rng.uniform(1, 30), rng.uniform(0.1, 1.0)
    mech.model.add_marker("spring a", a, position=p_a)
    mech.model.add_marker("spring b", b, position=p_b)
    mech.model.add_force("spring", dt.SpringDamper("spring a", "spring b", stiffness=k, rest_length=rest))
    mech.spring = ((a, p_a), (b, p_b), k, rest)
    return mech


def random_closed_state(system, rng):
    """A state away from the reference one in which the loops are closed: Newton's method from random values."""
    work = new_workspace(system)
    for size in (0.4, 0.2, 0.1, 0.05, 0.0):
        q, v = system.initial_state()
        for k in range(len(system.tree.plain_q)):
            q[system.tree.plain_q[k]] += size * rng.normal()
        for k in system.tree.quat_q:
            q[k : k + 4] += size * rng.normal(size=4)
            q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
        try:
            q = assemble(system, q, v).q
        except dt.ModelError:
            continue
        closure_state(work, 0.0, q, v)
        _, s, Vt = np.linalg.svd(dense_jacobian(system.closures, system.nv, work.G))
        rank = int(np.sum(s > 1e-9 * np.max(s, initial=0.0)))
        N = Vt[rank:].T
        v = N @ (N.T @ rng.normal(size=system.nv))
        return q, assemble(system, q, v).v, size
    raise AssertionError("the reference configuration is not closed")


def sample(seed: int):
    """Mechanism, compiled system (cut by itself, cut otherwise, or absolute) and a closed state of it."""
    rng = np.random.default_rng(seed)
    family = FAMILIES[seed % len(FAMILIES)]
    mech = family(rng)
    if rng.random() < 0.6:
        with_spring(mech, rng)
    way = rng.random()
    if way < 0.2:
        system = dt.compile(mech.model, coordinates="absolute")
    elif way < 0.4:
        system = dt.compile(mech.model, cut="cheapest")
    elif way < 0.6:
        loop = list(dt.topology(mech.model).loops[0])
        system = dt.compile(mech.model, force_cut=[loop[rng.integers(len(loop))]])
    else:
        system = dt.compile(mech.model)
    q, v, size = random_closed_state(system, rng)
    return mech, system, q, v, size


def at_one_instant(system, q, v) -> dt.Result:
    """A result with one state, for its channels."""
    y = np.zeros((1, size_of_state(system.tree)))
    y[0, : system.nq], y[0, system.nq : system.nq + system.nv] = q, v
    return dt.Result(system, np.zeros(1), y, True, "one instant", Stats("none", 0, 0, 0, 0.0))


def compare(seed: int) -> dict[str, float] | None:
    """Errors of one sample, relative; None if it is too near to a singular position to be a test of anything."""
    mech, system, q, v, size = sample(seed)
    r = at_one_instant(system, q, v)
    frames = {
        body: (
            dt.Rotation(r[f"{body}.rotation"][0]).matrix, r[f"{body}.position"][0],
            r[f"{body}.angular_velocity"][0], r[f"{body}.velocity"][0],
        )
        for body in mech.inertias
    }  # fmt: skip
    dense = Dense(mech, frames)
    found = {
        "closed": max(np.max(np.abs(dense.residual)), np.max(np.abs(dense.rate))),
        "rank": dense.rank,
        "rows": len(dense.G),
        "moved": size,
        "smallest": dense.gap[0],
        "inconsistent": dense.inconsistency,
        "flipped": len(dense.flipped),
    }
    # twelve proximal steps with a shift of 1e-6 resolve singular values s with (1e-6 / (1e-6 + s²))^12 < 1e-11
    if dense.gap[0] < 3e-3 or dense.gap[1] > 1e-10:
        return None
    a = np.zeros(6 * len(mech.inertias))
    for body, inertia in mech.inertias.items():
        i = dense.column[body]
        R, _, omega, _ = frames[body]
        alpha, arm = r[f"{body}.angular_acceleration"][0], R @ inertia.com
        a[i : i + 3] = alpha
        a[i + 3 : i + 6] = r[f"{body}.acceleration"][0] + np.cross(alpha, arm) + np.cross(omega, np.cross(omega, arm))
    scale = max(1.0, np.max(np.abs(dense.a)))
    found["acceleration"] = float(np.max(np.abs(a - dense.a)) / scale)
    worst, unique, largest = 0.0, 0, 1.0
    for name in mech.joints:
        wrench, stress = dense.reaction(name)
        got = np.concatenate([r[f"{name}.reaction_torque"][0], r[f"{name}.reaction_force"][0]])
        U, s, _ = np.linalg.svd(stress)
        free = U[:, int(np.sum(s > 1e-7)) :]  # directions in which no self-stress acts
        unique += free.shape[1]
        largest = max(largest, float(np.max(np.abs(wrench))))
        worst = max(worst, float(np.max(np.abs(free.T @ (got - wrench)), initial=0.0)))
    found["reaction"], found["unique"] = worst / largest, unique / (6 * len(mech.joints))
    return found


def campaign(seeds):
    compared = 0
    for seed in seeds:
        found = compare(seed)
        if found is None:
            continue
        compared += 1
        what = f"seed {seed} ({FAMILIES[seed % len(FAMILIES)].__name__}): {found}"
        assert found["flipped"] == 0, what  # closed the right way round
        assert found["closed"] < 1e-10, what  # assembled to 1e-12, in another form of the equations
        # 1e-9 as issue 4 asks; round-off is 1e-15 times the condition (up to 1e3 here, squared in multipliers)
        assert found["acceleration"] < 1e-9, what
        assert found["reaction"] < 1e-9, what
    return compared


@pytest.mark.sample(1)
@pytest.mark.parametrize("part", range(4))
def test_random_loops(part):
    seeds = range(30 * part, 30 * (part + 1))
    assert campaign(seeds) >= 20  # the others happen to be nearly singular


@pytest.mark.parametrize("seed", [39, 64])
def test_no_joint_is_closed_the_wrong_way_round(seed):
    """From guesses that are half a radian or so away; a hinge then has its axes against each other."""
    assert compare(seed)["flipped"] == 0


@pytest.mark.campaign
def test_500_random_loops():
    assert campaign(range(1000, 1650)) >= 500
