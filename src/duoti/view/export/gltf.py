"""Motions as glTF 2.0, the scene format of the Khronos group (ISO/IEC 12113).

Rigid bodies are nodes with channels of translation and rotation. A flexible body has one morph target for each mode,
whose weights are its modal coordinates: its motion is exact, not a series of meshes. The surface of a beam or cable is
a skin on one node for each of its sections. World axes are turned so that z points up, as glTF wants y to do: the root
node has that rotation, and the channels below it are in the axes of the model.
"""

from __future__ import annotations

import base64
import json
import re
import struct
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.model.elements import GROUND
from duoti.model.joints.base import quaternions_of
from duoti.results.result import Result
from duoti.version import __version__
from duoti.view.export.drawn import GREY, Chain, DrawnMotion, Surface, along_curve, swept_skin
from duoti.view.images.matplotlib_renderer import COLOURS, THIN

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
FLOAT, WORD, SHORT = 5126, 5125, 5123
KINDS = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
VERTICES, INDICES = 34962, 34963
CREASE = np.cos(np.radians(40.0))
"""Faces that meet at less than this angle are shaded as one."""
MOST_AT_POINT = 64  # faces at a point whose normals are averaged
FAINT = 0.25
COILS, AROUND_WIRE, PER_COIL = 7, 6, 16
Z_UP = [-(0.5**0.5), 0.0, 0.0, 0.5**0.5]
"""Quaternion, scalar last: z becomes y, y becomes -z."""


def export_gltf(result: Result, path: str | Path, rate: float | None = None) -> Path:
    """See `Result.export_gltf`."""
    target = Path(path)
    if target.suffix.lower() not in (".glb", ".gltf"):
        raise ValueError(f"{target}: the name of a glTF file ends in .glb (one binary file) or .gltf (text)")
    writer = _Writer(DrawnMotion(result, rate))
    if target.suffix.lower() == ".glb":
        target.write_bytes(writer.binary())
    else:
        target.write_text(writer.text(), encoding="utf-8", newline="\n")
    return target


