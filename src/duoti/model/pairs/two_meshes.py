"""Two non-convex meshes: bowls in bowls, links of a chain, teeth of gears.

Where surfaces touch, or just overlap, a corner of one is at a face of the other, or two edges cross; where they are
apart a corner may also be nearest to an edge or a corner. Such a pair is a point of contact if what is around it is
further away on both sides: the neighbours of a corner, and those of an edge, are below the common normal, so that
edges within a plane and those of concave regions stop nothing. At a saddle (the inner side of a ring) edges rise on
both sides of a corner: where two of these corners have come into each other, their edges do not cross any more, but
what goes on below the neighbours of each does (`_goes_on`). Both trees of boxes are walked down together. All points
are thinned out as in `triangles`.
"""

from __future__ import annotations

import math

from duoti.kernel import helper, part
from duoti.model.pairs.base import NUMBERS, ShapePair
from duoti.model.pairs.facing import corner
from duoti.model.pairs.hull_kernels import LEVEL, relative
from duoti.model.pairs.nearest import POLYGONS
from duoti.model.pairs.triangles import (
    LEFT,
    MARGIN,
    MOST,
    POINTS,
    STACK,
    is_above,
    put_point_at_place,
    put_points,
    stash_of_triangles,
    thin_out,
)
from duoti.spatial.algebra import add, cross, dot, get3, mul, mulT, scale, sub

PAIRS = 96  # pairs of nodes that wait; where the polygons of other pairs stand
LEAN = 1e-3  # sine of the angle by which neighbours may be above the normal's plane: features that nearly fit
DEEPEST = 0.5  # part of an edge by which it may have passed another one, and by which its end may be below a face
PARALLEL = 1e-6  # sine of the angle between edges without a common normal
ENDS = 1e-6  # part of an edge that belongs to its corners, and beyond them
NO_DISTANCE = 1e-9  # part of an edge
BEYOND = 2.0  # times the depth, by which edges may cross beyond a corner that they go on from inside of the body


@helper
def _node_distance(surfaces, a, b, R, p):
    """At least so far are the boxes of two nodes apart; R, p: pose of b in a."""
    low, high = get3(surfaces.box, b, 0), get3(surfaces.box, b, 3)
    c = add(p, mul(R, scale(0.5, add(low, high))))
    h = scale(0.5, sub(high, low))
    half = (
        abs(R[0]) * h[0] + abs(R[1]) * h[1] + abs(R[2]) * h[2],
        abs(R[3]) * h[0] + abs(R[4]) * h[1] + abs(R[5]) * h[2],
        abs(R[6]) * h[0] + abs(R[7]) * h[1] + abs(R[8]) * h[2],
    )
    total = 0.0
    for k in range(3):
        d = max(surfaces.box[a, k] - c[k] - half[k], c[k] - half[k] - surfaces.box[a, 3 + k], 0.0)
        total += d * d
    return total**0.5


@helper
def _extent(surfaces, node):
    """Sum of the sides of a node's box."""
    d = sub(get3(surfaces.box, node, 3), get3(surfaces.box, node, 0))
    return d[0] + d[1] + d[2]


@part
def _is_mine(surfaces, t, k):
    """True if corner k of triangle t is dealt with there: the next corner is the first one around it."""
    v = surfaces.vertices[t, k]
    first = surfaces.ring[surfaces.ring_first[v]]
    for i in range(surfaces.ring_first[v] + 1, surfaces.ring_first[v + 1]):
        first = min(first, surfaces.ring[i])
    before = (k + 2) % 3
    open_edge = surfaces.across[t, before] < 0
    return surfaces.vertices[t, (k + 1) % 3] == first or (surfaces.vertices[t, before] == first and open_edge)


@helper
def _is_below(surfaces, v, x, m):
    """True if vertex v is below the plane through x with the normal m, or as good as in it."""
    d = sub(get3(surfaces.vertex, v, 0), x)
    return dot(d, m) <= LEAN * dot(d, d) ** 0.5


@part
def _is_peak(surfaces, v, m):
    """True if all vertices around vertex v are below it, seen along m."""
    x, right = get3(surfaces.vertex, v, 0), True
    for i in range(surfaces.ring_first[v], surfaces.ring_first[v + 1]):
        right = right and _is_below(surfaces, surfaces.ring[i], x, m)
    return right


