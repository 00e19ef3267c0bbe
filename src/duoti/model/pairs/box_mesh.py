"""A box and the hull of a mesh."""

from __future__ import annotations

from duoti.model.pairs.base import ShapePair
from duoti.model.pairs.hull_kernels import POINTS, hull_hull


class BoxMesh(ShapePair):
    """A box and the hull of a mesh."""

    kind, first, second, points = "box_mesh", "box", "mesh", POINTS
    hulls, rates = ("box", "mesh"), False
    manifold = staticmethod(hull_hull)
