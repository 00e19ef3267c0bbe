"""Lemke's method for the linear complementarity problem, with the lexicographic ratio test.

    w = M z + q,   z >= 0,  w >= 0,  z . w = 0

(Cottle, Pang & Stone 1992, sections 4.4 and 4.9). The tableau holds the columns of the variables that are not in the
basis only; row i says: basic_i = right_i - sum of T[i, j] nonbasic_j. The lexicographic rule needs the inverse of the
basis matrix, whose column k is that of w_k: one of the tableau, or a unit vector if w_k is basic itself. It makes a
cycle impossible where contacts are redundant and pivots degenerate.

A pivot in row r and column c, with the column f and p = 1 / f_r, is an update of rank one once that row and that column
are cleared: T -= g l^T, l = p T[r, :] with l_c = p, and g = f with g_r = -1. Up to PENDING such updates wait until they
are done together, in one pass through the tableau; what a pivot needs of it, a row and a column, is made up to date
by itself.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.contact.solve.elimination import NONE, largest_of, least_of, solve_general
from duoti.kernel import ContextType, entry, helper, part, record_dtype, unpack

SOLVED, RAY, TOO_MANY_PIVOTS, NOT_FINITE = 0, 1, 2, 3
TIE = 1e-12  # two ratios that differ by less, relative to the numbers in them, are one
LEAST_PIVOT = 1e-11  # of the largest number in the column: what is below is round-off
PENDING = 4  # updates of the tableau that are done together
EXACT = 1e-13  # part of the largest |q|: a residual that is small enough without a look at another solution's


LCP_NUMBERS = record_dtype(
    "LcpNumbers",
    most_pivots=int,
    check_unique=int,  # 1: look whether z is the only solution
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
    T: Any  # [n, n + 1] tableau, but for what is pending
    g: Any  # [PENDING, n] columns of the updates that are pending ...
    l: Any  # [PENDING, n + 1] ... and rows
    f: Any  # [n] a column of the tableau
    right: Any  # [n]
    basic: Any  # [n]
    nonbasic: Any  # [n + 1]
    place: Any  # [2n + 1] row of a variable in the basis, or -1 - column
    A: Any  # [n, n]
    x: Any  # [n]


def new_lcp_work(n: int) -> LcpWork:
    """Arrays for n rows."""
    integers = lambda k: np.zeros(k, np.int64)  # noqa: E731
    return LcpWork(
        np.zeros(1, LCP_NUMBERS), np.zeros((n, n)), np.zeros(n), np.ones(n), np.zeros(n), np.zeros(n),
        np.zeros((n, n + 1)), np.zeros((PENDING, n)), np.zeros((PENDING, n + 1)), np.zeros(n), np.zeros(n), integers(n),
        integers(n + 1), integers(2 * n + 1), np.zeros((n, n)), np.zeros(n),
    )  # fmt: skip


LCP_CONTEXT = ContextType(lambda: (new_lcp_work(1),))


@entry
def lcp_entry(address):
    """Solve the problem in a context: z, w, and `LcpNumbers`."""
    (p,) = unpack(address, LCP_CONTEXT)
    numbers, n = p.numbers[0], p.q.shape[0]
    numbers.unique, numbers.pivots, numbers.residual = 0, 0, 1e300
    numbers.scale = largest_of(p.q, n)
    numbers.status = _solve_lemke(p, numbers)
    if numbers.status == NOT_FINITE:
        return
    if numbers.residual == 1e300:
        numbers.residual = _complete(p, p.basic, _positive(p.z, p.basic))
    if numbers.check_unique == 1 and numbers.status == SOLVED:
        numbers.unique = _only_one(p.M, p.w, p.A, p.basic, numbers.scale)


@helper
def _positive(z, order):
    """Puts the places of what is not zero in front of `order`; returns how many there are."""
    m = 0
    for j in range(z.shape[0]):
        order[m] = j
        m += 1 if z[j] != 0.0 else 0
    return m


@part
def _complete(p, order, m):
    """w = M z + q, z zero but for the first m in `order`; returns the largest |min(z, w)|."""
    M, q, z, w, worst = p.M, p.q, p.z, p.w, 0.0
    for i in range(q.shape[0]):
        w[i] = q[i] + times_some(M, i, order, m, z)
    for i in range(q.shape[0]):
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
    n, m, size = w.shape[0], 0, 0.0
    for i in range(n):
        size = max(size, largest_of(M[i], n))
    for i in range(n):
        apart = False
        for j in range(i):
            apart |= abs(M[i, j] - M[j, i]) > 1e-12 * size
        if apart:
            return -1
    for i in range(n):
        rows[m] = i
        m += 1 if w[i] <= 1e-9 * scale else 0
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
        least, largest, inverse = min(least, d), max(largest, d), 1.0 / d
        A[j, j] = d
        for i in range(j + 1, m):
            A[i, j] *= inverse
            A[j, i] = A[i, j]  # the column as a row: neighbours in memory
        for i in range(j + 1, m):
            f = A[i, j]
            for k in range(j + 1, i + 1):
                A[i, k] -= f * A[j, k]
    return 1 if least > 1e-4 * largest else 0


@part
def _solve_lemke(p, numbers):
    """z of the complementarity problem, and the number of pivots; returns SOLVED or why not.

    Variables are numbered w: 0..n-1, z: n..2n-1, z0: 2n. Where the solution was made anew from M, w and the residual
    are those of it; else the residual stays as it was.
    """
    q, T, right, basic, nonbasic, place, n = p.q, p.T, p.right, p.basic, p.nonbasic, p.place, p.q.shape[0]
    wrong = 0
    for i in range(n):
        p.z[i] = 0.0
        for j in range(n):
            T[i, j] = -p.M[i, j]
            wrong |= not abs(T[i, j]) < 1e300
        wrong |= not abs(q[i]) < 1e300
        T[i, n] = -p.cover[i]
        right[i] = q[i]
        basic[i], nonbasic[i] = i, n + i
        place[i], place[n + i] = i, -1 - i
    if wrong != 0:
        return NOT_FINITE
    nonbasic[n], place[2 * n] = 2 * n, -1 - n
    row, least = -1, 0.0
    for i in range(n):
        ratio = q[i] / p.cover[i]
        if ratio < least or (row >= 0 and ratio == least):  # the last one of equals is the lexicographic choice
            row, least = i, ratio
    if row < 0:
        return SOLVED
    pivots, pending, status, column = 0, 0, TOO_MANY_PIVOTS, n
    _current_column(p, pending, column)
    while pivots < numbers.most_pivots:
        leaves = basic[row]
        _exchange(p, pending, row, column)
        pivots, pending = pivots + 1, pending + 1
        if leaves == 2 * n:
            status = SOLVED
            break
        if pending == PENDING:
            _update(p)
            pending = 0
        column = -1 - place[leaves + n if leaves < n else leaves - n]
        _current_column(p, pending, column)
        row = _blocking_row(p, pending)
        if row < 0:
            status = RAY
            break
    order, m = basic, 0  # the z of the basis come in front, without a branch that nobody could foresee
    for i in range(n):
        k, x = basic[i] - n, right[i]
        order[m], right[m] = k, max(x, 0.0)
        m += 1 if (k >= 0) & (k < n) else 0
    for i in range(m):
        p.z[order[i]] = right[i]
    numbers.pivots = pivots
    if status == SOLVED:
        _refine(p, numbers, m)
    return status


@part
def _current_column(p, pending, column):
    """p.f = a column of the tableau with all updates."""
    f, T = p.f, p.T
    for i in range(f.shape[0]):
        f[i] = T[i, column]
    for k in range(pending):
        s, g = p.l[k, column], p.g[k]
        for i in range(f.shape[0]):
            f[i] -= s * g[i]


@part
def _exchange(p, pending, row, column):
    """Exchange the basic variable of the row with the nonbasic one of the column p.f: one more update is pending."""
    n, f, right, T, l, g = p.f.shape[0], p.f, p.right, p.T, p.l[pending], p.g[pending]
    inverse = 1.0 / f[row]
    for j in range(n + 1):
        l[j], T[row, j] = T[row, j], 0.0
    for k in range(pending):
        s, other = p.g[k, row], p.l[k]
        for j in range(n + 1):
            l[j] -= s * other[j]
        p.g[k, row] = other[column] = 0.0
    for j in range(n + 1):
        l[j] *= inverse
    l[column] = inverse
    moved = right[row] * inverse
    for i in range(n):
        T[i, column] = 0.0
    for i in range(n):
        g[i] = f[i]
        right[i] -= f[i] * moved
    g[row], right[row] = -1.0, moved
    enters, leaves = p.nonbasic[column], p.basic[row]
    p.basic[row], p.nonbasic[column] = enters, leaves
    p.place[enters], p.place[leaves] = row, -1 - column


@part
def _update(p):
    """The pending updates, all of them."""
    T, g, n = p.T, p.g, p.f.shape[0]
    l0, l1, l2, l3 = p.l[0], p.l[1], p.l[2], p.l[3]
    for i in range(n):
        row, a, b, c, d = T[i], g[0, i], g[1, i], g[2, i], g[3, i]
        for j in range(n + 1):
            row[j] -= a * l0[j] + b * l1[j] + c * l2[j] + d * l3[j]


@helper
def _inverse(p, pending, k, i):
    """Entry (i, k) of the inverse of the basis matrix."""
    column = -1 - p.place[k]
    if column < 0:
        return 1.0 if p.place[k] == i else 0.0
    x = p.T[i, column]
    for m in range(pending):
        x -= p.g[m, i] * p.l[m, column]
    return x


@part
def _blocking_row(p, pending):
    """The row whose variable becomes zero first when that of the column p.f grows, -1 if none does."""
    f, right, ratio, n = p.f, p.right, p.x, p.f.shape[0]
    least_pivot, size = LEAST_PIVOT * largest_of(f, n), largest_of(right, n)
    for i in range(n):
        ratio[i] = right[i] / f[i] if f[i] > least_pivot else NONE
    least, equal, found = least_of(ratio, n), 0, -1
    for i in range(n):
        slack = right[i] - least * f[i] - TIE * (abs(right[i]) + abs(least) * f[i] + size)
        equal += 1 if (f[i] > least_pivot) & (slack <= 0.0) else 0
    if equal == 1:
        for i in range(n):
            if ratio[i] == least:
                return i
    for i in range(n if equal > 1 else 0):  # equal but for round-off: the lexicographic rule
        slack = right[i] - least * f[i] - TIE * (abs(right[i]) + abs(least) * f[i] + size)
        if f[i] > least_pivot and slack <= 0.0 and (found < 0 or _comes_first(p, pending, i, found)):
            found = i
    return found


@part
def _comes_first(p, pending, i, k):
    """True if, of two equal ratios, row i is taken before row k: that of z0, or by the rows of B^-1 / f."""
    n = p.f.shape[0]
    if p.basic[i] == 2 * n or p.basic[k] == 2 * n:
        return p.basic[i] == 2 * n
    for j in range(n):
        a, b = _inverse(p, pending, j, i) / p.f[i], _inverse(p, pending, j, k) / p.f[k]
        if abs(a - b) > 1e-11 * (abs(a) + abs(b)):
            return a < b
    return False


@part
def _refine(p, numbers, m):
    """Solve M_BB z_B = -q_B anew, since the tableau has gathered the errors of all pivots; kept if it is better.

    The m places of the z of the basis stand in front of p.basic, and these z in front of p.right.
    """
    M, A, x, z, right, order = p.M, p.A, p.x, p.z, p.right, p.basic
    for i in range(m):
        x[i] = -p.q[order[i]]
        for j in range(m):
            A[i, j] = M[order[i], order[j]]
    if m == 0 or not solve_general(A, m, x):
        return
    for i in range(m):
        z[order[i]] = max(x[i], 0.0)
    numbers.residual = _complete(p, order, m)
    if numbers.residual <= EXACT * numbers.scale:
        return
    for i in range(m):
        x[i], z[order[i]] = z[order[i]], right[i]
    if _complete(p, order, m) <= numbers.residual:
        numbers.residual = 1e300
        return
    for i in range(m):
        z[order[i]] = x[i]
    numbers.residual = _complete(p, order, m)
