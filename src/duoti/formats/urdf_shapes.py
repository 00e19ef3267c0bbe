"""Shapes of bodies as `visual` elements of URDF."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import quoteattr

from duoti.spatial import Pose, Shape

HEX = re.compile(r"#[0-9a-fA-F]{6}")


def shape_lines(shape: Shape, folder: Path, origin: Callable[[Pose], str]) -> list[str] | None:
    """Lines of one or more visuals; None if URDF has no such shape. Meshes below `folder` are named relative to it."""
    size = dict(shape.dimensions)
    if shape.cavity:
        return None
    if shape.kind == "capsule":  # not part of URDF: a cylinder and two balls
        half = 0.5 * size["length"]
        ends = [Shape.sphere(size["radius"], position=(0.0, 0.0, s * half), colour=shape.colour) for s in (1.0, -1.0)]
        parts = [Shape.cylinder(size["radius"], size["length"], colour=shape.colour), *ends]
        return [line for part in parts for line in shape_lines(part.moved(shape.pose), folder, origin) or ()]
    match shape.kind:
        case "box":
            geometry = f'<box size="{size["size_x"]!r} {size["size_y"]!r} {size["size_z"]!r}"/>'
        case "sphere" | "shell":
            geometry = f'<sphere radius="{size["radius"]!r}"/>'
        case "cylinder" | "rod" | "hollow_cylinder":
            radius = size.get("radius", size.get("outer_radius", 0.02 * size["length"]))  # a rod is drawn thin
            geometry = f'<cylinder radius="{radius!r}" length="{size["length"]!r}"/>'
        case "mesh":
            scale = " ".join(repr(size[f"scale_{a}"]) for a in "xyz")
            geometry = f'<mesh filename={quoteattr(_uri(shape.file, folder))} scale="{scale}"/>'
        case _:
            return None
    lines = ["    <visual>", f"      {origin(shape.pose)}", f"      <geometry>{geometry}</geometry>"]
    if HEX.fullmatch(shape.colour):
        rgb = " ".join(f"{int(shape.colour[i : i + 2], 16) / 255:.6g}" for i in (1, 3, 5))
        lines.append(f'      <material name="{shape.colour}"><color rgba="{rgb} 1"/></material>')
    return [*lines, "    </visual>"]


def _uri(file: str, folder: Path) -> str:
    path = Path(file)
    if not path.is_absolute():
        return file
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.as_uri()
