"""Triangle meshes that touch as they are, concave regions and all: triangles, their neighbours, a tree of boxes over
them.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from duoti.model.pairs.base import AS_TRIANGLES
from duoti.model.pairs.profiles import outline
from duoti.spatial import Shape
from duoti.spatial.shape import heightfield_triangles
from duoti.system.arrays import Ints, Reals

FINE = 1e-3  # of the size of a curved surface: how far a polygon of its triangles may be from it
LEAST = 12  # sides of a polygon around a circle
SAMPLES = 513  # points of a profile, of which some become corners
LEAF = 4  # triangles of a leaf
SAME_POINT = 1e-7  # part of the extent: corners that are one
NO_AREA = 1e-12  # part of the square of the extent


class Surfaces(NamedTuple):
    """All meshes, one after the other, each in the frame of its shape; a triangle is seen from outside only."""

    root: Ints  # [meshes] its first node
    reach: Reals  # [meshes] distance of the furthest corner from the origin [m]
    corner: Reals  # [triangles, 9]
    normal: Reals  # [triangles, 3] outward: corners are counter-clockwise
    outward: Reals  # [triangles, 9] unit vectors in its plane, outward across its three edges
    vertex: Reals  # [vertices, 3]
    vertices: Ints  # [triangles, 3] its corners
    across: Ints  # [triangles, 3] corners of the neighbours across its edges; -1 where there is none
    ring_first: Ints  # [vertices + 1] where the vertices around one begin in the next list
    ring: Ints  # [...]
    box: Reals  # [nodes, 6] least and largest coordinates of what is below
    below: Ints  # [nodes, 2] two nodes; of a leaf: -1 - its first triangle, and how many


class Surface(NamedTuple):
    """One mesh."""

    corner: Reals
    normal: Reals
    outward: Reals
    vertex: Reals
    vertices: Ints
    across: Ints
    rings: list[list[int]]
    box: Reals
    below: Ints
    deviation: float = 0.0
    """Of the triangles from the surface that they stand for, at most [m]."""

    @property
    def reach(self) -> float:
        """Distance of the furthest corner from the origin [m]."""
        return float(np.max(np.linalg.norm(self.corner.reshape(-1, 3), axis=1)))


def surface_of(shape: Shape) -> Surface:
    """The triangles of a mesh's file, or of a height field; raises ValueError that says why there are none."""
    if shape.kind == "heightfield":
        return surface(heightfield_triangles(shape))
    if shape.kind in AS_TRIANGLES:
        triangles, deviation = _triangles_of(shape)
        return surface(triangles)._replace(deviation=deviation)
    from duoti.formats.mesh.mesh import MeshError, read_mesh

    try:
        triangles = read_mesh(shape.file)
    except (MeshError, OSError) as error:
        raise ValueError(f"the mesh {shape.file} cannot be read: {error}") from error
    scale = np.array([shape["scale_x"], shape["scale_y"], shape["scale_z"]])
    given = triangles * scale
    if np.prod(scale) < 0.0:
        given = given[:, ::-1]  # mirrored: what was counter-clockwise is clockwise
    try:
        return surface(given)
    except ValueError as error:
        raise ValueError(f"the mesh {shape.file}: {error}") from None


def _triangles_of(shape: Shape) -> tuple[Reals, float]:
    """Triangles whose corners are on a torus or a surface with a profile, and how far they are from it at most [m]."""
    if shape.kind == "torus":
        ring, tube = shape["ring_radius"], shape["tube_radius"]
        around, deviation = _circle(ring + tube, ring + tube)
        across, other = _circle(tube, ring + tube)
        r, z = ring + tube * across[:, 0], tube * across[:, 1]
        return _turned(np.column_stack([r, z]), around), deviation + other
    x, height = outline(shape, SAMPLES).T
    size = float(max(np.ptp(x), np.ptp(height)) if shape.kind == "extrusion" else max(np.ptp(x), np.max(height)))
    kept = _few(x, height, FINE * size)
    if shape.kind == "extrusion":
        half = 0.5 * shape["length"]
        lines = np.array([[(x[k], y, height[k]) for k in kept] for y in (-half, half)])
        return _between(lines[0], lines[1]), FINE * size
    around, deviation = _circle(float(np.max(height)), size)
    ends = [(0.0, x[0]), *((height[k], x[k]) for k in kept), (0.0, x[-1])]
    return _turned(np.array(ends), around), deviation + FINE * size


