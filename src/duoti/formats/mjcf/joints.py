"""Joints of MJCF."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.formats.mjcf.configuration import felt_inertia
from duoti.formats.mjcf.document import Item
from duoti.formats.mjcf.softness import SOLIMP, SOLREF, softness_of
from duoti.formats.xml.names import free_name, marker_name
from duoti.formats.xml.reading import Array
from duoti.formats.xml.xml_tree import Element
from duoti.model.elements import Reference
from duoti.model.forces.bushing import Bushing
from duoti.model.forces.joint_damping import JointDamping
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.forces.joint_spring import JointSpring
from duoti.model.forces.joint_stop import JointStop
from duoti.model.joints import Joint
from duoti.model.joints.free import Free
from duoti.model.joints.prismatic import Prismatic
from duoti.model.joints.revolute import Revolute
from duoti.model.joints.spherical import Spherical
from duoti.spatial import Pose
from duoti.spelling import with_article

if TYPE_CHECKING:
    from duoti.formats.mjcf.bodies import Builder

TYPES = ("hinge", "slide", "ball", "free")
SIZES = {"hinge": (1, 1), "slide": (1, 1), "ball": (4, 3), "free": (7, 6)}
LIMIT_LOAD = 10.0
"""Acceleration [rad/s^2 or m/s^2] that a soft limit bears with the same penetration as in MuJoCo."""
LETTERS = {(1.0, 0.0, 0.0): "x", (0.0, 1.0, 0.0): "y", (0.0, 0.0, 1.0): "z"}


@dataclass
class JointData:
    """A joint of the file; angles in radians."""

    name: str
    kind: str
    joint: Joint
    element: Element
    anchor: Array
    """In the frame of the body."""
    ref: float
    """qpos in the configuration of the file; q = qpos - ref."""
    limits: list[tuple[float, float]] | None
    armature: float
    axis: Array
    range: tuple[float, float] | None = None
    """Of qpos, whether it is a limit or not."""
    force_range: tuple[float, float] | None = None
    """Of all actuators together."""
    carried: bool = False
    """Whether its actuators carry the weights beyond it (actuatorgravcomp)."""
    aligned: bool = False
    """Whether MuJoCo puts the frame of this free body in its mass centre, along its principal axes."""
    X_WM: Pose = field(default_factory=Pose)
    """Pose of a free body in the file."""


def read_joint(builder: Builder, item: Item, body: str, peek: bool = False) -> Any:
    """A joint with its defaults; with `peek` only its type."""
    document, reading = builder.document, builder.reading
    free = item.element.tag == "freejoint"
    element = item.element if free else document.defaults.effective(item.element, item.childclass)
    kind = "free" if free else reading.choice(element, "type", TYPES, "hinge")
    if peek:
        return kind
    document.check(element, "freejoint" if free else "joint", ())
    given = element.get("name")
    name = f"{given}{item.suffix}" if given else free_name(f"{body}_{'free' if free else kind}", builder.joints)
    if name in builder.joints:
        reading.error(element, f'a second joint "{name[:80]}"')
    unit = document.settings_of(element).angle if kind in ("hinge", "ball") else 1.0
    ref = unit * reading.number(element, "ref") if kind in ("hinge", "slide") else 0.0
    axis = item.X.rotation @ reading.vector(element, "axis", (0.0, 0.0, 1.0))
    anchor = np.zeros(3) if kind == "free" else item.X @ reading.numbers(element, "pos")
    if ref:
        reading.note(element, f"coordinates count from the configuration in the file, {ref:g} less than qpos", False)
    document.copies.add("joint", given, item.suffix)
    limits = None
    limited = document.limited(element, "limited", "range")
    given_range = None
    if kind in ("hinge", "slide") and (limited or "range" in element.attributes):
        low, high = (unit * reading.numbers(element, "range", 2)).tolist()
        given_range = (low, high)
        if low > high:
            reading.error(element, f'range="{element.get("range")}": the first number is above the second')
        elif limited:
            limits = [(low - ref, high - ref)]
    elif limited:
        reading.note(element, f"the limit of {with_article(kind)} joint is left out", changes_motion=False)
    direction = tuple((axis + 0.0).tolist())
    along = LETTERS.get(direction, direction)
    made: dict[str, Joint] = {"ball": Spherical(), "free": Free()}
    joint = made.get(kind) or (Revolute(along) if kind == "hinge" else Prismatic(along))
    armature = reading.positive(element, "armature")
    data = JointData(name, kind, joint, element, anchor, ref, limits, armature, axis, given_range)
    if kind in ("hinge", "slide"):
        data.force_range = document.range_of(element, "actuatorfrc")
    if kind == "free":
        given_align = element.get("align", "auto")
        data.aligned = given_align == "true" or (given_align == "auto" and document.settings_of(element).align_free)
    data.carried = element.get("actuatorgravcomp") == "true"
    return data


def spring_dampers(builder: Builder, data: JointData) -> None:
    """Spring and damper by the time constant T and the damping ratio r of the joint alone (springdamper).

    With the inertia J that the joint feels, all others free: stiffness J / (r T)², damping 2 J / T.
    """
    T, ratio = builder.reading.numbers(data.element, "springdamper", 2).tolist()
    if not T or not ratio:
        return
    inertia = felt_inertia(builder, data) if data.kind in ("hinge", "slide") else 0.0
    if not inertia:
        builder.reading.note(data.element, "springdamper is left out; give stiffness and damping")
        return
    model, document = builder.model, builder.document
    if document.enabled("spring", "passive"):
        rest = _spring_rest(builder, data)
        spring = JointSpring(data.name, stiffness=inertia / (T * ratio) ** 2, rest=rest)
        model.add_force(free_name(f"{data.name}_spring", model.forces), spring)
    if document.enabled("damper", "passive"):
        damping = JointDamping(data.name, 2.0 * inertia / T)
        model.add_force(free_name(f"{data.name}_damping", model.forces), damping)


def _spring_rest(builder: Builder, data: JointData) -> float:
    """Coordinate at which the spring of a hinge or slide is at rest."""
    unit = builder.document.settings_of(data.element).angle if data.kind == "hinge" else 1.0
    return unit * builder.reading.number(data.element, "springref") - data.ref


def joint_forces(builder: Builder, data: JointData, parent: Reference, child: Reference) -> None:
    """Spring, damper and dry friction of a joint."""
    reading, model, element = builder.reading, builder.model, data.element
    values: dict[str, float] = {}
    _dry_friction(builder, data)
    if all(reading.numbers(element, "springdamper", 2)):
        return  # see `spring_dampers`, once all inertias are known
    for name in ("stiffness", "damping"):
        numbers = reading.numbers(element, name, (1, 2, 3))
        if np.any(numbers[1:]):
            reading.note(element, f"the terms of {name} beyond the first are left out: its law is not linear")
        values[name] = float(numbers[0])
        if values[name] < 0.0:
            reading.error(element, f"{name} is {values[name]:g}; it cannot be negative")
    if values["stiffness"] and builder.document.enabled("spring", "passive"):
        if data.kind in ("hinge", "slide"):
            force = JointSpring(data.name, stiffness=values["stiffness"], rest=_spring_rest(builder, data))
            model.add_force(free_name(f"{data.name}_spring", model.forces), force)
        else:
            _spring_in_space(builder, data, parent, child, values["stiffness"])
    if values["damping"] and builder.document.enabled("damper", "passive"):
        model.add_force(free_name(f"{data.name}_damping", model.forces), JointDamping(data.name, values["damping"]))


def soften_limits(builder: Builder) -> None:
    """Stops that give way, as solreflimit and solimplimit say."""
    reading = builder.reading
    for data in builder.order:
        if data.limits is None:
            continue
        solref = reading.numbers(data.element, "solreflimit", (1, 2), SOLREF).tolist()
        solimp = reading.numbers(data.element, "solimplimit", (1, 2, 3, 4, 5), SOLIMP).tolist()
        inertia = felt_inertia(builder, data)
        if inertia:
            stiffness, damping = softness_of(solref, solimp).spring(1.0 / inertia, LIMIT_LOAD)
            stop = JointStop(data.name, stiffness=stiffness, damping=damping)
            builder.model.add_force(free_name(f"{data.name}_stop", builder.model.forces), stop)


def _dry_friction(builder: Builder, data: JointData) -> None:
    """Friction that no load changes (frictionloss); exact here, soft in MuJoCo (solreffriction, solimpfriction)."""
    reading, model = builder.reading, builder.model
    friction = reading.positive(data.element, "frictionloss")
    if not friction or not builder.document.enabled("frictionloss"):
        return
    if data.kind == "free":
        reading.note(data.element, f"dry friction of {friction:g} of a free joint is left out")
        return
    if data.kind == "ball":
        text = "is against the angular velocity as a whole, not against each of its components"
        reading.note(data.element, f"dry friction of {friction:g} {text}", changes_motion=False)
    model.add_force(free_name(f"{data.name}_friction", model.forces), JointFriction(data.name, constant=friction))


def _spring_in_space(builder: Builder, data: JointData, parent: Reference, child: Reference, stiffness: float) -> None:
    """A ball or free joint turns (and shifts) back to where it is in the file."""
    model = builder.model
    if data.kind == "free":
        X, label = data.X_WM, marker_name(model, f"{data.name}_frame", builder.names)
        parent = model.add_marker(label, model.ground, X.position, X.rotation)
    straight = stiffness if data.kind == "free" else 0.0
    force = Bushing(parent, child, (straight,) * 3 + (stiffness,) * 3)
    model.add_force(free_name(f"{data.name}_spring", model.forces), force)
