"""Lemke's method for the linear complementarity problem, with the lexicographic ratio test.

    w = M z + q,   z >= 0,  w >= 0,  z . w = 0

(Cottle, Pang & Stone 1992, sections 4.4 and 4.9). The tableau holds the columns of the variables that are not in the
basis only; row i says: basic_i = right_i - sum of T[i, j] nonbasic_j. The lexicographic rule needs the inverse of the
basis matrix, whose column k is that of w_k: one of the tableau, or a unit vector if w_k is basic itself. It makes a
cycle impossible where contacts are redundant and pivots degenerate.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.kernel import ContextType, entry, helper, part, record_dtype, unpack

SOLVED, RAY, TOO_MANY_PIVOTS, NOT_FINITE = 0, 1, 2, 3
TIE = 1e-12  # two ratios that differ by less, relative to the numbers in them, are one
LEAST_PIVOT = 1e-11  # of the largest number in the column: what is below is round-off


LCP_NUMBERS = record_dtype(
    "LcpNumbers",
    most_pivots=int,
    settle=int,  # 1: look whether z is the only solution
    status=int,
    pivots=int,
    unique=int,  # 1: M is symmetric and z the only solution; 0: perhaps not; -1: M is not symmetric
    residual=float,  # largest |min(z, w)|
    scale=float,  # largest |q|
)


class LcpWork(NamedTuple):
    """A problem of n rows, its solution and scratch, packed once: calls from Python hand over an address."""

    numbers: Any  # [1] of type LCP_NUMBERS
    M: Any  # [n, n]
    q: Any  # [n]
    cover: Any  # [n] > 0: the covering vector
    z: Any  # [n]
    w: Any  # [n]
    T: Any  # [n, n + 1] tableau
    right: Any  # [n]
    basic: Any  # [n]
    nonbasic: Any  # [n + 1]; the number of pivots stands last at the end
    place: Any  # [2n + 1] row of a variable in the basis, or -1 - column
    A: Any  # [n, n]
    x: Any  # [n]
    line: Any  # [n + 1] the row of a pivot


def new_lcp_work(n: int) -> LcpWork:
    """Arrays for n rows."""
    whole = lambda k: np.zeros(k, np.int64)  # noqa: E731
    return LcpWork(
        np.zeros(1, LCP_NUMBERS), np.zeros((n, n)), np.zeros(n), np.ones(n), np.zeros(n), np.zeros(n),
        np.zeros((n, n + 1)), np.zeros(n), whole(n), whole(n + 1), whole(2 * n + 1), np.zeros((n, n)), np.zeros(n),
        np.zeros(n + 1),
    )  # fmt: skip


LCP_CONTEXT = ContextType(lambda: (new_lcp_work(1),))


@entry
def lcp_entry(address):
    """Solve the problem in a context: z, w, and `LcpNumbers`."""
    (p,) = unpack(address, LCP_CONTEXT)
    numbers, n = p.numbers[0], p.q.shape[0]
    numbers.scale = 0.0
    numbers.unique, numbers.pivots, numbers.residual = 0, 0, 1e300
    for i in range(n):
        s = abs(p.q[i])
        for j in range(n):
            s += abs(p.M[i, j])
        if not s < 1e300:
            numbers.status = NOT_FINITE
            return
        numbers.scale = max(numbers.scale, abs(p.q[i]))
    numbers.status = solve_lemke(
        p.M, p.q, p.cover, p.T, p.right, p.basic, p.nonbasic, p.place, p.A, p.x, p.line, p.z, numbers.most_pivots
    )
    numbers.pivots = p.nonbasic[n]
    numbers.residual = _complete(p.M, p.q, p.z, p.w, p.basic)
    if numbers.settle == 1 and numbers.status == SOLVED:
        numbers.unique = _only_one(p.M, p.w, p.A, p.basic, numbers.scale)


@part
def _complete(M, q, z, w, order):
    """w = M z + q; returns the largest |min(z, w)|."""
    n, m, worst = q.shape[0], 0, 0.0
    for j in range(n):
        if z[j] != 0.0:
            order[m] = j
            m += 1
    for i in range(n):
        w[i] = q[i] + times_some(M, i, order, m, z)
        worst = max(worst, abs(min(z[i], w[i])))
    return worst


@helper
def times_some(M, i, order, m, z):
    """Row i of M times z, whose entries are zero but for the first m in `order`; four sums, since one would wait."""
    a, b, c, d, k = 0.0, 0.0, 0.0, 0.0, 0
    while k + 3 < m:
        a += M[i, order[k]] * z[order[k]]
        b += M[i, order[k + 1]] * z[order[k + 1]]
        c += M[i, order[k + 2]] * z[order[k + 2]]
        d += M[i, order[k + 3]] * z[order[k + 3]]
        k += 4
    while k < m:
        a += M[i, order[k]] * z[order[k]]
        k += 1
    return (a + b) + (c + d)


@part
def _only_one(M, w, A, rows, scale):
    """1 if M is symmetric and the rows that touch (w = 0) are independent; 0 if they may not be; -1 if unsymmetric."""
    n, m, size, apart = w.shape[0], 0, 0.0, 0.0
    for i in range(n):
        for j in range(i):
            size, apart = max(size, abs(M[i, j])), max(apart, abs(M[i, j] - M[j, i]))
        size = max(size, abs(M[i, i]))
    if apart > 1e-12 * size:
        return -1
    for i in range(n):
        if w[i] <= 1e-9 * scale:
            rows[m] = i
            m += 1
    if m < 2:
        return 1
    least, largest = 1e300, 0.0
    for i in range(m):  # A = L L^T, in place
        for j in range(i + 1):
            A[i, j] = M[rows[i], rows[j]]
    for j in range(m):
        if not A[j, j] > 0.0:
            return 0
        d = A[j, j] ** 0.5
        least, largest = min(least, d), max(largest, d)
        for i in range(j, m):
            A[i, j] /= d
            A[j, i] = A[i, j]  # the column as a row: neighbours in memory
        for i in range(j + 1, m):
            f = A[i, j]
            for k in range(j + 1, i + 1):
                A[i, k] -= f * A[j, k]
    return 1 if least > 1e-4 * largest else 0


@part
def solve_lemke(M, q, cover, T, right, basic, nonbasic, place, A, x, line, z, most_pivots):
    """z of the complementarity problem; returns SOLVED or why not. The arrays are those of `LcpWork`.

    Variables are numbered w: 0..n-1, z: n..2n-1, z0: 2n.
    """
    n = q.shape[0]
    for i in range(n):
        z[i] = 0.0
        for j in range(n):
            T[i, j] = -M[i, j]
        T[i, n] = -cover[i]
        right[i] = q[i]
        basic[i], nonbasic[i] = i, n + i
        place[i], place[n + i] = i, -1 - i
    nonbasic[n], place[2 * n] = 2 * n, -1 - n
    row, least = -1, 0.0
    for i in range(n):
        if not abs(q[i]) < 1e300:
            nonbasic[n] = 0
            return NOT_FINITE
        ratio = q[i] / cover[i]
        if ratio < least or (row >= 0 and ratio == least):  # the last one of equals is the lexicographic choice
            row, least = i, ratio
    pivots = 0
    status = SOLVED
    if row >= 0:
        status = TOO_MANY_PIVOTS
        column = n
        while pivots < most_pivots:
            leaves = basic[row]
            _pivot(T, right, basic, nonbasic, place, line, n, row, column)
            pivots += 1
            if leaves == 2 * n:
                status = SOLVED
                break
            enters = leaves + n if leaves < n else leaves - n
            column = -1 - place[enters]
            row = _blocking_row(T, right, basic, place, n, column)
            if row < 0:
                status = RAY
                break
        for i in range(n):
            if n <= basic[i] < 2 * n:
                z[basic[i] - n] = max(right[i], 0.0)
        if status == SOLVED:
            _refine(M, q, basic, A, x, right, z)
    nonbasic[n] = pivots
    return status


@part
def _pivot(T, right, basic, nonbasic, place, line, n, row, column):
    """Exchange the basic variable of the row with the nonbasic one of the column."""
    p = 1.0 / T[row, column]
    for j in range(n + 1):
        line[j] = T[row, j] * p  # apart from T, so that the loop below needs no care
    right[row] *= p
    for i in range(n):
        f = T[i, column]
        if i == row or f == 0.0:
            continue
        for j in range(n + 1):
            T[i, j] -= f * line[j]
        T[i, column] = -f * p
        right[i] -= f * right[row]
    for j in range(n + 1):
        T[row, j] = line[j]
    T[row, column] = p
    enters, leaves = nonbasic[column], basic[row]
    basic[row], nonbasic[column] = enters, leaves
    place[enters], place[leaves] = row, -1 - column


@helper
def _inverse(T, place, k, i):
    """Entry (i, k) of the inverse of the basis matrix."""
    if place[k] < 0:
        return T[i, -1 - place[k]]
    return 1.0 if place[k] == i else 0.0


@part
def _blocking_row(T, right, basic, place, n, column):
    """The row whose variable becomes zero first when that of the column grows, -1 if none does."""
    largest = 0.0
    for i in range(n):
        largest = max(largest, abs(T[i, column]))
    found, least, size = -1, 0.0, 0.0
    for i in range(n):
        size = max(size, abs(right[i]))
    for i in range(n):
        t = T[i, column]
        if not t > LEAST_PIVOT * largest:
            continue
        ratio = right[i] / t
        if found < 0:
            found, least = i, ratio
            continue
        tie = TIE * (abs(ratio) + abs(least)) + TIE * size / t
        if ratio < least - tie or (ratio <= least + tie and _comes_first(T, basic, place, n, i, found, column)):
            found, least = i, ratio
    return found


@part
def _comes_first(T, basic, place, n, i, k, column):
    """True if, of two equal ratios, row i is taken before row k: that of z0, or by the rows of B^-1 / T[., column]."""
    if basic[i] == 2 * n or basic[k] == 2 * n:
        return basic[i] == 2 * n
    t_i, t_k = T[i, column], T[k, column]
    for j in range(n):
        a, b = _inverse(T, place, j, i) / t_i, _inverse(T, place, j, k) / t_k
        if abs(a - b) > 1e-11 * (abs(a) + abs(b)):
            return a < b
    return False


@part
def _refine(M, q, basic, A, x, right, z):
    """Solve M_BB z_B = -q_B anew, since the tableau has gathered the errors of all pivots; kept if it is better."""
    n, m = q.shape[0], 0
    order = basic  # the z of the basis, in front
    for i in range(n):
        if n <= basic[i] < 2 * n:
            order[m] = basic[i] - n
            m += 1
    for i in range(m):
        x[i] = -q[order[i]]
        for j in range(m):
            A[i, j] = M[order[i], order[j]]
    if m == 0 or not solve_general(A, m, x):
        return
    before = _error(M, q, order, m, z)
    for i in range(m):
        right[i], z[order[i]] = z[order[i]], max(x[i], 0.0)
    if not _error(M, q, order, m, z) < before:
        for i in range(m):
            z[order[i]] = right[i]


@helper
def _error(M, q, order, m, z):
    """How far z, which is zero but for z[order], is from a solution: largest min(z, w) in magnitude."""
    worst = 0.0
    for i in range(q.shape[0]):
        worst = max(worst, abs(min(z[i], q[i] + times_some(M, i, order, m, z))))
    return worst


@part
def solve_general(A, n, x):
    """x := A^-1 x by elimination with row pivots, in place; False if A is singular to round-off."""
    size = 0.0
    for i in range(n):
        for j in range(n):
            size = max(size, abs(A[i, j]))
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(A[i, k]) > abs(A[p, k]):
                p = i
        if not abs(A[p, k]) > 1e-13 * size:
            return False
        if p != k:
            for j in range(n):
                A[k, j], A[p, j] = A[p, j], A[k, j]
            x[k], x[p] = x[p], x[k]
        for i in range(k + 1, n):
            f = A[i, k] / A[k, k]
            if f != 0.0:
                for j in range(k + 1, n):
                    A[i, j] -= f * A[k, j]
                x[i] -= f * x[k]
    for i in range(n - 1, -1, -1):
        s = x[i]
        for j in range(i + 1, n):
            s -= A[i, j] * x[j]
        x[i] = s / A[i, i]
    return True
