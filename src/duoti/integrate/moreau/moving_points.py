"""Points of contact that go on along a rim or a round side while a body rolls on it.

The rows G of such a point turn with it. Velocities that end a step obey the law of contact there,

    u' = G(q_m) v' + h/2 dG/dt v',    h dG/dt v = G(q_m) v - G(q_m of the step before) v                        (1)

and not with the rows of the middle of the step: these would take p . h/2 dG/dt v of energy in each step, by which a
coin that wobbles comes to rest in a second. What (1) adds to G(q_m) v' is the b of the contact problem. Impulses then
work on a mean velocity that vanishes, but for an error of second order.
"""

from __future__ import annotations

from duoti.contact.collide.geometry import find_points, slot_speed
from duoti.contact.event_driven.contact_states import STICK
from duoti.integrate.moreau.point_identity import put_place
from duoti.kernel import helper, part
from duoti.model.pairs.base import HUGE
from duoti.model.pairs.supports import BALL, BOX, CAPSULE, CYLINDER, DISC, SMOOTH
from duoti.spatial.algebra import ZERO3, dot, get3, put3, sub

FOLLOWED = 0.25  # part of the radius by which a point may go on in a step and be followed, then less up to twice that


@helper
def _radius(contacts, pair):
    """Radius of the rim, or of the round side, in whose points a pair touches; 0 if it has none.

    If the other one is a ball, a capsule or a box, at most its radius, or half its thickness: further away it touches
    with another end, edge or side.
    """
    found, other = 0.0, HUGE
    for side in range(2):
        shape = contacts.pair_shapes[pair, side]
        size = contacts.size[shape]
        if contacts.reach[shape] >= HUGE:
            continue  # planes, and profiles, whose sizes are something else
        if size[3] == CYLINDER or size[3] == DISC or size[3] >= SMOOTH:
            found = size[0] if found == 0.0 else min(found, size[0])
        elif size[3] == BALL or size[3] == CAPSULE:
            other = size[0]
        elif size[3] == BOX:
            other = min(size[0], size[1], size[2])
    return min(found, other)


@helper
def share_to_come(contacts, cw, memory, s, h):
    """Part of what u has changed by since the last step, because its point went on, that is to come in this step.

    Nothing where a point has gone further than it can be followed, or where a face lies flat, whose points jump.
    """
    pair = contacts.slot_pair[s]
    radius, near = _radius(contacts, pair), 0
    if radius == 0.0:
        return 0.0
    for other in range(contacts.first[pair], contacts.first[pair + 1]):
        near += 1 if cw.gap[other] <= cw.margin[0] else 0
    turned = sub(get3(cw.frame, s, 0), get3(memory.seen, s, 6))
    if near > 2 or dot(turned, turned) > FOLLOWED * FOLLOWED:
        return 0.0
    way = sub(get3(cw.point, s, 0), get3(memory.seen, s, 3))
    far = dot(way, way) ** 0.5 / radius
    return min(1.0, max(0.0, 2.0 - far / FOLLOWED)) * h / (h + memory.method[0].last)


@helper
def see_point(contacts, cw, memory, s, u):
    """Keep what `share_to_come` needs in the next step."""
    put3(memory.seen, s, 0, u)
    put3(memory.seen, s, 3, get3(cw.point, s, 0))
    put3(memory.seen, s, 6, get3(cw.frame, s, 0))
    put_place(contacts, cw, memory, s)


@part
def see_start(contacts, cw, w, memory, step, closed, slow):
    """The same where a run begins, of round points with gaps up to `closed` that are not faster than `slow`.

    Needs poses and velocities of the bodies.
    """
    memory.method[0].last = 0.0  # the middle of the first step is half a step away
    find_points(contacts, cw, w, closed)
    for i in range(cw.counts[0].near):
        s = cw.near[i]
        u = slot_speed(contacts, cw, w, s)
        if abs(u[0]) <= slow and _radius(contacts, contacts.slot_pair[s]) > 0.0:
            see_point(contacts, cw, memory, s, u)
            put3(memory.impulse, s, 0, ZERO3)
            memory.state[s], memory.step[s] = STICK, step - 1
