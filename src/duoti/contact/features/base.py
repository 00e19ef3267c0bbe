"""Pairs of features, for event-driven runs: what touches has an identity that lasts.

A feature pair is a corner on a face, two edges that cross, the rim of a cylinder on an edge, and so on. All that two
shapes have are slots of their own, so that none ever changes its meaning:

    law(X_A, X_B, s_a, s_b, k) -> (gap, p_a, p_b, n, hold)

As laws of `model.pairs.base`, and `hold` [m]: how far the point is inside what it touches, negative beyond its ends. A
gap is a smooth function of the poses, beyond the ends, too: where a closed point passes an end, this is an instant that
can be located, at which others take over. An open one is there only where `hold` is not negative. At least where the
gap is zero its rate is that of the two bodies along n.

Features may look past each other a little (LOOSE): a gap that will close must be seen before the sides are parallel.
Then bodies overlap nevertheless where such a gap is negative: the one passes through the other near the end of a side.
"""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.pairs.base import ShapePair, axis_of
from duoti.spatial.algebra import add, cross, dot, scale, sqrt, sub

LOOSE = 0.02  # sine of the angle by which a normal may look past an edge or corner
ALONG = 1e-6  # square of the sine of the angle between edges that count as parallel
NOWHERE = -1.0  # m: hold of a feature that is none
ON = 1e-9  # part of the size of a pair by which a closed point may be beyond its ends; half of that for open ones


class FeaturePair(ShapePair):
    """The feature pairs of two shapes; `points` is how many there are, and one for the shapes as a whole."""


@helper
def half(s, k):
    """Half the size of a box along its axis k."""
    return s[0] if k == 0 else s[1] if k == 1 else s[2]


@helper
def least_half(s):
    """Half of the smallest size of a box."""
    return min(s[0], min(s[1], s[2]))


@helper
def sign_of_bit(k, bit):
    """1 or -1."""
    return 1.0 if (k >> bit) & 1 else -1.0


@helper
def corner_of(X, s, k):
    """Corner k of a box, in the world."""
    R, p = X
    for i in range(3):
        p = add(p, scale(sign_of_bit(k, i) * half(s, i), axis_of(R, i)))
    return p


@helper
def looks(R, k, n):
    """How far n is inside the normals of corner k of a box: cosine of the angle to the worst of its faces."""
    least = 1.0
    for i in range(3):
        least = min(least, (sign_of_bit(k, i) * dot(axis_of(R, i), n)).real)
    return least


@helper
def edge_of(X, s, k):
    """Edge k of a box: its middle, direction, half length, and the outward normals of its two faces."""
    R, p = X
    along = k >> 2
    i, j = (along + 1) % 3, (along + 2) % 3
    n_1, n_2 = scale(sign_of_bit(k, 0), axis_of(R, i)), scale(sign_of_bit(k, 1), axis_of(R, j))
    middle = add(p, add(scale(half(s, i), n_1), scale(half(s, j), n_2)))
    return middle, axis_of(R, along), half(s, along), n_1, n_2


@helper
def end_of(X_B, s_b, k):
    """Centre of the rim k of a cylinder, and the outward normal of its end."""
    m = scale(1.0 if k == 0 else -1.0, axis_of(X_B[0], 2))
    return add(X_B[1], scale(s_b[1], m)), m


@helper
def nothing_here(p):
    """A feature pair that is none; p: any point, for its number type."""
    zero = 0.0 * p[0]
    return zero, p, p, (zero, zero, 1.0 + zero), NOWHERE


@helper
def inside(margin, gap):
    """Hold of a point that is by a margin inside the ends of its feature; deeper than that, it is on another one."""
    return min(margin, margin + gap)


@helper
def corner_on_face(corner, X, s, face):
    """A point on a face of a box: gap, the point on the face, outward normal of the face, and hold across the face."""
    R, p = X
    axis = face >> 1
    i, j = (axis + 1) % 3, (axis + 2) % 3
    m = scale(sign_of_bit(face, 0), axis_of(R, axis))
    d = sub(corner, p)
    gap = dot(m, d) - half(s, axis)
    x, y = dot(axis_of(R, i), d).real, dot(axis_of(R, j), d).real
    hold = inside(min(half(s, i) - abs(x), half(s, j) - abs(y)), gap.real)
    return gap, sub(corner, scale(gap, m)), m, min(hold, gap.real + half(s, axis))


@helper
def crossing(p_a, a, p_b, b, n_1, n_2):
    """Two lines through p_a along a and through p_b along b: where they are nearest to each other.

    (sine of their angle squared, places along a and b, distance, normal on the side of n_1 + n_2); unit vectors.
    """
    c = cross(a, b)
    square = dot(c, c)
    if square.real < 1e-12:
        zero = 0.0 * square
        return zero, zero, zero, zero, n_1
    n = scale(1.0 / sqrt(square), c)
    if dot(n, add(n_1, n_2)).real < 0.0:
        n = scale(-1.0, n)
    d, e = sub(p_b, p_a), dot(a, b)
    along_a, along_b = dot(a, d), dot(b, d)
    return square, (along_a - e * along_b) / square, (e * along_a - along_b) / square, dot(n, d), n
