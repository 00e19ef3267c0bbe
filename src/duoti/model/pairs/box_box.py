"""Two boxes: the axis along which they overlap least, and the points where a face or an edge meets the other box.

Separating axes are the three normals of each box and the nine products of their edges (Gottschalk, Lin & Manocha 1996).
On a face, the facing side of the other box is cut off at the edges of the face (Sutherland & Hodgman 1974): its corners
are the points. On two edges, it is the point where they cross.
"""

from __future__ import annotations

import math

from duoti.kernel import helper, part
from duoti.model.pairs.base import FAR, NUMBERS, ShapePair, axis_of
from duoti.spatial.algebra import add, cross, dot, scale, sqrt, sub

POINTS = 8
BUFFER = NUMBERS * POINTS  # behind the points: two polygons of at most eight corners, three numbers each
PARALLEL = 1e-6  # square of the sine of the angle between edges that count as parallel
ON_EDGE = 1e-6  # part of the size of a face that a corner may lie beyond it
SAME = 1e-12  # part of the size by which boxes must overlap less along the normal of another face to prefer it
PREFER_FACE = 1e-6  # by this part of its size a box must overlap less along an axis of edges to prefer it


@helper
def _half(s, k):
    return s[0] if k == 0 else s[1] if k == 1 else s[2]


@helper
def _reach(R, s, n):
    """Half the extent of a box along n."""
    total = 0.0
    for k in range(3):
        total += _half(s, k) * abs(dot(axis_of(R, k), n).real)
    return total


@part
def _put(out, k, gap, p_a, p_b, n):
    at = NUMBERS * k
    out[at] = gap
    for i in range(3):
        out[at + 1 + i], out[at + 4 + i], out[at + 7 + i] = p_a[i], p_b[i], n[i]


@part
def _cut(out, source, target, count, axis, side, limit):
    """Cut the polygon of `count` corners at side * x[axis] <= limit; returns how many corners are left.

    A corner on the limit, but for round-off, is left as it is, so that boxes of one size have four points in common.
    """
    found, near = 0, ON_EDGE * limit
    for i in range(count):
        here, there = source + 3 * i, source + 3 * ((i + 1) % count)
        d0, d1 = limit - side * out[here + axis], limit - side * out[there + axis]
        if d0.real >= -near and found < POINTS:
            for k in range(3):
                out[target + 3 * found + k] = out[here + k]
            found += 1
        if (d0.real > near and d1.real < -near) or (d0.real < -near and d1.real > near):
            fraction = d0 / (d0 - d1)
            if found < POINTS:
                for k in range(3):
                    out[target + 3 * found + k] = out[here + k] + fraction * (out[there + k] - out[here + k])
                found += 1
    return found


@part
def _faces(X_1, X_2, s_1, s_2, face, side, first, out):
    """Points on face `face` of box 1 on its side +-1 along that axis; first = 1 if box 1 is a, else it is b."""
    (R_1, p_1), (R_2, p_2) = X_1, X_2
    i_u, i_v = (face + 1) % 3, (face + 2) % 3
    m, u, v = scale(side, axis_of(R_1, face)), axis_of(R_1, i_u), axis_of(R_1, i_v)
    facing, most, turned = 0, -1.0, 1.0
    for k in range(3):
        c = dot(axis_of(R_2, k), m).real
        if abs(c) > most:
            facing, most, turned = k, abs(c), -1.0 if c > 0.0 else 1.0
    j_u, j_v = (facing + 1) % 3, (facing + 2) % 3
    centre = add(p_2, scale(turned * _half(s_2, facing), axis_of(R_2, facing)))
    e_u, e_v = scale(_half(s_2, j_u), axis_of(R_2, j_u)), scale(_half(s_2, j_v), axis_of(R_2, j_v))
    origin = add(p_1, scale(_half(s_1, face), m))
    for k in range(4):
        c_u, c_v = 1.0 if k == 0 or k == 3 else -1.0, 1.0 if k < 2 else -1.0
        d = sub(add(centre, add(scale(c_u, e_u), scale(c_v, e_v))), origin)
        at = BUFFER + 3 * k
        out[at], out[at + 1], out[at + 2] = dot(u, d), dot(v, d), dot(m, d)
    here, there, count = BUFFER, BUFFER + 3 * POINTS, 4
    for edge in range(4):
        axis, limit = edge % 2, _half(s_1, i_u) if edge % 2 == 0 else _half(s_1, i_v)
        count = _cut(out, here, there, count, axis, 1.0 if edge < 2 else -1.0, limit)
        here, there = there, here
    for k in range(count):
        at = here + 3 * k
        x, y, gap = out[at], out[at + 1], out[at + 2]
        on_face = add(origin, add(scale(x, u), scale(y, v)))
        other = add(on_face, scale(gap, m))
        if first == 1:
            _put(out, k, gap, on_face, other, m)
        else:
            _put(out, k, gap, other, on_face, scale(-1.0, m))
    return count