@part
def _corners_at_face(surfaces, t, u, R, p, limit, way, out, at, count):
    """Corners of triangle t at the face of triangle u of the other mesh; R, p: pose of u's mesh in t's.

    way: 1 if t is of a, -1 if it is of b; points are written in the frame of t's mesh.
    """
    own = get3(surfaces.normal, u, 0)
    m = scale(-1.0, mul(R, own))
    for k in range(3):
        x = get3(surfaces.corner, t, 3 * k)
        y = mulT(R, sub(x, p))
        height = dot(own, sub(y, get3(surfaces.corner, u, 0)))
        d = sub(get3(surfaces.corner, t, 3 * ((k + 1) % 3)), x)
        e = sub(get3(surfaces.corner, t, 3 * ((k + 2) % 3)), x)
        if (
            height > limit
            or height < -DEEPEST * max(dot(d, d), dot(e, e)) ** 0.5
            or not is_above(surfaces, u, y)
            or not _is_mine(surfaces, t, k)
        ):
            continue
        right = dot(m, get3(surfaces.normal, t, 0)) > 0.0 and _is_peak(surfaces, surfaces.vertices[t, k], m)
        if right and count < MOST:
            z = add(x, scale(height, m))
            if way > 0:
                put_point_at_place(out, at + NUMBERS * count, height, x, z, m)
            else:
                put_point_at_place(out, at + NUMBERS * count, height, z, x, scale(-1.0, m))
            count += 1
    return count


@part
def _bisector(surfaces, t, e):
    """Sum of the normals of the two triangles at edge e of triangle t."""
    v, n = surfaces.across[t, e], get3(surfaces.normal, t, 0)
    if v < 0:
        return n
    x, y = get3(surfaces.corner, t, 3 * e), get3(surfaces.corner, t, 3 * ((e + 1) % 3))
    c = cross(sub(x, y), sub(get3(surfaces.vertex, v, 0), y))
    square = dot(c, c)
    return n if square <= 0.0 else add(n, scale(square**-0.5, c))


@part
def _is_ridge(surfaces, t, e, x, m):
    """True if what is on both sides of edge e of triangle t is below the plane through x with the normal m."""
    v = surfaces.across[t, e]
    right = dot(_bisector(surfaces, t, e), m) > LEAN and _is_below(surfaces, surfaces.vertices[t, (e + 2) % 3], x, m)
    return right and (v < 0 or _is_below(surfaces, v, x, m))


@part
def _faces_this_way(surfaces, t, e, s, x, m):
    """True if m can be the normal at the place s of edge e of triangle t, which is x."""
    if s <= 0.0 or s >= 1.0:
        return _is_peak(surfaces, surfaces.vertices[t, e if s <= 0.0 else (e + 1) % 3], m)
    return _is_ridge(surfaces, t, e, x, m)


@part
def _goes_on(surfaces, t, e, s, d, m):
    """True if edge e of triangle t, with the direction d, goes on inside of the body beyond its end, at the place s.

    Some neighbour of the corner, on that side of it, is above the plane with the normal m in which the edge is.
    """
    if 0.0 <= s <= 1.0:
        return True
    v = surfaces.vertices[t, e if s < 0.0 else (e + 1) % 3]
    x, found = get3(surfaces.vertex, v, 0), False
    for i in range(surfaces.ring_first[v], surfaces.ring_first[v + 1]):
        w = sub(get3(surfaces.vertex, surfaces.ring[i], 0), x)
        ahead = -dot(w, d) if s < 0.0 else dot(w, d)
        found = found or (ahead > 0.0 and dot(w, m) > LEAN * dot(w, w) ** 0.5)
    return found


@part
def _beyond_ends(surfaces, t, u, i, k, x, d, own_y, e, R, s, q, n, gap, out, at, count):
    """Edges i of t and k of u that cross beyond corners, at a depth: a point, if both go on inside of their bodies."""
    dd, ee = dot(d, d), dot(e, e)
    room_s, room_q = -BEYOND * gap / dd**0.5, -BEYOND * gap / ee**0.5
    inside = -room_s <= s <= 1.0 + room_s and -room_q <= q <= 1.0 + room_q
    if not inside or gap >= 0.0 or gap < -DEEPEST * min(dd, ee) ** 0.5 or count >= MOST:
        return count
    m, own_e = scale(-1.0, mulT(R, n)), mulT(R, e)
    on_a, there = add(x, scale(s, d)), add(own_y, scale(q, own_e))
    right = _goes_on(surfaces, t, i, s, d, n) and _goes_on(surfaces, u, k, q, own_e, m)
    if right and _is_ridge(surfaces, t, i, on_a, n) and _is_ridge(surfaces, u, k, there, m):
        put_point_at_place(out, at + NUMBERS * count, gap, on_a, add(on_a, scale(gap, n)), n)
        count += 1
    return count


