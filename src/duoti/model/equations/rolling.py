"""What rows of rolling bodies have in common: no velocity of the contact point.

With the arm from the centre of the body to the contact point, the velocity of the body's point there less that of the
plane's is u = v + omega_b x arm - omega_a x (d + arm), and dg/dt = a . u; along the normal, axis 2 of the first frame,
also g = a . (d + arm).
"""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.equations.base import FrameEquation, axis
from duoti.model.equations.position import force_bias, position_bias_tangent
from duoti.spatial.algebra import ZERO3, add, cross, dot, scale, shift_of, sqrt, sub

NORMAL = 2


@helper
def rolling_equation(i, R_A, d, p, omega_a, omega_b, v, alpha_a, alpha_b, acc, arm, arm_rate):
    """The law, with the arm and its rate as seen from the plane;  W = ((p + arm) x a, a)."""
    a = axis(R_A, i)
    value = 0.0 * dot(a, d)
    if i == NORMAL:
        value = dot(a, add(d, arm))
    lever, arm_rate = add(d, arm), add(arm_rate, cross(omega_a, arm))
    u = sub(add(v, cross(omega_b, arm)), cross(omega_a, lever))
    du = sub(add(acc, cross(alpha_b, arm)), cross(alpha_a, lever))
    du = add(du, sub(cross(omega_b, arm_rate), cross(omega_a, add(v, arm_rate))))
    return value, dot(a, u), dot(a, du) + dot(cross(omega_a, a), u), (cross(add(p, arm), a), a)


@helper
def rolling_tangent(i, R_A, p, xi, arm_change):
    """The tangent, with the change of the arm."""
    return cross(add(shift_of(xi, p), arm_change), axis(R_A, i)), ZERO3


class RollingEquation(FrameEquation):
    """See the module's text."""

    @staticmethod
    def holonomic(i: int) -> bool:
        """Only contact is, slip is not."""
        return i == NORMAL


# A thin disc that rolls on a plane.


@helper
def _arm(radius, normal, axis, axis_rate):
    """From the centre of the disc to its contact point, and the rate of this vector.

    The lowest point of a disc is opposite to the part of the normal that lies in its plane.
    """
    tilt = dot(normal, axis)
    up = sub(normal, scale(tilt, axis))
    size = sqrt(dot(up, up))
    up = scale(1.0 / size, up)
    rate = sub(scale(-dot(normal, axis_rate), axis), scale(tilt, axis_rate))
    rate = scale(1.0 / size, sub(rate, scale(dot(up, rate), up)))
    return scale(-radius, up), scale(-radius, rate)


@helper
def _disc_law(i, j, radius, R_A, R_B, d, p, omega_a, omega_b, v, alpha_a, alpha_b, acc):
    b = axis(R_B, j)
    arm, arm_rate = _arm(radius, axis(R_A, NORMAL), b, cross(sub(omega_b, omega_a), b))
    return rolling_equation(i, R_A, d, p, omega_a, omega_b, v, alpha_a, alpha_b, acc, arm, arm_rate)


@helper
def _disc_tangent(i, j, radius, R_A, R_B, d, p, xi):
    b = axis(R_B, j)
    _, arm_change = _arm(radius, axis(R_A, NORMAL), b, cross(xi[0], b))
    return rolling_tangent(i, R_A, p, xi, arm_change)


@helper
def _bias_tangent(i, j, radius, R_A, R_B, d, p, V, xi, eta):
    normal, b = axis(R_A, NORMAL), axis(R_B, j)  # as a position row, but for the contact point
    moved, turned = shift_of(xi, p), cross(xi[0], b)
    velocity, db = shift_of(V, p), cross(V[0], b)
    dv, ddb = add(shift_of(eta, p), cross(V[0], moved)), add(cross(eta[0], b), cross(V[0], turned))
    _, arm_rate = _arm(radius, normal, b, db)
    dv = add(dv, _arm_rate_change(radius, normal, b, db, turned, ddb))
    return force_bias(axis(R_A, i), add(velocity, arm_rate), dv, V, eta)


@helper
def _arm_rate_change(radius, normal, b, db, turned, ddb):
    """Change of the rate of the arm when the disc's axis b changes by turned and its rate db by ddb."""
    tilt = dot(normal, b)
    part = sub(normal, scale(tilt, b))  # of the normal in the disc's plane
    size = sqrt(dot(part, part))
    up = scale(1.0 / size, part)
    rate = scale(-1.0, add(scale(dot(normal, db), b), scale(tilt, db)))
    change = scale(-1.0, add(scale(dot(normal, turned), b), scale(tilt, turned)))
    rate_change = scale(
        -1.0,
        add(
            add(scale(dot(normal, ddb), b), scale(dot(normal, db), turned)),
            add(scale(dot(normal, turned), db), scale(tilt, ddb)),
        ),
    )
    up_rate = scale(1.0 / size, sub(rate, scale(dot(up, rate), up)))
    up_change = scale(1.0 / size, sub(change, scale(dot(up, change), up)))
    along = add(scale(dot(up, rate), up_change), scale(dot(up_change, rate) + dot(up, rate_change), up))
    return scale(-radius / size, sub(sub(rate_change, along), scale(dot(up, change), up_rate)))


class DiscEquation(RollingEquation):
    """Velocity of the contact point of a disc with axis j of B along axis i of the plane; parameter: radius [m]."""

    kind = "disc"
    law = staticmethod(_disc_law)
    tangent = staticmethod(_disc_tangent)
    bias_tangent = staticmethod(_bias_tangent)


# A sphere that rolls on a plane.


@helper
def _sphere_law(i, j, radius, R_A, R_B, d, p, omega_a, omega_b, v, alpha_a, alpha_b, acc):
    arm = scale(-radius, axis(R_A, NORMAL))
    return rolling_equation(i, R_A, d, p, omega_a, omega_b, v, alpha_a, alpha_b, acc, arm, ZERO3)


@helper
def _sphere_tangent(i, j, radius, R_A, R_B, d, p, xi):
    return rolling_tangent(i, R_A, p, xi, ZERO3)


class Sphere(RollingEquation):
    """Velocity of the contact point of a sphere along axis i of the plane; the parameter is the radius [m]."""

    kind = "sphere"
    law = staticmethod(_sphere_law)
    tangent = staticmethod(_sphere_tangent)
    bias_tangent = staticmethod(position_bias_tangent)
