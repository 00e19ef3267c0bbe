"""Triangles of mesh files for the page."""

from __future__ import annotations

from typing import Any

from duoti.spatial import Shape


def load_mesh(shape: Shape) -> tuple[dict[str, Any], Any, Any] | str:
    """Triangles of a shape's file with their corners, or why there are none."""
    return f"mesh {shape.file} is not drawn"
