"""The rim of a disc on a half-space."""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.pairs.base import axis_of, on_plane
from duoti.spatial.algebra import add, cross, dot, scale, sqrt, sub

FLAT = 1e-24  # square of the sine of an inclination that counts as none


@helper
def down_of(X_A, R):
    """The part in the plane of the disc, whose axis is z of R, of what points into the half-space; its square."""
    n, axis = axis_of(X_A[0], 2), axis_of(R, 2)
    down = sub(scale(dot(n, axis), axis), n)
    return down, dot(down, down)


@helper
def rim_point(X_A, R, centre, radius, down, k):
    """Point k of the rim, with the direction to point 0, of length 1: see `rim_on_plane`."""
    if k >= 2:
        down = cross(axis_of(R, 2), down)
    return on_plane(X_A, add(centre, scale(radius if k % 2 == 0 else -radius, down)), 0.0)


@helper
def rim_on_plane(X_A, R, centre, radius, k):
    """Point k of the rim about the axis z of R: the lowest (0), the highest (1), and those half way (2, 3).

    The lowest one is where the normal's part in the plane of the disc points to. A disc that lies flat has no lowest
    point: its own axes x and y then say which four are taken.
    """
    down, square = down_of(X_A, R)
    if square.real > FLAT:
        down = scale(1.0 / sqrt(square), down)
    else:
        down = axis_of(R, 0)
    return rim_point(X_A, R, centre, radius, down, k)
