"""Tendons of MJCF: linear combinations of joints, and straight lines between two sites."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from duoti.formats.mjcf.bodies import Builder
from duoti.formats.mjcf.configuration import body_poses
from duoti.formats.mjcf.joints import JointData
from duoti.formats.xml.names import free_name
from duoti.formats.xml.xml_tree import Element
from duoti.model.forces.joint_torque import JointTorque
from duoti.model.forces.line_force import LineForce
from duoti.model.forces.spring_damper import SpringDamper

READABLE = re.compile(r"[^\W\d]\w*")  # names of joints that an expression can read


@dataclass
class Tendon:
    """A tendon of the file: weighted joints, or two markers, or, if not supported, neither."""

    name: str
    element: Element
    terms: list[tuple[JointData, float]]
    ends: tuple[str, str] | None = None
    force_range: tuple[float, float] | None = None
    """Of all actuators together."""

    @property
    def supported(self) -> bool:
        """Whether forces along it can be expressed."""
        return bool(self.terms) or self.ends is not None

    def length(self, own: JointData) -> str:
        """Expression of the length of a fixed tendon, as joint `own` reads it."""
        return _sum(
            [(c, "q" if j is own else f"{j.name}.q") for j, c in self.terms], sum(c * j.ref for j, c in self.terms)
        )

    def speed(self, own: JointData) -> str:
        """Expression of the rate of the length."""
        return _sum([(c, "v" if j is own else f"{j.name}.v") for j, c in self.terms])

    def length_in_file(self, builder: Builder, values: dict[str, float] | None = None) -> float:
        """Length of a tendon between two sites in the configuration of the file, or with these joints moved [m]."""
        assert self.ends is not None
        poses, model = body_poses(builder.model, values or {}), builder.model
        a, b = (poses[model.body_name(m)] @ model.markers[m].pose.position for m in self.ends)
        return float(np.linalg.norm(b - a))


def _sum(terms: list[tuple[float, str]], constant: float = 0.0) -> str:
    """1.0*a - 2.0*b + 3.0 in words of an expression."""
    parts = [(c, f"{abs(c)!r}*{name}" if abs(c) != 1.0 else name) for c, name in terms if c]
    if constant:
        parts.append((constant, repr(abs(constant))))
    text = "".join(f"{' - ' if c < 0 else ' + '}{word}" for c, word in parts)
    return (text[3:] if text.startswith(" + ") else "-" + text[3:]) if text else "0"


def linear(*terms: tuple[float, str], constant: float = 0.0) -> str:
    """The same for callers elsewhere."""
    return _sum(list(terms), constant)


def add_tendons(builder: Builder) -> dict[str, Tendon]:
    """All tendons, and the forces of those that are springs or dampers."""
    document, reading = builder.document, builder.reading
    found: dict[str, Tendon] = {}
    for section in document.sections["tendon"]:
        for given in document.copies.expanded(reading, "tendon", section):
            if given.tag not in ("fixed", "spatial"):
                reading.note(given, "unknown here; left out")
                continue
            element = document.defaults.effective(given, tag="tendon")
            document.check(element, given.tag)
            name = element.get("name") or f"tendon_{len(found)}"
            if name in found:
                reading.error(element, f'a second tendon "{name[:80]}"')
            tendon = Tendon(name, element, _terms(builder, given), _ends(builder, given))
            tendon.force_range = document.range_of(element, "actuatorfrc")
            found[name] = tendon
            if not tendon.supported:
                reading.note(
                    element, "tendons with more than two sites, pulleys or wrapping are not supported; left out"
                )
                continue
            if element.get("limited", "auto") != "false" and "range" in element.attributes:
                reading.note(element, "its limits are left out; nothing stops at them", changes_motion=False)
            for attribute in ("frictionloss", "armature"):
                if reading.number(element, attribute):
                    reading.note(element, f"{attribute} of a tendon is left out")
            _passive(builder, tendon)
    return found


def _terms(builder: Builder, element: Element) -> list[tuple[JointData, float]]:
    found: list[tuple[JointData, float]] = []
    if element.tag != "fixed":
        return found
    for child in element:
        name = builder.reading.required(child, "joint")
        coefficient = builder.reading.number(child, "coef", 1.0)
        if name not in builder.joints:
            builder.reading.missing(child, "joint", name, builder.joints)
        elif builder.joints[name].kind not in ("hinge", "slide"):
            builder.reading.error(child, "only hinges and slides can be part of a fixed tendon")
        else:
            found.append((builder.joints[name], coefficient))
    return found


def _ends(builder: Builder, element: Element) -> tuple[str, str] | None:
    if element.tag != "spatial":
        return None
    sites: list[str] = []
    for child in element.all("site"):
        name = builder.reading.required(child, "site")
        if name not in builder.sites:
            builder.reading.missing(child, "site", name, builder.sites)
        else:
            sites.append(builder.sites[name])
    return (sites[0], sites[1]) if len(sites) == 2 == len(element.children) else None


def readable(tendon: Tendon) -> bool:
    """Whether expressions can name all joints of a tendon of several joints."""
    return len(tendon.terms) < 2 or all(READABLE.fullmatch(j.name) for j, _ in tendon.terms)


def _passive(builder: Builder, tendon: Tendon) -> None:
    """Stiffness and damping: tension = k (L - rest) + c dL/dt, without a spring between the two rest lengths."""
    reading, model, element = builder.reading, builder.model, tendon.element
    numbers = {name: reading.numbers(element, name, (1, 2, 3)) for name in ("stiffness", "damping")}
    for name, values in numbers.items():
        if np.any(values[1:]):
            reading.note(element, f"the terms of {name} beyond the first are left out: its law is not linear")
    k = float(numbers["stiffness"][0]) if builder.document.enabled("spring", "passive") else 0.0
    c = float(numbers["damping"][0]) if builder.document.enabled("damper", "passive") else 0.0
    if not k and not c:
        return
    if k < 0.0 or c < 0.0:
        reading.error(element, "stiffness and damping cannot be negative")
        return
    if not readable(tendon):
        reading.note(element, "its joints have names that expressions cannot read; stiffness and damping are left out")
        return
    low, high = _rest(builder, tendon)
    if tendon.ends is not None and low == high:
        force = SpringDamper(*tendon.ends, stiffness=k, damping=c, rest_length=low)
        model.add_force(free_name(tendon.name, model.forces), force)
    elif tendon.ends is not None:
        model.add_force(
            free_name(tendon.name, model.forces), LineForce(*tendon.ends, _tension(k, c, low, high, "length", "speed"))
        )
    for joint, coefficient in tendon.terms:
        tension = _tension(k, c, low, high, f"({tendon.length(joint)})", f"({tendon.speed(joint)})")
        name = free_name(f"{tendon.name}_{joint.name}", model.forces)
        model.add_force(name, JointTorque(joint.name, f"{-coefficient!r}*({tension})"))


def _tension(k: float, c: float, low: float, high: float, length: str, speed: str) -> str:
    damper = f" + {c!r}*{speed}" if c else ""
    if not k:
        return f"{c!r}*{speed}"
    if low == high:
        return f"{k!r}*({length} - {low!r}){damper}".replace("- -", "+ ")
    return f"{k!r}*(max({length} - {high!r}, 0) - max({low!r} - {length}, 0)){damper}".replace("- -", "+ ")


def _rest(builder: Builder, tendon: Tendon) -> tuple[float, float]:
    """Rest lengths; if not given, the length where all joints are at their springref."""
    words = tendon.element.get("springlength").split()
    values = builder.reading.numbers(tendon.element, "springlength", (1, 2), (-1.0,)).tolist() if words else [-1.0]
    low, high = values[0], values[-1]
    if low >= 0.0:
        if low > high:
            builder.reading.error(tendon.element, f'springlength="{tendon.element.get("springlength")}" falls')
        return low, high
    if tendon.ends is None:
        rest = sum(c * _springref(builder, j) for j, c in tendon.terms)
        return rest, rest
    values = {j.name: _springref(builder, j) - j.ref for j in builder.order if j.kind in ("hinge", "slide")}
    rest = tendon.length_in_file(builder, values)
    return rest, rest


def _springref(builder: Builder, joint: JointData) -> float:
    unit = builder.document.settings_of(joint.element).angle if joint.kind == "hinge" else 1.0
    return unit * builder.reading.number(joint.element, "springref")
