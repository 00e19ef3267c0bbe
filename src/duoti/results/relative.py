"""Coordinates of a joint from the motion of the frames that it joins."""

from __future__ import annotations

import numpy as np

from duoti.model.joints import Joint
from duoti.spatial import Rotation
from duoti.system.arrays import Reals


def relative_state(joint: Joint, parent: Reals, child: Reals) -> tuple[Reals, Reals]:
    """Coordinates and rates of a simple joint over time.

    parent, child: its frames on parent and child as `observe` gives them, in rows of 18 numbers (rotation matrix,
    position, angular velocity, velocity, in world axes).
    """
    R_law = joint.frame().matrix
    R_F, R_M = parent[:, :9].reshape(-1, 3, 3) @ R_law, child[:, :9].reshape(-1, 3, 3) @ R_law
    p_F, w_F, v_F = parent[:, 9:12], parent[:, 12:15], parent[:, 15:18]
    p_M, w_M, v_M = child[:, 9:12], child[:, 12:15], child[:, 15:18]
    q = joint.relative_coordinates(np.einsum("nji,njk->nik", R_F, R_M), np.einsum("nji,nj->ni", R_F, p_M - p_F))
    omega = np.einsum("nji,nj->ni", R_M, w_M - w_F)
    velocity = np.einsum("nji,nj->ni", R_F, v_M - v_F - np.cross(w_F, p_M - p_F))
    return q, joint.relative_rates(q, omega, velocity)


def moved_frame(frame: Reals, X_BF: Reals, R_BF: Rotation) -> Reals:
    """Rows of 18 numbers of a frame fixed in another at the point X_BF, turned by R_BF."""
    R = frame[:, :9].reshape(-1, 3, 3)
    arm = R @ X_BF
    out = frame.copy()
    out[:, :9] = (R @ R_BF.matrix).reshape(-1, 9)
    out[:, 9:12] += arm
    out[:, 15:18] += np.cross(frame[:, 12:15], arm)
    return out
