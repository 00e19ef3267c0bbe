"""A sphere that rolls on a plane."""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.rows.base import axis
from duoti.model.rows.position import position_bias_tangent
from duoti.model.rows.rolling import NORMAL, RollingRow, rolling_row, rolling_tangent
from duoti.spatial.algebra import ZERO3, scale


@helper
def _law(i, j, radius, R_A, R_B, d, p, omega_a, omega_b, v, alpha_a, alpha_b, acc):
    arm = scale(-radius, axis(R_A, NORMAL))
    return rolling_row(i, R_A, d, p, omega_a, omega_b, v, alpha_a, alpha_b, acc, arm, ZERO3)


@helper
def _tangent(i, j, radius, R_A, R_B, d, p, xi):
    return rolling_tangent(i, R_A, p, xi, ZERO3)


class Sphere(RollingRow):
    """Velocity of the contact point of a sphere along axis i of the plane; the parameter is the radius [m]."""

    kind = "sphere"
    law = staticmethod(_law)
    tangent = staticmethod(_tangent)
    bias_tangent = staticmethod(position_bias_tangent)
