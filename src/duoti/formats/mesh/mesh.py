"""Triangles from STL (binary, ASCII), OBJ, COLLADA and MSH files, and the mass properties of what they enclose."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from duoti.formats.mesh.polygons import PolygonError, triangulated
from duoti.formats.xml.xml_tree import XmlError, read_bytes
from duoti.spatial import Inertia

Array = NDArray[np.float64]
MAX_BYTES = 200_000_000
MAX_TRIANGLES = 2_000_000
MAX_COORDINATE = 1e30
READABLE = (".stl", ".obj", ".dae", ".msh")
Rule = Literal["exact", "legacy", "convex", "shell"]
TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


class MeshError(ValueError):
    """The file is no mesh that can be read, or encloses nothing."""


def read_mesh(path: str | Path) -> Array:
    """Triangles (n, 3 corners, 3 coordinates) in the file's own units, by the file's ending."""
    path = Path(path)
    kind = path.suffix.lower()
    if kind not in READABLE:
        raise MeshError(f"{path.name}: meshes are read from {', '.join(READABLE)} files, not {kind or 'others'}")
    try:
        content = read_bytes(path, MAX_BYTES)
    except XmlError as fault:
        raise MeshError(f"{path.name}: {fault.message}") from None
    triangles = _readers()[kind](content, path.name)
    if not len(triangles):
        raise MeshError(f"{path.name}: there are no triangles in it")
    if not np.all(np.isfinite(triangles)) or np.abs(triangles).max() > MAX_COORDINATE:
        raise MeshError(f"{path.name}: some coordinates are not finite")
    return triangles


def _readers() -> dict[str, Callable[[bytes, str], Array]]:
    from duoti.formats.mesh.collada import collada_triangles  # imports this module

    return {".stl": _stl, ".obj": _obj, ".msh": _msh, ".dae": collada_triangles}


def _msh(content: bytes, name: str) -> Array:
    """MuJoCo's former binary format: four counts, then vertices, normals, texture coordinates, faces."""
    counts = np.frombuffer(content, "<i4", 4) if len(content) >= 16 else np.zeros(4, dtype=np.int32)
    vertices, normals, textures, faces = (int(n) for n in counts)
    floats = 3 * vertices + 3 * normals + 2 * textures
    if min(counts) < 0 or not vertices or len(content) != 16 + 4 * (floats + 3 * faces) or faces > MAX_TRIANGLES:
        raise MeshError(f"{name}: not as long as the counts at its beginning state; cut off, or no MSH file of MuJoCo")
    points = np.frombuffer(content, "<f4", 3 * vertices, 16).astype(float).reshape(-1, 3)
    if not faces:
        return hull_triangles(points)
    index = np.frombuffer(content, "<i4", 3 * faces, 16 + 4 * floats).reshape(-1, 3)
    if index.min() < 0 or index.max() >= vertices:
        raise MeshError(f"{name}: a face has corners that do not exist")
    return points[index]


def _stl(content: bytes, name: str) -> Array:
    if len(content) >= 84:
        (count,) = struct.unpack_from("<I", content, 80)
        exact, ascii_too = len(content) == 84 + 50 * count, content[:5] == b"solid" and b"facet" in content[:1000]
        if 0 < count <= MAX_TRIANGLES and len(content) >= 84 + 50 * count and (exact or not ascii_too):
            return np.frombuffer(content, TRIANGLE, count, 84)["corners"].astype(float)
    words = content.decode("latin-1").split()
    if not words or words[0].lower() != "solid":
        raise MeshError(f"{name}: neither a binary STL of the length that it states nor an ASCII one (solid ...)")
    places = [i for i, word in enumerate(words) if word.lower() == "vertex"]
    return _numbers([word for i in places for word in words[i + 1 : i + 4]], 9, name).reshape(-1, 3, 3)


def _numbers(words: list[str], group: int, name: str) -> Array:
    if len(words) % group or len(words) > 9 * MAX_TRIANGLES:
        raise MeshError(f"{name}: the file is cut off, or too large")
    try:
        return np.array(words, dtype=np.float32).astype(float)  # the precision of STL; MuJoCo reads both kinds so
    except ValueError as error:
        raise MeshError(f"{name}: {error}") from None


