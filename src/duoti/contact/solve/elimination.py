"""Small pieces of dense linear algebra for the contact solvers: extremes of vectors, and elimination."""

from __future__ import annotations

from duoti.kernel import helper, part

NONE = 1e300  # more than any number that counts


@helper
def largest_of(x, n):
    """The largest magnitude of n numbers, in four parts, since one would wait for the one before."""
    a, b, c, d, k = 0.0, 0.0, 0.0, 0.0, 0
    while k + 3 < n:
        a, b = max(a, abs(x[k])), max(b, abs(x[k + 1]))
        c, d = max(c, abs(x[k + 2])), max(d, abs(x[k + 3]))
        k += 4
    while k < n:
        a = max(a, abs(x[k]))
        k += 1
    return max(max(a, b), max(c, d))


@helper
def least_of(x, n):
    """The least of n numbers, likewise."""
    a, b, c, d, k = NONE, NONE, NONE, NONE, 0
    while k + 3 < n:
        a, b, c, d = min(a, x[k]), min(b, x[k + 1]), min(c, x[k + 2]), min(d, x[k + 3])
        k += 4
    while k < n:
        a = min(a, x[k])
        k += 1
    return min(min(a, b), min(c, d))


@part
def solve_general(A, n, x):
    """x := A^-1 x by elimination with row pivots, in place; False if A is singular to round-off."""
    size = 0.0
    for i in range(n):
        size = max(size, largest_of(A[i], n))
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
        inverse = 1.0 / A[k, k]
        for i in range(k + 1, n):
            f = A[i, k] * inverse
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