@helper
def _edges(X_A, X_B, s_a, s_b, i, j, n, gap):
    """Where an edge of a along its axis i and one of b along its axis j are nearest: those furthest along n."""
    (R_A, p_a), (R_B, p_b) = X_A, X_B
    for k in range(3):
        if k != i:
            axis = axis_of(R_A, k)
            p_a = add(p_a, scale(_half(s_a, k) if dot(axis, n).real > 0.0 else -_half(s_a, k), axis))
        if k != j:
            axis = axis_of(R_B, k)
            p_b = sub(p_b, scale(_half(s_b, k) if dot(axis, n).real > 0.0 else -_half(s_b, k), axis))
    a, b, d = axis_of(R_A, i), axis_of(R_B, j), sub(p_b, p_a)
    c = dot(a, b)
    t = (c * dot(a, d) - dot(b, d)) / (1.0 - c * c)
    on_b = add(p_b, scale(t, b))
    return sub(on_b, scale(gap, n)), on_b


@part
def _box_box(X_A, X_B, s_a, s_b, out):
    (R_A, p_a), (R_B, p_b) = X_A, X_B
    d = sub(p_b, p_a)
    best, kind, i_best, j_best = -math.inf, 0, 0, 0
    size = s_a[0] + s_a[1] + s_a[2] + s_b[0] + s_b[1] + s_b[2]
    for k in range(3):
        n = axis_of(R_A, k)
        gap = abs(dot(n, d).real) - _half(s_a, k) - _reach(R_B, s_b, n)
        if gap > best + SAME * size:
            best, kind, i_best = gap, 0, k
    for k in range(3):
        n = axis_of(R_B, k)
        gap = abs(dot(n, d).real) - _half(s_b, k) - _reach(R_A, s_a, n)
        if gap > best + SAME * size:
            best, kind, i_best = gap, 1, k
    for i in range(3):
        for j in range(3):
            n = cross(axis_of(R_A, i), axis_of(R_B, j))
            square = dot(n, n)
            if square.real > PARALLEL:
                n = scale(1.0 / sqrt(square), n)
                gap = abs(dot(n, d).real) - _reach(R_A, s_a, n) - _reach(R_B, s_b, n)
                if gap > best + PREFER_FACE * size:
                    best, kind, i_best, j_best = gap, 2, i, j
    count = 0
    if kind == 0:
        side = 1.0 if dot(axis_of(R_A, i_best), d).real > 0.0 else -1.0
        count = _faces(X_A, X_B, s_a, s_b, i_best, side, 1, out)
    elif kind == 1:
        side = -1.0 if dot(axis_of(R_B, i_best), d).real > 0.0 else 1.0
        count = _faces(X_B, X_A, s_b, s_a, i_best, side, 0, out)
    else:
        n = cross(axis_of(R_A, i_best), axis_of(R_B, j_best))
        along = 1.0 if dot(n, d).real > 0.0 else -1.0
        n = scale(along / sqrt(dot(n, n)), n)
        gap = dot(n, d)
        for k in range(3):
            c, e = dot(axis_of(R_A, k), n), dot(axis_of(R_B, k), n)
            gap = gap - _half(s_a, k) * (c if c.real > 0.0 else -c) - _half(s_b, k) * (e if e.real > 0.0 else -e)
        on_a, on_b = _edges(X_A, X_B, s_a, s_b, i_best, j_best, n, gap)
        _put(out, 0, gap, on_a, on_b, n)
        count = 1
    for k in range(count, POINTS):
        out[NUMBERS * k] = FAR


class BoxBox(ShapePair):
    """Up to eight points on a face, or one where two edges cross."""

    kind, first, second, points = "box_box", "box", "box", POINTS
    manifold = staticmethod(_box_box)
