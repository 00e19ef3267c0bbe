"""The advance along an axis is that of the turn about it."""

import math

from duoti.kernel import helper
from duoti.model.equations.base import FrameEquation, axis
from duoti.model.equations.position import position_bias_tangent, position_row, position_tangent
from duoti.spatial.algebra import atan2, cross, dot, scale, sub


@helper
def _turn(R_A, R_B, slide, advance):
    """Turn of B about z of A; whole turns from the advance."""
    x_b = (R_B[0], R_B[3], R_B[6])
    turn = atan2(dot((R_A[1], R_A[4], R_A[7]), x_b), dot((R_A[0], R_A[3], R_A[6]), x_b))
    if advance != 0.0:
        turn += 2.0 * math.pi * round((slide.real / advance.real - turn.real) / (2.0 * math.pi))
    return turn


@helper
def _law(i, j, advance, R_A, R_B, d, p, omega_a, omega_b, v, alpha_a, alpha_b, acc):
    value, rate, bias, (torque, force) = position_row(i, R_A, d, p, omega_a, v, alpha_a, acc)
    a, spin = axis(R_A, i), sub(omega_b, omega_a)
    value = value - advance * _turn(R_A, R_B, value, advance)
    rate = rate - advance * dot(a, spin)
    bias = bias - advance * (dot(a, sub(alpha_b, alpha_a)) + dot(cross(omega_a, a), spin))
    return value, rate, bias, (sub(torque, scale(advance, a)), force)


class ScrewEquation(FrameEquation):
    """g = a . d - advance * theta, theta the turn of B about z; the parameter is the advance [m/rad]."""

    kind = "screw"
    law = staticmethod(_law)
    tangent = staticmethod(position_tangent)
    bias_tangent = staticmethod(position_bias_tangent)
