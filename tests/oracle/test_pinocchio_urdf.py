"""URDF files in Pinocchio and here: inverse dynamics and mass matrix in random states.

Tolerance 1e-9, the promise. Pinocchio orders joints by its own rule; they are matched by name. Its free flyer has both
parts of the twist in body axes, its planar joint the velocity likewise and the angle as (cos, sin).
"""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.examples.robots import robots
from duoti.formats.urdf.load import load_urdf

pin = pytest.importorskip("pinocchio")
from support.of_the_tree import inverse_dynamics  # noqa: E402

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore::duoti.errors.LeftOutWarning")]
TOLERANCE = 1e-9
ROBOTS = {name: path for name, path in robots().items() if path.suffix == ".urdf"}

INERTIA = '<inertia ixx="0.12" ixy="0.01" ixz="-0.02" iyy="0.13" iyz="0.005" izz="0.1"/>'
BLOCK = f'<inertial><origin xyz="0.1 0.05 -0.02" rpy="0.3 -0.2 0.1"/><mass value="1.7"/>{INERTIA}</inertial>'


def link(name: str, inside: str = BLOCK) -> str:
    return f'<link name="{name}">{inside}</link>'


def joint(name: str, kind: str, parent: str, child: str, axis: str = "", more: str = "") -> str:
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="0.1 -0.2 0.3" rpy="0.4 0.5 -0.6"/>{f"""<axis xyz="{axis}"/>""" if axis else ""}{more}</joint>'
    )


LIMIT = '<limit lower="-1" upper="1" effort="10" velocity="5"/>'
TREES = {
    "all kinds of joints": "".join([
        *(link(n) for n in ("base", "a", "b", "c", "d", "e", "f")),
        joint("j1", "revolute", "base", "a", "1 2 3", LIMIT),
        joint("j2", "prismatic", "a", "b", "0 1 1", LIMIT), joint("j3", "continuous", "b", "c"),
        joint("j4", "planar", "c", "d", "0 0 1"), joint("j5", "floating", "a", "e"), joint("j6", "fixed", "e", "f"),
    ]),
    "massless links everywhere": "".join([
        *(link(n, "") for n in ("world", "dummy", "between", "tool", "tip")), *(link(n) for n in ("base", "a", "b")),
        joint("j0", "fixed", "world", "dummy"), joint("j1", "fixed", "dummy", "base"),
        joint("j2", "continuous", "base", "between", "0 1 0"), joint("j3", "continuous", "between", "a", "1 0 0"),
        joint("j4", "fixed", "a", "tool"), joint("j5", "continuous", "tool", "b", "0 0 -1"),
        joint("j6", "fixed", "b", "tip"),
    ]),
}  # fmt: skip


