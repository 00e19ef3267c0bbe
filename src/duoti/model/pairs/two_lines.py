"""Two straight sides: edges, and the sides of cylinders, that cross each other or lie along each other."""

from __future__ import annotations

from duoti.kernel import helper, part
from duoti.model.pairs.supports import BOX, CAPSULE, CYLINDER, sign_of
from duoti.spatial.algebra import add, cross, dot, mul, scale, sqrt, sub

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
