"""Creep forces of rolling contacts in a step of Moreau and Jean's method.

A point of rolling contact has a normal impulse p_n like any other; its creep impulse is that of the force which belongs
to the mean normal force of the step, and to velocities between those at its beginning and its end:

    p_t = h F(q_m, (1 - theta) v + theta v+, p_n / h),    theta = max(1/2, 1 - 1/z)                             (1)

with F of `contact.creep`. Creep is stiff at low speeds: z is the part of a slip that its force would take away in a
step if it stayed what it is, from the step before. With this theta no slip swings over, since (1 - (1 - theta) z) /
(1 + theta z) >= 0; and while z is small they are the velocities in the middle. It is solved in turn with the impulses
of the contacts, as resistance is (`moreau_resistance`), by Newton's method in the slip of each point. Compiled when a
system has such a contact.
"""

from __future__ import annotations

from duoti.contact.arrays import CONTACT_CONTEXT
from duoti.contact.creep import rolls
from duoti.contact.geometry import find_creep, shape_velocities, slot_rows
from duoti.contact.problem import add_block, put_place, times_row
from duoti.dynamics.kinematics import velocities
from duoti.integrate.moreau_resistance import (
    NOTHING,
    RESISTANCE_CONTEXT,
    SETTLED,
    begin_own_block,
    count_losses,
    measure_change,
    put_beside,
)
from duoti.kernel import entry, part, unpack
from duoti.spatial.algebra import dot, get3
from duoti.system.context import REAL_CONTEXT

OWN_SWEEPS = 50
LINEAR_SWEEPS = 20  # of the equations that one look at the forces gives
DIFFERENCE = 1e-6  # part of the speed of the wheel, or of 1 m/s: slip by which slopes of forces are found


@entry
def creep_rows(address):
    """Entry ROWS: the blocks of points of rolling contact, with their impulses of the last step."""
    context, contact, problem, own, memory, partner = unpack(address, RESISTANCE_CONTEXT)
    tree, _, closures, w = unpack(context, REAL_CONTEXT)
    contacts, cw = unpack(contact, CONTACT_CONTEXT)
    if memory.method[0].theta == 0.0:
        memory.method[0].theta = 1.0
    n = 0
    for c in range(problem.counts[0].blocks):
        s = problem.slot[c]
        if not rolls(contacts, s):
            continue
        own.slot[n], own.size[n], partner[n] = s, 3, c
        put_place(contacts, own, n, s)
        slot_rows(tree, contacts, cw, w, s, own.G, 3 * n)
        begin_own_block(tree, closures, contacts, cw, w, own, memory, n, s, 0)
        n += 1
    own.counts[0].blocks = n


@entry
def creep_turn(address):
    """Entry TURN: creep impulses for the normal impulses that the contacts have now; problem.v follows."""
    context, contact, problem, own, memory, partner = unpack(address, RESISTANCE_CONTEXT)
    tree, _, _, w = unpack(context, REAL_CONTEXT)
    contacts, cw = unpack(contact, CONTACT_CONTEXT)
    h = memory.method[0].h
    for i in range(problem.v.shape[0]):
        own.dq[i] = 0.0  # what changes
    for _ in range(OWN_SWEEPS):
        _look_at_forces(tree, contacts, cw, w, problem, own, memory, partner)
        change, size = 0.0, NOTHING
        for _ in range(LINEAR_SWEEPS):
            last = 0.0
            for c in range(own.counts[0].blocks):
                d, force = _creep_block(contacts, problem, own, c, h)
                last, size = max(last, d), max(size, force)
            change = max(change, last)
            if last <= 0.1 * SETTLED * size:
                break
        if change <= SETTLED * size:
            break
    put_beside(cw, own, memory, 0)
    measure_change(contacts, problem, own, memory)


