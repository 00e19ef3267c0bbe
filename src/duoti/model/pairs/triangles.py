"""A convex shape against a mesh of triangles that is not convex: terrain, bowls, rings.

The tree of boxes gives the triangles that are near. With each of them the shape has nearest points and a normal
(`convex`). Triangles are seen from outside, and share their edges: a normal that leans over an edge, or stands on a
corner, is one of the mesh only if the neighbours there are below; else the edge is an inner one, on which nothing can
stop, and the triangle's own normal is taken with what of the shape is above it. Points of all triangles are thinned
out: the deepest, then those furthest from the others.
"""

from __future__ import annotations

import math

import numpy as np

from duoti.kernel import helper, part
from duoti.model.pairs.base import FAR, NUMBERS
from duoti.model.pairs.convex import SAME, SIDES, common_points, nearest_of_two
from duoti.model.pairs.facing import corner
from duoti.model.pairs.hull_kernels import LEVEL, put_point_at, relative
from duoti.model.pairs.nearest import POLYGONS
from duoti.model.pairs.supports import (
    BOX,
    CAPSULE,
    CORNERS,
    CYLINDER,
    DISC,
    HULL,
    TRIANGLE,
    length_of,
    radius_of,
    support,
)
from duoti.spatial.algebra import add, dot, get3, mul, mulT, scale, sub

POINTS = 8
MARGIN = CORNERS + 9  # place in the scratch of the largest gap that is of interest
MOST = 64  # points that are kept before they are thinned out
LEFT = 16  # points that are left then
STACK = 64  # nodes of the tree that wait
NEAREST, NEAR = 1e-5, 1e-3  # parts of the size: points with such gaps are kept before others
LEAN = 1e-6  # sine of the angle by which a normal leans over an edge
THROUGH = 0.1  # part of their size by which discs and rods, which have no inside, may be behind a triangle
CUT = 1e-8  # part of the size: nearer than that to an edge, or to a corner, is on it
ROOM = NUMBERS * MOST + STACK + MOST  # numbers behind the four polygons


@helper
def stash_of_triangles(hulls):
    """Where points are kept: behind the polygons."""
    return POLYGONS + 12 * (SIDES + hulls.corners)


@part
def _bounds(hulls, R, p, s, out):
    """Least and largest coordinates of a shape in a frame in which its pose is R, p."""
    r = radius_of(s)
    low0 = low1 = low2 = high0 = high1 = high2 = 0.0
    for k in range(3):
        axis = (R[0], R[1], R[2]) if k == 0 else (R[3], R[4], R[5]) if k == 1 else (R[6], R[7], R[8])
        at = p[0] if k == 0 else p[1] if k == 1 else p[2]
        high = at + dot(axis, support(hulls, s, axis, out)) + r
        low = at + dot(axis, support(hulls, s, scale(-1.0, axis), out)) - r
        if k == 0:
            low0, high0 = low, high
        elif k == 1:
            low1, high1 = low, high
        else:
            low2, high2 = low, high
    return (low0, low1, low2), (high0, high1, high2)


@part
def box_distance(surfaces, node, low, high):
    """Distance of the box of a node from another one."""
    total = 0.0
    for k in range(3):
        d = max(surfaces.box[node, k] - high[k], low[k] - surfaces.box[node, 3 + k], 0.0)
        total += d * d
    return total**0.5


@helper
def _below(surfaces, v, x, m):
    """True if vertex v is below the plane through x with the normal m, or in it."""
    d = sub(get3(surfaces.vertex, v, 0), x)
    return dot(d, m) <= LEAN * dot(d, d) ** 0.5


@part
def _leans_rightly(surfaces, t, x, m, longest):
    """True if m can be the normal of the mesh at the point x of triangle t: what is around it is below."""
    right = True
    for k in range(3):
        v = surfaces.vertices[t, k]
        d = sub(get3(surfaces.vertex, v, 0), x)
        if dot(d, d) <= (LEAN * longest) ** 2:
            for i in range(surfaces.ring_first[v], surfaces.ring_first[v + 1]):
                right = right and _below(surfaces, surfaces.ring[i], x, m)
            return right
    for e in range(3):
        v, out_here = surfaces.across[t, e], get3(surfaces.outward, t, 3 * e)
        on_edge = dot(out_here, sub(x, get3(surfaces.corner, t, 3 * e))) >= -LEAN * longest
        if on_edge and v >= 0 and dot(out_here, m) > LEAN:
            right = right and _below(surfaces, v, x, m)
    return right


@part
def is_above(surfaces, t, x):
    """True if a point is above triangle t, or below, but not beside it."""
    most = 0.0
    for e in range(3):
        most = max(most, dot(get3(surfaces.outward, t, 3 * e), sub(x, get3(surfaces.corner, t, 3 * e))))
    return most <= 0.0


