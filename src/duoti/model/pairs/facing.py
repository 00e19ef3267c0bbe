"""Where two convex shapes with a common normal touch: the sides that face each other, cut off at each other.

Seen along the normal, the side of a shape is a polygon, a line or a point. What two of them have in common has corners
(Sutherland & Hodgman 1974); the gap at a corner is the distance of the two sides there, along the normal.
"""

from __future__ import annotations

import math

from duoti.kernel import helper, part
from duoti.model.pairs.base import axis_of
from duoti.model.pairs.supports import (
    BOX,
    CAPSULE,
    CORNERS,
    CYLINDER,
    DISC,
    HULL,
    TRIANGLE,
    furthest_corner,
    radial,
    real3,
    sign_of,
)
from duoti.spatial.algebra import add, cross, dot, get3, mul, scale, sqrt, sub

ROUND = 8  # corners of the end of a cylinder
END = 0.7  # cosine of the angle up to which the end of a cylinder faces
STEEP = 0.05  # cosine of the angle between the normal and a side that does not face any more
ALONG = 1e-3  # sine of the angle between lines that lie along each other
BEYOND = 1e-9  # part of the size by which corners may lie beyond an edge


@helper
def put_corner(out, at, x):
    """Three numbers into the scratch."""
    out[at], out[at + 1], out[at + 2] = x


@helper
def corner(out, at):
    """Three numbers of the scratch."""
    return out[at], out[at + 1], out[at + 2]


@part
def _face_of(hulls, h, u):
    """The face of a hull at its corner furthest along u that faces this way most."""
    v, most, found = get3(hulls.vertex, furthest_corner(hulls, h, u), 0), -2.0, hulls.range[h, 2]
    for f in range(hulls.range[h, 2], hulls.range[h, 3]):
        n = get3(hulls.normal, f, 0)
        if dot(n, v) >= hulls.offset[f] - BEYOND * hulls.reach[h] and dot(n, u) > most:
            most, found = dot(n, u), f
    return found


@part
def side_of(hulls, X, s, u, at, out):
    """Write the corners of the side of a shape (pose X) that faces along u (its frame); returns how many there are.

    In order about the normal; a radius around the core is left to the caller.
    """
    R, p = X
    code, count = s[3], 1
    if code == HULL:
        f = _face_of(hulls, int(s[0]), real3(u))
        count = hulls.loop_first[f + 1] - hulls.loop_first[f]
        for i in range(count):
            x = get3(hulls.vertex, hulls.loop[hulls.loop_first[f] + i], 0)
            put_corner(out, at + 3 * i, add(p, mul(R, x)))
    elif code == BOX:
        count = 4
        x, y, z = abs(u[0].real), abs(u[1].real), abs(u[2].real)
        k = 0 if x >= y and x >= z else 1 if y >= z else 2
        for i in range(4):
            c, d = 1.0 if i == 0 or i == 3 else -1.0, 1.0 if i < 2 else -1.0
            if k == 0:
                corner_at = (sign_of(u[0]) * s[0], c * s[1], d * s[2])
            elif k == 1:
                corner_at = (d * s[0], sign_of(u[1]) * s[1], c * s[2])
            else:
                corner_at = (c * s[0], d * s[1], sign_of(u[2]) * s[2])
            put_corner(out, at + 3 * i, add(p, mul(R, corner_at)))
    elif code == CAPSULE:
        count = 2
        put_corner(out, at, add(p, mul(R, (0.0, 0.0, s[1]))))
        put_corner(out, at + 3, add(p, mul(R, (0.0, 0.0, -s[1]))))
    elif CYLINDER <= code <= DISC:
        e, _ = radial(u)
        zero = 0.0 * e[0]
        if abs(u[2].real) > END:
            count = ROUND
            for i in range(ROUND):
                turn = 2.0 * math.pi * i / ROUND
                c, d = s[0] * math.cos(turn), s[0] * math.sin(turn)
                x = (c * e[0] - d * e[1], c * e[1] + d * e[0], sign_of(u[2]) * s[1] + zero)
                put_corner(out, at + 3 * i, add(p, mul(R, x)))
        elif code == CYLINDER:
            count = 2
            put_corner(out, at, add(p, mul(R, (s[0] * e[0], s[0] * e[1], s[1] + zero))))
            put_corner(out, at + 3, add(p, mul(R, (s[0] * e[0], s[0] * e[1], zero - s[1]))))
    elif code == TRIANGLE:
        count = 3
        for i in range(3):
            put_corner(out, at + 3 * i, add(p, mul(R, corner(out, CORNERS + 3 * i))))
    return count


@helper
def is_round(s, count):
    """True if the side of a shape, of so many corners, is the end of a cylinder or a disc."""
    return CYLINDER <= s[3] <= DISC and count >= ROUND


@helper
def round_end(X, s, u):
    """Centre and axis of the end of a cylinder (pose X) that faces along u (its frame)."""
    R, p = X
    axis = axis_of(R, 2)
    return add(p, scale(sign_of(u[2]) * s[1], axis)), axis


