"""The same MJCF file in MuJoCo and here, in the same state.

q = qpos - ref for hinges and slides; quaternions of balls are the same; a free body's coordinates count from its place
in the file, its angular velocity is in axes parallel to the world's there, in MuJoCo in its own. Hence v_mujoco = T v
with a constant T, M = T^T M_mujoco T and tau = T^T tau_mujoco.
"""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np

import duoti as dt
from duoti.formats.mjcf import load_mjcf
from support.of_the_tree import inverse_dynamics

FREE, BALL = int(mujoco.mjtJoint.mjJNT_FREE), int(mujoco.mjtJoint.mjJNT_BALL)


def matrix(quaternion) -> np.ndarray:
    return np.array(dt.Rotation(np.asarray(quaternion) / np.linalg.norm(quaternion)).matrix)


class Twin:
    """A file loaded twice."""

    def __init__(self, path: Path):
        self.theirs = mujoco.MjModel.from_xml_path(str(path))
        self.data = mujoco.MjData(self.theirs)
        self.ours = load_mjcf(path)
        self.system = dt.compile(self.ours)
        self.names = [name or None for name in (self.theirs.joint(i).name for i in range(self.theirs.njnt))]
        given = list(self.ours.joints)
        moving = [name for name in given if self.ours.joints[name].nv]
        assert len(moving) == self.theirs.njnt, "a joint got lost"
        self.pairs = list(zip(range(self.theirs.njnt), moving, strict=True))  # both in the order of the file
        assert all(theirs is None or theirs == ours for theirs, (_, ours) in zip(self.names, self.pairs, strict=True))

    def random_state(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """qpos and qvel."""
        qpos, qvel = rng.uniform(-1.5, 1.5, self.theirs.nq), rng.normal(size=self.theirs.nv)
        for i, _ in self.pairs:
            k, kind = self.theirs.jnt_qposadr[i], self.theirs.jnt_type[i]
            if kind in (FREE, BALL):
                k += 3 if kind == FREE else 0
                qpos[k : k + 4] /= np.linalg.norm(qpos[k : k + 4])
        return qpos, qvel

    def state(self, qpos: np.ndarray, qvel: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Our q and v, and T."""
        m, nv = self.theirs, self.system.nv
        q, T = np.zeros(self.system.nq), np.zeros((m.nv, nv))
        for i, name in self.pairs:
            place, k, j = self.system.joints[name], m.jnt_qposadr[i], m.jnt_dofadr[i]
            if m.jnt_type[i] == FREE:
                R_0 = matrix(m.qpos0[k + 3 : k + 7])
                q[place.q[:3]] = qpos[k : k + 3] - m.qpos0[k : k + 3]
                turned = matrix(qpos[k + 3 : k + 7]) @ R_0.T
                q[place.q[3:]] = dt.Rotation.from_matrix(turned).quaternion
                T[j : j + 3, place.v[:3]], T[j + 3 : j + 6, place.v[3:]] = np.eye(3), R_0.T
            elif m.jnt_type[i] == BALL:
                q[place.q], T[j : j + 3, place.v] = qpos[k : k + 4], np.eye(3)
            else:
                q[place.q[0]], T[j, place.v[0]] = qpos[k] - m.qpos0[k], 1.0
        return q, np.linalg.solve(T, qvel) if nv else np.zeros(0), T

    def forward(self, qpos: np.ndarray, qvel: np.ndarray) -> None:
        """MuJoCo's position, velocity and force stages."""
        self.data.qpos[:], self.data.qvel[:] = qpos, qvel
        mujoco.mj_forward(self.theirs, self.data)

    def mass_matrix(self) -> np.ndarray:
        M, n = np.zeros((self.theirs.nv,) * 2), self.theirs.nv
        for i in range(n):
            column = np.zeros(n)
            mujoco.mj_mulM(self.theirs, self.data, column, np.eye(n)[i])
            M[:, i] = column
        return M

    def disagreement(self, rng: np.random.Generator) -> dict[str, float]:
        """Relative differences in a random state: mass matrix, bias, spring, damper and motor forces."""
        qpos, qvel = self.random_state(rng)
        q, v, T = self.state(qpos, qvel)
        self.forward(qpos, qvel)
        z = np.zeros(self.system.nz)
        M = dt.mass_matrix(self.system, q)
        forces = dt.analyses.generalised_forces(self.system, q, v, z=z)
        bias = inverse_dynamics(self.system, q, v, np.zeros(self.system.nv), z=z) + forces
        return {
            "mass": relative(T.T @ self.mass_matrix() @ T - M, M),
            "bias": relative(T.T @ self.data.qfrc_bias - bias, bias),
            "forces": relative(T.T @ (self.data.qfrc_passive + self.data.qfrc_actuator) - forces, forces),
        }


def relative(difference: np.ndarray, size: np.ndarray) -> float:
    """Norm of the difference by that of the larger, or absolutely if all is small."""
    if not difference.size:
        return 0.0
    return float(np.linalg.norm(difference) / max(np.linalg.norm(size), 1e-3))
