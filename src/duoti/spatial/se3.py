"""Exponential coordinates of poses, on tuples, for use inside kernels.

A pose X = exp(d) has six exponential coordinates d = (theta, u), kept as a motion: a screw that turns by |theta| and is
run through at constant twist d in unit time. With the body twist V = T(d) dd/dt, the rates are dd/dt = T(d)^-1 V
(Sonneville, Cardona, Brüls 2014, Computer Methods in Applied Mechanics and Engineering 268, appendix A).

Everything here is a formula of rotations read with dual numbers, a + eps b with eps² = 0 (the principle of
transference: Kotelnikov, Study): a motion (omega, v) is the dual vector omega + eps v, `cross_motion` the cross product
of two such vectors, and a function g of theta . theta becomes the dual number (g, 2 g' theta . u). So

    T^-1 V = V + d x V / 2 + k d x (d x V)          k(z) = (1 - x cot x) / z, x = |theta| / 2

with z = |theta|². A wrench (n, f) is the dual vector f + eps n; with that, T^-T F is T^-1 with -d in place of d.
Nothing branches and nothing cancels at small angles. The logarithm is good below half a turn, T^-1 below a full one, to
round-off.
"""

from duoti.kernel import helper
from duoti.spatial.algebra import add, atan2, cross, cross_motion, dot, scale, sqrt, sub, vadd, vsub

TINY = 1e-300  # keeps a rotation that vanishes from dividing zero by zero
NEAR = 0.125  # 1 - cos(angle), 29 degrees: below, 13 terms of a series are exact to 1e-16


# ---------------------------------------------------------------------------------------------------- dual numbers


@helper
def dual_scale(s, V):
    """(a + eps b) V."""
    a, b = s
    return scale(a, V[0]), add(scale(a, V[1]), scale(b, V[0]))


@helper
def dual_dot(V, W):
    """Scalar product of two motions as a dual number: its second part is their reciprocal product."""
    return dot(V[0], W[0]), dot(V[0], W[1]) + dot(V[1], W[0])


@helper
def as_motion(F):
    """The wrench (n, f) as the dual vector f + eps n; also the way back."""
    return F[1], F[0]


# ------------------------------------------------------------------------------------------------------ coefficients


@helper
def cotangent_coefficients(z):
    """k = (1 - x cot x) / z with x = sqrt(z) / 2, and its first two derivatives by z.

    x cot x = 1 - 2 z sum of 1/(4 n² pi² - z) over n = 1, 2, ... (Euler). The terms of n = 1 and n = 2 stand as they
    are; all others together are a power series in z/(36 pi²), whose coefficients are 2 (zeta(2 j + 2) - 1 - 2^-(2 j +
    2)) / (4 pi²)^(j + 1). At a full turn, z = 4 pi², the first term is infinite, as is k.
    """
    a, b = 1.0 / (39.478417604357434 - z), 1.0 / (157.91367041742974 - z)
    c0, c1, c2, c3 = 2.00075935568722262e-02, 2.54381206886256216e-05, 5.58456839049441513e-08, 1.40882415747610469e-10
    c4, c5, c6, c7 = 3.75671620021579781e-13, 1.02801253753604611e-15, 2.85002212921379124e-18, 7.95557541071984498e-21
    c8, c9, c10 = 2.22893266455370116e-23, 6.25747115080577224e-26, 1.75867304929096799e-28
    p2, p1, p0 = 0.0 * z, 0.0 * z, c10 + 0.0 * z  # Horner, with the first derivative and half the second one
    p2, p1, p0 = p2 * z + p1, p1 * z + p0, p0 * z + c9
    p2, p1, p0 = p2 * z + p1, p1 * z + p0, p0 * z + c8
    p2, p1, p0 = p2 * z + p1, p1 * z + p0, p0 * z + c7
    p2, p1, p0 = p2 * z + p1, p1 * z + p0, p0 * z + c6
    p2, p1, p0 = p2 * z + p1, p1 * z + p0, p0 * z + c5
    p2, p1, p0 = p2 * z + p1, p1 * z + p0, p0 * z + c4
    p2, p1, p0 = p2 * z + p1, p1 * z + p0, p0 * z + c3
    p2, p1, p0 = p2 * z + p1, p1 * z + p0, p0 * z + c2
    p2, p1, p0 = p2 * z + p1, p1 * z + p0, p0 * z + c1
    p2, p1, p0 = p2 * z + p1, p1 * z + p0, p0 * z + c0
    return 2.0 * (a + b) + p0, 2.0 * (a * a + b * b) + p1, 4.0 * (a * a * a + b * b * b) + 2.0 * p2


