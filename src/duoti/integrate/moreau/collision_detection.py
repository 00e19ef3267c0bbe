"""Whether bodies pass each other within a step of time stepping, or within a part of it: looks along its motion.

Two convex bodies whose points are a gap g apart along a normal n overlap after a time t by at most

    closing t - g,    closing = -n . (v_b - v_a) + what their turning adds                                     (1)

so that a look may go on by the time in which they could come to the depth that it looks for, and no further
(conservative advancement, Mirtich 1996). Bodies that is not convex have no such normal: all of their speed may close
gaps.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from duoti.contact.collide.arrays import Contacts
from duoti.contact.collide.geometry import distance_at_least, shape_poses, shape_velocities
from duoti.dynamics.tree.kinematics import poses_and_velocities, unit_quaternions
from duoti.integrate.chart import retract
from duoti.kernel import call_entry, helper, part, record_dtype
from duoti.model.pairs.base import FAR, axis_of
from duoti.model.pairs.supports import BALL, CAPSULE, CYLINDER, DISC
from duoti.spatial.algebra import add, cross, dot, get3, get9, sub

FRACTION = 1.0 / 6.0  # of the thickness: a depth that bodies may come to in a step without a look at when they met
TURNS = 0.5  # part of that depth: the normal turns by more on a longer way past each other
UNSEEN = 0.25  # part of that depth: what bodies without points that face each other move between two looks
MET = 0.02  # part of that depth: they have met
HALVINGS = 12  # of the time in which they meet
LOST = 0.45  # of the thickness: nearly half of it, where the way out may lead to the other side
MOST_EVALUATIONS = 400  # at a pair, in a step
NEVER = 1e300
TINY = 1e-12  # m/s

DETECTION = record_dtype(
    "CollisionDetection",
    least=float,  # the smallest thickness [m]
    cut=int,  # steps that were cut
    pieces=int,  # that they were cut into
    passed=int,  # pieces in which bodies may have passed each other
    shape_a=int,  # of the first of these,
    shape_b=int,
    element=int,
    thickness=float,  # [m] of both,
    time=float,  # when [s],
    speed=float,  # and how fast [m/s]
    fastest=float,  # speed of a point of a shape in the state `Watch.end` [m/s], at most
    full=int,  # 1 if impacts have to be taken out before a step can be cut
    found=int,  # pair that a look found,
    closing=float,  # how fast it moves there [m/s],
    after=float,  # and how long after they meet bodies are too deep in each other [s]
)


class CollisionDetection(NamedTuple):
    """Pairs that could pass each other, and scratch."""

    step: int  # address of the entry that takes a step
    contact: int  # address of a context of contacts of its own
    only: Any  # [1] the pair that its entries look at
    deep: Any  # [pairs] 1: overlap at the start of the run by more than they may
    counts: Any  # [1] of type WATCH
    turning: Any  # [shapes, 2] speeds that turning gives to the furthest points, and angular speed
    x: Any  # [nv] displacement
    y: Any  # [ny] state somewhere in the step
    begin: Any  # [ny] state where the step begins
    end: Any  # [ny] the last state that a look began with
    record: Any  # [nx] sums over the pieces of a step
    dv: Any  # [nv] the same
    lost: Any  # [2, elements] MoreauMemory.lost where the step, and the piece, began
    zdot: Any  # [2, nz] the same of MoreauMemory.zdot
    whole: Any  # [2, 4] the same of numbers of the method and the problem
    real: Any  # [2, 2] the same


def new_detection(
    step: int, contact: int, only: Any, least: float, deep: Any, contacts: Contacts, sizes: Any
) -> CollisionDetection:
    """Zeros; sizes: of the state, the rates, the first-order states, the record, and number of elements."""
    ny, nv, nz, nx, elements = sizes
    counts = np.zeros(1, DETECTION)
    counts[0]["least"] = least
    return CollisionDetection(
        step, contact, only, deep, counts,
        np.zeros((contacts.shapes, 2)), np.zeros(nv), np.zeros(ny), np.zeros(ny), np.full(ny, np.nan), np.zeros(nx),
        np.zeros(nv),
        np.zeros((2, elements)), np.zeros((2, nz)), np.zeros((2, 4), np.int64), np.zeros((2, 2)),
    )  # fmt: skip


@part
def evaluate_shapes_at(tree, contacts, cw, w, detection, y, time):
    """Poses and velocities of all shapes where the state y has gone after a time, with its own rates."""
    nq, nv = tree.nq, tree.nv
    v = y[nq : nq + nv]
    for i in range(nv):
        detection.x[i] = time * v[i]
    retract(tree, y, detection.x, detection.y)
    unit_quaternions(tree, detection.y[:nq])
    poses_and_velocities(tree, w, detection.y[:nq], v)
    shape_poses(contacts, cw, w)
    shape_velocities(contacts, cw, w)


@part
def put_turning(contacts, cw, detection):
    """What turning adds to the speeds of shapes, but about axes of symmetry; returns the largest speed."""
    fastest = 0.0
    for s in range(contacts.shapes):
        omega, code = get3(cw.V_WS, s, 0), contacts.size[s, 3]
        square = dot(omega, omega)
        across = square
        if code == BALL:
            across = 0.0
        elif code == CAPSULE or CYLINDER <= code <= DISC:
            across = max(0.0, square - dot(omega, axis_of(get9(cw.X_WS, s, 0), 2)) ** 2)
        detection.turning[s, 0], detection.turning[s, 1] = 0.0, square**0.5
        if across > 0.0:  # what does not turn is often endless
            detection.turning[s, 0] = across**0.5 * contacts.reach[s]
        v = get3(cw.V_WS, s, 3)
        fastest = max(fastest, dot(v, v) ** 0.5 + detection.turning[s, 0])
    return fastest


@part
def begin_detection(tree, contacts, cw, w, detection, y):
    """Shapes in the state y; returns the largest speed. Where a step ends is where the next one begins: one look."""
    counts, known = detection.counts[0], True
    for i in range(tree.nq + tree.nv):
        known = known and y[i] == detection.end[i]
        detection.end[i] = y[i]
    if not known:
        evaluate_shapes_at(tree, contacts, cw, w, detection, y, 0.0)
        counts.fastest = put_turning(contacts, cw, detection)
    return counts.fastest


@helper
def forget_detection(detection):
    """Shapes are moved elsewhere: the next look begins anew."""
    detection.end[0] = math.nan


@helper
def _turning(contacts, cw, detection, pair, time):
    """What turning adds to the closing speed of a pair within a time; velocities of centres turn as well."""
    total = 0.0
    for side in range(2):
        s = contacts.pair_shapes[pair, side]
        v = get3(cw.V_WS, s, 3)
        total += detection.turning[s, 0] + 0.5 * time * detection.turning[s, 1] * dot(v, v) ** 0.5
    return total


@helper
def _relative(contacts, cw, pair):
    """Velocity of the centre of b less that of a."""
    return sub(get3(cw.V_WS, contacts.pair_shapes[pair, 1], 3), get3(cw.V_WS, contacts.pair_shapes[pair, 0], 3))


@helper
def _way(contacts, cw, detection, i, time):
    """What the gap of pair i can change by within a time [m]."""
    v = _relative(contacts, cw, i)
    return (dot(v, v) ** 0.5 + _turning(contacts, cw, detection, i, time)) * time


@part
def may_meet(contacts, cw, detection, i, time, depth):
    """Whether pair i could change its gap by so much [m] within a time, and is near enough to touch."""
    way = _way(contacts, cw, detection, i, time)
    return way > depth and distance_at_least(contacts, cw, i) <= way


@part
def deepest(contacts, cw, detection, i, margin):
    """Slot of the smallest gap of pair i, where shapes are now; -1 if all are above the margin."""
    kind = contacts.pair_kind[i]
    cw.counts[0].near, cw.margin[0], detection.only[0] = 0, margin, i
    call_entry(cw.calls[kind].points, cw.calls[kind].group)
    best, gap = -1, margin
    for s in range(contacts.first[i], contacts.first[i + 1]):
        if cw.gap[s] <= gap:
            best, gap = s, cw.gap[s]
    return best


@helper
def _velocity_at(cw, s, p):
    return add(get3(cw.V_WS, s, 3), cross(get3(cw.V_WS, s, 0), sub(p, get3(cw.X_WS, s, 9))))


@helper
def approach(contacts, cw, s):
    """How fast the points of slot s close [m/s]."""
    pair, p = contacts.slot_pair[s], get3(cw.point, s, 0)
    u = sub(_velocity_at(cw, contacts.pair_shapes[pair, 1], p), _velocity_at(cw, contacts.pair_shapes[pair, 0], p))
    return -dot(get3(cw.frame, s, 0), u)


@helper
def _closing(contacts, cw, detection, i, s, time, back):
    """(1), at most, within a time from where shapes are now; back: 1 forward in time, -1 backward."""
    v, turning = _relative(contacts, cw, i), _turning(contacts, cw, detection, i, time)
    if contacts.convex[i] == 0:
        return dot(v, v) ** 0.5 + turning
    return -back * dot(get3(cw.frame, s, 0), v) + turning


@part
def first_meeting(tree, contacts, cw, w, detection, y, i, left):
    """When pair i meets if it is to be deeper than it may be, from the state y with its rates; NEVER within `left`.

    Begins where shapes are. counts.after: how long after that it is too deep.
    """
    counts, depth, time, before, begins = detection.counts[0], FRACTION * contacts.thickness[i], 0.0, 0.0, 0.0
    wanted, turns = 0.5 * depth, False  # how deep they must come for the step to be cut
    for look in range(MOST_EVALUATIONS):
        if look > 0:
            evaluate_shapes_at(tree, contacts, cw, w, detection, y, time)
        rest = left - time
        way = _way(contacts, cw, detection, i, rest)
        s = deepest(contacts, cw, detection, i, way + depth)
        if s < 0:  # apart, perhaps without points that face each other: by their bounding spheres
            apart = max(0.0, distance_at_least(contacts, cw, i))
            if way <= apart + wanted or rest == 0.0:
                return NEVER
            before = time
            time = min(left, time + (apart + UNSEEN * depth) * rest / way)
            turns = turns or (contacts.convex[i] == 1 and way > TURNS * depth)
            wanted = 2.0 * MET * depth if turns else wanted
            if time == left and not turns:
                return NEVER
            continue
        gap = cw.gap[s]
        if look == 0:
            begins, closes = max(0.0, -gap), approach(contacts, cw, s)
            turns = contacts.convex[i] == 1 and way > TURNS * depth
            if turns:  # the normal may turn much while they overlap by little
                wanted = 2.0 * MET * depth
            if begins > MET * depth and closes * left > wanted:
                counts.after = (MET if turns else 0.25) * depth / closes
                return counts.after  # it has met before
        elif -gap >= begins + (MET * depth if time == left else wanted):
            break
        closing = _closing(contacts, cw, detection, i, s, rest, 1.0)
        if closing * rest <= gap + begins + wanted or closing <= TINY:
            return NEVER
        before = time
        time += (gap + begins + 2.0 * wanted) / closing
        if time >= left:
            if not turns:
                return NEVER
            time = left
    meets = time
    for _ in range(HALVINGS):
        middle = 0.5 * (before + meets)
        evaluate_shapes_at(tree, contacts, cw, w, detection, y, middle)
        s = deepest(contacts, cw, detection, i, 0.0)
        if s >= 0 and -cw.gap[s] >= begins + MET * depth:
            meets = middle
        else:
            before = middle
    counts.after = time - meets
    return meets


@part
def passed(tree, contacts, cw, w, detection, y, i, time):
    """Whether pair i was, or is, nearly half through itself in the time before the state y. Begins where shapes are."""
    most, back = LOST * contacts.thickness[i], 0.0
    for look in range(MOST_EVALUATIONS):
        if look > 0:
            evaluate_shapes_at(tree, contacts, cw, w, detection, y, -back)
        v, rest = _relative(contacts, cw, i), time - back
        s = deepest(contacts, cw, detection, i, _way(contacts, cw, detection, i, rest))
        if s < 0 or cw.gap[s] >= FAR:
            return False
        gap = cw.gap[s]
        detection.counts[0].closing = max(abs(approach(contacts, cw, s)), dot(v, v) ** 0.5)
        if -gap >= most:
            return True
        closing = _closing(contacts, cw, detection, i, s, rest, -1.0)
        if closing * rest <= gap + most or closing <= TINY:
            return False
        back += (gap + most) / closing + 1e-3 * rest
        if back >= time:
            return False
    return True  # it was too close to tell
