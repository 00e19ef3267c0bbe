"""The cosine of the angle between two axes."""

from duoti.kernel import helper
from duoti.model.equations.base import FrameEquation, axis
from duoti.spatial.algebra import ZERO3, add, cross, dot, rotate_twice


@helper
def _law(i, j, parameter, R_A, R_B, d, p, omega_a, omega_b, v, alpha_a, alpha_b, acc):
    a, b = axis(R_A, i), axis(R_B, j)
    da, dda = cross(omega_a, a), rotate_twice(alpha_a, omega_a, a)
    db, ddb = cross(omega_b, b), rotate_twice(alpha_b, omega_b, b)
    bias = dot(dda, b) + 2.0 * dot(da, db) + dot(a, ddb)
    return dot(a, b), dot(da, b) + dot(a, db), bias, (cross(b, a), ZERO3)


@helper
def _tangent(i, j, parameter, R_A, R_B, d, p, xi):
    return cross(cross(xi[0], axis(R_B, j)), axis(R_A, i)), ZERO3


@helper
def _bias_tangent(i, j, parameter, R_A, R_B, d, p, V, xi, eta):
    a, b = axis(R_A, i), axis(R_B, j)  # phi = (db x a) . omega
    db, ddb = cross(V[0], b), add(cross(eta[0], b), cross(V[0], cross(xi[0], b)))
    return dot(cross(ddb, a), V[0]) + dot(cross(db, a), eta[0])


class Dot(FrameEquation):
    """g = a . b, axis i of the first frame times axis j of the second;  W = (b x a, 0)."""

    kind = "dot"
    law = staticmethod(_law)
    tangent = staticmethod(_tangent)
    bias_tangent = staticmethod(_bias_tangent)
