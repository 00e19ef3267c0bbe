"""The rim of a disc on a half-space."""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.pairs.base import axis_of, on_plane
from duoti.spatial.algebra import add, cross, dot, scale, sqrt, sub

FLAT = 1e-24  # square of the sine of an inclination that counts as none


@helper
def rim_on_plane(X_A, R, centre, radius, k):
    """Point k of the rim about the axis z of R: the lowest (0), the highest (1), and those half way (2, 3).

    The lowest one is where the normal's part in the plane of the disc points to. A disc that lies flat has no lowest
    point: its own axes x and y then say which four are taken.
    """
    n, axis = axis_of(X_A[0], 2), axis_of(R, 2)
    down = sub(scale(dot(n, axis), axis), n)
    square = dot(down, down)
    if square.real > FLAT:
        down = scale(1.0 / sqrt(square), down)
    else:
        down = axis_of(R, 0)
    if k >= 2:
        down = cross(axis, down)
    return on_plane(X_A, add(centre, scale(radius if k % 2 == 0 else -radius, down)), 0.0)
