"""From nearly nearest points of two convex shapes to exact ones that can be differentiated.

Near the solution a shape is a point that depends on the normal (a corner: not at all; a rim; an ellipsoid), and up to
two straight directions along which the point is free (an edge, the side of a cylinder: one; a face: two). With the
outward normal n of a, points p_a(n) + t_a d_a and p_b(-n) + t_b d_b, the common normal obeys

    p_b + t_b d_b - p_a - t_a d_a = gap n,     n . n = 1,     n . d = 0                                       (1)

A face gives n at once, two lines by their product; the rest is Newton's method in (n, gap, t). A step with complex
numbers from the solution differentiates it.
"""

from __future__ import annotations

from duoti.kernel import helper, part
from duoti.model.pairs.nearest import MATRIX, POLYTOPE_CONVERGED
from duoti.model.pairs.supports import (
    BOX,
    CAPSULE,
    CORNERS,
    CYLINDER,
    DISC,
    HULL,
    SMOOTH,
    TRIANGLE,
    difference,
    radial,
    real3,
    real9,
    sign_of,
    triangle_normal,
)
from duoti.model.shapes import smooth_point, smooth_slope
from duoti.spatial.algebra import add, cross, dot, get3, mul, mulT, scale, sqrt, sub

POINT, LINE = range(2)  # how many directions a point is free in
PARALLEL = 1e-9  # sine of the angle between lines without a common normal
ALONG = 1e-3  # the same of lines that may touch at the end of one of them


@part
def two_lines(R, p, s_a, s_b, x_a, x_b, line_a, line_b, n0):
    """Common normal of two lines that are not parallel, with their radii if they are sides of cylinders."""
    d_b = mul(R, line_b)
    c = cross(line_a, d_b)
    square = dot(c, c)
    n = scale(sign_of(dot(c, n0)) / sqrt(square), c)
    on_a, on_b = add(x_a, scale(0.0, n)), add(p, mul(R, x_b))
    if s_a[3] == CYLINDER:
        on_a = scale(s_a[0], n)
    if s_b[3] == CYLINDER:
        on_b = sub(p, scale(s_b[0], n))
    d = sub(on_b, on_a)
    gap = dot(n, d)
    along = dot(cross(d, d_b), c) / square
    at_a = add(on_a, scale(along, line_a))
    return gap, at_a, add(at_a, scale(gap, n)), n


@helper
def _line(s, x, line):
    """Middle, half the length, and radius, of a straight side of a shape through x; or x alone, of others."""
    if s[3] == CYLINDER:
        return (0.0, 0.0, 0.0), s[1], s[0]
    if s[3] == CAPSULE:
        return (0.0, 0.0, 0.0), s[1], 0.0
    if s[3] == BOX:
        half = abs(line[0]) * s[0] + abs(line[1]) * s[1] + abs(line[2]) * s[2]
        return sub(x, scale(dot(line, x), line)), half, 0.0
    return x, 0.0, 0.0


@part
def at_an_end(R, p, s_a, s_b, x_a, x_b, line_a, line_b, n0):
    """Two lines along each other touch where one of them ends; lines and points in the frames of their shapes (real).

    Returns what is free, the points, and a normal and a gap to begin with; both free: they are lines without ends.
    """
    m_a, l_a, r_a = _line(s_a, x_a, line_a)
    m, l_b, r_b = _line(s_b, x_b, line_b)
    m_b, d_b = add(p, mul(R, m)), mul(R, line_b)
    way = 1.0 if dot(line_a, d_b) >= 0.0 else -1.0
    middle = dot(line_a, sub(m_b, m_a))  # of b, along a
    free_a, free_b, at_a, at_b = LINE, LINE, x_a, x_b
    n, gap = n0, 1e300
    for k in range(2):
        side = 1.0 if k == 0 else -1.0
        of_a = l_a <= side * middle + l_b  # the common part ends with a
        along_b = way * (side * l_a - middle) if of_a else way * side * l_b
        on_b = add(m_b, scale(along_b, d_b))
        d = sub(on_b, m_a)
        d = sub(d, scale(dot(line_a, d), line_a))
        distance = dot(d, d) ** 0.5
        if dot(d, n0) < 0.0:
            distance = -distance
        if abs(distance) > 0.0 and distance - r_a - r_b < gap:
            gap, n = distance - r_a - r_b, scale(1.0 / distance, d)
            free_a, free_b = (POINT, LINE) if of_a else (LINE, POINT)
            at_a = add(m_a, scale(side * l_a, line_a)) if of_a else m_a
            at_b = m if of_a else add(m, scale(along_b, line_b))
    return free_a, free_b, at_a, at_b, n, gap


