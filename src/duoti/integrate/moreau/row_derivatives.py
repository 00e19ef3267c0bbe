"""Gaps and rows of points of contact with their derivatives by displacements of the coordinates.

With the fourth-order differences of gaps and rows J along each displacement x,

    dJ/dx = (8 (J(d) - J(-d)) - (J(2 d) - J(-2 d))) / (12 d)                                                   (1)

The derivative of a gap is its normal row; differences of it say whether a point is the same one a little further.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from duoti.contact.build import ContactSet
from duoti.contact.collide.arrays import CONTACT_CONTEXT
from duoti.contact.collide.geometry import ONE_NORMAL, angular_rows, dof_of, find_points, row_lengths, slot_rows
from duoti.contact.workspace import new_contact_workspace
from duoti.dynamics.tree.kinematics import joint_sweep, unit_quaternions, velocities, world_poses
from duoti.dynamics.workspace import new_workspace
from duoti.integrate.chart import retract
from duoti.kernel import cold_kernel, helper, part, unpack
from duoti.model.pairs.base import FAR
from duoti.spatial.algebra import dot, get3, put3, scale, sub
from duoti.system.arrays import Ints, Reals
from duoti.system.context import REAL_CONTEXT
from duoti.system.system import System

STEP = 1e-5  # [rad or m] of the differences: round-off and the fifth derivatives leave 1e-11 at radii of 1 cm
JUMPS = 1e-3  # part of the change of a gap by which it may differ from that by the normal row
LONGEST_WAY = 1e-3  # m that a point may go on by these displacements
AXES = 6  # rows of a point: of its velocity along n, t1, t2, and of the angular velocity about them


@helper
def _away(cw, s, points, i):
    """Square of the distance of the point of a slot from where that of place i was."""
    x, y, z = cw.point[s, 0] - points[12 * i], cw.point[s, 1] - points[12 * i + 1], cw.point[s, 2] - points[12 * i + 2]
    return x * x + y * y + z * z


@part
def _same_point(contacts, cw, slot, points, i):
    """Where the point of a slot is now: corners of polygons may change their numbers."""
    if cw.gap[slot] < FAR and _away(cw, slot, points, i) <= LONGEST_WAY * LONGEST_WAY:
        return slot
    pair, found, least = contacts.slot_pair[slot], slot, 1e300
    for s in range(contacts.first[pair], contacts.first[pair + 1]):
        away = _away(cw, s, points, i) if cw.gap[s] < FAR else 1e300
        if away < least:
            found, least = s, away
    return found


@part
def _levels_with(contacts, cw, slot, margin):
    """The point of the pair that decides about the height of this one (`level_points`), -1: none."""
    pair, best = contacts.slot_pair[slot], slot
    for s in range(contacts.first[pair], contacts.first[pair + 1]):
        if cw.gap[s] <= margin and abs(cw.gap[s]) < abs(cw.gap[best]):
            best = s
    n = get3(cw.frame, best, 0)
    apart, higher = sub(get3(cw.frame, slot, 0), n), dot(n, sub(get3(cw.point, slot, 0), get3(cw.point, best, 0)))
    level = dot(apart, apart) <= ONE_NORMAL**2 and abs(higher) <= abs(cw.gap[slot]) + abs(cw.gap[best])
    return best if level and best != slot else -1


@helper
def _level(cw, s, best):
    """Bring the point of s to the height of that of `best`."""
    n = get3(cw.frame, best, 0)
    higher = dot(n, sub(get3(cw.point, s, 0), get3(cw.point, best, 0)))
    put3(cw.point, s, 0, sub(get3(cw.point, s, 0), scale(higher, n)))


@cold_kernel("i i d1 d1 d1 d1 d d l1 l2 d2 d2 d2 d1 d3")
def _rows_around(context, address, q, still, x, moved, size, margin, slots, places, rows, gaps, slopes, points, out):
    """out[k * slots + i]: rows of a slot for k = 0, and by (1) their derivatives by displacement k - 1.

    gaps, slopes: [..., slots] likewise; size 0: only the rows themselves; margin: gaps of points that a step looks at;
    points: of the slots, [slots * 12]. places:
    [2, slots] where the points are now, and which points decide about their heights.
    """
    tree, _, _, w = unpack(context, REAL_CONTEXT)
    contacts, cw = unpack(address, CONTACT_CONTEXT)
    count = slots.shape[0]
    for n in range(1 + (4 * tree.nv if size > 0.0 else 0)):
        k = (n - 1) // 4
        far = 0.0
        if n > 0:
            which = (n - 1) % 4
            far = (which + 1.0 if which < 2 else 1.0 - which) * size  # 1, 2, -1, -2
            x[k] = far
        retract(tree, q, x, moved)
        unit_quaternions(tree, moved)
        if n > 0:
            x[k] = 0.0
        joint_sweep(tree, w, moved, still)
        velocities(tree, w, still)
        world_poses(tree, w)
        find_points(contacts, cw, w, 1e300)
        weight = 0.0
        if n > 0:
            weight = (8.0 if abs(far) < 1.5 * size else -1.0) / (12.0 * size)
            if far < 0.0:
                weight = -weight
        for i in range(count):
            s = slots[i]
            if n == 0:
                places[0, i], places[1, i] = s, _levels_with(contacts, cw, s, margin)
                for r in range(3):
                    points[12 * i + r] = cw.point[s, r]
            else:
                s = _same_point(contacts, cw, s, points, i)
                places[0, i] = s
        for i in range(count):  # the point that decides stays the same one
            if places[1, i] >= 0:
                _level(cw, places[0, i], places[1, i])
        for i in range(count):
            s = places[0, i]
            if n == 0:
                gaps[0, i] = cw.gap[s]
                for r in range(9):
                    points[12 * i + 3 + r] = cw.frame[s, r]
            else:
                slopes[k, i] += weight * cw.gap[s]
            slot_rows(tree, contacts, cw, w, s, rows, 0)
            angular_rows(tree, contacts, cw, w, s, rows, 3)
            t_a, n_a, t_b, n_b = row_lengths(contacts, s)
            at, factor = i if n == 0 else (k + 1) * count + i, 1.0 if n == 0 else weight
            for r in range(6):
                for j in range(n_a + n_b):
                    out[at, r, dof_of(contacts, t_a, n_a, t_b, j)] += factor * rows[r, j]


class RowsAround(NamedTuple):
    """Points of contact in a state."""

    gap: Reals
    """[slots]"""
    J: Reals
    """[slots, 6, nv] rows of velocity along n, t1, t2, and of angular velocity about them"""
    slope: Reals
    """[slots, 6, nv, displacements]"""
    point: Reals
    """[slots, 3]"""
    frame: Reals
    """[slots, 9]"""
    jumps: Reals
    """[slots] how far derivatives of the gap are from its normal row, as part of it; 0 without derivatives"""


class ContactRows:
    """Points of contact of a system, evaluated at will; owns a workspace."""

    def __init__(self, system: System, of: ContactSet):
        self.nv = system.nv
        self._work = new_workspace(system, ydot=True)
        self._contact = new_contact_workspace(of)
        self._gravity = max(float(np.linalg.norm(system.tree.gravity)), 1.0)
        self._still, self._x, self._moved = np.zeros(system.nv), np.zeros(system.nv), np.zeros(system.nq)
        self._rows = np.zeros((AXES, max(1, of.contacts.width)))

    def __call__(self, q: Reals, slots: Ints, h: float, derivatives: bool = True) -> RowsAround:
        """Points in the middle of a step h [s]."""
        nv, count = self.nv, len(slots)
        levels = nv if derivatives else 0
        gaps, slopes = np.zeros((1, count)), np.zeros((max(levels, 1), count))
        out, points = np.zeros(((1 + levels) * count, AXES, nv)), np.zeros(12 * count)
        _rows_around(
            self._work.at[0].system, self._contact.address, np.ascontiguousarray(q, dtype=float), self._still, self._x,
            self._moved, STEP if derivatives else 0.0, 4.0 * h * h * self._gravity + 1e-9, np.asarray(slots, np.int64),
            np.zeros((2, count), np.int64), self._rows, gaps, slopes, points,
            out,
        )  # fmt: skip
        J = out[:count]
        dJ = np.moveaxis(out[count:].reshape(levels, count, AXES, nv), 0, -1)
        jumps = np.zeros(count)
        if derivatives:
            size = np.linalg.norm(J[:, 0], axis=1)
            apart = np.linalg.norm(slopes.T - J[:, 0], axis=1)
            jumps = apart / np.where(size > 0.0, size, 1.0)
        at = points.reshape(count, 12)
        return RowsAround(gaps[0], J, dJ, at[:, :3], at[:, 3:], jumps)
