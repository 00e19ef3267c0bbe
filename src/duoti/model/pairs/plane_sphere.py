"""A sphere, or a point, on a half-space."""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.pairs.base import ShapePair, on_plane


@helper
def _plane_sphere(X_A, X_B, s_a, s_b, k):
    return on_plane(X_A, X_B[1], s_b[0])


class PlaneSphere(ShapePair):
    """One point: the lowest of the sphere."""

    kind, first, second, points = "plane_sphere", "plane", "sphere", 1
    law = staticmethod(_plane_sphere)
