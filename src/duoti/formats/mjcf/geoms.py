"""Geoms and meshes of MJCF: mass properties and what to draw."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from duoti.formats.mesh.mesh import READABLE, MeshError, Rule, hull_triangles, mesh_inertia, read_mesh
from duoti.formats.mjcf.document import Document
from duoti.formats.mjcf.hfields import HeightField, read_hfield
from duoti.formats.urdf.load import rgb_text
from duoti.formats.xml.reading import Array
from duoti.formats.xml.xml_tree import Element
from duoti.spatial import Inertia, Pose, Rotation, Shape, combined
from duoti.spelling import with_article

TYPES = ("sphere", "capsule", "cylinder", "box", "ellipsoid", "mesh", "plane", "hfield", "sdf")
SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}
RULES: tuple[Rule, ...] = ("legacy", "exact", "convex", "shell")
WATER = 1000.0  # kg/m³, MuJoCo's default density
LAST_VISIBLE_GROUP = 2  # MuJoCo's viewer shows groups 0 to 2; collision shapes are often in group 3


@dataclass
class Mesh:
    """An asset: its file if it has one, and its triangles once they are needed."""

    element: Element
    path: Path | None
    why: str
    scale: Array
    triangles: Array | None = None
    inertias: dict[Rule, Inertia] = field(default_factory=dict[Rule, Inertia])  # of density one
    fitted: dict[Any, tuple[Pose, list[float]]] = field(default_factory=dict[Any, tuple[Pose, list[float]]])
    """Poses and sizes of primitives in its place."""
    failed: bool = False


class Geoms:
    """Reads geoms; knows the assets."""

    def __init__(self, document: Document):
        self.document, self.reading = document, document.reading
        self.meshes: dict[str, Mesh] = {}
        self.hfields: dict[str, HeightField] = {}
        self.colours: dict[str, str] = {}
        for section in document.sections["asset"]:
            for asset in section:
                if asset.tag == "mesh":
                    self._read_mesh(document.defaults.effective(asset))
                elif asset.tag == "material":
                    self._read_material(document.defaults.effective(asset))
                elif asset.tag == "hfield":
                    self._read_hfield(document.defaults.effective(asset))
                elif asset.tag in ("texture", "skin"):
                    self.reading.note(asset, "left out; it is only drawn", drawn=True)
                else:
                    self.reading.note(asset, "not supported; left out")

    # ------------------------------------------------------------------------------------------------------- assets

    def _read_material(self, asset: Element) -> None:
        self.document.check(asset, "material")
        name = self.reading.required(asset, "name")
        if name and "rgba" in asset.attributes:
            self.colours[name] = rgb_text(self.reading.numbers(asset, "rgba", 4, (0.5, 0.5, 0.5, 1.0)).tolist())

    def _read_hfield(self, asset: Element) -> None:
        name = asset.get("name") or Path(asset.get("file").replace("\\", "/")).stem
        field = read_hfield(self.document, asset)
        if not name:
            self.reading.error(asset, "it has neither name nor file")
        elif field is not None:
            self.hfields[name] = field

    def _read_mesh(self, asset: Element) -> None:
        self.document.check(asset, "mesh")
        file = asset.get("file")
        name = asset.get("name") or Path(file.replace("\\", "/")).stem
        scale = self.reading.numbers(asset, "scale", 3, (1.0, 1.0, 1.0))
        if not name:
            self.reading.error(asset, "it has neither name nor file")
        elif name in self.meshes:
            self.reading.error(asset, f'a second mesh "{name[:80]}"; the first is at {self.meshes[name].element.line}')
        elif file:
            settings = self.document.settings_of(asset)
            path, why = self.reading.locate(settings.asset_path(file), settings.folder)
            self.meshes[name] = Mesh(asset, path, why, scale)
        else:
            self.meshes[name] = Mesh(asset, None, "it has no file", scale)

    def _triangles(self, mesh: Mesh) -> Array:
        """Triangles in metres; raises MeshError."""
        if mesh.triangles is None:
            asset = mesh.element
            if mesh.path is not None:
                corners = read_mesh(mesh.path)
            elif asset.get("vertex"):
                corners = self._inline(asset)
            else:
                raise MeshError(mesh.why)
            R = _unit(self.reading.numbers(asset, "refquat", 4, (1.0, 0.0, 0.0, 0.0)))
            mesh.triangles = ((corners - self.reading.numbers(asset, "refpos")) @ R.matrix) * mesh.scale
            if np.prod(np.sign(mesh.scale)) < 0:  # a reflection turns the triangles inside out
                mesh.triangles = mesh.triangles[:, ::-1]
        return mesh.triangles

    def _inline(self, asset: Element) -> Array:
        given = asset.get("vertex").split()
        points = self.reading.numbers(asset, "vertex", len(given)).astype(np.float32).astype(float)
        if len(given) % 3 or len(given) < 12 or len(given) > 1000:
            raise MeshError(f"vertex has {len(given)} numbers; 4 to 333 points of three are read")
        points = points.reshape(-1, 3)
        if not asset.get("face"):
            return hull_triangles(points)
        words = asset.get("face").split()
        index = self.reading.numbers(asset, "face", len(words)).astype(int)
        if len(words) % 3 or len(words) > 1000 or index.min() < 0 or index.max() >= len(points):
            raise MeshError("face is not a list of triples of vertices, counted from 0")
        return points[index.reshape(-1, 3)]

    def _mesh_inertia(self, geom: Element, mesh: Mesh) -> Inertia | None:
        """Of density one; faults are errors, because the mass depends on them."""
        usual = "exact" if self.document.settings_of(mesh.element).exact_meshes else "legacy"
        rule: Rule = self.reading.choice(mesh.element, "inertia", RULES, usual)  # pyright: ignore[reportAssignmentType]
        if geom.get("shellinertia") == "true":
            rule = "shell"
        if rule not in mesh.inertias and not mesh.failed:
            try:
                mesh.inertias[rule] = mesh_inertia(self._triangles(mesh), 1.0, rule)
            except (MeshError, ValueError) as error:
                mesh.failed = True
                self.reading.error(mesh.element, str(error), "give the body an <inertial>, or mend the mesh",
                                   "the mass of its body follows from this mesh")  # fmt: skip
        return mesh.inertias.get(rule)

    # -------------------------------------------------------------------------------------------------------- geoms

    def kind(self, geom: Element) -> str:
        """Type of a geom (with its defaults)."""
        return self.reading.choice(geom, "type", TYPES, "sphere")

    def pose_and_size(self, geom: Element, kind: str) -> tuple[Pose, list[float]]:
        """Pose in the body, and half-sizes; those of a primitive with a mesh are fitted to it."""
        needed = SIZES.get(kind, 0)
        if needed and geom.get("mesh"):
            return self._fitted(geom, kind)
        given = geom.get("size").split()
        size = self.reading.numbers(geom, "size", (1, 2, 3), (0.0,)).tolist()[:3] if given else []
        if any(s < 0.0 for s in size) and needed:
            self.reading.error(geom, f'size="{geom.get("size")}" has negative numbers')
        size = [abs(s) for s in size]
        if "fromto" in geom.attributes and kind in ("capsule", "cylinder", "box", "ellipsoid"):
            ends = self.reading.numbers(geom, "fromto", 6, (0.0, 0.0, 0.0, 0.0, 0.0, 1.0))
            along = ends[3:] - ends[:3]
            length = math.hypot(*along.tolist())
            if length < 1e-14:
                self.reading.error(geom, f'fromto="{geom.get("fromto")}": both ends are the same point')
                along, length = np.array([0.0, 0.0, 1.0]), 1.0
            radius = size[0] if size else 0.0
            size = [radius, 0.5 * length] if needed == 2 else [radius, radius, 0.5 * length]
            pose = Pose(Rotation.between("z", along), 0.5 * (ends[:3] + ends[3:]))
        else:
            pose = self.document.pose(geom)
        if len(size) < needed or not all(size[:needed]):
            if kind != "sphere" or size != [0.0]:
                self.reading.error(geom, f'{with_article(kind)} needs {needed} sizes; size="{geom.get("size")}"')
            size = [*size, *[1.0] * 3]
        return pose, size[: max(needed, 3)]

    def _fitted(self, geom: Element, kind: str) -> tuple[Pose, list[float]]:
        """Pose and half-sizes of a primitive in place of a mesh: by the box of the same inertia, or the bounding box.

        z is along the longest side of the box of inertia (the least moment); the bounding box has the same axes.
        """
        mesh = self.mesh_of(geom)
        unit = None if mesh is None else self._mesh_inertia(geom, mesh)
        if mesh is None or unit is None:
            return Pose(), [1.0, 1.0, 1.0]
        key = (id(unit), kind, geom.get("fitscale"), self.document.settings_of(geom).fit_box)
        if key not in mesh.fitted:
            mesh.fitted[key] = self._fit(geom, kind, mesh, unit)
        X, size = mesh.fitted[key]
        return self.document.pose(geom) @ X, list(size)

    def _fit(self, geom: Element, kind: str, mesh: Mesh, unit: Inertia) -> tuple[Pose, list[float]]:
        moments, axes = unit.principal()
        R = axes @ Rotation.about("y", 0.5 * math.pi)  # moments rise from x to z; here they are to fall
        scale, fall = self.reading.positive(geom, "fitscale", 1.0), moments[::-1]
        total, centre = float(np.sum(moments)), np.zeros(3)
        if self.document.settings_of(geom).fit_box:
            corners = (self._triangles(mesh).reshape(-1, 3) - unit.com) @ R.matrix
            low, high = corners.min(axis=0), corners.max(axis=0)
            box, centre = 0.5 * (high - low), 0.5 * (low + high)
            radius, ball = float(max(box[0], box[1])), float(np.max(box))
            caps = radius
        else:
            box = np.sqrt(np.maximum(0.5 * total - fall, 0.0) * 3.0 / unit.mass)
            radius, ball = 0.5 * float(box[0] + box[1]), float(np.mean(box))
            caps = 0.5 * radius
        long = float(box[2])
        sizes = {"sphere": [ball], "capsule": [radius, max(0.0, long - caps)], "cylinder": [radius, long]}
        size = [scale * x for x in sizes.get(kind, [float(b) for b in box])]
        return Pose(R, unit.com + R @ centre), [*size, 0.0, 0.0][:3]

    def mesh_of(self, geom: Element) -> Mesh | None:
        """The asset of a mesh geom; None, with an error, if there is none."""
        name = geom.get("mesh")
        if name not in self.meshes:
            self.reading.missing(geom, "mesh", name, self.meshes)
            return None
        return self.meshes[name]

    def inertia(self, geom: Element) -> Inertia | None:
        """Inertia in the body's frame; None for geoms without mass."""
        kind = self.kind(geom)
        if kind in ("plane", "hfield"):
            return None
        if kind == "sdf":
            self.reading.note(geom, "the mass of this kind of geom is not computed; left out")
            return None
        reading = self.reading
        mass = reading.positive(geom, "mass") if "mass" in geom.attributes else None
        density = reading.positive(geom, "density", WATER)
        if mass == 0.0 or (mass is None and density == 0.0):
            return None
        if kind == "mesh":
            mesh = self.mesh_of(geom)
            unit = None if mesh is None else self._mesh_inertia(geom, mesh)
            if unit is None:
                return None
            factor = density if mass is None else mass / unit.mass
            scaled = Inertia.as_given(factor * unit.mass, unit.com, factor * unit.matrix)
            return scaled.moved(self.document.pose(geom))
        if geom.get("shellinertia") == "true" and kind != "sphere":
            reading.note(geom, "shellinertia of this geom is left out; its mass is spread over its volume")
        X, size = self.pose_and_size(geom, kind)
        try:
            part = _primitive(kind, size, mass, density, geom.get("shellinertia") == "true")
        except (ValueError, ZeroDivisionError) as error:  # sizes whose product vanishes
            reading.error(geom, f'size="{geom.get("size")}": {error}')
            return None
        return part.moved(X) if part.mass > 0.0 else None

    def touching_shape(self, geom: Element) -> Shape | None:
        """What a geom touches others with, in the body's frame; None, with a note, if that is not known here."""
        kind = self.kind(geom)
        if kind == "plane":
            return Shape.plane().moved(self.document.pose(geom))
        if kind == "sdf":
            self.reading.note(geom, "a geom of the kind sdf does not touch others here")
            return None
        return self.shape(geom)

    def shape(self, geom: Element) -> Shape | None:
        """What to draw, in the body's frame."""
        kind = self.kind(geom)
        colour = self.colours.get(geom.get("material"), "")
        if geom.get("rgba"):
            colour = rgb_text(self.reading.numbers(geom, "rgba", 4, (0.5, 0.5, 0.5, 1.0)).tolist())
        if kind == "mesh":
            mesh = self.mesh_of(geom)
            if mesh is None:
                return None
            if mesh.path is None or mesh.path.suffix.lower() not in READABLE:
                why = mesh.why or f"{mesh.path.name if mesh.path else ''}: only {', '.join(READABLE)} are drawn"
                self.reading.note(geom, f"its mesh is not drawn: {why}", drawn=True)
                return None
            R = _unit(self.reading.numbers(mesh.element, "refquat", 4, (1.0, 0.0, 0.0, 0.0)))
            p = self.reading.numbers(mesh.element, "refpos")
            if np.any(p) or R.angle:
                if np.ptp(mesh.scale) > 0.0:
                    self.reading.note(geom, "its mesh is turned and scaled unevenly; not drawn", drawn=True)
                    return None
                X = Pose(R.inverse(), -mesh.scale[0] * (R.inverse() @ p))
                return Shape.mesh(str(mesh.path), mesh.scale, colour=colour).moved(self.document.pose(geom) @ X)
            return Shape.mesh(str(mesh.path), mesh.scale, colour=colour).moved(self.document.pose(geom))
        if kind == "hfield":
            field = self.hfields.get(geom.get("hfield"))
            if field is None:
                self.reading.missing(geom, "hfield", geom.get("hfield"), self.hfields)
                return None
            return field.shape(colour).moved(self.document.pose(geom))
        if kind in ("plane", "sdf"):
            return None
        X, size = self.pose_and_size(geom, kind)
        return _drawn(kind, size, colour).moved(X)


