"""A sphere, or a point, and a box."""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.pairs.base import ShapePair, clamped
from duoti.spatial.algebra import add, dot, mul, mulT, scale, sqrt, sub


@helper
def _sphere_box(X_A, X_B, s_a, s_b, k):
    """The point of the box that is nearest to the centre; for a centre inside, the nearest face."""
    R, p = X_B
    c = mulT(R, sub(X_A[1], p))  # the centre in the frame of the box
    near = (clamped(c[0], -s_b[0], s_b[0]), clamped(c[1], -s_b[1], s_b[1]), clamped(c[2], -s_b[2], s_b[2]))
    d = sub(near, c)  # from the centre to the box: the normal from a to b
    square = dot(d, d)
    if square.real > 1e-30:
        distance = sqrt(square)
        n = mul(R, scale(1.0 / distance, d))
        return distance - s_a[0], add(X_A[1], scale(s_a[0], n)), add(p, mul(R, near)), n
    depths = (s_b[0] - abs(c[0].real), s_b[1] - abs(c[1].real), s_b[2] - abs(c[2].real))
    face = 0 if depths[0] <= depths[1] and depths[0] <= depths[2] else 1 if depths[1] <= depths[2] else 2
    one, none = 1.0 + 0.0 * c[0], 0.0 * c[0]
    if face == 0:
        side = -1.0 if c[0].real > 0.0 else 1.0
        n_b, depth, near = (side * one, none, none), s_b[0] + side * c[0], (-side * s_b[0] * one, c[1], c[2])
    elif face == 1:
        side = -1.0 if c[1].real > 0.0 else 1.0
        n_b, depth, near = (none, side * one, none), s_b[1] + side * c[1], (c[0], -side * s_b[1] * one, c[2])
    else:
        side = -1.0 if c[2].real > 0.0 else 1.0
        n_b, depth, near = (none, none, side * one), s_b[2] + side * c[2], (c[0], c[1], -side * s_b[2] * one)
    n = mul(R, n_b)
    return -depth - s_a[0], add(X_A[1], scale(s_a[0], n)), add(p, mul(R, near)), n


class SphereBox(ShapePair):
    """One point: on a face, an edge or a corner of the box."""

    kind, first, second, points = "sphere_box", "sphere", "box", 1
    law = staticmethod(_sphere_box)
