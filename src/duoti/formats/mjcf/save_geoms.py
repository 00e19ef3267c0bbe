"""Shapes as geoms of MJCF, with the assets that they need."""

from __future__ import annotations

import re
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np
from numpy.typing import ArrayLike

from duoti.formats.mesh.mesh import MeshError, read_mesh
from duoti.formats.xml.names import free_name
from duoti.spatial import Pose, Shape

HEX = re.compile(r"#[0-9a-fA-F]{6}")
MOST_IN_TEXT = 20_000  # triangles of a mesh that stands in the file, because MuJoCo cannot read its own


def q(numbers: ArrayLike) -> str:
    """Numbers in quotes, with all their digits; a minus before zero is dropped."""
    return '"' + " ".join(repr(float(x) + 0.0) for x in np.ravel(np.asarray(numbers, dtype=float))) + '"'


def placed(X: Pose) -> str:
    """Attributes pos and quat of a pose."""
    found = f" pos={q(X.position)}" if np.any(np.asarray(X.position)) else ""
    return found + (f" quat={q(X.rotation.quaternion)}" if X.rotation.angle else "")


class Geoms:
    """The geoms of all bodies by name, and assets."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.lines: dict[str, list[str]] = {}
        """By body."""
        self.assets: list[str] = []
        self._known: dict[tuple[str, str], str | None] = {}
        self._names: set[str] = set()
        self._assets: dict[str, str] = {}

    def name_of(self, body: str, shape: Shape, fixed: bool, drawn: bool = False) -> str | None:
        """The geom of a shape in the frame of a body, which is made if it is new; None if MJCF has no such shape."""
        key = (body, repr(shape))
        if key not in self._known:
            made = self._attributes(shape, fixed)
            if made is None:
                self._known[key] = None
            else:
                name = free_name(f"{body}_geom", self._names)
                self._names.add(name)
                group = ' group="1"' if drawn else ' group="3"'
                text = f"<geom name={quoteattr(name)} {made}{group}{_colour(shape)}/>"
                self.lines.setdefault(body, []).append(text)
                self._known[key] = name
        return self._known[key]

    def _attributes(self, shape: Shape, fixed: bool) -> str | None:
        size, X = dict(shape.dimensions), shape.pose
        if shape.cavity:
            return None
        match shape.kind:
            case "plane":
                return f'type="plane" size="0 0 1"{placed(X)}' if fixed else None
            case "box":
                half = 0.5 * np.array([size["size_x"], size["size_y"], size["size_z"]])
                return f'type="box" size={q(half)}{placed(X)}'
            case "sphere" | "shell":
                return f'type="sphere" size={q([size["radius"]])}{placed(X)}'
            case "ellipsoid":
                return f'type="ellipsoid" size={q([size["semi_x"], size["semi_y"], size["semi_z"]])}{placed(X)}'
            case "capsule":
                return f'type="capsule" size={q([size["radius"], 0.5 * size["length"]])}{placed(X)}'
            case "cylinder" | "rod" | "hollow_cylinder":
                radius = size.get("radius", size.get("outer_radius", 0.02 * size["length"]))  # a rod is drawn thin
                return f'type="cylinder" size={q([radius, 0.5 * size["length"]])}{placed(X)}'
            case "mesh":
                return self._mesh(shape)
            case "heightfield":
                return self._heightfield(shape) if fixed else None
            case _:
                return None

    def _mesh(self, shape: Shape) -> str | None:
        """The file itself where MuJoCo reads it, otherwise its triangles in the text."""
        file = Path(shape.file)
        scale = np.array([shape[f"scale_{a}"] for a in "xyz"])
        if _is_read(file):
            inside = file.is_absolute() and file.is_relative_to(self.folder)
            shown = file.relative_to(self.folder).as_posix() if inside else shape.file
            data = f"file={quoteattr(shown)} scale={q(scale)}"
        else:
            try:
                triangles = read_mesh(shape.file) * scale
            except (MeshError, OSError, RuntimeError, ValueError):
                return None
            if len(triangles) > MOST_IN_TEXT:
                return None
            points, faces = np.unique(triangles.reshape(-1, 3), axis=0, return_inverse=True)
            corners = faces.reshape(-1, 3)[:, :: -1 if np.prod(scale) < 0 else 1]
            data = f'vertex={q(points)} face="{" ".join(map(str, corners.ravel().tolist()))}"'
        name = self._asset("mesh", file.stem, f'{data} inertia="shell"')
        return f'type="mesh" mesh={quoteattr(name)}{placed(shape.pose)}'

    def _heightfield(self, shape: Shape) -> str:
        """Rows of MuJoCo are along y; its heights count from the lowest, as parts of the range."""
        heights = np.array(shape.profile, dtype=float).T
        low, high = float(heights.min()), float(heights.max())
        span = (high - low) or 1.0
        rows, columns = heights.shape
        base = 0.1 * span
        size = q([0.5 * shape["size_x"], 0.5 * shape["size_y"], span, base])
        data = f'nrow="{rows}" ncol="{columns}" size={size} elevation={q((heights - low) / span)}'
        X = shape.pose @ Pose(position=(0.0, 0.0, low))
        return f'type="hfield" hfield={quoteattr(self._asset("hfield", "terrain", data))}{placed(X)}'

    def _asset(self, tag: str, wanted: str, data: str) -> str:
        key = f"{tag} {data}"
        if key not in self._assets:
            self._assets[key] = free_name(wanted, set(self._assets.values()))
            self.assets.append(f"<{tag} name={quoteattr(self._assets[key])} {data}/>")
        return self._assets[key]


def _is_read(file: Path) -> bool:
    """Whether MuJoCo reads this file: OBJ and MSH, and STL if it is binary."""
    ending = file.suffix.lower()
    if ending != ".stl":
        return ending in (".obj", ".msh")
    try:
        with file.open("rb") as stream:
            head = stream.read(84)
            return len(head) == 84 and file.stat().st_size == 84 + 50 * int.from_bytes(head[80:84], "little")
    except OSError:
        return False


def _colour(shape: Shape) -> str:
    if not HEX.fullmatch(shape.colour):
        return ""
    numbers = " ".join(f"{int(shape.colour[i : i + 2], 16) / 255:.6g}" for i in (1, 3, 5))
    return f' rgba="{numbers} 1"'
