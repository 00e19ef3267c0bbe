"""d along an axis of the first frame."""

from duoti.kernel import helper
from duoti.model.equations.base import FrameEquation, axis
from duoti.spatial.algebra import ZERO3, add, cross, dot, rotate_twice, shift_of


@helper
def position_row(i, R_A, d, p, omega_a, v, alpha_a, acc):
    """g = a . d;  dg/dt = a . v + (omega_a x a) . d;  W = (p x a, a)."""
    a = axis(R_A, i)
    da, dda = cross(omega_a, a), rotate_twice(alpha_a, omega_a, a)
    rate = dot(a, v) + dot(da, d)
    return dot(a, d), rate, dot(a, acc) + 2.0 * dot(da, v) + dot(dda, d), (cross(p, a), a)


@helper
def _law(i, j, parameter, R_A, R_B, d, p, omega_a, omega_b, v, alpha_a, alpha_b, acc):
    return position_row(i, R_A, d, p, omega_a, v, alpha_a, acc)


@helper
def position_tangent(i, j, parameter, R_A, R_B, d, p, xi):
    """W = (p x a, a), or more that does not change."""
    return cross(shift_of(xi, p), axis(R_A, i)), ZERO3


@helper
def position_bias_tangent(i, j, parameter, R_A, R_B, d, p, V, xi, eta):
    """phi = (v x a) . omega."""
    return force_bias(axis(R_A, i), shift_of(V, p), add(shift_of(eta, p), cross(V[0], shift_of(xi, p))), V, eta)


@helper
def force_bias(a, velocity, dv, V, eta):
    """Change of phi = (v x a) . omega of a force along a that does not turn, with the change dv of v."""
    return dot(cross(dv, a), V[0]) + dot(cross(velocity, a), eta[0])


class Position(FrameEquation):
    """d along axis i of the first frame."""

    kind = "position"
    law = staticmethod(_law)
    tangent = staticmethod(position_tangent)
    bias_tangent = staticmethod(position_bias_tangent)
