"""A box, and a cylinder or a disc: points of the rims on faces, rims across edges, side and ends on edges and corners.

A rim and an edge that cross where they touch are described by points that are the nearest ones only there: those where
the edge passes through the side of the cylinder (or, along the axis, through the plane of the rim). The normal, across
both, is that of the contact; the distance along it and its rate are right where it is zero.
"""

from __future__ import annotations

from duoti.contact.features.base import (
    ALONG,
    LOOSE,
    FeaturePair,
    corner_of,
    corner_on_face,
    crossing,
    edge_of,
    end_of,
    inside,
    least_half,
    looks,
    nothing_here,
)
from duoti.kernel import helper
from duoti.model.pairs.base import axis_of
from duoti.spatial.algebra import add, cross, dot, scale, sqrt, sub

RIMS = 60  # six faces, two rims, five points
FLAT = 1e-7  # inclination below which a rim has no lowest point
CENTRAL = 1e-9  # part of the radius: an edge so near to the centre is beside no place of the rim
THROUGH = 48  # twelve edges, two rims, two places
BESIDE = 24  # twelve edges, two rims
SIDES, CORNERS, ENDS, CHORDS = 12, 8, 16, 24
ACROSS = 0.3  # least cosine between the normal of a rim on an edge and the way between the two points
SHORT = 0.01  # half length of a chord, as part of the radius
SLANTED, STEEP = 0.8, 0.1  # cosine of the angle between axis and edge: below, through the side; above, beside


@helper
def _depth(s_a, s_b):
    """How deep a feature may be in another before it is on another side of it."""
    return 0.5 * min(least_half(s_a), s_b[0])


@helper
def _rim_on_face(X_A, X_B, s_a, s_b, face, end, k):
    """The lowest point of a rim (0), where it is not flat on the face; and four that stay where they are on it."""
    centre, _ = end_of(X_B, s_b, end)
    if end == 1 and s_b[1] == 0.0:  # a disc has one rim
        return nothing_here(centre)
    axis, down = axis_of(X_B[0], 2), axis_of(X_B[0], 0 if k < 3 else 1)
    level = 1.0
    if k == 0:
        up = scale(1.0 if face & 1 else -1.0, axis_of(X_A[0], face >> 1))
        down = sub(scale(dot(up, axis), axis), up)
        square = dot(down, down)
        if square.real < FLAT * FLAT:
            return nothing_here(centre)
        level = sqrt(square).real - 2.0 * FLAT
        down = scale(1.0 / sqrt(square), down)
    point = add(centre, scale(s_b[0] if k == 0 or k & 1 else -s_b[0], down))
    gap, on_face, n, hold = corner_on_face(point, X_A, s_a, face)
    return gap, on_face, point, n, min(hold, level * s_b[0])


@helper
def _rim_on_edge(X_A, X_B, s_a, s_b, number, end, root):
    """Edge and rim that cross; root: 1 or -1, which of the places where the edge passes the side; 0: the plane."""
    middle, e, length, n_1, n_2 = edge_of(X_A, s_a, number)
    centre, m = end_of(X_B, s_b, end)
    if end == 1 and s_b[1] == 0.0:  # a disc has one rim
        return nothing_here(middle)
    d, axis = sub(middle, centre), axis_of(X_B[0], 2)
    along, tilt = dot(d, axis), dot(e, axis)
    q, w = sub(d, scale(along, axis)), sub(e, scale(tilt, axis))
    radius, hold = s_b[0], length
    if root == 0:
        if abs(tilt.real) < STEEP:
            return nothing_here(middle)
        x = -along / tilt
    else:
        ww, qw = dot(w, w), dot(q, w)
        square = qw * qw - ww * (dot(q, q) - radius * radius)
        if abs(tilt.real) > SLANTED or square.real <= 0.0:
            return nothing_here(middle)
        x = (root * sqrt(square) - qw) / ww
        short = SHORT * radius  # a chord so short is but its middle
        hold = min(hold, (square.real / ww.real - short * short) / (2.0 * short) + abs(x.real))
    out = add(q, scale(x, w))
    size = sqrt(dot(out, out))
    if size.real < CENTRAL * radius:  # the edge passes through the centre: no place of the rim is nearest to it
        return nothing_here(middle)
    out = scale(1.0 / size, out)
    n = cross(cross(axis, out), e)
    square = dot(n, n)
    if square.real < ALONG:
        return nothing_here(middle)
    n = scale(1.0 / sqrt(square), n)
    if dot(n, add(n_1, n_2)).real < 0.0:
        n = scale(-1.0, n)
    on_a, on_b = add(middle, scale(x, e)), add(centre, scale(radius, out))
    gap = dot(n, sub(on_b, on_a))
    facing = min(min(dot(n, n_1).real, dot(n, n_2).real), -dot(n, out).real)
    if s_b[1] > 0.0:
        facing = min(facing, -dot(n, m).real)
    across = dot(n, out).real if root == 0 else dot(n, axis).real  # part of the way between the two points along n
    facing = min(facing, abs(across) - ACROSS)
    depth = _depth(s_a, s_b)
    hold = min(inside(hold - abs(x.real), gap.real), min((facing + LOOSE) * depth, gap.real + depth))
    return gap, on_a, on_b, n, hold


