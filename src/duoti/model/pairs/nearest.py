"""The nearest points of two convex shapes, or the shortest way out of each other, by their support points.

Apart: the algorithm of Gilbert, Johnson & Keerthi (1988), which walks to the point of b - a that is nearest to the
origin. Overlapping, or as good as touching: the expanding polytope of van den Bergen (2001), here with signed
distances, so that it also ends well where the origin is just outside. All of it is in real numbers and in the frame of
a; `polish` makes curved surfaces exact, and differentiable.
"""

from __future__ import annotations

import math

from duoti.kernel import helper, part
from duoti.model.pairs.supports import DISC, TRIANGLE, difference, triangle_normal
from duoti.spatial.algebra import add, cross, dot, mul, scale, sub

VERTEX, MOST_VERTICES = 176, 72  # place in the scratch: nine numbers each, the point of b - a, of a and of b
FACE, MOST_FACES = VERTEX + 9 * MOST_VERTICES, 160  # three vertices, normal, distance, 1 if it is part of the surface
EDGE, MOST_EDGES = FACE + 8 * MOST_FACES, 160  # two vertices
MATRIX = EDGE + 2 * MOST_EDGES  # five rows of six numbers
POLYGONS = MATRIX + 40  # the rest: polygons
STEPS = 60  # of the walk
EXACT = 1e-14  # part of the distance that is no progress any more
# part of the size by which the polytope may be inside of b - a where it is nearest to the origin
POLYTOPE_CONVERGED = 1e-7
THIN = 1e-9  # height of a tetrahedron without volume, as part of an edge
TOUCH = 1e-7  # part of the size: nearer than that, the direction comes from the polytope


@helper
def _put(out, k, w, on_a, on_b):
    at = VERTEX + 9 * k
    for i in range(3):
        out[at + i], out[at + 3 + i], out[at + 6 + i] = w[i], on_a[i], on_b[i]


@helper
def _point(out, k):
    at = VERTEX + 9 * k
    return out[at].real, out[at + 1].real, out[at + 2].real


@helper
def mixed(out, i, j, k, weights, which):
    """Weighted mean of three vertices of b - a (0), of their points of a (1) or b (2)."""
    x, y, z = VERTEX + 9 * i + 3 * which, VERTEX + 9 * j + 3 * which, VERTEX + 9 * k + 3 * which
    l0, l1, l2 = weights
    return (
        l0 * out[x].real + l1 * out[y].real + l2 * out[z].real,
        l0 * out[x + 1].real + l1 * out[y + 1].real + l2 * out[z + 1].real,
        l0 * out[x + 2].real + l1 * out[y + 2].real + l2 * out[z + 2].real,
    )


@part
def on_segment(a, b):
    """Weights of the point of a segment nearest to the origin."""
    d = sub(b, a)
    square = dot(d, d)
    t = 0.0 if square <= 0.0 else min(max(-dot(a, d) / square, 0.0), 1.0)
    return 1.0 - t, t


@part
def on_triangle(a, b, c):
    """Weights of the point of a triangle nearest to the origin (Ericson 2005, section 5.1.5)."""
    ab, ac = sub(b, a), sub(c, a)
    d1, d2, d3, d4 = -dot(ab, a), -dot(ac, a), -dot(ab, b), -dot(ac, b)
    d5, d6 = -dot(ab, c), -dot(ac, c)
    if d1 <= 0.0 and d2 <= 0.0:
        return 1.0, 0.0, 0.0
    if d3 >= 0.0 and d4 <= d3:
        return 0.0, 1.0, 0.0
    if d6 >= 0.0 and d5 <= d6:
        return 0.0, 0.0, 1.0
    n = cross(ab, ac)  # areas from the normal, which cancels less than products of the above
    va, vb, vc = dot(n, cross(b, c)), dot(n, cross(c, a)), dot(n, cross(a, b))
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        t = d1 / (d1 - d3) if d1 - d3 > 0.0 else 0.0
        return 1.0 - t, t, 0.0
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        t = d2 / (d2 - d6) if d2 - d6 > 0.0 else 0.0
        return 1.0 - t, 0.0, t
    if va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        total = (d4 - d3) + (d5 - d6)
        t = (d4 - d3) / total if total > 0.0 else 0.0
        return 0.0, 1.0 - t, t
    total = va + vb + vc
    if total <= 0.0:
        return 1.0, 0.0, 0.0
    return va / total, vb / total, vc / total


