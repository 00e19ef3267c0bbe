"""Where bodies are after an impact: it happens when points meet, and not in the middle of the step.

Points that come fast overlap in the middle of a step, where the method has their impact. If it was a time e earlier,

    dq = e (v' - v),    e = overlap / (u_n' - u_n)                                                              (1)

is missing, with the velocities before and after the step. All that touches each other and changes its velocity there
(an island) moves by this together, with one e, so that points that rest on each other in both velocities go on to do so
and friction holds what it holds. The correction of overlaps by normal impulses alone (`positions`), which is left with
what remains, would part bricks of a wall on which another one falls. With several impacts in an island, e is that of
the first one, but so that no other is left with a gap that gravity does not close in a step. Where bodies touch only
what cannot move, this is not done: see `positions`.
"""

from __future__ import annotations

from duoti.contact.collide.geometry import row_lengths
from duoti.contact.solve.islands import root_of, touches
from duoti.contact.solve.problem import times_velocities
from duoti.kernel import helper, part

NEVER = 1e300


@part
def _side_moves(contacts, problem, c, side, v, least):
    """Whether a point of block c would be elsewhere by more than `least` [m/s] if v' were v; side: 0 of a, 1 of b."""
    first, begin = problem.place[c, 2 * side], side * problem.place[c, 1]
    for row in range(3 * c, 3 * c + problem.size[c]):
        change = 0.0
        for k in range(problem.place[c, 2 * side + 1]):
            i = contacts.tree_dofs[first + k]
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
    for c in range(problem.counts[0].points):
        if problem.p[c, 0] <= 0.0 or not _side_moves(contacts, problem, c, 0, v, least):
            continue
        if _side_moves(contacts, problem, c, 1, v, least):
            island[root_of(island, problem.place[c, 4])] = root_of(island, problem.place[c, 5])


@part
def _find_times(contacts, problem, matrix, v, h, slow, least):
    """matrix.early and struck; returns False if there are no such impacts."""
    island, early, found = matrix.island, matrix.early, False
    for c in range(problem.counts[0].points):
        after = problem.u[c, 0]
        overlap = -problem.gap[c] - 0.5 * h * after
        if problem.p[c, 0] <= 0.0 or after > slow or overlap <= least or not touches(problem, matrix, c):
            continue
        came = -times_velocities(contacts, problem, c, v)[0]
        if came <= slow:
            continue
        if not found:
            _find_islands(contacts, problem, matrix, v, least / h)
            for t in range(early.shape[0]):
                early[t, 0], early[t, 1] = 0.0, NEVER
            found = True
        e, (t_a, n_a, t_b, n_b) = min(overlap / (came + after), h), row_lengths(contacts, problem.slot[c])
        for t, n in ((t_a, n_a), (t_b, n_b)):
            root = root_of(island, t)
            if n > 0:
                early[root, 1] = min(early[root, 1], e + slow * h / (came + after))
                if e > early[root, 0]:
                    early[root, 0], matrix.impact_block[root] = e, c
    return found


@helper
def _times_factor(tree, L, i, x):
    """Row i of L x, for the factor of the mass matrix with its inverse diagonal."""
    row, j = tree.M_row[i], tree.parent_dof[i]
    s = x[i] / L[row + tree.depth[i]]
    while j >= 0:
        s += L[row + tree.depth[j]] * x[j]
        j = tree.parent_dof[j]
    return s


@part
def move_by_impacts(tree, contacts, w, problem, matrix, v, dv, lost, h, slow, least):
    """dq := (1) of the islands in which points overlap at the end of the step and came faster than `slow`.

    v: velocities before the step, dv: their change without contacts; least: overlap that counts [m]. What the motion
    takes from the potential is added to `lost` of the element; returns the sum. Needs the factor of the mass matrix in
    w.M.
    """
    if not _find_times(contacts, problem, matrix, v, h, slow, least):
        return 0.0
    total, dq = 0.0, problem.dq
    for t in range(matrix.early.shape[0]):
        root, taken = root_of(matrix.island, t), 0.0
        e = min(matrix.early[root, 0], matrix.early[root, 1])
        if e == 0.0:
            continue
        for k in range(contacts.tree_first[t], contacts.tree_first[t + 1]):
            i = contacts.tree_dofs[k]
            dq[i] = e * (problem.v[i] - v[i])
        for k in range(contacts.tree_first[t], contacts.tree_first[t + 1]):
            i = contacts.tree_dofs[k]
            taken += _times_factor(tree, w.M, i, dv) * _times_factor(tree, w.M, i, dq) / h
        lost[contacts.element[contacts.slot_pair[problem.slot[matrix.impact_block[root]]]]] += taken
        total += taken
    return total
