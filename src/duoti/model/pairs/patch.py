"""Points of two convex shapes that press on each other, with their shares in the stiffness of a compliant contact.

A compliant contact has its stiffness k in every corner of a face that presses (`plane_box`: four corners of a box on a
plane). Here points come and go as faces are cut off at each other, and forces must not jump when they do. So a corner
of the polygon that two faces have in common has the share

    w = turning angle / 90°                                                                                  (1)

of k, and all of them four: a corner that is cut off becomes two corners that share its turning angle, in the same place
at first, and two that meet become one. The ends
of a line have the share 1, which fades out where two lines cross at an angle. A corner that comes out of the other
shape has lost its depth before. Few flat corners (two edges that cross) would be softer than the deepest point alone,
as on a sphere. So the energy of a patch is, with its deepest point d_0 and x = sum w_i d_i² / d_0²,

    U = k/2 d_0² F(x),    F = x from x = 1 on, constant up to x = X1, a parabola between with the same slopes      (2)

and its derivatives are the forces: corners have the shares w_i F', the deepest point has F - x F'.

All depths are seen along one normal n, but a corner that slides along a face does not work against it, whatever n is.
So the force of a point is along the direction across which its gap is: that of the face that a corner is on, or that of
both edges where two cross; and the gap is the distance in this direction. (The deepest point of a rim, which is one of
its corners, may be on an edge or a rim: n is across both of them.) With (2) the forces are then minus the slopes
of the energy, but for terms of the square of the depths (how shares and n change with the pose).

A corner of a polyhedron on a half-space has the share of its angle deficit, which is a right angle for a box: the
corners of a finely divided ball have none to speak of, and by (2) it is about as stiff as a ball.
"""

from __future__ import annotations

import math

import numpy as np

from duoti.kernel import helper, part
from duoti.model.pairs.base import NUMBERS, ShapePair, axis_of
from duoti.model.pairs.convex import SIDES, common_points, nearest_of_two
from duoti.model.pairs.facing import ALONG, END, corner, normal_of
from duoti.model.pairs.hull_kernels import relative
from duoti.model.pairs.nearest import POLYGONS
from duoti.model.pairs.supports import CAPSULE, CYLINDER, DISC, length_of, real3
from duoti.model.pairs.triangles import ROOM as TRIANGLE_ROOM
from duoti.spatial.algebra import add, cross, dot, get3, mul, mulT, scale, sqrt, sub

POINTS = 32
WIDTH = NUMBERS + 2  # numbers of a point: as in a manifold, its share, and its energy as part of share times the law's
GROUPS = 48  # numbers behind the points, of `soft_triangles`
RIGHT = 0.5 * math.pi
ONE = 1e-9  # part of the size: corners nearer than that are one
ALIKE = 1e-3  # sine of the angle between two edges that have no direction across them
OF_P, OF_Q, OF_BOTH = range(3)  # whose corner a point is: of one side, or where edges of both cross
STRAIGHT = 1e-20  # square of the sine of a turning angle that is none
X1 = 0.9  # see (2)
SMOOTH = 0.05  # share of a corner of a polyhedron that is no corner any more


@helper
def stash(hulls):
    """Where the points stand in the scratch: behind the polygons, and what triangles need."""
    return POLYGONS + 12 * (SIDES + hulls.corners) + TRIANGLE_ROOM


def room_of(corners: int) -> int:
    """Numbers of the scratch, with hulls that need room for polygons of so many corners."""
    return POLYGONS + 12 * (SIDES + corners) + TRIANGLE_ROOM + WIDTH * POINTS + GROUPS


@helper
def put_soft(out, at, k, gap, p_a, p_b, n, share):
    """Point k of those that begin at `at`."""
    here = at + WIDTH * k
    out[here], out[here + NUMBERS], out[here + NUMBERS + 1] = gap, share, 1.0
    for i in range(3):
        out[here + 1 + i], out[here + 4 + i], out[here + 7 + i] = p_a[i], p_b[i], n[i]


@helper
def _angle(s, c):
    """The angle of sine s and cosine c; of complex numbers to first order."""
    return math.atan2(s.real, c.real) + (c.real * (s - s.real) - s.real * (c - c.real))


@helper
def floor_of(x):
    """F and its derivative, see (2)."""
    if x.real >= 1.0:
        return x, 1.0 + 0.0 * x
    if x.real <= X1:
        return 0.5 * (1.0 + X1) + 0.0 * x, 0.0 * x
    return 0.5 * (1.0 + X1) + (x - X1) * (x - X1) / (2.0 * (1.0 - X1)), (x - X1) / (1.0 - X1)


@part
def put_shares(out, at, count):
    """Make shares of the corners, points 1 to `count` - 1, shares (2); that of the deepest, point 0, is left."""
    deepest, covered = out[at], 0.0 * out[at]
    if count == 1 or deepest.real >= 0.0:
        out[at + NUMBERS] = 1.0
        return
    for k in range(1, count):
        here = at + WIDTH * k
        if out[here].real < 0.0:
            covered = covered + out[here + NUMBERS] * out[here] * out[here]
    x = covered / (deepest * deepest)
    F, slope = floor_of(x)
    for k in range(1, count):
        out[at + WIDTH * k + NUMBERS] = slope * out[at + WIDTH * k + NUMBERS]
    out[at + NUMBERS] = F - x * slope


