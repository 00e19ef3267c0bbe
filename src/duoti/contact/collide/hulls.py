"""Convex hulls of the meshes and boxes that touch: corners, faces as polygons, edges, as arrays for kernels.

A hull with more than `MOST_CORNERS` corners is simplified (`simplify`): its corners are a subset of the mesh's, so that
it lies inside the exact hull.
"""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from duoti.spatial import Shape
from duoti.spatial.shape import heightfield_triangles
from duoti.system.arrays import Ints, Reals

FLAT = 1e-7  # sine of the angle between triangles that are one face, and part of the reach by which planes may differ
MOST_CORNERS = 400
"""Of a hull that is not simplified."""
SIMPLIFIED = 200
"""Bound of one that is: support points are looked for among all corners (a humanoid robot with 22 such hulls takes
49, 54 and 156 us a step with 100, 200 and 400)."""
DEVIATION = 1e-3
"""Part of the size of a mesh (diagonal of its bounding box) by which a simplified hull may differ from the exact one.
Corners are added until that is reached, or `SIMPLIFIED`. Plastic parts and castings are made to about this."""
SIDES = 128  # of the pyramid that a cone is to shapes other than planes: 3e-4 of its radius off
LARGE = 20_000  # points among which looking for equal ones takes less time than a hull of all
KEPT = 256  # hulls of files that are remembered


class Hulls(NamedTuple):
    """All hulls, one after the other, each in the frame of its shape."""

    range: Ints  # [hulls, 6] first and last vertex, face and edge
    reach: Reals  # [hulls] distance of the furthest vertex from the origin [m]
    vertex: Reals  # [vertices, 3]
    normal: Reals  # [faces, 3] outward
    offset: Reals  # [faces] normal . x of its points
    loop_first: Ints  # [faces + 1] where its corners begin in the next list
    loop: Ints  # [...] vertices, counter-clockwise from outside
    edge: Ints  # [edges, 2] vertices
    edge_normal: Reals  # [edges, 6] normals of the two faces
    corners: int  # room for the polygons of two faces that are cut off at each other


class Hull(NamedTuple):
    """One hull."""

    vertex: Reals
    faces: list[list[int]]
    normal: Reals
    offset: Reals
    edge: list[tuple[int, int]]
    edge_faces: list[tuple[int, int]]
    corners: int = 0
    """Of the exact hull; 0 if it is curved."""
    deviation: float = 0.0
    """Bound of the distance from a corner of the exact hull to this one [m]; 0: it is the exact one."""

    @property
    def reach(self) -> float:
        """Distance of the furthest vertex from the origin [m]."""
        return float(np.max(np.linalg.norm(self.vertex, axis=1)))


def hull_of(shape: Shape, only_corners: bool = False) -> Hull:
    """The hull of a box or of a mesh's file; raises ValueError that says why there is none.

    only_corners: all its corners, without edges and faces.
    """
    if shape.kind == "box":
        half = 0.5 * np.array([shape["size_x"], shape["size_y"], shape["size_z"]])
        return convex_hull(half * np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]))
    if shape.kind == "cone":
        return cone_hull(shape["radius"], shape["height"])
    if shape.kind == "heightfield":
        points = heightfield_triangles(shape).reshape(-1, 3)
        return corners_of_hull(points) if only_corners else convex_hull(points)
    scale = (shape["scale_x"], shape["scale_y"], shape["scale_z"])
    try:
        date = os.stat(shape.file).st_mtime_ns
    except OSError:
        date = 0
    return _hull_of_file(shape.file, scale, date, only_corners)


def cone_hull(radius: float, height: float) -> Hull:
    """A pyramid in a cone about its centre of mass, the axis along z; its corners are on the rim."""
    angle = np.linspace(0.0, 2.0 * np.pi, SIDES, endpoint=False)
    rim = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), np.full(SIDES, -0.25 * height)])
    # the rim is farthest from it, half way between corners: from an edge of the base
    sagitta = radius * (1.0 - np.cos(np.pi / SIDES))
    return convex_hull(np.concatenate([rim, [(0.0, 0.0, 0.75 * height)]]))._replace(corners=0, deviation=sagitta)


@lru_cache(maxsize=KEPT)
def _hull_of_file(file: str, scale: tuple[float, float, float], date: int, only_corners: bool) -> Hull:
    """The hull of a mesh; the date of its file tells whether it has changed."""
    from duoti.formats.mesh.mesh import MeshError, read_mesh

    del date
    try:
        triangles = read_mesh(file)
    except (MeshError, OSError) as error:
        raise ValueError(f"the mesh {file} cannot be read: {error}") from error
    try:
        points = triangles.reshape(-1, 3) * np.array(scale)
        return corners_of_hull(points) if only_corners else convex_hull(points)
    except ValueError as error:
        raise ValueError(f"the mesh {file}: {error}") from None


