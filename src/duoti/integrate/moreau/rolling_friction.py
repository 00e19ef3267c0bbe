"""Resistance against rolling, and against turning about the normal, in a step of Moreau and Jean's method.

With the angular velocity w of b relative to a, and the normal impulse p_n of a point, the torque impulses are

    |m_t| <= a_r p_n, against the rolling w_t;      |m_n| <= a_n p_n, against the turning w_n                   (1)

with the arms a_r (rolling) and a_n (torsion) [m]: set-valued like Coulomb's law (Leine & Glocker 2003), so that a ball
comes to rest and stays there. They are solved in turn with the impulses of the contacts. Compiled when a system has
such a contact.

The rows of a point are the components of w along n, t1, t2, kept in a `Problem` of their own, whose p are torque
impulses and whose u are angular velocities before the step.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from duoti.contact.collide.arrays import CONTACT_CONTEXT, Contacts, example_contacts
from duoti.contact.collide.geometry import angular_rows
from duoti.contact.impact.poisson_expansion import held
from duoti.contact.solve.problem import Problem, add_block, block_matrix, new_problem, put_place, times_row
from duoti.integrate.moreau.branch_problem import solve_contacts
from duoti.integrate.moreau.contact_problem import MATTERS, MoreauMemory, new_moreau_memory, solve_row
from duoti.kernel import ContextType, address_of, call_entry, entry, entry_address, pack, part, unpack
from duoti.spatial.algebra import add, dot, get3, put3, scale
from duoti.system.context import REAL_CONTEXT, example_tree

ROWS, TURN, END, CONTEXT, NEXT = range(5)  # in MoreauMemory.resistance: of the first one, then of the next
ITERATIONS = 200
OWN_SWEEPS = 50
ROLLING_CONVERGED = 1e-11  # part of the largest angular velocity: a sweep that changes no more is the last
SMALLEST_SIZE = 1e-300
WORDS = 512  # room for what is packed


def rolling_friction_example() -> tuple[Any, ...]:
    """What a context holds, for its types."""
    contacts, tree = example_contacts(), example_tree()
    problem = new_problem(contacts, 1)
    return 0, 0, problem, problem, new_moreau_memory(contacts, tree, 1), np.zeros(1, np.int64)


ROLLING_FRICTION_CONTEXT = ContextType(rolling_friction_example)


class RollingFrictionRows:
    """The rows of a system's resisting contacts; it must live as long as the loop that uses it.

    entries: ROWS, TURN and END, of resistance, or of creep (`moreau.creep`), with what its context has more.
    """

    def __init__(
        self, context: int, contact: int, contacts: Contacts, nv: int, problem: Problem, memory: MoreauMemory,
        entries: tuple[Any, ...] | None = None, kind: ContextType | None = None, more: tuple[Any, ...] = (),
    ):  # fmt: skip
        self.problem = new_problem(contacts, nv)
        self.partner = np.zeros(contacts.slots, np.int64)  # block of the contact problem that a block belongs to
        self.block = np.zeros(WORDS)
        self.arguments = (context, contact, problem, self.problem, memory, self.partner, *more)
        pack(self.block, self.arguments, kind or ROLLING_FRICTION_CONTEXT)
        addresses = [entry_address(each) for each in entries or ROLLING_FRICTION_ENTRIES]
        first = 0 if memory.rolling_friction[CONTEXT] == 0 else NEXT
        memory.rolling_friction[first : first + NEXT] = [*addresses, address_of(self.block)]


@part
def _call_all(memory, which):
    """Call an entry of resistance, and of creep, where there are such contacts."""
    for first in range(0, memory.rolling_friction.shape[0], NEXT):
        if memory.rolling_friction[first + CONTEXT] != 0:
            call_entry(memory.rolling_friction[first + which], memory.rolling_friction[first + CONTEXT])


@part
def solve_resisted(address, tree, contacts, w, problem, memory, matrix, v):
    """Impulses of the contacts, in turn with those of resistance and creep where there are any; problem.v follows."""
    if memory.rolling_friction[CONTEXT] == 0:
        solve_contacts(address, tree, contacts, w, problem, memory, matrix, v)
        return
    counts = problem.counts[0]
    steps, unsolved, wrong = counts.steps, counts.unsolved, counts.wrong
    for i in range(v.shape[0]):
        memory.before[i] = v[i]
        memory.resisted[i] = 0.0
    _call_all(memory, ROWS)
    for _ in range(ITERATIONS):
        for i in range(v.shape[0]):
            memory.dv[i] += memory.resisted[i]
            problem.v[i] = v[i] + memory.dv[i]
        counts.unsolved, counts.wrong = unsolved, wrong
        solve_contacts(address, tree, contacts, w, problem, memory, matrix, v)
        for i in range(v.shape[0]):
            memory.dv[i] -= memory.resisted[i]
        memory.method[0].change, memory.method[0].size = 0.0, SMALLEST_SIZE
        _call_all(memory, TURN)
        if memory.method[0].change <= memory.method[0].tolerance * memory.method[0].size:
            break
    left = memory.method[0].change / memory.method[0].size
    if left > memory.method[0].tolerance and counts.unsolved == unsolved:
        counts.unsolved += 1
        counts.wrong = wrong + (1 if left > MATTERS else 0)
        counts.worst = max(counts.worst, memory.method[0].change)
        counts.worst_fraction = max(counts.worst_fraction, left)
    counts.steps = steps + 1


@part
def begin_own_block(tree, closures, contacts, cw, w, own, memory, n, s, first):
    """Velocities before, responses, and the impulses of the last step (from `first` in memory.beside) of block n."""
    for k in range(3):
        own.u[n, k] = times_row(contacts, own, n, k, memory.before)
        solve_row(tree, closures, contacts, w, own, 3 * n + k, n)
        own.p[n, k] = dot(get3(cw.frame, s, 3 * k), get3(memory.beside, s, first))
    add_block(contacts, own, n, own.p[n, 0], own.p[n, 1], own.p[n, 2], memory.resisted)
    block_matrix(own, n)


@entry
def rolling_friction_rows(address):
    """Entry ROWS: the blocks of points that resist, with their impulses of the last step."""
    context, contact, problem, own, memory, partner = unpack(address, ROLLING_FRICTION_CONTEXT)
    tree, _, closures, w = unpack(context, REAL_CONTEXT)
    contacts, cw = unpack(contact, CONTACT_CONTEXT)
    n = 0
    for c in range(problem.counts[0].points):
        s = problem.slot[c]
        pair = contacts.slot_pair[s]
        if contacts.rolling[pair] <= 0.0 and contacts.torsion[pair] <= 0.0:
            continue
        own.slot[n], own.size[n], partner[n] = s, 3, c
        put_place(contacts, own, n, s)
        angular_rows(tree, contacts, cw, w, s, own.G, 3 * n)
        begin_own_block(tree, closures, contacts, cw, w, own, memory, n, s, 3)
        n += 1
    own.counts[0].blocks = n


@entry
def rolling_friction_iteration(address):
    """Entry TURN: torque impulses for the normal impulses that the contacts have now; problem.v follows.

    memory.method: how much this changed the velocities in the contacts, and what these are measured by.
    """
    _, contact, problem, own, memory, partner = unpack(address, ROLLING_FRICTION_CONTEXT)
    contacts, cw = unpack(contact, CONTACT_CONTEXT)
    v = problem.v
    for i in range(v.shape[0]):
        own.dq[i] = 0.0  # what changes
    for _ in range(OWN_SWEEPS):
        change, size = 0.0, SMALLEST_SIZE
        for c in range(own.counts[0].blocks):
            d, w = _rotation_block(contacts, problem, own, partner[c], c)
            change, size = max(change, d), max(size, w)
        if change <= ROLLING_CONVERGED * size:
            break
    add_auxiliary_impulses(cw, own, memory, 3)
    measure_change(contacts, problem, own, memory)


@part
def add_auxiliary_impulses(cw, own, memory, first):
    """memory.beside: the impulses of all blocks, in world axes; first: 0 of forces, 3 of torques."""
    for s in range(memory.beside.shape[0]):
        for k in range(first, first + 3):
            memory.beside[s, k] = 0.0
    for c in range(own.counts[0].blocks):
        s = own.slot[c]
        impulse = scale(own.p[c, 0], get3(cw.frame, s, 0))
        impulse = add(impulse, scale(own.p[c, 1], get3(cw.frame, s, 3)))
        put3(memory.beside, s, first, add(impulse, scale(own.p[c, 2], get3(cw.frame, s, 6))))


@part
def measure_change(contacts, problem, own, memory):
    """memory.method: by how much own.dq changes velocities in contacts; memory.resisted follows."""
    method = memory.method[0]
    for i in range(own.dq.shape[0]):
        memory.resisted[i] += own.dq[i]
    for c in range(problem.counts[0].points):
        for k in range(problem.size[c]):
            method.change = max(method.change, abs(times_row(contacts, problem, c, k, own.dq)))
            before = times_row(contacts, problem, c, k, memory.before)
            method.size = max(method.size, abs(before), abs(times_row(contacts, problem, c, k, memory.dv)))


@part
def _rotation_block(contacts, problem, own, partner, c):
    """One block by itself (1); returns the change of an angular velocity, and their size."""
    pair = contacts.slot_pair[own.slot[c]]
    W, p, normal = own.W[c], own.p[c], max(problem.p[partner, 0], 0.0)
    w0 = times_row(contacts, own, c, 0, problem.v)
    w1, w2 = times_row(contacts, own, c, 1, problem.v), times_row(contacts, own, c, 2, problem.v)
    size = max(abs(w0), abs(w1), abs(w2), abs(own.u[c, 0]), abs(own.u[c, 1]), abs(own.u[c, 2]))
    bound, q0 = contacts.torsion[pair] * normal, 0.0
    if bound > 0.0 and W[0, 0] > SMALLEST_SIZE:
        q0 = min(max(p[0] - w0 / W[0, 0], -bound), bound)
    d0 = q0 - p[0]
    b1 = w1 + W[1, 0] * d0 - W[1, 1] * p[1] - W[1, 2] * p[2]
    b2 = w2 + W[2, 0] * d0 - W[2, 1] * p[1] - W[2, 2] * p[2]
    q1, q2 = held(W, 0, 3, contacts.rolling[pair] * normal, (0.0, b1, b2), 0.0)
    d1, d2 = q1 - p[1], q2 - p[2]
    if d0 != 0.0 or d1 != 0.0 or d2 != 0.0:
        p[0], p[1], p[2] = p[0] + d0, p[1] + d1, p[2] + d2
        add_block(contacts, own, c, d0, d1, d2, problem.v)
        add_block(contacts, own, c, d0, d1, d2, own.dq)
    return abs(W[0, 0] * d0) + abs(W[1, 1] * d1) + abs(W[2, 2] * d2), size


@entry
def rolling_friction_end(address):
    """Entry END: the energy that the impulses took, in memory.lost and memory.method."""
    _, contact, _, own, memory, _ = unpack(address, ROLLING_FRICTION_CONTEXT)
    contacts, _ = unpack(contact, CONTACT_CONTEXT)
    count_losses(contacts, own, memory)


@part
def count_losses(contacts, own, memory):
    """Energy that the impulses of all blocks took: minus impulses times mean velocities."""
    for c in range(own.counts[0].blocks):
        lost = 0.0
        for k in range(3):
            lost -= own.p[c, k] * 0.5 * (own.u[c, k] + times_row(contacts, own, c, k, memory.after))
        memory.lost[contacts.element[contacts.slot_pair[own.slot[c]]]] += lost
        memory.method[0].lost += lost


ROLLING_FRICTION_ENTRIES = (rolling_friction_rows, rolling_friction_iteration, rolling_friction_end)


@part
def end_rolling_friction(problem, memory):
    """Close the step; returns the energy that resistance and creep took."""
    if memory.rolling_friction[CONTEXT] == 0:
        return 0.0
    for i in range(problem.v.shape[0]):
        memory.after[i] = problem.v[i]
    memory.method[0].lost = 0.0
    _call_all(memory, END)
    return memory.method[0].lost