@part
def thin_out(out, at, count, left, chosen, size, level):
    """Of `count` points keep the deepest, then those furthest from all kept, in place and direction: near ones first.

    Returns how many are kept; they stand in front.
    """
    first, lowest = 0, math.inf
    for i in range(count):
        if out[at + NUMBERS * i] < lowest:
            lowest, first = out[at + NUMBERS * i], i
        out[chosen + i] = math.inf
    kept, here, tier = 0, first, 0
    while count > 0 and kept < left:
        for k in range(NUMBERS):  # to the front, in exchange
            x, y = out[at + NUMBERS * kept + k], out[at + NUMBERS * here + k]
            out[at + NUMBERS * kept + k], out[at + NUMBERS * here + k] = y, x
        out[chosen + here] = out[chosen + kept]
        for i in range(kept + 1, count):
            d = 0.0
            for k in range(4, 7):
                d += (out[at + NUMBERS * i + k] - out[at + NUMBERS * kept + k]) ** 2
            for k in range(7, 10):
                d += size * size * (out[at + NUMBERS * i + k] - out[at + NUMBERS * kept + k]) ** 2
            out[chosen + i] = min(out[chosen + i], d)
        kept += 1
        following = -1
        while following < 0 and tier < 3:
            best = (1e-6 * size) ** 2
            highest = max(lowest, 0.0) + (NEAREST * size if tier == 0 else NEAR * size if tier == 1 else level)
            for i in range(kept, count):
                if out[chosen + i] > best and out[at + NUMBERS * i] <= highest:
                    best, following = out[chosen + i], i
            if following < 0:
                tier += 1
        if following < 0:
            break
        here = following
    return kept


@part
def _own_corner(hulls, s, x, near):
    """True if x (in the shape's frame) is a corner of the shape, an end of it, or a point of a rim."""
    code = s[3]
    if code == HULL:
        found = False
        for v in range(hulls.range[int(s[0]), 0], hulls.range[int(s[0]), 1]):
            d = sub(get3(hulls.vertex, v, 0), x)
            found = found or dot(d, d) <= near * near
        return found
    if code == BOX:
        return s[0] - abs(x[0]) <= near and s[1] - abs(x[1]) <= near and s[2] - abs(x[2]) <= near
    if code == CAPSULE:
        return s[1] - abs(x[2]) <= near
    if CYLINDER <= code <= DISC:
        return s[0] - (x[0] * x[0] + x[1] * x[1]) ** 0.5 <= near and s[1] - abs(x[2]) <= near
    return True


@part
def _only_cut(hulls, surfaces, t, s_a, x, y, size):
    """True if a point (x of a, y in the frame of the mesh) is only where triangle t ends and the next one goes on.

    That is one on an edge whose neighbour is not below, and not a corner of a.
    """
    own = get3(surfaces.normal, t, 0)
    for e in range(3):
        v, begin = surfaces.across[t, e], get3(surfaces.corner, t, 3 * e)
        if v >= 0 and dot(get3(surfaces.outward, t, 3 * e), sub(y, begin)) >= -CUT * size:
            d = sub(get3(surfaces.vertex, v, 0), begin)
            if dot(own, d) >= -LEAN * dot(d, d) ** 0.5 and not _own_corner(hulls, s_a, x, CUT * size):
                return True
    return False


@helper
def _thin(s):
    """How far the middle of a disc, or of a thin rod, may be behind a triangle that it has come to from outside."""
    if s[3] == DISC:
        return THROUGH * s[0]
    return max(0.0, THROUGH * s[1] - s[0]) if s[3] == CAPSULE else 0.0


