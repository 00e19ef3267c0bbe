"""Positions of points that rest on each other: what overlaps at the end of a step is taken out without velocities.

    dq = A^-1 G_n^T s,    0 <= s  ⟂  g + h/2 u_n + G_n dq >= 0                                                  (1)

with the gap g in the middle of the step and the velocity u_n after it: the shortest way in the metric of the mass
matrix. It is the contact problem of a step without friction, and solved as such.
"""

from __future__ import annotations

from duoti.contact.path_newton import path_newton
from duoti.contact.paths import add_along, along_path, path_ends
from duoti.contact.problem import add_column, times_row
from duoti.contact.sparse_newton import NORMAL, newton
from duoti.kernel import part

OVERLAP = 1e-10  # m that points may overlap before positions are corrected
SETTLED = 1e-15  # m
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
    for c in range(problem.counts[0].blocks):
        problem.shift[c] = 0.0
        resting = problem.u[c, 0] <= slow and problem.p[c, 0] > 0.0
        if resting and problem.gap[c] + 0.5 * h * problem.u[c, 0] < -OVERLAP:
            wanted += 1
    return wanted


@part
def correct_positions(closures, contacts, w, problem, matrix, nothing, h, slow, sparse):
    """dq (1) and its impulses s, in problem.shift, of points with u_n of at most `slow`. Needs `overlapping`.

    nothing: nv zeros; sparse: 1 if the matrix has its places for this problem.
    """
    left = _sweep_positions(contacts, problem, h, slow)
    if left > SETTLED and sparse == 1:
        _by_newton(closures, contacts, w, problem, matrix, nothing, h, slow)


@part
def _sweep_positions(contacts, problem, h, slow):
    """Gauss-Seidel; returns the last change [m]."""
    change = 0.0
    for _ in range(FEW_SWEEPS):
        change = 0.0
        for c in range(problem.counts[0].blocks):
            if problem.u[c, 0] > slow or problem.p[c, 0] <= 0.0:
                continue
            g = problem.gap[c] + 0.5 * h * problem.u[c, 0] + times_row(contacts, problem, c, 0, problem.dq)
            d = max(0.0, problem.shift[c] - g / problem.W[c, 0, 0]) - problem.shift[c]
            if d != 0.0:
                problem.shift[c] += d
                add_column(contacts, problem, c, d, problem.dq)
                change = max(change, abs(d * problem.W[c, 0, 0]))
        if change <= SETTLED:
            break
    return change


@part
def _by_newton(closures, contacts, w, problem, matrix, nothing, h, slow):
    """The same by Newton's method: p, b and v of the problem stand for s, g + h/2 u_n and dq meanwhile."""
    v = problem.v
    for i in range(v.shape[0]):
        v[i], problem.dq[i] = problem.dq[i], v[i]
    _begin_newton(problem, h, slow)
    wanted = 10.0 * SETTLED
    newton(closures, contacts, w, problem, matrix, nothing, nothing, wanted, wanted, MOST_NEWTON, NORMAL)
    _end_newton(problem)
    for i in range(v.shape[0]):
        v[i], problem.dq[i] = problem.dq[i], v[i]


@part
def _begin_newton(problem, h, slow):
    """s and g + h/2 u_n stand for p and b, which are kept."""
    p, b, kept = problem.p, problem.b, problem.kept
    for c in range(problem.counts[0].blocks):
        kept[c, 0], kept[c, 1], kept[c, 2], kept[c, 3] = p[c, 0], p[c, 1], p[c, 2], b[c, 0]
        rests = problem.u[c, 0] <= slow and p[c, 0] > 0.0
        b[c, 0] = problem.gap[c] + 0.5 * h * problem.u[c, 0] if rests else FAR_OFF
        p[c, 0], p[c, 1], p[c, 2] = problem.shift[c], 0.0, 0.0


@part
def _end_newton(problem):
    """The solution in problem.shift; p and b as before."""
    p, b, kept = problem.p, problem.b, problem.kept
    for c in range(problem.counts[0].blocks):
        problem.shift[c] = p[c, 0]
        p[c, 0], p[c, 1], p[c, 2], b[c, 0] = kept[c, 0], kept[c, 1], kept[c, 2], kept[c, 3]


@part
def correct_along_paths(tree, w, problem, matrix, h, slow):
    """The same where all points are along paths (`contact.paths`)."""
    paths, blocks, change = problem.paths, problem.counts[0].blocks, 0.0
    for i in range(paths.y.shape[0]):
        paths.y[i] = 0.0
    for _ in range(FEW_SWEEPS):
        change = 0.0
        for c in range(blocks):
            if problem.u[c, 0] > slow or problem.p[c, 0] <= 0.0:
                continue
            moved, _, _ = along_path(paths, paths.Z, c, paths.y)
            g = problem.gap[c] + 0.5 * h * problem.u[c, 0] + moved
            d = max(0.0, problem.shift[c] - g / problem.W[c, 0, 0]) - problem.shift[c]
            if d != 0.0:
                problem.shift[c] += d
                add_along(paths, c, d, 0.0, 0.0, paths.y)
                change = max(change, abs(d * problem.W[c, 0, 0]))
        if change <= SETTLED:
            break
    if change > SETTLED:
        for c in range(blocks):
            paths.u[c, 0] = paths.u[c, 1] = paths.u[c, 2] = 0.0
        _begin_newton(problem, h, slow)
        wanted = 10.0 * SETTLED
        path_newton(tree, problem, matrix, wanted, wanted, MOST_NEWTON, NORMAL)
        _end_newton(problem)
    path_ends(tree, w.M, paths)
    for i in range(tree.nv):
        problem.dq[i] = paths.x[i]
