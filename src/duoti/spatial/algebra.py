"""Spatial algebra on tuples, for use inside kernels.

    vector    3 numbers (x, y, z)
    rotation  9 numbers, the matrix row by row: R_AB turns components in B into components in A
    pose      (R_AB, p_AB): orientation of frame B in A, and the vector from A's origin to B's, in A
    motion    (angular, linear): a twist or spatial acceleration, at the origin and in the axes of one frame
    force     (torque, force): a wrench, at the origin and in the axes of one frame

The compiler keeps all of it in registers. Notation and formulas: Featherstone, Rigid Body Dynamics Algorithms,
2008, chapter 2, with frames named by the monogram convention (`X_PB`: pose of B in P).
"""

import cmath
import math

from duoti.kernel import for_kernels, helper, overloaded

ZERO3 = (0.0, 0.0, 0.0)
ZERO6 = (ZERO3, ZERO3)

# ------------------------------------------------------------------------------------------------ sine and cosine


@for_kernels
def _sincos_near(x, k):
    """Sine and cosine of x - k pi/2, at most pi/4 from zero.

    Reduction in three parts (Cody & Waite 1980), then the minimax polynomials of fdlibm.
    """
    r = ((x - k * 1.57079632673412561417e00) - k * 6.07710050630396597660e-11) - k * 2.02226624879595063154e-21
    z = r * r
    s = r + r * z * (
        -1.66666666666666324348e-01
        + z
        * (
            8.33333333332248946124e-03
            + z
            * (
                -1.98412698298579493134e-04
                + z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))
            )
        )
    )
    c = (
        1.0
        - 0.5 * z
        + z
        * z
        * (
            4.16666666666666019037e-02
            + z
            * (
                -1.38888888888741095749e-03
                + z
                * (
                    2.48015872894767294178e-05
                    + z
                    * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))
                )
            )
        )
    )
    return s, c


def _sincos_real(x):
    """Sine and cosine together, to about one unit in the last place of x.

    Beyond |x| = 1e6 the reduction loses no more than the spacing of the floating-point numbers x itself.
    """
    k = math.floor(x * 0.63661977236758134 + 0.5)
    s, c = _sincos_near(x, k)
    quadrant = int(k) & 3
    if quadrant & 1:
        s, c = c, -s
    if quadrant & 2:
        s, c = -s, -c
    return s, c


def _sincos_lanes(x):
    """The same for lanes: with the quadrant by arithmetic, not by branches."""
    k = math.floor(x * 0.63661977236758134 + 0.5)
    s, c = _sincos_near(x, k)
    half = math.floor(0.5 * k)
    odd, sign = k - 2.0 * half, 1.0 - 2.0 * (half - 2.0 * math.floor(0.5 * half))
    even = 1.0 - odd
    return sign * (even * s + odd * c), sign * (even * c - odd * s)


def sincos(x):
    """Sine and cosine of a real or complex angle [rad]."""
    if isinstance(x, complex):
        return cmath.sin(x), cmath.cos(x)
    if not math.isfinite(x):
        return math.nan, math.nan
    return _sincos_real(x)


def sqrt(x):
    """Square root of a real or complex number; of a negative real one, NaN."""
    if isinstance(x, complex):
        return cmath.sqrt(x)
    return math.sqrt(x) if x >= 0.0 else math.nan


def exp(x):
    """Exponential of a real or complex number."""
    return cmath.exp(x) if isinstance(x, complex) else math.exp(x)


def atan2(y, x):
    """Angle of the point (x, y), continued analytically for complex arguments with small imaginary parts."""
    if isinstance(y, complex) or isinstance(x, complex):
        return _complex_atan2(y, x)
    return math.atan2(y, x)


def _complex_atan2(y, x):
    a, b = complex(y), complex(x)
    return complex(
        math.atan2(a.real, b.real), (b.real * a.imag - a.real * b.imag) / (a.real * a.real + b.real * b.real)
    )


overloaded(sincos, _sincos_real, lambda x: (cmath.sin(x), cmath.cos(x)), lanes=_sincos_lanes)
overloaded(sqrt, lambda x: math.sqrt(x), lambda x: cmath.sqrt(x), lanes=lambda x: math.sqrt(x))
overloaded(exp, lambda x: math.exp(x), lambda x: cmath.exp(x))
overloaded(atan2, lambda y, x: math.atan2(y, x), _complex_atan2)


# --------------------------------------------------------------------------------------------------------- vectors


