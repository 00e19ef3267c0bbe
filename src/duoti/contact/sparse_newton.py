"""Newton's method for the contact problem of a time step, with a matrix as large as the velocities, within its profile.

Coulomb's law as a projection (Alart & Curnier 1991), with a large r for each block:

    P_n = max(0, p_n - r (u_n + b)),    P_t = the point of the disc of radius mu P_n nearest to p_t - r u_t    (1)

p = P(u) is the solution. One iteration solves A dv + G^T (-dP/du) G dv = G^T (P - p) and takes p := P + dP/du G dv: an
augmented Lagrangian whose multipliers are p, so that redundant contacts (four legs of a table) are no trouble, and
the error falls by about r times the softest direction of W in each iteration, whatever the mass ratios are. Whether a
point sticks, slides or is open is told from (1) with r of the size of 1/W, in which both p and u count. Trees that
touch stand beside each other in the matrix where they do in space.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.contact.arrays import Contacts
from duoti.contact.cones import local_residual
from duoti.contact.geometry import rate_of
from duoti.contact.problem import add_column, block_velocity, lengths_of, times_row
from duoti.kernel import helper, part
from duoti.spatial.algebra import get3
from duoti.system.arrays import Tree

STIFF = 1e7  # r times W
LOOPS = 1e7  # the same for closed loops, times the largest entry of A
MOST_ENTRIES = 4_000_000  # of the matrix within its profile
LEAST = 1e-30


class Matrix(NamedTuple):
    """A square matrix with a symmetric profile, and its factors L U in its place."""

    order: Any  # [nv] place of each rate
    rate: Any  # [nv] rate at each place
    begin: Any  # [nv] first column within the profile of each row
    row: Any  # [nv] where the row begins in the lists below, less `begin`
    lower: Any  # [entries] rows below the diagonal
    upper: Any  # [entries] columns above it
    diagonal: Any  # [nv]
    x: Any  # [nv]
    key: Any  # [trees] where a tree is in space
    sorted: Any  # [trees]
    M: Any  # packed mass matrix
    P: Any  # [capacity, 3]
    slope: Any  # [capacity, 9] -dP/du
    before: Any  # [capacity, 3] impulses of the best iterate


def new_matrix(contacts: Contacts, tree: Tree, capacity: int) -> Matrix:
    """Room for a full matrix, up to a limit."""
    nv, trees = tree.nv, len(contacts.tree_first) - 1
    entries = min(nv * nv // 2 + nv, MOST_ENTRIES)
    whole = lambda n: np.zeros(n, np.int64)  # noqa: E731
    return Matrix(
        whole(nv), whole(nv), whole(nv), whole(nv), np.zeros(entries), np.zeros(entries), np.zeros(nv), np.zeros(nv),
        np.zeros(trees), np.arange(trees, dtype=np.int64), np.zeros(nv + int(np.sum(tree.depth))),
        np.zeros((capacity, 3)), np.zeros((capacity, 9)), np.zeros((capacity, 3)),
    )  # fmt: skip


@part
def arrange(tree, closures, contacts, cw, w, problem, matrix):
    """Places of the rates and the profile for the blocks of a problem; returns the products of a factorisation, or -1.

    Trees are sorted along the axis of the world in which they are furthest apart.
    """
    n, trees = tree.nv, contacts.tree_first.shape[0] - 1
    low0 = low1 = low2 = 1e300
    high0 = high1 = high2 = -1e300
    for b in range(1, tree.nb):
        x, y, z = get3(w.X_WB, b, 9)
        low0, low1, low2 = min(low0, x), min(low1, y), min(low2, z)
        high0, high1, high2 = max(high0, x), max(high1, y), max(high2, z)
    axis = 2
    if high0 - low0 > high1 - low1 and high0 - low0 > high2 - low2:
        axis = 0
    elif high1 - low1 > high2 - low2:
        axis = 1
    for b in range(tree.nb - 1, 0, -1):
        matrix.key[contacts.tree_of[b]] = w.X_WB[b, 9 + axis]
    for i in range(1, trees):  # nearly sorted from the last time
        t = matrix.sorted[i]
        j = i - 1
        while j >= 0 and matrix.key[matrix.sorted[j]] > matrix.key[t]:
            matrix.sorted[j + 1] = matrix.sorted[j]
            j -= 1
        matrix.sorted[j + 1] = t
    place = 0
    for i in range(trees):
        t = matrix.sorted[i]
        first = place
        for k in range(contacts.tree_first[t], contacts.tree_first[t + 1]):
            matrix.order[contacts.tree_rates[k]] = place
            matrix.rate[place] = contacts.tree_rates[k]
            matrix.begin[place] = first
            place += 1
    for c in range(problem.counts[0].blocks):
        t_a, n_a, t_b, n_b = lengths_of(contacts, problem, c)
        if n_a > 0 and n_b > 0:
            a, b = (
                matrix.order[rate_of(contacts, t_a, n_a, t_b, 0)],
                matrix.order[rate_of(contacts, t_a, n_a, t_b, n_a)],
            )
            early, late, count = (a, b, n_b) if a < b else (b, a, n_a)
            for k in range(late, late + count):
                matrix.begin[k] = min(matrix.begin[k], early)
    entries, products = 0, 0
    for i in range(n):
        matrix.row[i] = entries - matrix.begin[i]
        length = i - matrix.begin[i]
        entries += length
        products += length * length
    return -1 if entries > matrix.lower.shape[0] else products


@helper
def _add(matrix, i, j, x):
    """Entry of the rates i and j += x."""
    a, b = matrix.order[i], matrix.order[j]
    if a == b:
        matrix.diagonal[a] += x
    elif a > b:
        matrix.lower[matrix.row[a] + b] += x
    else:
        matrix.upper[matrix.row[b] + a] += x


@part
def _assemble(tree, closures, contacts, w, problem, matrix):
    """A + G^T slope G, closed loops with a large weight."""
    n = tree.nv
    for i in range(n):
        matrix.diagonal[i] = 0.0
        for k in range(matrix.row[i] + matrix.begin[i], matrix.row[i] + i):
            matrix.lower[k] = matrix.upper[k] = 0.0
    largest = 0.0
    for i in range(n):
        x = matrix.M[tree.M_row[i] + tree.depth[i]]
        largest = max(largest, x)
        _add(matrix, i, i, x)
        j = tree.parent_rate[i]
        while j >= 0:
            x = matrix.M[tree.M_row[i] + tree.depth[j]]
            _add(matrix, i, j, x)
            _add(matrix, j, i, x)
            j = tree.parent_rate[j]
    for r in range(closures.rows):
        size = 0.0
        for k in range(closures.support[r], closures.support[r + 1]):
            size += w.G[k] ** 2
        if size <= LEAST:
            continue
        weight = LOOPS * largest / size
        for k in range(closures.support[r], closures.support[r + 1]):
            for m in range(closures.support[r], closures.support[r + 1]):
                _add(matrix, closures.support_rates[k], closures.support_rates[m], weight * w.G[k] * w.G[m])
    for c in range(problem.counts[0].blocks):
        s, size = matrix.slope[c], problem.size[c]
        if s[0] == 0.0:
            continue
        t_a, n_a, t_b, n_b = lengths_of(contacts, problem, c)
        for m in range(n_a + n_b):
            j = rate_of(contacts, t_a, n_a, t_b, m)
            g0 = problem.G[3 * c, m]
            h0, h1, h2 = s[0] * g0, 0.0, 0.0
            if size == 3:
                g1, g2 = problem.G[3 * c + 1, m], problem.G[3 * c + 2, m]
                h1 = s[3] * g0 + s[4] * g1 + s[5] * g2
                h2 = s[6] * g0 + s[7] * g1 + s[8] * g2
            for k in range(n_a + n_b):
                x = problem.G[3 * c, k] * h0
                if size == 3:
                    x += problem.G[3 * c + 1, k] * h1 + problem.G[3 * c + 2, k] * h2
                _add(matrix, rate_of(contacts, t_a, n_a, t_b, k), j, x)


@part
def _factorise(matrix):
    """L U without exchange of rows; returns False if a pivot vanishes."""
    n = matrix.diagonal.shape[0]
    lower, upper = matrix.lower, matrix.upper
    for i in range(n):
        begin, row = matrix.begin[i], matrix.row[i]
        d = matrix.diagonal[i]
        for j in range(begin, i):
            other = matrix.row[j]
            x, y = lower[row + j], upper[row + j]
            for k in range(max(begin, matrix.begin[j]), j):
                x -= lower[row + k] * upper[other + k]
                y -= lower[other + k] * upper[row + k]
            lower[row + j] = x * matrix.diagonal[j]  # which holds the inverse already
            upper[row + j] = y
        for k in range(begin, i):
            d -= lower[row + k] * upper[row + k]
        if not abs(d) > LEAST:
            return False
        matrix.diagonal[i] = 1.0 / d
    return True


@part
def _back(matrix):
    """x := (L U)^-1 x."""
    n, x = matrix.diagonal.shape[0], matrix.x
    for i in range(n):
        s, row = x[i], matrix.row[i]
        for k in range(matrix.begin[i], i):
            s -= matrix.lower[row + k] * x[k]
        x[i] = s
    for i in range(n - 1, -1, -1):
        x[i] *= matrix.diagonal[i]
        row = matrix.row[i]
        for k in range(matrix.begin[i], i):
            x[k] -= matrix.upper[row + k] * x[i]


@part
def _guess(contacts, problem, matrix, normal):
    """P and its slope for the impulses p and the velocities v; the guess decides on stick, slip, open.

    normal = 1: friction is held as it is.
    """
    for c in range(problem.counts[0].blocks):
        P, s, p = matrix.P[c], matrix.slope[c], problem.p[c]
        W = problem.W[c]
        for k in range(9):
            s[k] = 0.0
        for k in range(3):
            P[k] = 0.0
        u0, u1, u2 = block_velocity(contacts, problem, c, problem.v)
        size = W[0, 0] if problem.size[c] == 1 else max(W[0, 0], W[1, 1], W[2, 2])
        if normal == 1:
            size, P[1], P[2] = W[0, 0], p[1], p[2]
        n, r = p[0] - u0 / size, STIFF / size
        if n <= 0.0:
            continue
        P[0], s[0] = p[0] - r * u0, r
        if problem.size[c] == 1 or normal == 1:
            continue
        t1, t2, mu = p[1] - u1 / size, p[2] - u2 / size, problem.mu[c]
        t, bound = (t1 * t1 + t2 * t2) ** 0.5, mu * n
        if t <= bound:
            P[1], P[2], s[4], s[8] = p[1] - r * u1, p[2] - r * u2, r, r
            continue
        e1, e2 = t1 / t, t2 / t
        P[1], P[2] = mu * P[0] * e1, mu * P[0] * e2
        s[3], s[6] = mu * r * e1, mu * r * e2
        f = min(bound / (t - bound), STIFF) / size  # mu p_n / |u_t| at the solution
        s[4], s[5], s[7], s[8] = f * (1.0 - e1 * e1), -f * e1 * e2, -f * e1 * e2, f * (1.0 - e2 * e2)


@part
def residual_of(contacts, problem, normal):
    """The largest residual of Coulomb's law, or of normal velocities alone (normal = 1) [m/s]."""
    worst = 0.0
    for c in range(problem.counts[0].blocks):
        u = block_velocity(contacts, problem, c, problem.v)
        W, p = problem.W[c], problem.p[c]
        if problem.size[c] == 1 or normal == 1:
            worst = max(worst, abs(min(u[0], W[0, 0] * p[0])))
        else:
            rho = 1.0 / max(W[0, 0], W[1, 1], W[2, 2])
            worst = max(worst, local_residual((p[0], p[1], p[2]), u, problem.mu[c], rho))
    return worst


