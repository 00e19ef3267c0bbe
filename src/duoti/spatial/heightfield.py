"""The triangles of a height field."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from duoti.spatial.shape import Shape


def heightfield_triangles(shape: Shape) -> NDArray[np.float64]:
    """Triangles [n, 3, 3] of `Shape.heightfield`, counter-clockwise from above.

    The diagonal of a cell is from (x, y) to (x + dx, y + dy), as MuJoCo has it.
    """
    heights = np.array(shape.profile, dtype=float)
    n, m = heights.shape
    half = 0.5 * np.array([shape["size_x"], shape["size_y"]])
    x, y = np.meshgrid(np.linspace(-half[0], half[0], n), np.linspace(-half[1], half[1], m), indexing="ij")
    points = np.stack([x, y, heights], axis=-1)
    a, b, c, d = points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]
    return np.concatenate([np.stack(each, axis=-2).reshape(-1, 3, 3) for each in ((a, b, c), (a, c, d))])