def convex_hull(points: Any, most: int = MOST_CORNERS) -> Hull:
    """The convex hull of points [n, 3], with triangles in one plane joined to polygons; simplified beyond `most`."""
    from scipy.spatial import ConvexHull, QhullError

    given = _distinct(np.asarray(points, dtype=float))
    try:
        found = ConvexHull(given)
        used = np.unique(found.simplices)
        corners, deviation = len(used), 0.0
        if corners > most:
            given, deviation = simplify(given[used], min(most, SIMPLIFIED))
            found = ConvexHull(given)
            used = np.unique(found.simplices)
    except QhullError:
        raise ValueError("its points are all in a plane: it encloses nothing") from None
    vertex, place = given[used], np.full(len(given), -1)
    place[used] = np.arange(len(used))
    reach = float(np.max(np.linalg.norm(vertex, axis=1)))
    groups = _coplanar(found, reach)
    normal = found.equations[[group[0] for group in groups], :3]
    faces = _faces(vertex, place[found.simplices], groups, normal)
    offset = np.array([float(np.max(vertex[face] @ n)) for face, n in zip(faces, normal, strict=True)])
    sides: dict[tuple[int, int], list[int]] = {}
    for f, face in enumerate(faces):
        for a, b in zip(face, [*face[1:], face[0]], strict=True):
            sides.setdefault((min(a, b), max(a, b)), []).append(f)
    edges = [(edge, (owners[0], owners[1])) for edge, owners in sides.items() if len(owners) == 2]
    return Hull(
        vertex, faces, normal, offset, [edge for edge, _ in edges], [owners for _, owners in edges], corners, deviation
    )


def corners_of_hull(points: Any) -> Hull:
    """The corners of the convex hull of points [n, 3], however many, without edges and faces."""
    from scipy.spatial import ConvexHull, QhullError

    given = _distinct(np.asarray(points, dtype=float))
    try:
        corner = given[np.unique(ConvexHull(given).simplices)]
    except QhullError:
        raise ValueError("its points are all in a plane: it encloses nothing") from None
    return Hull(corner, [], np.zeros((0, 3)), np.zeros(0), [], [], len(corner), 0.0)


def _distinct(points: Reals) -> Reals:
    """Points of large meshes, each once, in their order: triangles share their corners."""
    if len(points) < LARGE:
        return points
    row = np.ascontiguousarray(points + 0.0).view(np.dtype((np.void, points.itemsize * points.shape[1]))).ravel()
    return points[np.sort(np.unique(row, return_index=True)[1])]


def simplify(corner: Reals, most: int, part: float = DEVIATION) -> tuple[Reals, float]:
    """Corners of a convex body [n, 3] whose hull differs little from it, at most `most`; and by how much at most [m].

    Farthest points first: of the corners beyond each face of the hull so far the farthest, until none is farther than
    `part` of the size. A corner that is near enough stays so, since the hull only grows.
    """
    from scipy.spatial import ConvexHull

    size = float(np.linalg.norm(np.ptp(corner, axis=0)))
    directions = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if x or y or z])
    # along the body's own axes, too: one that is flat and oblique begins with a hull that has a volume
    axes = np.linalg.svd(corner - corner.mean(axis=0), full_matrices=False)[2]
    kept = np.unique(np.argmax(corner @ np.concatenate([directions, directions @ axes]).T, axis=0))
    beyond, deviation = np.setdiff1d(np.arange(len(corner)), kept), 0.0
    while True:
        face, distance = _distances(corner[kept], corner[beyond])
        outside = distance > part * size
        deviation = max(deviation, float(np.max(distance[~outside], initial=0.0)))
        beyond, face, distance = beyond[outside], face[outside], distance[outside]
        if not len(beyond) or len(kept) >= most:
            break
        order = np.lexsort((-distance, face))  # by faces, the farthest corner of each first
        first = order[np.unique(face[order], return_index=True)[1]]
        first = first[distance[first] >= 0.5 * distance.max()]
        first = first[np.argsort(-distance[first], kind="stable")][: most - len(kept)]
        kept, beyond = np.concatenate([kept, beyond[first]]), np.delete(beyond, first)
    least = deviation
    faces = ConvexHull(corner[kept]).simplices
    for k in np.argsort(-distance):  # the hull may have nearer faces
        if distance[k] <= least:
            break
        a, b, c = (corner[kept][faces[:, i]] for i in range(3))
        least = max(least, float(np.min(_from_triangles(a, b, c, np.broadcast_to(corner[beyond[k]], a.shape)))))
    return corner[np.sort(kept)], least


def _distances(kept: Reals, point: Reals) -> tuple[Ints, Reals]:
    """The face of the hull of `kept` that each point is farthest beyond, and its distance from it [m].

    The hull holds the face: the point is at most that far from it.
    """
    from scipy.spatial import ConvexHull

    found = ConvexHull(kept)
    face = np.argmax(point @ found.equations[:, :3].T + found.equations[:, 3], axis=1)
    a, b, c = (kept[found.simplices[face, k]] for k in range(3))
    return face, _from_triangles(a, b, c, point)


