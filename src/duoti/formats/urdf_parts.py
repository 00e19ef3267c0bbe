"""What the links of a URDF hold: inertia, shapes, colours."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from duoti.formats.inertias import checked_inertia
from duoti.formats.mesh import READABLE
from duoti.formats.reading import Reading
from duoti.formats.xml_tree import Element
from duoti.spatial import Inertia, Pose, Rotation, Shape

MOMENTS = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")


class Materials(NamedTuple):
    """Colours by the name of the material."""

    colour: dict[str, str]


def origin(reading: Reading, owner: Element) -> Pose:
    """Pose of the `origin` of an element; nothing, or empty attributes, mean the identity."""
    given = owner.find("origin")
    if given is None:
        return Pose()
    reading.unknown(given, ("xyz", "rpy", "quat_xyzw"), ())
    xyz = reading.numbers(given, "xyz") if given.get("xyz") else np.zeros(3)
    if given.get("quat_xyzw"):
        x, y, z, w = reading.numbers(given, "quat_xyzw", 4, (0.0, 0.0, 0.0, 1.0)).tolist()
        length = math.hypot(w, x, y, z)
        if length < 1e-12:
            reading.error(given, "the quaternion has no length")
            return Pose()
        return Pose(Rotation(np.array([w, x, y, z]) / length), xyz)
    rpy = reading.numbers(given, "rpy") if given.get("rpy") else np.zeros(3)
    rotation = Rotation.from_euler("xyz", rpy) if np.any(rpy) else Rotation.identity()
    return Pose(rotation, xyz)


def inertial(reading: Reading, link: Element) -> Inertia | None:
    """Inertia of a link in its frame; None if it has no mass and no moments."""
    given = link.find("inertial")
    if given is None:
        return None
    reading.unknown(given, (), ("origin", "mass", "inertia"))
    mass, matrix = 0.0, np.zeros((3, 3))
    if (element := given.find("mass")) is not None:
        reading.unknown(element, ("value",), ())
        if reading.required(element, "value"):
            mass = reading.positive(element, "value")
    else:
        reading.error(given, f'link "{link.get("name")}": its inertial has no mass', 'write <mass value="..."/>')
    if (element := given.find("inertia")) is not None:
        reading.unknown(element, MOMENTS, ())
        xx, yy, zz, xy, xz, yz = (reading.number(element, name) for name in MOMENTS)
        matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    elif mass:
        reading.note(given, f'link "{link.get("name")}": it has a mass but no inertia; taken as a point mass')
    if mass == 0.0 and not np.any(matrix):
        return None
    X = origin(reading, given)
    inertia = checked_inertia(reading, given, f'link "{link.get("name")}"', mass, np.zeros(3), matrix)
    return inertia.moved(X)


def colours(reading: Reading, materials: list[Element]) -> Materials:
    """Colours of the materials that are declared for the whole robot."""
    found = Materials({})
    for material in materials:
        _colour(reading, material, found)
    return found


def _colour(reading: Reading, material: Element, known: Materials) -> str:
    reading.unknown(material, ("name",), ("color", "texture"))
    if (texture := material.find("texture")) is not None:
        reading.note(texture, "textures are left out", drawn=True)
    name, colour = material.get("name"), material.find("color")
    if colour is None:
        return known.colour.get(name, "")
    reading.unknown(colour, ("rgba", "rgb"), ())
    attribute = "rgb" if colour.get("rgb") else "rgba"
    if not colour.get(attribute):
        return known.colour.get(name, "")
    rgba = reading.numbers(colour, attribute, (3, 4), (0.7, 0.7, 0.7, 1.0))
    text = rgb_text(rgba.tolist())
    if name:
        known.colour.setdefault(name, text)
    return text


def rgb_text(rgba: list[float]) -> str:
    """#rrggbb of numbers from 0 to 1."""
    return "#" + "".join(f"{round(255 * min(max(x, 0.0), 1.0)):02x}" for x in rgba[:3])


def link_shapes(reading: Reading, link: Element, materials: Materials, touching: bool) -> list[Shape]:
    """What to draw: the visual shapes; if none of them can be drawn, the collision shapes.

    touching: the collision shapes alone, which contacts will use.
    """
    name = link.get("name")
    collisions = link.all("collision")
    if touching:
        return _shapes(reading, collisions, name, materials, quiet=False)
    shapes = _shapes(reading, link.all("visual"), name, materials, quiet=False)
    if collisions:
        n = len(collisions)
        text = "a collision shape" if n == 1 else f"{n} collision shapes"
        remedy = "load_urdf(..., contacts=dt.RigidContact(friction=0.5)) lets links touch"
        reading.note(collisions[0], f'link "{name}": {text}; {remedy}', changes_motion=False)
    return shapes or _shapes(reading, collisions, name, materials, quiet=True)


def _shapes(reading: Reading, owners: list[Element], link: str, materials: Materials, quiet: bool) -> list[Shape]:
    found: list[Shape] = []
    for owner in owners:
        reading.unknown(
            owner, ("name", "concave"), ("origin", "geometry", "material", "verbose", "contact_coefficients")
        )
        material, geometry = owner.find("material"), owner.find("geometry")
        colour = "" if material is None else _colour(reading, material, materials)
        X = origin(reading, owner)
        if geometry is None or not geometry.children:
            if not quiet:
                reading.note(owner, f'link "{link}": it has no geometry', drawn=True)
            continue
        shape = _shape(reading, geometry.children[0], link, colour, quiet)
        if shape is not None:
            found.append(shape.moved(X))
    return found


def _shape(reading: Reading, given: Element, link: str, colour: str, quiet: bool) -> Shape | None:
    if given.tag == "box":
        reading.unknown(given, ("size",), ())
        return Shape.box(np.abs(reading.numbers(given, "size")), colour=colour)
    if given.tag == "sphere":
        reading.unknown(given, ("radius",), ())
        return Shape.sphere(reading.positive(given, "radius"), colour=colour)
    if given.tag in ("cylinder", "capsule"):
        reading.unknown(given, ("radius", "length"), ())
        make = Shape.cylinder if given.tag == "cylinder" else Shape.capsule
        return make(reading.positive(given, "radius"), reading.positive(given, "length"), colour=colour)
    if given.tag != "mesh":
        if not quiet:
            reading.note(given, f'link "{link}": a shape of this kind is not drawn', drawn=True)
        return None
    reading.unknown(given, ("filename", "scale"), ())
    scale = reading.numbers(given, "scale", (3, 1, 4), (1.0, 1.0, 1.0)) if given.get("scale") else np.ones(3)
    if len(scale) == 4:
        reading.note(given, f'link "{link}": the last of four scales is left out', drawn=True)
    file, why = reading.locate(reading.required(given, "filename"))
    if file is not None and file.suffix.lower() not in READABLE:
        file, why = None, f"{given.get('filename')}: only {', '.join(READABLE)} meshes are drawn"
    if file is None:
        if not quiet:
            reading.note(given, f'link "{link}": {why}; not drawn', drawn=True)
        return None
    return Shape.mesh(str(file), np.resize(scale[:3], 3), colour=colour)
