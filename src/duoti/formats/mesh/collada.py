"""Triangles of COLLADA files (.dae): the geometry alone, in metres.

The file's `unit` is applied. Its `up_axis` is not: robot descriptions mean the coordinates as they stand, whatever it
says (the same parts as STL files show it, and ROS's own readers turn them back).

Read are meshes of triangles, polygons and strips, placed by the nodes of the scene. Materials, lights, cameras,
animations and skins are not looked at.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duoti.formats.mesh.mesh import MAX_COORDINATE, MAX_TRIANGLES, MeshError
from duoti.formats.mesh.polygons import PolygonError, triangulated
from duoti.formats.xml.xml_tree import Element, XmlError, parse_xml
from duoti.spatial import Rotation

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
MAX_NODES = 20_000  # instances of nodes, which may refer to one another
PRIMITIVES = ("triangles", "polylist", "polygons", "tristrips", "trifans")


def collada_triangles(content: bytes, name: str) -> Array:
    """Triangles (n, 3 corners, 3 coordinates); raises MeshError."""
    try:
        root = parse_xml(content, name)
        return _Scene(root, name).triangles()
    except XmlError as fault:
        raise MeshError(f"{name}: {fault.message}") from None
    except PolygonError as fault:
        raise MeshError(f"{name}: {fault}") from None


@dataclass
class _Input:
    semantic: str
    source: str
    offset: int


class _Scene:
    """The elements of one file by their ids."""

    def __init__(self, root: Element, name: str):
        self.root, self.name = root, name
        self.by_id: dict[str, Element] = {}
        for element in root.walk():
            if element.get("id"):
                self.by_id.setdefault(element.get("id"), element)
        self.known: dict[str, Array] = {}
        self.nodes = 0

    def triangles(self) -> Array:
        found: list[Array] = []
        total = 0
        for scene in self._scenes():
            for node in scene.all("node"):
                for part in self._node(node, np.eye(4), 0):
                    total += len(part)
                    if total > MAX_TRIANGLES:
                        raise MeshError(f"{self.name}: more than {MAX_TRIANGLES} triangles")
                    found.append(part)
        if not found:
            return np.zeros((0, 3, 3))
        asset = self.root.find("asset")
        unit = asset.find("unit") if asset is not None else None
        metres = self._numbers(unit.get("meter", "1"), 1)[0] if unit is not None else 1.0
        return metres * np.concatenate(found)

    def _scenes(self) -> list[Element]:
        scene = self.root.find("scene")
        chosen = scene.find("instance_visual_scene") if scene is not None else None
        if chosen is not None and (element := self._referred(chosen)) is not None:
            return [element]
        return [each for library in self.root.all("library_visual_scenes") for each in library.all("visual_scene")]

    def _node(self, node: Element, X: Array, depth: int) -> list[Array]:
        self.nodes += 1
        if self.nodes > MAX_NODES or depth > 100:
            raise MeshError(f"{self.name}: more than {MAX_NODES} nodes, or nodes that contain themselves")
        for child in node:
            X = X @ self._transform(child)
        found: list[Array] = []
        for child in node:
            if child.tag == "node":
                found += self._node(child, X, depth + 1)
            elif child.tag == "instance_node" and (other := self._referred(child)) is not None:
                found += self._node(other, X, depth + 1)
            elif child.tag == "instance_geometry" and (geometry := self._referred(child)) is not None:
                corners = self._geometry(geometry)
                if len(corners):
                    found.append(corners @ X[:3, :3].T + X[:3, 3])
        return found

    def _transform(self, element: Element) -> Array:
        X = np.eye(4)
        if element.tag == "matrix":
            X = self._numbers(element.text, 16).reshape(4, 4)
        elif element.tag == "translate":
            X[:3, 3] = self._numbers(element.text, 3)
        elif element.tag == "scale":
            X[:3, :3] = np.diag(self._numbers(element.text, 3))
        elif element.tag == "rotate":
            x, y, z, angle = self._numbers(element.text, 4).tolist()
            length = math.hypot(x, y, z)
            if length > 1e-12:
                X[:3, :3] = Rotation.about((x / length, y / length, z / length), math.radians(angle)).matrix
        return X

    # ----------------------------------------------------------------------------------------------------- geometry

    def _geometry(self, geometry: Element) -> Array:
        key = geometry.get("id")
        if key not in self.known:
            mesh = geometry.find("mesh")
            parts = [] if mesh is None else [self._primitive(mesh, each) for each in mesh if each.tag in PRIMITIVES]
            self.known[key] = np.concatenate(parts) if parts else np.zeros((0, 3, 3))
        return self.known[key]

    def _primitive(self, mesh: Element, primitive: Element) -> Array:
        inputs = [_Input(each.get("semantic"), each.get("source"), int(self._numbers(each.get("offset", "0"), 1)[0]))
                  for each in primitive.all("input")]  # fmt: skip
        vertex = next((each for each in inputs if each.semantic == "VERTEX"), None)
        if vertex is None or not all(0 <= each.offset < 32 for each in inputs):
            raise MeshError(f"{self.name}:{primitive.line}: {primitive.tag} has no vertices")
        points = self._points(vertex.source)
        stride = 1 + max(each.offset for each in inputs)
        lists = [self._indices(p.text, stride, vertex.offset, len(points)) for p in primitive.all("p")]
        lists += [self._indices(p.text, stride, vertex.offset, len(points)) for ph in primitive.all("ph")
                  for p in ph.all("p")]  # fmt: skip
        return points[self._corners(primitive, points, lists)] if lists else np.zeros((0, 3, 3))

    def _corners(self, primitive: Element, points: Array, lists: list[Indices]) -> Indices:
        found: list[Indices] = []
        for index in lists:
            n = len(index)
            if primitive.tag == "triangles":
                found.append(index[: n - n % 3].reshape(-1, 3))
            elif primitive.tag == "polygons":
                found.append(triangulated(points, [index.tolist()]) if n > 2 else np.zeros((0, 3), dtype=np.int64))
            elif primitive.tag == "polylist":
                given = primitive.find("vcount")
                counts = self._numbers(given.text if given is not None else "", None).astype(int)
                if np.any(counts < 0) or counts.sum() > n:
                    raise MeshError(f"{self.name}:{primitive.line}: vcount and p do not fit together")
                if np.all(counts == 3):
                    found.append(index[: int(counts.sum())].reshape(-1, 3))
                    continue
                ends = np.cumsum(counts)
                faces = [
                    index[end - count : end].tolist() for end, count in zip(ends, counts, strict=True) if count > 2
                ]
                found.append(triangulated(points, faces))
            elif n > 2 and primitive.tag == "trifans":
                found.append(np.column_stack([np.full(n - 2, index[0]), index[1:-1], index[2:]]))
            elif n > 2:  # strips: every other triangle the other way round
                strip = np.column_stack([index[:-2], index[1:-1], index[2:]])
                strip[1::2] = strip[1::2, [1, 0, 2]]
                found.append(strip)
        return np.concatenate(found) if found else np.zeros((0, 3), dtype=np.int64)

    def _points(self, reference: str) -> Array:
        vertices = self.by_id.get(reference.removeprefix("#"))
        if vertices is not None and vertices.tag == "vertices":
            position = next((each for each in vertices.all("input") if each.get("semantic") == "POSITION"), None)
            vertices = None if position is None else self.by_id.get(position.get("source").removeprefix("#"))
        array = None if vertices is None else vertices.find("float_array")
        if vertices is None or array is None:
            raise MeshError(f"{self.name}: there is no source of vertices {reference[:80]}")
        technique = vertices.find("technique_common")
        accessor = technique.find("accessor") if technique is not None else None
        stride = int(self._numbers(accessor.get("stride", "1"), 1)[0]) if accessor is not None else 3
        numbers = self._numbers(array.text, None)
        stride = stride if 3 <= stride <= 32 else 3
        return numbers[: len(numbers) - len(numbers) % stride].reshape(-1, stride)[:, :3]

    def _indices(self, text: str, stride: int, offset: int, count: int) -> Indices:
        numbers = self._numbers(text, None)
        index = numbers[: len(numbers) - len(numbers) % stride].reshape(-1, stride)[:, offset].astype(np.int64)
        if len(index) and (index.min() < 0 or index.max() >= count):
            raise MeshError(f"{self.name}: a face has corners that do not exist")
        return index

    def _numbers(self, text: str, count: int | None) -> Array:
        try:
            values = np.array(text.split(), dtype=float)
        except ValueError as error:
            raise MeshError(f"{self.name}: {error}") from None
        if not np.all(np.isfinite(values)) or (values.size and np.abs(values).max() > MAX_COORDINATE):
            raise MeshError(f"{self.name}: some numbers are not finite")
        if count is not None and len(values) != count:
            raise MeshError(f"{self.name}: {len(values)} numbers where {count} are expected")
        return values

    def _referred(self, element: Element) -> Element | None:
        reference = element.get("url")
        return self.by_id.get(reference[1:]) if reference.startswith("#") else None
