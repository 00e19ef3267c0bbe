"""Actuators of MJCF: forces in joints or along tendons.

    force = gain * control + bias,   gain = g0 + g1 L + g2 dL/dt,   bias = b0 + b1 L + b2 dL/dt,   L = gear * (q + ref)

on the coordinate it is gear * force. The control is a parameter of the model, zero at first; a filter or an integrator
between control and force is a first-order state.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from duoti.formats.mjcf import schema
from duoti.formats.mjcf.bodies import Builder
from duoti.formats.mjcf.configuration import felt_inertia
from duoti.formats.mjcf.document import BOOLEAN
from duoti.formats.mjcf.tendons import Tendon, linear, readable
from duoti.formats.names import free_name, parameter_name
from duoti.formats.xml_tree import Element
from duoti.model.forces.joint_torque import JointTorque
from duoti.model.forces.line_force import LineForce

DYNAMICS = ("none", "integrator", "filter", "filterexact")
TRANSMISSIONS = ("site", "slidersite", "cranksite", "body", "plugin")


@dataclass
class Law:
    """Numbers of the law above; `damping_ratio` stands for b2 until the inertia is known."""

    attributes: dict[str, str] = field(default_factory=dict)
    gain: tuple[float, ...] = (1.0, 0.0, 0.0)
    bias: tuple[float, ...] = (0.0, 0.0, 0.0)
    dynamics: str = "none"
    time_constant: float = 1.0
    damping_ratio: float = 0.0
    strange: str = ""


def add_actuators(builder: Builder, tendons: dict[str, Tendon]) -> None:
    """All actuators of the file."""
    document, reading = builder.document, builder.reading
    names: set[str] = set()
    for section in document.sections["actuator"]:
        for element in section:
            if element.tag not in schema.ACTUATORS:
                reading.note(element, f"{element.tag} actuators are not supported; left out")
                continue
            name = element.get("name") or free_name(element.get("joint") or element.get("tendon") or "actuator", names)
            if name in names:
                reading.error(element, f'a second actuator "{name[:80]}"')
            names.add(name)
            law = Law()
            for each in (*document.class_actuators[document.class_of(element)], element):
                law = _apply(builder, law, each)
            merged = replace(element, attributes={**law.attributes, **element.attributes})
            document.check(merged, "actuator", ("plugin",))
            if not document.enabled("actuation"):
                reading.note(element, "switched off by a flag; left out", changes_motion=False)
            elif law.strange:
                reading.note(element, f"{law.strange} is not supported; left out")
            else:
                _add(builder, tendons, name, merged, law)


def _apply(builder: Builder, law: Law, element: Element) -> Law:
    """What one element, or a default, changes in the law."""
    reading, tag = builder.reading, element.tag
    out = replace(law, attributes={**law.attributes, **element.attributes})
    if tag == "general":
        whole = replace(element, attributes=out.attributes)
        g, b = _words(builder, whole, "gainprm", law.gain), _words(builder, whole, "biasprm", law.bias)
        out.time_constant = _words(builder, whole, "dynprm", (law.time_constant,))[0]
        out.dynamics = element.get("dyntype", law.dynamics)
        gain_kind, bias_kind = whole.get("gaintype", "fixed"), whole.get("biastype", "none")
        out.gain = g if gain_kind == "affine" else (g[0], 0.0, 0.0)
        out.bias = b if bias_kind == "affine" else (0.0, 0.0, 0.0)
        strange = {
            "gaintype": gain_kind if gain_kind not in ("fixed", "affine") else "",
            "biastype": bias_kind if bias_kind not in ("none", "affine") else "",
            "dyntype": out.dynamics if out.dynamics not in DYNAMICS else "",
        }
        out.strange = ", ".join(f'{name}="{kind[:40]}"' for name, kind in strange.items() if kind)
        return out
    if tag == "motor":
        out = replace(out, gain=(1.0, 0.0, 0.0), bias=(0.0, 0.0, 0.0), dynamics="none", damping_ratio=0.0)
    elif tag in ("position", "intvelocity"):
        kp = reading.positive(element, "kp", law.gain[0])
        rate = -reading.positive(element, "kv") if "kv" in element.attributes else law.bias[2]
        out = replace(out, gain=(kp, 0.0, 0.0), bias=(0.0, -kp, rate))
        if "dampratio" in element.attributes:
            out.damping_ratio = reading.positive(element, "dampratio")
        if tag == "intvelocity":
            out.dynamics = "integrator"
        elif "timeconst" in element.attributes:
            out.time_constant = reading.positive(element, "timeconst")
            out.dynamics = "filterexact" if out.time_constant else "none"
    elif tag == "velocity":
        kv = reading.positive(element, "kv", law.gain[0])
        out = replace(out, gain=(kv, 0.0, 0.0), bias=(0.0, 0.0, -kv))
    elif tag == "damper":
        kv = reading.positive(element, "kv")
        out = replace(out, gain=(0.0, 0.0, -kv), bias=(0.0, 0.0, 0.0), dynamics="none")
    else:  # cylinder
        area = reading.positive(element, "area", law.gain[0])
        if "diameter" in element.attributes:
            area = 0.25 * math.pi * reading.positive(element, "diameter") ** 2
        bias = tuple(reading.numbers(element, "bias", 3, law.bias).tolist())
        out = replace(out, gain=(area, 0.0, 0.0), bias=bias, dynamics="filter")
        out.time_constant = reading.positive(element, "timeconst", 1.0)
    out.attributes |= {  # so that a `general` element of the class goes on from here
        "gainprm": " ".join(map(repr, out.gain)), "gaintype": "affine" if any(out.gain[1:]) else "fixed",
        "biasprm": " ".join(map(repr, out.bias)), "biastype": "affine" if any(out.bias) else "none",
    }  # fmt: skip
    return out


def _words(builder: Builder, element: Element, attribute: str, default: tuple[float, ...]) -> tuple[float, ...]:
    """The first numbers of a list of any length, completed by those of the default."""
    given = element.get(attribute).split()
    if not given:
        return default
    numbers = builder.reading.numbers(element, attribute, tuple(range(1, 31)), default).tolist()
    return (*numbers[: len(default)], *default[len(numbers) :])


def _add(builder: Builder, tendons: dict[str, Tendon], name: str, element: Element, law: Law) -> None:
    reading, model = builder.reading, builder.model
    if any(element.get(attribute) for attribute in TRANSMISSIONS):
        return  # noted with the attributes
    gear = float(reading.numbers(element, "gear", tuple(range(1, 7)), (1.0,))[0])
    joint, tendon = element.get("joint") or element.get("jointinparent"), element.get("tendon")
    if joint:
        if joint not in builder.joints:
            reading.missing(element, "joint", joint, builder.joints)
            return
        data = builder.joints[joint]
        if data.kind not in ("hinge", "slide"):
            reading.note(element, f"actuators on {data.kind} joints are not supported; left out")
            return
        if law.damping_ratio:
            inertia = felt_inertia(builder, data) / gear**2 if gear else 0.0
            damping = 2.0 * law.damping_ratio * math.sqrt(law.gain[0] * inertia)
            law = replace(law, bias=(*law.bias[:2], -damping))
        way = Way([(gear, "q")], [(gear, "v")], gear * data.ref)
        model.add_force(
            free_name(name, model.forces), JointTorque(joint, _force(builder, name, element, law, way, gear))
        )
    elif tendon:
        if tendon not in tendons:
            reading.missing(element, "tendon", tendon, tendons)
            return
        _on_tendon(builder, name, element, law, tendons[tendon], gear)
    else:
        reading.error(element, "it acts on nothing", 'write joint="..." or tendon="..."')


def _on_tendon(builder: Builder, name: str, element: Element, law: Law, tendon: Tendon, gear: float) -> None:
    reading, model = builder.reading, builder.model
    if not tendon.supported or not readable(tendon) or law.damping_ratio:
        why = "dampratio on a tendon" if law.damping_ratio else "this tendon, or the names of its joints,"
        reading.note(element, f"{why} cannot be expressed; left out")
        return
    if tendon.ends is not None:
        way = Way([(gear, "length")], [(gear, "speed")])
        law_text = _force(builder, name, element, law, way, -gear)
        model.add_force(free_name(name, model.forces), LineForce(*tendon.ends, law_text))
    for joint, coefficient in tendon.terms:
        way = Way(
            [(gear * c, "q" if j is joint else f"{j.name}.q") for j, c in tendon.terms],
            [(gear * c, "v" if j is joint else f"{j.name}.v") for j, c in tendon.terms],
            gear * sum(c * j.ref for j, c in tendon.terms),
        )
        label = free_name(f"{name}_{joint.name}" if len(tendon.terms) > 1 else name, model.forces)
        law_text = _force(builder, name, element, law, way, gear * coefficient)
        model.add_force(label, JointTorque(joint.name, law_text))


@dataclass
class Way:
    """The length of an actuator and its rate, as sums of (factor, name), the length with a constant."""

    length: list[tuple[float, str]]
    speed: list[tuple[float, str]]
    constant: float = 0.0

    def affine(self, numbers: tuple[float, ...], *more: tuple[float, str]) -> str:
        """Expression of n0 + n1 length + n2 speed and further terms."""
        terms = [(numbers[1] * c, name) for c, name in self.length] + [(numbers[2] * c, name) for c, name in self.speed]
        return linear(*more, *terms, constant=numbers[0] + numbers[1] * self.constant)


def _force(builder: Builder, name: str, element: Element, law: Law, way: Way, factor: float) -> str:
    """Expression of the actuator's force, times a factor."""
    control = _activation(builder, name, element, law)
    if any(law.gain[1:]):
        force = f"({way.affine(law.gain)})*{control} + {way.affine(law.bias)}"
    else:
        force = way.affine(law.bias, (law.gain[0], control))
    force = _clipped(builder, element, force, "force")
    return force if factor == 1.0 else f"{factor!r}*({force})"