@part
def set_impulses(contacts, problem, free, dv):
    """v = free + dv + Y p: what the impulses make of the velocities, without the errors of former iterations."""
    for i in range(problem.v.shape[0]):
        problem.v[i] = free[i] + dv[i]
    for c in range(problem.counts[0].blocks):
        for k in range(problem.size[c]):
            if problem.p[c, k] != 0.0:
                add_column(contacts, problem, c, k, problem.p[c, k], problem.v)


@part
def newton(tree, closures, contacts, w, problem, matrix, free, dv, tolerance, most, normal):
    """Improve the impulses by Newton's method; returns the residual. Keeps the best that it found.

    normal = 1: the normal ones alone, friction is held as it is.
    """
    n, blocks = tree.nv, problem.counts[0].blocks
    p, best = problem.p, residual_of(contacts, problem, normal)
    for c in range(blocks):
        for k in range(3):
            matrix.before[c, k] = p[c, k]
    misses = 0
    for _ in range(most):
        if best <= tolerance or misses > 4:
            break
        _guess(contacts, problem, matrix, normal)
        _assemble(tree, closures, contacts, w, problem, matrix)
        if not _factorise(matrix):
            break
        for i in range(n):
            matrix.x[i] = 0.0
        for c in range(blocks):
            t_a, n_a, t_b, n_b = lengths_of(contacts, problem, c)
            for k in range(problem.size[c]):
                d = matrix.P[c, k] - p[c, k]
                if d != 0.0:
                    for m in range(n_a + n_b):
                        i = matrix.order[rate_of(contacts, t_a, n_a, t_b, m)]
                        matrix.x[i] += d * problem.G[3 * c + k, m]
        _back(matrix)
        for i in range(n):
            problem.x[matrix.rate[i]] = matrix.x[i]
        for c in range(blocks):
            s, P = matrix.slope[c], matrix.P[c]
            d0 = times_row(contacts, problem, c, 0, problem.x)
            p[c, 0] = P[0] - s[0] * d0
            if problem.size[c] == 3:
                d1, d2 = times_row(contacts, problem, c, 1, problem.x), times_row(contacts, problem, c, 2, problem.x)
                p[c, 1] = P[1] - (s[3] * d0 + s[4] * d1 + s[5] * d2)
                p[c, 2] = P[2] - (s[6] * d0 + s[7] * d1 + s[8] * d2)
        for i in range(n):
            problem.x[i] = 0.0
        set_impulses(contacts, problem, free, dv)
        problem.counts[0].factors += 1
        residual = residual_of(contacts, problem, normal)
        if not residual < 1e300:
            break
        if residual < 0.9 * best:
            misses = 0
        else:
            misses += 1
        if residual < best:
            best = residual
            for c in range(blocks):
                for k in range(3):
                    matrix.before[c, k] = p[c, k]
    for c in range(blocks):  # round-off must not leave a pulling force, nor too much friction
        p[c, 0] = max(0.0, matrix.before[c, 0])
        t1, t2, bound = matrix.before[c, 1], matrix.before[c, 2], problem.mu[c] * p[c, 0]
        t = (t1 * t1 + t2 * t2) ** 0.5
        f = bound / t if t > bound else 1.0
        p[c, 1], p[c, 2] = f * t1, f * t2
    set_impulses(contacts, problem, free, dv)
    return best