INSIDE = 1e-7  # part of a length by which a point must be away from its end to be between
LOOSE, STRICT = 3e-3, 1e-7  # sine of an angle that counts as none, at the first and at the second attempt
ITERATIONS = 12
STILL = 1e-9  # change of a normal, by a step from the solution, that is round-off; more: the matrix is singular there
AGREES = 1e-10  # part of the size by which the gap may differ from that of the supports
PLANE = 2


@part
def _on_hull(hulls, h, u, x, flat):
    """Free directions of the point x of a hull, seen along u: how many, and the first line."""
    reach, most = hulls.reach[h], -2.0
    for f in range(hulls.range[h, 2], hulls.range[h, 3]):
        most = max(most, dot(get3(hulls.normal, f, 0), u))
    if most > 1.0 - 0.5 * flat * flat:
        return PLANE, (1.0, 0.0, 0.0)
    for e in range(hulls.range[h, 4], hulls.range[h, 5]):
        a, b = get3(hulls.vertex, hulls.edge[e, 0], 0), get3(hulls.vertex, hulls.edge[e, 1], 0)
        d = sub(b, a)
        square = dot(d, d)
        t = dot(d, sub(x, a)) / square
        away = sub(x, add(a, scale(t, d)))
        if INSIDE < t < 1.0 - INSIDE and dot(away, away) <= (INSIDE * reach) ** 2 and abs(dot(u, d)) <= flat * reach:
            return LINE, scale(1.0 / square**0.5, d)
    return POINT, (1.0, 0.0, 0.0)


@helper
def _facing_normal(out, u):
    """Unit normal of the triangle in the scratch, on the side of u."""
    n = triangle_normal(out)
    return scale(sign_of(dot(n, u)), n)


@part
def _on_triangle(u, x, flat, out):
    """As `_on_hull`, of the triangle in the scratch."""
    if dot(_facing_normal(out, u), u) > 1.0 - 0.5 * flat * flat:
        return PLANE, (1.0, 0.0, 0.0)
    for e in range(3):
        i, j = CORNERS + 3 * e, CORNERS + 3 * ((e + 1) % 3)
        a = real3((out[i], out[i + 1], out[i + 2]))
        d = sub(real3((out[j], out[j + 1], out[j + 2])), a)
        square = dot(d, d)
        t = dot(d, sub(x, a)) / square
        away = sub(x, add(a, scale(t, d)))
        if INSIDE < t < 1.0 - INSIDE and dot(away, away) <= INSIDE**2 * square and dot(u, d) ** 2 <= flat**2 * square:
            return LINE, scale(1.0 / square**0.5, d)
    return POINT, (1.0, 0.0, 0.0)


@part
def _free(hulls, s, u, x, flat, out):
    """Of the point x of a shape, with outward normal u there (real, in its frame): free directions, and the line."""
    code, z = s[3], (0.0, 0.0, 1.0)
    if code == HULL:
        return _on_hull(hulls, int(s[0]), u, x, flat)
    if code == TRIANGLE:
        return _on_triangle(u, x, flat, out)
    if code == CAPSULE:
        return (LINE, z) if abs(x[2]) < s[1] * (1.0 - INSIDE) else (POINT, z)
    if code == BOX:
        if max(abs(u[0]), abs(u[1]), abs(u[2])) > 1.0 - 0.5 * flat * flat:
            return PLANE, z
        if abs(x[0]) < s[0] * (1.0 - INSIDE) and abs(u[0]) < flat:
            return LINE, (1.0, 0.0, 0.0)
        if abs(x[1]) < s[1] * (1.0 - INSIDE) and abs(u[1]) < flat:
            return LINE, (0.0, 1.0, 0.0)
        return (LINE, z) if abs(x[2]) < s[2] * (1.0 - INSIDE) and abs(u[2]) < flat else (POINT, z)
    if CYLINDER <= code <= DISC:
        if abs(u[2]) > 1.0 - 0.5 * flat * flat:
            return PLANE, z
        return (LINE, z) if abs(x[2]) < s[1] * (1.0 - INSIDE) and abs(u[2]) < flat else (POINT, z)
    return POINT, z