def _circle(radius: float, size: float) -> tuple[Reals, float]:
    """Corners of a closed polygon in a unit circle, the first one twice, and its deviation at this radius [m]."""
    n = max(LEAST, int(np.ceil(np.pi / np.arccos(1.0 - min(FINE * size / radius, 0.5)))))
    angle = 2.0 * np.pi * np.arange(n + 1) / n
    angle[-1] = 0.0
    return np.column_stack([np.cos(angle), np.sin(angle)]), radius * (1.0 - float(np.cos(np.pi / n)))


def _few(x: Reals, y: Reals, most: float) -> list[int]:
    """Points of a curve whose polygon is nowhere further from the others than `most`: as far apart as that allows."""
    kept = [0]
    for k in range(2, len(x)):
        i = kept[-1]
        between = y[i] + (y[k] - y[i]) * (x[i + 1 : k] - x[i]) / (x[k] - x[i])
        if np.max(np.abs(between - y[i + 1 : k])) > most:
            kept.append(k - 1)
    return [*kept, len(x) - 1]


def _turned(outline: Reals, around: Reals) -> Reals:
    """Triangles of a line of points (radius, z) that turns about z; what is inside is on the left of the line."""
    lines = [np.column_stack([r * around[:, 0], r * around[:, 1], np.full(len(around), z)]) for r, z in outline]
    return np.concatenate([_between(a, b) for a, b in pairwise(lines)])


def _between(a: Reals, b: Reals) -> Reals:
    """Triangles between two lines with as many points, seen from where b is on the left of a."""
    one = np.stack([a[:-1], a[1:], b[1:]], axis=1)
    return np.concatenate([one, np.stack([a[:-1], b[1:], b[:-1]], axis=1)])


def surface(triangles: Any) -> Surface:
    """Neighbours and boxes of triangles [n, 3, 3]; those without area are left out."""
    given = np.asarray(triangles, dtype=float).reshape(-1, 3, 3)
    extent = float(np.max(np.ptp(given.reshape(-1, 3), axis=0)))
    n = np.cross(given[:, 1] - given[:, 0], given[:, 2] - given[:, 0])
    area = np.linalg.norm(n, axis=1)
    sound = area > NO_AREA * extent**2
    if not np.any(sound):
        raise ValueError("it has no triangles with an area")
    given, normal = given[sound], n[sound] / area[sound, None]
    order, box, below = _tree(given)
    given, normal = given[order], normal[order]
    along = np.roll(given, -1, axis=1) - given
    along /= np.linalg.norm(along, axis=2)[:, :, None]
    outward = np.cross(along, normal[:, None, :])
    vertex, vertices = _vertices(given, SAME_POINT * extent)
    across, rings = _neighbours(vertices, len(vertex))
    return Surface(given.reshape(-1, 9), normal, outward.reshape(-1, 9), vertex, vertices, across, rings, box, below)


def _vertices(given: Reals, near: float) -> tuple[Reals, Ints]:
    """Corners that are one, and their numbers in the triangles."""
    from scipy.spatial import KDTree

    points = given.reshape(-1, 3)
    first = np.arange(len(points))
    for i, j in KDTree(points).query_pairs(near, output_type="ndarray"):
        low, high = sorted((_root(first, int(i)), _root(first, int(j))))
        first[high] = low
    roots, numbers = np.unique([_root(first, k) for k in range(len(points))], return_inverse=True)
    return points[roots], np.asarray(numbers, np.int64).reshape(-1, 3)


