"""What rows of rolling bodies have in common: no velocity of the contact point.

With the arm from the centre of the body to the contact point, dg/dt = a . (v + omega_b x arm); along the normal, axis 2
of the first frame, also g = a . (d + arm). The plane is on ground.
"""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.rows.base import FrameRow, axis
from duoti.spatial.algebra import ZERO3, add, cross, dot, shift_of

NORMAL = 2


@helper
def rolling_row(i, R_A, d, p, omega_b, v, alpha_b, acc, arm, arm_rate):
    """The law, with the arm and its rate;  W = ((p + arm) x a, a)."""
    a = axis(R_A, i)
    value = 0.0 * dot(a, d)
    if i == NORMAL:
        value = dot(a, add(d, arm))
    rate = dot(a, add(v, cross(omega_b, arm)))
    bias = dot(a, add(acc, add(cross(alpha_b, arm), cross(omega_b, arm_rate))))
    return value, rate, bias, (cross(add(p, arm), a), a)


@helper
def rolling_tangent(i, R_A, p, xi, arm_change):
    """The tangent, with the change of the arm."""
    return cross(add(shift_of(xi, p), arm_change), axis(R_A, i)), ZERO3


class RollingRow(FrameRow):
    """See the module's text."""

    on_ground = True

    @staticmethod
    def holonomic(i: int) -> bool:
        """Only contact is, slip is not."""
        return i == NORMAL