@helper
def _core(s, u, x, free):
    """p(u) of a shape in its frame: the point x itself, or one that depends on u; a line begins at its middle."""
    code, zero = s[3], 0.0 * u[0]
    if CYLINDER <= code <= DISC:
        e, _ = radial(u)
        return s[0] * e[0], s[0] * e[1], (zero if free == LINE else sign_of(u[2]) * s[1] + zero)
    if code >= SMOOTH:
        return smooth_point(code - SMOOTH, s, u)
    return x[0] + zero, x[1] + zero, x[2] + zero


@helper
def _slope(s, u, k):
    """Column k of dp/du of a shape in its frame."""
    code, zero = s[3], 0.0 * u[0]
    if CYLINDER <= code <= DISC:
        e, length = radial(u)
        if k == 2 or length.real == 0.0:
            return zero, zero, zero
        along = e[0] if k == 0 else e[1]
        fraction = s[0] / length
        return (
            fraction * ((1.0 if k == 0 else 0.0) - along * e[0]),
            fraction * ((1.0 if k == 1 else 0.0) - along * e[1]),
            zero,
        )
    if code >= SMOOTH:
        return smooth_slope(code - SMOOTH, s, u, k)
    return zero, zero, zero


@part
def _solve(out, n):
    """Gauss elimination of the matrix in the scratch, right-hand side in column 5; returns 0 if it is singular."""
    for c in range(n):
        pivot, most = c, 0.0
        for r in range(c, n):
            x = abs(out[MATRIX + 6 * r + c].real)
            if x > most:
                pivot, most = r, x
        if most <= 1e-13:
            return 0
        for k in range(6):
            x, y = out[MATRIX + 6 * c + k], out[MATRIX + 6 * pivot + k]
            out[MATRIX + 6 * c + k], out[MATRIX + 6 * pivot + k] = y, x
        for r in range(n):
            if r != c:
                factor = out[MATRIX + 6 * r + c] / out[MATRIX + 6 * c + c]
                for k in range(c, 6):
                    out[MATRIX + 6 * r + k] -= factor * out[MATRIX + 6 * c + k]
    for r in range(n):
        out[MATRIX + 6 * r + 5] = out[MATRIX + 6 * r + 5] / out[MATRIX + 6 * r + r]
    return 1


@helper
def _row(R, c):
    """Row c of a rotation."""
    if c == 0:
        return R[0], R[1], R[2]
    if c == 1:
        return R[3], R[4], R[5]
    return R[6], R[7], R[8]


@part
def _newton(R, p, s_a, s_b, x_a, x_b, free_a, free_b, line, size, n, gap, t, out):
    """One step of Newton's method for (1), at most one line: changes of n, gap, t, and their size (-1: singular).

    x_a, x_b: points in the frames of their shapes; line in the frame of a.
    """
    u_b = scale(-1.0, mulT(R, n))
    on_a = _core(s_a, n, x_a, free_a)
    on_b = add(p, mul(R, _core(s_b, u_b, x_b, free_b)))
    side = -1.0 if free_a == LINE else 1.0
    lines = 1 if free_a == LINE or free_b == LINE else 0
    F = sub(sub(add(on_b, scale(side * t * lines, line)), on_a), scale(gap, n))
    for c in range(3):
        col_a = _slope(s_a, n, c)
        r = _row(R, c)  # dp_b/dn = -R (dp_b/du) R^T
        local = add(
            add(scale(r[0], _slope(s_b, u_b, 0)), scale(r[1], _slope(s_b, u_b, 1))), scale(r[2], _slope(s_b, u_b, 2))
        )
        col_b = mul(R, local)
        for i in range(3):
            out[MATRIX + 6 * i + c] = -(col_a[i] + col_b[i]) / size - (gap / size if i == c else 0.0)
        out[MATRIX + 18 + c] = n[c]
        out[MATRIX + 24 + c] = line[c] + 0.0 * n[c]
    for i in range(3):
        out[MATRIX + 6 * i + 3] = -n[i]
        out[MATRIX + 6 * i + 4] = side * line[i] + 0.0 * n[i]
        out[MATRIX + 6 * i + 5] = -F[i] / size
    for i in range(3, 5):
        out[MATRIX + 6 * i + 3] = 0.0
        out[MATRIX + 6 * i + 4] = 0.0
    out[MATRIX + 18 + 5] = 0.5 * (1.0 - dot(n, n))
    out[MATRIX + 24 + 5] = -dot(n, line)
    if _solve(out, 4 + lines) == 0:
        return n, gap, t, -1.0
    dn = (out[MATRIX + 5] + 0.0 * n[0], out[MATRIX + 11] + 0.0 * n[0], out[MATRIX + 17] + 0.0 * n[0])
    d_gap = out[MATRIX + 23] * size + 0.0 * n[0]
    d_t = out[MATRIX + 29] * size * lines + 0.0 * n[0]
    change = abs(dn[0].real) + abs(dn[1].real) + abs(dn[2].real) + abs(d_gap.real) / size
    return dn, d_gap, d_t, change