@part
def turning_share(x, y, z):
    """The share (1) of the corner y between x and z."""
    d, e = sub(y, x), sub(z, y)
    product = dot(d, d) * dot(e, e)
    c = cross(d, e)
    square = dot(c, c) / product
    if square.real <= STRAIGHT:
        return 0.0 * square
    return _angle(sqrt(square), dot(d, e) / sqrt(product)) / RIGHT


@part
def _apart(out, first, second, count, n, size):
    """Of corners that are one, seen along n, keep the first; of too many, every second one. Returns how many."""
    kept = 0
    for i in range(count):
        x = corner(out, first + 3 * i)
        new = True
        for j in range(kept):
            d = sub(x, corner(out, first + 3 * j))
            across = sub(d, scale(dot(d, n), n))
            new = new and dot(across, across).real > (ONE * size) ** 2
        if new:
            for k in range(3):
                out[first + 3 * kept + k], out[second + 3 * kept + k] = out[first + 3 * i + k], out[second + 3 * i + k]
            kept += 1
    while kept > POINTS - 1:
        kept = (kept + 1) // 2
        for i in range(kept):
            for k in range(3):
                out[first + 3 * i + k], out[second + 3 * i + k] = out[first + 6 * i + k], out[second + 6 * i + k]
    return kept


@part
def _corner_at(out, at, count, x, n, size):
    """The corner of a side that is at x, seen along n; or -1 minus the first one of the edge that x is on."""
    best, edge = math.inf, 0
    for i in range(count):
        a = real3(corner(out, at + 3 * i))
        d, e = sub(x, a), sub(real3(corner(out, at + 3 * ((i + 1) % count))), a)
        d, e = sub(d, scale(dot(d, n), n)), sub(e, scale(dot(e, n), n))
        if dot(d, d) <= (ONE * size) ** 2:
            return i
        square = dot(e, e)
        c = cross(d, e)
        t = dot(d, e)
        if square > 0.0 and -ONE * size * square**0.5 <= t <= square + ONE * size * square**0.5:
            away = dot(c, c) / square
            if away < best:
                best, edge = away, i
    return -1 - edge


@helper
def _unit(x, n):
    """x with unit length, on the side of n."""
    length = sqrt(dot(x, x))
    return scale((-1.0 if dot(x, n).real < 0.0 else 1.0) / length, x)


@part
def _across(out, at_p, count_p, at_q, count_q, x, y, n, size):
    """The direction across which the gap of the common point x of side p and y of side q is, and whose corner it is."""
    if count_p < 3 or count_q < 3:
        return n, OF_BOTH
    i = _corner_at(out, at_p, count_p, real3(x), real3(n), size)
    if i >= 0:
        return _unit(normal_of(out, at_q, count_q, n), n), OF_P
    j = _corner_at(out, at_q, count_q, real3(y), real3(n), size)
    if j >= 0:
        return _unit(normal_of(out, at_p, count_p, n), n), OF_Q
    i, j = -1 - i, -1 - j
    e = _unit(sub(corner(out, at_p + 3 * ((i + 1) % count_p)), corner(out, at_p + 3 * i)), n)
    f = _unit(sub(corner(out, at_q + 3 * ((j + 1) % count_q)), corner(out, at_q + 3 * j)), n)
    c = cross(e, f)
    c = scale(-1.0 if dot(c, n).real < 0.0 else 1.0, c)
    return _unit(add(c, scale(ALIKE, n)), n), OF_BOTH


@helper
def _is_line(s, u):
    """True if the side of a shape that faces along u (its frame) is a line."""
    return s[3] == CAPSULE or (s[3] == CYLINDER and abs(u[2].real) <= END)


@part
def _line_share(R, s_a, s_b, n):
    """Share of the ends of a common line: less than 1 where it is of two lines at an angle."""
    if not (_is_line(s_a, n) and _is_line(s_b, mulT(R, n))):
        return 1.0 + 0.0 * n[0]
    c = cross((0.0, 0.0, 1.0), axis_of(R, 2))
    left = 1.0 - dot(c, c) / (ALONG * ALONG)
    return left if left.real > 0.0 else 0.0 * left


