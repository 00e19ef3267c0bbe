"""The ellipsoid: h(u) = |D u| with the semi-axes D, p(u) = D² u / |D u|."""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.shapes.base import SmoothShape
from duoti.spatial.algebra import dot, sqrt


@helper
def _support(s, u):
    d = (s[0] * u[0], s[1] * u[1], s[2] * u[2])
    length = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) ** 0.5
    if length == 0.0:
        return s[0], 0.0, 0.0
    return s[0] * d[0] / length, s[1] * d[1] / length, s[2] * d[2] / length


@helper
def _point(s, u):
    d = (s[0] * u[0], s[1] * u[1], s[2] * u[2])
    length = sqrt(dot(d, d))
    return s[0] * d[0] / length, s[1] * d[1] / length, s[2] * d[2] / length


@helper
def _slope(s, u, k):
    zero = 0.0 * u[0]
    d2 = (s[0] * s[0] * u[0], s[1] * s[1] * u[1], s[2] * s[2] * u[2])
    length = sqrt(d2[0] * u[0] + d2[1] * u[1] + d2[2] * u[2])
    along = (d2[0] if k == 0 else d2[1] if k == 1 else d2[2]) / (length * length * length)
    return (
        (s[0] * s[0] / length if k == 0 else zero) - along * d2[0],
        (s[1] * s[1] / length if k == 1 else zero) - along * d2[1],
        (s[2] * s[2] / length if k == 2 else zero) - along * d2[2],
    )


class Ellipsoid(SmoothShape):
    """Semi-axes along x, y, z."""

    kind = "ellipsoid"
    dimensions = ("semi_x", "semi_y", "semi_z")
    point, slope, support = staticmethod(_point), staticmethod(_slope), staticmethod(_support)

    @staticmethod
    def reach(sizes: tuple[float, float, float]) -> float:
        return max(sizes)

    @staticmethod
    def half_width(sizes: tuple[float, float, float]) -> float:
        return min(sizes)
