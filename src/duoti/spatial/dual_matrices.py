"""Dual 3x3 matrices, and 6x6 matrices by their blocks, on tuples, for use inside kernels.

A linear function of motions that keeps to the rules of dual numbers (see `spatial.se3`) is a dual matrix A + eps B: of
(omega, v) it makes (A omega, B omega + A v). As a 6x6 matrix it is [A 0; B A]. So the tangent operators and their
derivatives, adjoint transformations and cross products need 18 numbers instead of 36. Other 6x6 matrices are four
blocks: (omega, v) to (n, f) by n = X0 omega + X1 v, f = X2 omega + X3 v.
"""

from duoti.kernel import helper
from duoti.spatial.algebra import add, add9, cross_motion, matmul, mul, scale, transpose
from duoti.spatial.se3 import dual_dot, dual_scale


@helper
def scale9(s, A):
    """s A."""
    return s * A[0], s * A[1], s * A[2], s * A[3], s * A[4], s * A[5], s * A[6], s * A[7], s * A[8]


@helper
def outer(a, b):
    """a b^T."""
    return (
        a[0] * b[0], a[0] * b[1], a[0] * b[2],
        a[1] * b[0], a[1] * b[1], a[1] * b[2],
        a[2] * b[0], a[2] * b[1], a[2] * b[2],
    )  # fmt: skip


@helper
def add_cross(A, s, a):
    """A + s [a]x."""
    x, y, z = s * a[0], s * a[1], s * a[2]
    return A[0], A[1] - z, A[2] + y, A[3] + z, A[4], A[5] - x, A[6] - y, A[7] + x, A[8]


@helper
def add_diagonal(A, s):
    """A + s 1."""
    return A[0] + s, A[1], A[2], A[3], A[4] + s, A[5], A[6], A[7], A[8] + s


@helper
def dual_outer(a, b):
    """The dual matrix a b^T of two motions."""
    return outer(a[0], b[0]), add9(outer(a[0], b[1]), outer(a[1], b[0]))


@helper
def dual_product(P, Q):
    """P Q of dual matrices."""
    return matmul(P[0], Q[0]), add9(matmul(P[0], Q[1]), matmul(P[1], Q[0]))


@helper
def adjoint(R, arm):
    """What turns a motion about a point into that of a frame whose axes are the columns of R, `arm` from the point."""
    A = transpose(R)
    x, y, z = arm
    return A, (
        A[2] * y - A[1] * z, A[0] * z - A[2] * x, A[1] * x - A[0] * y,
        A[5] * y - A[4] * z, A[3] * z - A[5] * x, A[4] * x - A[3] * y,
        A[8] * y - A[7] * z, A[6] * z - A[8] * x, A[7] * x - A[6] * y,
    )  # fmt: skip


@helper
def cross_matrix(V):
    """The dual matrix of V x."""
    zero = scale9(0.0, outer(V[0], V[0]))
    return add_cross(zero, 1.0, V[0]), add_cross(zero, 1.0, V[1])


@helper
def tangent_inverse_matrix(d, coefficients):
    """T(d)^-1 as a dual matrix: 1 + d x / 2 + k d x d x, where d x d x = d d^T - d . d."""
    (k, k_eps), _ = coefficients
    (zz, zu), (square, square_eps) = dual_dot(d, d), dual_outer(d, d)
    A = add_cross(add_diagonal(scale9(k, square), 1.0 - k * zz), 0.5, d[0])
    B = add_diagonal(add9(scale9(k, square_eps), scale9(k_eps, square)), -k * zu - k_eps * zz)
    return A, add_cross(B, 0.5, d[1])


@helper
def tangent_inverse_derivative_matrix(d, coefficients, V):
    """What changes of d make of T(d)^-1 V, as a dual matrix.

    e x (d x V) + d x (e x V) = -(d x V) x e - (V d^T - d . V) e.
    """
    k, slope = coefficients
    x = cross_motion(d, V)
    y, kx = cross_motion(d, x), dual_scale(k, x)
    bent = dual_scale((2.0 * slope[0], 2.0 * slope[1]), y)
    kV = dual_scale((-k[0], -k[1]), V)
    A, B = dual_outer((add(bent[0], kV[0]), add(bent[1], kV[1])), d)
    s, s_eps = dual_dot(d, V)
    A = add_cross(add_cross(add_diagonal(A, k[0] * s), -1.0, kx[0]), -0.5, V[0])
    B = add_cross(add_cross(add_diagonal(B, k[0] * s_eps + k[1] * s), -1.0, kx[1]), -0.5, V[1])
    return A, B


@helper
def blocks_times(X, V):
    """The 6x6 matrix X times a motion."""
    return add(mul(X[0], V[0]), mul(X[1], V[1])), add(mul(X[2], V[0]), mul(X[3], V[1]))


@helper
def blocks_add(X, Y):
    """X + Y."""
    return add9(X[0], Y[0]), add9(X[1], Y[1]), add9(X[2], Y[2]), add9(X[3], Y[3])


@helper
def blocks_dual(X, P):
    """The 6x6 matrix X times a dual matrix."""
    return (
        add9(matmul(X[0], P[0]), matmul(X[1], P[1])),
        matmul(X[1], P[0]),
        add9(matmul(X[2], P[0]), matmul(X[3], P[1])),
        matmul(X[3], P[0]),
    )


@helper
def dual_blocks(P, X):
    """The transpose of a dual matrix times the 6x6 matrix X."""
    A, B = transpose(P[0]), transpose(P[1])
    return (
        add9(matmul(A, X[0]), matmul(B, X[2])),
        add9(matmul(A, X[1]), matmul(B, X[3])),
        matmul(A, X[2]),
        matmul(A, X[3]),
    )


@helper
def wrench_derivative(P):
    """A dual matrix from motions to wrenches (n, f) = f + eps n, as a 6x6 matrix."""
    return P[1], P[0], P[0], scale9(0.0, P[0])


@helper
def matrix_blocks(r, f, at):
    """The 6x6 matrix from place `at` on in row f, row by row."""
    return _block(r, f, at), _block(r, f, at + 3), _block(r, f, at + 18), _block(r, f, at + 21)


@helper
def _block(r, f, at):
    return (
        r[f, at], r[f, at + 1], r[f, at + 2],
        r[f, at + 6], r[f, at + 7], r[f, at + 8],
        r[f, at + 12], r[f, at + 13], r[f, at + 14],
    )  # fmt: skip


@helper
def stretched(X, Q):
    """[1 0; 0 Q]^T X [1 0; 0 Q]."""
    QT = transpose(Q)
    return X[0], matmul(X[1], Q), matmul(QT, X[2]), matmul(QT, matmul(X[3], Q))


@helper
def rank_one_stretch(along, slope):
    """1 + along (slope - along)^T."""
    return add_diagonal(outer(along, add(slope, scale(-1.0, along))), 1.0)
