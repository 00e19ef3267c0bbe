"""Both ends, and where it crosses edges of the hull of a mesh."""

from __future__ import annotations

from duoti.model.pairs.base import ShapePair
from duoti.model.pairs.hull_kernels import capsule_hull


class CapsuleMesh(ShapePair):
    """Both ends, and where it crosses edges of the hull of a mesh."""

    kind, first, second, points = "capsule_mesh", "capsule", "mesh", 4
    hulls, rates = ("box", "mesh"), False
    manifold = staticmethod(capsule_hull)
