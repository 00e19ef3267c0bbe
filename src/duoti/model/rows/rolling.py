"""What rows of rolling bodies have in common: no velocity of the contact point.

With the arm from the centre of the body to the contact point, the velocity of the body's point there less that of the
plane's is u = v + omega_b x arm - omega_a x (d + arm), and dg/dt = a . u; along the normal, axis 2 of the first frame,
also g = a . (d + arm).
"""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.rows.base import FrameRow, axis
from duoti.spatial.algebra import ZERO3, add, cross, dot, shift_of, sub

NORMAL = 2


@helper
def rolling_row(i, R_A, d, p, omega_a, omega_b, v, alpha_a, alpha_b, acc, arm, arm_rate):
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


class RollingRow(FrameRow):
    """See the module's text."""

    @staticmethod
    def holonomic(i: int) -> bool:
        """Only contact is, slip is not."""
        return i == NORMAL