@helper
def _end_on_edge(X_A, X_B, s_a, s_b, number, end):
    """The middle of the chord that an edge is in an end: there while rim and edge cross, and when they part."""
    middle, e, length, n_1, n_2 = edge_of(X_A, s_a, number)
    centre, m = end_of(X_B, s_b, end)
    d, tilt = sub(middle, centre), dot(e, m)
    if abs(tilt.real) > SLANTED:
        return nothing_here(middle)
    q, w = sub(d, scale(dot(d, m), m)), sub(e, scale(tilt, m))
    x = -dot(q, w) / dot(w, w)
    on_a, out = add(middle, scale(x, e)), add(q, scale(x, w))
    height = dot(sub(on_a, centre), m)
    n = sub(scale(tilt, e), m)
    n = scale(1.0 / sqrt(dot(n, n)), n)
    gap, depth = -height * dot(n, m), _depth(s_a, s_b)
    if s_b[1] > 0.0:
        depth = min(depth, s_b[1])
    margin = min((s_b[0] * s_b[0] - dot(out, out).real) / (2.0 * s_b[0]), length - abs(x.real))
    facing = min(dot(n, n_1).real, dot(n, n_2).real) + LOOSE
    hold = min(inside(margin, gap.real), min(facing * depth, gap.real + depth))
    return gap, on_a, sub(on_a, scale(height, m)), n, hold


@helper
def _side_on_edge(X_A, X_B, s_a, s_b, number):
    middle, e, length, n_1, n_2 = edge_of(X_A, s_a, number)
    axis = axis_of(X_B[0], 2)
    square, x, y, distance, n = crossing(middle, e, X_B[1], axis, n_1, n_2)
    if square.real < 0.5 * ALONG:
        return nothing_here(middle)
    gap, depth = distance - s_b[0], _depth(s_a, s_b)
    facing = min(min(dot(n, n_1).real, dot(n, n_2).real) + LOOSE, square.real - ALONG)
    margin = min(length - abs(x.real), s_b[1] - abs(y.real))
    hold = min(inside(margin, gap.real), min(facing * depth, gap.real + depth))
    return gap, add(middle, scale(x, e)), sub(add(X_B[1], scale(y, axis)), scale(s_b[0], n)), n, hold


@helper
def _side_on_corner(X_A, X_B, s_a, s_b, k):
    corner, axis = corner_of(X_A, s_a, k), axis_of(X_B[0], 2)
    d = sub(X_B[1], corner)
    z = dot(axis, d)
    across = sub(d, scale(z, axis))
    square = dot(across, across)
    if square.real < 1e-24:
        return nothing_here(corner)
    distance = sqrt(square)
    n = scale(1.0 / distance, across)
    gap, depth = distance - s_b[0], _depth(s_a, s_b)
    facing = looks(X_A[0], k, n) + LOOSE
    hold = min(inside(s_b[1] - abs(z.real), gap.real), min(facing * depth, gap.real + depth))
    return gap, corner, add(corner, scale(gap, n)), n, hold


@helper
def _end_on_corner(X_A, X_B, s_a, s_b, k, end):
    corner = corner_of(X_A, s_a, k)
    centre, m = end_of(X_B, s_b, end)
    d = sub(corner, centre)
    gap = dot(m, d)
    across = sub(d, scale(gap, m))
    n, depth = scale(-1.0, m), _depth(s_a, s_b)
    if s_b[1] > 0.0:
        depth = min(depth, s_b[1])
    facing = looks(X_A[0], k, n) + LOOSE
    margin = (s_b[0] * s_b[0] - dot(across, across).real) / (2.0 * s_b[0])
    hold = min(inside(margin, gap.real), min(facing * depth, gap.real + depth))
    return gap, corner, sub(corner, scale(gap, m)), n, hold


@helper
def _box_cylinder(X_A, X_B, s_a, s_b, k):
    if k < RIMS:
        return _rim_on_face(X_A, X_B, s_a, s_b, k // 10, (k // 5) & 1, k % 5)
    k -= RIMS
    if k < THROUGH:
        return _rim_on_edge(X_A, X_B, s_a, s_b, k >> 2, (k >> 1) & 1, 1 if k & 1 else -1)
    k -= THROUGH
    if k < BESIDE:
        return _rim_on_edge(X_A, X_B, s_a, s_b, k >> 1, k & 1, 0)
    k -= BESIDE
    if k < SIDES:
        return _side_on_edge(X_A, X_B, s_a, s_b, k)
    k -= SIDES
    if k < CORNERS:
        return _side_on_corner(X_A, X_B, s_a, s_b, k)
    k -= CORNERS
    if k < ENDS:
        return _end_on_corner(X_A, X_B, s_a, s_b, k >> 1, k & 1)
    k -= ENDS
    return _end_on_edge(X_A, X_B, s_a, s_b, k >> 1, k & 1)


class BoxCylinderFeatures(FeaturePair):
    """Rims, side and ends of a cylinder on faces, edges and corners of a box."""

    kind, first, second = "box_cylinder_features", "box", "cylinder"
    points = RIMS + THROUGH + BESIDE + SIDES + CORNERS + ENDS + CHORDS + 1
    law = staticmethod(_box_cylinder)


class BoxDiscFeatures(FeaturePair):
    """The same for a disc, which has no side."""

    kind, first, second, points = "box_disc_features", "box", "disc", BoxCylinderFeatures.points
    law = staticmethod(_box_cylinder)
