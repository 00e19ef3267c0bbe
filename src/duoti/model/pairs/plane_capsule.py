"""A capsule, or a thin rod, on a half-space."""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.pairs.base import ShapePair, axis_of, on_plane
from duoti.spatial.algebra import add, scale


@helper
def _plane_capsule(X_A, X_B, s_a, s_b, k):
    half = s_b[1] if k == 0 else -s_b[1]
    return on_plane(X_A, add(X_B[1], scale(half, axis_of(X_B[0], 2))), s_b[0])


class PlaneCapsule(ShapePair):
    """The balls at its two ends; between them it is straight."""

    kind, first, second, points = "plane_capsule", "plane", "capsule", 2
    law = staticmethod(_plane_capsule)
