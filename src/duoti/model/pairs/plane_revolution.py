"""A surface of revolution on a half-space."""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.pairs.base import ShapePair
from duoti.model.pairs.profile_kernels import plane_revolution, wheel_curvature


@helper
def _curvatures(table, X_A, X_B, s_a, s_b, p):
    return wheel_curvature(table, X_B, s_b, p)


class PlaneRevolution(ShapePair):
    """One point, solved for on the profile: the lowest."""

    kind, first, second, points = "plane_revolution", "plane", "revolution", 1
    profiles = True
    law = staticmethod(plane_revolution)
    curvatures = staticmethod(_curvatures)