@part
def _exact_normal(hulls, s, u, out):
    """The normal of the face of a shape that u is that of, but for round-off, in its frame."""
    if s[3] == HULL:
        h = int(s[0])
        most, found = -2.0, hulls.range[h, 2]
        for f in range(hulls.range[h, 2], hulls.range[h, 3]):
            along = dot(get3(hulls.normal, f, 0), u)
            if along > most:
                most, found = along, f
        return get3(hulls.normal, found, 0)
    if s[3] == TRIANGLE:
        return _facing_normal(out, u)
    return 1.0 * round(u[0]), 1.0 * round(u[1]), 1.0 * round(u[2])


@part
def _against_plane(s, u, x, free):
    """The point of a shape that touches a plane with the normal -u first, in its frame; x: where it was found."""
    core = _core(s, u, x, free)
    if free == LINE and CYLINDER <= s[3] <= DISC:
        return core[0], core[1], core[2] + x[2]
    if free == PLANE:
        zero = 0.0 * u[0]
        return x[0] + zero, x[1] + zero, x[2] + zero
    return core


@part
def _held(R, p, x_a, x_b, n0):
    """With a normal that moves with a: points and gap as they were found."""
    zero = 0.0 * (p[0] + R[0])
    n = (n0[0] + zero, n0[1] + zero, n0[2] + zero)
    on_b = add(p, mul(R, x_b))
    on_a = (x_a[0] + zero, x_a[1] + zero, x_a[2] + zero)
    return dot(n, sub(on_b, on_a)), on_a, on_b, n


