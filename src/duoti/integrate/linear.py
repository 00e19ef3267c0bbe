"""Linear systems of the implicit methods: Gaussian elimination with row pivoting inside a band, real or complex.

A dense matrix is one whose band is as wide as itself. In chains, loops side by side and systems in absolute
coordinates, an order of the unknowns that keeps the band narrow (`integrate.newton`) saves most of the work.
"""

from __future__ import annotations

from duoti.kernel import helper, part


@helper
def _size(x):
    """Size of a number for the choice of the pivot."""
    return abs(x.real) + abs(x.imag)


@part
def factorise_band(A, pivots, below, above):
    """A = L U in place, rows exchanged as `pivots` says; returns -1, or the row where all pivots are zero or NaN.

    Entries further than `below` under and `above` over the diagonal are zero; those that pivoting fills, up to
    `below + above` over it, must be zero before.
    """
    n = A.shape[0]
    for k in range(n):
        last, right = min(n, k + below + 1), min(n, k + below + above + 1)
        p, largest = k, _size(A[k, k])
        for i in range(k + 1, last):
            size = _size(A[i, k])
            if size > largest:
                p, largest = i, size
        pivots[k] = p
        if not largest > 0.0:
            return k
        if p != k:
            for j in range(k, right):
                A[k, j], A[p, j] = A[p, j], A[k, j]
        inverse = 1.0 / A[k, k]
        for i in range(k + 1, last):
            if A[i, k] != 0.0:
                factor = A[i, k] * inverse
                A[i, k] = factor
                for j in range(k + 1, right):
                    A[i, j] -= factor * A[k, j]
    return -1


@part
def solve_band(A, pivots, below, above, b):
    """b := A^-1 b, after factorise_band."""
    n = A.shape[0]
    for k in range(n):
        p = pivots[k]
        if p != k:
            b[k], b[p] = b[p], b[k]
        for i in range(k + 1, min(n, k + below + 1)):
            b[i] -= A[i, k] * b[k]
    for k in range(n - 1, -1, -1):
        s = b[k]
        for j in range(k + 1, min(n, k + below + above + 1)):
            s -= A[k, j] * b[j]
        b[k] = s / A[k, k]
