"""Positions of points that rest on each other: what overlaps at the end of a step is taken out without velocities.

    dq = A^-1 G_n^T s,    0 <= s + h/2 p_n  ⟂  min(0, g + h/2 u_n) + G_n dq >= 0                                (1)

with the gap g in the middle of the step, the velocity u_n after it and the normal impulse p_n of the step: the shortest
way in the metric of the mass matrix. An impulse p_n in the middle of the step, where the method has it, moves points by
h/2 A^-1 G_n^T p_n until its end, and by nothing if it comes at the end: what presses on each other holds together up to
that, and the bricks of a wall on which another one falls do not part by the way. It is the contact problem of
a step without friction for h/2 p_n + s, and solved as such. Where the bodies of an island touch only what cannot
move, h/2 p_n and
min are left out: with them, and with `impact_times`, a crate on a field and a bowl in a bowl (meshes on ground) came to
another motion and a deeper overlap, and it is not known why.
"""

from __future__ import annotations

from duoti.contact.solve.block_matrix import list_members, take_everything, take_island
from duoti.contact.solve.branch_newton import path_newton
from duoti.contact.solve.branch_sparse import add_along, along_path, path_ends
from duoti.contact.solve.islands import touches
from duoti.contact.solve.problem import add_column, times_row
from duoti.contact.solve.sparse_newton import NORMAL, STIFF, newton, set_impulses
from duoti.kernel import helper, part

OVERLAP = 1e-10  # m that points may overlap before positions are corrected
POSITIONS_CONVERGED = 1e-15  # m
FAR_OFF = 1.0  # m: gap of a point that is left alone
FEW_SWEEPS, MOST_NEWTON = 30, 30


@part
def overlapping(problem, h, slow):
    """How many points overlap at the end of a step, of those with u_n of at most `slow`: others part by themselves.

    dq and problem.shift become zero.
    """
    wanted = 0
    for i in range(problem.dq.shape[0]):
        problem.dq[i] = 0.0
    for c in range(problem.counts[0].points):
        problem.shift[c] = 0.0
        if _rests(problem, c, slow) and _overlap(problem, c, h) < -OVERLAP:
            wanted += 1
    return wanted


@part
def correct_positions(closures, contacts, w, problem, matrix, nothing, h, slow, sparse):
    """dq += (1) and its impulses s, in problem.shift, of points with u_n of at most `slow`. Needs `overlapping`.

    nothing: nv zeros; sparse: 1 if the matrix has its places for this problem. Each island by itself.
    """
    counts = problem.counts[0]
    for c in range(counts.points):
        problem.hold[c] = 0.5 * h if touches(problem, matrix, c) else 0.0
    if sparse == 0:
        take_everything(problem, matrix, counts.blocks)
        _sweep_positions(contacts, problem, h, slow)
        return
    list_members(problem, matrix)
    for i in range(matrix.counts[0].islands):
        take_island(problem, matrix, i)
        last = counts.end
        for k in range(counts.begin, last):  # joints stand behind points
            if problem.member[k] >= counts.points:
                counts.end = k
                break
        if _any_overlaps(problem, h, slow) and _sweep_positions(contacts, problem, h, slow) > POSITIONS_CONVERGED:
            _by_newton(closures, contacts, w, problem, matrix, nothing, h, slow)


@helper
def _any_overlaps(problem, h, slow):
    """Whether there is something to do in an island."""
    for k in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[k]
        if _rests(problem, c, slow) and problem.gap[c] + 0.5 * h * problem.u[c, 0] < -OVERLAP:
            return True
    return False


@helper
def _rests(problem, c, slow):
    """Whether the points of a block press on each other and do not part by themselves."""
    return problem.u[c, 0] <= slow and problem.p[c, 0] > 0.0


@helper
def _overlap(problem, c, h):
    """The gap at the end of the step; none above zero of points that hold together [m]."""
    gap = problem.gap[c] + 0.5 * h * problem.u[c, 0]
    return gap if problem.hold[c] == 0.0 else min(0.0, gap)


@helper
def _step(problem, c, h, moved):
    """What s of a block changes by, if all others stay; moved: G_n dq."""
    wanted = -(_overlap(problem, c, h) + moved) / problem.W[c, 0, 0]
    return max(-problem.hold[c] * problem.p[c, 0] - problem.shift[c], wanted)