def _primitive(kind: str, size: list[float], mass: float | None, density: float, shell: bool) -> Inertia:
    given = {"mass": mass} if mass is not None else {"density": density}
    if kind == "sphere":
        if shell:
            return Inertia.shell(mass, size[0], density_per_area=None if mass is not None else density)
        return Inertia.sphere(radius=size[0], **given) if size[0] else Inertia.point(mass or 0.0)
    if kind == "box":
        return Inertia.box(size=[2.0 * s for s in size], **given)
    if kind == "ellipsoid":
        return Inertia.ellipsoid(semi_axes=size, **given)
    if kind == "cylinder":
        return Inertia.cylinder(radius=size[0], length=2.0 * size[1], **given)
    return capsule_inertia(size[0], 2.0 * size[1], mass, density)


def capsule_inertia(radius: float, length: float, mass: float | None, density: float) -> Inertia:
    """Cylinder of this length [m] along z with half a ball on either end."""
    ball, tube = 4.0 / 3.0 * math.pi * radius**3, math.pi * radius**2 * length
    rho = density if mass is None else mass / (ball + tube)
    # half a ball: its centre of mass is 3/8 of the radius from its flat side; about that side's centre it has half the
    # moments of the ball
    half, offset = 0.5 * rho * ball, 0.375 * radius
    across = 0.4 * half * radius**2 - half * offset**2
    own = np.diag([across, across, 0.4 * half * radius**2])
    ends = [Inertia(half, np.array([0.0, 0.0, s * (0.5 * length + offset)]), own) for s in (1.0, -1.0)]
    return combined([Inertia.cylinder(rho * tube, radius, length), *ends])


def _drawn(kind: str, size: list[float], colour: str) -> Shape:
    if kind == "sphere":
        return Shape.sphere(size[0], colour=colour)
    if kind == "box":
        return Shape.box([2.0 * s for s in size], colour=colour)
    if kind == "ellipsoid":
        x, y, z = size
        return Shape("ellipsoid", (("semi_x", x), ("semi_y", y), ("semi_z", z)), colour=colour)
    make = Shape.cylinder if kind == "cylinder" else Shape.capsule
    return make(size[0], 2.0 * size[1], colour=colour)


def _unit(quaternion: Array) -> Rotation:
    length = float(np.linalg.norm(quaternion))
    return Rotation(quaternion / length) if length > 1e-12 else Rotation.identity()
