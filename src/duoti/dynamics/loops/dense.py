"""Small dense linear algebra for kernels: Householder QR with column pivoting, Cholesky (Golub & Van Loan 2013, 5.2).

Matrices are larger arrays of which the first m rows and n columns are used.
"""

from duoti.kernel import helper, part


@helper
def _reflect(A, m, n, k, beta):
    """Annihilate column k below the diagonal, apply the same to the columns after it; beta is the factor of I - b v vT.

    v is kept below the diagonal, with v[k] = 1 understood.
    """
    norm = 0.0
    for i in range(k, m):
        norm += A[i, k] * A[i, k]
    norm = norm**0.5
    if norm == 0.0:
        beta[k] = 0.0
        return
    r = -norm if A[k, k] > 0.0 else norm
    beta[k] = (r - A[k, k]) / r
    scale = 1.0 / (A[k, k] - r)
    A[k, k] = r
    for i in range(k + 1, m):
        A[i, k] *= scale
    for j in range(k + 1, n):
        s = A[k, j]
        for i in range(k + 1, m):
            s += A[i, k] * A[i, j]
        s *= beta[k]
        A[k, j] -= s
        for i in range(k + 1, m):
            A[i, j] -= s * A[i, k]


@part
def factor_pivoted(A, m, n, first, order, beta, tolerance):
    """A P = Q R in place; returns the rank: pivots above the tolerance, relative to the longest column.

    The columns before `first` are used up before any other becomes a pivot; order[j] follows column j.
    """
    longest = 0.0
    for k in range(min(m, n)):
        last = first if k < first else n
        best, pivot = -1.0, k
        for j in range(k, n if k == 0 else last):
            s = 0.0
            for i in range(k, m):
                s += A[i, j] * A[i, j]
            longest = max(longest, s) if k == 0 else longest
            if j < last and s > best:
                best, pivot = s, j
        if not (best > tolerance * tolerance * longest):
            return k
        if pivot != k:
            for i in range(m):
                A[i, k], A[i, pivot] = A[i, pivot], A[i, k]
            order[k], order[pivot] = order[pivot], order[k]
        _reflect(A, m, n, k, beta)
    return min(m, n)


@part
def factor_plain(A, m, n, beta):
    """A = Q R in place, for n <= m and full rank."""
    for k in range(n):
        _reflect(A, m, n, k, beta)


@helper
def _apply(A, m, k, beta, x):
    s = x[k]
    for i in range(k + 1, m):
        s += A[i, k] * x[i]
    s *= beta[k]
    x[k] -= s
    for i in range(k + 1, m):
        x[i] -= s * A[i, k]


@part
def times_Q(A, m, n, beta, x):
    """x := Q x, with the first n reflections."""
    for k in range(n - 1, -1, -1):
        _apply(A, m, k, beta, x)


@part
def times_QT(A, m, n, beta, x):
    """x := Q^T x."""
    for k in range(n):
        _apply(A, m, k, beta, x)


@part
def solve_R(A, n, x):
    """x := R^-1 x, R the upper triangle."""
    for i in range(n - 1, -1, -1):
        s = x[i]
        for j in range(i + 1, n):
            s -= A[i, j] * x[j]
        x[i] = s / A[i, i]


@part
def solve_RT(A, n, x):
    """x := R^-T x."""
    for i in range(n):
        s = x[i]
        for j in range(i):
            s -= A[j, i] * x[j]
        x[i] = s / A[i, i]


@part
def solve_positive(A, n, x):
    """x := A^-1 x for a symmetric positive definite A, whose lower triangle becomes its factor."""
    for i in range(n):
        for j in range(i + 1):
            s = A[i, j]
            for k in range(j):
                s -= A[i, k] * A[j, k]
            A[i, j] = s / A[j, j] if j < i else s**0.5
    for i in range(n):
        s = x[i]
        for j in range(i):
            s -= A[i, j] * x[j]
        x[i] = s / A[i, i]
    for i in range(n - 1, -1, -1):
        s = x[i]
        for j in range(i + 1, n):
            s -= A[j, i] * x[j]
        x[i] = s / A[i, i]
