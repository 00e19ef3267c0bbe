"""A sphere and a thin disc."""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.pairs.base import ShapePair, axis_of, between_balls
from duoti.spatial.algebra import add, dot, scale, sqrt, sub


@helper
def _sphere_disc(X_A, X_B, s_a, s_b, k):
    """The point of the disc that is nearest to the centre; on its flat side the centre may not pass through."""
    R, p = X_B
    axis, d = axis_of(R, 2), sub(X_A[1], p)
    z = dot(axis, d)
    across = sub(d, scale(z, axis))
    square = dot(across, across)
    near = add(p, across)
    if square.real > s_b[0] * s_b[0]:
        near = add(p, scale(s_b[0] / sqrt(square), across))
    other = scale(-1.0 if z.real >= 0.0 else 1.0, axis)
    return between_balls(X_A[1], s_a[0], near, 0.0, other)


class SphereDisc(ShapePair):
    """One point: on the flat side of the disc, or on its rim."""

    kind, first, second, points = "sphere_disc", "sphere", "disc", 1
    law = staticmethod(_sphere_disc)