@part
def _at_ends(surfaces, t, u, i, k, x, d, own_y, R, p, s, q, limit, out, at, count):
    """Edges i of t and k of u that pass each other: the end of one, and the nearest point of the other, if apart."""
    y = add(p, mul(R, own_y))
    e = mul(R, sub(get3(surfaces.corner, u, 3 * ((k + 1) % 3)), own_y))
    dd, ee, de, r = dot(d, d), dot(e, e), dot(d, e), sub(y, x)
    s = min(max(s, 0.0), 1.0)
    q = min(max((de * s - dot(e, r)) / ee, 0.0), 1.0)
    s = min(max((de * q + dot(d, r)) / dd, 0.0), 1.0)
    on_a, on_b = add(x, scale(s, d)), add(y, scale(q, e))
    apart = sub(on_b, on_a)
    gap = dot(apart, apart) ** 0.5
    if gap > limit or gap <= NO_DISTANCE * (dd + ee) ** 0.5 or count >= MOST:
        return count
    n = scale(1.0 / gap, apart)
    there = mulT(R, sub(on_b, p))
    if _faces_this_way(surfaces, t, i, s, on_a, n) and _faces_this_way(
        surfaces, u, k, q, there, scale(-1.0, mulT(R, n))
    ):
        put_point_at_place(out, at + NUMBERS * count, gap, on_a, on_b, n)
        count += 1
    return count


@part
def _edges_cross(surfaces, t, u, R, p, limit, out, at, count):
    """Where edges of triangle t of a and u of b cross (frame of a); each edge is dealt with in one of its triangles."""
    for i in range(3):
        j = (i + 1) % 3
        if surfaces.across[t, i] >= 0 and surfaces.vertices[t, i] > surfaces.vertices[t, j]:
            continue
        x = get3(surfaces.corner, t, 3 * i)
        d = sub(get3(surfaces.corner, t, 3 * j), x)
        dd = dot(d, d)
        for k in range(3):
            following = (k + 1) % 3
            if surfaces.across[u, k] >= 0 and surfaces.vertices[u, k] > surfaces.vertices[u, following]:
                continue
            own_y = get3(surfaces.corner, u, 3 * k)
            y = add(p, mul(R, own_y))
            e = mul(R, sub(get3(surfaces.corner, u, 3 * following), own_y))
            ee, de = dot(e, e), dot(d, e)
            c = cross(d, e)
            square = dot(c, c)
            if square <= PARALLEL * PARALLEL * dd * ee:
                continue
            r = sub(y, x)
            s, q = (ee * dot(d, r) - de * dot(e, r)) / square, (de * dot(d, r) - dd * dot(e, r)) / square
            side = 1.0 if dot(c, _bisector(surfaces, t, i)) > 0.0 else -1.0
            n = scale(side * square**-0.5, c)
            gap = dot(n, r)
            if s < -ENDS or s > 1.0 + ENDS or q < -ENDS or q > 1.0 + ENDS:
                count = _at_ends(surfaces, t, u, i, k, x, d, own_y, R, p, s, q, limit, out, at, count)
                count = _beyond_ends(surfaces, t, u, i, k, x, d, own_y, e, R, s, q, n, gap, out, at, count)
                continue
            if gap > limit or gap < -DEEPEST * min(dd, ee) ** 0.5:
                continue
            on_a = add(x, scale(s, d))
            m, there = scale(-1.0, mulT(R, n)), add(own_y, scale(q, mulT(R, e)))
            if count < MOST and _is_ridge(surfaces, t, i, on_a, n) and _is_ridge(surfaces, u, k, there, m):
                put_point_at_place(out, at + NUMBERS * count, gap, on_a, add(on_a, scale(gap, n)), n)
                count += 1
    return count


