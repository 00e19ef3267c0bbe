"""A surface of revolution on an extruded profile: a wheel on a rail."""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.pairs.base import ShapePair
from duoti.model.pairs.profile_kernels import extrusion_revolution, rail_curvature, wheel_curvature


@helper
def _curvatures(table, X_A, X_B, s_a, s_b, p):
    around, along_profile = wheel_curvature(table, X_B, s_b, p)
    return around, along_profile + rail_curvature(table, X_A, s_a, p)


class ExtrusionRevolution(ShapePair):
    """One point, solved for on both profiles: that with the smallest gap."""

    kind, first, second, points = "extrusion_revolution", "extrusion", "revolution", 1
    profiles = True
    law = staticmethod(extrusion_revolution)
    curvatures = staticmethod(_curvatures)
