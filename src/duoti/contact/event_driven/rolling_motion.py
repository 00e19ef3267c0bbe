"""Resistance against rolling, and against turning about the normal, in the smooth motion between two transitions.

With the normal force N of a point, and w the angular velocity of b less that of a (Leine & Glocker 2003):

    |m_t| <= a_r N, against the rolling w_t;      |m_n| <= a_n N, against the turning w_n                       (1)

Where a point rolls (TURNS), m_t = -a_r N w_t / |w_t| belongs to the column of its normal force; where it is held
(HOLDS), w_t = 0 are two rows, and m_t their multipliers. The same about the normal, with one row.
"""

from __future__ import annotations

from duoti.contact.collide.geometry import rotate_body, slot_turning, turning_rows
from duoti.contact.event_driven.contact_states import (
    DRILLING,
    EVENTS_OF_RESISTANCE,
    EVENTS_PER_SLOT,
    FREE,
    HOLDS,
    OPEN,
    ROLLING,
    ROLLS,
    STICK,
)
from duoti.kernel import helper, part
from duoti.spatial.algebra import add, dot, get3, scale

AT_REST = 1e-300
NEVER = 1.0  # value of an event function that is not needed


@helper
def is_row(m, s, axis):
    """Whether a closed slot has a row along n, t1, t2 (0, 1, 2), or of turning about these (3, 4, 5)."""
    if axis == 0:
        return True
    if axis < 3:
        return m.mode[s] == STICK
    return m.resist[s, DRILLING if axis == 3 else ROLLING] == HOLDS


@helper
def holds(m, s):
    """Whether a slot has rows beside that of its normal force."""
    return m.mode[s] == STICK or m.resist[s, ROLLING] == HOLDS or m.resist[s, DRILLING] == HOLDS


@helper
def unit_direction(cw, s, u1, u2, last, slow):
    """Unit vector of (u1, u2) along t1 and t2; beyond the end of the motion, that which it had, last[s].

    So the motion is smooth through the instant at which it ends, and this can be located.
    """
    n1, n2 = dot(get3(cw.frame, s, 3), get3(last, s, 0)), dot(get3(cw.frame, s, 6), get3(last, s, 0))
    if u1 * n1 + u2 * n2 > 0.0:  # the slowest motion has no direction of its own
        n1, n2 = u1 + slow * n1, u2 + slow * n2
    size = max((n1 * n1 + n2 * n2) ** 0.5, AT_REST)
    return n1 / size, n2 / size


@part
def signed_speed(cw, s, u1, u2, last, slow):
    """|(u1, u2)|, negative when it has passed zero; last[s] follows its direction, unless a root is being located."""
    u = add(scale(u1, get3(cw.frame, s, 3)), scale(u2, get3(cw.frame, s, 6)))
    size = (u1 * u1 + u2 * u2) ** 0.5
    along = dot(u, get3(last, s, 0))
    if along <= 0.0:
        return -size
    if along > 0.5 * size and size > 0.1 * slow:  # not the direction of round-off
        for i in range(3):
            last[s, i] = u[i] / size
    return size


@part
def look_at_turning(tree, contacts, cw, w, m, s):
    """m.turning[s] and the rows of turning, m.packed[3:], of a slot that resists."""
    m.moment[s, 0], m.moment[s, 1], m.moment[s, 2] = 0.0, 0.0, 0.0
    if m.resist[s, ROLLING] != FREE or m.resist[s, DRILLING] != FREE:
        m.turning[s, 0], m.turning[s, 1], m.turning[s, 2] = slot_turning(contacts, cw, w, s)
        turning_rows(tree, contacts, cw, w, s, m.packed, 3)


@part
def resisting_moment(contacts, cw, m, s):
    """Moments about n, t1, t2 of what turns, for a unit normal force (1)."""
    pair, m0, m1, m2 = contacts.slot_pair[s], 0.0, 0.0, 0.0
    if m.resist[s, DRILLING] == ROLLS:
        m0 = -contacts.torsion[pair] * m.drilling[s]
    if m.resist[s, ROLLING] == ROLLS:
        d1, d2 = unit_direction(cw, s, m.turning[s, 1], m.turning[s, 2], m.rolling, m.slow[1])
        m1, m2 = -contacts.rolling[pair] * d1, -contacts.rolling[pair] * d2
    return m0, m1, m2


@part
def push_moments(contacts, cw, w, m):
    """The moments of closed contacts on the bodies in w.F_ext."""
    for s in range(contacts.slots):
        if m.mode[s] == OPEN:
            continue
        torque = add(
            scale(m.moment[s, 0], get3(cw.frame, s, 0)),
            add(scale(m.moment[s, 1], get3(cw.frame, s, 3)), scale(m.moment[s, 2], get3(cw.frame, s, 6))),
        )
        pair = contacts.slot_pair[s]
        rotate_body(w, w.F_ext, contacts.shape_body[contacts.pair_shapes[pair, 0]], scale(-1.0, torque))
        rotate_body(w, w.F_ext, contacts.shape_body[contacts.pair_shapes[pair, 1]], torque)


@part
def resistance_events(w, contacts, cw, m):
    """Two for each slot behind those of all slots, falling through zero: what is held, distance from its bound; what
    turns, its speed."""
    first = m.counts[0].events + EVENTS_PER_SLOT * contacts.slots
    for s in range(contacts.slots):
        e, pair = first + EVENTS_OF_RESISTANCE * s, contacts.slot_pair[s]
        w.event[e + ROLLING], w.event[e + DRILLING] = NEVER, NEVER
        if m.mode[s] == OPEN:
            continue
        m1, m2 = m.moment[s, 1], m.moment[s, 2]
        if m.resist[s, ROLLING] == HOLDS:
            w.event[e + ROLLING] = contacts.rolling[pair] * m.force[s, 0] - (m1 * m1 + m2 * m2) ** 0.5
        elif m.resist[s, ROLLING] == ROLLS:
            speed = signed_speed(cw, s, m.turning[s, 1], m.turning[s, 2], m.rolling, m.slow[1])
            w.event[e + ROLLING] = speed + m.begun[s, ROLLING]
        if m.resist[s, DRILLING] == HOLDS:
            w.event[e + DRILLING] = contacts.torsion[pair] * m.force[s, 0] - abs(m.moment[s, 0])
        elif m.resist[s, DRILLING] == ROLLS:
            w.event[e + DRILLING] = m.drilling[s] * m.turning[s, 0] + m.begun[s, DRILLING]
