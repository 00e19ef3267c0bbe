"""The lowest corners of the hull of a mesh."""

from __future__ import annotations

from duoti.model.pairs.base import ShapePair
from duoti.model.pairs.hull_kernels import POINTS, plane_hull


class PlaneMesh(ShapePair):
    """The lowest corners of the hull of a mesh."""

    kind, first, second, points = "plane_mesh", "plane", "mesh", POINTS
    hulls, rates = ("box", "mesh"), False
    manifold = staticmethod(plane_hull)
