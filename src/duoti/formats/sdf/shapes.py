"""Visuals and collisions of SDFormat as shapes, and inertias of links."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from duoti.formats.mesh.mesh import READABLE
from duoti.formats.sdf.frames import is_true, pose_of, text_number, text_numbers, text_of
from duoti.formats.urdf.load import rgb_text
from duoti.formats.xml.inertias import checked_inertia
from duoti.formats.xml.reading import Reading
from duoti.formats.xml.xml_tree import Element
from duoti.spatial import Inertia, Pose, Rotation, Shape

WATER = 1000.0  # [kg/m^3] density where a file gives none
NO_COLOUR = ""
LEFT_OUT = ("laser_retro", "max_contacts", "surface", "enable_wind", "transparency", "cast_shadows", "visibility_flags",
            "meta", "plugin", "lidar_retro")  # fmt: skip


@dataclass
class Collision:
    """A collision of a link, with what its surface is like."""

    shape: Shape
    friction: float
    restitution: float


@dataclass
class LinkShapes:
    """What a link looks like and touches with."""

    visuals: list[Shape] = field(default_factory=list)
    collisions: list[Collision] = field(default_factory=list)


def link_shapes(reading: Reading, link: Element, touching: bool) -> LinkShapes:
    """Shapes of a link in its frame."""
    found = LinkShapes()
    for visual in link.all("visual"):
        if (shape := _placed(reading, visual, drawn=True)) is not None:
            found.visuals.append(shape)
    for collision in link.all("collision"):
        if (shape := _placed(reading, collision, drawn=not touching)) is not None:
            surface = collision.find("surface")
            ode = _inner(surface, "friction", "ode")
            friction = text_number(reading, ode, "mu", 1.0)
            if ode is not None and text_number(reading, ode, "mu2", friction) != friction and touching:
                reading.note(ode, f"friction in two directions: mu = {friction:g} is taken for both")
            bounce = text_number(reading, _inner(surface, "bounce"), "restitution_coefficient", 0.0)
            found.collisions.append(Collision(shape, friction, bounce))
    return found


def _inner(element: Element | None, *tags: str) -> Element | None:
    for tag in tags:
        element = None if element is None else element.find(tag)
    return element


def _placed(reading: Reading, owner: Element, drawn: bool) -> Shape | None:
    reading.unknown(owner, ("name",), ("pose", "geometry", "material", "density", "auto_inertia_params", *LEFT_OUT))
    X, relative = pose_of(reading, owner)
    if relative:
        reading.note(
            owner, f'its pose is relative to "{relative[:60]}"; only the frame of the link is read', drawn=drawn
        )
    geometry = owner.find("geometry")
    if geometry is None or not geometry.children:
        reading.note(owner, "it has no geometry", drawn=drawn)
        return None
    colour = _colour(reading, owner.find("material"))
    shape = _shape(reading, geometry.children[0], colour, drawn)
    return None if shape is None else shape.moved(X)


def _colour(reading: Reading, material: Element | None) -> str:
    if material is None:
        return NO_COLOUR
    for tag in ("diffuse", "ambient"):
        given = material.find(tag)
        if given is not None and given.text.strip():
            return rgb_text(text_numbers(reading, given, (4, 3), (0.7, 0.7, 0.7, 1.0)).tolist())
    if material.find("script") is not None or material.find("pbr") is not None:
        reading.note(material, "scripts and textures of materials are left out", drawn=True)
    return NO_COLOUR


def _shape(reading: Reading, given: Element, colour: str, drawn: bool) -> Shape | None:
    def length(tag: str, default: float = 1.0) -> float:
        value = text_number(reading, given, tag, default)
        if value < 0.0:
            reading.error(given, f"{tag} is {value:g}; it cannot be negative")
        return max(value, 0.0)

    match given.tag:
        case "box":
            return Shape.box(np.abs(text_numbers(reading, given.find("size"), 3, (1.0, 1.0, 1.0))), colour=colour)
        case "sphere":
            return Shape.sphere(length("radius"), colour=colour)
        case "cylinder":
            return Shape.cylinder(length("radius"), length("length"), colour=colour)
        case "capsule":
            return Shape.capsule(length("radius", 0.5), length("length"), colour=colour)
        case "ellipsoid":
            radii = text_numbers(reading, given.find("radii"), 3, (1.0, 1.0, 1.0))
            return Shape.ellipsoid(np.abs(radii), colour=colour)
        case "cone":
            radius, height = length("radius", 0.5), length("length")
            # its frame is in the middle of the axis, that of duoti's cone at the centre of mass
            shape = Shape("cone", (("radius", radius), ("height", height)), colour=colour)
            return shape.moved(Pose(Rotation.identity(), (0.0, 0.0, -0.25 * height)))
        case "plane":
            normal = text_numbers(reading, given.find("normal"), 3, (0.0, 0.0, 1.0))
            return Shape.plane(rotation=Rotation.between("z", normal / (np.linalg.norm(normal) or 1.0)), colour=colour)
        case "mesh":
            return _mesh(reading, given, colour, drawn)
        case "empty":
            return None
        case _:
            reading.note(given, "a geometry of this kind is left out", drawn=drawn)
            return None


def _mesh(reading: Reading, given: Element, colour: str, drawn: bool) -> Shape | None:
    if given.find("submesh") is not None:
        reading.note(given, "the whole mesh is taken, not the part that <submesh> names", drawn=drawn)
    uri = text_of(given, "uri")
    file, why = reading.locate(uri, Path(given.file).resolve().parent)
    if file is not None and file.suffix.lower() not in READABLE:
        file, why = None, f"{uri}: only {', '.join(READABLE)} meshes are read"
    if file is None:
        reading.note(given, why, drawn=drawn)
        return None
    scale = text_numbers(reading, given.find("scale"), 3, (1.0, 1.0, 1.0))
    return Shape.mesh(str(file), scale, colour=colour)


MOMENTS = (("ixx", 1.0), ("iyy", 1.0), ("izz", 1.0), ("ixy", 0.0), ("ixz", 0.0), ("iyz", 0.0))


def link_inertia(reading: Reading, link: Element) -> Inertia:
    """Inertia of a link in its frame; without any, SDFormat says 1 kg and 1 kg m^2 about each axis."""
    owner = f'link "{link.get("name")}"'
    given = link.find("inertial")
    if given is None:
        reading.note(link, f"{owner}: it has no inertial; 1 kg and 1 kg m² about each axis, as SDFormat says", False)
        return Inertia(1.0, (0.0, 0.0, 0.0), np.eye(3))
    known = ("pose", "mass", "inertia", "density", "auto_inertia_params", "fluid_added_mass", "frame")
    reading.unknown(given, ("auto",), known)
    if (water := given.find("fluid_added_mass")) is not None:
        reading.note(water, f"{owner}: added mass of a fluid is left out")
    if is_true(given.get("auto")):
        return _automatic(reading, link, given, owner)
    X, relative = pose_of(reading, given)
    if relative:
        reading.error(given, f"{owner}: the pose of an inertial is relative to the link, and to nothing else")
    mass = text_number(reading, given, "mass", 1.0)
    moments = given.find("inertia")
    xx, yy, zz, xy, xz, yz = (text_number(reading, moments, tag, default) for tag, default in MOMENTS)
    matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return checked_inertia(reading, given, owner, mass, np.zeros(3), matrix).moved(X)


_SOLIDS: dict[str, Any] = {
    "box": lambda m, d: Inertia.box(m, size=(d["size_x"], d["size_y"], d["size_z"])),
    "sphere": lambda m, d: Inertia.sphere(m, radius=d["radius"]),
    "cylinder": lambda m, d: Inertia.cylinder(m, radius=d["radius"], length=d["length"], axis="z"),
    "ellipsoid": lambda m, d: Inertia.ellipsoid(m, semi_axes=(d["semi_x"], d["semi_y"], d["semi_z"])),
    "cone": lambda m, d: Inertia.cone(m, radius=d["radius"], height=d["height"], axis="z"),
}
_VOLUMES: dict[str, Any] = {
    "box": lambda d: d["size_x"] * d["size_y"] * d["size_z"],
    "sphere": lambda d: 4.0 / 3.0 * np.pi * d["radius"] ** 3,
    "cylinder": lambda d: np.pi * d["radius"] ** 2 * d["length"],
    "ellipsoid": lambda d: 4.0 / 3.0 * np.pi * d["semi_x"] * d["semi_y"] * d["semi_z"],
    "cone": lambda d: np.pi * d["radius"] ** 2 * d["height"] / 3.0,
}


def _automatic(reading: Reading, link: Element, given: Element, owner: str) -> Inertia:
    """Inertia from the collisions and their densities."""
    general = text_number(reading, given, "density", WATER)
    total: Any = None
    for collision in link.all("collision"):
        shape = _placed(reading, collision, drawn=False)
        if shape is None or shape.kind not in _SOLIDS:
            reading.error(collision, f"{owner}: the inertia of this geometry is not computed",
                          "write mass and inertia into the file, without auto")  # fmt: skip
            continue
        sizes = dict(shape.dimensions)
        mass = text_number(reading, collision, "density", general) * _VOLUMES[shape.kind](sizes)
        part = _SOLIDS[shape.kind](mass, sizes)
        part = Inertia(part.mass, part.com, part.matrix).moved(shape.pose)
        total = part if total is None else total + part
    if total is None:
        reading.error(given, f"{owner}: auto needs collisions")
        return Inertia.point(1.0)
    if given.find("mass") is not None:
        factor = text_number(reading, given, "mass", 1.0) / total.mass
        total = Inertia(factor * total.mass, total.com, factor * np.asarray(total.matrix))
    return total
