"""Shapes on a half-space."""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.pairs.base import ShapePair, axis_of, on_plane
from duoti.spatial.algebra import add, cross, dot, mul, mulT, scale, sqrt, sub

# The rim of a disc on a half-space.


FLAT = 1e-24  # square of the sine of an inclination that counts as none


@helper
def down_of(X_A, R):
    """The part in the plane of the disc, whose axis is z of R, of what points into the half-space; its square."""
    n, axis = axis_of(X_A[0], 2), axis_of(R, 2)
    down = sub(scale(dot(n, axis), axis), n)
    return down, dot(down, down)


@helper
def rim_point(X_A, R, centre, radius, down, k):
    """Point k of the rim, with the direction to point 0, of length 1: see `rim_on_plane`."""
    if k >= 2:
        down = cross(axis_of(R, 2), down)
    return on_plane(X_A, add(centre, scale(radius if k % 2 == 0 else -radius, down)), 0.0)


@helper
def rim_on_plane(X_A, R, centre, radius, k):
    """Point k of the rim about the axis z of R: the lowest (0), the highest (1), and those half way (2, 3).

    The lowest one is where the normal's part in the plane of the disc points to. A disc that lies flat has no lowest
    point: its own axes x and y then say which four are taken.
    """
    down, square = down_of(X_A, R)
    if square.real > FLAT:
        down = scale(1.0 / sqrt(square), down)
    else:
        down = axis_of(R, 0)
    return rim_point(X_A, R, centre, radius, down, k)


@helper
def _plane_sphere(X_A, X_B, s_a, s_b, k):
    return on_plane(X_A, X_B[1], s_b[0])


class PlaneSphere(ShapePair):
    """One point: the lowest of the sphere."""

    kind, first, second, points = "plane_sphere", "plane", "sphere", 1
    distance = True
    law = staticmethod(_plane_sphere)


@helper
def _plane_capsule(X_A, X_B, s_a, s_b, k):
    half = s_b[1] if k == 0 else -s_b[1]
    return on_plane(X_A, add(X_B[1], scale(half, axis_of(X_B[0], 2))), s_b[0])


class PlaneCapsule(ShapePair):
    """The balls at its two ends; between them it is straight."""

    kind, first, second, points = "plane_capsule", "plane", "capsule", 2
    distance = True
    law = staticmethod(_plane_capsule)


@helper
def _plane_box(X_A, X_B, s_a, s_b, k):
    R, p = X_B
    x = -s_b[0] if k & 1 == 0 else s_b[0]
    y = -s_b[1] if k & 2 == 0 else s_b[1]
    z = -s_b[2] if k & 4 == 0 else s_b[2]
    corner = add(add(p, scale(x, axis_of(R, 0))), add(scale(y, axis_of(R, 1)), scale(z, axis_of(R, 2))))
    return on_plane(X_A, corner, 0.0)


class PlaneBox(ShapePair):
    """Its eight corners; those of a face, or of an edge, touch together."""

    kind, first, second, points = "plane_box", "plane", "box", 8
    distance = True
    law = staticmethod(_plane_box)


@helper
def _plane_disc(X_A, X_B, s_a, s_b, k):
    return rim_on_plane(X_A, X_B[0], X_B[1], s_b[0], k)


class PlaneDisc(ShapePair):
    """Four points of the rim, the lowest first; the others touch when the disc lies flat."""

    kind, first, second, points = "plane_disc", "plane", "disc", 4
    distance = True
    law = staticmethod(_plane_disc)


@helper
def _plane_cylinder(X_A, X_B, s_a, s_b, k):
    R, p = X_B
    half = s_b[1] if k < 4 else -s_b[1]
    return rim_on_plane(X_A, R, add(p, scale(half, axis_of(R, 2))), s_b[0], k % 4)


class PlaneCylinder(ShapePair):
    """Four points of the rim at each end, the lowest first: enough to stand on an end and to lie on the side."""

    kind, first, second, points = "plane_cylinder", "plane", "cylinder", 8
    distance = True
    law = staticmethod(_plane_cylinder)


@helper
def _plane_cone(X_A, X_B, s_a, s_b, k):
    R, p = X_B
    if k == 4:
        return on_plane(X_A, add(p, scale(s_b[1], axis_of(R, 2))), 0.0)
    return rim_on_plane(X_A, R, sub(p, scale(s_b[2], axis_of(R, 2))), s_b[0], k)


class PlaneCone(ShapePair):
    """Four points of the rim, the lowest first, and the apex: it stands on its base and lies on its side."""

    kind, first, second, points = "plane_cone", "plane", "cone", 5
    law = staticmethod(_plane_cone)


@helper
def torus_point(X_A, on_rim, tube):
    """The point of the tube below a point of the circle in its middle."""
    _, _, centre, _ = on_rim
    return on_plane(X_A, centre, tube)


@helper
def _plane_torus(X_A, X_B, s_a, s_b, k):
    return torus_point(X_A, rim_on_plane(X_A, X_B[0], X_B[1], s_b[0], k), s_b[1])


class PlaneTorus(ShapePair):
    """Balls of the tube's radius about four points of the circle in its middle, the lowest first."""

    kind, first, second, points = "plane_torus", "plane", "torus", 4
    law = staticmethod(_plane_torus)


@helper
def _plane_ellipsoid(X_A, X_B, s_a, s_b, k):
    """The lowest point, where the normal of x^T D^-2 x = 1 is -n: x = -D^2 n / |D n|."""
    (R, p), n = X_B, axis_of(X_A[0], 2)
    m = mulT(R, n)
    stretched = (s_b[0] * m[0], s_b[1] * m[1], s_b[2] * m[2])
    length = sqrt(dot(stretched, stretched))
    lowest = (s_b[0] * stretched[0], s_b[1] * stretched[1], s_b[2] * stretched[2])
    p_b = sub(p, scale(1.0 / length, mul(R, lowest)))
    gap = dot(n, sub(p_b, X_A[1]))
    return gap, sub(p_b, scale(gap, n)), p_b, n


class PlaneEllipsoid(ShapePair):
    """One point: the lowest of the ellipsoid."""

    kind, first, second, points = "plane_ellipsoid", "plane", "ellipsoid", 1
    distance = True
    law = staticmethod(_plane_ellipsoid)
