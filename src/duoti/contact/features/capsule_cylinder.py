"""A capsule or a thin rod, and a cylinder or a disc: ends, the rims across it, the end below it, the two sides.

The point of a rim that is nearest to the axis of the capsule has no closed form. It is found by Newton's method on

    tau . w = 0,    w: from the axis to the point of the rim, across the axis;   tau: tangent of the rim          (1)

from a place nearby: where the axis, seen along that of the cylinder, passes the rim (two places, while it passes over
the end), the nearest place (while it passes beside the end), or where it passes through the plane of the rim (while it
is steep). By (1) the rate of the gap is that of the two points.
"""

from __future__ import annotations

from typing import Any

from duoti.contact.features.base import ALONG, LOOSE, FeaturePair, crossing, end_of, inside, nothing_here
from duoti.kernel import helper
from duoti.model.pairs.ball_pairs import SphereCylinder, SphereDisc
from duoti.model.pairs.base import axis_of
from duoti.spatial.algebra import add, cross, dot, scale, sqrt, sub

ENDS, ON_ENDS, ON_SIDE, RIMS, MIDDLES, SIDES = 2, 4, 2, 8, 2, 1
AHEAD, BEHIND, BESIDE, STEEPLY = range(4)  # places of a rim: two that the axis passes over; beside; through its plane
GIVE, GONE = 0.05, -1.0  # how far a place may be none before nothing is said of it; and that
SLANTED, STEEP = 0.8, 0.1  # sine of the angle between the axes: below SLANTED through the plane; above STEEP across it
SHORT = 0.01  # half length of a chord, as part of the radius: a shorter one is but its middle
BEYOND = 1e-6  # part of the radius by which the middle of a chord may be beyond the rim: there the rim takes over
APART = 1e3  # half lengths over a gap by which an end that does not touch is looked at
NEWTON_STEPS = 10
FURTHEST = 0.5  # rad in a step
FLAT = 1e-9  # least curvature of a nearest place, as part of that of the rim

_ball_cylinder: Any = SphereCylinder.law
_ball_disc: Any = SphereDisc.law


@helper
def _depth(s_a, s_b):
    """How deep a feature may be in another before it is on another side of it."""
    return 0.5 * min(s_b[0], s_a[0] + s_b[1])


@helper
def _end_is_nearest(way, n, gap, length):
    """Hold of an end (its direction is `way`) on a curved surface: no point of the axis is nearer.

    That counts where it touches. One that is apart is looked at in any case: an end that comes down while another point
    lies looks past the surface until it is there.
    """
    return length * dot(way, n).real + APART * max(gap.real, 0.0)


@helper
def _beginning(q, e, m, radius, place):
    """Where to look for the nearest place of a rim: a vector from its centre, and how far this place is one.

    q: from the centre of the rim to the middle of the axis, e: direction of the axis. GONE: it is none by far.
    """
    tilt, height = dot(e, m), dot(q, m)
    flat_q, flat_e = sub(q, scale(height, m)), sub(e, scale(tilt, m))
    square = dot(flat_e, flat_e)
    size = square.real**0.5
    if place == STEEPLY:
        if size > SLANTED + GIVE:
            return flat_q, GONE
        return sub(flat_q, scale(height / tilt, flat_e)), SLANTED - size
    if size < STEEP - GIVE:
        return flat_q, GONE
    foot = sub(flat_q, scale(dot(flat_q, flat_e) / square, flat_e))
    over = 1.0 - dot(foot, foot).real / (radius * radius)
    if place == BESIDE:
        return foot, min(size - STEEP, -0.5 * over - 0.5 * BEYOND)
    if over <= 0.0:
        return foot, GONE
    half = radius * (over / square.real) ** 0.5
    return add(foot, scale(half if place == AHEAD else -half, flat_e)), min(size - STEEP, 0.5 * (over - SHORT * SHORT))


@helper
def _nearest_of_rim(out, q, e, m, radius):
    """The nearest place (1) of a rim, from one nearby: unit vector, its tangent, and curvature (0 or less: none)."""
    curvature, tangent = -1.0, out
    for _ in range(NEWTON_STEPS):
        tangent = cross(m, out)
        w = sub(scale(radius, out), q)
        w = sub(w, scale(dot(w, e), e))
        along = dot(tangent, e)
        slope = radius * (1.0 - along * along) - dot(out, w)
        curvature = slope.real / radius
        if curvature < FLAT:
            return out, tangent, curvature
        step = -dot(tangent, w) / slope
        if abs(step.real) > FURTHEST:
            step = step * (FURTHEST / abs(step.real))
        out = add(out, scale(step, tangent))
        out = scale(1.0 / sqrt(dot(out, out)), out)
    return out, cross(m, out), curvature