def _activation(builder: Builder, name: str, element: Element, law: Law) -> str:
    """The control, or the state behind it."""
    model, reading = builder.model, builder.reading
    known = builder.controls.get(name)
    if known is None:
        parameter = parameter_name(model, f"{name}_control")
        model.parameters[parameter] = 0.0
        builder.parameters.append(parameter)
        known = _clipped(builder, element, parameter, "ctrl")
        if law.dynamics != "none":
            state = parameter_name(model, f"{name}_activation")
            if law.dynamics == "integrator":
                rate = known
            elif law.time_constant > 0.0:
                rate = f"({known} - {state})/{law.time_constant!r}"
            else:
                reading.error(element, f"the time constant is {law.time_constant:g}; it must be positive")
                rate = "0"
            model.add_state(state, rate)
            known = state
            if "actrange" in element.attributes:
                reading.note(element, "actrange is left out")
        builder.controls[name] = known
    return known


def _clipped(builder: Builder, element: Element, value: str, what: str) -> str:
    """clip(value, low, high) if the actuator limits it."""
    reading, attribute = builder.reading, f"{what}range"
    limited = reading.choice(element, f"{what}limited", (*BOOLEAN, "auto"), "auto")
    if limited == "auto":
        limited = str(attribute in element.attributes and builder.document.settings.autolimits).lower()
    if limited != "true":
        return value
    low, high = reading.numbers(element, attribute, 2).tolist()
    if low > high:
        reading.error(element, f'{attribute}="{element.get(attribute)}": the first number is above the second')
    return f"clip({value}, {low!r}, {high!r})"
