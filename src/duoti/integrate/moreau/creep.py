"""Creep forces of rolling contacts in a step of Moreau and Jean's method.

A point of rolling contact has a normal impulse p_n like any other; its creep impulse is that of the force which belongs
to the mean normal force of the step, and to velocities between those at its beginning and its end:

    p_t = h F(q_m, (1 - theta) v + theta v+, p_n / h),    theta = max(1/2, 1 - 1/z)                             (1)

with F of `contact.creep`. Creep is stiff at low speeds: z is the part of a slip that its force would take away in a
step while it is small, from the step before. With this theta no slip swings over, since (1 - (1 - theta) z) /
(1 + theta z) >= 0; and while z is small they are the velocities in the middle. It is solved in turn with the impulses
of the contacts (`moreau.creep_coupling`). Compiled when a system has such a contact.

With the speed of rolling V, spin and directions as they are at the last velocities, (1) is for all points together

    g = g_0 + theta W P,    P = h F(g)                                                                          (2)

of slips g and impulses P along and across the rolling. Where V is small, F is nearly Coulomb's law: steep, then flat,
so that neither g nor P will do as unknowns. They are s = P - g / (theta w), with w the mean of the own diagonal of W:
it is P where a wheel rolls and g where it slides, and (2) is nearly linear in it on both sides. Newton's method solves
it, all points at once, since wheels on one axle hold the same motion.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.contact.collide.arrays import CONTACT_CONTEXT, Contacts
from duoti.contact.collide.geometry import find_creep, shape_velocities, slot_rows
from duoti.contact.creep import ACROSS, ALONG, PATCH, SLIP, SPEED, TURNING, linear_creep, rolls, saturate
from duoti.contact.solve.problem import Problem, add_block, put_place, times_row
from duoti.contact.solve.redundant import factor_rows, solve_factored
from duoti.dynamics.tree.kinematics import velocities
from duoti.integrate.moreau.contact_problem import MoreauMemory
from duoti.integrate.moreau.creep_coupling import (
    CREEP_CONVERGED,
    SMALLEST_SIZE,
    AuxiliaryRows,
    auxiliary_example,
    begin_own_block,
    count_losses,
    measure_change,
    put_auxiliary_impulses,
)
from duoti.kernel import ContextType, entry, part, unpack
from duoti.model.contacts.rolling_contact import FRICTION, SATURATION
from duoti.system.context import REAL_CONTEXT

LOOKS = 50  # at speeds of rolling, spin and directions, until the impulses stand
NEWTON_STEPS = 50
HALVES = 12  # of a step of Newton's method that leads further away
SLIP_STEPS = 100
EXACT = 1e-13  # part of the impulses of a point
MOST, ALONG_SLOPE, ACROSS_SLOPE, BY_SPIN, LAW, WEIGHT = range(6)  # in `CreepWork.law`
S, TRIAL, SLIPS, IMPULSES, FREE, ERROR, CHANGE = range(7)  # rows of `CreepWork.x`


class CreepWork(NamedTuple):
    """Scratch for (2) of n points; vectors have two numbers for each."""

    W: Any  # [2 n, 2 n]
    A: Any  # [2 n, 2 n] derivative of (2)
    pivot: Any  # [2 n]
    x: Any  # [7, 2 n]
    B: Any  # [n, 4] -dg/ds of a point by itself
    law: Any  # [n, 6] mu N h; linear forces over mu N of unit slips, and by spin; saturation; 1 / (theta w)


def new_creep_work(n: int) -> CreepWork:
    """Zeros."""
    return CreepWork(np.zeros((2 * n, 2 * n)), np.zeros((2 * n, 2 * n)), np.zeros(2 * n, np.int64),
                     np.zeros((7, 2 * n)), np.zeros((n, 4)), np.zeros((n, 6)))  # fmt: skip


CREEP_CONTEXT = ContextType(lambda: (*auxiliary_example(), new_creep_work(1)))


class Creep(AuxiliaryRows):
    """The blocks of a system's rolling contacts."""

    def __init__(self, context: int, contact: int, contacts: Contacts, nv: int, problem: Problem, memory: MoreauMemory):
        own = (context, contact, contacts, nv, problem, memory)
        super().__init__(*own, CREEP_ENTRIES, CREEP_CONTEXT, (new_creep_work(contacts.slots),))