@helper
def side_on_rim(X_A, X_B, s_a, s_b, end, place):
    """The side of a capsule, or of a cylinder, on a rim."""
    centre, m = end_of(X_B, s_b, end)
    if end == 1 and s_b[1] == 0.0:  # a disc has one rim
        return nothing_here(centre)
    p, e = X_A[1], axis_of(X_A[0], 2)
    q = sub(p, centre)
    begin, known = _beginning(q, e, m, s_b[0], place)
    square = dot(begin, begin)
    if known < -GIVE or square.real < 1e-24:
        return nothing_here(centre)
    out, tangent, curvature = _nearest_of_rim(scale(1.0 / sqrt(square), begin), q, e, m, s_b[0])
    if curvature < FLAT:
        return nothing_here(centre)
    on_rim = add(centre, scale(s_b[0], out))
    d = sub(on_rim, p)
    y = dot(d, e)
    w = sub(d, scale(y, e))  # from the axis to the rim
    n = w if s_a[0] > 0.0 else cross(tangent, e)
    square = dot(n, n)
    if square.real < (1e-24 if s_a[0] > 0.0 else ALONG):
        return nothing_here(centre)
    n = scale(1.0 / sqrt(square), n)
    if s_a[0] == 0.0 and dot(n, add(m, out)).real > 0.0:
        n = scale(-1.0, n)
    gap, depth = dot(n, w) - s_a[0], _depth(s_a, s_b)
    facing = -dot(n, out).real
    if s_b[1] > 0.0:
        facing = min(facing, -dot(n, m).real)
    hold = min(inside(s_a[1] - abs(y.real), gap.real), gap.real + depth)
    hold = min(hold, min((facing + LOOSE) * depth, known * s_b[0]))
    if place <= BEHIND:  # each of the two places is on its own half of the rim, of which the axis is the border
        ahead = dot(out, e).real
        hold = min(hold, ((ahead if place == AHEAD else -ahead) + BEYOND) * s_b[0])
    return gap, add(add(p, scale(y, e)), scale(s_a[0], n)), on_rim, n, hold


@helper
def middle_of_chord(X_A, X_B, s_a, s_b, end):
    """The middle of the chord that the axis is over an end: there while its rim is passed, and when they part."""
    centre, m = end_of(X_B, s_b, end)
    p, e = X_A[1], axis_of(X_A[0], 2)
    q, tilt = sub(p, centre), dot(e, m)
    if abs(tilt.real) > SLANTED:
        return nothing_here(centre)
    flat_q, flat_e = sub(q, scale(dot(q, m), m)), sub(e, scale(tilt, m))
    x = -dot(flat_q, flat_e) / dot(flat_e, flat_e)
    out = add(flat_q, scale(x, flat_e))
    height = dot(q, m) + x * tilt
    y = x - height * tilt  # of the point of the axis that is nearest to that on the end
    n = sub(scale(tilt, e), m)
    n = scale(1.0 / sqrt(dot(n, n)), n)
    gap, depth, radius = -height * dot(n, m) - s_a[0], _depth(s_a, s_b), s_b[0]
    margin = ((1.0 + 2.0 * BEYOND) * radius * radius - dot(out, out).real) / (2.0 * radius)
    hold = min(inside(min(margin, s_a[1] - abs(y.real)), gap.real), gap.real + depth)
    return gap, add(add(p, scale(y, e)), scale(s_a[0], n)), add(centre, out), n, hold


@helper
def sides(X_A, X_B, s_a, s_b):
    """Where the two sides cross."""
    d, axis, e = sub(X_A[1], X_B[1]), axis_of(X_B[0], 2), axis_of(X_A[0], 2)
    square, x, y, distance, n = crossing(X_B[1], axis, X_A[1], e, d, d)
    if square.real < 0.5 * ALONG:
        return nothing_here(X_B[1])
    gap = distance - s_a[0] - s_b[0]
    hold = min(inside(min(s_b[1] - abs(x.real), s_a[1] - abs(y.real)), gap.real), gap.real + 0.5 * s_b[0])
    hold = min(hold, (square.real - ALONG) * s_b[0])
    on_a = sub(add(X_A[1], scale(y, e)), scale(s_a[0], n))
    return gap, on_a, add(add(X_B[1], scale(x, axis)), scale(s_b[0], n)), scale(-1.0, n), hold


