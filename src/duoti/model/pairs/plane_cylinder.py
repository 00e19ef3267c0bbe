"""A cylinder on a half-space."""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.pairs.base import ShapePair, axis_of
from duoti.model.pairs.rim import rim_on_plane
from duoti.spatial.algebra import add, scale


@helper
def _plane_cylinder(X_A, X_B, s_a, s_b, k):
    R, p = X_B
    half = s_b[1] if k < 4 else -s_b[1]
    return rim_on_plane(X_A, R, add(p, scale(half, axis_of(R, 2))), s_b[0], k % 4)


class PlaneCylinder(ShapePair):
    """Four points of the rim at each end, the lowest first: enough to stand on an end and to lie on the side."""

    kind, first, second, points = "plane_cylinder", "plane", "cylinder", 8
    law = staticmethod(_plane_cylinder)