# ------------------------------------------------------------------------------------------- exponential, logarithm


@helper
def angle_by_sine(y):
    """angle / sin(angle) by y = 1 - cos(angle): the sum of 2^n (n!)² / (2n + 1)! y^n, to round-off for y < NEAR.

    It is the series of arcsin(x) / (x sqrt(1 - x²)) with 2 x² = y (Gradshteyn & Ryzhik 1.645), summed by pairs, which
    do not wait for each other.
    """
    y2 = y * y
    y4 = y2 * y2
    first = (1.0 + y * (1.0 / 3.0)) + y2 * (2.0 / 15.0 + y * (2.0 / 35.0))
    second = (8.0 / 315.0 + y * (8.0 / 693.0)) + y2 * (16.0 / 3003.0 + y * (16.0 / 6435.0))
    third = (128.0 / 109395.0 + y * (128.0 / 230945.0)) + y2 * (256.0 / 969969.0 + y * (256.0 / 2028117.0))
    return (first + y4 * second) + y4 * y4 * (third + y4 * (1024.0 / 16900975.0))


@helper
def rotation_vector(R):
    """Rotation vector of a rotation matrix by less than half a turn, where the direction is lost (it stays finite).

    Small turns, those of beam elements and bushings, are spared the root, the quotient and the angle function.
    """
    s = (R[7] - R[5], R[2] - R[6], R[3] - R[1])  # 2 sin(angle) times the axis; the trace is 1 + 2 cos(angle)
    y = 1.5 - 0.5 * (R[0] + R[4] + R[8])
    if y.real < NEAR:
        return scale(0.5 * angle_by_sine(y), s)
    n = sqrt(dot(s, s) + TINY)
    return scale(atan2(n, R[0] + R[4] + R[8] - 1.0) / n, s)


@helper
def log_pose(X):
    """Exponential coordinates of a pose that turns by less than half a turn."""
    R, p = X
    theta = rotation_vector(R)
    k, _, _ = cotangent_coefficients(dot(theta, theta))
    a = cross(theta, p)
    return theta, add(sub(p, scale(0.5, a)), scale(k, cross(theta, a)))


# --------------------------------------------------------------------------------------- tangent operator and inverse


@helper
def inverse_coefficients(d):
    """k as a dual number, and its derivative by the dual number d . d: what the functions below ask for."""
    z, zu = dual_dot(d, d)
    k, slope, curve = cotangent_coefficients(z)
    return (k, slope * zu), (slope, curve * zu)


@helper
def tangent_inverse(d, coefficients, V):
    """T(d)^-1 V: the rates of the exponential coordinates that belong to the body twist V."""
    k, _ = coefficients
    x = cross_motion(d, V)
    half = (scale(0.5, x[0]), scale(0.5, x[1]))
    return vadd(vadd(V, half), dual_scale(k, cross_motion(d, x)))


@helper
def opposite(d):
    """-d: the coordinates of the inverse pose, with the same coefficients."""
    return scale(-1.0, d[0]), scale(-1.0, d[1])


@helper
def end_wrenches(d, coefficients, F):
    """T(d)^-T F, the wrench at B in B's axes, and the same wrench at A in A's axes, which is T(-d)^-T F."""
    k, _ = coefficients
    back, G = opposite(d), as_motion(F)
    x = cross_motion(back, G)
    half, even = (scale(0.5, x[0]), scale(0.5, x[1])), vadd(G, dual_scale(k, cross_motion(back, x)))
    return as_motion(vadd(even, half)), as_motion(vsub(even, half))
