"""Creep forces of rolling contacts beside the other impulses of a step of Moreau and Jean's method.

They are solved in turn with the contact problem of the step. The rows of their points are kept in a `Problem` of their
own, whose p are impulses along n, t1, t2 and whose u are velocities before the step. The laws are in `moreau.creep`,
compiled when a system has such a contact.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from duoti.contact.collide.arrays import Contacts, example_contacts
from duoti.contact.solve.problem import Problem, add_block, block_matrix, new_problem, times_row
from duoti.integrate.moreau.branch_problem import solve_contacts
from duoti.integrate.moreau.contact_problem import MATTERS, MoreauMemory, new_moreau_memory, solve_row, well
from duoti.kernel import ContextType, address_of, call_entry, entry_address, pack, part
from duoti.spatial.algebra import add, dot, get3, put3, scale
from duoti.system.context import example_tree

ROWS, TURN, END, CONTEXT = range(4)  # in MoreauMemory.creep
ITERATIONS = 200
CREEP_CONVERGED = 1e-11  # part of the largest velocity: an iteration that changes no more is the last
SMALLEST_SIZE = 1e-300
WORDS = 512  # room for what is packed


def auxiliary_example() -> tuple[Any, ...]:
    """What a context holds, for its types."""
    contacts, tree = example_contacts(), example_tree()
    problem = new_problem(contacts, 1)
    return 0, 0, problem, problem, new_moreau_memory(contacts, tree, 1), np.zeros(1, np.int64)


class AuxiliaryRows:
    """Rows of points with forces of their own; it must live as long as the loop that uses it.

    entries: ROWS, TURN and END, with what their context has more.
    """

    def __init__(
        self, context: int, contact: int, contacts: Contacts, nv: int, problem: Problem, memory: MoreauMemory,
        entries: tuple[Any, ...], kind: ContextType, more: tuple[Any, ...],
    ):  # fmt: skip
        self.problem = new_problem(contacts, nv)
        self.partner = np.zeros(contacts.slots, np.int64)  # block of the contact problem that a block belongs to
        self.block = np.zeros(WORDS)
        self.arguments = (context, contact, problem, self.problem, memory, self.partner, *more)
        pack(self.block, self.arguments, kind)
        memory.creep[:] = [*(entry_address(each) for each in entries), address_of(self.block)]


@part
def solve_with_creep(address, tree, contacts, w, problem, memory, matrix, v):
    """Impulses of the contact problem, in turn with those of creep where there is any; problem.v follows."""
    if memory.creep[CONTEXT] == 0:
        solve_contacts(address, tree, contacts, w, problem, memory, matrix, v)
        return
    counts = problem.counts[0]
    steps, unsolved, wrong = counts.steps, counts.unsolved, counts.wrong
    for i in range(v.shape[0]):
        memory.before[i] = v[i]
        memory.crept[i] = 0.0
    call_entry(memory.creep[ROWS], memory.creep[CONTEXT])
    for _ in range(ITERATIONS):
        for i in range(v.shape[0]):
            memory.dv[i] += memory.crept[i]
            problem.v[i] = v[i] + memory.dv[i]
        counts.unsolved, counts.wrong = unsolved, wrong
        solve_contacts(address, tree, contacts, w, problem, memory, matrix, v)
        for i in range(v.shape[0]):
            memory.dv[i] -= memory.crept[i]
        memory.method[0].change, memory.method[0].size = 0.0, SMALLEST_SIZE
        call_entry(memory.creep[TURN], memory.creep[CONTEXT])
        enough = (
            memory.method[0].tolerance if counts.blocks == counts.points else well(problem) * memory.method[0].tolerance
        )
        if memory.method[0].change <= enough * memory.method[0].size:
            break
    left = memory.method[0].change / memory.method[0].size
    if left > memory.method[0].tolerance and counts.unsolved == unsolved:
        counts.unsolved += 1
        counts.wrong = wrong + (1 if left > MATTERS else 0)
        counts.worst = max(counts.worst, memory.method[0].change)
        counts.worst_fraction = max(counts.worst_fraction, left)
    counts.steps = steps + 1


@part
def begin_own_block(tree, closures, contacts, cw, w, own, memory, n, s):
    """Velocities before, responses, and the impulses of the last step of block n."""
    for k in range(3):
        own.u[n, k] = times_row(contacts, own, n, k, memory.before)
        solve_row(tree, closures, contacts, w, own, 3 * n + k, n)
        own.p[n, k] = dot(get3(cw.frame, s, 3 * k), get3(memory.beside, s, 0))
    add_block(contacts, own, n, own.p[n, 0], own.p[n, 1], own.p[n, 2], memory.crept)
    block_matrix(own, n)


@part
def put_auxiliary_impulses(cw, own, memory):
    """memory.beside: the impulses of all blocks, in world axes."""
    for s in range(memory.beside.shape[0]):
        for k in range(3):
            memory.beside[s, k] = 0.0
    for c in range(own.counts[0].blocks):
        s = own.slot[c]
        impulse = scale(own.p[c, 0], get3(cw.frame, s, 0))
        impulse = add(impulse, scale(own.p[c, 1], get3(cw.frame, s, 3)))
        put3(memory.beside, s, 0, add(impulse, scale(own.p[c, 2], get3(cw.frame, s, 6))))


@part
def measure_change(contacts, problem, own, memory):
    """memory.method: by how much own.dq changes velocities in contacts; memory.crept follows."""
    method = memory.method[0]
    for i in range(own.dq.shape[0]):
        memory.crept[i] += own.dq[i]
    for c in range(problem.counts[0].points):
        for k in range(problem.size[c]):
            method.change = max(method.change, abs(times_row(contacts, problem, c, k, own.dq)))
            before = times_row(contacts, problem, c, k, memory.before)
            method.size = max(method.size, abs(before), abs(times_row(contacts, problem, c, k, memory.dv)))


@part
def count_losses(contacts, own, memory):
    """Energy that the impulses of all blocks took: minus impulses times mean velocities."""
    for c in range(own.counts[0].blocks):
        lost = 0.0
        for k in range(3):
            lost -= own.p[c, k] * 0.5 * (own.u[c, k] + times_row(contacts, own, c, k, memory.after))
        memory.lost[contacts.element[contacts.slot_pair[own.slot[c]]]] += lost
        memory.method[0].lost += lost


@part
def end_creep(problem, memory):
    """Close the step; returns the energy that creep took."""
    if memory.creep[CONTEXT] == 0:
        return 0.0
    for i in range(problem.v.shape[0]):
        memory.after[i] = problem.v[i]
    memory.method[0].lost = 0.0
    call_entry(memory.creep[END], memory.creep[CONTEXT])
    return memory.method[0].lost