@part
def _sweep_positions(contacts, problem, h, slow):
    """Gauss-Seidel; returns the last change [m]."""
    change = 0.0
    for _ in range(FEW_SWEEPS):
        change = 0.0
        for k in range(problem.counts[0].begin, problem.counts[0].end):
            c = problem.member[k]
            if c >= problem.counts[0].points or not _rests(problem, c, slow):
                continue
            d = _step(problem, c, h, times_row(contacts, problem, c, 0, problem.dq))
            if d != 0.0:
                problem.shift[c] += d
                add_column(contacts, problem, c, d, problem.dq)
                change = max(change, abs(d * problem.W[c, 0, 0]))
        if change <= POSITIONS_CONVERGED:
            break
    return change


@part
def _by_newton(closures, contacts, w, problem, matrix, nothing, h, slow):
    """The same by Newton's method: p, b and v of the problem stand for h/2 p_n + s, overlaps and dq meanwhile."""
    v, kept, without = problem.v, problem.dq, matrix.v
    _exchange(contacts, matrix, v, kept)
    for k in range(matrix.counts[0].begin, matrix.counts[0].end):
        t = matrix.order[k]
        for j in range(contacts.tree_first[t], contacts.tree_first[t + 1]):
            without[contacts.tree_dofs[j]] = v[contacts.tree_dofs[j]]
    for k in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[k]
        if _rests(problem, c, slow):
            add_column(contacts, problem, c, -problem.hold[c] * problem.p[c, 0] - problem.shift[c], without)
    _begin_newton(problem, h, slow)
    set_impulses(contacts, problem, matrix, without, nothing)
    wanted = 10.0 * POSITIONS_CONVERGED
    newton(closures, contacts, w, problem, matrix, without, nothing, wanted, wanted, MOST_NEWTON, NORMAL, STIFF)
    _end_newton(problem, slow)
    _exchange(contacts, matrix, v, kept)


@helper
def _exchange(contacts, matrix, x, y):
    """Rates of the trees that are worked on, of two vectors."""
    for k in range(matrix.counts[0].begin, matrix.counts[0].end):
        t = matrix.order[k]
        for j in range(contacts.tree_first[t], contacts.tree_first[t + 1]):
            i = contacts.tree_dofs[j]
            x[i], y[i] = y[i], x[i]


@part
def _begin_newton(problem, h, slow):
    """h/2 p_n + s and overlaps stand for p and b, which are kept."""
    p, b, kept = problem.p, problem.b, problem.kept
    for k in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[k]
        kept[c, 0], kept[c, 1], kept[c, 2], kept[c, 3] = p[c, 0], p[c, 1], p[c, 2], b[c, 0]
        rests = _rests(problem, c, slow)
        b[c, 0] = _overlap(problem, c, h) if rests else FAR_OFF
        p[c, 0], p[c, 1], p[c, 2] = problem.hold[c] * p[c, 0] + problem.shift[c] if rests else 0.0, 0.0, 0.0


@part
def _end_newton(problem, slow):
    """The solution in problem.shift; p and b as before."""
    p, b, kept = problem.p, problem.b, problem.kept
    for k in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[k]
        found = p[c, 0]
        p[c, 0], p[c, 1], p[c, 2], b[c, 0] = kept[c, 0], kept[c, 1], kept[c, 2], kept[c, 3]
        problem.shift[c] = found - problem.hold[c] * p[c, 0] if _rests(problem, c, slow) else 0.0


@part
def correct_along_paths(tree, w, problem, matrix, h, slow):
    """The same where all points are along paths (`branch_sparse`), so that no two bodies hold together."""
    paths, blocks, change = problem.paths, problem.counts[0].points, 0.0
    for i in range(paths.y.shape[0]):
        paths.y[i] = 0.0
    for _ in range(FEW_SWEEPS):
        change = 0.0
        for c in range(blocks):
            if not _rests(problem, c, slow):
                continue
            moved, _, _ = along_path(paths, paths.Z, c, paths.y)
            d = _step(problem, c, h, moved)
            if d != 0.0:
                problem.shift[c] += d
                add_along(paths, c, d, 0.0, 0.0, paths.y)
                change = max(change, abs(d * problem.W[c, 0, 0]))
        if change <= POSITIONS_CONVERGED:
            break
    if change > POSITIONS_CONVERGED:
        for c in range(blocks):
            paths.u[c, 0] = paths.u[c, 1] = paths.u[c, 2] = 0.0
        take_everything(problem, matrix, blocks)
        _begin_newton(problem, h, slow)
        wanted, all_blocks = 10.0 * POSITIONS_CONVERGED, problem.counts[0].blocks
        problem.counts[0].blocks = blocks
        path_newton(tree, problem, matrix, wanted, wanted, MOST_NEWTON, NORMAL, STIFF)
        problem.counts[0].blocks = all_blocks
        _end_newton(problem, slow)
    path_ends(tree, w.M, paths)
    for i in range(tree.nv):
        problem.dq[i] = paths.x[i]
