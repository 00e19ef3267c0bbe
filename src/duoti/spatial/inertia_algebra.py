"""Rigid and articulated inertia on tuples, for use inside kernels; the rest of the algebra is in `spatial.algebra`.

rigid     (mass, first moment, inertia about the origin as xx, xy, yy, xz, yz, zz)
art       articulated inertia (A, B, C), the blocks of [[A, B], [B^T, C]], A and C as symmetric 6-tuples
"""

from duoti.kernel import helper
from duoti.spatial.algebra import (
    add,
    add9,
    cross,
    dot,
    get3,
    get6,
    get9,
    matmul,
    mul,
    mulT,
    put6,
    put9,
    scale,
    sub,
    transpose,
)


@helper
def symmul(S, a):
    """Symmetric matrix (xx, xy, yy, xz, yz, zz) times a vector."""
    return (
        S[0] * a[0] + S[1] * a[1] + S[3] * a[2],
        S[1] * a[0] + S[2] * a[1] + S[4] * a[2],
        S[3] * a[0] + S[4] * a[1] + S[5] * a[2],
    )


@helper
def full(S):
    return S[0], S[1], S[3], S[1], S[2], S[4], S[3], S[4], S[5]


@helper
def sym_add(a, b):
    return a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5]


@helper
def sym_rotate(R, S):
    """R S R^T."""
    M = matmul(R, full(S))
    r0, r1, r2 = (R[0], R[1], R[2]), (R[3], R[4], R[5]), (R[6], R[7], R[8])
    m0, m1, m2 = (M[0], M[1], M[2]), (M[3], M[4], M[5]), (M[6], M[7], M[8])
    return dot(m0, r0), dot(m1, r0), dot(m1, r1), dot(m2, r0), dot(m2, r1), dot(m2, r2)


@helper
def get_rigid(I, i):
    """Rigid inertia kept as row i of an (n, 10) array."""
    return I[i, 0], get3(I, i, 1), get6(I, i, 4)


@helper
def inertia_times(I, V):
    """Momentum I V of a rigid body."""
    m, h, J = I
    return add(symmul(J, V[0]), cross(h, V[1])), sub(scale(m, V[1]), cross(h, V[0]))


@helper
def rigid_to_parent(X_PB, I_B):
    """The same rigid inertia about P's origin, in P's axes."""
    R, p = X_PB
    m, h, J = I_B
    h_P = mul(R, h)
    # parallel axes: J' = R J R^T + 2 (p.g) 1 - (p g^T + g p^T) with g = R h + m p / 2
    g = add(h_P, scale(0.5 * m, p))
    x, y, z = 2.0 * p[0] * g[0], 2.0 * p[1] * g[1], 2.0 * p[2] * g[2]
    K = sym_rotate(R, J)
    J_P = (
        K[0] + y + z,
        K[1] - (p[0] * g[1] + p[1] * g[0]),
        K[2] + x + z,
        K[3] - (p[0] * g[2] + p[2] * g[0]),
        K[4] - (p[1] * g[2] + p[2] * g[1]),
        K[5] + x + y,
    )
    return m, add(h_P, scale(m, p)), J_P


@helper
def art_of_rigid(I):
    m, h, J = I
    return J, (0.0, -h[2], h[1], h[2], 0.0, -h[0], -h[1], h[0], 0.0), (m, 0.0, m, 0.0, 0.0, m)


@helper
def get_art(Y, i):
    """Articulated inertia kept as row i of an (n, 21) array."""
    return get6(Y, i, 0), get9(Y, i, 6), get6(Y, i, 15)


@helper
def put_art(Y, i, I):
    put6(Y, i, 0, I[0])
    put9(Y, i, 6, I[1])
    put6(Y, i, 15, I[2])


@helper
def art_add(I, K):
    return sym_add(I[0], K[0]), add9(I[1], K[1]), sym_add(I[2], K[2])


@helper
def art_times(I, V):
    A, B, C = I
    return add(symmul(A, V[0]), mul(B, V[1])), add(mulT(B, V[0]), symmul(C, V[1]))


@helper
def art_times_rotation_z(I):
    """I (z, 0): a column of the matrix."""
    A, B, _ = I
    return (A[3], A[4], A[5]), (B[6], B[7], B[8])


@helper
def art_downdate(I, U, d):
    """I - U d U^T: what is left of the inertia when the direction with U = I H, 1/d = H^T U is eliminated."""
    A, B, C = I
    u, w = U
    g, h = scale(d, u), scale(d, w)
    return (
        (
            A[0] - g[0] * u[0], A[1] - g[1] * u[0], A[2] - g[1] * u[1],
            A[3] - g[2] * u[0], A[4] - g[2] * u[1], A[5] - g[2] * u[2],
        ),
        (
            B[0] - g[0] * w[0], B[1] - g[0] * w[1], B[2] - g[0] * w[2],
            B[3] - g[1] * w[0], B[4] - g[1] * w[1], B[5] - g[1] * w[2],
            B[6] - g[2] * w[0], B[7] - g[2] * w[1], B[8] - g[2] * w[2],
        ),
        (
            C[0] - h[0] * w[0], C[1] - h[1] * w[0], C[2] - h[1] * w[1],
            C[3] - h[2] * w[0], C[4] - h[2] * w[1], C[5] - h[2] * w[2],
        ),
    )  # fmt: skip


@helper
def skew_times(p, A):
    """[p]x A."""
    c0 = cross(p, (A[0], A[3], A[6]))
    c1 = cross(p, (A[1], A[4], A[7]))
    c2 = cross(p, (A[2], A[5], A[8]))
    return c0[0], c1[0], c2[0], c0[1], c1[1], c2[1], c0[2], c1[2], c2[2]


@helper
def art_to_parent(X_PB, I):
    """The same articulated inertia at P's origin, in P's axes: C' = R C R^T, B' = R B R^T + p~ C', A' = ..."""
    R, p = X_PB
    A, B, C = I
    Ar, Cr = sym_rotate(R, A), sym_rotate(R, C)
    Br = matmul(matmul(R, B), transpose(R))
    Bp = add9(Br, skew_times(p, full(Cr)))
    # A' = R A R^T - Br p~ + p~ Bp^T, and -Br p~ = (p~ Br^T)^T
    P1, P2 = skew_times(p, transpose(Br)), skew_times(p, transpose(Bp))
    A_P = (
        Ar[0] + P1[0] + P2[0],
        Ar[1] + P1[1] + P2[3],
        Ar[2] + P1[4] + P2[4],
        Ar[3] + P1[2] + P2[6],
        Ar[4] + P1[5] + P2[7],
        Ar[5] + P1[8] + P2[8],
    )
    return A_P, Bp, Cr
