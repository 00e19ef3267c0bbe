"""Smooth convex shapes that touch: one file each, discovered, so that a new one is a new file and nothing else."""

from __future__ import annotations

from duoti.kernel import cold_kernel, fold, helper
from duoti.model.discovery import discover
from duoti.model.shapes.base import SmoothShape

SMOOTH_SHAPES: dict[str, type[SmoothShape]] = discover(__name__, __path__, SmoothShape)
"""All smooth convex shapes by name."""

_ALL = list(SMOOTH_SHAPES.values())


@helper
def _nowhere(s, u):
    return 0.0 * u[0], 0.0 * u[0], 0.0 * u[0]


@helper
def _no_slope(s, u, k):
    return 0.0 * u[0], 0.0 * u[0], 0.0 * u[0]


smooth_support = fold([cls.support or cls.point for cls in _ALL], _nowhere)
smooth_point = fold([cls.point for cls in _ALL], _nowhere)
smooth_slope = fold([cls.slope for cls in _ALL], _no_slope)
"""Of the shape with a number, its place in `SMOOTH_SHAPES`: `smooth_point(number, s, u)`, see `base`."""


@cold_kernel("i d1 d2 d2")
def surface_points(number, sizes, normals, points):
    """Points of a surface with these outward normals, for drawing."""
    s = (sizes[0], sizes[1], sizes[2])
    for i in range(normals.shape[0]):
        p = smooth_support(number, s, (normals[i, 0], normals[i, 1], normals[i, 2]))
        points[i, 0], points[i, 1], points[i, 2] = p[0], p[1], p[2]


__all__ = ["SMOOTH_SHAPES", "SmoothShape", "smooth_point", "smooth_slope", "smooth_support", "surface_points"]
