"""The hulls of two meshes."""

from __future__ import annotations

from duoti.model.pairs.base import ShapePair
from duoti.model.pairs.hull_kernels import POINTS, hull_hull


class MeshMesh(ShapePair):
    """The hulls of two meshes."""

    kind, first, second, points = "mesh_mesh", "mesh", "mesh", POINTS
    hulls, rates = ("box", "mesh"), False
    manifold = staticmethod(hull_hull)