def _obj(content: bytes, name: str) -> Array:
    corners: list[str] = []
    faces: list[list[int]] = []
    for number, line in enumerate(content.decode("latin-1").splitlines(), 1):
        words = line.split()
        if not words:
            continue
        if words[0] == "v":
            if len(words) < 4:
                raise MeshError(f"{name}:{number}: a vertex needs three numbers")
            corners += words[1:4]
        elif words[0] == "f":
            try:
                given = [int(word.partition("/")[0]) for word in words[1:]]
            except ValueError:
                raise MeshError(f"{name}:{number}: a face is a list of whole numbers") from None
            count = len(corners) // 3
            index = [i - 1 if i > 0 else count + i for i in given]
            if len(index) < 3 or min(index) < 0 or max(index) >= count:
                raise MeshError(f"{name}:{number}: a face has three or more corners, among the vertices before it")
            faces.append(index)
            if len(faces) > MAX_TRIANGLES:
                raise MeshError(f"{name}: more than {MAX_TRIANGLES} faces")
    if not faces:
        return np.zeros((0, 3, 3))
    points = _numbers(corners, 3, name).reshape(-1, 3)
    try:
        return points[triangulated(points, faces)]
    except PolygonError as fault:
        raise MeshError(f"{name}: {fault}") from None


def hull_triangles(points: Array) -> Array:
    """Triangles of the convex hull of points (n, 3), seen anticlockwise from outside."""
    from scipy.spatial import ConvexHull, QhullError  # only meshes need it, and it takes a quarter of a second

    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError):
        raise MeshError("the vertices do not span a volume") from None
    triangles = points[hull.simplices]
    centre = points[hull.vertices].mean(axis=0)
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    inward = np.einsum("ij,ij->i", normals, triangles[:, 0] - centre) < 0.0
    triangles[inward] = triangles[inward][:, ::-1]
    return triangles


def mesh_inertia(triangles: Array, density: float = 1.0, rule: Rule = "exact") -> Inertia:
    """Inertia of what the triangles enclose, of density [kg/m³] (a shell: [kg/m²]).

    "exact": tetrahedra from each triangle to a common apex, with their signs (the surface must be closed, its triangles
    seen anticlockwise from outside). "legacy": the same without signs, as older MuJoCo files mean it; it counts concave
    regions of a mesh that is not convex twice. "convex": the convex hull. "shell": the surface itself.
    """
    if rule == "convex":
        triangles = hull_triangles(triangles.reshape(-1, 3))
    if rule == "shell":
        return _shell(triangles, density)
    areas, centres = _faces(triangles)
    if not areas.sum() > 0.0:
        raise MeshError("its triangles have no area")
    apex = areas @ centres / areas.sum()
    volumes = _volumes(triangles - apex, rule)
    volume = volumes.sum()
    box = np.ptp(triangles.reshape(-1, 3), axis=0)
    if not volume > 1e-12 * float(np.prod(box)):
        raise MeshError(
            f"its triangles enclose {volume:.3g} m³; they must close, and be seen anticlockwise from outside"
        )
    com = apex + volumes @ (0.75 * (centres - apex)) / volume
    corners = triangles - com
    volumes = _volumes(corners, rule)
    # integral of r r^T over a tetrahedron with one corner in the origin: V/20 (sum of r_i r_i^T + s s^T),
    # with s the sum of r_i
    total = corners.sum(axis=1)
    second = np.einsum("t,tci,tcj->ij", volumes, corners, corners) + np.einsum("t,ti,tj->ij", volumes, total, total)
    return _from_second_moments(density * volumes.sum(), com, density * second / 20.0)


def _volumes(corners: Array, rule: Rule) -> Array:
    """Six-fold products of the tetrahedra between the triangles and the origin, over six."""
    signed = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0
    return np.abs(signed) if rule == "legacy" else signed


def _faces(triangles: Array) -> tuple[Array, Array]:
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    return 0.5 * np.linalg.norm(normals, axis=1), triangles.mean(axis=1)


def _shell(triangles: Array, density: float) -> Inertia:
    areas, centres = _faces(triangles)
    area = areas.sum()
    if not area > 0.0:
        raise MeshError("its triangles have no area")
    com = areas @ centres / area
    corners = triangles - com
    total = corners.sum(axis=1)
    second = np.einsum("t,tci,tcj->ij", areas, corners, corners) + np.einsum("t,ti,tj->ij", areas, total, total)
    return _from_second_moments(density * area, com, density * second / 12.0)


def _from_second_moments(mass: float, com: Array, second: Array) -> Inertia:
    """Inertia from the integral of r r^T dm about the centre of mass."""
    try:
        return Inertia(float(mass), com, np.trace(second) * np.eye(3) - second)
    except ValueError as error:
        raise MeshError(f"its triangles enclose no body, because they do not close: {error}") from None
