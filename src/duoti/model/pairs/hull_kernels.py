"""Convex polyhedra (hulls of meshes, and boxes) against planes, balls and capsules; each other: `convex`.

`hulls` are the arrays of `Hulls` in `collide`; the first of the four numbers of a shape is the number of its hull. A
ball or a capsule finds the nearest point of the hull exactly: among faces, edges and corners.
"""

from __future__ import annotations

import math

from duoti.kernel import helper, part
from duoti.model.pairs.base import FAR, NUMBERS, axis_of
from duoti.spatial.algebra import add, cross, dot, get3, mul, mulT, scale, sub

POINTS = 8
SCRATCH = NUMBERS * POINTS  # behind the points of a manifold
LEVEL = 0.02  # part of the reach: points that are so much further away than the nearest one are left out
TINY = 1e-12  # part of the reach: no distance
NONE, LITTLE = 1e-9, 1e-3  # parts of the reach: no difference of gaps, and a small one
ENDS = 1e-6  # part of a capsule's length that belongs to its ends


@helper
def put_point_at(out, k, gap, p_a, p_b, n):
    """Point k of a manifold."""
    at = NUMBERS * k
    out[at] = gap
    for i in range(3):
        out[at + 1 + i], out[at + 4 + i], out[at + 7 + i] = p_a[i], p_b[i], n[i]


@helper
def tier_of(k):
    """Part of the reach by which points may be further away than the nearest one, in the k-th choice."""
    return NONE if k < POINTS else LITTLE if k < 2 * POINTS else LEVEL


@part
def _clear(out, first, last):
    for k in range(first, last):
        out[NUMBERS * k] = FAR


@part
def plane_hull(hulls, X_A, X_B, s_a, s_b, out):
    """The corners that are lowest, those furthest out in eight directions."""
    h = int(s_b[0])
    v0, v1 = hulls.range[h, 0], hulls.range[h, 1]
    (R_A, p_a), (R_B, p_b) = X_A, X_B
    n = axis_of(R_A, 2)
    n_h = mulT(R_B, n)
    base = dot(n, sub(p_b, p_a))
    lowest, reach = math.inf, hulls.reach[h]
    for v in range(v0, v1):
        lowest = min(lowest, base + dot(n_h, get3(hulls.vertex, v, 0)))
    best, farthest = SCRATCH + POINTS, SCRATCH + 4 * POINTS  # of each choice: which corner, and how far out it is
    for k in range(3 * POINTS):
        out[best + k], out[farthest + k] = -1.0, -math.inf
    for v in range(v0, v1):
        w = get3(hulls.vertex, v, 0)
        height = base + dot(n_h, w)
        if height > lowest + LEVEL * reach:
            continue
        w = mul(R_B, w)
        x, y = dot(axis_of(R_A, 0), w), dot(axis_of(R_A, 1), w)
        for k in range(3 * POINTS):
            turn = 0.25 * math.pi * k
            d = math.cos(turn) * x + math.sin(turn) * y
            if height <= lowest + tier_of(k) * reach and d > out[farthest + k] + TINY * reach:
                out[best + k], out[farthest + k] = 1.0 * v, d
    count = 0
    for k in range(3 * POINTS):  # first those that are as low as the lowest one, then those that nearly are
        found = int(out[best + k])
        new = count < POINTS
        for j in range(count):
            new = new and out[SCRATCH + j] != 1.0 * found
        if new:
            out[SCRATCH + count] = 1.0 * found
            p = add(p_b, mul(R_B, get3(hulls.vertex, found, 0)))
            gap = dot(n, sub(p, p_a))
            put_point_at(out, count, gap, sub(p, scale(gap, n)), p, n)
            count += 1
    _clear(out, count, POINTS)


@part
def _inside_face(hulls, f, p):
    """True if the point p, moved along the normal, is within the polygon of face f."""
    n = get3(hulls.normal, f, 0)
    first, last = hulls.loop_first[f], hulls.loop_first[f + 1]
    for i in range(first, last):
        a = get3(hulls.vertex, hulls.loop[i], 0)
        b = get3(hulls.vertex, hulls.loop[i + 1 if i + 1 < last else first], 0)
        if dot(n, cross(sub(b, a), sub(p, a))) < 0.0:
            return False
    return True


@part
def _nearest(hulls, h, p):
    """Signed distance of p from hull h, the nearest point of the surface, and the unit normal there outward to p."""
    deepest, face = -math.inf, hulls.range[h, 2]
    best, c = math.inf, p
    for f in range(hulls.range[h, 2], hulls.range[h, 3]):
        n = get3(hulls.normal, f, 0)
        d = dot(n, p) - hulls.offset[f]
        if d > deepest:
            deepest, face = d, f
        if 0.0 < d < best and _inside_face(hulls, f, p):
            best, c = d, sub(p, scale(d, n))
    n = get3(hulls.normal, face, 0)
    if deepest <= TINY * hulls.reach[h]:
        return deepest, sub(p, scale(deepest, n)), n
    for e in range(hulls.range[h, 4], hulls.range[h, 5]):
        a, b = get3(hulls.vertex, hulls.edge[e, 0], 0), get3(hulls.vertex, hulls.edge[e, 1], 0)
        along = sub(b, a)
        t = min(max(dot(along, sub(p, a)) / dot(along, along), 0.0), 1.0)
        q = add(a, scale(t, along))
        d = dot(sub(p, q), sub(p, q)) ** 0.5
        if d < best:
            best, c = d, q
    if best > TINY * hulls.reach[h]:
        n = scale(1.0 / best, sub(p, c))
    return best, c, n


