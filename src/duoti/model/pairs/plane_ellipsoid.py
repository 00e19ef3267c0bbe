"""An ellipsoid on a half-space."""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.pairs.base import ShapePair, axis_of
from duoti.spatial.algebra import dot, mul, mulT, scale, sqrt, sub


@helper
def _plane_ellipsoid(X_A, X_B, s_a, s_b, k):
    """The lowest point, where the normal of x^T D^-2 x = 1 is -n: x = -D^2 n / |D n|."""
    (R, p), n = X_B, axis_of(X_A[0], 2)
    m = mulT(R, n)
    stretched = (s_b[0] * m[0], s_b[1] * m[1], s_b[2] * m[2])
    length = sqrt(dot(stretched, stretched))
    lowest = (s_b[0] * stretched[0], s_b[1] * stretched[1], s_b[2] * stretched[2])
    p_b = sub(p, scale(1.0 / length, mul(R, lowest)))
    gap = dot(n, sub(p_b, X_A[1]))
    return gap, sub(p_b, scale(gap, n)), p_b, n


class PlaneEllipsoid(ShapePair):
    """One point: the lowest of the ellipsoid."""

    kind, first, second, points = "plane_ellipsoid", "plane", "ellipsoid", 1
    law = staticmethod(_plane_ellipsoid)