@part
def line_over_round(out, at_p, at_q, most, centre, m, radius, n):
    """As `common`, of a line p and a round end q: cut off at its rim, not at the polygon that stands for it."""
    x, z = corner(out, at_p), corner(out, at_p + 3)
    across = dot(m, n)
    if abs(across.real) < STEEP:
        return -1
    x_end = add(x, scale(dot(m, sub(centre, x)) / across, n))  # seen along n
    z_end = add(z, scale(dot(m, sub(centre, z)) / across, n))
    u, d = sub(x_end, centre), sub(z_end, x_end)
    a, b = dot(d, d), dot(u, d)
    square = b * b - a * (dot(u, u) - radius * radius)
    if a.real <= 0.0 or square.real <= 0.0:
        return 0
    half = sqrt(square)
    first, last = (-half - b) / a, (half - b) / a
    if first.real < 0.0:
        first = 0.0 * first
    if last.real > 1.0:
        last = 1.0 + 0.0 * last
    if first.real >= last.real:
        return 0
    here, there = at_q + 3 * most, at_q + 6 * most
    put_corner(out, here, add(x, scale(first, sub(z, x))))
    put_corner(out, here + 3, add(x, scale(last, sub(z, x))))
    put_corner(out, there, add(x_end, scale(first, d)))
    put_corner(out, there + 3, add(x_end, scale(last, d)))
    return 2


@part
def _cut(out, source, target, count, most, a, side, near):
    """Cut the polygon (or the line) of `count` corners at side . (x - a) <= near; returns how many are left."""
    found, last = 0, count if count > 2 else count - 1
    for i in range(count):
        x = corner(out, source + 3 * i)
        y = corner(out, source + 3 * ((i + 1) % count))
        d, e = dot(side, sub(x, a)), dot(side, sub(y, a))
        if d.real <= near and found < most:
            put_corner(out, target + 3 * found, x)
            found += 1
        crossing = (d.real < -near and e.real > near) or (d.real > near and e.real < -near)
        if i < last and crossing and found < most:
            put_corner(out, target + 3 * found, add(x, scale(d / (d - e), sub(y, x))))
            found += 1
    return found


@part
def normal_of(out, at, count, n):
    """Normal of a polygon, from its area, on the side of n."""
    first = corner(out, at)
    total = scale(0.0, first)
    for i in range(1, count - 1):
        total = add(total, cross(sub(corner(out, at + 3 * i), first), sub(corner(out, at + 3 * i + 3), first)))
    return scale(sign_of(dot(total, n)), total)


@part
def common(out, at_p, count_p, at_q, count_q, most, n, size):
    """Corners that the side p has in common with the side q, as pairs of points; returns how many, or -1: none known.

    They are written behind the two sides: at `at_q + 3 most` those of p, 3 `most` further those of q. n: the normal.
    """
    here, there = at_q + 3 * most, at_q + 6 * most
    for i in range(3 * count_p):
        out[here + i] = out[at_p + i]
    count = count_p
    if count_q == 2:  # two lines
        a, b = corner(out, at_q), corner(out, at_q + 3)
        d, e = sub(b, a), sub(corner(out, at_p + 3), corner(out, at_p))
        dd = dot(d, d)
        c = cross(d, e)
        if dd.real <= 0.0 or dot(c, c).real > ALONG * ALONG * (dd * dot(e, e)).real:
            return -1
        count = _cut(out, here, there, count, most, a, scale(-1.0, d), BEYOND * size * size)
        count = _cut(out, there, here, count, most, b, d, BEYOND * size * size)
        for i in range(count):
            x = corner(out, here + 3 * i)
            put_corner(out, there + 3 * i, add(a, scale(dot(d, sub(x, a)) / dd, d)))
        return count
    m = normal_of(out, at_q, count_q, n)
    length = dot(m, m).real ** 0.5
    across = dot(m, n)
    if length <= 0.0 or across.real < STEEP * length:
        return -1
    turned = 0.0
    for i in range(1, count_q - 1):
        first = corner(out, at_q)
        c = cross(sub(corner(out, at_q + 3 * i), first), sub(corner(out, at_q + 3 * i + 3), first))
        turned += dot(c, n).real
    way = 1.0 if turned > 0.0 else -1.0
    for i in range(count_q):
        a, b = corner(out, at_q + 3 * i), corner(out, at_q + 3 * ((i + 1) % count_q))
        side = scale(way, cross(sub(b, a), n))
        square = dot(side, side).real
        if square <= 0.0:
            continue
        count = _cut(out, here, there, count, most, a, side, BEYOND * size * square**0.5)
        here, there = there, here
    begin, other = at_q + 3 * most, at_q + 6 * most
    if here != begin:
        for i in range(3 * count):
            out[begin + i] = out[here + i]
    q0 = corner(out, at_q)
    for i in range(count):
        x = corner(out, begin + 3 * i)
        height = dot(m, sub(q0, x)) / across
        put_corner(out, other + 3 * i, add(x, scale(height, n)))
    return count
