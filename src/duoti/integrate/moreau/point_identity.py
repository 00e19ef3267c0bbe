"""Points of contact that keep their memory when the polygon changes in which two shapes touch.

The corners of such a polygon are numbered along its outline: when one comes or goes, numbers of others change. What is
known of a point (whether it sticks, its velocity) belongs to a corner of a body on a face of the other, or
to two edges that cross: features. A corner stays where it is on its own body, and the crossing of two edges moves
little on both. So a point is the one of the last step that is nearest to it, on either of the two bodies; nearest
pairs of points first, each point once. What is far from all of them is new.

So features need no names, which would differ between algorithms, and be lost where the face changes that others are
cut off at.

Impulses of the last step, from which the iterations of a step begin, stay with the numbers: in ten walls of bricks,
9 of 8 000 steps were not solved when they went with the points, and none when they did not. They do not change what is
solved for.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.contact.collide.pair_list import UNKNOWN
from duoti.contact.event_driven.contact_states import OPEN
from duoti.kernel import helper, part
from duoti.model.pairs.base import HUGE
from duoti.spatial.algebra import dot, get3, get_pose, mulT, put3, sub

SAME = 1e-3  # part of the size of the smaller shape that a point moves by with the number that it had, at most
NEAREST = 0.2  # the same of a point that has another number
TAKEN = 1e300
REALS = 15  # of a slot: velocity, point and normal, places on both shapes


class PointScratch(NamedTuple):
    """Arrays for the points of one pair."""

    distance: Any  # [points, points] of new ones to those before
    source: Any  # [points] number that a point had
    reals: Any  # [points, 15]
    integers: Any  # [points, 2]


def new_point_scratch(most: int) -> PointScratch:
    """Zeros."""
    return PointScratch(
        np.zeros((most, most)), np.zeros(most, np.int64), np.zeros((most, REALS)), np.zeros((most, 2), np.int64)
    )


@helper
def put_place(contacts, cw, memory, s):
    """Keep where the point of a slot is on the two shapes."""
    pair, p = contacts.slot_pair[s], get3(cw.point, s, 0)
    for side in range(2):
        R, origin = get_pose(cw.X_WS, contacts.pair_shapes[pair, side])
        put3(memory.place, s, 3 * side, mulT(R, sub(p, origin)))


@helper
def _apart(contacts, cw, memory, pair, s, before):
    """How far the point of slot s is from that of another slot in the last step: on the shape where this is less."""
    p, least = get3(cw.point, s, 0), TAKEN
    for side in range(2):
        R, origin = get_pose(cw.X_WS, contacts.pair_shapes[pair, side])
        d = sub(mulT(R, sub(p, origin)), get3(memory.place, before, 3 * side))
        least = min(least, dot(d, d))
    return least**0.5


@helper
def _size(contacts, pair):
    """Reach of the smaller shape [m]."""
    a, b = contacts.reach[contacts.pair_shapes[pair, 0]], contacts.reach[contacts.pair_shapes[pair, 1]]
    return min(a, b) if min(a, b) < HUGE else 1.0


@part
def follow_points(contacts, cw, memory, step):
    """The memory of points goes to the slots where they are now. Needs `find_points`."""
    i, near = 0, cw.counts[0].near
    while i < near:
        pair, j = contacts.slot_pair[cw.near[i]], i + 1
        while j < near and contacts.slot_pair[cw.near[j]] == pair:
            j += 1
        if contacts.polygon[contacts.pair_kind[pair]] == 1:
            _follow(contacts, cw, memory, pair, i, j, step)
        i = j


@part
def _follow(contacts, cw, memory, pair, begin, end, step):
    """The same for one pair, the near points of which are begin .. end - 1."""
    first, last, size = contacts.first[pair], contacts.first[pair + 1], _size(contacts, pair)
    same, known = True, 0
    for s in range(first, last):
        known += 1 if memory.step[s] == step - 1 else 0
    for i in range(begin, end):
        s = cw.near[i]
        same = same and memory.step[s] == step - 1 and _apart(contacts, cw, memory, pair, s, s) <= SAME * size
    if known == 0 or same:
        return
    _match(contacts, cw, memory, pair, begin, end, step, NEAREST * size)
    _keep(memory, first, last)
    scratch = memory.scratch
    for i in range(begin, end):
        s = cw.near[i]
        _put(memory, s, scratch.source[s - first], scratch.integers[s - first, 1] == step - 1, step)


@part
def _match(contacts, cw, memory, pair, begin, end, step, most):
    """scratch.source: which point of the last step each near point is, -1: none."""
    first, last, scratch = contacts.first[pair], contacts.first[pair + 1], memory.scratch
    for i in range(begin, end):
        s = cw.near[i]
        scratch.source[s - first] = -1
        for k in range(first, last):
            known = memory.step[k] == step - 1
            scratch.distance[s - first, k - first] = _apart(contacts, cw, memory, pair, s, k) if known else TAKEN
    for _ in range(begin, end):
        best, found, before = most, -1, -1
        for i in range(begin, end):
            row = cw.near[i] - first
            for k in range(last - first):
                if scratch.distance[row, k] < best:
                    best, found, before = scratch.distance[row, k], row, k
        if found < 0:
            return
        scratch.source[found] = before
        for k in range(last - first):
            scratch.distance[found, k] = TAKEN
        for i in range(begin, end):
            scratch.distance[cw.near[i] - first, before] = TAKEN


@helper
def _keep(memory, first, last):
    """A copy of the memory of slots."""
    scratch = memory.scratch
    for s in range(first, last):
        row = scratch.reals[s - first]
        for k in range(9):
            row[k] = memory.seen[s, k]
        for k in range(6):
            row[9 + k] = memory.place[s, k]
        scratch.integers[s - first, 0], scratch.integers[s - first, 1] = memory.state[s], memory.step[s]


@helper
def _put(memory, s, number, was_known, step):
    """The memory of slot s from that copy; a new point is open. Impulses stay, if this number had any."""
    if number < 0:
        memory.state[s] = OPEN
        return
    row = memory.scratch.reals[number]
    for k in range(9):
        memory.seen[s, k] = row[k]
    for k in range(6):
        memory.place[s, k] = row[9 + k]
    memory.state[s], memory.step[s] = memory.scratch.integers[number, 0], step - 1
    if not was_known:
        for k in range(3):
            memory.impulse[s, k] = 0.0
        for k in range(6):
            memory.beside[s, k] = 0.0


@part
def keep_points(cw, memory):
    """A copy of what is known of the points that are near: a step that is taken again must find it as it was."""
    memory.prior_count[0], memory.prior_count[1] = cw.counts[0].near, cw.look[0].renewals
    for i in range(cw.counts[0].near):
        s, row = cw.near[i], memory.prior[i]
        memory.prior_slot[i] = s
        for k in range(9):
            row[k] = memory.seen[s, k]
        for k in range(6):
            row[9 + k], row[15 + k] = memory.place[s, k], memory.beside[s, k]
        for k in range(3):
            row[21 + k] = memory.impulse[s, k]
        row[24], row[25] = 1.0 * memory.state[s], 1.0 * memory.step[s]


@part
def restore_points(cw, memory, step):
    """What a step has written about points is as it was before; unknown, if the list of near pairs is another one."""
    if cw.look[0].renewals > memory.prior_count[1]:
        forget_points(memory, step)
        return
    for i in range(memory.prior_count[0]):
        s, row = memory.prior_slot[i], memory.prior[i]
        for k in range(9):
            memory.seen[s, k] = row[k]
        for k in range(6):
            memory.place[s, k], memory.beside[s, k] = row[9 + k], row[15 + k]
        for k in range(3):
            memory.impulse[s, k] = row[21 + k]
        memory.state[s], memory.step[s] = int(row[24]), int(row[25])


@part
def forget_points(memory, step):
    """Points of a step that is taken again are not known: they would be, with its velocities, in the step after it."""
    for s in range(memory.step.shape[0]):
        if memory.step[s] == step:
            memory.step[s] = UNKNOWN