@entry
def creep_rows(address):
    """Entry ROWS: the blocks of points of rolling contact, with their impulses of the last step."""
    context, contact, problem, own, memory, partner, _ = unpack(address, CREEP_CONTEXT)
    tree, _, closures, w = unpack(context, REAL_CONTEXT)
    contacts, cw = unpack(contact, CONTACT_CONTEXT)
    if memory.method[0].theta == 0.0:
        memory.method[0].theta = 1.0
    n = 0
    for c in range(problem.counts[0].points):
        s = problem.slot[c]
        if not rolls(contacts, s):
            continue
        own.slot[n], own.size[n], partner[n] = s, 3, c
        put_place(contacts, own, n, s)
        slot_rows(tree, contacts, cw, w, s, own.G, 3 * n)
        begin_own_block(tree, closures, contacts, cw, w, own, memory, n, s)
        n += 1
    own.counts[0].blocks = n


@entry
def creep_iteration(address):
    """Entry TURN: creep impulses for the normal impulses that the contacts have now; problem.v follows."""
    context, contact, problem, own, memory, partner, work = unpack(address, CREEP_CONTEXT)
    tree, _, _, w = unpack(context, REAL_CONTEXT)
    contacts, cw = unpack(contact, CONTACT_CONTEXT)
    for i in range(problem.v.shape[0]):
        own.dq[i] = 0.0  # what changes
    for _ in range(LOOKS):
        _look(tree, contacts, cw, w, problem, own, memory, partner, work)
        _solve(work, own.counts[0].blocks, memory.method[0].theta)
        change, size = _apply(contacts, cw, problem, own, work)
        if change <= CREEP_CONVERGED * size:
            break
    put_auxiliary_impulses(cw, own, memory)
    measure_change(contacts, problem, own, memory)


@part
def _look(tree, contacts, cw, w, problem, own, memory, partner, work):
    """What (2) consists of, from the velocities problem.v and the impulses own.p; s begins with these."""
    h, theta, n = memory.method[0].h, memory.method[0].theta, own.counts[0].blocks
    for i in range(problem.v.shape[0]):
        own.v[i] = (1.0 - theta) * memory.before[i] + theta * problem.v[i]
    velocities(tree, w, own.v)
    shape_velocities(contacts, cw, w)
    for c in range(n):
        cw.creep[own.slot[c], 0] = max(problem.p[partner[c], 0], 0.0) / h
    find_creep(contacts, cw)
    x = work.x
    for c in range(n):
        s = own.slot[c]
        pair, N, law = contacts.slot_pair[s], cw.creep[s, 0], work.law[c]
        x[FREE, 2 * c], x[FREE, 2 * c + 1] = cw.creep[s, SLIP], cw.creep[s, SLIP + 1]
        for k in range(LAW):
            law[k] = 0.0
        if N > 0.0:
            per_slip, spin = 1.0 / cw.creep[s, SPEED], cw.creep[s, TURNING] / cw.creep[s, SPEED]
            numbers = linear_creep(contacts.creep, pair, cw.creep[s, PATCH], per_slip, per_slip, spin, N)
            law[MOST] = h * contacts.creep[pair, FRICTION] * N
            law[ALONG_SLOPE], law[ACROSS_SLOPE], law[BY_SPIN] = numbers
        law[LAW] = contacts.creep[pair, SATURATION]
    for d in range(n):
        for j in range(2):
            at = ALONG + (ACROSS - ALONG) * j
            e = cw.creep[own.slot[d]]
            add_block(contacts, own, d, e[at], e[at + 1], e[at + 2], own.x)
            for c in range(n):
                _put_slip(contacts, cw, own, c, own.x, work.W, 2 * d + j)
            for i in range(own.x.shape[0]):
                own.x[i] = 0.0
    for c in range(n):
        mean = 0.5 * (work.W[2 * c, 2 * c] + work.W[2 * c + 1, 2 * c + 1])
        work.law[c, WEIGHT] = 1.0 / (theta * mean) if mean > 0.0 else 1.0
    for d in range(n):
        add_block(contacts, own, d, own.p[d, 0], own.p[d, 1], own.p[d, 2], own.x)
    for c in range(n):  # slips without the impulses that there are
        _put_slip(contacts, cw, own, c, own.x, work.A, 0)
        e, weight = cw.creep[own.slot[c]], work.law[c, WEIGHT]
        for j in range(2):
            at, i = ALONG + (ACROSS - ALONG) * j, 2 * c + j
            impulse = own.p[c, 0] * e[at] + own.p[c, 1] * e[at + 1] + own.p[c, 2] * e[at + 2]
            x[S, i] = impulse - weight * x[FREE, i]
            x[FREE, i] -= theta * work.A[i, 0]
    for i in range(own.x.shape[0]):
        own.x[i] = 0.0


