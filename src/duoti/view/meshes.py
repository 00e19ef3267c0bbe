"""Triangles of mesh files for the page."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.formats.mesh import MeshError, read_mesh
from duoti.spatial import Shape

Array = NDArray[np.float64]
MOST_TRIANGLES = 200_000  # of one mesh; a page with more would be slow to open and to draw


def load_mesh(shape: Shape, folders: Sequence[Path] | None = None) -> tuple[dict[str, str], Array, Array] | str:
    """Triangles of a shape's file [m], with their lower and upper corner, or why there are none.

    A page holds what it draws, and is passed on: of a model from a file only meshes below these folders are read.
    """
    try:
        real = Path(shape.file).resolve()
        if folders is not None and not any(real.is_relative_to(folder.resolve()) for folder in folders):
            return (
                f"mesh not drawn: {shape.file} is outside the folder of the file that names it; allow_outside=True "
                "(--allow-outside) allows that"
            )
        triangles = read_mesh(Path(shape.file))
    except (MeshError, OSError, RuntimeError, ValueError) as error:
        return f"mesh not drawn: {error}"
    if len(triangles) > MOST_TRIANGLES:
        return f"mesh not drawn: {shape.file} has {len(triangles)} triangles; the page draws up to {MOST_TRIANGLES}"
    scale = np.array([shape["scale_x"], shape["scale_y"], shape["scale_z"]])
    corners = (triangles * scale).reshape(-1, 3)
    if np.prod(scale) < 0:  # a mirror turns the triangles inside out
        corners = corners.reshape(-1, 3, 3)[:, ::-1].reshape(-1, 3)
    data: dict[str, Any] = {"corners": base64.b64encode(corners.astype("<f4").tobytes()).decode("ascii")}
    return data, corners.min(axis=0), corners.max(axis=0)
