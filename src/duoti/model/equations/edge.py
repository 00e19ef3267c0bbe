"""No velocity along an axis that moves with the second frame."""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.equations.base import FrameEquation, axis
from duoti.spatial.algebra import add, cross, dot, shift_of


@helper
def _law(i, j, parameter, R_A, R_B, d, p, omega_a, omega_b, v, alpha_a, alpha_b, acc):
    b = axis(R_B, j)
    return 0.0, dot(b, v), dot(b, acc) + dot(cross(omega_b, b), v), (cross(p, b), b)


@helper
def _tangent(i, j, parameter, R_A, R_B, d, p, xi):
    b = axis(R_B, j)
    turned = cross(xi[0], b)
    return add(cross(shift_of(xi, p), b), cross(p, turned)), turned


@helper
def _bias_tangent(i, j, parameter, R_A, R_B, d, p, V, xi, eta):
    return 0.0  # phi = 0


class Edge(FrameEquation):
    """dg/dt = b . v, velocity of B's point along axis j of B, seen from ground;  W = (p x b, b)."""

    kind = "edge"
    on_ground = True
    law = staticmethod(_law)
    tangent = staticmethod(_tangent)
    bias_tangent = staticmethod(_bias_tangent)

    @staticmethod
    def holonomic(i: int) -> bool:
        """It never is."""
        del i
        return False
