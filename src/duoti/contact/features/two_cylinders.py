"""Two cylinders, or a cylinder and a disc: rims on ends, rims across rims, sides on rims, and the two sides.

The side of a cylinder is that of a capsule (`capsule_cylinder`). Rims that cross where they touch are described by
points that are the nearest ones only there: that where one rim passes through the side of the other cylinder, and the
point of the other rim beside it. The normal, across both, is that of the contact; the distance along it and its rate
are right where it is zero.
"""

from __future__ import annotations

import math

from duoti.contact.features.base import ALONG, LOOSE, FeaturePair, end_of, inside, nothing_here
from duoti.contact.features.capsule_cylinder import FURTHEST, NEWTON_STEPS, SHORT, middle_of_chord, side_on_rim, sides
from duoti.kernel import helper
from duoti.model.pairs.base import axis_of
from duoti.spatial.algebra import add, cross, dot, scale, sqrt, sub

ON_ENDS = 20  # two rims, two ends, five points: of a on b, then of b on a
ACROSS = 16  # two rims of each, two places, two ways to look for them: through the side of b, then of a
ON_SIDES, CHORDS, SIDES = 8, 2, 1  # two rims, four places; two ends: of the side of a, then of b
FLAT = 1e-7  # inclination below which a rim has no lowest point
UPRIGHT, LEAN = 0.3, 0.1  # 1 - cosine of the angle between axes from which on a rim stands; overlap of the two ways
PLACES = 16  # of the lower half of a rim that are looked at
STEEP = 0.3  # least cosine between the normal of two rims and the axis along which they are apart


@helper
def _depth(s_a, s_b):
    """How deep a feature may be in another before it is on another side of it."""
    return 0.5 * min(min(s_a[0], s_b[0]), s_a[1] + s_b[1])


@helper
def _rim_on_end(X_A, X_B, s_a, s_b, rim, end, k):
    """The lowest point of a rim of a on an end of b (0), where it is not flat on it; four that stay where they are."""
    (centre_a, m_a), (centre_b, m) = end_of(X_A, s_a, rim), end_of(X_B, s_b, end)
    if rim == 1 and s_a[1] == 0.0:  # a disc has one rim
        return nothing_here(centre_a)
    axis, down, level = axis_of(X_A[0], 2), axis_of(X_A[0], 0 if k < 3 else 1), 1.0
    if k == 0:
        down = sub(scale(dot(m, axis), axis), m)
        square = dot(down, down)
        if square.real < FLAT * FLAT:
            return nothing_here(centre_a)
        level = sqrt(square).real - 2.0 * FLAT
        down = scale(1.0 / sqrt(square), down)
    point = add(centre_a, scale(s_a[0] if k == 0 or k & 1 else -s_a[0], down))
    d = sub(point, centre_b)
    gap = dot(m, d)
    across = sub(d, scale(gap, m))
    margin = (s_b[0] * s_b[0] - dot(across, across).real) / (2.0 * s_b[0])
    depth = _depth(s_a, s_b)
    hold = min(inside(margin, gap.real), min(gap.real + depth, level * s_a[0]))
    if s_a[1] > 0.0:
        hold = min(hold, (LOOSE - dot(m, m_a).real) * depth)
    return gap, point, sub(point, scale(gap, m)), scale(-1.0, m), hold


@helper
def _looks_out(n, m, out, half_length):
    """How far n is inside the normals of a rim: cosine of the angle to the worst of its sides."""
    facing = dot(n, out).real
    return min(facing, dot(n, m).real) if half_length > 0.0 else facing


@helper
def _as_if_flat(c, m, r_a, r_b, way):
    """From the centre of the rim of a to where it crosses that of b if both lie flat, and how far they do so.

    c: from the centre of the rim of b to that of a; m: axis of b.
    """
    flat_c = sub(c, scale(dot(c, m), m))
    square = dot(flat_c, flat_c)
    if square.real < 1e-12 * r_b * r_b:  # around each other
        return flat_c, -1.0
    length = sqrt(square)
    along = (square + r_b * r_b - r_a * r_a) / (2.0 * length)
    half = r_b * r_b - along * along
    if half.real <= 0.0:
        return flat_c, -1.0
    u = scale(1.0 / length, flat_c)
    begin = add(scale(along, u), scale(way * sqrt(half), cross(m, u)))
    short = SHORT * min(r_a, r_b)
    return sub(begin, flat_c), (half.real - short * short) / (2.0 * r_b * r_b)


@helper
def _on_lower_half(c, m_a, m_b, r_a, r_b, way, upright):
    """The same of a rim that stands: the first place from one end of its lower half where it passes the side of b."""
    if upright < UPRIGHT - LEAN:
        return c, -1.0
    level = cross(m_a, m_b)
    level = scale(way / sqrt(dot(level, level)), level)
    down = cross(m_a, level)
    if dot(down, m_b).real > 0.0:
        down = scale(-1.0, down)
    out, before, known = level, 0.0, -1.0
    for k in range(PLACES + 1):
        turn = math.pi * k / PLACES
        here = add(scale(math.cos(turn), level), scale(math.sin(turn), down))
        w = add(c, scale(r_a, here))
        w = sub(w, scale(dot(w, m_b), m_b))
        beyond = dot(w, w).real - r_b * r_b
        if known < 0.0 and k > 0 and beyond * before <= 0.0:
            back = 0.0 if before == beyond else math.pi / PLACES * beyond / (beyond - before)
            out, known = add(scale(math.cos(turn - back), level), scale(math.sin(turn - back), down)), 1.0
        before = beyond
    return out, known


