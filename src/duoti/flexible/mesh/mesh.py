"""Meshes of finite elements: nodes, cells, and the sets of them that have names."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duoti.flexible.elements import SOLIDS
from duoti.flexible.recipe import Recipe
from duoti.spatial.axes import Array, Axis, axis_vector, frozen, vector3
from duoti.strict import Explained, explained_constructors

_IN_FILES = {element.meshio: kind for kind, element in SOLIDS.items()}
"""Elements by the names of their cells in meshio."""

_SOLIDS = ("tetra", "hexahedron", "wedge", "pyramid", "polyhedron", "VTK_LAGRANGE_")
"""How names of solid cells begin: leaving out one for which there is no element would leave a hole."""


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
    kinds = {block.type for block in found.cells if block.type in _IN_FILES}
    lost = {block.type for block in found.cells if block.type.startswith(_SOLIDS)} - kinds
    if lost:
        raise ValueError(
            f"{file}: there is no element for cells of type {', '.join(sorted(lost))}; there are {', '.join(_IN_FILES)}"
        )
    if len(kinds) != 1:
        what = f"of {len(kinds)} kinds ({', '.join(sorted(kinds))}): use one" if kinds else "none"
        raise ValueError(f"{file}: a mesh of {' or '.join(_IN_FILES)} is needed; its solid cells are {what}")
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
    return Mesh(scale * points[used], inverse.reshape(cells.shape), _IN_FILES[kind], regions, node_sets)


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


Nodes = NDArray[np.int64]

FLAT = 1e-10
"""An element whose smallest Jacobian is below this share of the cube of its size has no volume."""


@explained_constructors
class Mesh(Explained):
    """Finite-element mesh: nodes, cells and the kind of element.

    Parameters
    ----------
    nodes:
        Positions (N, 3) [m].
    cells:
        Numbers of nodes from 0, (E, n).
    kind:
        "tet4", "tet10" (mid-edge nodes 01, 12, 02, 03, 13, 23) or "hex8" (bottom face, then top face).
    regions:
        Names of groups of cells, for materials.
    node_sets:
        Names of groups of nodes, for interfaces and loads.
    """

    def __init__(
        self,
        nodes: ArrayLike,
        cells: ArrayLike,
        kind: str,
        regions: Mapping[str, ArrayLike] | None = None,
        node_sets: Mapping[str, ArrayLike] | None = None,
    ):
        if kind not in SOLIDS:
            raise ValueError(f"there is no element {kind!r}; there are {', '.join(SOLIDS)}")
        self.kind: str = kind
        self.nodes = frozen(nodes)
        if self.nodes.ndim != 2 or self.nodes.shape[1] != 3 or not np.isfinite(self.nodes).all():
            raise ValueError(
                f"nodes of a mesh are finite numbers, three a node; their shape here is {self.nodes.shape}"
            )
        self.cells = _numbers(cells, "cells", len(self.nodes))
        if self.cells.ndim != 2 or self.cells.shape[1] != SOLIDS[kind].nodes or not len(self.cells):
            raise ValueError(
                f"a cell of kind {kind} has {SOLIDS[kind].nodes} nodes; the shape of cells is {self.cells.shape}"
            )
        self.regions = {n: _numbers(c, f"region {n!r}", len(self.cells)) for n, c in (regions or {}).items()}
        self.node_sets = {n: _numbers(c, f"node set {n!r}", len(self.nodes)) for n, c in (node_sets or {}).items()}
        self.recipe: Recipe | None = None
        """How the mesh was made, if not from numbers: what a file keeps of it."""

    # ------------------------------------------------------------------------------------------------ built-in meshes

    @classmethod
    def box(
        cls,
        size: ArrayLike,
        divisions: Sequence[int],
        kind: str = "tet10",
        centre: ArrayLike = (0.0, 0.0, 0.0),
    ) -> Mesh:
        """A box with edges `size` [m] along x, y, z about `centre`, of so many bricks (or six tetrahedra each) along
        each.

        Node sets: 'x-', 'x+', 'y-', 'y+', 'z-', 'z+', its faces.
        """
        from duoti.flexible.mesh.shapes import box

        return box(size, divisions, kind, centre).made_by(
            "box", size=size, divisions=divisions, kind=kind, centre=centre
        )

    @classmethod
    def cylinder(
        cls,
        radius: float,
        length: float,
        divisions: Sequence[int],
        kind: str = "tet10",
        axis: Axis = "z",
        inner_radius: float = 0.0,
        centre: ArrayLike = (0.0, 0.0, 0.0),
    ) -> Mesh:
        """A cylinder or, with an inner radius, a tube [m]; divisions: across the radius, around a quarter, along the
        axis.

        Curved edges of tet10 follow the circle. Node sets: 'start', 'end', 'side' (and 'bore' of a tube).
        """
        from duoti.flexible.mesh.shapes import cylinder

        made = cylinder(radius, length, divisions, kind, axis, inner_radius, centre)
        return made.made_by(
            "cylinder",
            radius=radius,
            length=length,
            divisions=divisions,
            kind=kind,
            axis=axis,
            inner_radius=inner_radius,
            centre=centre,
        )

    @classmethod
    def bar(
        cls,
        points: ArrayLike,
        width: float,
        height: float,
        divisions: Sequence[int],
        kind: str = "tet10",
        up: Axis = "z",
    ) -> Mesh:
        """A bar of rectangular section [m] along a line of points (n, 3); `height` is towards `up`, `width` across.

        divisions: along each piece of the line, across the width, across the height. Node sets: 'start', 'end'.
        """
        from duoti.flexible.mesh.shapes import bar

        made = bar(points, width, height, divisions, kind, up)
        return made.made_by("bar", points=points, width=width, height=height, divisions=divisions, kind=kind, up=up)

    @classmethod
    def read(cls, file: str | Path, scale: float = 1.0) -> Mesh:
        """From a file of gmsh, Abaqus, Nastran, VTK or what else meshio reads (extra `duoti[mesh]`).

        scale: metres of one unit of the file, such as 0.001 for millimetres. Groups of cells become regions; groups
        of faces, lines and points become node sets.
        """

        return read(Path(file), scale).made_by("file", file=str(file), scale=scale)

    def made_by(self, maker: str, **arguments: Any) -> Mesh:
        """This mesh, remembering how it was made."""
        self.recipe = Recipe(maker, arguments)
        return self

    # ----------------------------------------------------------------------------------------------------- selections

    def nodes_in_box(self, low: ArrayLike, high: ArrayLike) -> Nodes:
        """Numbers of the nodes between two corners [m]; infinite corners are allowed."""
        low, high = np.asarray(low, dtype=float), np.asarray(high, dtype=float)
        slack = self.slack
        return np.flatnonzero(np.all((self.nodes >= low - slack) & (self.nodes <= high + slack), axis=1))

    def nodes_on_plane(self, axis: Axis, at: float) -> Nodes:
        """Numbers of the nodes on the plane axis . r = at [m]."""
        return np.flatnonzero(np.abs(self.nodes @ axis_vector(axis) - at) <= self.slack)

    def nodes_on_cylinder(self, point: ArrayLike, axis: Axis, radius: float) -> Nodes:
        """Numbers of the nodes on a cylinder (a bore) about an axis through a point [m]."""
        n = axis_vector(axis)
        d = self.nodes - vector3(point, "point")
        distance = np.linalg.norm(d - np.outer(d @ n, n), axis=1)
        return np.flatnonzero(np.abs(distance - radius) <= max(self.slack, 1e-6 * radius))

    def nearest(self, point: ArrayLike) -> int:
        """Number of the node nearest to a point [m]."""
        return int(np.argmin(np.linalg.norm(self.nodes - vector3(point, "point"), axis=1)))

    def select(self, what: Any) -> Nodes:
        """Numbers of nodes from what a user may give: numbers, true or false for each, a node set, or a mapping with
        one selection.

        {'plane': {'axis': 'x', 'at': 0.0}}, {'box': {'low': ..., 'high': ...}}, {'cylinder': {'point', 'axis',
        'radius'}}, {'nearest': point}.
        """
        if isinstance(what, str):
            if what not in self.node_sets:
                known = ", ".join(self.node_sets) or "none"
                raise ValueError(f"the mesh has no node set {what!r}; it has {known}")
            return self.node_sets[what]
        if isinstance(what, Mapping):
            makers = {
                "plane": self.nodes_on_plane,
                "box": self.nodes_in_box,
                "cylinder": self.nodes_on_cylinder,
            }
            if len(what) == 1:
                ((kind, arguments),) = what.items()
                if kind in makers and isinstance(arguments, Mapping):
                    return makers[kind](**arguments)
                if kind == "nearest":
                    return np.array([self.nearest(arguments)])
            raise ValueError(f"a selection of nodes is one of plane, box, cylinder, nearest, not {what!r}")
        if np.asarray(what).dtype == bool and np.shape(what) == (len(self.nodes),):
            return np.flatnonzero(what)
        return _numbers(what, "nodes", len(self.nodes)).reshape(-1)

    @functools.cached_property
    def slack(self) -> float:
        """Distances below this [m] are round-off of the nodes' positions."""
        return 1e-7 * float(np.ptp(self.nodes, axis=0).max())

    # -------------------------------------------------------------------------------------------------------- surface

    @functools.cached_property
    def surface(self) -> NDArray[np.int64]:
        """Faces that only one cell has (F, n): corners in a turn that is positive from outside, then mid-edge nodes."""
        element = SOLIDS[self.kind]
        faces = np.concatenate([self.cells[:, face] for face in element.faces])
        key = np.sort(faces[:, : element.face.corners], axis=1)
        _, first, count = np.unique(key, axis=0, return_index=True, return_counts=True)
        return faces[np.sort(first[count == 1])]

    def faces_of(self, nodes: Iterable[int]) -> NDArray[np.int64]:
        """Faces of the surface all of whose nodes are among these."""
        inside = np.zeros(len(self.nodes), dtype=bool)
        inside[np.asarray(list(nodes), dtype=np.int64)] = True
        return self.surface[inside[self.surface].all(axis=1)]

    @functools.cached_property
    def triangles(self) -> NDArray[np.int64]:
        """The surface as triangles (T, 3), for drawing."""
        return np.concatenate([self.surface[:, list(t)] for t in SOLIDS[self.kind].face.triangles])

    # --------------------------------------------------------------------------------------------------------- quality

    @functools.cached_property
    def quality(self) -> tuple[Array, Array]:
        """Smallest determinant of the Jacobian at nodes and in the middle, and volume [m³], of each cell."""
        from duoti.flexible.elements.solid_kernels import determinants

        element = SOLIDS[self.kind]
        at = np.concatenate([element.nodal_tables[0], element.stiffness_tables[0]])
        smallest, volumes = np.empty(len(self.cells)), np.empty(len(self.cells))
        determinants(
            np.array(self.nodes),
            self.cells,
            np.ascontiguousarray(at),
            smallest,
            volumes,
            element.mass_tables,
            np.empty((3, 3)),
        )
        return smallest, volumes

    @property
    def volume(self) -> float:
        """Volume of all cells [m³]."""
        return float(self.quality[1].sum())

    def faults(self) -> list[tuple[str, list[int]]]:
        """What is wrong with cells: 'zero volume', 'inverted', 'distorted' (inside out in a part), with their
        numbers."""
        smallest, volumes = self.quality
        size = np.ptp(self.nodes[self.cells], axis=1).max(axis=1) ** 3
        flat = np.abs(volumes) <= FLAT * size
        inverted = ~flat & (volumes < 0.0)
        distorted = ~flat & ~inverted & (smallest <= 0.0)
        named = (("zero volume", flat), ("inverted", inverted), ("distorted", distorted))
        return [(name, np.flatnonzero(which).tolist()) for name, which in named if which.any()]

    def oriented(self) -> Mesh:
        """The mesh with inverted cells turned right by exchanging nodes."""
        cells = np.array(self.cells)
        wrong = self.quality[1] < 0.0
        cells[wrong] = cells[wrong][:, SOLIDS[self.kind].mirrored]
        return Mesh(self.nodes, cells, self.kind, self.regions, self.node_sets)

    def pieces(self) -> list[Nodes]:
        """Nodes of each connected piece of the mesh, the largest first; nodes without a cell are in none."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        rows = np.repeat(self.cells[:, :1], self.cells.shape[1] - 1, axis=1).ravel()
        shape = (len(self.nodes), len(self.nodes))
        graph = coo_array((np.ones(len(rows)), (rows, self.cells[:, 1:].ravel())), shape=shape)
        _, label = connected_components(graph, directed=False)
        used = np.unique(self.cells)
        found = [used[label[used] == k] for k in np.unique(label[used])]
        return sorted(found, key=len, reverse=True)

    def __repr__(self) -> str:
        return f"<mesh of {len(self.cells)} {self.kind}, {len(self.nodes)} nodes>"


def _numbers(values: ArrayLike, what: str, limit: int) -> NDArray[np.int64]:
    """Whole numbers from 0 to below the limit, read-only."""
    found = np.asarray(values)
    if found.size and not np.issubdtype(found.dtype, np.integer):
        if np.issubdtype(found.dtype, np.floating) and np.all(found == np.round(found)):
            found = found.astype(np.int64)
        else:
            raise ValueError(f"{what} of a mesh are whole numbers, counted from 0; {found.dtype} given")
    found = np.array(found, dtype=np.int64)
    if found.size and (found.min() < 0 or found.max() >= limit):
        raise ValueError(
            f"{what} of a mesh has numbers from {found.min()} to {found.max()}, but there are 0 to {limit - 1}"
        )
    found.setflags(write=False)
    return found
