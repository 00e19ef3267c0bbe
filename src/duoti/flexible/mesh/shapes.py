"""Built-in meshes: a grid of bricks, each filled as the element says (`SolidElement.filling`), bent into its place.

Mid-edge nodes are placed by the same map as the corners: edges on a circle are curved.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duoti.flexible.elements import SOLIDS
from duoti.flexible.mesh.mesh import Mesh
from duoti.spatial.axes import Array, Axis, axis_vector, not_negative, vector3

Grid = NDArray[np.int64]
"""Cells and their nodes as steps (i, j, k) on a grid with half steps: (E, n, 3) whole numbers, two a division."""


def counts(divisions: Sequence[int], names: str) -> tuple[int, int, int]:
    """Three whole numbers, one or more."""
    given = list(divisions)
    if len(given) != 3 or any(int(n) != n or n < 1 for n in given):
        raise ValueError(f"divisions = {divisions!r}: three whole numbers are needed, one or more: {names}")
    return int(given[0]), int(given[1]), int(given[2])


def grid_mesh(
    blocks: Sequence[tuple[int, int, int]],
    place: Callable[[int, Array], Array],
    kind: str,
    slack: float,
) -> Mesh:
    """A mesh of blocks of bricks; `place(block, steps)` says where the steps (0..1 in each direction) of a block are.

    Nodes nearer to each other than `slack` are one, so that blocks that share a face are joined.
    """
    if kind not in SOLIDS:
        raise ValueError(f"there is no element {kind!r}; there are {', '.join(SOLIDS)}")
    local = SOLIDS[kind].filling
    points: list[Array] = []
    cells: list[NDArray[np.int64]] = []
    count = 0
    for b, (nx, ny, nz) in enumerate(blocks):
        corner = 2 * np.array(list(itertools.product(range(nx), range(ny), range(nz))))
        steps = (corner[:, None, None] + local[None]).reshape(-1, 3)
        size = np.array([2 * nx + 1, 2 * ny + 1, 2 * nz + 1])
        key = (steps[:, 0] * size[1] + steps[:, 1]) * size[2] + steps[:, 2]
        used, inverse = np.unique(key, return_inverse=True)
        at = np.column_stack([used // (size[1] * size[2]), used // size[2] % size[1], used % size[2]])
        points.append(place(b, at / (size - 1)))
        cells.append(count + inverse.reshape(-1, local.shape[1]))
        count += len(used)
    nodes, all_cells = np.concatenate(points), np.concatenate(cells)
    if len(blocks) > 1:
        nodes, all_cells = _joined(nodes, all_cells, slack)
    return Mesh(nodes, all_cells, kind)


def _joined(nodes: Array, cells: NDArray[np.int64], slack: float) -> tuple[Array, NDArray[np.int64]]:
    """Nodes nearer to each other than `slack` become one."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import KDTree

    pairs = KDTree(nodes).query_pairs(slack, output_type="ndarray")
    graph = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(nodes), len(nodes)))
    _, label = connected_components(graph, directed=False)
    _, first, inverse = np.unique(label, return_index=True, return_inverse=True)
    order = np.argsort(first)  # numbered as they come
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return nodes[first[order]], rank[inverse[cells]]


def box(size: ArrayLike, divisions: Sequence[int], kind: str, centre: ArrayLike) -> Mesh:
    """See `Mesh.box`."""
    edges, middle = vector3(size, "size"), vector3(centre, "centre")
    if not np.all(edges > 0.0):
        raise ValueError(f"size = {edges.tolist()}: the edges of a box are positive")
    n = counts(divisions, "along x, y, z")
    low = middle - 0.5 * edges
    made = grid_mesh([n], lambda _, s: low + s * edges, kind, 0.0)
    sets: dict[str, Any] = {}
    for i, name in enumerate("xyz"):
        sets[f"{name}-"] = made.nodes_on_plane(name, low[i])
        sets[f"{name}+"] = made.nodes_on_plane(name, low[i] + edges[i])
    return Mesh(made.nodes, made.cells, kind, node_sets=sets)


