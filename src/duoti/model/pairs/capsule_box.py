"""Both ends, and where it crosses edges of the box."""

from __future__ import annotations

from duoti.model.pairs.base import ShapePair
from duoti.model.pairs.hull_kernels import capsule_hull


class CapsuleBox(ShapePair):
    """Both ends, and where it crosses edges of the box."""

    kind, first, second, points = "capsule_box", "capsule", "box", 4
    hulls, rates = ("box", "mesh"), False
    manifold = staticmethod(capsule_hull)
