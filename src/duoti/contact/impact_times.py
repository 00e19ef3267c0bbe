"""Where bodies are after an impact: it happens when points meet, and not in the middle of the step.

Points that come fast overlap in the middle of a step, where the method has their impact. If it was a time e earlier,

    dq = e (v' - v),    e = overlap / (u_n' - u_n)                                                              (1)

is missing, with the velocities before and after the step. All that touches each other and changes its velocity
(an island) moves by this together, with one e, so that points that rest on each other in both velocities go on to do so and friction holds what
it holds: the correction of overlaps by normal impulses alone (`positions`), which is left with what remains, would part
bricks of a wall on which another one falls. With several impacts in an island, e is that of the last one.
"""

from __future__ import annotations

from duoti.contact.block_matrix import tree_size
from duoti.contact.problem import times_row
from duoti.kernel import helper, part

NEVER = 1e300


@helper
def _root(island, t):
    """The tree that stands for the island of a tree."""
    while island[t] != t:
        island[t] = island[island[t]]
        t = island[t]
    return t


@part
def _side_moves(contacts, problem, c, side, v, least):
    """Whether a point of block c would be elsewhere by more than `least` [m/s] if v' were v; side: 0 of a, 1 of b."""
    first, begin = problem.place[c, 2 * side], side * problem.place[c, 1]
    for row in range(3 * c, 3 * c + problem.size[c]):
        change = 0.0
        for k in range(problem.place[c, 2 * side + 1]):
            i = contacts.tree_rates[first + k]
            change += problem.G[row, begin + k] * (problem.v[i] - v[i])
        if abs(change) > least:
            return True
    return False


@part
def _find_islands(contacts, problem, matrix, v, least):
    """matrix.island: trees that press on each other are one, if both change their velocities there."""
    island = matrix.island
    for t in range(island.shape[0]):
        island[t] = t
    for c in range(problem.counts[0].blocks):
        if problem.p[c, 0] <= 0.0 or not _side_moves(contacts, problem, c, 0, v, least):
            continue
        if _side_moves(contacts, problem, c, 1, v, least):
            island[_root(island, problem.place[c, 4])] = _root(island, problem.place[c, 5])


@part
def move_by_impacts(contacts, problem, matrix, v, dv, lost, h, slow, least):
    """dq (1) of the islands in which points overlap at the end of the step and came faster than `slow`.

    v: rates before the step, dv: their change without contacts; least: overlap that counts [m]. What the motion takes
    from the potential is added to `lost` of the element; returns the sum.
    """
    island, early, moved = matrix.island, matrix.early, 0
    for t in range(early.shape[0]):
        early[t] = NEVER
    for c in range(problem.counts[0].blocks):
        after = problem.u[c, 0]
        overlap, came = -problem.gap[c] - 0.5 * h * after, -times_row(contacts, problem, c, 0, v)
        if problem.p[c, 0] <= 0.0 or after > slow or overlap <= least or came <= slow:
            continue
        if moved == 0:
            _find_islands(contacts, problem, matrix, v, least / h)
            moved = 1
        e = min(overlap / (came + after), h)
        for side in range(2):
            t = _root(island, problem.place[c, 4 + side])
            if problem.place[c, 1 + 2 * side] > 0 and e < early[t]:
                early[t], matrix.struck[t] = e, c
    total = 0.0
    for t in range(early.shape[0] if moved == 1 else 0):
        root, taken = _root(island, t), 0.0
        e = early[root]
        if e == NEVER:
            continue
        first, n, at = contacts.tree_first[t], tree_size(contacts, t), matrix.diagonal[t]
        for k in range(n):
            i = contacts.tree_rates[first + k]
            problem.dq[i] = e * (problem.v[i] - v[i])
        for k in range(n):
            for m in range(n):
                force = matrix.mass[at + k * n + m] * dv[contacts.tree_rates[first + m]] / h
                taken += force * problem.dq[contacts.tree_rates[first + k]]
        lost[contacts.element[contacts.slot_pair[problem.slot[matrix.struck[root]]]]] += taken
        total += taken
    return total