def _from_triangles(a: Reals, b: Reals, c: Reals, point: Reals) -> Reals:
    """Distances [n] of points from triangles, each from its own."""
    n = np.cross(b - a, c - a)
    n /= np.linalg.norm(n, axis=1)[:, None]
    height = np.einsum("ij,ij->i", point - a, n)
    foot, inside, nearest = point - height[:, None] * n, np.ones(len(point), dtype=bool), np.full(len(point), np.inf)
    for p, q in ((a, b), (b, c), (c, a)):
        along = q - p
        inside &= np.einsum("ij,ij->i", np.cross(along, foot - p), n) >= 0.0
        s = np.clip(np.einsum("ij,ij->i", point - p, along) / np.einsum("ij,ij->i", along, along), 0.0, 1.0)
        nearest = np.minimum(nearest, np.linalg.norm(point - p - s[:, None] * along, axis=1))
    return np.where(inside, np.abs(height), nearest)


def _coplanar(found: Any, reach: float) -> list[list[int]]:
    """Triangles of a hull by the planes that they are in, neighbours only."""
    planes, neighbours = found.equations, found.neighbors
    turned = np.linalg.norm(planes[neighbours, :3] - planes[:, None, :3], axis=2)
    alike = np.any((turned < 2.0 * FLAT) & (np.abs(planes[neighbours, 3] - planes[:, None, 3]) < 2.0 * FLAT * reach), 1)
    group = np.full(len(planes), -1)
    groups: list[list[int]] = []
    for start in range(len(planes)):
        if group[start] >= 0:
            continue
        group[start], members, stack = len(groups), [start], [start]
        while stack and alike[start]:  # most triangles have no neighbour in their plane
            here = stack.pop()
            for other in neighbours[here]:
                turn = np.linalg.norm(planes[other, :3] - planes[start, :3])
                if group[other] < 0 and turn < FLAT and abs(planes[other, 3] - planes[start, 3]) < FLAT * reach:
                    group[other] = len(groups)
                    members.append(int(other))
                    stack.append(int(other))
        groups.append(members)
    return groups


def _faces(vertex: Reals, simplices: Ints, groups: list[list[int]], normal: Reals) -> list[list[int]]:
    """Corners of each face, a polygon that is counter-clockwise about its normal."""
    lead = simplices[[group[0] for group in groups]]
    a, b, c = (vertex[lead[:, k]] for k in range(3))
    turned = np.einsum("ij,ij->i", np.cross(b - a, c - a), normal) > 0.0
    alone = np.where(turned[:, None], lead[:, [2, 0, 1]], lead[:, [1, 0, 2]]).tolist()
    return [
        alone[f] if len(group) == 1 else
        _ring(vertex, list(dict.fromkeys(simplices[group].ravel().tolist())), normal[f])
        for f, group in enumerate(groups)
    ]  # fmt: skip


def _ring(vertex: Reals, corners: list[int], n: Reals) -> list[int]:
    """Corners of a convex face, counter-clockwise about its normal."""
    centre = vertex[corners].mean(axis=0)
    first = vertex[corners[0]] - centre
    u = first / np.linalg.norm(first)
    w = np.cross(n, u)
    return sorted(corners, key=lambda v: float(np.arctan2((vertex[v] - centre) @ w, (vertex[v] - centre) @ u)))


def pack_hulls(hulls: list[Hull]) -> Hulls:
    """The arrays of all hulls."""
    v = f = e = 0
    rows: list[tuple[int, ...]] = []
    loops: list[list[int]] = []
    edges: list[tuple[int, int]] = []
    normals: list[Any] = []
    for hull in hulls:
        counts = (v + len(hull.vertex), f + len(hull.faces), e + len(hull.edge))
        rows.append((v, counts[0], f, counts[1], e, counts[2]))
        loops += [[v + k for k in face] for face in hull.faces]
        edges += [(v + a, v + b) for a, b in hull.edge]
        normals += [np.concatenate([hull.normal[i], hull.normal[j]]) for i, j in hull.edge_faces]
        v, f, e = counts
    longest = max((len(loop) for loop in loops), default=0)
    joined = np.concatenate
    return Hulls(
        range=np.array(rows, np.int64).reshape(-1, 6),
        reach=np.array([hull.reach for hull in hulls], dtype=float),
        vertex=joined([np.zeros((0, 3)), *(hull.vertex for hull in hulls)]),
        normal=joined([np.zeros((0, 3)), *(hull.normal for hull in hulls)]),
        offset=joined([np.zeros(0), *(hull.offset for hull in hulls)]),
        loop_first=np.cumsum([0, *(len(loop) for loop in loops)]).astype(np.int64),
        loop=np.array([k for loop in loops for k in loop], np.int64),
        edge=np.array(edges, np.int64).reshape(-1, 2),
        edge_normal=np.array(normals, dtype=float).reshape(-1, 6),
        corners=2 * longest + 2,
    )