@part
def _on_simplex(out, count):
    """Weights of the point of the simplex nearest to the origin; with four weights it is inside."""
    a, b = _point(out, 0), _point(out, 1 if count > 1 else 0)
    if count == 1:
        return 1.0, 0.0, 0.0, 0.0
    if count == 2:
        l0, l1 = on_segment(a, b)
        return l0, l1, 0.0, 0.0
    c = _point(out, 2)
    if count == 3:
        l0, l1, l2 = on_triangle(a, b, c)
        return l0, l1, l2, 0.0
    best = math.inf
    w0, w1, w2, w3 = 0.25, 0.25, 0.25, 0.25
    for left_out in range(4):
        i = 1 if left_out == 0 else 0
        j = 2 if left_out <= 1 else 1
        k = 3 if left_out <= 2 else 2
        a, b, c, other = _point(out, i), _point(out, j), _point(out, k), _point(out, left_out)
        n = cross(sub(b, a), sub(c, a))
        d = sub(other, a)
        side, own = dot(n, d), -dot(n, a)
        if side * own > 0.0 and side * side > THIN * THIN * dot(n, n) * dot(d, d):
            continue  # the origin is on the side of the fourth point
        l0, l1, l2 = on_triangle(a, b, c)
        p = add(scale(l0, a), add(scale(l1, b), scale(l2, c)))
        square = dot(p, p)
        if square < best:
            best = square
            w0 = 0.0 if left_out == 0 else l0
            w1 = 0.0 if left_out == 1 else (l0 if left_out == 0 else l1)
            w2 = 0.0 if left_out == 2 else (l2 if left_out == 3 else l1)
            w3 = 0.0 if left_out == 3 else l2
    return w0, w1, w2, w3


@part
def walk(hulls, R, p, s_a, s_b, size, out):
    """Gilbert, Johnson & Keerthi: returns (vertices of the simplex, its weights, distance); distance 0: they overlap.

    The simplex stands in the scratch; of four vertices, none is left where they overlap.
    """
    v = p if dot(p, p) > 0.0 else (1.0, 0.0, 0.0)
    w, on_a, on_b = difference(hulls, R, p, s_a, s_b, scale(-1.0, v), out)
    _put(out, 0, w, on_a, on_b)
    count, v = 1, w
    l0, l1, l2, l3 = 1.0, 0.0, 0.0, 0.0
    distance = dot(v, v) ** 0.5
    for _ in range(STEPS):
        if distance <= TOUCH * size:
            return count, (l0, l1, l2), 0.0
        w, on_a, on_b = difference(hulls, R, p, s_a, s_b, scale(-1.0 / distance, v), out)
        if dot(v, v) - dot(v, w) <= EXACT * dot(v, v):
            break
        known = False
        for k in range(count):
            d = sub(_point(out, k), w)
            known = known or dot(d, d) <= 0.0
        if known:
            break
        _put(out, count, w, on_a, on_b)
        l0, l1, l2, l3 = _on_simplex(out, count + 1)
        if count == 3 and l0 > 0.0 and l1 > 0.0 and l2 > 0.0 and l3 > 0.0:
            return 4, (l0, l1, l2), 0.0
        new = 0  # those with weight are kept, in order
        for k in range(count + 1):
            weight = l0 if k == 0 else l1 if k == 1 else l2 if k == 2 else l3
            if weight > 0.0:
                for i in range(9):
                    out[VERTEX + 9 * new + i] = out[VERTEX + 9 * k + i]
                l0 = weight if new == 0 else l0
                l1 = weight if new == 1 else l1
                l2 = weight if new == 2 else l2
                new += 1
        count = new
        l1, l2 = l1 if count > 1 else 0.0, l2 if count > 2 else 0.0
        v = mixed(out, 0, 1 if count > 1 else 0, 2 if count > 2 else 0, (l0, l1, l2), 0)
        then = dot(v, v) ** 0.5
        if then >= distance:
            distance = then
            break
        distance = then
    return count, (l0, l1, l2), distance


