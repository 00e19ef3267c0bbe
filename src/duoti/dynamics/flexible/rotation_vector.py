"""Finite rotations by a rotation vector theta: R = exp(theta~), and the rates that belong to it.

With s = theta . theta and f_m = sum over k of (-s)^k / (2 k + m)!, entire functions of s:

    R = 1 + f_1 theta~ + f_2 theta~^2                                                                        (1)
    omega = T theta_dot in the turned axes, T = 1 - f_2 theta~ + f_3 theta~^2                                (2)
    f_m = 1/m! - s f_(m+2),   df_2/ds = f_4 - f_3/2,   df_3/ds = (3 f_5 - f_4)/2                             (3)

(2) is the right tangent operator of the rotation group (Iserles et al., Acta Numerica 2000, section 2). No branch at
theta = 0; the series are good to round-off up to half a turn, far beyond what interfaces of elastic bodies do.
"""

from math import factorial

from duoti.kernel import helper
from duoti.spatial.algebra import add, cross, dot, scale

_F4 = tuple((-1.0) ** k / factorial(2 * k + 4) for k in range(11))
_F5 = tuple((-1.0) ** k / factorial(2 * k + 5) for k in range(11))


@helper
def _horner(c, s):
    x = c[10] + 0.0 * s
    x = c[9] + s * x
    x = c[8] + s * x
    x = c[7] + s * x
    x = c[6] + s * x
    x = c[5] + s * x
    x = c[4] + s * x
    x = c[3] + s * x
    x = c[2] + s * x
    x = c[1] + s * x
    return c[0] + s * x


@helper
def rotation_factors(theta):
    """f_1 ... f_5 of a rotation vector."""
    s = dot(theta, theta)
    f4, f5 = _horner(_F4, s), _horner(_F5, s)
    f3 = 1.0 / 6.0 - s * f5
    return 1.0 - s * f3, 0.5 - s * f4, f3, f4, f5


@helper
def tangent_matrix(theta, f):
    """R by (1)."""
    x, y, z = theta
    a, b = f[0], f[1]
    return (
        1.0 - b * (y * y + z * z), b * x * y - a * z, b * x * z + a * y,
        b * x * y + a * z, 1.0 - b * (x * x + z * z), b * y * z - a * x,
        b * x * z - a * y, b * y * z + a * x, 1.0 - b * (x * x + y * y),
    )  # fmt: skip


@helper
def right_tangent(theta, f, x):
    """T x by (2)."""
    t = cross(theta, x)
    return add(x, add(scale(-f[1], t), scale(f[2], cross(theta, t))))


@helper
def tangent_rate(theta, f, rate):
    """(dT/dt) theta_dot, by (2) and (3)."""
    s = 2.0 * dot(theta, rate)
    t = cross(theta, rate)
    out = scale(-(f[3] - 0.5 * f[2]) * s, t)
    out = add(out, scale((1.5 * f[4] - 0.5 * f[3]) * s, cross(theta, t)))
    return add(out, scale(f[2], cross(rate, t)))