def _neighbours(vertices: Ints, count: int) -> tuple[Ints, list[list[int]]]:
    """Corners across the edges, -1 at edges that are open, or of three triangles; and vertices around each one."""
    owners: dict[tuple[int, int], list[tuple[int, int]]] = {}
    rings: list[dict[int, None]] = [{} for _ in range(count)]
    for t, corners in enumerate(vertices.tolist()):
        for e in range(3):
            a, b = corners[e], corners[(e + 1) % 3]
            rings[a][b] = rings[b][a] = None
            owners.setdefault((min(a, b), max(a, b)), []).append((t, e))
    found = np.full_like(vertices, -1)
    for sides in owners.values():
        if len(sides) == 2:
            (t, e), (u, f) = sides
            found[t, e], found[u, f] = vertices[u, (f + 2) % 3], vertices[t, (e + 2) % 3]
    return found, [list(each) for each in rings]


def _root(first: Any, k: int) -> int:
    while first[k] != k:
        k = int(first[k])
    return k


def _tree(given: Reals) -> tuple[Ints, Reals, Ints]:
    """Order of the triangles, boxes of the nodes, and what is below each: split at the median of the longest side."""
    low, high, centre = given.min(axis=1), given.max(axis=1), given.mean(axis=1)
    boxes: list[Any] = []
    below: list[list[int]] = []
    order: list[int] = []
    stack: list[tuple[Any, int, int]] = [(np.arange(len(given)), -1, 0)]
    while stack:
        members, parent, side = stack.pop()
        node = len(boxes)
        if parent >= 0:
            below[parent][side] = node
        boxes.append(np.concatenate([low[members].min(axis=0), high[members].max(axis=0)]))
        if len(members) <= LEAF:
            below.append([-1 - len(order), len(members)])
            order += members.tolist()
            continue
        below.append([0, 0])
        axis = int(np.argmax(np.ptp(centre[members], axis=0)))
        half = len(members) // 2
        split = members[np.argpartition(centre[members, axis], half)]
        stack += [(split[half:], node, 1), (split[:half], node, 0)]
    return np.array(order, np.int64), np.array(boxes), np.array(below, np.int64)


def pack_surfaces(made: list[Surface]) -> Surfaces:
    """The arrays of all meshes."""
    node = triangle = vertex = 0
    roots: list[int] = []
    below: list[Any] = [np.zeros((0, 2), np.int64)]
    corners: list[Any] = [np.zeros((0, 3), np.int64)]
    across: list[Any] = [np.zeros((0, 3), np.int64)]
    rings: list[list[int]] = []
    for each in made:
        roots.append(node)
        leaf = each.below[:, :1] < 0
        moved = np.where(leaf, each.below - [triangle, 0], each.below + node)
        below.append(moved)
        corners.append(each.vertices + vertex)
        across.append(np.where(each.across >= 0, each.across + vertex, -1))
        rings += [[vertex + k for k in ring] for ring in each.rings]
        node, triangle, vertex = node + len(each.box), triangle + len(each.corner), vertex + len(each.vertex)
    joined = np.concatenate

    def stacked(name: str, width: int) -> Reals:
        return joined([np.zeros((0, width)), *(getattr(each, name) for each in made)])

    return Surfaces(
        root=np.array(roots, np.int64), reach=np.array([each.reach for each in made], dtype=float),
        corner=stacked("corner", 9), normal=stacked("normal", 3), outward=stacked("outward", 9),
        vertex=stacked("vertex", 3), vertices=joined(corners).astype(np.int64), across=joined(across).astype(np.int64),
        ring_first=np.cumsum([0, *(len(ring) for ring in rings)]).astype(np.int64),
        ring=np.array([k for ring in rings for k in ring], np.int64),
        box=stacked("box", 6), below=joined(below).astype(np.int64),
    )  # fmt: skip