@part
def _put_slip(contacts, cw, own, c, v, out, column):
    """Slips of point c along and across the rolling by the velocities v, into a column of `out`."""
    u0, u1, u2 = times_row(contacts, own, c, 0, v), times_row(contacts, own, c, 1, v), times_row(contacts, own, c, 2, v)
    e = cw.creep[own.slot[c]]
    out[2 * c, column] = e[ALONG] * u0 + e[ALONG + 1] * u1 + e[ALONG + 2] * u2
    out[2 * c + 1, column] = e[ACROSS] * u0 + e[ACROSS + 1] * u1 + e[ACROSS + 2] * u2


@part
def _impulse(law, g_x, g_y):
    """Impulses of a point with the slips g, and their derivatives (by rows)."""
    a, b = law[ALONG_SLOPE], law[ACROSS_SLOPE]
    x, y, most = a * g_x, b * g_y + law[BY_SPIN], law[MOST]
    f_x, f_y, xx, yx = saturate(law[LAW], x, y, a, 0.0)
    _, _, xy, yy = saturate(law[LAW], x, y, 0.0, b)
    return most * f_x, most * f_y, (most * xx, most * xy, most * yx, most * yy)


@part
def _slip_of(law, s_x, s_y, B):
    """Slips g and impulses P of a point with P - weight g = s, by Newton's method; B = -dg/ds.

    It begins where there is no force: from there on the law bends one way, and no step goes too far.
    """
    weight = law[WEIGHT]
    g_x, g_y = 0.0, -law[BY_SPIN] / law[ACROSS_SLOPE] if law[ACROSS_SLOPE] != 0.0 else 0.0
    P_x, P_y, slopes = _impulse(law, g_x, g_y)
    e_x, e_y = s_x - P_x + weight * g_x, s_y - P_y + weight * g_y
    size = abs(s_x) + abs(s_y) + law[MOST]
    for _ in range(SLIP_STEPS):
        left = e_x * e_x + e_y * e_y
        xx, xy, yx, yy = weight - slopes[0], -slopes[1], -slopes[2], weight - slopes[3]
        det = xx * yy - xy * yx
        if left <= (0.1 * EXACT * size) ** 2:
            break
        d_x, d_y = (xy * e_y - yy * e_x) / det, (yx * e_x - xx * e_y) / det
        fraction, better, there_x, there_y = 1.0, False, g_x, g_y
        for _ in range(HALVES):
            there_x, there_y = g_x + fraction * d_x, g_y + fraction * d_y
            P_x, P_y, slopes = _impulse(law, there_x, there_y)
            e_x, e_y = s_x - P_x + weight * there_x, s_y - P_y + weight * there_y
            better = e_x * e_x + e_y * e_y < left
            if better:
                break
            fraction *= 0.5
        g_x, g_y = there_x, there_y
        if not better:
            break  # round-off
    xx, xy, yx, yy = weight - slopes[0], -slopes[1], -slopes[2], weight - slopes[3]
    det = xx * yy - xy * yx
    B[0], B[1], B[2], B[3] = yy / det, -xy / det, -yx / det, xx / det
    return g_x, g_y, P_x, P_y


