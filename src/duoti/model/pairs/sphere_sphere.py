"""Two spheres."""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.pairs.base import ShapePair, axis_of, between_balls


@helper
def _sphere_sphere(X_A, X_B, s_a, s_b, k):
    return between_balls(X_A[1], s_a[0], X_B[1], s_b[0], axis_of(X_A[0], 2))


class SphereSphere(ShapePair):
    """One point, on the line between the centres."""

    kind, first, second, points = "sphere_sphere", "sphere", "sphere", 1
    law = staticmethod(_sphere_sphere)
