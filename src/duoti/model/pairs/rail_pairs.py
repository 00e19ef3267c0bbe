"""Wheels on rails with curves and cant.

Beside a wheel, a rail is the extrusion along the track's tangent at the foot point of the wheel's centre. The place of
contact is before or behind that by the yaw angle times the radius of the wheel, a few mm, over which a curve of 100 m
departs from its tangent by less than 1e-7 m. The frame follows the wheel, so that velocities are right.
"""

from __future__ import annotations

from duoti.kernel import helper, part
from duoti.model.pairs.base import ShapePair
from duoti.model.pairs.profile_kernels import extrusion_revolution, rail_curvature, wheel_curvature
from duoti.spatial.algebra import add, compose, cross, dot, mulT, scale, sincos, sqrt, sub

STEPS = 12  # of Newton's method for the foot point
CLOSE = 1e-13


@helper
def _ahead(table, first, k, c):
    """How far a point is before the plane at a knot, across the track."""
    i = first + 2 * k
    return (
        (c[0].real - table[i, 1].real) * table[i + 1, 1].real
        + (c[1].real - table[i, 2].real) * table[i + 1, 2].real
        + (c[2].real - table[i, 3].real) * table[i + 1, 3].real
    )


@part
def _piece(table, first, count, c):
    """Number of the piece of the track beside a point: the nearest of some knots, and from there step by step."""
    stride = int(count**0.5) + 1
    best, k = 1e300, 0
    for m in range(0, count, stride):
        i = first + 2 * m
        dx, dy, dz = c[0].real - table[i, 1].real, c[1].real - table[i, 2].real, c[2].real - table[i, 3].real
        distance = dx * dx + dy * dy + dz * dz
        if distance < best:
            best, k = distance, m
    k = min(k, count - 2)
    last = 0
    for _ in range(count):
        way = 0
        if _ahead(table, first, k, c) < 0.0 and k > 0:
            way = -1
        elif _ahead(table, first, k + 1, c) >= 0.0 and k < count - 2:
            way = 1
        if way == 0 or way == -last:
            break
        last, k = way, k + way
    return k


@helper
def _hermite(table, i, j, u, h):
    """Number j between two knots."""
    a, b, da, db = table[i, j].real, table[i + 2, j].real, table[i + 1, j].real, table[i + 3, j].real
    w = u * u * (3.0 - 2.0 * u)
    return (1.0 - w) * a + w * b + h * u * (1.0 - u) * ((1.0 - u) * da - u * db)


@helper
def _slope(table, i, j, u, h):
    a, b, da, db = table[i, j].real, table[i + 2, j].real, table[i + 1, j].real, table[i + 3, j].real
    return 6.0 * u * (1.0 - u) / h * (b - a) + (1.0 - u) * (1.0 - 3.0 * u) * da + u * (3.0 * u - 2.0) * db


@helper
def _bend(table, i, j, u, h):
    a, b, da, db = table[i, j].real, table[i + 2, j].real, table[i + 1, j].real, table[i + 3, j].real
    return ((6.0 - 12.0 * u) * (b - a) / h + (6.0 * u - 4.0) * da + (6.0 * u - 2.0) * db) / h


@part
def rail_frame(table, X_A, s_a, place):
    """Pose of the extrusion that a rail is beside a point of the world: its axis y along the track, z up, x right."""
    at, count = int(s_a[1]), int(s_a[2])
    first = at + 1
    c = mulT(X_A[0], sub(place, X_A[1]))
    k = _piece(table, first, count, c)
    i = first + 2 * k
    h = table[i + 2, 0].real - table[i, 0].real
    before, after = _ahead(table, first, k, c), _ahead(table, first, k + 1, c)
    u, last = before / (before - after) + 0.0 * c[0], False
    outside = 0.0 * c[0]
    if before < 0.0 or after >= 0.0:  # beyond the ends: straight on
        u = (0.0 if before < 0.0 else 1.0) + 0.0 * c[0]
        last = True
    for _ in range(STEPS):
        r = (_hermite(table, i, 1, u, h), _hermite(table, i, 2, u, h), _hermite(table, i, 3, u, h))
        t = (_slope(table, i, 1, u, h), _slope(table, i, 2, u, h), _slope(table, i, 3, u, h))
        if before < 0.0 or after >= 0.0:
            outside = dot(sub(c, r), t) / dot(t, t)
            break
        n = (_bend(table, i, 1, u, h), _bend(table, i, 2, u, h), _bend(table, i, 3, u, h))
        du = dot(sub(c, r), t) / (dot(t, t) - dot(sub(c, r), n)) / h
        u = u + du
        if last:
            break
        last = abs(du.real) < CLOSE
    r = (_hermite(table, i, 1, u, h), _hermite(table, i, 2, u, h), _hermite(table, i, 3, u, h))
    t = (_slope(table, i, 1, u, h), _slope(table, i, 2, u, h), _slope(table, i, 3, u, h))
    r = add(r, scale(outside, t))
    forward = scale(1.0 / sqrt(dot(t, t)), t)
    flat = sqrt(forward[0] * forward[0] + forward[1] * forward[1])
    left = (-forward[1] / flat, forward[0] / flat, 0.0 * flat)
    up = cross(forward, left)
    sine, cosine = sincos(_hermite(table, i, 5, u, h))
    left, up = add(scale(cosine, left), scale(sine, up)), sub(scale(cosine, up), scale(sine, left))
    origin = add(r, add(scale(table[at, 0].real, left), scale(table[at, 1].real, up)))
    R = (-left[0], forward[0], up[0], -left[1], forward[1], up[1], -left[2], forward[2], up[2])
    return compose(X_A, (R, origin))


@part
def rail_revolution(table, X_A, X_B, s_a, s_b, k):
    """A surface of revolution (b) on a rail (a)."""
    return extrusion_revolution(table, rail_frame(table, X_A, s_a, X_B[1]), X_B, s_a, s_b, k)


@helper
def _of_wheel_and_rail(table, X_A, X_B, s_a, s_b, p):
    around, along_profile = wheel_curvature(table, X_B, s_b, p)
    return around, along_profile + rail_curvature(table, rail_frame(table, X_A, s_a, X_B[1]), s_a, p)


class RailRevolution(ShapePair):
    """One point, solved for on both profiles: that with the smallest gap."""

    kind, first, second, points = "rail_revolution", "rail", "revolution", 1
    profiles = True
    law = staticmethod(rail_revolution)
    curvatures = staticmethod(_of_wheel_and_rail)
