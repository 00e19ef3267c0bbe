"""Two convex shapes of any kind: the normal from their nearest points, and points of the sides that face each other.

See `nearest` (which normal), `polish` (exactly), `facing` (which points). The first point is always the nearest, or
deepest, one, unless one of the corners is as near.

Where the rim of a cylinder or disc crosses the side of another shape: corners of its polygon, which are exact there.

The end of a cylinder is an octagon (`facing`). What it has in common with another side would end inside of the rim;
with these corners it ends on it. Seen along the normal n, with centre c, radius r and axes x, y of the end, an edge
from a to b is at a + k (b - a) on the rim where |a + k (b - a)| = r in these axes; another rim is there where

    |d| x = (d² + r² - r_other²) / 2,    d: from c to its centre                                               (1)
"""

from __future__ import annotations

import math

import numpy as np

from duoti.kernel import helper, part
from duoti.model.pairs.base import FAR, NUMBERS
from duoti.model.pairs.facing import ROUND, common, corner, is_round, line_over_round, put_corner, round_end, side_of
from duoti.model.pairs.hull_kernels import POINTS, put_point_at, relative, tier_of
from duoti.model.pairs.nearest import MATRIX, POLYGONS, nearest_points
from duoti.model.pairs.polish import polish
from duoti.model.pairs.supports import length_of, radius_of, real3, real9
from duoti.spatial.algebra import add, cross, dot, mul, mulT, scale, sqrt, sub

MOST = 8  # crossings of a rim
APART = 1e-7  # rad between corners that are not one
LEVEL = 1e-6  # square of the sine of an angle between ends that cross as circles


@helper
def _axes(out, at):
    """Centre, and vectors of the length of the radius along the first corner and a quarter further."""
    c = scale(0.5, add(corner(out, at), corner(out, at + 3 * (ROUND // 2))))
    return c, sub(corner(out, at), c), sub(corner(out, at + 3 * (ROUND // 4)), c)


@helper
def _in_axes(c, x, y, n, p):
    """The point p, seen along n, in the axes of an end; 1 is on its rim."""
    square, normal = dot(x, x), cross(x, y)
    d = sub(p, c)
    d = sub(d, scale(dot(normal, d) / dot(normal, n), n))
    return dot(x, d) / square, dot(y, d) / square


@part
def _insert(out, at, count, c, x, y, u, v):
    """A corner at (u, v) of the axes, if there is none yet, between its neighbours; returns how many there are."""
    if count >= ROUND + MOST:
        return count
    turn = math.atan2(v.real, u.real) % (2.0 * math.pi)
    place, square = count, dot(x, x).real
    for k in range(count):
        d = sub(real3(corner(out, at + 3 * k)), real3(c))
        other = math.atan2(dot(real3(y), d) / square, dot(real3(x), d) / square) % (2.0 * math.pi)
        if abs(math.sin(0.5 * (other - turn))) < 0.5 * APART:
            return count
        if other > turn and k < place and k > 0:
            place = k
    for i in range(3 * (count - place)):
        out[at + 3 * count + 2 - i] = out[at + 3 * count - 1 - i]
    put_corner(out, at + 3 * place, add(c, add(scale(u, x), scale(v, y))))
    return count + 1


@part
def _with_edges(out, at, count, other, corners, n):
    """Corners where the rim crosses the edges of another side."""
    c, x, y = _axes(out, at)
    for i in range(corners):
        a0, a1 = _in_axes(c, x, y, n, corner(out, other + 3 * i))
        b0, b1 = _in_axes(c, x, y, n, corner(out, other + 3 * ((i + 1) % corners)))
        d0, d1 = b0 - a0, b1 - a1
        dd, ad, aa = d0 * d0 + d1 * d1, a0 * d0 + a1 * d1, a0 * a0 + a1 * a1 - 1.0
        left = ad * ad - dd * aa
        if dd.real <= 0.0 or left.real <= 0.0:
            continue
        root = sqrt(left)
        for side in range(2):
            k = ((root if side == 1 else -root) - ad) / dd
            if 0.0 <= k.real <= 1.0:
                count = _insert(out, at, count, c, x, y, a0 + k * d0, a1 + k * d1)
    return count


@part
def _with_rim(out, at, count, axes, others, n):
    """Corners where the rim crosses another rim (1); the axes of both."""
    c, x, y = axes
    u, v = _in_axes(c, x, y, n, others[0])
    dd = u * u + v * v
    if dd.real <= APART * APART:
        return count
    d = sqrt(dd)
    along = 0.5 * (dd + 1.0 - dot(others[1], others[1]) / dot(x, x)) / d
    left = 1.0 - along * along
    if left.real <= 0.0:
        return count
    for side in range(2):
        across = sqrt(left) if side == 1 else -sqrt(left)
        count = _insert(out, at, count, c, x, y, (along * u - across * v) / d, (along * v + across * u) / d)
    return count


@part
def with_crossings(out, s_a, at_a, count_a, s_b, at_b, count_b, n):
    """Add corners to the sides of two shapes that are ends where these cross; returns how many corners the two have.

    Lines over a round end are cut off at its rim elsewhere (`facing.line_over_round`).
    """
    if is_round(s_a, count_a) and is_round(s_b, count_b):
        axes_a, axes_b = _axes(out, at_a), _axes(out, at_b)
        m_a, m_b = cross(real3(axes_a[1]), real3(axes_a[2])), cross(real3(axes_b[1]), real3(axes_b[2]))
        c = cross(m_a, m_b)
        if dot(c, c) <= LEVEL * dot(m_a, m_a) * dot(m_b, m_b):
            count_a = _with_rim(out, at_a, count_a, axes_a, axes_b, n)
            count_b = _with_rim(out, at_b, count_b, axes_b, axes_a, n)
    elif is_round(s_a, count_a) and count_b > 2:
        count_a = _with_edges(out, at_a, count_a, at_b, count_b, n)
    elif is_round(s_b, count_b) and count_a > 2:
        count_b = _with_edges(out, at_b, count_b, at_a, count_a, n)
    return count_a, count_b


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

    rims: 1 if rims end where they do; 0 if points must not jump when they begin to cross an edge.

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
