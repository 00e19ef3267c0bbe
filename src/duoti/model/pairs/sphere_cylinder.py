"""A sphere, or a point, and a cylinder."""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.pairs.base import ShapePair, axis_of, clamped
from duoti.spatial.algebra import add, dot, scale, sqrt, sub


@helper
def _sphere_cylinder(X_A, X_B, s_a, s_b, k):
    """In the plane of the axis and the centre the cylinder is a rectangle: radius across, half length along."""
    R, p = X_B
    axis, d = axis_of(R, 2), sub(X_A[1], p)
    z = dot(axis, d)
    radial = sub(d, scale(z, axis))
    square = dot(radial, radial)
    if square.real > 1e-30:
        r = sqrt(square)
        out = scale(1.0 / r, radial)
    else:
        r, out = 0.0 * square, axis_of(R, 0)
    inside = r.real <= s_b[0] and abs(z.real) <= s_b[1]
    if inside:
        if s_b[0] - r.real < s_b[1] - abs(z.real):
            gap, n, near = r - s_b[0], scale(-1.0, out), add(scale(s_b[0], out), scale(z, axis))
        else:
            side = 1.0 if z.real > 0.0 else -1.0
            gap, n, near = side * z - s_b[1], scale(-side, axis), add(radial, scale(side * s_b[1], axis))
    else:
        near_r, near_z = clamped(r, 0.0, s_b[0]), clamped(z, -s_b[1], s_b[1])
        near = add(scale(near_r, out), scale(near_z, axis))
        # differences of coordinates are zero along a face, where those of vectors are round-off
        gap = sqrt((near_r - r) * (near_r - r) + (near_z - z) * (near_z - z))
        n = add(scale((near_r - r) / gap, out), scale((near_z - z) / gap, axis))
    return gap - s_a[0], add(X_A[1], scale(s_a[0], n)), add(p, near), n


class SphereCylinder(ShapePair):
    """One point: on the side, an end or a rim of the cylinder."""

    kind, first, second, points = "sphere_cylinder", "sphere", "cylinder", 1
    law = staticmethod(_sphere_cylinder)
