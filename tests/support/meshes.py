"""Mesh files for tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial import ConvexHull

CUBE = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
"""Corners of a cube with edges of 1."""


def write_obj(path: Path, points: np.ndarray) -> str:
    """A closed mesh of the convex hull of points; returns its name."""
    hull = ConvexHull(points)
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in points.tolist()]
    for (a, b, c), plane in zip(hull.simplices, hull.equations, strict=True):
        out = np.dot(np.cross(points[b] - points[a], points[c] - points[a]), plane[:3]) > 0
        lines.append("f " + " ".join(str(k + 1) for k in ((a, b, c) if out else (a, c, b))))
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def write_triangles(path: Path, triangles: np.ndarray) -> str:
    """Triangles [n, 3, 3] as they are; returns the file's name."""
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in triangles.reshape(-1, 3).tolist()]
    lines += [f"f {3 * k + 1} {3 * k + 2} {3 * k + 3}" for k in range(len(triangles))]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def patches(points: np.ndarray) -> np.ndarray:
    """Two triangles for each cell of a grid of points [n, m, 3]; seen from n x m."""
    a, b, c, d = points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]
    return np.concatenate([np.stack(each, -2).reshape(-1, 3, 3) for each in ((a, b, c), (a, c, d))])


def terrain(height: Callable[..., Any], cells: int, half: float) -> np.ndarray:
    """Triangles of z = height(x, y) on a square of side 2 half, seen from above."""
    x, y = np.meshgrid(*2 * [np.linspace(-half, half, cells + 1)], indexing="ij")
    return patches(np.stack([x, y, height(x, y) + 0.0 * x], axis=-1))


def ring(radius: float, thickness: float, cells: int) -> np.ndarray:
    """A torus about z, seen from outside; `thickness` is the radius of its tube."""
    u, v = np.meshgrid(*2 * [np.linspace(0.0, 2.0 * np.pi, cells + 1)], indexing="ij")
    r = radius + thickness * np.cos(v)
    return patches(np.stack([r * np.cos(u), r * np.sin(u), thickness * np.sin(v)], axis=-1))
