"""Coordinates of a joint from the motion of the frames that it joins."""

from __future__ import annotations

import numpy as np

from duoti.model.joints import Joint
from duoti.results.evaluate.observe import FRAMES, observe
from duoti.spatial import Rotation
from duoti.system.arrays import Reals
from duoti.system.system import System


def relative_state(joint: Joint, parent: Reals, child: Reals) -> tuple[Reals, Reals]:
    """Coordinates and velocities of a simple joint over time; angles change by less than half a turn from row to row.

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
    return q, joint.relative_velocities(q, omega, velocity)


SURE = 0.7  # rad; about a tenth of a turn
STRIDE = 0.4  # largest change of an angle of the tree from one row to the next where turns are counted [rad]


def cut_joint_state(system: System, name: str, t: Reals, y: Reals) -> tuple[Reals, Reals]:
    """Coordinates and velocities of a cut joint over time, whole turns between the rows counted.

    The angles of the tree count their turns, and that of the cut joint is a continuous function of them: so it is
    followed along a straight way from row to row. Where bodies have quaternions, which do not count turns, the rates
    tell how far it went (trapezoidal rule, right if they change little from row to row).
    """
    joint, layout = system.model.joints[name].joint, system.joints[name]
    turning = any(c.unit == "rad" for c in joint.coordinates)
    rows, kept = np.asarray(y), np.arange(len(t))
    if turning and len(t) > 1 and not len(system.tree.quat_q):
        farthest = np.max(np.abs(np.diff(rows[:, : system.nq], axis=0)), axis=1, initial=0.0)
        parts = np.maximum(1, np.ceil(farthest / STRIDE)).astype(int)
        kept = np.concatenate([[0], np.cumsum(parts)])
        at = np.interp(np.arange(kept[-1] + 1), kept, np.arange(len(t)))
        low = np.minimum(at.astype(int), len(t) - 2)
        rows = rows[low] + (at - low)[:, None] * (rows[low + 1] - rows[low])
    frames = observe(
        system, np.interp(np.arange(len(rows)), kept, t), rows, FRAMES, [layout.parent_marker, layout.child_marker]
    ).frames
    q, v = relative_state(joint, frames[:, 0], frames[:, 1])
    q, v = q[kept], v[kept]
    return (with_turns(joint, t, q, v) if turning and len(system.tree.quat_q) else q), v


def with_turns(joint: Joint, t: Reals, q: Reals, v: Reals) -> Reals:
    """Angles that are known up to whole turns, continued by the angles that the rates sweep from row to row.

    Only where the rates are to be trusted: where they change so much between two rows that they tell nothing (a fast
    oscillation between rare outputs), the angle takes the shortest way.
    """
    q, k, j = q.copy(), 0, 0
    for c in joint.coordinates:
        if c.unit == "rad":
            x, rate = q[:, k : k + c.nq], v[:, j : j + c.nv]
            swept = 0.5 * np.diff(t)[:, None] * (rate[1:] + rate[:-1])
            step = np.diff(x, axis=0)
            shortest = np.round(-step / (2.0 * np.pi))
            turns = np.round((swept - step) / (2.0 * np.pi))
            unsure = 0.5 * np.diff(t)[:, None] * np.abs(np.diff(rate, axis=0))
            off = np.abs(swept - step - 2.0 * np.pi * turns)
            turns = np.where((unsure < SURE) & (off < SURE), turns, shortest)
            x[1:] += 2.0 * np.pi * np.cumsum(turns, axis=0)
        k, j = k + c.nq, j + c.nv
    return q


def moved_frame(frame: Reals, X_BF: Reals, R_BF: Rotation) -> Reals:
    """Rows of 18 numbers of a frame fixed in another at the point X_BF, turned by R_BF."""
    R = frame[:, :9].reshape(-1, 3, 3)
    arm = R @ X_BF
    out = frame.copy()
    out[:, :9] = (R @ R_BF.matrix).reshape(-1, 9)
    out[:, 9:12] += arm
    out[:, 15:18] += np.cross(frame[:, 12:15], arm)
    return out
