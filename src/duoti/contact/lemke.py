"""Lemke's method for the linear complementarity problem, with the lexicographic ratio test.

    w = M z + q,   z >= 0,  w >= 0,  z . w = 0

(Cottle, Pang & Stone 1992, sections 4.4 and 4.9). The tableau holds the columns of the variables that are not in the
basis only; row i says: basic_i = right_i - sum of T[i, j] nonbasic_j. The lexicographic rule needs the inverse of the
basis matrix, whose column k is that of w_k: one of the tableau, or a unit vector if w_k is basic itself. It makes a
cycle impossible where contacts are redundant and pivots degenerate.
"""

from __future__ import annotations

from duoti.kernel import helper, kernel, part

SOLVED, RAY, TOO_MANY_PIVOTS, NOT_FINITE = 0, 1, 2, 3
TIE = 1e-12  # two ratios that differ by less, relative to the numbers in them, are one
LEAST_PIVOT = 1e-11  # of the largest number in the column: what is below is round-off


@kernel
def lemke(M, q, cover, T, right, basic, nonbasic, place, A, x, z, most_pivots):
    """z of the complementarity problem; returns SOLVED or why not.

    cover [n] > 0: the covering vector; T [n, n + 1], right [n], basic [n], nonbasic [n + 1], place [2n + 1], A [n, n],
    x [n]: scratch. Variables are numbered w: 0..n-1, z: n..2n-1, z0: 2n; place[k] is the row of variable k in the
    basis, or -1 - column. nonbasic[n] is the number of pivots at the end.
    """
    return solve_lemke(M, q, cover, T, right, basic, nonbasic, place, A, x, z, most_pivots)


@part
def solve_lemke(M, q, cover, T, right, basic, nonbasic, place, A, x, z, most_pivots):
    """As `lemke`, for other kernels."""
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
            _pivot(T, right, basic, nonbasic, place, n, row, column)
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
def _pivot(T, right, basic, nonbasic, place, n, row, column):
    """Exchange the basic variable of the row with the nonbasic one of the column."""
    p = 1.0 / T[row, column]
    for j in range(n + 1):
        T[row, j] *= p
    right[row] *= p
    T[row, column] = p
    for i in range(n):
        f = T[i, column]
        if i == row or f == 0.0:
            continue
        T[i, column] = 0.0
        for j in range(n + 1):
            T[i, j] -= f * T[row, j]
        right[i] -= f * right[row]
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
    for i in range(m):
        right[i] = max(x[i], 0.0)
    if _error(M, q, order, m, right) < _error_of(M, q, z):
        for i in range(m):
            z[order[i]] = right[i]


@helper
def _error(M, q, order, m, x):
    """How far z with z[order] = x is from a solution: largest min(z, w) in magnitude."""
    worst = 0.0
    for i in range(q.shape[0]):
        w, z = q[i], 0.0
        for j in range(m):
            w += M[i, order[j]] * x[j]
            if order[j] == i:
                z = x[j]
        worst = max(worst, abs(min(z, w)))
    return worst


@helper
def _error_of(M, q, z):
    worst = 0.0
    for i in range(q.shape[0]):
        w = q[i]
        for j in range(q.shape[0]):
            w += M[i, j] * z[j]
        worst = max(worst, abs(min(z[i], w)))
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
