"""Surfaces of revolution and extrusions: a wheel on the ground or on a rail, a ball in a gutter."""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.pairs.base import ShapePair
from duoti.model.pairs.profile_kernels import (
    extrusion_revolution,
    plane_revolution,
    rail_curvature,
    sphere_extrusion,
    wheel_curvature,
)


@helper
def _of_wheel(table, X_A, X_B, s_a, s_b, p):
    return wheel_curvature(table, X_B, s_b, p)


class PlaneRevolution(ShapePair):
    """One point, solved for on the profile: the lowest."""

    kind, first, second, points = "plane_revolution", "plane", "revolution", 1
    profiles = True
    law = staticmethod(plane_revolution)
    curvatures = staticmethod(_of_wheel)


class SphereExtrusion(ShapePair):
    """One point, solved for on the profile: the nearest to the centre."""

    kind, first, second, points = "sphere_extrusion", "sphere", "extrusion", 1
    profiles = True
    law = staticmethod(sphere_extrusion)


@helper
def _of_wheel_and_rail(table, X_A, X_B, s_a, s_b, p):
    around, along_profile = wheel_curvature(table, X_B, s_b, p)
    return around, along_profile + rail_curvature(table, X_A, s_a, p)


class ExtrusionRevolution(ShapePair):
    """One point, solved for on both profiles: that with the smallest gap."""

    kind, first, second, points = "extrusion_revolution", "extrusion", "revolution", 1
    profiles = True
    law = staticmethod(extrusion_revolution)
    curvatures = staticmethod(_of_wheel_and_rail)
