"""A box on a half-space."""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.pairs.base import ShapePair, axis_of, on_plane
from duoti.spatial.algebra import add, scale


@helper
def _plane_box(X_A, X_B, s_a, s_b, k):
    R, p = X_B
    x = -s_b[0] if k & 1 == 0 else s_b[0]
    y = -s_b[1] if k & 2 == 0 else s_b[1]
    z = -s_b[2] if k & 4 == 0 else s_b[2]
    corner = add(add(p, scale(x, axis_of(R, 0))), add(scale(y, axis_of(R, 1)), scale(z, axis_of(R, 2))))
    return on_plane(X_A, corner, 0.0)


class PlaneBox(ShapePair):
    """Its eight corners; those of a face, or of an edge, touch together."""

    kind, first, second, points = "plane_box", "plane", "box", 8
    law = staticmethod(_plane_box)
