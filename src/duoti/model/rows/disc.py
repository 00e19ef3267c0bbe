"""A thin disc that rolls on a plane."""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.rows.base import axis
from duoti.model.rows.position import force_bias
from duoti.model.rows.rolling import NORMAL, RollingRow, rolling_row, rolling_tangent
from duoti.spatial.algebra import add, cross, dot, scale, shift_of, sqrt, sub


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
def _law(i, j, radius, R_A, R_B, d, p, omega_a, omega_b, v, alpha_a, alpha_b, acc):
    b = axis(R_B, j)
    arm, arm_rate = _arm(radius, axis(R_A, NORMAL), b, cross(sub(omega_b, omega_a), b))
    return rolling_row(i, R_A, d, p, omega_a, omega_b, v, alpha_a, alpha_b, acc, arm, arm_rate)


@helper
def _tangent(i, j, radius, R_A, R_B, d, p, xi):
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


class Disc(RollingRow):
    """Velocity of the contact point of a disc with axis j of B along axis i of the plane; parameter: radius [m]."""

    kind = "disc"
    law = staticmethod(_law)
    tangent = staticmethod(_tangent)
    bias_tangent = staticmethod(_bias_tangent)