@part
def _grow(hulls, R, p, s_a, s_b, size, count, out):
    """Make a simplex with a volume of the one in the scratch; returns how many vertices it has."""
    if count == 4:
        a = _point(out, 0)
        n = cross(sub(_point(out, 1), a), sub(_point(out, 2), a))
        if abs(dot(n, sub(_point(out, 3), a))) > 1e-10 * size**3:
            return 4
        count = 3
    for k in range(26):
        if count == 4:
            break
        x, y, z = k % 3 - 1.0, (k // 3) % 3 - 1.0, (k // 9) % 3 - 1.0
        if count == 3:
            a = _point(out, 0)
            n = cross(sub(_point(out, 1), a), sub(_point(out, 2), a))
            length = dot(n, n) ** 0.5
            if length <= 1e-8 * size * size:
                count = 2
            else:
                side = (1.0 if k % 2 == 0 else -1.0) / length
                x, y, z = side * n[0], side * n[1], side * n[2]
        if x == 0.0 and y == 0.0 and z == 0.0:
            x = 1.0
        w, on_a, on_b = difference(hulls, R, p, s_a, s_b, (x, y, z), out)
        a = _point(out, 0)
        d, new = sub(w, a), False
        if count == 1:
            new = dot(d, d) > 1e-8 * size * size
        elif count == 2:
            n = cross(sub(_point(out, 1), a), d)
            new = dot(n, n) > 1e-14 * size**4
        else:
            n = cross(sub(_point(out, 1), a), sub(_point(out, 2), a))
            new = abs(dot(n, d)) > 1e-9 * size**3
        if new:
            _put(out, count, w, on_a, on_b)
            count += 1
    return count


@part
def _put_face(out, f, i, j, k):
    """Face f with its outward normal (counter-clockwise) and its distance from the origin."""
    a, b, c = _point(out, i), _point(out, j), _point(out, k)
    n = cross(sub(b, a), sub(c, a))
    length = dot(n, n) ** 0.5
    at = FACE + 8 * f
    out[at], out[at + 1], out[at + 2], out[at + 7] = 1.0 * i, 1.0 * j, 1.0 * k, 1.0
    if length <= 0.0:
        out[at + 3], out[at + 4], out[at + 5], out[at + 6] = 0.0, 0.0, 0.0, math.inf  # no area: it is never nearest
        return
    n = scale(1.0 / length, n)
    out[at + 3], out[at + 4], out[at + 5] = n
    out[at + 6] = max(dot(n, a), dot(n, b), dot(n, c))


@part
def expand(hulls, R, p, s_a, s_b, size, count, out):
    """Expanding polytope: returns (number of the face that is nearest, -1 if b - a has no volume)."""
    if _grow(hulls, R, p, s_a, s_b, size, count, out) < 4:
        return -1
    a = _point(out, 0)
    n = cross(sub(_point(out, 1), a), sub(_point(out, 2), a))
    if dot(n, sub(_point(out, 3), a)) > 0.0:  # turned, so that all normals point outward
        for i in range(9):
            x, y = out[VERTEX + 9 + i], out[VERTEX + 18 + i]
            out[VERTEX + 9 + i], out[VERTEX + 18 + i] = y, x
    _put_face(out, 0, 0, 1, 2)
    _put_face(out, 1, 0, 3, 1)
    _put_face(out, 2, 0, 2, 3)
    _put_face(out, 3, 1, 3, 2)
    vertices, faces, nearest = 4, 4, 0
    while True:
        best = math.inf
        for f in range(faces):
            if out[FACE + 8 * f + 7].real == 1.0 and out[FACE + 8 * f + 6].real < best:
                best, nearest = out[FACE + 8 * f + 6].real, f
        at = FACE + 8 * nearest
        n = (out[at + 3].real, out[at + 4].real, out[at + 5].real)
        w, on_a, on_b = difference(hulls, R, p, s_a, s_b, n, out)
        if dot(n, w) - best <= POLYTOPE_CONVERGED * size or vertices == MOST_VERTICES:
            return nearest
        edges = 0
        for f in range(faces):
            at = FACE + 8 * f
            if out[at + 7].real != 1.0:
                continue
            m = (out[at + 3].real, out[at + 4].real, out[at + 5].real)
            first = _point(out, int(out[at].real))
            if f != nearest and dot(m, sub(w, first)) <= 1e-12 * size:
                continue
            out[at + 7] = 0.0
            for i in range(3):
                u, v = out[at + i].real, out[at + (i + 1) % 3].real
                there = -1
                for e in range(edges):
                    if out[EDGE + 2 * e].real == v and out[EDGE + 2 * e + 1].real == u:
                        there = e
                if there >= 0:  # its other side goes as well
                    edges -= 1
                    out[EDGE + 2 * there], out[EDGE + 2 * there + 1] = out[EDGE + 2 * edges], out[EDGE + 2 * edges + 1]
                elif edges < MOST_EDGES:
                    out[EDGE + 2 * edges], out[EDGE + 2 * edges + 1] = u, v
                    edges += 1
        if edges == 0:
            return nearest
        _put(out, vertices, w, on_a, on_b)
        place = 0
        for e in range(edges):
            while place < faces and out[FACE + 8 * place + 7].real == 1.0:
                place += 1
            if place >= MOST_FACES:
                return nearest
            _put_face(out, place, int(out[EDGE + 2 * e].real), int(out[EDGE + 2 * e + 1].real), vertices)
            faces = max(faces, place + 1)
        vertices += 1


@part
def nearest_points(hulls, R, p, s_a, s_b, size, out):
    """(gap of the cores, point of a, point of b, normal from a to b), all in the frame of a."""
    count, weights, distance = walk(hulls, R, p, s_a, s_b, size, out)
    if distance > 0.0:
        j, k = 1 if count > 1 else 0, 2 if count > 2 else 0
        on_a, on_b = mixed(out, 0, j, k, weights, 1), mixed(out, 0, j, k, weights, 2)
        return distance, on_a, on_b, scale(1.0 / distance, mixed(out, 0, j, k, weights, 0))
    f = expand(hulls, R, p, s_a, s_b, size, count, out)
    if f < 0:  # two flat shapes in a plane
        n = (R[2], R[5], R[8]) if s_b[3] == DISC else (0.0, 0.0, 1.0)
        n = scale(1.0 if dot(n, p) >= 0.0 else -1.0, n)
        if s_b[3] == TRIANGLE:  # which is seen from outside
            n = scale(-1.0, mul(R, triangle_normal(out)))
        w, on_a, on_b = difference(hulls, R, p, s_a, s_b, scale(-1.0, n), out)
        return dot(n, w), on_a, on_b, n
    at = FACE + 8 * f
    i, j, k = int(out[at].real), int(out[at + 1].real), int(out[at + 2].real)
    n = (-out[at + 3].real, -out[at + 4].real, -out[at + 5].real)
    d = scale(-out[at + 6].real, n)
    weights = on_triangle(sub(_point(out, i), d), sub(_point(out, j), d), sub(_point(out, k), d))
    return -out[at + 6].real, mixed(out, i, j, k, weights, 1), mixed(out, i, j, k, weights, 2), n
