"""A sphere and a capsule."""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.pairs.base import ShapePair, axis_of, between_balls, clamped
from duoti.spatial.algebra import add, dot, scale, sub


@helper
def _sphere_capsule(X_A, X_B, s_a, s_b, k):
    axis = axis_of(X_B[0], 2)
    along = clamped(dot(axis, sub(X_A[1], X_B[1])), -s_b[1], s_b[1])
    return between_balls(X_A[1], s_a[0], add(X_B[1], scale(along, axis)), s_b[0], axis_of(X_B[0], 0))


class SphereCapsule(ShapePair):
    """One point: the sphere against the ball that is carried along the axis of the capsule, where it is nearest."""

    kind, first, second, points = "sphere_capsule", "sphere", "capsule", 1
    law = staticmethod(_sphere_capsule)
