"""A ball that presses on a mesh of triangles, in a compliant contact: a force that is continuous, and has a potential.

The volume V of the ball that is below the mesh is that of a cap of depth D of a half-space: the force is that of the
law at D, and the potential that at D. It acts along the vector area of the mesh within the ball, the derivative of V
by the place of the ball:

    V = sum over triangles of (R³ Omega - h a) / 3,    dV/dx = -sum of n a,    dD/dV = 1 / (pi (2 R D - D²))

with the area a of the triangle within the ball, the solid angle Omega of this part, seen from the centre, and the
height h of the centre above its plane. On one plane this is the law of ball and half-space, whatever triangles it is
made of; edges and valleys are passed without a jump.
"""

from __future__ import annotations

import math

from duoti.kernel import helper, part
from duoti.model.pairs.triangles import MOST, NUMBERS, STACK, box_distance, stash_of_triangles
from duoti.spatial.algebra import add, cross, dot, get3, scale, sub

ROUND_OFF = 1e-14  # part of the cube of the radius: volumes that are none, of a depth of 6e-8 radii


@helper
def _within(p, q, n, h, R, rho):
    """Area and volume, over the edge from p to q about the foot, of what of the ball is beyond the plane of the edge.

    p, q: corners, from the foot of the centre; h >= 0: height of the centre; rho: radius of the ball in the plane.
    """
    d = R - h
    cap = d * d * (3.0 * R - d) / 6.0  # volume of an angle of the cap
    e = sub(q, p)
    length = dot(e, e) ** 0.5
    along = scale(1.0 / length, e)
    t_p, t_q = dot(along, p), dot(along, q)
    side = dot(n, cross(p, along))  # distance of the line, positive if the foot is on its left
    area, volume = 0.0, 0.0
    half = rho * rho - side * side
    first, last = t_q, t_q  # where the edge is within the circle
    if half > 0.0:
        reach = half**0.5
        first, last = min(max(t_p, -reach), t_q), max(min(t_q, reach), t_p)
        if first >= last:
            first = last = t_q
    turned = _angle(side, t_p, first) + _angle(side, last, t_q)
    area += 0.5 * rho * rho * turned
    volume += cap * turned
    if last > first:
        piece = 0.5 * side * (last - first)
        solid = _angle(side, first, last) - _shade(side, first, last, h)
        area += piece
        volume += (R * R * R * solid - h * piece) / 3.0
    return area, volume


@helper
def _angle(side, t, u):
    """Angle about the foot from the place t of a line to the place u; zero if the foot is on the line."""
    if side == 0.0 or u <= t:
        return 0.0
    return math.atan2(side * (u - t), side * side + t * u)


@helper
def _shade(side, t, u, h):
    """Integral of h / sqrt(h² + r²) over this angle."""
    if side == 0.0:
        return 0.0
    sign, far = 1.0 if side > 0.0 else -1.0, h * h + side * side
    last = math.atan2(h * u, abs(side) * (far + u * u) ** 0.5)
    return sign * (last - math.atan2(h * t, abs(side) * (far + t * t) ** 0.5))


@part
def _of_triangle(surfaces, t, c, R):
    """Area of triangle t within a ball about c, and the volume of the ball that is beyond it."""
    n = get3(surfaces.normal, t, 0)
    high = dot(n, sub(c, get3(surfaces.corner, t, 0)))
    h = abs(high)
    if h >= R:
        return 0.0, 0.0
    rho, foot = (R * R - h * h) ** 0.5, sub(c, scale(high, n))
    area, volume = 0.0, 0.0
    for e in range(3):
        p = sub(get3(surfaces.corner, t, 3 * e), foot)
        q = sub(get3(surfaces.corner, t, 3 * ((e + 1) % 3)), foot)
        a, v = _within(p, q, n, h, R, rho)
        area += a
        volume += v
    return area, volume if high >= 0.0 else -volume


@helper
def depth_of(volume, R):
    """Depth of the cap of a ball that has a volume: the root of D^2 (3 R - D) = 3 V / pi, by the angle of Vieta."""
    angle = math.asin(min((0.75 * volume / (math.pi * R * R * R)) ** 0.5, 1.0)) * 2.0 / 3.0
    return R * (2.0 * math.sin(0.5 * angle) ** 2 + 3.0**0.5 * math.sin(angle))


@part
def ball_on_triangles(hulls, surfaces, mesh, c, R, out):
    """Depth, share of the force and unit normal (outward) of a ball about c (frame of the mesh); depth 0: none."""
    stack = stash_of_triangles(hulls) + NUMBERS * MOST
    low, high = sub(c, (R, R, R)), add(c, (R, R, R))
    total, volume, waiting = (0.0, 0.0, 0.0), 0.0, 1
    out[stack] = 1.0 * surfaces.root[mesh]
    while waiting > 0:
        waiting -= 1
        node = int(out[stack + waiting])
        if box_distance(surfaces, node, low, high) > 0.0:
            continue
        one, other = surfaces.below[node, 0], surfaces.below[node, 1]
        if one >= 0:
            if waiting + 2 <= STACK:
                out[stack + waiting], out[stack + waiting + 1] = 1.0 * one, 1.0 * other
                waiting += 2
            continue
        for t in range(-1 - one, -1 - one + other):
            area, beyond = _of_triangle(surfaces, t, c, R)
            total = add(total, scale(area, get3(surfaces.normal, t, 0)))
            volume += beyond
    if abs(volume) <= ROUND_OFF * R * R * R:
        return 0.0, 0.0, (0.0, 0.0, 1.0)
    if volume < 0.0:  # the centre is below the mesh
        volume += 4.0 / 3.0 * math.pi * R * R * R
    size = dot(total, total) ** 0.5
    if not (volume > 0.0 and size > 0.0):
        return 0.0, 0.0, (0.0, 0.0, 1.0)
    D = depth_of(volume, R)
    flat = math.pi * D * (2.0 * R - D)
    if not flat > 0.0:
        return 0.0, 0.0, (0.0, 0.0, 1.0)
    return D, size / flat, scale(1.0 / size, total)
