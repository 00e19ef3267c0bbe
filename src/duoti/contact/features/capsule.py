"""A capsule or a thin rod, and a box: ends, edges across it, corners at its side."""

from __future__ import annotations

from typing import Any

from duoti.contact.features.base import (
    ALONG,
    LOOSE,
    FeaturePair,
    corner_of,
    corner_on_face,
    crossing,
    edge_of,
    inside,
    least_half,
    looks,
    nothing_here,
)
from duoti.kernel import helper
from duoti.model.pairs.ball_pairs import SphereBox
from duoti.model.pairs.base import axis_of
from duoti.spatial.algebra import add, dot, scale, sqrt, sub

ENDS, POINTED, EDGES, CORNERS = 2, 12, 12, 8  # balls; ends of a rod on the six faces; edges; corners
_ball_box: Any = SphereBox.law


@helper
def _edge(X_A, X_B, s_a, s_b, k):
    """Edge k of the box across the capsule."""
    middle, e, length, n_1, n_2 = edge_of(X_B, s_b, k)
    square, x, y, distance, n = crossing(middle, e, X_A[1], axis_of(X_A[0], 2), n_1, n_2)
    if square.real < 0.5 * ALONG:
        return nothing_here(middle)
    gap, size = distance - s_a[0], least_half(s_b)
    hold = inside(min(length - abs(x.real), s_a[1] - abs(y.real)), gap.real)
    hold = min(hold, gap.real + 0.5 * size + s_a[0])
    facing = min(dot(n, n_1).real, dot(n, n_2).real) + LOOSE
    hold = min(hold, min(facing, square.real - ALONG) * size)
    on_a = sub(add(X_A[1], scale(y, axis_of(X_A[0], 2))), scale(s_a[0], n))
    return gap, on_a, add(middle, scale(x, e)), scale(-1.0, n), hold


@helper
def _corner(X_A, X_B, s_a, s_b, k):
    """Corner k of the box at the side of the capsule."""
    corner, axis = corner_of(X_B, s_b, k), axis_of(X_A[0], 2)
    d = sub(corner, X_A[1])
    z = dot(axis, d)
    across = sub(d, scale(z, axis))
    square = dot(across, across)
    if square.real < 1e-24 or s_a[0] == 0.0:
        return nothing_here(corner)
    distance = sqrt(square)
    n = scale(1.0 / distance, across)
    facing = looks(X_B[0], k, scale(-1.0, n)) + LOOSE
    hold = min(inside(s_a[1] - abs(z.real), distance.real - s_a[0]), facing * s_a[0])
    return distance - s_a[0], sub(corner, scale(distance - s_a[0], n)), corner, n, hold


@helper
def _capsule_box(X_A, X_B, s_a, s_b, k):
    end = 1.0 if k % 2 == 0 else -1.0
    p_end = add(X_A[1], scale(end * s_a[1], axis_of(X_A[0], 2)))
    if k < ENDS:
        gap, on_a, on_b, n = _ball_box((X_A[0], p_end), X_B, s_a, s_b, 0)
        return gap, on_a, on_b, n, s_a[0] if s_a[0] > 0.0 else -1.0
    k -= ENDS
    if k < POINTED:
        gap, on_face, m, hold = corner_on_face(p_end, X_B, s_b, k >> 1)
        facing = (-end * dot(axis_of(X_A[0], 2), m)).real + LOOSE
        hold = min(hold, facing * least_half(s_b))
        return gap, p_end, on_face, scale(-1.0, m), hold if s_a[0] == 0.0 else -1.0
    k -= POINTED
    if k < EDGES:
        return _edge(X_A, X_B, s_a, s_b, k)
    return _corner(X_A, X_B, s_a, s_b, k - EDGES)


class CapsuleBoxFeatures(FeaturePair):
    """Both ends, edges of the box across it, corners of the box at its side."""

    kind, first, second, points = "capsule_box_features", "capsule", "box", ENDS + POINTED + EDGES + CORNERS + 1
    law = staticmethod(_capsule_box)
