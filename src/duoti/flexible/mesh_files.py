"""Meshes from files, by meshio."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.flexible.mesh import Kind, Mesh

_SOLIDS: dict[str, Kind] = {"tetra": "tet4", "tetra10": "tet10", "hexahedron": "hex8"}
"""Names of meshio."""

_UNKNOWN_SOLIDS = (
    "wedge",
    "pyramid",
    "hexahedron20",
    "hexahedron27",
    "wedge15",
    "pyramid13",
    "polyhedron",
    "VTK_LAGRANGE_",
)
"""Solids without an element here: leaving them out would leave a hole."""


def read(file: Path, scale: float) -> Mesh:
    """See `Mesh.read`."""
    try:
        import meshio  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise ImportError("to read meshes, install meshio: pip install 'duoti[mesh]'") from None
    if not file.exists():
        raise FileNotFoundError(f"there is no mesh file {file}")
    try:
        found: Any = meshio.read(file)
    except (Exception, SystemExit) as error:  # meshio ends the program for some faults of a file
        raise ValueError(f"{file}: meshio cannot read it: {error}") from None
    return _converted(found, str(file), scale)


def _converted(found: Any, file: str, scale: float) -> Mesh:
    kinds = {block.type for block in found.cells if block.type in _SOLIDS}
    lost = {block.type for block in found.cells if block.type.startswith(_UNKNOWN_SOLIDS)}
    if lost:
        raise ValueError(
            f"{file}: there is no element for cells of type {', '.join(sorted(lost))}; use tet4, tet10 or hex8"
        )
    if len(kinds) != 1:
        what = f"of {len(kinds)} kinds ({', '.join(sorted(kinds))}): use one" if kinds else "none"
        raise ValueError(
            f"{file}: a mesh of tetrahedra (4 or 10 nodes) or bricks (8) is needed; its solid cells are {what}"
        )
    (kind,) = kinds
    offsets = np.cumsum([0, *(len(block.data) if block.type == kind else 0 for block in found.cells)])
    cells = np.concatenate([block.data for block in found.cells if block.type == kind]).astype(np.int64)
    used, inverse = np.unique(cells, return_inverse=True)
    number = np.full(len(found.points), -1, dtype=np.int64)
    number[used] = np.arange(len(used))
    regions, node_sets = _groups(found, kind, offsets, number)
    points = np.asarray(found.points, dtype=float)[:, :3]
    if points.shape[1] != 3:
        raise ValueError(f"{file}: its points have {points.shape[1]} coordinates; three are needed")
    return Mesh(scale * points[used], inverse.reshape(cells.shape), _SOLIDS[kind], regions, node_sets)


def _groups(
    found: Any, kind: str, offsets: NDArray[np.int64], number: NDArray[np.int64]
) -> tuple[dict[str, NDArray[np.int64]], dict[str, NDArray[np.int64]]]:
    """Regions (cells of the solids) and node sets (nodes of any other group)."""
    regions: dict[str, list[NDArray[np.int64]]] = {}
    node_sets: dict[str, list[NDArray[np.int64]]] = {}

    def add_cells(name: str, block: int, places: NDArray[np.int64]) -> None:
        if found.cells[block].type == kind:
            regions.setdefault(name, []).append(offsets[block] + places)
        else:
            node_sets.setdefault(name, []).append(found.cells[block].data[places].ravel())

    for name, blocks in found.cell_sets.items():
        for block, places in enumerate(blocks):
            if places is not None and len(places):
                add_cells(name, block, np.asarray(places, dtype=np.int64))
    for name, nodes in found.point_sets.items():
        node_sets.setdefault(name, []).append(np.asarray(nodes, dtype=np.int64))
    names = {int(tag): name for name, (tag, _) in found.field_data.items()}
    for block, tags in enumerate(found.cell_data.get("gmsh:physical", [])):
        for tag in np.unique(tags):
            name = names.get(int(tag), f"group {int(tag)}")
            if name not in found.cell_sets:
                add_cells(name, block, np.flatnonzero(tags == tag))
    inner = {name: np.unique(np.concatenate(each)) for name, each in regions.items() if not name.startswith("gmsh:")}
    sets = {
        name: np.unique(number[np.concatenate(each)])
        for name, each in node_sets.items()
        if not name.startswith("gmsh:")
    }
    return inner, {name: each[each >= 0] for name, each in sets.items()}
