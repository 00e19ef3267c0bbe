"""Random trees against Pinocchio: inverse dynamics, mass matrix, forward dynamics.

The tree is built a second time in Pinocchio, from the record of how it was meant (`support.random_models`), with its
own joints wherever it has them. Coordinates differ where Pinocchio keeps velocities in other axes or the tree runs
against the user's direction; everywhere v_pin = T v, hence a_pin = T a + Tdot v, tau = T^T tau_pin, M = T^T M_pin T.
"""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.dynamics.derivatives.rnea import rnea_derivatives
from duoti.dynamics.tree.aba import aba
from duoti.dynamics.tree.crba import crba
from duoti.dynamics.tree.rnea import rnea
from duoti.dynamics.workspace import new_workspace
from duoti.spatial import axis_vector
from duoti.system.tangent_arrays import allocate_tangent
from support.random_models import Meant, MeantJoint, random_model, random_state, relative

pin = pytest.importorskip("pinocchio")
pytestmark = pytest.mark.oracle

# The sums run in another order in either program; over 40 bodies and about 100 degrees of freedom each loses some
# digits, forward dynamics most of all (the mass matrices have condition numbers up to 1e6). 1e-10 is the promise.
TOLERANCE = 1e-10


def se3(X: dt.spatial.Pose) -> object:
    return pin.SE3(np.array(X.rotation.matrix), np.array(X.position))


def rotation_of(q: np.ndarray) -> np.ndarray:
    return np.array(dt.Rotation(q / np.linalg.norm(q)).matrix)


def depth_first(joints: list[MeantJoint], body: str) -> list[MeantJoint]:
    """The joints outboard of a body, subtree after subtree: the order on which Pinocchio's mass matrix relies."""
    return [j for joint in joints if joint.inboard == body for j in (joint, *depth_first(joints, joint.outboard))]


class Twin:
    """The same tree in Pinocchio, and the maps between the coordinates of the two."""

    def __init__(self, meant: Meant, system: dt.System, native: bool):
        self.model, self.system, self.native = pin.Model(), system, native
        self.model.gravity.linear = np.array(meant.model.gravity, dtype=float)
        self.steps = []  # (kind, joint id, indices in q, indices in v, sign)
        joint_of, X_W = (
            {"ground": 0},
            {"ground": dt.spatial.Pose.identity()},
        )  # Pinocchio's frame of each body, at reference
        for j in depth_first(meant.joints, "ground"):
            place = system.joints[j.name]
            parent, X_PJ = joint_of[j.inboard], X_W[j.inboard].inverse() @ j.X_WJ
            parts = list(self.parts(j.joint, list(place.q), list(place.v), j.reversed))
            for kind, joint, q, v in parts:
                parent = self.model.addJoint(parent, joint, se3(X_PJ), f"{j.name}.{len(self.steps)}")
                self.steps.append((kind, parent, q, v, -1.0 if j.reversed else 1.0))
                X_PJ = dt.spatial.Pose.identity()
            joint_of[j.outboard], X_W[j.outboard] = parent, (j.X_WJ if parts else X_W[j.inboard])
            I = meant.inertias[j.outboard]
            body = pin.Inertia(I.mass, np.array(I.com), np.array(I.matrix))
            self.model.appendBodyToJoint(parent, body, se3(X_W[j.outboard].inverse() @ meant.bodies[j.outboard]))
        self.data = self.model.createData()

    def parts(self, joint, q, v, backwards):
        """Pinocchio's joints for one of ours in the order of the tree, and which of our coordinates they take."""
        slide = lambda axis, i: ("plain", pin.JointModelPrismaticUnaligned(axis_vector(axis)), [q[i]], [v[i]])  # noqa: E731
        turn = lambda axis, i: ("plain", pin.JointModelRevoluteUnaligned(axis_vector(axis)), [q[i]], [v[i]])  # noqa: E731
        ball = lambda k, j: ("ball", pin.JointModelSpherical(), q[k : k + 4], v[j : j + 3])  # noqa: E731
        native = self.native and not backwards
        match joint.kind:
            case "fixed":
                made = []
            case "revolute":
                made = [turn(joint.axis, 0)]
            case "prismatic":
                made = [slide(joint.axis, 0)]
            case "cylindrical":
                made = [slide(joint.axis, 0), turn(joint.axis, 1)]
            case "screw":
                pitch = joint.lead_per_turn / (2 * np.pi)
                made = [("plain", pin.JointModelHelicalUnaligned(axis_vector(joint.axis), pitch), q, v)]
            case "universal" if native:
                made = [("plain", pin.JointModelUniversal(axis_vector(joint.axis1), axis_vector(joint.axis2)), q, v)]
            case "universal":
                made = [turn(joint.axis1, 0), turn(joint.axis2, 1)]
            case "spherical":
                made = [ball(0, 0)]
            case "translation":
                made = [slide("x", 0), slide("y", 1), slide("z", 2)]
            case "planar":
                n, first = axis_vector(joint.normal), axis_vector(joint.first_axis)
                x = first - (first @ n) * n
                made = [slide(x, 0), slide(np.cross(n, x), 1), turn(n, 2)]
            case "free" if native:
                made = [("free", pin.JointModelFreeFlyer(), q, v)]
            case "free":
                made = [slide("x", 0), slide("y", 1), slide("z", 2), ball(3, 3)]
            case "composite" if native:
                composite, k, j = pin.JointModelComposite(), 0, 0
                for part in joint.parts:
                    for _, made_part, _, _ in self.parts(part, q[k:], v[j:], False):
                        composite.addJoint(made_part, pin.SE3.Identity())
                    k, j = k + part.nq, j + part.nv
                made = [("plain", composite, q, v)]
            case "composite":
                made, k, j = [], 0, 0
                for part in joint.parts:
                    made += self.parts(part, q[k:], v[j:], False)
                    k, j = k + part.nq, j + part.nv
        return made[::-1] if backwards else made

    def state(self, q, v):
        """q in Pinocchio's order, the matrix T, and Tdot v."""
        q_pin, T, drift = np.zeros(self.model.nq), np.zeros((self.model.nv, self.system.nv)), np.zeros(self.model.nv)
        for kind, joint, i, j, sign in self.steps:
            k, m = self.model.joints[joint].idx_q, self.model.joints[joint].idx_v
            if kind == "plain":
                for n in range(len(i)):
                    q_pin[k + n], T[m + n, j[n]] = sign * q[i[n]], sign
                continue
            w, x, y, z = q[i[-4:]]
            R, omega = rotation_of(q[i[-4:]]), j[-3:]
            q_pin[k + len(i) - 4 : k + len(i)] = sign * x, sign * y, sign * z, w
            if kind == "ball":  # backwards, the angular velocity of F in M, in F's axes: -R omega
                T[m : m + 3, omega] = np.eye(3) if sign > 0 else -R
            else:  # free flyer: both parts of the twist in body axes
                q_pin[k : k + 3] = q[i[:3]]
                T[m : m + 3, j[:3]], T[m + 3 : m + 6, omega] = R.T, np.eye(3)
                drift[m : m + 3] = -np.cross(v[omega], R.T @ v[j[:3]])
        return q_pin, T, drift