@part
def _residual(work, n, theta, s):
    """Slips and impulses at s, and what (2) lacks there, as slips; returns it as impulses: its norm, and their size."""
    x, total, size = work.x, 0.0, SMALLEST_SIZE
    for c in range(n):
        g_x, g_y, P_x, P_y = _slip_of(work.law[c], s[2 * c], s[2 * c + 1], work.B[c])
        x[SLIPS, 2 * c], x[SLIPS, 2 * c + 1], x[IMPULSES, 2 * c], x[IMPULSES, 2 * c + 1] = g_x, g_y, P_x, P_y
        size = max(size, abs(s[2 * c]), abs(s[2 * c + 1]), work.law[c, MOST])
    for i in range(2 * n):
        error = x[SLIPS, i] - x[FREE, i]
        for k in range(2 * n):
            error -= theta * work.W[i, k] * x[IMPULSES, k]
        x[ERROR, i] = error
        total += (work.law[i // 2, WEIGHT] * error) ** 2
    return total**0.5, size


@part
def _solve(work, n, theta):
    """(2) by Newton's method in s; steps that lead further away are halved."""
    x, A = work.x, work.A
    left, size = _residual(work, n, theta, x[S])
    for _ in range(NEWTON_STEPS):
        if left <= EXACT * size:
            return
        for d in range(n):
            weight, B = work.law[d, WEIGHT], work.B[d]
            for i in range(2 * n):
                along, across = theta * work.W[i, 2 * d], theta * work.W[i, 2 * d + 1]
                A[i, 2 * d] = along * (1.0 - weight * B[0]) - across * weight * B[2]
                A[i, 2 * d + 1] = across * (1.0 - weight * B[3]) - along * weight * B[1]
            for k in range(2):
                A[2 * d + k, 2 * d] += B[2 * k]
                A[2 * d + k, 2 * d + 1] += B[2 * k + 1]
        for i in range(2 * n):
            x[CHANGE, i] = x[ERROR, i]
        factor_rows(A, work.pivot, 2 * n)
        solve_factored(A, work.pivot, 2 * n, x[CHANGE])
        fraction, now = 1.0, left
        for _ in range(HALVES):
            for i in range(2 * n):
                x[TRIAL, i] = x[S, i] + fraction * x[CHANGE, i]
            now, size = _residual(work, n, theta, x[TRIAL])
            if now < left:
                break
            fraction *= 0.5
        if not now < left:
            return  # round-off, or no way further: what is left shows in the change of the next look
        for i in range(2 * n):
            x[S, i] = x[TRIAL, i]
        left = now


@part
def _apply(contacts, cw, problem, own, work):
    """own.p and problem.v with the new impulses; returns the largest change of one, and their size."""
    change, size = 0.0, SMALLEST_SIZE
    for c in range(own.counts[0].blocks):
        e, p = cw.creep[own.slot[c]], own.p[c]
        P_x, P_y = work.x[IMPULSES, 2 * c], work.x[IMPULSES, 2 * c + 1]
        d0 = P_x * e[ALONG] + P_y * e[ACROSS] - p[0]
        d1 = P_x * e[ALONG + 1] + P_y * e[ACROSS + 1] - p[1]
        d2 = P_x * e[ALONG + 2] + P_y * e[ACROSS + 2] - p[2]
        p[0], p[1], p[2] = p[0] + d0, p[1] + d1, p[2] + d2
        add_block(contacts, own, c, d0, d1, d2, problem.v)
        add_block(contacts, own, c, d0, d1, d2, own.dq)
        change = max(change, abs(d0), abs(d1), abs(d2))
        size = max(size, abs(p[0]), abs(p[1]), abs(p[2]))
    return change, size


@entry
def creep_end(address):
    """Entry END: the energy that the impulses took, in memory.lost and memory.method; theta of the next step."""
    _, contact, _, own, memory, _, work = unpack(address, CREEP_CONTEXT)
    contacts, _ = unpack(contact, CONTACT_CONTEXT)
    count_losses(contacts, own, memory)
    z = 0.0
    for c in range(own.counts[0].blocks):
        law = work.law[c]
        along, across = law[ALONG_SLOPE] * work.W[2 * c, 2 * c], law[ACROSS_SLOPE] * work.W[2 * c + 1, 2 * c + 1]
        z = max(z, -law[MOST] * (along + across))
    memory.method[0].theta = max(0.5, 1.0 - 1.0 / max(z, 1.0))


CREEP_ENTRIES = (creep_rows, creep_iteration, creep_end)