@helper
def _tip_on_end(p_tip, out_of_rod, X_B, s_b, end):
    """The tip of a thin rod on an end."""
    centre, m = end_of(X_B, s_b, end)
    d = sub(p_tip, centre)
    gap = dot(m, d)
    across = sub(d, scale(gap, m))
    margin = (s_b[0] * s_b[0] - dot(across, across).real) / (2.0 * s_b[0])
    facing = -dot(out_of_rod, m).real + LOOSE
    hold = min(inside(margin, gap.real), min(facing * s_b[0], gap.real + 0.5 * min(s_b[0], s_b[1])))
    return gap, p_tip, sub(p_tip, scale(gap, m)), scale(-1.0, m), hold


@helper
def _tip_on_side(p_tip, out_of_rod, X_B, s_b, length):
    """The tip of a thin rod on the side."""
    axis, d = axis_of(X_B[0], 2), sub(p_tip, X_B[1])
    z = dot(axis, d)
    across = sub(d, scale(z, axis))
    square = dot(across, across)
    if square.real < 1e-24:
        return nothing_here(p_tip)
    distance = sqrt(square)
    n = scale(1.0 / distance, across)
    gap = distance - s_b[0]
    hold = min(inside(s_b[1] - abs(z.real), gap.real), gap.real + 0.5 * s_b[0])
    hold = min(hold, _end_is_nearest(out_of_rod, scale(-1.0, n), gap, length))
    return gap, p_tip, sub(p_tip, scale(gap, n)), scale(-1.0, n), hold


@helper
def _beside_ends(X_A, X_B, s_a, s_b, k):
    """Features but those of rounded ends."""
    way = scale(1.0 if k % 2 == 0 else -1.0, axis_of(X_A[0], 2))
    p_tip = add(X_A[1], scale(s_a[1], way))
    if k < ON_ENDS + ON_SIDE:
        if s_a[0] > 0.0:
            return nothing_here(p_tip)
        if k < ON_ENDS:
            return _tip_on_end(p_tip, way, X_B, s_b, k >> 1)
        return _tip_on_side(p_tip, way, X_B, s_b, s_a[1])
    k -= ON_ENDS + ON_SIDE
    if k < RIMS:
        return side_on_rim(X_A, X_B, s_a, s_b, k >> 2, k & 3)
    k -= RIMS
    if k < MIDDLES:
        return middle_of_chord(X_A, X_B, s_a, s_b, k)
    return sides(X_A, X_B, s_a, s_b)


@helper
def _capsule_cylinder(X_A, X_B, s_a, s_b, k):
    if k >= ENDS:
        return _beside_ends(X_A, X_B, s_a, s_b, k - ENDS)
    way = scale(1.0 if k == 0 else -1.0, axis_of(X_A[0], 2))
    gap, on_a, on_b, n = _ball_cylinder((X_A[0], add(X_A[1], scale(s_a[1], way))), X_B, s_a, s_b, 0)
    return gap, on_a, on_b, n, _end_is_nearest(way, n, gap, s_a[1]) if s_a[0] > 0.0 else -1.0


@helper
def _capsule_disc(X_A, X_B, s_a, s_b, k):
    if k >= ENDS:
        return _beside_ends(X_A, X_B, s_a, s_b, k - ENDS)
    way = scale(1.0 if k == 0 else -1.0, axis_of(X_A[0], 2))
    gap, on_a, on_b, n = _ball_disc((X_A[0], add(X_A[1], scale(s_a[1], way))), X_B, s_a, s_b, 0)
    return gap, on_a, on_b, n, _end_is_nearest(way, n, gap, s_a[1])


class CapsuleCylinderFeatures(FeaturePair):
    """Both ends, the rims of the cylinder across it, its ends and its side."""

    kind, first, second = "capsule_cylinder_features", "capsule", "cylinder"
    points = ENDS + ON_ENDS + ON_SIDE + RIMS + MIDDLES + SIDES + 1
    law = staticmethod(_capsule_cylinder)


class CapsuleDiscFeatures(FeaturePair):
    """The same on a disc, which has no side."""

    kind, first, second, points = "capsule_disc_features", "capsule", "disc", CapsuleCylinderFeatures.points
    law = staticmethod(_capsule_disc)
