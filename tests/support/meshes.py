"""Mesh files for tests."""

from __future__ import annotations

from pathlib import Path

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