class _Writer:
    """The document and the buffer of a glTF file."""

    def __init__(self, motion: DrawnMotion):
        self.motion, self.buffer = motion, bytearray()
        self.document: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": f"duoti {__version__}"},
            "scene": 0, "scenes": [{"name": motion.model.name, "nodes": [0]}],
            "nodes": [], "meshes": [], "materials": [], "accessors": [], "bufferViews": [],
        }  # fmt: skip
        self._known: dict[tuple[Any, ...], int] = {}
        self.channels: list[dict[str, Any]] = []
        self.samplers: list[dict[str, Any]] = []
        self.moving = len(motion.t) > 1
        self.start = float(motion.t[0]) if len(motion.t) else 0.0
        root = self.node(f"{motion.model.name} (z up)", None, rotation=Z_UP)
        self.document["nodes"][root]["extras"] = {
            "axes": "the children are in the axes of the duoti model: x, y, z in metres; z up becomes y up",
            "time": "seconds after the first output", "first_output": self.start,
        }  # fmt: skip
        self.bodies(root)
        self.chains(root)
        self.springs(root)
        if self.channels:
            self.document["animations"] = [
                {"name": motion.model.name, "channels": self.channels, "samplers": self.samplers}
            ]
        if motion.notes:
            self.document["asset"]["extras"] = {"notes": motion.notes}

    # ---------------------------------------------------------------------------------------------------- the file

    def _filled(self) -> dict[str, Any]:
        """The document without the lists that are empty, which glTF forbids."""
        whole = {key: value for key, value in self.document.items() if value not in ([], {})}
        return whole | ({"buffers": [{"byteLength": len(self.buffer)}]} if self.buffer else {})

    def binary(self) -> bytes:
        """A .glb file: a header, the document, the buffer."""
        text = json.dumps(self._filled(), separators=(",", ":"), allow_nan=False).encode()
        text += b" " * (-len(text) % 4)
        data = bytes(self.buffer) + b"\0" * (-len(self.buffer) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text
        if data:
            chunks += struct.pack("<I4s", len(data), b"BIN\0") + data
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks

    def text(self) -> str:
        """A .gltf file with the buffer in it."""
        whole = self._filled()
        if self.buffer:
            data = base64.b64encode(bytes(self.buffer)).decode("ascii")
            whole["buffers"][0]["uri"] = f"data:application/octet-stream;base64,{data}"
        return json.dumps(whole, indent=1, allow_nan=False)

    def accessor(self, values: NDArray[Any], target: int | None = None, bounds: bool = False) -> int:
        """The number of an accessor for rows of numbers; equal ones are written once."""
        kind = FLOAT if values.dtype.kind == "f" else (SHORT if values.size and values.max() < 65535 else WORD)
        if target is None and kind == WORD:
            kind = SHORT
        data = np.ascontiguousarray(values, dtype={FLOAT: "<f4", WORD: "<u4", SHORT: "<u2"}[kind])
        rows = data.reshape(len(data), -1)
        key = ("accessor", kind, rows.shape, target, blake2b(rows.tobytes(), digest_size=16).digest())
        if key in self._known:
            return self._known[key]
        self.buffer += b"\0" * (-len(self.buffer) % 4)
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self.buffer), "byteLength": rows.nbytes}
        self.buffer += rows.tobytes()
        self.document["bufferViews"].append(view | ({} if target is None else {"target": target}))
        found: dict[str, Any] = {
            "bufferView": len(self.document["bufferViews"]) - 1, "componentType": kind, "count": len(rows),
            "type": KINDS[rows.shape[1]],
        }  # fmt: skip
        if bounds:
            found |= {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        self.document["accessors"].append(found)
        self._known[key] = len(self.document["accessors"]) - 1
        return self._known[key]

    def node(self, name: str, parent: int | None, **more: Any) -> int:
        """A new node below another one."""
        nodes = self.document["nodes"]
        nodes.append({"name": name, **more})
        if parent is not None:
            nodes[parent].setdefault("children", []).append(len(nodes) - 1)
        return len(nodes) - 1

    def material(self, colour: str, faint: bool = False) -> int:
        """The number of a material."""
        key = ("material", colour, faint)
        if key not in self._known:
            rgb = [round(each, 6) for each in linear_rgb(colour)]
            found: dict[str, Any] = {
                "name": colour, "doubleSided": True,
                "pbrMetallicRoughness": {
                    "baseColorFactor": [*rgb, FAINT if faint else 1.0], "metallicFactor": 0.1, "roughnessFactor": 0.7,
                },
            }  # fmt: skip
            self.document["materials"].append(found | ({"alphaMode": "BLEND"} if faint else {}))
            self._known[key] = len(self.document["materials"]) - 1
        return self._known[key]

    def mesh(self, name: str, primitives: list[dict[str, Any]], **more: Any) -> int:
        """The number of a mesh; equal ones are written once."""
        key = ("mesh", json.dumps([primitives, more]))
        if key not in self._known:
            self.document["meshes"].append({"name": name, "primitives": primitives, **more})
            self._known[key] = len(self.document["meshes"]) - 1
        return self._known[key]

    def primitive(self, triangles: Array, material: int) -> dict[str, Any]:
        """Triangles [n, 3, 3] with normals."""
        points, normals, indices = shaded(triangles)
        attributes = {
            "POSITION": self.accessor(points, VERTICES, bounds=True), "NORMAL": self.accessor(normals, VERTICES),
        }  # fmt: skip
        return {"attributes": attributes, "indices": self.accessor(indices.ravel(), INDICES), "material": material}

    # ----------------------------------------------------------------------------------------------------- motions

    def animate(self, node: int, path: str, values: Array) -> None:
        """Rows over time of a node's translation, rotation, scale or weights; what stays is a number of the node."""
        self.document["nodes"][node][path] = np.asarray(values[0], dtype="<f4").astype(float).tolist()
        if not self.moving or np.all(values == values[0]):
            return
        times = self.accessor(self.motion.t[:, None] - self.start, bounds=True)
        # the numbers of all targets one after the other are rows of one number
        output = self.accessor(values.reshape(-1, 1) if path == "weights" else values)
        self.samplers.append({"input": times, "output": output, "interpolation": "LINEAR"})
        self.channels.append({"sampler": len(self.samplers) - 1, "target": {"node": node, "path": path}})

    def place(self, node: int, frames: Array) -> None:
        """Let a node move as frames [time, 12 or more]: rotation matrix, position."""
        self.animate(node, "translation", frames[:, 9:12])
        self.animate(node, "rotation", turning(frames[:, :9]))

    def bodies(self, root: int) -> None:
        """Nodes of all bodies, with their surfaces."""
        for name in [GROUND, *self.motion.names]:
            surfaces = self.motion.surfaces.get(name, [])
            if name == GROUND and not surfaces:
                continue
            node = self.node(name, root)
            if name != GROUND:
                self.place(node, self.motion.motion(name))
            if surfaces:
                self.document["nodes"][node]["mesh"] = self.mesh(name, self.primitives(surfaces))
            if name in self.motion.skins:
                self.flexible(name, node)

    def primitives(self, surfaces: Sequence[Surface]) -> list[dict[str, Any]]:
        """One primitive for each colour."""
        colours: dict[tuple[str, bool], list[Array]] = {}
        for each in surfaces:
            colours.setdefault((each.colour, each.faint), []).append(each.triangles)
        return [self.primitive(np.concatenate(parts), self.material(*key)) for key, parts in colours.items()]

    def flexible(self, name: str, parent: int) -> None:
        """The surface of a flexible body, bent by morph targets."""
        nodes, faces, modes = self.motion.skin_triangles(name)
        attributes = {
            "POSITION": self.accessor(nodes, VERTICES, bounds=True),
            "NORMAL": self.accessor(smooth_normals(nodes, faces), VERTICES),
        }
        primitive: dict[str, Any] = {
            "attributes": attributes, "indices": self.accessor(faces.ravel(), INDICES),
            "material": self.material(self.motion.colour_of(name)),
        }  # fmt: skip
        eta = self.motion.skins[name].eta
        count = modes.shape[2]
        if not count:
            self.node(f"{name}.surface", parent, mesh=self.mesh(name, [primitive]))
            return
        primitive["targets"] = [
            {"POSITION": self.accessor(modes[:, :, k], VERTICES, bounds=True)} for k in range(count)
        ]
        names = {"targetNames": [f"mode {k + 1}" for k in range(count)]}
        node = self.node(f"{name}.surface", parent, mesh=self.mesh(name, [primitive], extras=names))
        self.animate(node, "weights", eta)

    def chains(self, root: int) -> None:
        """Beams and cables."""
        for number, chain in enumerate(self.motion.chains):
            self.skinned(root, chain, GREY if chain.part.kind == "cable" else COLOURS[number % len(COLOURS)])

    def skinned(self, root: int, chain: Chain, colour: str) -> None:
        """The surface of a chain; each section moves with a node of its own."""
        skin = swept_skin(chain)
        group = self.node(chain.part.name, root)
        joints: list[int] = []
        for k in range(chain.frames.shape[1]):
            joints.append(self.node(f"{chain.part.name}.section{k + 1}", group))
            self.place(joints[-1], chain.frames[:, k])
        first = chain.frames[0]
        R, p = first[:, :9].reshape(-1, 3, 3), first[:, 9:]
        points = p[skin.station] + np.einsum("nij,nj->ni", R[skin.station][..., 1:], skin.local)
        bind = np.zeros((len(first), 4, 4))
        bind[:, :3, :3] = np.swapaxes(R, 1, 2)
        bind[:, :3, 3] = -np.einsum("nji,nj->ni", R, p)
        bind[:, 3, 3] = 1.0
        corners = points[skin.triangles]
        corner_points, normals, indices = shaded(corners, skin.station[skin.triangles])
        stations = skin.station[skin.triangles].reshape(-1)[first_corners(indices, len(corner_points))]
        bones = np.zeros((len(corner_points), 4), dtype=np.int64)
        bones[:, 0] = stations
        weights = np.zeros((len(corner_points), 4))
        weights[:, 0] = 1.0
        primitive = {
            "attributes": {
                "POSITION": self.accessor(corner_points, VERTICES, bounds=True),
                "NORMAL": self.accessor(normals, VERTICES), "JOINTS_0": self.accessor(bones, VERTICES),
                "WEIGHTS_0": self.accessor(weights, VERTICES),
            },
            "indices": self.accessor(indices.ravel(), INDICES), "material": self.material(colour),
        }  # fmt: skip
        columns = np.swapaxes(bind, 1, 2).reshape(-1, 16)  # matrices stand column by column
        self.document.setdefault("skins", []).append(
            {"joints": joints, "inverseBindMatrices": self.accessor(columns), "skeleton": group}
        )
        mesh = self.mesh(chain.part.name, [primitive])
        self.node(f"{chain.part.name}.surface", root, mesh=mesh, skin=len(self.document["skins"]) - 1)

    def springs(self, root: int) -> None:
        """Springs as coils that are stretched along their axis."""
        if not self.motion.springs:
            return
        mesh = self.mesh("spring", [self.primitive(_coil(), self.material(GREY))])
        width = 3.0 * THIN * self.motion.size
        for name, ends in self.motion.springs.items():
            frames = along_curve(ends)[:, 0]
            length = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
            node = self.node(name, root, mesh=mesh)
            self.place(node, frames)
            self.animate(node, "scale", np.column_stack([length, np.full((len(length), 2), width)]))


def turning(matrices: Array) -> Array:
    """Quaternions [time, 4], scalar last, of rotation matrices [time, 9]; neighbours have like signs."""
    q = quaternions_of(matrices.reshape(-1, 3, 3))[:, [1, 2, 3, 0]]
    flips = np.concatenate([[1.0], np.where(np.sum(q[1:] * q[:-1], axis=1) < 0.0, -1.0, 1.0)])
    return q * np.cumprod(flips)[:, None]


def smooth_normals(points: Array, triangles: Integers) -> Array:
    """A unit normal at each point, the mean of those of the triangles around it by their areas."""
    a, b, c = (points[triangles[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    found = np.zeros_like(points)
    for k in range(3):
        np.add.at(found, triangles[:, k], normal)
    size = np.linalg.norm(found, axis=1, keepdims=True)
    return np.where(size > 0.0, found / np.maximum(size, 1e-300), [0.0, 0.0, 1.0])


def shaded(triangles: Array, groups: Integers | None = None) -> tuple[Array, Array, Integers]:
    """Points, normals and triangles of indices of corners [n, 3, 3]; edges sharper than `CREASE` stay sharp.

    groups: [n, 3] numbers of corners that must not be joined with those of other numbers.
    """
    corners = np.ascontiguousarray(triangles.reshape(-1, 3), dtype="<f4")
    face = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    size = np.linalg.norm(face, axis=1, keepdims=True)
    unit = np.repeat(np.where(size > 0.0, face / np.maximum(size, 1e-300), [0.0, 0.0, 1.0]), 3, axis=0)
    area = np.repeat(face, 3, axis=0)
    _, place = np.unique(corners + np.float32(0.0), axis=0, return_inverse=True)
    place = place.reshape(-1)
    order = np.argsort(place, kind="stable")
    count = np.bincount(place)
    start = np.concatenate([[0], np.cumsum(count)])
    normals = unit.copy()
    few = order[count[place[order]] <= MOST_AT_POINT]
    many = count[place[few]]
    first = np.repeat(few, many)  # all pairs of corners in one place
    offsets = np.arange(len(first)) - np.repeat(np.cumsum(many) - many, many)
    second = order[start[place[first]] + offsets]
    near = np.sum(unit[first] * unit[second], axis=1) > CREASE
    total = np.zeros_like(unit)
    np.add.at(total, first[near], area[second[near]])
    size = np.linalg.norm(total, axis=1, keepdims=True)
    normals[few] = np.where(size > 0.0, total / np.maximum(size, 1e-300), unit)[few]
    rounded = np.round(normals, 5) + 0.0
    keys = np.column_stack([place, rounded] + ([] if groups is None else [groups.reshape(-1)]))
    _, chosen, index = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return corners[chosen].astype(float), normals[chosen], index.reshape(-1, 3)


def first_corners(indices: Integers, count: int) -> Integers:
    """For each point, a corner (number in the flat list) that is it."""
    found = np.zeros(count, dtype=np.int64)
    found[indices.ravel()] = np.arange(indices.size)
    return found


def _coil() -> Array:
    """Triangles of a coiled wire from (0, 0, 0) to (1, 0, 0), one wide."""
    turns = np.linspace(0.0, 2.0 * np.pi * COILS, COILS * PER_COIL + 1)
    x = np.linspace(0.15, 0.85, len(turns))
    wire = np.column_stack([x, np.cos(turns), np.sin(turns)])
    wire = np.vstack([[0.0, 0.0, 0.0], [0.15, 0.0, 0.0], wire, [0.85, 0.0, 0.0], [1.0, 0.0, 0.0]])
    frames = along_curve(wire[None])[0]
    angle = 2.0 * np.pi * np.arange(AROUND_WIRE) / AROUND_WIRE
    ring = np.column_stack([0.0 * angle, np.cos(angle), np.sin(angle)]) * 0.15
    points = wire[:, None] + np.einsum("nij,kj->nki", frames[:, :9].reshape(-1, 3, 3), ring) * [0.1, 1.0, 1.0]
    here, there = points, np.roll(points, -1, axis=1)
    a, b, c, d = here[:-1], there[:-1], there[1:], here[1:]
    return np.concatenate([np.stack([a, b, c], 2), np.stack([a, c, d], 2)]).reshape(-1, 3, 3)


HEX = re.compile(r"#([0-9a-fA-F]{6})(?:[0-9a-fA-F]{2})?")


def rgb(colour: str) -> tuple[float, float, float]:
    """Red, green and blue from 0 to 1, as screens have them; grey for a name that nobody knows."""
    match = HEX.fullmatch(colour)
    if match is None:
        try:
            from matplotlib.colors import to_rgb

            return to_rgb(colour)
        except (ImportError, ValueError):  # names need matplotlib
            return rgb(GREY)
    r, g, b = (int(match[1][k : k + 2], 16) / 255.0 for k in (0, 2, 4))
    return r, g, b


def linear_rgb(colour: str) -> list[float]:
    """The same as amounts of light, as glTF wants them (IEC 61966-2-1)."""
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb(colour)]
