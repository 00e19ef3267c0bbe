"""The distance of two points."""

from duoti.kernel import helper
from duoti.model.equations.base import FrameEquation
from duoti.spatial.algebra import add, cross, dot, scale, shift_of, sqrt, sub


@helper
def _law(i, j, parameter, R_A, R_B, d, p, omega_a, omega_b, v, alpha_a, alpha_b, acc):
    length = sqrt(dot(d, d))
    n = scale(1.0 / length, d)
    rate = dot(n, v)
    return length, rate, dot(n, acc) + (dot(v, v) - rate * rate) / length, (cross(p, n), n)


@helper
def _tangent(i, j, parameter, R_A, R_B, d, p, xi):
    moved = shift_of(xi, p)
    length = sqrt(dot(d, d))
    n = scale(1.0 / length, d)
    across = scale(1.0 / length, sub(moved, scale(dot(n, moved), n)))
    return add(cross(moved, n), cross(p, across)), across


@helper
def _bias_tangent(i, j, parameter, R_A, R_B, d, p, V, xi, eta):
    moved, velocity = shift_of(xi, p), shift_of(V, p)  # phi = (v x n) . omega + (v . v - (n . v)²) / |d|
    dv = add(shift_of(eta, p), cross(V[0], moved))
    length = sqrt(dot(d, d))
    n = scale(1.0 / length, d)
    dn = scale(1.0 / length, sub(moved, scale(dot(n, moved), n)))
    along = dot(n, velocity)
    turn = dot(add(cross(dv, n), cross(velocity, dn)), V[0]) + dot(cross(velocity, n), eta[0])
    stretch = 2.0 * (dot(velocity, dv) - along * (dot(dn, velocity) + dot(n, dv)))
    return turn + (stretch - (dot(velocity, velocity) - along * along) * dot(n, moved) / length) / length


class DistanceEquation(FrameEquation):
    """g = |d|;  W = (p x n, n) with n = d / |d|."""

    kind = "distance"
    law = staticmethod(_law)
    tangent = staticmethod(_tangent)
    bias_tangent = staticmethod(_bias_tangent)
