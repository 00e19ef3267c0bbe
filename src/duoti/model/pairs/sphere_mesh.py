"""The nearest point of the hull of a mesh."""

from __future__ import annotations

from duoti.model.pairs.base import ShapePair
from duoti.model.pairs.hull_kernels import sphere_hull


class SphereMesh(ShapePair):
    """The nearest point of the hull of a mesh."""

    kind, first, second, points = "sphere_mesh", "sphere", "mesh", 1
    hulls, rates = ("box", "mesh"), False
    manifold = staticmethod(sphere_hull)
