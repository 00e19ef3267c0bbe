"""A spheroid with a ball rolled around it (Minkowski sum): a shape that is not in the package.

h(u) = |D u| + r |u| with D = diag(a, a, c), so p(u) = D² u / |D u| + r u / |u|. With r = 0 it is an ellipsoid, with
a = c a ball of radius a + r.
"""

from duoti.kernel import helper
from duoti.model.shapes.base import SmoothShape
from duoti.spatial.algebra import dot, sqrt


@helper
def _point(s, u):
    a2, c2 = s[0] * s[0], s[1] * s[1]
    d = (a2 * u[0], a2 * u[1], c2 * u[2])
    length, size = sqrt(dot(d, u)), sqrt(dot(u, u))
    return d[0] / length + s[2] * u[0] / size, d[1] / length + s[2] * u[1] / size, d[2] / length + s[2] * u[2] / size


@helper
def _slope(s, u, k):
    a2, c2 = s[0] * s[0], s[1] * s[1]
    d = (a2 * u[0], a2 * u[1], c2 * u[2])
    length, size = sqrt(dot(d, u)), sqrt(dot(u, u))
    along, across = d[k] / (length * length * length), s[2] * u[k] / (size * size * size)
    own = (c2 if k == 2 else a2) / length + s[2] / size
    return (
        (own if k == 0 else 0.0) - along * d[0] - across * u[0],
        (own if k == 1 else 0.0) - along * d[1] - across * u[1],
        (own if k == 2 else 0.0) - along * d[2] - across * u[2],
    )


class Pebble(SmoothShape):
    """Semi-axes `radius` (x, y) and `semi_z`, and the radius `round` of the ball."""

    kind = "pebble"
    dimensions = ("radius", "semi_z", "round")
    point, slope = staticmethod(_point), staticmethod(_slope)

    @staticmethod
    def reach(sizes):
        return max(sizes[0], sizes[1]) + sizes[2]

    @staticmethod
    def half_width(sizes):
        return min(sizes[0], sizes[1]) + sizes[2]