@helper
def _rims_cross(X_A, X_B, s_a, s_b, rim_a, rim_b, steep, way):
    """A rim of a across a rim of b, by its point on the side of b; way: 1 or -1, which of two; steep: where to look."""
    (centre_a, m_a), (centre_b, m_b) = end_of(X_A, s_a, rim_a), end_of(X_B, s_b, rim_b)
    if (rim_a == 1 and s_a[1] == 0.0) or (rim_b == 1 and s_b[1] == 0.0):
        return nothing_here(centre_a)
    c = sub(centre_a, centre_b)
    upright = 1.0 - abs(dot(m_a, m_b).real)
    if steep == 0:
        begin, known = _as_if_flat(c, m_b, s_a[0], s_b[0], way)
        known = min(known, UPRIGHT + LEAN - upright)
    else:
        begin, known = _on_lower_half(c, m_a, m_b, s_a[0], s_b[0], way, upright)
        known = min(known, upright - UPRIGHT)
    out = sub(begin, scale(dot(begin, m_a), m_a))
    size = dot(out, out)
    if known < -LEAN or size.real < 1e-24:
        return nothing_here(centre_a)
    out = scale(1.0 / sqrt(size), out)
    w, wrong = c, 1.0
    for _ in range(NEWTON_STEPS):
        w = add(c, scale(s_a[0], out))
        w = sub(w, scale(dot(w, m_b), m_b))
        slope = 2.0 * s_a[0] * dot(w, cross(m_a, out))
        if abs(slope.real) < SHORT * s_a[0] * s_b[0]:
            return nothing_here(centre_a)
        step = (s_b[0] * s_b[0] - dot(w, w)) / slope
        wrong = abs(step.real)
        if wrong > FURTHEST:
            step = step * (FURTHEST / wrong)
        out = add(out, scale(step, cross(m_a, out)))
        out = scale(1.0 / sqrt(dot(out, out)), out)
    if wrong > 1e-6:
        return nothing_here(centre_a)
    w = add(c, scale(s_a[0], out))
    w = sub(w, scale(dot(w, m_b), m_b))
    out_b = scale(1.0 / sqrt(dot(w, w)), w)
    n = cross(cross(m_a, out), cross(m_b, out_b))
    square = dot(n, n)
    if square.real < ALONG:
        return nothing_here(centre_a)
    n = scale(1.0 / sqrt(square), n)
    if dot(n, add(m_b, out_b)).real < 0.0:
        n = scale(-1.0, n)
    on_a, on_b = add(centre_a, scale(s_a[0], out)), add(centre_b, scale(s_b[0], out_b))
    gap, depth = dot(n, sub(on_a, on_b)), _depth(s_a, s_b)
    facing = min(_looks_out(n, m_b, out_b, s_b[1]), _looks_out(scale(-1.0, n), m_a, out, s_a[1])) + LOOSE
    facing = min(facing, abs(dot(n, m_b).real) - STEEP)
    hold = min(known * s_b[0], min(facing * depth, gap.real + depth))
    return gap, on_a, on_b, scale(-1.0, n), hold


@helper
def _of_rims_and_side(X_A, X_B, s_a, s_b, k):
    """Features of the rims of a on ends of b, across its rims through its side, and of the side of a."""
    if k < ON_ENDS:
        return _rim_on_end(X_A, X_B, s_a, s_b, k // 10, (k // 5) & 1, k % 5)
    k -= ON_ENDS
    if k < ACROSS:
        return _rims_cross(X_A, X_B, s_a, s_b, k >> 3, (k >> 2) & 1, (k >> 1) & 1, 1.0 if k & 1 else -1.0)
    k -= ACROSS
    if s_a[1] == 0.0:  # a disc has no side
        return nothing_here(X_A[1])
    if k < ON_SIDES:
        return side_on_rim(X_A, X_B, s_a, s_b, k >> 2, k & 3)
    return middle_of_chord(X_A, X_B, s_a, s_b, k - ON_SIDES)


OF_EACH = ON_ENDS + ACROSS + ON_SIDES + CHORDS


@helper
def _cylinder_cylinder(X_A, X_B, s_a, s_b, k):
    if k < OF_EACH:
        return _of_rims_and_side(X_A, X_B, s_a, s_b, k)
    if k < 2 * OF_EACH:
        gap, on_b, on_a, n, hold = _of_rims_and_side(X_B, X_A, s_b, s_a, k - OF_EACH)
        return gap, on_a, on_b, scale(-1.0, n), hold
    return sides(X_A, X_B, s_a, s_b)


class TwoCylindersFeatures(FeaturePair):
    """Rims of each on ends, rims and the side of the other, and the two sides."""

    kind, first, second, points = "two_cylinders_features", "cylinder", "cylinder", 2 * OF_EACH + SIDES + 1
    law = staticmethod(_cylinder_cylinder)


class CylinderDiscFeatures(FeaturePair):
    """The same for a disc, which has no side."""

    kind, first, second, points = "cylinder_disc_features", "cylinder", "disc", TwoCylindersFeatures.points
    law = staticmethod(_cylinder_cylinder)
