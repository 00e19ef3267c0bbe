"""States to and from other programs: MuJoCo (qpos, qvel) and Pinocchio (q, v), matched by the names of joints.

A joint's coordinates belong to the pose X_FM(q) of a frame M on the child in a frame F on the parent, X_FM = 1 in the
reference configuration. The other program has frames F' and M' of its own on the same two bodies. Both descriptions
are taken in their reference configurations, which must be the same one; there the frames of a free joint or a ball
differ by a constant pose A, so that X_F'M'(q') = A X_FM(q) A^-1 at all times. Whether this is true is checked once,
by the poses of all bodies with the same name in random states.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.instant.derivatives import displace
from duoti.analyses.states.many_states import for_states
from duoti.model.model import Model
from duoti.results.evaluate.observe import FRAMES, observe
from duoti.spatial import Pose, Rotation
from duoti.spatial.angular_velocity import quaternion_conjugate, quaternion_product
from duoti.strict import explained
from duoti.system.arrays import Reals, size_of_state
from duoti.system.system import System

SAME = 1e-6
"""Positions [m, by the size of the model] and rotations by which bodies may differ: MuJoCo keeps six digits of some."""


class MujocoState(NamedTuple):
    """A state in the coordinates of MuJoCo."""

    qpos: Reals
    qvel: Reals


class JointState(NamedTuple):
    """Coordinates and velocities of a model, or q and v of Pinocchio."""

    q: Reals
    v: Reals


class _Joint(NamedTuple):
    """A joint in both programs: places of its coordinates and velocities, and the constant pose A."""

    kind: str
    q: Any
    v: Any
    q_other: Any
    v_other: Any
    A: Pose = Pose()
    offset: float = 0.0


class _Kind(NamedTuple):
    """How the other program writes free joints."""

    scalar_last: bool
    linear_in_body: bool


class _Exchange:
    """Maps between the coordinates of a system and those of another program."""

    def __init__(self, joints: Sequence[_Joint], kind: _Kind, sizes: tuple[int, int, int, int]):
        self.joints, self.kind, self.sizes = joints, kind, sizes

    def to(self, q: Reals, v: Reals) -> tuple[Reals, Reals]:
        """q and v of the other program."""
        _, _, nq, nv = self.sizes
        q_other, v_other = np.zeros(nq), np.zeros(nv)
        for j in self.joints:
            x, u = q[j.q], v[j.v]
            if j.kind == "plain":
                q_other[j.q_other], v_other[j.v_other] = x + j.offset, u
            elif j.kind == "circle":
                q_other[j.q_other], v_other[j.v_other] = (np.cos(x[0]), np.sin(x[0])), u
            elif j.kind == "planar":
                c, s = np.cos(x[2]), np.sin(x[2])
                q_other[j.q_other] = x[0], x[1], c, s
                v_other[j.v_other] = c * u[0] + s * u[1], c * u[1] - s * u[0], u[2]
            else:
                R_A, arm = j.A.rotation.matrix, -j.A.position  # arm: of M' about M, in the axes of M'
                turned = _conjugated(j.A.rotation, x[-4:])
                omega = R_A @ u[-3:]
                q_other[j.q_other[-4:]] = turned[[1, 2, 3, 0]] if self.kind.scalar_last else turned
                v_other[j.v_other[-3:]] = omega
                if j.kind == "free":
                    R = Rotation(turned).matrix
                    q_other[j.q_other[:3]] = R_A @ x[:3] - arm + R @ arm
                    linear = R_A @ u[:3] + R @ np.cross(omega, arm)  # in the axes of F'
                    v_other[j.v_other[:3]] = R.T @ linear if self.kind.linear_in_body else linear
        return q_other, v_other

    def back(self, q_other: Reals, v_other: Reals) -> tuple[Reals, Reals]:
        """q and v of the system."""
        nq, nv, _, _ = self.sizes
        q, v = np.zeros(nq), np.zeros(nv)
        for j in self.joints:
            x, u = q_other[j.q_other], v_other[j.v_other]
            if j.kind == "plain":
                q[j.q], v[j.v] = x - j.offset, u
            elif j.kind == "circle":
                q[j.q], v[j.v] = np.arctan2(x[1], x[0]), u
            elif j.kind == "planar":
                c, s = x[2], x[3]
                q[j.q] = x[0], x[1], np.arctan2(s, c)
                v[j.v] = c * u[0] - s * u[1], s * u[0] + c * u[1], u[2]
            else:
                R_A, arm = j.A.rotation.matrix, -j.A.position
                turned = x[-4:][[3, 0, 1, 2]] if self.kind.scalar_last else x[-4:]
                turned = turned / np.linalg.norm(turned)
                q[j.q[-4:]] = _conjugated(j.A.rotation.inverse(), turned)
                v[j.v[-3:]] = R_A.T @ u[-3:]
                if j.kind == "free":
                    R = Rotation(turned).matrix
                    linear = (R @ u[:3] if self.kind.linear_in_body else u[:3]) - R @ np.cross(u[-3:], arm)
                    q[j.q[:3]] = R_A.T @ (x[:3] + arm - R @ arm)
                    v[j.v[:3]] = R_A.T @ linear
        return q, v


def _conjugated(R: Rotation, q: Reals) -> Reals:
    """Quaternion of R q R^-1; its sign stays."""
    r = R.quaternion
    return quaternion_product(quaternion_product(r, q), quaternion_conjugate(r))


# ------------------------------------------------------------------------------------------------------- references


def _poses(system: System, q: Reals, markers: Sequence[int]) -> list[Pose]:
    y = np.zeros((1, size_of_state(system.tree)))
    y[0, : system.nq] = q
    seen = observe(system, np.zeros(1), y, FRAMES, list(markers)).frames[0]
    return [Pose(Rotation.from_matrix(x[:9].reshape(3, 3)), x[9:12]) for x in seen]


def _reference(system: System) -> Reals:
    q = np.zeros(system.nq)
    q[system.tree.quat_q] = 1.0
    return q


def _refuse_loops(system: System, program: str) -> None:
    if split := [name for name, layout in system.joints.items() if layout.cut]:
        raise NotImplementedError(
            f"loops are cut at {', '.join(split)}: their coordinates are not those of {program}, whose joints are a "
            f"tree. Compile with forbid_cut={split!r}, or write the loop as constraints of a tree, as {program} does"
        )


Poses = Callable[[Reals], dict[str, Pose]]
"""Poses of the bodies of the other program by their names, in its coordinates."""


def _same_poses(system: System, exchange: _Exchange, bodies: dict[str, int], poses_of: Poses, program: str) -> None:
    """Raise ValueError with the bodies that are elsewhere in the other program, in random states."""
    rng = np.random.default_rng(0)
    q_0 = _reference(system)
    ours = dict(zip(bodies, _poses(system, q_0, list(bodies.values())), strict=True))
    theirs = poses_of(exchange.to(q_0, np.zeros(system.nv))[0])
    shift = {name: ours[name].inverse() @ theirs[name] for name in bodies}  # frames of a body may differ
    size = max([1.0, *(float(np.linalg.norm(pose.position)) for pose in theirs.values())])
    for _ in range(2):
        q = displace(system, q_0, rng.uniform(-1.0, 1.0, system.nv))
        ours = dict(zip(bodies, _poses(system, q, list(bodies.values())), strict=True))
        theirs = poses_of(exchange.to(q, np.zeros(system.nv))[0])
        wrong = list[str]()
        for name in bodies:
            apart = (ours[name] @ shift[name]).inverse() @ theirs[name]
            turned = float(np.linalg.norm(apart.rotation.matrix - np.eye(3)))
            if max(turned, float(np.linalg.norm(apart.position)) / size) > SAME:
                wrong.append(name)
        if wrong:
            raise ValueError(
                f"{', '.join(wrong[:5])}: in the same state these bodies are elsewhere in {program}. The first one's "
                "joint has another axis, sign, parent or zero there, or the reference configurations differ: compare "
                "them, or load both models from one file"
            )


def _unmatched(program: str, ours: Sequence[str], theirs: Sequence[str]) -> None:
    if ours or theirs:
        parts = [f"joints {', '.join(names)} only {where}" for names, where in
                 ((ours, "here"), (theirs, f"in {program}")) if names]  # fmt: skip
        raise ValueError(f"joints are matched by name: {'; '.join(parts)}. Give them the same names")


# ----------------------------------------------------------------------------------------------------------- MuJoCo


def _mujoco(system: System, other: Any) -> _Exchange:
    mujoco: Any = import_module("mujoco")
    _refuse_loops(system, "MuJoCo")
    kinds = {0: "free", 1: "ball", 2: "slide", 3: "hinge"}
    data = mujoco.MjData(other)

    def poses_of(qpos: Reals) -> dict[str, Pose]:
        data.qpos[:] = qpos
        mujoco.mj_kinematics(other, data)
        return {
            other.body(b).name: Pose(Rotation(data.xquat[b]), np.array(data.xpos[b])) for b in range(1, other.nbody)
        }

    start = poses_of(other.qpos0)
    mine = {name: layout for name, layout in system.joints.items() if len(layout.v)}
    left, theirs = list(mine), list[str]()
    made = list[_Joint]()
    for i in range(other.njnt):
        kind, body = kinds[int(other.jnt_type[i])], other.body(int(other.jnt_bodyid[i])).name
        name = other.joint(i).name or f"{body}_{kind}"
        if name not in left:
            theirs.append(name)
            continue
        left.remove(name)
        layout, element = mine[name], system.model.joints[name].joint
        k, m = int(other.jnt_qposadr[i]), int(other.jnt_dofadr[i])
        expected = {"free": "free", "ball": "spherical", "slide": "prismatic", "hinge": "revolute"}[kind]
        if element.kind != expected:
            raise ValueError(f'joint "{name}" is {element.kind} here and a {kind} in MuJoCo')
        n, d = {"free": (7, 6), "ball": (4, 3)}.get(kind, (1, 1))
        places = layout.q, layout.v, np.arange(k, k + n), np.arange(m, m + d)
        if d == 1:
            made.append(_Joint("plain", *places, offset=float(other.qpos0[k])))
            continue
        (F,) = _poses(system, _reference(system), [layout.parent_marker])
        # of a ball qpos is the rotation from the reference, in axes of the body; of a free body the pose in the world
        X = Pose(F.rotation.inverse() @ start[body].rotation, F.inverse() @ start[body].position)
        made.append(_Joint(kind, *places, A=X.inverse()))
    _unmatched("MuJoCo", left, theirs)
    exchange = _MujocoExchange(made, _Kind(False, False), (system.nq, system.nv, other.nq, other.nv))
    exchange.start = {j.q_other[0]: Pose(Rotation(other.qpos0[j.q_other[3:]]), other.qpos0[j.q_other[:3]])
                      for j in made if j.kind == "free"}  # fmt: skip
    bodies = _common_bodies(system, start)
    _same_poses(system, exchange, bodies, poses_of, "MuJoCo")
    return exchange


class _MujocoExchange(_Exchange):
    """As `_Exchange`, but that qpos of a free body is its pose in the world, and not that from the reference."""

    start: dict[int, Pose]

    def to(self, q: Reals, v: Reals) -> tuple[Reals, Reals]:
        qpos, qvel = super().to(q, v)
        for j in self.joints:
            if j.kind == "free":
                X = self.start[j.q_other[0]]
                place, turn = j.q_other[:3], j.q_other[3:]
                qpos[place] = X @ qpos[place]
                qpos[turn] = quaternion_product(X.rotation.quaternion, qpos[turn])
                qvel[j.v_other[:3]] = X.rotation.matrix @ qvel[j.v_other[:3]]
        return qpos, qvel

    def back(self, q_other: Reals, v_other: Reals) -> tuple[Reals, Reals]:
        qpos, qvel = q_other.copy(), v_other.copy()
        for j in self.joints:
            if j.kind == "free":
                X = self.start[j.q_other[0]].inverse()
                place, turn = j.q_other[:3], j.q_other[3:]
                qpos[place] = X @ qpos[place]
                qpos[turn] = quaternion_product(X.rotation.quaternion, qpos[turn])
                qvel[j.v_other[:3]] = X.rotation.matrix @ qvel[j.v_other[:3]]
        return super().back(qpos, qvel)


def _common_bodies(system: System, theirs: dict[str, Pose]) -> dict[str, int]:
    found = {name: system.marker_index(name) for name in system.model.bodies if name in theirs}
    if not found:
        raise ValueError("no body has the same name in both programs, so that their states cannot be compared")
    return found


# -------------------------------------------------------------------------------------------------------- Pinocchio


def _pinocchio(system: System, other: Any) -> _Exchange:
    pin: Any = import_module("pinocchio")
    _refuse_loops(system, "Pinocchio")
    data = other.createData()

    def poses_of(q: Reals) -> dict[str, Pose]:
        pin.framesForwardKinematics(other, data, q)
        frames = [(f.name, data.oMf[k]) for k, f in enumerate(other.frames) if f.type == pin.FrameType.BODY]
        return {name: Pose(Rotation.from_matrix(X.rotation), X.translation) for name, X in frames}

    neutral = pin.neutral(other)
    pin.forwardKinematics(other, data, neutral)
    mine = {name: layout for name, layout in system.joints.items() if len(layout.v)}
    free = [name for name in mine if system.model.joints[name].joint.kind == "free"]
    left, theirs = list(mine), list[str]()
    made = list[_Joint]()
    for i, name in enumerate(other.names):
        if not i:
            continue
        joint = other.joints[i]
        flyer = joint.shortname() == "JointModelFreeFlyer"
        if flyer and name not in mine and len(free) == 1:
            name = free[0]  # Pinocchio's own name for it is root_joint
        if name not in left:
            theirs.append(name)
            continue
        left.remove(name)
        layout, element = mine[name], system.model.joints[name].joint
        k, m = joint.idx_q, joint.idx_v
        places = layout.q, layout.v, np.arange(k, k + joint.nq), np.arange(m, m + joint.nv)
        sizes = joint.nq, joint.nv
        (F,) = _poses(system, _reference(system), [layout.parent_marker])
        oM = data.oMi[i]
        A = Pose(Rotation.from_matrix(oM.rotation), oM.translation).inverse() @ F
        if sizes == (1, 1) and element.kind in ("revolute", "prismatic", "screw"):
            made.append(_Joint("plain", *places))
        elif sizes == (2, 1) and element.kind == "revolute":
            made.append(_Joint("circle", *places))
        elif sizes == (4, 3) and element.kind == "spherical":
            made.append(_Joint("ball", *places, A=A))
        elif sizes == (4, 3) and element.kind == "planar":
            made.append(_Joint("planar", *places))
        elif sizes == (7, 6) and element.kind == "free":
            made.append(_Joint("free", *places, A=A))
        else:
            raise ValueError(f'joint "{name}" is {element.kind} here and {joint.shortname()} in Pinocchio')
    _unmatched("Pinocchio", left, theirs)
    exchange = _Exchange(made, _Kind(True, True), (system.nq, system.nv, other.nq, other.nv))
    _same_poses(system, exchange, _common_bodies(system, poses_of(neutral)), poses_of, "Pinocchio")
    return exchange


# -------------------------------------------------------------------------------------------------------- functions

_KNOWN: WeakKeyDictionary[System, list[tuple[Any, _Exchange]]] = WeakKeyDictionary()
MOST_KNOWN = 4


def _exchange(make: Callable[[System, Any], _Exchange], system: System, other: Any) -> _Exchange:
    """Made and checked once for a pair of models."""
    known = _KNOWN.setdefault(system, [])
    for their, exchange in known:
        if their is other:
            return exchange
    exchange = make(system, other)
    known[MOST_KNOWN - 1 :] = []
    known.insert(0, (other, exchange))
    return exchange


def _vectors(names: str, sizes: tuple[int, int], q: Any, v: Any) -> tuple[Reals, Reals]:
    arrays = np.asarray(q, float), np.zeros(sizes[1]) if v is None else np.asarray(v, float)
    for name, x, n in zip(names.split(), arrays, sizes, strict=True):
        if x.shape != (n,):
            raise ValueError(f"{name} needs {n} numbers, got an array of shape {x.shape}")
    return arrays


@for_states("q", "v")
@explained
def to_mujoco(
    model: Model | System, mujoco_model: Any, q: ArrayLike, v: ArrayLike | None = None
) -> MujocoState:  # fmt: skip
    r"""A state in the coordinates of MuJoCo, for the same robot there.

    $$(q, v) \to (q_{\mathrm{pos}}, q_{\mathrm{vel}})$$

    Joints are matched by name, in any order. That bodies of the same name are in the same places is checked at the
    first call for two models; each later call costs some microseconds a joint.

    Parameters
    ----------
    mujoco_model:
        An `mujoco.MjModel` whose `qpos0` is the reference configuration of the model.
    v:
        Rates; zero by default.

    Returns
    -------
    `qpos` and `qvel`; of N states with a leading N.
    """
    assert isinstance(model, System)
    return MujocoState(*_exchange(_mujoco, model, mujoco_model).to(*_vectors("q v", (model.nq, model.nv), q, v)))


@for_states("qpos", "qvel")
@explained
def from_mujoco(
    model: Model | System, mujoco_model: Any, qpos: ArrayLike, qvel: ArrayLike | None = None
) -> JointState:  # fmt: skip
    r"""The state q, v of a model from one of MuJoCo, for the same robot; see `to_mujoco`.

    $$(q_{\mathrm{pos}}, q_{\mathrm{vel}}) \to (q, v)$$

    Parameters
    ----------
    mujoco_model:
        An `mujoco.MjModel` whose `qpos0` is the reference configuration of the model.
    qpos, qvel:
        Coordinates and velocities there; `qvel` is zero by default.

    Returns
    -------
    q and v, in the order of `system.coordinate_names` and `system.rate_names`.
    """
    assert isinstance(model, System)
    sizes = mujoco_model.nq, mujoco_model.nv
    return JointState(*_exchange(_mujoco, model, mujoco_model).back(*_vectors("qpos qvel", sizes, qpos, qvel)))


@for_states("q", "v")
@explained
def to_pinocchio(
    model: Model | System, pinocchio_model: Any, q: ArrayLike, v: ArrayLike | None = None
) -> JointState:  # fmt: skip
    r"""A state in the coordinates of Pinocchio, for the same robot there.

    $$(q, v) \to (q_{\mathrm{pin}}, v_{\mathrm{pin}})$$

    Joints are matched by name, in any order; a free base is matched with `root_joint`. That bodies of the same name are
    in the same places is checked at the first call for two models.

    Parameters
    ----------
    pinocchio_model:
        A `pinocchio.Model` whose neutral configuration is the reference configuration of the model.
    v:
        Rates; zero by default.

    Returns
    -------
    q and v of Pinocchio; of N states with a leading N.
    """
    assert isinstance(model, System)
    return JointState(*_exchange(_pinocchio, model, pinocchio_model).to(*_vectors("q v", (model.nq, model.nv), q, v)))


@for_states("q_pin", "v_pin")
@explained
def from_pinocchio(
    model: Model | System, pinocchio_model: Any, q_pin: ArrayLike, v_pin: ArrayLike | None = None
) -> JointState:  # fmt: skip
    r"""The state q, v of a model from one of Pinocchio, for the same robot; see `to_pinocchio`.

    $$(q_{\mathrm{pin}}, v_{\mathrm{pin}}) \to (q, v)$$

    Angles that Pinocchio keeps as cosine and sine come back between -pi and pi.

    Parameters
    ----------
    pinocchio_model:
        A `pinocchio.Model` whose neutral configuration is the reference configuration of the model.
    q_pin, v_pin:
        Configuration and velocity there; `v_pin` is zero by default.

    Returns
    -------
    q and v, in the order of `system.coordinate_names` and `system.rate_names`.
    """
    assert isinstance(model, System)
    sizes = pinocchio_model.nq, pinocchio_model.nv
    return JointState(
        *_exchange(_pinocchio, model, pinocchio_model).back(*_vectors("q_pin v_pin", sizes, q_pin, v_pin))
    )