@helper
def add(a, b):
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@helper
def sub(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@helper
def scale(s, a):
    return s * a[0], s * a[1], s * a[2]


@helper
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@helper
def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


# ------------------------------------------------------------------------------------------------------- rotations


@helper
def mul(R, a):
    """R a."""
    return (
        R[0] * a[0] + R[1] * a[1] + R[2] * a[2],
        R[3] * a[0] + R[4] * a[1] + R[5] * a[2],
        R[6] * a[0] + R[7] * a[1] + R[8] * a[2],
    )


@helper
def mulT(R, a):
    """R^T a."""
    return (
        R[0] * a[0] + R[3] * a[1] + R[6] * a[2],
        R[1] * a[0] + R[4] * a[1] + R[7] * a[2],
        R[2] * a[0] + R[5] * a[1] + R[8] * a[2],
    )


@helper
def matmul(A, B):
    return (
        A[0] * B[0] + A[1] * B[3] + A[2] * B[6],
        A[0] * B[1] + A[1] * B[4] + A[2] * B[7],
        A[0] * B[2] + A[1] * B[5] + A[2] * B[8],
        A[3] * B[0] + A[4] * B[3] + A[5] * B[6],
        A[3] * B[1] + A[4] * B[4] + A[5] * B[7],
        A[3] * B[2] + A[4] * B[5] + A[5] * B[8],
        A[6] * B[0] + A[7] * B[3] + A[8] * B[6],
        A[6] * B[1] + A[7] * B[4] + A[8] * B[7],
        A[6] * B[2] + A[7] * B[5] + A[8] * B[8],
    )


@helper
def transpose(A):
    return A[0], A[3], A[6], A[1], A[4], A[7], A[2], A[5], A[8]


@helper
def add9(a, b):
    return (
        a[0] + b[0], a[1] + b[1], a[2] + b[2],
        a[3] + b[3], a[4] + b[4], a[5] + b[5],
        a[6] + b[6], a[7] + b[7], a[8] + b[8],
    )  # fmt: skip


@helper
def quaternion_matrix(w, x, y, z):
    """Rotation matrix of a quaternion of any length (scalar first); off the unit sphere it is that of q/|q|."""
    s = 2.0 / (w * w + x * x + y * y + z * z)
    wx, wy, wz = s * w * x, s * w * y, s * w * z
    xx, xy, xz = s * x * x, s * x * y, s * x * z
    yy, yz, zz = s * y * y, s * y * z, s * z * z
    return 1.0 - (yy + zz), xy - wz, xz + wy, xy + wz, 1.0 - (xx + zz), yz - wx, xz - wy, yz + wx, 1.0 - (xx + yy)


@helper
def turn_quaternion(q, k, x, out):
    """The quaternion at out[k] is that at q[k] times exp(x)."""
    turn = 0.5 * (x[0] ** 2 + x[1] ** 2 + x[2] ** 2) ** 0.5
    c, s = math.cos(turn), 0.5 * _sinc(turn)
    x0, x1, x2 = s * x[0], s * x[1], s * x[2]
    a, b, d, e = q[k], q[k + 1], q[k + 2], q[k + 3]
    out[k] = a * c - b * x0 - d * x1 - e * x2
    out[k + 1] = a * x0 + b * c + d * x2 - e * x1
    out[k + 2] = a * x1 + d * c + e * x0 - b * x2
    out[k + 3] = a * x2 + e * c + b * x1 - d * x0


@helper
def _sinc(turn):
    """sin(turn) / turn."""
    if abs(turn) < 1e-4:
        return 1.0 - turn * turn / 6.0
    return math.sin(turn) / turn


@helper
def quaternion_rate(w, x, y, z, omega):
    """dq/dt = q * (0, omega)/2 for an angular velocity in the turned (body) axes."""
    a, b, c = omega
    return (
        -0.5 * (x * a + y * b + z * c),
        0.5 * (w * a + y * c - z * b),
        0.5 * (w * b + z * a - x * c),
        0.5 * (w * c + x * b - y * a),
    )


# ------------------------------------------------------------------------------------------------- rows of arrays


@helper
def get3(a, i, k):
    return a[i, k], a[i, k + 1], a[i, k + 2]


@helper
def get6(a, i, k):
    return a[i, k], a[i, k + 1], a[i, k + 2], a[i, k + 3], a[i, k + 4], a[i, k + 5]


@helper
def get9(a, i, k):
    return (
        a[i, k], a[i, k + 1], a[i, k + 2],
        a[i, k + 3], a[i, k + 4], a[i, k + 5],
        a[i, k + 6], a[i, k + 7], a[i, k + 8],
    )  # fmt: skip


@helper
def put3(a, i, k, x):
    a[i, k], a[i, k + 1], a[i, k + 2] = x


@helper
def put6(a, i, k, x):
    a[i, k], a[i, k + 1], a[i, k + 2], a[i, k + 3], a[i, k + 4], a[i, k + 5] = x


@helper
def put9(a, i, k, x):
    (
        a[i, k], a[i, k + 1], a[i, k + 2],
        a[i, k + 3], a[i, k + 4], a[i, k + 5],
        a[i, k + 6], a[i, k + 7], a[i, k + 8],
    ) = x  # fmt: skip


@helper
def get_spatial(a, i):
    """Motion or force kept as row i of an (n, 6) array."""
    return get3(a, i, 0), get3(a, i, 3)


@helper
def put_spatial(a, i, V):
    put3(a, i, 0, V[0])
    put3(a, i, 3, V[1])


@helper
def get_pose(X, i):
    """Pose kept as row i of an (n, 12) array: matrix row by row, then position."""
    return get9(X, i, 0), get3(X, i, 9)


@helper
def put_pose(X, i, pose):
    put9(X, i, 0, pose[0])
    put3(X, i, 9, pose[1])


@helper
def get_column(S, i):
    """Motion kept as column i of a (6, n) array."""
    return (S[0, i], S[1, i], S[2, i]), (S[3, i], S[4, i], S[5, i])


@helper
def put_column(S, i, V):
    (S[0, i], S[1, i], S[2, i]), (S[3, i], S[4, i], S[5, i]) = V


# ---------------------------------------------------------------------------------------------------------- poses


@helper
def compose(X_AB, X_BC):
    """X_AC."""
    R, p = X_AB
    return matmul(R, X_BC[0]), add(p, mul(R, X_BC[1]))


@helper
def rotate_z(X, s, c):
    """Pose after a turn about its own z axis by the angle with this sine and cosine."""
    R, p = X
    return (
        c * R[0] + s * R[1], c * R[1] - s * R[0], R[2],
        c * R[3] + s * R[4], c * R[4] - s * R[3], R[5],
        c * R[6] + s * R[7], c * R[7] - s * R[6], R[8],
    ), p  # fmt: skip


@helper
def rotate_x(X, s, c):
    """Pose after a turn about its own x axis."""
    R, p = X
    return (
        R[0], c * R[1] + s * R[2], c * R[2] - s * R[1],
        R[3], c * R[4] + s * R[5], c * R[5] - s * R[4],
        R[6], c * R[7] + s * R[8], c * R[8] - s * R[7],
    ), p  # fmt: skip


@helper
def slide_z(X, d):
    """Pose after a shift by d along its own z axis."""
    R, p = X
    return R, (p[0] + d * R[2], p[1] + d * R[5], p[2] + d * R[8])


@helper
def shift(X, d):
    """Pose after a shift by the vector d, in its own axes."""
    R, p = X
    return R, add(p, mul(R, d))


# -------------------------------------------------------------------------------------------------- spatial vectors


@helper
def vadd(V, W):
    return add(V[0], W[0]), add(V[1], W[1])


@helper
def vsub(V, W):
    return sub(V[0], W[0]), sub(V[1], W[1])


@helper
def vscale(s, V):
    return scale(s, V[0]), scale(s, V[1])


@helper
def vdot(V, F):
    """Power of the wrench F on the twist V."""
    return dot(V[0], F[0]) + dot(V[1], F[1])


@helper
def to_child(X_PB, V_P):
    """Motion at P, in P, becomes motion at B, in B."""
    R, p = X_PB
    return mulT(R, V_P[0]), mulT(R, add(V_P[1], cross(V_P[0], p)))


@helper
def to_parent(X_PB, V_B):
    """Motion at B, in B, becomes motion at P, in P."""
    R, p = X_PB
    w = mul(R, V_B[0])
    return w, add(mul(R, V_B[1]), cross(p, w))


@helper
def force_to_parent(X_PB, F_B):
    """Wrench at B, in B, becomes the same wrench at P, in P."""
    R, p = X_PB
    f = mul(R, F_B[1])
    return add(mul(R, F_B[0]), cross(p, f)), f


@helper
def force_to_child(X_PB, F_P):
    """Wrench at P, in P, becomes the same wrench at B, in B."""
    R, p = X_PB
    return mulT(R, sub(F_P[0], cross(p, F_P[1]))), mulT(R, F_P[1])


@helper
def cross_motion(V, W):
    """V x W for motions: the rate of W when its frame moves with V."""
    return cross(V[0], W[0]), add(cross(V[0], W[1]), cross(V[1], W[0]))


@helper
def add_rotation_z(V, s):
    """V + (s z, 0)."""
    w, v = V
    return (w[0], w[1], w[2] + s), v


@helper
def cross_rotation_z(V, s):
    """V x (s z, 0)."""
    w, v = V
    return (s * w[1], -s * w[0], 0.0 * s), (s * v[1], -s * v[0], 0.0 * s)


@helper
def cross_force(V, F):
    """V x* F for a force: its rate when its frame moves with V."""
    return add(cross(V[0], F[0]), cross(V[1], F[1])), cross(V[0], F[1])


@helper
def shift_of(V, r):
    """What the motion V does to the point r."""
    return add(V[1], cross(V[0], r))


@helper
def rotate_twice(alpha, omega, axis):
    """Second derivative of an axis that turns with omega, alpha."""
    return add(cross(alpha, axis), cross(omega, cross(omega, axis)))