def cylinder(
    radius: float,
    length: float,
    divisions: Sequence[int],
    kind: str,
    axis: Axis,
    inner_radius: float,
    centre: ArrayLike,
) -> Mesh:
    """See `Mesh.cylinder`."""
    R, L = not_negative(radius, "radius", "a length in m"), not_negative(length, "length", "a length in m")
    inner = not_negative(inner_radius, "inner_radius", "a length in m")
    if not (inner < R and L > 0.0):
        raise ValueError(f"a cylinder has radius > inner_radius and length > 0; given {R}, {inner}, {L}")
    n_r, n_t, n_z = counts(divisions, "across the radius, around a quarter, along the axis")
    middle, X = vector3(centre, "centre"), _axes(axis)

    def put(x: Array, y: Array, z: Array) -> Array:
        return middle + np.column_stack([x, y, (z - 0.5) * L]) @ X.T

    def ring(quarter: int, s: Array, start: Callable[[Array], tuple[Array, Array]]) -> Array:
        """From an inner curve (of 0..1 along the quarter) to the circle, in straight radial lines."""
        angle = 0.5 * np.pi * (quarter + s[:, 1]) - 0.25 * np.pi
        x0, y0 = start(s[:, 1])
        c, d = np.cos(0.5 * np.pi * quarter), np.sin(0.5 * np.pi * quarter)
        x = (1.0 - s[:, 0]) * (c * x0 - d * y0) + s[:, 0] * R * np.cos(angle)
        y = (1.0 - s[:, 0]) * (d * x0 + c * y0) + s[:, 0] * R * np.sin(angle)
        return put(x, y, s[:, 2])

    def bore(t: Array) -> tuple[Array, Array]:
        angle = 0.5 * np.pi * t - 0.25 * np.pi
        return inner * np.cos(angle), inner * np.sin(angle)

    core = 0.45 * R  # half the edge of the square in the middle of a full cylinder

    def square(t: Array) -> tuple[Array, Array]:
        return np.full_like(t, core), core * (2.0 * t - 1.0)

    def place(block: int, s: Array) -> Array:
        if block == 4:
            return put(core * (2.0 * s[:, 0] - 1.0), core * (2.0 * s[:, 1] - 1.0), s[:, 2])
        return ring(block, s, square if inner == 0.0 else bore)

    blocks = [(n_r, n_t, n_z)] * 4 + ([(n_t, n_t, n_z)] if inner == 0.0 else [])
    made = grid_mesh(blocks, place, kind, 1e-6 * min(R - inner, L) / max(n_r, n_t, n_z))
    along = (made.nodes - middle) @ X[:, 2]
    sets: dict[str, Any] = {
        "start": np.flatnonzero(np.abs(along + 0.5 * L) <= made.slack),
        "end": np.flatnonzero(np.abs(along - 0.5 * L) <= made.slack),
        "side": made.nodes_on_cylinder(middle, X[:, 2], R),
    }
    if inner:
        sets["bore"] = made.nodes_on_cylinder(middle, X[:, 2], inner)
    return Mesh(made.nodes, made.cells, kind, node_sets=sets)


def _axes(axis: Axis) -> Array:
    """A right-handed frame whose third axis is the given one."""
    z = axis_vector(axis)
    first = np.eye(3)[(int(np.argmax(np.abs(z))) + 1) % 3]
    x = first - (first @ z) * z
    x /= np.linalg.norm(x)
    return np.asarray(np.column_stack([x, np.cross(z, x), z]), dtype=np.float64)


def bar(points: ArrayLike, width: float, height: float, divisions: Sequence[int], kind: str, up: Axis) -> Mesh:
    """See `Mesh.bar`."""
    line = np.asarray(points, dtype=float)
    if line.ndim != 2 or line.shape[1] != 3 or len(line) < 2 or not np.isfinite(line).all():
        raise ValueError(
            f"points of a bar: two or more points of three numbers are needed; their shape is {line.shape}"
        )
    w, h = not_negative(width, "width", "a length in m"), not_negative(height, "height", "a length in m")
    n_x, n_y, n_z = counts(divisions, "along each piece of the line, across the width, across the height")
    frames = _frames(line, axis_vector(up))
    pieces = len(line) - 1

    def place(_: int, s: Array) -> Array:
        at = s[:, 0] * pieces
        k = np.minimum(at.astype(int), pieces - 1)
        t = (at - k)[:, None]
        y, z = (s[:, 1] - 0.5)[:, None] * w, (s[:, 2] - 0.5)[:, None] * h
        ends = [line[k + d] + y * frames[k + d, 0] + z * frames[k + d, 1] for d in (0, 1)]
        return (1.0 - t) * ends[0] + t * ends[1]

    made = grid_mesh([(n_x * pieces, n_y, n_z)], place, kind, 0.0)
    sets = {"start": _on_section(made, place, 0.0), "end": _on_section(made, place, 1.0)}
    return Mesh(made.nodes, made.cells, kind, node_sets=sets)


def _on_section(mesh: Mesh, place: Callable[[int, Array], Array], s: float) -> NDArray[np.int64]:
    """Nodes on the first or the last section of a bar."""
    a, b, c = place(0, np.array([[s, 0.0, 0.0], [s, 1.0, 0.0], [s, 0.0, 1.0]]))
    normal = np.cross(b - a, c - a)
    normal /= np.linalg.norm(normal)
    inside = np.abs((mesh.nodes - a) @ normal) <= mesh.slack
    middle = 0.5 * (b + c)
    near = np.linalg.norm(mesh.nodes - middle, axis=1) <= 0.5 * np.linalg.norm(b - c) + mesh.slack
    return np.flatnonzero(inside & near)


def _frames(line: Array, up: Array) -> Array:
    """Directions across (towards the width, the height) at each point: mitred, so that pieces keep their section."""
    tangents = np.diff(line, axis=0)
    lengths = np.linalg.norm(tangents, axis=1)
    if np.any(lengths == 0.0):
        raise ValueError("points of a bar: two neighbours are the same point")
    tangents /= lengths[:, None]
    frames = np.empty((len(line), 2, 3))
    for i in range(len(line)):
        before, after = tangents[max(i - 1, 0)], tangents[min(i, len(tangents) - 1)]
        mean = before + after
        if np.linalg.norm(mean) < 1e-6:
            raise ValueError(f"points of a bar: the line turns back on itself at point {i}")
        mean /= np.linalg.norm(mean)
        across = np.cross(up, after)
        if np.linalg.norm(across) < 1e-6:
            raise ValueError(f"points of a bar: at point {i} the line runs along `up` {up.tolist()}; give another `up`")
        across /= np.linalg.norm(across)
        high = np.cross(after, across)
        for k, direction in enumerate((across, high)):  # slide along the piece onto the mitre plane
            frames[i, k] = direction - after * (direction @ mean) / (after @ mean)
    return frames