@part
def _nearest_corners(surfaces, t, u, R, p):
    """The least distance of corners of two triangles."""
    best = math.inf
    for k in range(3):
        y = add(p, mul(R, get3(surfaces.corner, u, 3 * k)))
        for i in range(3):
            d = sub(y, get3(surfaces.corner, t, 3 * i))
            best = min(best, dot(d, d))
    return best**0.5


@part
def _leaves(surfaces, a, b, R, p, limit, level, size, out, at, count):
    """Points of the triangles of two leaves; returns the limit and how many points there are then."""
    chosen = at + NUMBERS * MOST + STACK
    R_BA = (R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8])
    p_BA = scale(-1.0, mulT(R, p))
    first_a, first_b = -1 - surfaces.below[a, 0], -1 - surfaces.below[b, 0]
    for t in range(first_a, first_a + surfaces.below[a, 1]):
        for u in range(first_b, first_b + surfaces.below[b, 1]):
            before = count
            count = _corners_at_face(surfaces, t, u, R, p, limit, 1, out, at, count)
            middle = count
            count = _corners_at_face(surfaces, u, t, R_BA, p_BA, limit, -1, out, at, count)
            for i in range(middle, count):  # in the frame of b
                here = at + NUMBERS * i
                x, y, n = corner(out, here + 1), corner(out, here + 4), corner(out, here + 7)
                put_point_at_place(out, here, out[here], add(p, mul(R, x)), add(p, mul(R, y)), mul(R, n))
            count = _edges_cross(surfaces, t, u, R, p, limit, out, at, count)
            limit = min(limit, _nearest_corners(surfaces, t, u, R, p) + level)
            for i in range(before, count):
                limit = min(limit, max(out[at + NUMBERS * i], 0.0) + level)
            if count > MOST - 16:
                count = thin_out(out, at, count, LEFT, chosen, size, level)
    return limit, count


@part
def triangles_triangles(hulls, surfaces, X_A, X_B, s_a, s_b, out):
    """Up to eight points of two meshes."""
    mesh_a, mesh_b = int(s_a[0]), int(s_b[0])
    R, p = relative(X_A, X_B)
    size = min(surfaces.reach[mesh_a], surfaces.reach[mesh_b])
    level, at = LEVEL * size, stash_of_triangles(hulls)
    limit, count, waiting = out[MARGIN], 0, 1
    out[POLYGONS], out[POLYGONS + 1] = 1.0 * surfaces.root[mesh_a], 1.0 * surfaces.root[mesh_b]
    while waiting > 0:
        waiting -= 1
        a, b = int(out[POLYGONS + 2 * waiting]), int(out[POLYGONS + 2 * waiting + 1])
        if _node_distance(surfaces, a, b, R, p) > limit:
            continue
        leaf_a, leaf_b = surfaces.below[a, 0] < 0, surfaces.below[b, 0] < 0
        if leaf_a and leaf_b:
            limit, count = _leaves(surfaces, a, b, R, p, limit, level, size, out, at, count)
            continue
        if waiting + 2 > PAIRS:
            continue
        split_a = leaf_b or (not leaf_a and _extent(surfaces, a) >= _extent(surfaces, b))
        one_a, other_a = (surfaces.below[a, 0], surfaces.below[a, 1]) if split_a else (a, a)
        one_b, other_b = (b, b) if split_a else (surfaces.below[b, 0], surfaces.below[b, 1])
        near, far = _node_distance(surfaces, one_a, one_b, R, p), _node_distance(surfaces, other_a, other_b, R, p)
        if near > far:
            one_a, other_a, one_b, other_b = other_a, one_a, other_b, one_b
        here = POLYGONS + 2 * waiting
        out[here], out[here + 1] = 1.0 * other_a, 1.0 * other_b
        out[here + 2], out[here + 3] = 1.0 * one_a, 1.0 * one_b
        waiting += 2
    count = thin_out(out, at, count, POINTS, at + NUMBERS * MOST + STACK, size, level)
    put_points(out, at, count, X_A)


class TwoMeshes(ShapePair):
    """Two non-convex meshes, or height fields."""

    kind, first, second, points = "triangles_triangles", "triangles", "triangles", POINTS
    rates, surfaces = False, True
    manifold = staticmethod(triangles_triangles)
