"""A sphere, or a point, on an extruded profile."""

from __future__ import annotations

from duoti.model.pairs.base import ShapePair
from duoti.model.pairs.profile_kernels import sphere_extrusion


class SphereExtrusion(ShapePair):
    """One point, solved for on the profile: the nearest to the centre."""

    kind, first, second, points = "sphere_extrusion", "sphere", "extrusion", 1
    profiles = True
    law = staticmethod(sphere_extrusion)
