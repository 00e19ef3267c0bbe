"""Spheres, points and capsules on each other and on other shapes."""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.pairs.base import ShapePair, axis_of, between_balls, clamped, none_here
from duoti.spatial.algebra import add, cross, dot, mul, mulT, scale, sqrt, sub


@helper
def _sphere_sphere(X_A, X_B, s_a, s_b, k):
    return between_balls(X_A[1], s_a[0], X_B[1], s_b[0], axis_of(X_A[0], 2))


class SphereSphere(ShapePair):
    """One point, on the line between the centres."""

    kind, first, second, points = "sphere_sphere", "sphere", "sphere", 1
    distance = True
    law = staticmethod(_sphere_sphere)


@helper
def _sphere_capsule(X_A, X_B, s_a, s_b, k):
    axis = axis_of(X_B[0], 2)
    along = clamped(dot(axis, sub(X_A[1], X_B[1])), -s_b[1], s_b[1])
    return between_balls(X_A[1], s_a[0], add(X_B[1], scale(along, axis)), s_b[0], axis_of(X_B[0], 0))


class SphereCapsule(ShapePair):
    """One point: the sphere against the ball that is carried along the axis of the capsule, where it is nearest."""

    kind, first, second, points = "sphere_capsule", "sphere", "capsule", 1
    distance = True
    law = staticmethod(_sphere_capsule)


PARALLEL = 1e-12  # square of the sine of the angle between axes that count as parallel


@helper
def _capsule_capsule(X_A, X_B, s_a, s_b, k):
    """The nearest points of two straight lines of finite length (Ericson 2005, section 5.1.9).

    Where the axes are parallel, the two ends of the stretch that they have in common touch.
    """
    a, b = axis_of(X_A[0], 2), axis_of(X_B[0], 2)
    d = sub(X_B[1], X_A[1])
    c, along_a, along_b = dot(a, b), dot(a, d), dot(b, d)
    other = cross(a, b)
    square = dot(other, other)
    if square.real > PARALLEL:
        if k == 1:
            return none_here(X_A[1])
        s = clamped((along_a - c * along_b) / (1.0 - c * c), -s_a[1], s_a[1])
    else:
        half = abs(c.real) * s_b[1]
        low = max(-s_a[1], along_a.real - half)
        high = min(s_a[1], along_a.real + half)
        if low >= high and k == 1:
            return none_here(X_A[1])
        s = (low if k == 0 else high) + 0.0 * c
        if low >= high:
            s = clamped(along_a, -s_a[1], s_a[1])
        other = axis_of(X_A[0], 0)
    t = clamped(c * s - along_b, -s_b[1], s_b[1])
    s = clamped(c * t + along_a, -s_a[1], s_a[1]) if square.real > PARALLEL else s
    return between_balls(add(X_A[1], scale(s, a)), s_a[0], add(X_B[1], scale(t, b)), s_b[0], other)


class CapsuleCapsule(ShapePair):
    """One point, or two where the axes are parallel."""

    kind, first, second, points = "capsule_capsule", "capsule", "capsule", 2
    distance = True
    law = staticmethod(_capsule_capsule)


@helper
def _sphere_disc(X_A, X_B, s_a, s_b, k):
    """The point of the disc that is nearest to the centre; on its flat side the centre may not pass through."""
    R, p = X_B
    axis, d = axis_of(R, 2), sub(X_A[1], p)
    z = dot(axis, d)
    across = sub(d, scale(z, axis))
    square = dot(across, across)
    near = add(p, across)
    if square.real > s_b[0] * s_b[0]:
        near = add(p, scale(s_b[0] / sqrt(square), across))
    other = scale(-1.0 if z.real >= 0.0 else 1.0, axis)
    return between_balls(X_A[1], s_a[0], near, 0.0, other)


class SphereDisc(ShapePair):
    """One point: on the flat side of the disc, or on its rim."""

    kind, first, second, points = "sphere_disc", "sphere", "disc", 1
    distance = True
    law = staticmethod(_sphere_disc)


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
    distance = True
    law = staticmethod(_sphere_cylinder)


@helper
def _sphere_box(X_A, X_B, s_a, s_b, k):
    """The point of the box that is nearest to the centre; for a centre inside, the nearest face."""
    R, p = X_B
    c = mulT(R, sub(X_A[1], p))  # the centre in the frame of the box
    near = (clamped(c[0], -s_b[0], s_b[0]), clamped(c[1], -s_b[1], s_b[1]), clamped(c[2], -s_b[2], s_b[2]))
    d = sub(near, c)  # from the centre to the box: the normal from a to b
    square = dot(d, d)
    if square.real > 1e-30:
        distance = sqrt(square)
        n = mul(R, scale(1.0 / distance, d))
        return distance - s_a[0], add(X_A[1], scale(s_a[0], n)), add(p, mul(R, near)), n
    depths = (s_b[0] - abs(c[0].real), s_b[1] - abs(c[1].real), s_b[2] - abs(c[2].real))
    face = 0 if depths[0] <= depths[1] and depths[0] <= depths[2] else 1 if depths[1] <= depths[2] else 2
    one, none = 1.0 + 0.0 * c[0], 0.0 * c[0]
    if face == 0:
        side = -1.0 if c[0].real > 0.0 else 1.0
        n_b, depth, near = (side * one, none, none), s_b[0] + side * c[0], (-side * s_b[0] * one, c[1], c[2])
    elif face == 1:
        side = -1.0 if c[1].real > 0.0 else 1.0
        n_b, depth, near = (none, side * one, none), s_b[1] + side * c[1], (c[0], -side * s_b[1] * one, c[2])
    else:
        side = -1.0 if c[2].real > 0.0 else 1.0
        n_b, depth, near = (none, none, side * one), s_b[2] + side * c[2], (c[0], c[1], -side * s_b[2] * one)
    n = mul(R, n_b)
    return -depth - s_a[0], add(X_A[1], scale(s_a[0], n)), add(p, mul(R, near)), n


class SphereBox(ShapePair):
    """One point: on a face, an edge or a corner of the box."""

    kind, first, second, points = "sphere_box", "sphere", "box", 1
    distance = True
    law = staticmethod(_sphere_box)
