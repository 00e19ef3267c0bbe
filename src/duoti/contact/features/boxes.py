"""Two boxes: corners on faces, and edges that cross."""

from __future__ import annotations

from duoti.contact.features.base import (
    ALONG,
    LOOSE,
    FeaturePair,
    corner_of,
    corner_on_face,
    crossing,
    edge_of,
    half,
    inside,
    least_half,
    looks,
    nothing_here,
)
from duoti.kernel import helper
from duoti.spatial.algebra import add, dot, scale

CORNERS = 48  # eight corners on six faces, of b on a, then of a on b
EDGES = 144


@helper
def _corner(X_1, X_2, s_1, s_2, k):
    """Corner k // 6 of box 2 on face k % 6 of box 1: gap, the two points, normal from 1 to 2, hold."""
    number = k // 6
    corner = corner_of(X_2, s_2, number)
    gap, on_face, m, hold = corner_on_face(corner, X_1, s_1, k % 6)
    facing = looks(X_2[0], number, scale(-1.0, m)) + LOOSE
    return gap, on_face, corner, m, min(hold, facing * half(s_1, (k % 6) >> 1))


@helper
def _edges(X_A, X_B, s_a, s_b, i, j):
    p_a, a, half_a, n_1, n_2 = edge_of(X_A, s_a, i)
    p_b, b, half_b, m_1, m_2 = edge_of(X_B, s_b, j)
    square, x, y, gap, n = crossing(p_a, a, p_b, b, n_1, n_2)
    if square.real < 0.5 * ALONG:
        return nothing_here(p_a)
    size = min(least_half(s_a), least_half(s_b))
    hold = min(inside(min(half_a - abs(x.real), half_b - abs(y.real)), gap.real), gap.real + 0.5 * size)
    facing = min(min(dot(n, n_1).real, dot(n, n_2).real), min(-dot(n, m_1).real, -dot(n, m_2).real)) + LOOSE
    hold = min(hold, min(facing, square.real - ALONG) * size)
    return gap, add(p_a, scale(x, a)), add(p_b, scale(y, b)), n, hold


@helper
def _box_box(X_A, X_B, s_a, s_b, k):
    if k < CORNERS:
        return _corner(X_A, X_B, s_a, s_b, k)
    if k < 2 * CORNERS:
        gap, on_b, on_a, m, hold = _corner(X_B, X_A, s_b, s_a, k - CORNERS)
        return gap, on_a, on_b, scale(-1.0, m), hold
    k -= 2 * CORNERS
    return _edges(X_A, X_B, s_a, s_b, k // 12, k % 12)


class BoxBoxFeatures(FeaturePair):
    """Corners of each on faces of the other, and edges."""

    kind, first, second, points = "box_box_features", "box", "box", 2 * CORNERS + EDGES + 1
    law = staticmethod(_box_box)
