"""Dense linear algebra of small systems, in place."""

from duoti.kernel import part


@part
def solve_column(A, m, c):
    """Column c of A := A[:, :m]^-1 A[:, c], by elimination with row exchange; returns the sign of the determinant."""
    sign = 1.0
    for k in range(m):
        best = k
        for i in range(k + 1, m):
            if abs(A[i, k]) > abs(A[best, k]):
                best = i
        if best != k:
            sign = -sign
            for j in range(k, m):
                A[k, j], A[best, j] = A[best, j], A[k, j]
            A[k, c], A[best, c] = A[best, c], A[k, c]
        if A[k, k] == 0.0:
            A[k, k] = 1e-300  # nothing determines this one
        if A[k, k] < 0.0:
            sign = -sign
        for i in range(k + 1, m):
            factor = A[i, k] / A[k, k]
            for j in range(k, m):
                A[i, j] -= factor * A[k, j]
            A[i, c] -= factor * A[k, c]
    for k in range(m - 1, -1, -1):
        for j in range(k + 1, m):
            A[k, c] -= A[k, j] * A[j, c]
        A[k, c] = A[k, c] / A[k, k]
    return sign