@part
def _look_at_forces(tree, contacts, cw, w, problem, own, memory, partner):
    """Of all blocks at the velocities problem.v: slip (own.after), force (own.smooth) and its slopes over the slip.

    Those for the slip along t1 are in own.b, for that along t2 in own.kept.
    """
    h, theta = memory.method[0].h, memory.method[0].theta
    for i in range(problem.v.shape[0]):
        own.v[i] = (1.0 - theta) * memory.before[i] + theta * problem.v[i]
    velocities(tree, w, own.v)
    shape_velocities(contacts, cw, w)
    for c in range(own.counts[0].blocks):
        cw.creep[own.slot[c], 0] = max(problem.p[partner[c], 0], 0.0) / h
    find_creep(contacts, cw)
    for c in range(own.counts[0].blocks):
        for k in range(3):
            own.after[c, k] = times_row(contacts, own, c, k, problem.v)
            own.smooth[c, k] = cw.creep[own.slot[c], 1 + k]
    for c in range(own.counts[0].blocks):
        s = own.slot[c]
        b = contacts.pair_shapes[contacts.slot_pair[s], 1]
        v = get3(cw.V_WS, b, 3)
        step = DIFFERENCE * max(dot(v, v) ** 0.5, 1.0)
        for axis in range(1, 3):
            for i in range(3):
                cw.V_WS[b, 3 + i] = v[i] + step * cw.frame[s, 3 * axis + i]
            find_creep(contacts, cw)
            slopes = own.b[c] if axis == 1 else own.kept[c]
            for k in range(3):
                slopes[k] = theta * (cw.creep[s, 1 + k] - own.smooth[c, k]) / step
        for i in range(3):
            cw.V_WS[b, 3 + i] = v[i]


@part
def _creep_block(contacts, problem, own, c, h):
    """One block of (1), linearised; returns the change of its impulse, and its size."""
    W, A, B, p = own.W[c], own.b[c], own.kept[c], own.p[c]
    u1 = times_row(contacts, own, c, 1, problem.v) - own.after[c, 1]
    u2 = times_row(contacts, own, c, 2, problem.v) - own.after[c, 2]
    r0 = h * (own.smooth[c, 0] + A[0] * u1 + B[0] * u2) - p[0]
    r1 = h * (own.smooth[c, 1] + A[1] * u1 + B[1] * u2) - p[1]
    r2 = h * (own.smooth[c, 2] + A[2] * u1 + B[2] * u2) - p[2]
    # p + d = h F(u + W d) along t1 and t2
    a11, a12 = 1.0 - h * (A[1] * W[1, 1] + B[1] * W[2, 1]), -h * (A[1] * W[1, 2] + B[1] * W[2, 2])
    a21, a22 = -h * (A[2] * W[1, 1] + B[2] * W[2, 1]), 1.0 - h * (A[2] * W[1, 2] + B[2] * W[2, 2])
    det = a11 * a22 - a12 * a21
    d1, d2 = (a22 * r1 - a12 * r2) / det, (a11 * r2 - a21 * r1) / det
    p[0], p[1], p[2] = p[0] + r0, p[1] + d1, p[2] + d2
    add_block(contacts, own, c, r0, d1, d2, problem.v)
    add_block(contacts, own, c, r0, d1, d2, own.dq)
    return max(abs(r0), abs(d1), abs(d2)), max(abs(p[0]), abs(p[1]), abs(p[2]))


@entry
def creep_end(address):
    """Entry END: the energy that the impulses took, in memory.lost and memory.method; theta of the next step."""
    _, contact, _, own, memory, _ = unpack(address, RESISTANCE_CONTEXT)
    contacts, _ = unpack(contact, CONTACT_CONTEXT)
    count_losses(contacts, own, memory)
    method, z = memory.method[0], 0.0
    for c in range(own.counts[0].blocks):
        W, A, B = own.W[c], own.b[c], own.kept[c]
        taken = A[1] * W[1, 1] + B[1] * W[2, 1] + A[2] * W[1, 2] + B[2] * W[2, 2]  # the sum of both directions
        z = max(z, -method.h * taken / method.theta)
    method.theta = max(0.5, 1.0 - 1.0 / max(z, 1.0))


CREEP_ENTRIES = (creep_rows, creep_turn, creep_end)