class Twin:
    def __init__(self, path, base="fixed"):
        if base == "floating":
            self.model = pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer(), "floating_base")
        else:
            self.model = pin.buildModelFromUrdf(str(path))
        self.data = self.model.createData()
        self.ours = load_urdf(path, base=base)
        self.system = dt.compile(self.ours)
        self.joints = [(self.model.joints[i], name) for i, name in enumerate(self.model.names) if i]
        assert {name for _, name in self.joints} == {n for n, j in self.ours.joints.items() if j.nv}

    def state(self, rng):
        """A random state: (q, v, a) for both; v_pin = T v and a_pin = T a + drift."""
        s = self.system
        q, v, a = np.zeros(s.nq), rng.normal(size=s.nv), rng.normal(size=s.nv)
        q_pin, T, drift = np.zeros(self.model.nq), np.zeros((self.model.nv, s.nv)), np.zeros(self.model.nv)
        for joint, name in self.joints:
            place, k, j = s.joints[name], joint.idx_q, joint.idx_v
            if place.v.size == 6:
                q[place.q] = [*rng.normal(size=3), *(x := rng.normal(size=4)) / np.linalg.norm(x)]
                w, x, y, z = q[place.q[3:]]
                R = np.array(dt.Rotation((w, x, y, z)).matrix)
                q_pin[k : k + 7] = [*q[place.q[:3]], x, y, z, w]
                T[j : j + 3, place.v[:3]], T[j + 3 : j + 6, place.v[3:]] = R.T, np.eye(3)
                drift[j : j + 3] = -np.cross(v[place.v[3:]], R.T @ v[place.v[:3]])
            elif place.v.size == 3:
                q[place.q] = rng.normal(size=3)
                angle, spin = q[place.q[2]], v[place.v[2]]
                c, s_ = np.cos(angle), np.sin(angle)
                q_pin[k : k + 4] = [*q[place.q[:2]], c, s_]
                R = np.array([[c, s_], [-s_, c]])
                T[j : j + 2, place.v[:2]], T[j + 2, place.v[2]] = R, 1.0
                drift[j : j + 2] = spin * np.array([[-s_, c], [-c, -s_]]) @ v[place.v[:2]]
            else:
                q[place.q] = rng.normal(size=1)
                T[j, place.v[0]] = 1.0
                q_pin[k : k + joint.nq] = (
                    q[place.q] if joint.nq == 1 else [np.cos(q[place.q[0]]), np.sin(q[place.q[0]])]
                )
        return q, v, a, q_pin, T, drift

    def disagreement(self, rng):
        q, v, a, q_pin, T, drift = self.state(rng)
        forces = dt.analyses.generalised_forces(self.system, q, v)
        tau = inverse_dynamics(self.system, q, v, a) + forces
        tau_pin = pin.rnea(self.model, self.data, q_pin, T @ v, T @ a + drift)
        M = dt.mass_matrix(self.system, q)
        M_pin = pin.crba(self.model, self.data, q_pin)
        M_pin = np.triu(M_pin) + np.triu(M_pin, 1).T
        damping = np.array([float(x) for x in getattr(self.model, "damping", np.zeros(self.model.nv))])
        return {
            "tau": np.linalg.norm(T.T @ tau_pin - tau) / np.linalg.norm(tau),
            "mass": np.linalg.norm(T.T @ M_pin @ T - M) / np.linalg.norm(M),
            "damping": np.linalg.norm(forces + T.T @ (damping * (T @ v))) / max(np.linalg.norm(forces), 1.0),
        }


def assert_agrees(twin):
    rng = np.random.default_rng(3)
    for _ in range(5):
        found = twin.disagreement(rng)
        assert max(found.values()) < TOLERANCE, found


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("name", TREES)
def test_trees(tmp_path, name, base):
    path = tmp_path / "robot.urdf"
    path.write_text(f'<robot name="r">{TREES[name]}</robot>')
    if base == "floating" and "massless" in name:
        return  # Pinocchio and we both take the massless root as the free body: nothing to compare
    assert_agrees(Twin(path, base))


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("name", ROBOTS)
def test_robots(name, base):
    assert_agrees(Twin(ROBOTS[name], base))


def test_mimic_joints_move_as_in_pinocchio():
    """With G the Jacobian of the reduced coordinates: G^T M G and the accelerations of the constrained tree."""
    path = ROBOTS["courier"]
    model = pin.buildModelFromUrdf(str(path), mimic=True)
    data = model.createData()
    system = dt.compile(load_urdf(path))
    rng = np.random.default_rng(5)
    q_pin, v_pin = pin.randomConfiguration(model, -np.ones(model.nq), np.ones(model.nq)), rng.normal(size=model.nv)
    M = pin.crba(model, data, q_pin)
    M = np.triu(M) + np.triu(M, 1).T
    forces = np.zeros(model.nv)
    q, v = np.zeros(system.nq), np.zeros(system.nv)
    places = []
    for i, name in enumerate(model.names[1:], 1):
        joint, place = model.joints[i], system.joints[name]
        k = joint.idx_q
        q[place.q] = np.arctan2(q_pin[k + 1], q_pin[k]) if joint.nq == 2 else q_pin[k]
        v[place.v] = v_pin[joint.idx_v]
        places.append((joint.idx_v, int(place.v[0])))
    forces = dt.analyses.generalised_forces(system, q, v)
    reduced = np.zeros(model.nv)
    for j, i in places:
        reduced[j] += forces[i]
    a = np.linalg.solve(M, reduced - pin.rnea(model, data, q_pin, v_pin, np.zeros(model.nv)))
    ours = dt.accelerations(system, q, v)
    assert all(abs(ours[i] - a[j]) < 1e-9 * np.linalg.norm(a) for j, i in places)
