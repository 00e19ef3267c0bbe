"""Two convex shapes of any kind: the normal from their nearest points, and points of the sides that face each other.

See `nearest` (which normal), `polish` (exactly), `facing` (which points). The first point is always the nearest, or
deepest, one, unless one of the corners is as near.
"""

from __future__ import annotations

import math

import numpy as np

from duoti.kernel import helper, part
from duoti.model.pairs.base import FAR, NUMBERS
from duoti.model.pairs.crossings import with_crossings
from duoti.model.pairs.facing import common, corner, is_round, line_over_round, round_end, side_of
from duoti.model.pairs.hull_kernels import POINTS, put_point_at, relative, tier_of
from duoti.model.pairs.nearest import MATRIX, POLYGONS, nearest_points
from duoti.model.pairs.polish import polish
from duoti.model.pairs.supports import length_of, radius_of, real3, real9
from duoti.spatial.algebra import add, cross, dot, mul, mulT, scale, sub

SAME = 1e-9  # part of the size: no difference of gaps
SIDES = 24  # corners of a side, at least


@helper
def identity(zero):
    """The pose of a frame in itself, in the number type of `zero`."""
    one = 1.0 + zero
    return (one, zero, zero, zero, one, zero, zero, zero, one), (zero, zero, zero)


@part
def nearest_of_two(hulls, R, p, s_a, s_b, size, out):
    """(gap, point of a, point of b, normal from a to b) of the surfaces, in the frame of a; R, p: pose of b there."""
    found = nearest_points(hulls, real9(R), real3(p), s_a, s_b, size, out.view(np.float64))  # in real numbers always
    gap, on_a, on_b, n = polish(hulls, R, p, s_a, s_b, size, found, out)
    r_a, r_b = radius_of(s_a), radius_of(s_b)
    return gap - r_a - r_b, add(on_a, scale(r_a, n)), sub(on_b, scale(r_b, n)), n


@part
def common_points(hulls, R, p, s_a, s_b, n, most, rims, size, out):
    """Points that the sides of a and b facing each other along n have in common (frame of a); see `facing.common`.

    rims: 1 if rims end where they do (`crossings`); 0 if points must not jump when they begin to cross an edge.

    Returns how many there are, 1 if those of b stand first, and how many corners the side has that stands first, and
    the other; -1: the nearest point is all that is known.
    """
    zero = 0.0 * n[0]
    at_a, at_b = POLYGONS, POLYGONS + 3 * most
    count_a = side_of(hulls, identity(zero), s_a, n, at_a, out)
    count_b = side_of(hulls, (R, p), s_b, scale(-1.0, mulT(R, n)), at_b, out)
    if count_a < 2 or count_b < 2:
        return -1, 0, 0, 0
    if rims == 1:
        count_a, count_b = with_crossings(out, s_a, at_a, count_a, s_b, at_b, count_b, n)
    r_a, r_b = radius_of(s_a), radius_of(s_b)
    for i in range(3):
        for k in range(count_a):
            out[at_a + 3 * k + i] += r_a * n[i]
        for k in range(count_b):
            out[at_b + 3 * k + i] -= r_b * n[i]
    if count_b == 2 and count_a > 2:  # a line is cut off at a polygon
        for k in range(3 * most):
            x, y = out[at_a + k], out[at_b + k]
            out[at_a + k], out[at_b + k] = y, x
        if is_round(s_a, count_a):
            centre, m = round_end(identity(zero), s_a, n)
            return line_over_round(out, at_a, at_b, most, centre, m, s_a[0], n), 1, count_b, count_a
        return common(out, at_a, count_b, at_b, count_a, most, n, size), 1, count_b, count_a
    if count_a == 2 and is_round(s_b, count_b):
        centre, m = round_end((R, p), s_b, scale(-1.0, mulT(R, n)))
        return line_over_round(out, at_a, at_b, most, centre, m, s_b[0], n), 0, count_a, count_b
    return common(out, at_a, count_a, at_b, count_b, most, n, size), 0, count_a, count_b


@part
def convex_convex(hulls, X_A, X_B, s_a, s_b, out):
    """Up to eight points of two convex shapes."""
    R, p = relative(X_A, X_B)
    l_a, l_b = length_of(hulls, s_a), length_of(hulls, s_b)
    size, most = l_a + l_b, SIDES + hulls.corners
    gap, on_a, on_b, n = nearest_of_two(hulls, R, p, s_a, s_b, size, out)
    count, swapped, _, _ = common_points(hulls, R, p, s_a, s_b, n, most, np.int64(1), size, out)
    first, second = POLYGONS + 6 * most, POLYGONS + 9 * most
    at_a, at_b = (second, first) if swapped == 1 else (first, second)
    lowest = math.inf
    for i in range(count):
        lowest = min(lowest, dot(n, sub(corner(out, at_b + 3 * i), corner(out, at_a + 3 * i))).real)
    found = 0
    R_A, origin = X_A
    normal = mul(R_A, n)
    if count <= 0 or lowest > gap.real + SAME * size:
        put_point_at(out, 0, gap, add(origin, mul(R_A, on_a)), add(origin, mul(R_A, on_b)), normal)
        found = 1
    lowest = min(lowest, gap.real)
    e = (1.0, 0.0, 0.0) if abs(n[0].real) < 0.6 else (0.0, 1.0, 0.0)
    t1 = cross(e, real3(n))
    t2 = cross(real3(n), t1)
    chosen_before = 0
    for k in range(3 * POINTS):  # first those that are as near as the nearest one, then those that nearly are
        level = lowest + tier_of(k) * min(l_a, l_b)
        turn = 0.25 * math.pi * k + 0.4  # not along an edge, so that each corner is furthest in some direction
        d = add(scale(math.cos(turn), t1), scale(math.sin(turn), t2))
        best, chosen = -math.inf, -1
        for i in range(count):
            x, y = corner(out, at_a + 3 * i), corner(out, at_b + 3 * i)
            if dot(n, sub(y, x)).real <= level and dot(d, real3(x)) > best + 1e-9 * size:
                best, chosen = dot(d, real3(x)), i
        new = chosen >= 0 and found < POINTS
        for j in range(chosen_before):
            new = new and out[MATRIX + j].real != 1.0 * chosen
        if not new:
            continue
        out[MATRIX + chosen_before] = 1.0 * chosen
        chosen_before += 1
        x, y = corner(out, at_a + 3 * chosen), corner(out, at_b + 3 * chosen)
        here = dot(n, sub(y, x))
        put_point_at(out, found, here, add(origin, mul(R_A, x)), add(origin, mul(R_A, y)), normal)
        found += 1
    for k in range(found, POINTS):
        out[NUMBERS * k] = FAR
