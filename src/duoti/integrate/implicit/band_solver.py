"""Linear systems of the implicit methods: Gaussian elimination with row pivoting inside a band, real or complex.

The matrix is a flat array: entry (i, j) stands at `offset + stride i + j`. A dense matrix has the offset 0 and the
stride n; a band is packed by a stride as short as the band is wide (`band_storage`). In chains, loops side by side and
systems in absolute coordinates, an order of the unknowns that keeps the band narrow (`integrate.implicit.newton`)
saves most of the work.
"""

from __future__ import annotations

import numpy as np

from duoti.kernel import helper, part


def band_storage(n: int, below: int, above: int) -> tuple[int, int, int]:
    """Offset, stride and number of entries for a band with room for what pivoting fills."""
    width = 2 * below + above + 1
    if width >= n:
        return 0, n, n * n
    return below, width - 1, n * width


GOOD_PIVOT = 0.01


@helper
def _size(x):
    """Size of a number for the choice of the pivot."""
    return abs(x.real) + abs(x.imag)


@part
def clear_band(A, n, offset, stride, below, above):
    """Zeros inside the band and where pivoting may fill."""
    for i in range(n):
        begin = offset + stride * i
        for k in range(np.uint64(begin + max(0, i - below)), np.uint64(begin + min(n, i + below + above + 1))):
            A[k] = 0.0


@helper
def _is_good_pivot(A, k, last, right, offset, stride):
    """Whether the diagonal entry k will do, whatever the units of the unknowns are.

    Scaled to a diagonal of ones, no entry below it times one right of it is more than a hundred: that is what the
    elimination adds to others. Of a positive definite matrix it is at most one, so that rows of small masses need no
    exchange because their numbers are small.
    """
    row, own = offset + stride * k, _size(A[offset + stride * k + k])
    low, high = 0.0, 0.0  # squares of the largest entries, scaled by their own diagonal only
    for i in range(k + 1, last):
        size = _size(A[offset + stride * i + k])
        if size > 0.0:
            low = max(low, size * size / _size(A[offset + stride * i + i]))
    for j in range(k + 1, right):
        size = _size(A[row + j])
        if size > 0.0:
            high = max(high, size * size / _size(A[offset + stride * j + j]))
    return own > 0.0 and low * high * GOOD_PIVOT * GOOD_PIVOT <= own * own


@part
def factorise_band(A, pivots, n, offset, stride, below, above):
    """A = L U in place, rows exchanged as `pivots` says; returns -1, or the row where all pivots are zero or NaN.

    The diagonal of U is replaced by its inverse, so that solutions multiply by it.
    Entries further than `below` under and `above` over the diagonal are zero; those that pivoting fills, up to
    `below + above` over it, must be zero before. Indices of the innermost loops are unsigned, which vectorises them.
    """
    for k in range(n):
        last, right = min(n, k + below + 1), min(n, k + below + above + 1)
        row = offset + stride * k
        p, largest = k, _size(A[row + k])
        for i in range(k + 1, last):
            size = _size(A[offset + stride * i + k])
            if size > largest:
                p, largest = i, size
        if not largest > 0.0:
            return k
        if p != k and _is_good_pivot(A, k, last, right, offset, stride):
            p = k
        pivots[k] = p
        this = np.uint64(row)
        if p != k:
            other = np.uint64(offset + stride * p)
            for j in range(np.uint64(k), np.uint64(right)):
                A[this + j], A[other + j] = A[other + j], A[this + j]
        inverse = 1.0 / A[row + k]
        A[row + k] = inverse
        for i in range(k + 1, last):
            other = np.uint64(offset + stride * i)
            if A[other + np.uint64(k)] != 0.0:
                factor = A[other + np.uint64(k)] * inverse
                A[other + np.uint64(k)] = factor
                for j in range(np.uint64(k + 1), np.uint64(right)):
                    A[other + j] -= factor * A[this + j]
    return -1


@part
def _solve_in_order(A, n, offset, stride, below, above, b):
    """The same where no rows were exchanged: nothing is filled beyond `above`, and L is read row by row."""
    # each row waits for the one before: what it needs of that comes last, everything else is summed meanwhile
    one, four = np.uint64(1), np.uint64(4)
    for k in range(n):
        row, end = np.uint64(offset + stride * k), np.uint64(k)
        j = np.uint64(max(0, k - below))
        s0, s1, s2, s3 = b[k], 0.0 * b[k], 0.0 * b[k], 0.0 * b[k]  # four sums: the machine adds them side by side
        while j + four < end:
            s0 -= A[row + j] * b[j]
            s1 -= A[row + j + one] * b[j + one]
            s2 -= A[row + j + np.uint64(2)] * b[j + np.uint64(2)]
            s3 -= A[row + j + np.uint64(3)] * b[j + np.uint64(3)]
            j += four
        s0 = (s0 + s1) + (s2 + s3)
        while j < end:
            s0 -= A[row + j] * b[j]
            j += one
        b[k] = s0
    _substitute_back(A, n, offset, stride, above, b)


@part
def _substitute_back(A, n, offset, stride, above, b):
    """b := U^-1 b, where U reaches `above` beyond its diagonal."""
    one, four = np.uint64(1), np.uint64(4)
    for k in range(n - 1, -1, -1):
        row, next_one = np.uint64(offset + stride * k), np.uint64(k + 1)
        j = np.uint64(min(n, k + above + 1))
        s0, s1, s2, s3 = b[k], 0.0 * b[k], 0.0 * b[k], 0.0 * b[k]
        while j > next_one + four:
            j -= four
            s0 -= A[row + j + np.uint64(3)] * b[j + np.uint64(3)]
            s1 -= A[row + j + np.uint64(2)] * b[j + np.uint64(2)]
            s2 -= A[row + j + one] * b[j + one]
            s3 -= A[row + j] * b[j]
        s0 = (s0 + s1) + (s2 + s3)
        while j > next_one:
            j -= one
            s0 -= A[row + j] * b[j]
        b[k] = s0 * A[row + np.uint64(k)]


@part
def solve_band(A, pivots, n, offset, stride, below, above, b):
    """b := A^-1 b, after factorise_band."""
    step = np.uint64(stride)
    exchanged = False
    for k in range(n):
        exchanged |= pivots[k] != k
    if not exchanged:
        _solve_in_order(A, n, offset, stride, below, above, b)
        return
    for k in range(n):
        p = pivots[k]
        if p != k:
            b[k], b[p] = b[p], b[k]
        bk = b[k]
        at = np.uint64(offset + stride * k + k)
        for i in range(np.uint64(k + 1), np.uint64(min(n, k + below + 1))):
            at += step
            b[i] -= A[at] * bk
    _substitute_back(A, n, offset, stride, below + above, b)