@part
def _attempt(hulls, R, p, s_a, s_b, size, found, flat, first, out):
    """The solution of (1) with the free directions that angles below `flat` suggest, which may be none.

    first: of two faces, 0 to take the normal of a, 1 that of b; of two lines along each other, 0 for the end of one, 1
    for where they cross. The last that is returned is 1 if there are two faces, 2 if there are two such lines.
    """
    gap0, x_a, at_b, n0 = found
    R0, p0 = real9(R), real3(p)
    x_b, u_b = mulT(R0, sub(at_b, p0)), scale(-1.0, mulT(R0, n0))
    free_a, line_a = _free(hulls, s_a, n0, x_a, flat, out)
    free_b, line_b = _free(hulls, s_b, u_b, x_b, flat, out)
    zero = 0.0 * (p[0] + R[0])
    two = 1 if free_a == PLANE and free_b == PLANE else 0
    if free_a == PLANE and two * first == 0:
        m = _exact_normal(hulls, s_a, n0, out)
        n = (m[0] + zero, m[1] + zero, m[2] + zero)
        on_b = add(p, mul(R, _against_plane(s_b, scale(-1.0, mulT(R, n)), x_b, free_b)))
        gap = dot(n, sub(on_b, x_a))
        return gap, sub(on_b, scale(gap, n)), on_b, n, two
    if free_b == PLANE:
        n = scale(-1.0, mul(R, _exact_normal(hulls, s_b, u_b, out)))
        on_a = _against_plane(s_a, n, x_a, free_a)
        gap = dot(n, sub(add(p, mul(R, x_b)), on_a))
        return gap, on_a, add(on_a, scale(gap, n)), n, two
    n, gap, t, change = n0, gap0, 0.0, 1.0
    if free_a == LINE and free_b == LINE:
        c = cross(line_a, mul(R0, line_b))
        two = 2 if dot(c, c) <= ALONG * ALONG else 0
        if two == 2 and first == 0:
            free_a, free_b, x_a, x_b, n, gap = at_an_end(R0, p0, s_a, s_b, x_a, x_b, line_a, line_b, n0)
    if free_a == LINE and free_b == LINE:
        c = cross(line_a, mul(R0, line_b))
        if dot(c, c) > PARALLEL * PARALLEL:
            gap, on_a, on_b, n = two_lines(R, p, s_a, s_b, x_a, x_b, line_a, line_b, n0)
        else:
            gap, on_a, on_b, n = _held(R, p, x_a, x_b, n0)
        return gap, on_a, on_b, n, two
    line = line_a if free_a == LINE else mul(R0, line_b)
    for _ in range(ITERATIONS):
        dn, d_gap, d_t, change = _newton(R0, p0, s_a, s_b, x_a, x_b, free_a, free_b, line, size, n, gap, t, out)
        if not 0.0 <= change < 0.5:
            break
        n, gap, t = add(n, real3(dn)), gap + d_gap.real, t + d_t.real
        if change <= 1e-14:
            break
    if not 0.0 <= change <= 1e-12:
        gap, on_a, on_b, n = _held(R, p, x_a, x_b, n0)
        return gap, on_a, on_b, n, two
    wide = (n[0] + zero, n[1] + zero, n[2] + zero)
    moved = line_a if free_a == LINE else line_b
    wide_line = (moved[0] + zero, moved[1] + zero, moved[2] + zero) if free_a == LINE else mul(R, moved)
    dn, d_gap, d_t, change = _newton(
        R, p, s_a, s_b, x_a, x_b, free_a, free_b, wide_line, size, wide, gap + zero, t + zero, out
    )
    if not 0.0 <= change <= STILL:
        gap, on_a, on_b, n = _held(R, p, x_a, x_b, n0)
        return gap, on_a, on_b, n, two
    n_then, gap_then, t_then = add(wide, dn), gap + d_gap, t + d_t
    on_a = _core(s_a, n_then, x_a, free_a)
    if free_a == LINE:
        on_a = add(on_a, scale(t_then, wide_line))
    return gap_then, on_a, add(on_a, scale(gap_then, n_then)), n_then, two


@part
def polish(hulls, R, p, s_a, s_b, size, found, out):
    """(gap, point of a, point of b, normal) of two cores, exact; `found`: the same from `nearest_points`, real.

    What is between the supports along any normal is a gap that the true one, the largest of all, is not less than. So
    of the attempts whose gap is that of the supports the one with the largest is taken: of two faces that nearly lie on
    each other, the one that the other shape is outside of, also where an edge of it is between them. The normal found
    is kept, as it moves with a, where all attempts have less than it.
    """
    gap0, x_a, at_b, n0 = found
    R0, p0 = real9(R), real3(p)
    w, _, _ = difference(hulls, R0, p0, s_a, s_b, scale(-1.0, n0), out)
    best, two, taken = dot(n0, w) - AGREES * size, 0, False
    gap, on_a, on_b, n = _held(R, p, x_a, mulT(R0, sub(at_b, p0)), n0)
    for k in range(3):
        if k == 1 and two == 0:
            continue  # there is no second face, or line
        flat, first = LOOSE if k < 2 else STRICT, 1 if k == 1 else 0
        gap_k, on_a_k, on_b_k, n_k, two_k = _attempt(hulls, R, p, s_a, s_b, size, found, flat, first, out)
        two = two_k if k == 0 else two
        m = real3(n_k)
        w, _, _ = difference(hulls, R0, p0, s_a, s_b, scale(-1.0, m), out)
        more = dot(m, w) - gap_k.real
        if two_k == 1 and abs(more) <= POLYTOPE_CONVERGED * size:  # points of a face are found with this error
            gap_k, on_b_k, more = gap_k + more, add(on_b_k, scale(more, n_k)), 0.0
        if abs(more) <= AGREES * size and gap_k.real >= best:
            best, gap, on_a, on_b, n, taken = gap_k.real, gap_k, on_a_k, on_b_k, n_k, True
        if taken and best >= gap0 - AGREES * size and (k > 0 or two != 1):
            break  # no gap is larger than the distance of the points found
    return gap, on_a, on_b, n