@part
def soft_convex(hulls, X_A, X_B, s_a, s_b, out):
    """Write the points of two convex shapes from `stash` on, the nearest first; returns how many there are."""
    R, p = relative(X_A, X_B)
    size, most, at = length_of(hulls, s_a) + length_of(hulls, s_b), SIDES + hulls.corners, stash(hulls)
    gap, on_a, on_b, n = nearest_of_two(hulls, R, p, s_a, s_b, size, out)
    R_A, origin = X_A
    normal = mul(R_A, n)
    count, swapped, count_p, count_q = 0, 0, 0, 0
    if gap.real < 0.0:
        count, swapped, count_p, count_q = common_points(hulls, R, p, s_a, s_b, n, most, np.int64(0), size, out)
    first, second = POLYGONS + 6 * most, POLYGONS + 9 * most
    count = _apart(out, first, second, max(count, 0), n, size)
    end_share = _line_share(R, s_a, s_b, n)
    round_side = CYLINDER <= s_a[3] <= DISC or CYLINDER <= s_b[3] <= DISC
    for i in range(count if count > 1 else 0):
        x, y = corner(out, first + 3 * i), corner(out, second + 3 * i)
        across, owner = _across(out, POLYGONS, count_p, POLYGONS + 3 * most, count_q, x, y, n, size)
        away = cross(sub(x, on_a), n)
        if round_side and dot(away, away).real <= (ONE * size) ** 2:
            across, owner = n, OF_BOTH
        share = end_share
        if count > 2:  # the angle of a corner is that in its own face
            before, after = first + 3 * ((i + count - 1) % count), first + 3 * ((i + 1) % count)
            of_p = turning_share(corner(out, before), x, corner(out, after))
            before, after = before - first + second, after - first + second
            of_q = turning_share(corner(out, before), y, corner(out, after))
            share = of_p if owner == OF_P else of_q if owner == OF_Q else 0.5 * (of_p + of_q)
        keeps_y = owner == OF_Q
        if swapped == 1:
            x, y, keeps_y = y, x, not keeps_y
        here = dot(across, sub(y, x))
        if keeps_y:
            x = sub(y, scale(here, across))
        else:
            y = add(x, scale(here, across))
        x, y = add(origin, mul(R_A, x)), add(origin, mul(R_A, y))
        put_soft(out, at, 1 + i, here, x, y, mul(R_A, across), share)
    put_soft(out, at, 0, gap, add(origin, mul(R_A, on_a)), add(origin, mul(R_A, on_b)), normal, 1.0 + 0.0 * gap)
    count = 1 + (count if count > 1 else 0)
    put_shares(out, at, count)
    return count


@part
def _deficit(hulls, h, v):
    """2 pi less the angles of the faces of hull h at its vertex v."""
    total, here = 2.0 * math.pi, get3(hulls.vertex, v, 0)
    for f in range(hulls.range[h, 2], hulls.range[h, 3]):
        begin, end = hulls.loop_first[f], hulls.loop_first[f + 1]
        if abs(dot(get3(hulls.normal, f, 0), here) - hulls.offset[f]) > ONE * hulls.reach[h]:
            continue
        for i in range(begin, end):
            if hulls.loop[i] == v:
                x = sub(get3(hulls.vertex, hulls.loop[i - 1 if i > begin else end - 1], 0), here)
                y = sub(get3(hulls.vertex, hulls.loop[i + 1 if i + 1 < end else begin], 0), here)
                c = cross(x, y)
                total -= math.atan2(dot(c, c) ** 0.5, dot(x, y))
    return total


@part
def soft_plane_hull(hulls, X_A, X_B, s_a, s_b, out):
    """The corners of a hull below a half-space's surface, the lowest one first."""
    h, at = int(s_b[0]), stash(hulls)
    (R_A, p_a), (R_B, p_b) = X_A, X_B
    n = axis_of(R_A, 2)
    n_h, base = mulT(R_B, n), dot(n, sub(p_b, p_a))
    lowest, deepest = math.inf, hulls.range[h, 0]
    for v in range(hulls.range[h, 0], hulls.range[h, 1]):
        height = (base + dot(n_h, get3(hulls.vertex, v, 0))).real
        if height < lowest:
            lowest, deepest = height, v
    count = 1
    gap = base + dot(n_h, get3(hulls.vertex, deepest, 0))
    for v in range(hulls.range[h, 0], hulls.range[h, 1]):
        x = get3(hulls.vertex, v, 0)
        here = base + dot(n_h, x)
        if here.real >= 0.0 or count >= POINTS:
            continue
        share = min(_deficit(hulls, h, v) / RIGHT, 1.0)
        if share < SMOOTH:
            continue
        p = add(p_b, mul(R_B, x))
        put_soft(out, at, count, here, sub(p, scale(here, n)), p, n, share)
        count += 1
    p = add(p_b, mul(R_B, get3(hulls.vertex, deepest, 0)))
    put_soft(out, at, 0, gap, sub(p, scale(gap, n)), p, n, 1.0)
    put_shares(out, at, count)
    return count


class SoftPair(ShapePair):
    """A pair of a compliant contact whose points have shares: `manifold` returns how many there are."""

    points = POINTS
    rates = False


class SoftConvex(SoftPair):
    """Two convex shapes of any kind."""

    kind, first, second = "soft_convex", "convex", "convex"
    hulls = ("mesh", "cone")
    manifold = staticmethod(soft_convex)


class SoftPlaneMesh(SoftPair):
    """A half-space and the hull of a mesh."""

    kind, first, second = "soft_plane_mesh", "plane", "convex mesh"
    hulls = ("mesh", "triangles")
    manifold = staticmethod(soft_plane_hull)
