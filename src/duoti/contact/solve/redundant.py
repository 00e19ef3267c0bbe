"""Dense linear equations of contacts and closures, which may be redundant and need not be symmetric.

The proximal iteration (D + s) x_new = right + s x converges to the solution of least norm, in units that give D a unit
diagonal.
"""

from __future__ import annotations

from duoti.kernel import part

SHIFT = 1e-6  # of the rows with a unit diagonal: round-off over this is the error of forces that do nothing
PROXIMAL_STEPS = 12
ROWS_CONVERGED = 1e-15  # residual of the rows, relative to what it is made of
DEPENDENT = 1e-5  # pivot of a row that depends on others


@part
def solve_rows(D, LU, pivot, scale, n, right, x, b, y, counts):
    """x with D x = right, of least norm in the units of `scale`; rows of scale zero say nothing."""
    for r in range(n):
        x[r], y[r] = 0.0, 0.0
        for k in range(n):
            LU[r, k] = scale[r] * D[r, k] * scale[k]
        LU[r, r] += SHIFT if scale[r] > 0.0 else 1.0
    counts[0].redundant = 0
    if n == 0:
        return
    if factor_rows(LU, pivot, n) < DEPENDENT:
        counts[0].redundant = 1
    for _ in range(PROXIMAL_STEPS):
        left, size = 0.0, 0.0
        for r in range(n):
            s = right[r]
            for k in range(n):
                s -= D[r, k] * scale[k] * y[k]
                size = max(size, abs(scale[r] * D[r, k] * scale[k] * y[k]))
            b[r] = scale[r] * s
            left, size = max(left, abs(b[r])), max(size, abs(scale[r] * right[r]))
        if left <= ROWS_CONVERGED * size:
            break  # more would only gather round-off in forces that do nothing
        solve_factored(LU, pivot, n, b)
        for r in range(n):
            y[r] += b[r]
    for r in range(n):
        x[r] = scale[r] * y[r]


@part
def factor_rows(A, pivot, n):
    """A = P L U in place; returns the least pivot."""
    least = 1e300
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(A[i, k]) > abs(A[p, k]):
                p = i
        pivot[k] = p
        if p != k:
            for j in range(n):
                A[k, j], A[p, j] = A[p, j], A[k, j]
        least = min(least, abs(A[k, k]))
        inverse = 1.0 / A[k, k] if A[k, k] != 0.0 else 0.0
        for i in range(k + 1, n):
            f = A[i, k] * inverse
            A[i, k] = f
            if f != 0.0:
                for j in range(k + 1, n):
                    A[i, j] -= f * A[k, j]
    return least


@part
def solve_factored(A, pivot, n, b):
    """b := A^-1 b with the factors of `factor_rows`."""
    for k in range(n):  # all exchanges first: rows were exchanged whole
        p = pivot[k]
        b[k], b[p] = b[p], b[k]
    for k in range(n):
        for i in range(k + 1, n):
            b[i] -= A[i, k] * b[k]
    for i in range(n - 1, -1, -1):
        s = b[i]
        for j in range(i + 1, n):
            s -= A[i, j] * b[j]
        b[i] = s / A[i, i] if A[i, i] != 0.0 else 0.0