def disagreement(seed: int) -> np.ndarray:
    """Relative differences of inverse dynamics, mass matrix and forward dynamics, for one random tree."""
    rng = np.random.default_rng(seed)
    meant = random_model(rng, int(rng.integers(1, 41)))
    system = dt.compile(meant.model)
    twin = Twin(meant, system, native=bool(rng.random() < 0.5))
    q, v, a = random_state(rng, system)
    tree, n = system.tree, system.nv
    tau, M, a_back, work = np.zeros(n), np.zeros((n, n)), np.zeros(n), new_workspace(system)
    rnea(tree, work, q, v, a, tau)
    crba(tree, work, q, v, M)
    M = M + np.tril(M, -1).T
    aba(tree, work, q, v, tau, a_back)

    q_pin, T, drift = twin.state(q, v)
    v_pin, a_pin = T @ v, T @ a + drift
    tau_pin = pin.rnea(twin.model, twin.data, q_pin, v_pin, a_pin)
    M_pin = pin.crba(twin.model, twin.data, q_pin)
    M_pin = np.triu(M_pin) + np.triu(M_pin, 1).T
    drive = np.linalg.solve(T.T, tau) if n else np.zeros(0)
    a_from_pin = pin.aba(twin.model, twin.data, q_pin, v_pin, drive)
    return np.array([
        relative(T.T @ tau_pin - tau, tau),
        relative(T.T @ M_pin @ T - M, M),
        relative(a_from_pin - (T @ a_back + drift), a_from_pin),
    ])  # fmt: skip


@pytest.mark.sample(2)
@pytest.mark.parametrize("block", range(10))
def test_500_random_trees_agree_with_pinocchio(block):
    """50 in each block, up to 40 bodies, joints of all types, given in either direction and placed in all ways."""
    seeds = range(50 * block, 50 * block + 50)
    found = np.array([disagreement(seed) for seed in seeds])
    worst = {what: (float(found[:, i].max()), seeds[int(found[:, i].argmax())]) for i, what in enumerate("τMa")}
    assert np.all(found < TOLERANCE), f"worst difference and its seed: {worst}"


def test_derivatives_of_inverse_dynamics_agree_with_pinocchio():
    """All joints forwards and none of Pinocchio's own with other rates, so that T is constant: K = T^T K_pin T."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        meant = random_model(rng, int(rng.integers(1, 21)), reverse=0.0)
        system = dt.compile(meant.model)
        twin = Twin(meant, system, native=False)
        q, v, a = random_state(rng, system)
        tan = allocate_tangent(system.tree, system.closures)
        rnea_derivatives(system.tree, new_workspace(system), tan, q, v, a)
        q_pin, T, _ = twin.state(q, v)
        theirs = pin.computeRNEADerivatives(twin.model, twin.data, q_pin, T @ v, T @ a)
        for found, expected in zip((tan.K, tan.C, tan.M), theirs, strict=True):
            there = T.T @ expected @ T
            # a matrix that is zero but for round-off (Coriolis forces on a single hinge) is compared with M
            scale = np.maximum(np.abs(there).max(initial=0), 1e-3 * np.abs(tan.M).max(initial=0))
            assert relative(found - there, scale) < TOLERANCE, seed
