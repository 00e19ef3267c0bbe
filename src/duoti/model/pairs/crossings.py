"""Where the rim of a cylinder or disc crosses the side of another shape: corners of its polygon, which are exact there.

The end of a cylinder is an octagon (`facing`). What it has in common with another side would end inside of the rim;
with these corners it ends on it. Seen along the normal n, with centre c, radius r and axes x, y of the end, an edge
from a to b is at a + k (b - a) on the rim where |a + k (b - a)| = r in these axes; another rim is there where

    |d| x = (d² + r² - r_other²) / 2,    d: from c to its centre                                               (1)
"""

from __future__ import annotations

import math

from duoti.kernel import helper, part
from duoti.model.pairs.facing import ROUND, corner, is_round, put_corner
from duoti.model.pairs.supports import real3
from duoti.spatial.algebra import add, cross, dot, scale, sqrt, sub

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