@part
def _ball(hulls, h, X_B, p, radius, k, out):
    """Point k: a ball about p (world) against the hull, which is b."""
    R, origin = X_B
    distance, c, n = _nearest(hulls, h, mulT(R, sub(p, origin)))
    outward = mul(R, n)
    on_hull = add(origin, mul(R, c))
    put_point_at(out, k, distance - radius, sub(p, scale(radius, outward)), on_hull, scale(-1.0, outward))


@part
def sphere_hull(hulls, X_A, X_B, s_a, s_b, out):
    """A ball."""
    _ball(hulls, int(s_b[0]), X_B, X_A[1], s_a[0], 0, out)


@part
def _from_edge(hulls, e, u, w, s, away):
    """Signed distance of a line along u from edge e (along w), infinite if it is not there; and the normal outward.

    away: from the nearest point of the edge, at its part s, to that of the line. A line that has cut in is still on the
    edge as long as the common normal is between those of the two faces.
    """
    n1, n2 = get3(hulls.edge_normal, e, 0), get3(hulls.edge_normal, e, 3)
    between = add(n1, n2)
    if s <= 0.0 or s >= 1.0:  # beside a corner: only from outside
        distance = dot(away, away) ** 0.5
        across = sub(between, scale(dot(between, u), u))
        if distance <= TINY * dot(w, w) ** 0.5 and dot(across, across) > 0.0:  # a rod that lies along an edge
            return 0.0, scale(1.0 / dot(across, across) ** 0.5, across)
        if dot(away, between) <= 0.0:
            return math.inf, n1
        return distance, scale(1.0 / distance, away)
    c = cross(u, w)
    outward = scale((1.0 if dot(c, between) > 0.0 else -1.0) / dot(c, c) ** 0.5, c)
    distance, least = dot(away, outward), dot(n1, n2) - ENDS
    if distance < 0.0 and (dot(outward, n1) < least or dot(outward, n2) < least):
        return math.inf, n1
    return distance, outward


@part
def _is_inside(hulls, h, x):
    """True if x is in hull h."""
    inside = True
    for f in range(hulls.range[h, 2], hulls.range[h, 3]):
        inside = inside and dot(get3(hulls.normal, f, 0), x) <= hulls.offset[f] + TINY * hulls.reach[h]
    return inside


@part
def _put_crossing(R, origin, x, c, outward, distance, radius, k, out):
    """Point k: the place x of a capsule's axis at the place c of an edge (frame of the hull)."""
    n = mul(R, scale(-1.0, outward))
    on_capsule = add(add(origin, mul(R, x)), scale(radius, n))
    put_point_at(out, k, distance - radius, on_capsule, add(origin, mul(R, c)), n)


@part
def capsule_hull(hulls, X_A, X_B, s_a, s_b, out):
    """Both ends, and on each half of the capsule the place where it crosses the nearest edge."""
    h, radius, half = int(s_b[0]), s_a[0], s_a[1]
    R, origin = X_B
    axis = axis_of(X_A[0], 2)
    for k in range(2):
        side = 1.0 if k == 0 else -1.0
        _ball(hulls, h, X_B, add(X_A[1], scale(side * half, axis)), radius, k, out)
    _clear(out, 2, 4)
    if half <= 0.0:
        return
    p, u = mulT(R, sub(X_A[1], origin)), mulT(R, axis)
    best0 = best1 = depth = math.inf
    cut_t, cut_x, cut_c, cut_n = 0.0, p, p, u
    for e in range(hulls.range[h, 4], hulls.range[h, 5]):
        a, b = get3(hulls.vertex, hulls.edge[e, 0], 0), get3(hulls.vertex, hulls.edge[e, 1], 0)
        w, d = sub(b, a), sub(p, a)
        ww, uw = dot(w, w), dot(u, w)
        det = ww - uw * uw
        if det <= ENDS * ENDS * ww:
            continue  # parallel: the ends are as near
        s = min(max((dot(w, d) - uw * dot(u, d)) / det, 0.0), 1.0)  # along the edge
        t = dot(u, sub(add(a, scale(s, w)), p))  # along the capsule
        if not abs(t) < half * (1.0 - ENDS):
            continue
        x, c = add(p, scale(t, u)), add(a, scale(s, w))
        best = best0 if t >= 0.0 else best1
        distance, outward = _from_edge(hulls, e, u, w, s, sub(x, c))
        if distance <= TINY * hulls.reach[h]:  # of edges that the line has cut into, that which it is least below
            if -distance < depth and _is_inside(hulls, h, x):
                depth, cut_t, cut_x, cut_c, cut_n = -distance, t, x, c, outward
        elif distance < best:
            _put_crossing(R, origin, x, c, outward, distance, radius, 2 if t >= 0.0 else 3, out)
            if t >= 0.0:
                best0 = distance
            else:
                best1 = distance
    if depth < math.inf:
        _put_crossing(R, origin, cut_x, cut_c, cut_n, -depth, radius, 2 if cut_t >= 0.0 else 3, out)


@helper
def relative(X_A, X_B):
    """R_AB and the origin of b in the frame of a."""
    (R_A, p_a), (R_B, p_b) = X_A, X_B
    p = mulT(R_A, sub(p_b, p_a))
    x, y, z = mulT(R_A, axis_of(R_B, 0)), mulT(R_A, axis_of(R_B, 1)), mulT(R_A, axis_of(R_B, 2))
    return (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]), p
