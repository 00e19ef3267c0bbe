"""Robots from URDF files.

A link becomes a body whose frame is the link's; a joint lies at a marker on its parent, which has the place and the
axes of the joint's origin. A link without mass that is fixed to another becomes a marker on it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from duoti.formats.mesh.mesh import READABLE
from duoti.formats.xml.inertias import checked_inertia
from duoti.formats.xml.names import free_name, marker_name
from duoti.formats.xml.reading import Reading
from duoti.formats.xml.xacro import expand_xacro
from duoti.formats.xml.xml_tree import Element, XmlError, parse_xml
from duoti.model.constraints.coupler import Coupler
from duoti.model.contacts.base import ContactLaw
from duoti.model.elements import GROUND, Body
from duoti.model.forces.joint_damping import JointDamping
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.joints import Joint
from duoti.model.joints.fixed import Fixed
from duoti.model.joints.free import Free
from duoti.model.joints.planar import Planar
from duoti.model.joints.prismatic import Prismatic
from duoti.model.joints.revolute import Revolute
from duoti.model.model import Model
from duoti.spatial import Inertia, Pose, Rotation, Shape
from duoti.spelling import with_article
from duoti.strict import explained

# What the links of a URDF hold: inertia, shapes, colours.


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


JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
WITHOUT_AXIS = ("fixed", "floating")
NOT_MODELLED = {
    "transmission": "transmissions are left out",
    "gazebo": "settings of a simulator are left out",
    "mujoco": "settings of a simulator are left out",
    "sensor": "sensors are left out",
    "ros2_control": "controllers are left out",
    "loop_joint": "this is not part of URDF; add a joint or constraint to the model",
}
Base = Literal["fixed", "floating"]
BOUNDLESS = 1e9
"""Where URDF demands a number and there is none, duoti writes this, and reads it (and what is beyond) as none."""


@dataclass
class Link:
    """A link of the file.

    Once known: `carries` says whether it or anything beyond it has mass, `body` and `X_BL` which body it became part of
    and where.
    """

    name: str
    element: Element
    inertia: Inertia | None
    shapes: list[Shape]
    joints: list[UrdfJoint] = field(default_factory=list)
    carries: bool = False
    body: Body | None = None
    X_BL: Pose = field(default_factory=Pose)


@dataclass
class UrdfJoint:
    """A joint of the file between two links; X_PJ is its origin in the parent's frame."""

    name: str
    kind: str
    element: Element
    parent: str
    child: str
    X_PJ: Pose


@explained
def load_urdf(
    path: str | Path,
    *,
    package_paths: Iterable[str | Path] = (),
    base: Base = "fixed",
    strict: bool = False,
    allow_outside: bool = False,
    parameters: Mapping[str, float | str] | None = None,
    weld_massless: bool = False,
    contacts: ContactLaw | None = None,
) -> Model:
    """The model of a robot described in a URDF file, or by a xacro file (.xacro) if xacro is installed.

    All that is left out is in `model.import_notes`. Faults raise `ModelError` with all of them.

    Parameters
    ----------
    package_paths:
        Folders of packages, or folders that hold them, for `package://name/...`. Files are read only from there and
        from below the URDF's own folder, unless `allow_outside`.
    base:
        "fixed": the root link stands on ground; "floating": it is free.
    strict:
        What is left out although it may change the motion is an error instead of a warning.
    parameters:
        Arguments of a xacro file; a URDF has none.
    weld_massless:
        A link without mass at the end of a joint that moves makes accelerations undefined; weld it to its parent. If
        no link has a mass, nothing is welded.
    contacts:
        A law such as `RigidContact(friction=0.5)`: bodies have the collision shapes of their links, and those that no
        joint holds together touch each other, and the shapes of `model.ground`, by the contact "links". A URDF says
        nothing about friction. Left out, nothing touches, with a note.
    """
    if contacts is not None and not isinstance(contacts, ContactLaw):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"contacts={contacts!r}: give a law of contact such as dt.RigidContact(friction=0.5)")
    if base not in ("fixed", "floating"):
        raise ValueError(f'base is {base!r}; it is "fixed" or "floating"')
    reading = Reading(path, package_paths, allow_outside)
    if reading.path.suffix.lower() == ".xacro":
        root = _expanded(reading, parameters or {})
        parameters = None
    else:
        root = reading.parse(reading.path, str(path))
    reading.raise_faults()
    assert root is not None
    robot = _Robot(reading, root, contacts is not None)
    reading.raise_faults()
    model = robot.model(base, weld_massless)
    if contacts is not None and any(body.shapes for body in model.bodies.values()):
        model.add_contact("links", contacts, "all", "all")
    reading.set_parameters(model, parameters)
    return reading.finish(model, strict)