@part
def _points_on(hulls, surfaces, t, R, p, s_a, size, inner, out, at, count):
    """Add the points of triangle t (frame of a) behind the `count` points that there are; returns how many then.

    inner: 0 leaves out corners that are only there because the triangle ends.
    """
    longest = 0.0
    for e in range(3):
        x, y = get3(surfaces.corner, t, 3 * e), get3(surfaces.corner, t, 3 * ((e + 1) % 3))
        for k in range(3):
            out[CORNERS + 3 * e + k] = x[k]
        longest = max(longest, dot(sub(y, x), sub(y, x)))
    s_b = (longest**0.5, 0.0, 0.0, 1.0 * TRIANGLE)
    scale_here = size + s_b[0]
    gap, on_a, on_b, n = nearest_of_two(hulls, R, p, s_a, s_b, scale_here, out)
    own = get3(surfaces.normal, t, 0)
    m = scale(-1.0, mulT(R, n))
    centre = mulT(R, scale(-1.0, p))  # origin of a in the frame of the mesh
    outside = dot(own, sub(centre, get3(surfaces.corner, t, 0)))
    x = mulT(R, sub(on_b, p))
    right = dot(own, m) > -LEAN and _leans_rightly(surfaces, t, x, m, s_b[0])
    if not right:
        if outside <= -_thin(s_a):
            return count  # seen from behind
        n = scale(-1.0, mul(R, own))
        on_a = add(support(hulls, s_a, n, out), scale(radius_of(s_a), n))
        x = mulT(R, sub(on_a, p))
        gap = dot(own, sub(x, get3(surfaces.corner, t, 0)))
        on_b = add(on_a, scale(gap, n))
        right = is_above(surfaces, t, x)
    most = SIDES + hulls.corners
    found, swapped, _, _ = common_points(hulls, R, p, s_a, s_b, n, most, np.int64(0), scale_here, out)
    first, second = POLYGONS + 6 * most, POLYGONS + 9 * most
    at_a, at_b = (second, first) if swapped == 1 else (first, second)
    lowest = math.inf
    for i in range(found):
        x, y = corner(out, at_a + 3 * i), corner(out, at_b + 3 * i)
        here = dot(n, sub(y, x))
        lowest = min(lowest, here)
        wanted = inner == 1 or not _only_cut(hulls, surfaces, t, s_a, sub(x, scale(radius_of(s_a), n)),
                                             mulT(R, sub(y, p)), scale_here)  # fmt: skip
        if count < MOST and wanted:
            put_point_at_place(out, at + NUMBERS * count, here, x, y, n)
            count += 1
    if right and lowest > gap + SAME * scale_here and count < MOST:
        put_point_at_place(out, at + NUMBERS * count, gap, on_a, on_b, n)
        count += 1
    return count


@helper
def put_point_at_place(out, at, gap, p_a, p_b, n):
    """A point in the scratch."""
    out[at] = gap
    for i in range(3):
        out[at + 1 + i], out[at + 4 + i], out[at + 7 + i] = p_a[i], p_b[i], n[i]


@part
def near_points(hulls, surfaces, X_A, X_B, s_a, s_b, left, inner, out):
    """At most `left` points of a convex shape on a mesh, in the frame of a, behind the polygons; returns how many.

    inner: see `_points_on`.
    """
    mesh = int(s_b[0])
    R, p = relative(X_A, X_B)
    R_BA, p_BA = relative(X_B, X_A)
    size = length_of(hulls, s_a)
    level = LEVEL * size
    low, high = _bounds(hulls, R_BA, p_BA, s_a, out)
    at = stash_of_triangles(hulls)
    stack = at + NUMBERS * MOST
    chosen = stack + STACK
    limit, count, waiting, behind = out[MARGIN], 0, 1, _thin(s_a)
    out[stack] = 1.0 * surfaces.root[mesh]
    while waiting > 0:
        waiting -= 1
        node = int(out[stack + waiting])
        if box_distance(surfaces, node, low, high) > limit + behind:
            continue
        one, other = surfaces.below[node, 0], surfaces.below[node, 1]
        if one >= 0:
            near = box_distance(surfaces, one, low, high)
            far = box_distance(surfaces, other, low, high)
            if waiting + 2 <= STACK:
                out[stack + waiting] = 1.0 * (other if near <= far else one)
                out[stack + waiting + 1] = 1.0 * (one if near <= far else other)
                waiting += 2
            continue
        for t in range(-1 - one, -1 - one + other):
            before = count
            count = _points_on(hulls, surfaces, t, R, p, s_a, size, inner, out, at, count)
            for i in range(before, count):
                limit = min(limit, max(out[at + NUMBERS * i], 0.0) + level)
            if count > MOST - 16:
                count = thin_out(out, at, count, LEFT, chosen, size, level)
    return thin_out(out, at, count, left, chosen, size, level)


@part
def put_points(out, at, count, X_A):
    """Points in the scratch, in the frame of a, as those of a manifold."""
    R_A, origin = X_A
    for k in range(count):
        here = at + NUMBERS * k
        x, y = add(origin, mul(R_A, corner(out, here + 1))), add(origin, mul(R_A, corner(out, here + 4)))
        put_point_at(out, k, out[here], x, y, mul(R_A, corner(out, here + 7)))
    for k in range(count, POINTS):
        out[NUMBERS * k] = FAR


@part
def convex_triangles(hulls, surfaces, X_A, X_B, s_a, s_b, out):
    """Up to eight points of a convex shape on a mesh."""
    count = near_points(hulls, surfaces, X_A, X_B, s_a, s_b, POINTS, 1, out)
    put_points(out, stash_of_triangles(hulls), count, X_A)
