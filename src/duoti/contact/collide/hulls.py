"""Convex hulls of the meshes and boxes that touch: corners, faces as polygons, edges, as arrays for kernels."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.spatial import Shape
from duoti.spatial.shape import heightfield_triangles
from duoti.system.arrays import Ints, Reals

FLAT = 1e-7  # sine of the angle between triangles that are one face, and part of the reach by which planes may differ
MOST_CORNERS = 400
"""Of a hull: two of them are compared in some milliseconds."""


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

    @property
    def reach(self) -> float:
        """Distance of the furthest vertex from the origin [m]."""
        return float(np.max(np.linalg.norm(self.vertex, axis=1)))


def hull_of(shape: Shape) -> Hull:
    """The hull of a box or of a mesh's file; raises ValueError that says why there is none."""
    if shape.kind == "box":
        half = 0.5 * np.array([shape["size_x"], shape["size_y"], shape["size_z"]])
        return convex_hull(half * np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]))
    if shape.kind == "heightfield":
        return convex_hull(heightfield_triangles(shape).reshape(-1, 3))
    from duoti.formats.mesh.mesh import MeshError, read_mesh

    try:
        triangles = read_mesh(shape.file)
    except (MeshError, OSError) as error:
        raise ValueError(f"the mesh {shape.file} cannot be read: {error}") from error
    scale = np.array([shape["scale_x"], shape["scale_y"], shape["scale_z"]])
    try:
        return convex_hull(triangles.reshape(-1, 3) * scale)
    except ValueError as error:
        raise ValueError(f"the mesh {shape.file}: {error}") from None


def convex_hull(points: Any) -> Hull:
    """The convex hull of points [n, 3], with triangles in one plane joined to polygons."""
    from scipy.spatial import ConvexHull, QhullError

    given = np.asarray(points, dtype=float)
    try:
        found = ConvexHull(given)
    except QhullError:
        raise ValueError("its points are all in a plane: it encloses nothing") from None
    used = np.unique(found.simplices)
    if len(used) > MOST_CORNERS:
        raise ValueError(
            f"its convex hull has {len(used)} corners, {MOST_CORNERS} at most are treated; give a coarser mesh for "
            "contacts"
        )
    place = {int(old): new for new, old in enumerate(used)}
    vertex = given[used]
    reach = float(np.max(np.linalg.norm(vertex, axis=1)))
    faces: list[list[int]] = []
    normals: list[Any] = []
    groups = _coplanar(found, reach)
    for group in groups:
        n = found.equations[group[0], :3]
        corners = list(dict.fromkeys(place[int(v)] for k in group for v in found.simplices[k]))
        faces.append(_ring(vertex, corners, n))
        normals.append(n)
    normal = np.array(normals)
    offset = np.array([float(np.max(vertex[face] @ n)) for face, n in zip(faces, normal, strict=True)])
    sides: dict[tuple[int, int], list[int]] = {}
    for f, face in enumerate(faces):
        for a, b in zip(face, [*face[1:], face[0]], strict=True):
            sides.setdefault((min(a, b), max(a, b)), []).append(f)
    edges = [(edge, (owners[0], owners[1])) for edge, owners in sides.items() if len(owners) == 2]
    return Hull(vertex, faces, normal, offset, [edge for edge, _ in edges], [owners for _, owners in edges])


def _coplanar(found: Any, reach: float) -> list[list[int]]:
    """Triangles of a hull by the planes that they are in, neighbours only."""
    planes, neighbours = found.equations, found.neighbors
    group = np.full(len(planes), -1)
    groups: list[list[int]] = []
    for start in range(len(planes)):
        if group[start] >= 0:
            continue
        group[start], members, stack = len(groups), [start], [start]
        while stack:
            here = stack.pop()
            for other in neighbours[here]:
                turned = np.linalg.norm(planes[other, :3] - planes[start, :3])
                if group[other] < 0 and turned < FLAT and abs(planes[other, 3] - planes[start, 3]) < FLAT * reach:
                    group[other] = len(groups)
                    members.append(int(other))
                    stack.append(int(other))
        groups.append(members)
    return groups


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