class _Robot:
    """The links and joints of a file, checked, and how they become a model."""

    def __init__(self, reading: Reading, root: Element, touching: bool = False):
        self.reading, self.touching = reading, touching
        self.links: dict[str, Link] = {}
        self.joints: dict[str, UrdfJoint] = {}
        self.title = root.get("name") or reading.path.stem
        if root.tag != "robot":
            hint = "MJCF files start with <mujoco>: load_mjcf reads them" if root.tag == "mujoco" else ""
            reading.error(root, f"a URDF starts with <robot>, not <{root.tag}>", hint)
            return
        if (macro := _first_macro(root)) is not None:
            reading.error(
                macro, "this is a xacro file, a program that makes a URDF",
                "name it .xacro and install xacro (pip install duoti[robots]), or expand it: xacro FILE > robot.urdf",
            )  # fmt: skip
            return
        for element in root:
            if element.tag.startswith("xacro:"):
                reading.note(element, "a tag of xacro that stayed behind; left out with all it holds")
        root.children = [element for element in root if not element.tag.startswith("xacro:")]
        reading.unknown(root, ("name", "version"), ("link", "joint", "material", *NOT_MODELLED))
        materials = colours(reading, root.all("material"))
        for element in root:
            if element.tag in NOT_MODELLED:
                reading.note(element, NOT_MODELLED[element.tag], changes_motion=element.tag == "loop_joint")
        for element in root.all("link"):
            self._read_link(element, materials)
        for element in root.all("joint"):
            self._read_joint(element)
        if not self.links:
            reading.error(root, "there is no link in it")
        self.root = self._check_tree(root)

    # ------------------------------------------------------------------------------------------------------ reading

    def _read_link(self, element: Element, materials: Materials) -> None:
        reading, name = self.reading, self.reading.required(element, "name")
        reading.unknown(element, ("name", "type"), ("inertial", "visual", "collision", "contact", "sensor", "gazebo"))
        for tag in ("contact", "sensor", "gazebo"):
            for child in element.all(tag):
                reading.note(child, f'in link "{name}": left out', changes_motion=False)
        if name in self.links:
            reading.error(element, f"a second link of this name; the first is at line {self.links[name].element.line}")
        elif name:
            inertia = inertial(reading, element)
            self.links[name] = Link(name, element, inertia, link_shapes(reading, element, materials, self.touching))

    def _read_joint(self, element: Element) -> None:
        reading, name = self.reading, self.reading.required(element, "name")
        known = ("parent", "child", "origin", "axis", "limit", "dynamics", "mimic", "calibration", "safety_controller")
        reading.unknown(element, ("name", "type", "dont_collapse", "preserveFixedJoint"), known)
        kind = reading.choice(element, "type", JOINT_TYPES, "fixed") if reading.required(element, "type") else "fixed"
        ends: list[str] = []
        for tag in ("parent", "child"):
            end = element.find(tag)
            if end is None:
                reading.error(element, f"it has no {tag}", f'write <{tag} link="..."/>')
                ends.append("")
                continue
            ends.append(reading.required(end, "link"))
            if ends[-1] and ends[-1] not in self.links:
                reading.missing(end, "link", ends[-1], self.links)
        for tag in ("calibration", "safety_controller"):
            if child := element.find(tag):
                reading.note(child, f'of joint "{name}": left out', changes_motion=False)
        if name in self.joints:
            reading.error(
                element, f"a second joint of this name; the first is at line {self.joints[name].element.line}"
            )
        elif name and all(ends):
            self.joints[name] = UrdfJoint(name, kind, element, ends[0], ends[1], origin(reading, element))

    def _check_tree(self, root: Element) -> str:
        """Name of the root link; faults of the graph are named."""
        reading, carried = self.reading, dict[str, UrdfJoint]()
        for joint in self.joints.values():
            if joint.parent not in self.links or joint.child not in self.links:
                return ""
            if joint.child in carried:
                reading.error(
                    joint.element, f'link "{joint.child}" already hangs on joint "{carried[joint.child].name}" '
                    f"(line {carried[joint.child].element.line})", "a URDF is a tree: each link is the child of one "
                    "joint; leave one out and close the loop in the model")  # fmt: skip
            carried.setdefault(joint.child, joint)
            self.links[joint.parent].joints.append(joint)
        roots = [name for name in self.links if name not in carried]
        if len(roots) > 1:
            first = self.links[roots[1]].element
            listed = ", ".join(f'"{name[:80]}"' for name in roots[:8]) + (", ..." if len(roots) > 8 else "")
            reading.error(first, f"{len(roots)} links hang on no joint: {listed}", "join all but one to the others")
        reached, frontier = set(roots), list(roots)
        while frontier:
            new = [j.child for j in self.links[frontier.pop()].joints if j.child not in reached]
            reached.update(new)
            frontier += new
        lost = [name for name in self.links if name not in reached]
        if lost and not reading.found.found:
            listed = ", ".join(f'"{name[:80]}"' for name in lost[:8]) + (", ..." if len(lost) > 8 else "")
            reading.error(self.links[lost[0]].element, f"the joints between {listed} form a ring without a beginning",
                          "turn one joint into the loop's closure: leave it out and add it to the model")  # fmt: skip
        return roots[0] if roots else ""

    # ----------------------------------------------------------------------------------------------------- building

    def model(self, base: Base, weld_massless: bool) -> Model:
        """Bodies, markers, joints and forces, outward from the root."""
        model = Model(self.title)
        order = [self.root]
        for name in order:  # grows while it is walked
            order += [joint.child for joint in self.links[name].joints]
        self._find_mass(order)
        if not self.links[self.root].carries and self.joints:
            self.reading.note(self.links[self.root].element, "no link has a mass: positions, velocities, Jacobians and "
                              "drawings are right; accelerations and simulations are refused")  # fmt: skip
        self._build_root(model, self.links[self.root], base)
        for name in order:
            for joint in self.links[name].joints:
                self._build(model, joint, weld_massless)
        for joint in self.joints.values():
            self._forces(model, joint)
        return model

    def _build_root(self, model: Model, link: Link, base: Base) -> None:
        if base == "floating":
            link.body = self._add_body(model, link)
            model.add_joint(free_name("floating_base", self.joints), Free(), model.ground, link.body)
        elif link.inertia is None:
            self._attach(model, link, model.ground, Pose())
        else:
            link.body = self._add_body(model, link)
            model.add_joint(free_name("fixed_base", self.joints), Fixed(), model.ground, link.body)

    def _add_body(self, model: Model, link: Link) -> Body:
        name = link.name
        if name == GROUND:
            name = free_name("ground_link", self.links)
            self.reading.note(link.element, f'the name "{GROUND}" is kept for the world; here "{name}"', False)
        return model.add_body(name, link.inertia or Inertia.point(0.0), shapes=link.shapes)

    def _attach(self, model: Model, link: Link, body: Body, X_BL: Pose) -> None:
        """A link without mass becomes a marker."""
        link.body, link.X_BL = body, X_BL
        body.shapes += [shape.moved(X_BL) for shape in link.shapes]
        if link.name != GROUND:
            model.add_marker(link.name, body, X_BL.position, X_BL.rotation)

    def _build(self, model: Model, joint: UrdfJoint, weld_massless: bool) -> None:
        parent, link = self.links[joint.parent], self.links[joint.child]
        assert parent.body is not None
        X_BJ = parent.X_BL @ joint.X_PJ
        kind = joint.kind
        if kind != "fixed" and not link.carries and self.links[self.root].carries:
            if weld_massless:
                kind = "fixed"
                self.reading.note(joint.element, f'welded, because nothing beyond it has mass (link "{link.name}")')
            else:
                self.reading.note(
                    joint.element, f'nothing beyond it has mass (link "{link.name}"), so that its acceleration is '
                    "undefined and simulations are refused; give the link a mass, or load with weld_massless=True"
                )  # fmt: skip
        if kind == "fixed" and link.inertia is None:
            self._attach(model, link, parent.body, X_BJ)
            return
        frame = marker_name(model, f"{joint.name}_frame", self.links)
        place = model.add_marker(frame, parent.body, X_BJ.position, X_BJ.rotation)
        link.body = self._add_body(model, link)
        limits, (effort, velocity) = self._limits(joint, kind), self._drive_limits(joint, kind)
        model.add_joint(
            joint.name, self._joint(joint, kind), place, link.body, limits=limits, effort_limit=effort,
            velocity_limit=velocity,
        )  # fmt: skip

    def _find_mass(self, order: list[str]) -> None:
        """Which links have mass, or something with mass beyond them; `order` is from the root outward."""
        for name in reversed(order):
            link = self.links[name]
            link.carries = link.inertia is not None or any(self.links[j.child].carries for j in link.joints)

    def _joint(self, joint: UrdfJoint, kind: str) -> Joint:
        if kind in WITHOUT_AXIS:
            return Fixed() if kind == "fixed" else Free()
        given = joint.element.find("axis")
        x, y, z = 1.0, 0.0, 0.0
        if given is not None:
            self.reading.unknown(given, ("xyz",), ())
            x, y, z = self.reading.vector(given, "xyz", (1.0, 0.0, 0.0)).tolist()
        letters = {(1.0, 0.0, 0.0): "x", (0.0, 1.0, 0.0): "y", (0.0, 0.0, 1.0): "z"}
        named = letters.get((x, y, z), (x, y, z))
        return Planar(named) if kind == "planar" else Prismatic(named) if kind == "prismatic" else Revolute(named)

    def _limits(self, joint: UrdfJoint, kind: str) -> list[tuple[float, float]] | None:
        reading, given = self.reading, joint.element.find("limit")
        if given is None:
            if kind in ("revolute", "prismatic"):
                reading.note(
                    joint.element, f"{with_article(kind)} joint should have a limit; it has none", changes_motion=False
                )
            return None
        reading.unknown(given, ("lower", "upper", "effort", "velocity", "jerk", "acceleration"), ())
        if kind not in ("revolute", "prismatic") or not {"lower", "upper"} & set(given.attributes):
            return None
        lower, upper = reading.number(given, "lower"), reading.number(given, "upper")
        if lower > upper:
            reading.note(given, f'of joint "{joint.name}": lower {lower:g} is above upper {upper:g}; left out', False)
            return None
        return None if lower <= -BOUNDLESS and upper >= BOUNDLESS else [(lower, upper)]

    def _drive_limits(self, joint: UrdfJoint, kind: str) -> tuple[float | None, float | None]:
        """Largest effort and velocity of a joint of one axis; zero, as many files have it, means that none is given."""
        given = joint.element.find("limit")
        if given is None or kind not in ("revolute", "continuous", "prismatic"):
            return None, None
        effort, velocity = self.reading.positive(given, "effort"), self.reading.positive(given, "velocity")
        return (effort if 0.0 < effort < BOUNDLESS else None, velocity if 0.0 < velocity < BOUNDLESS else None)

    def _forces(self, model: Model, joint: UrdfJoint) -> None:
        reading = self.reading
        present = joint.name in model.joints and model.joints[joint.name].nv > 0
        if (dynamics := joint.element.find("dynamics")) is not None:
            reading.unknown(dynamics, ("damping", "friction"), ())
            damping, friction = reading.positive(dynamics, "damping"), reading.positive(dynamics, "friction")
            if damping and present:
                model.add_force(free_name(f"{joint.name}_damping", model.forces), JointDamping(joint.name, damping))
            if friction and present:
                law = JointFriction(joint.name, constant=friction)
                model.add_force(free_name(f"{joint.name}_friction", model.forces), law)
        if (mimic := joint.element.find("mimic")) is not None:
            reading.unknown(mimic, ("joint", "multiplier", "offset"), ())
            leader = reading.required(mimic, "joint")
            factor, offset = reading.number(mimic, "multiplier", 1.0), reading.number(mimic, "offset")
            if leader not in self.joints:
                known = reading.near(leader, self.joints)
                reading.note(
                    mimic, f'of joint "{joint.name}": there is no joint "{leader[:80]}".{known} It moves by itself'
                )
            elif leader == joint.name:
                reading.error(mimic, "a joint cannot follow itself")
            elif not present or leader not in model.joints or {model.joints[n].nv for n in (leader, joint.name)} != {1}:
                reading.note(mimic, f'of joint "{joint.name}": both joints must move in one coordinate; left out')
            else:
                name = free_name(f"{joint.name}_mimic", model.constraints)
                model.add_constraint(name, Coupler({joint.name: 1.0, leader: -factor}, offset))


def _expanded(reading: Reading, arguments: Mapping[str, float | str]) -> Element | None:
    """Root of the URDF that a xacro file makes; its lines are those of the expanded text."""
    try:
        return parse_xml(expand_xacro(reading.path, reading.packages, arguments), f"{reading.path} (expanded)")
    except XmlError as fault:
        reading.error_at(str(reading.path), fault.message)
        return None


def _first_macro(root: Element) -> Element | None:
    """What must be expanded first: values that xacro computes, or a robot that has only tags of xacro.

    A declared namespace alone, and tags beside links, are left over from an expansion.
    """
    for element in root.walk():
        if any("${" in value or "$(" in value for value in element.attributes.values()):
            return element
    if root.find("link") is None:
        return next((element for element in root if element.tag.startswith("xacro:")), None)
    return None
