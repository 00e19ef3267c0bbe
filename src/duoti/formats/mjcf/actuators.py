"""Actuators of MJCF: forces in joints, along tendons, or at sites (law: `actuator_law`, with L = gear * (q + ref)).

On the coordinate it is gear * force. The control is a parameter of the model, zero at first; a filter or an integrator
between control and force is a first-order state. What acts on one joint, or along one tendon, may be limited in sum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from duoti.formats.mjcf import schema
from duoti.formats.mjcf.actuator_law import Law
from duoti.formats.mjcf.bodies import Builder
from duoti.formats.mjcf.configuration import felt_inertia
from duoti.formats.mjcf.document import triple
from duoti.formats.mjcf.joints import JointData
from duoti.formats.mjcf.tendons import Tendon, linear, readable
from duoti.formats.xml.names import free_name, parameter_name
from duoti.formats.xml.xml_tree import Element
from duoti.model.elements import GROUND
from duoti.model.forces.applied import AppliedForce, AppliedTorque
from duoti.model.forces.joint_torque import JointTorque
from duoti.model.forces.line_force import LineForce


def carried_weight(builder: Builder, data: JointData) -> str:
    """Sum over the bodies beyond the joint of a . F (a slide along a), or a . (c - p) x F (a hinge about a through p).

    F is the force against gravity in the mass centre c. Empty if there is none.
    """
    model = builder.model
    if builder.carried is None:
        builder.carried = _beyond(builder)
    beyond = builder.carried.get(data.name, [])
    if not beyond:
        return ""
    body = model.joints[data.name].child
    foot, tip = parameter_name(model, f"{data.name}_axis_foot"), parameter_name(model, f"{data.name}_axis_tip")
    model.add_marker(foot, body, triple(data.anchor))
    model.add_marker(tip, body, triple(data.anchor + data.axis))
    a = {c: f"({tip}.position.{c} - {foot}.position.{c})" for c in "xyz"}
    if data.kind == "slide":
        total = {c: sum(F[i] for _, F in beyond) for i, c in enumerate("xyz")}
        return f"({' + '.join(f'{total[c]!r}*{a[c]}' for c in 'xyz' if total[c])})"
    terms: list[str] = []
    for marker, F in beyond:
        r = {c: f"({marker}.position.{c} - {foot}.position.{c})" for c in "xyz"}
        for i, (y, z) in enumerate(("yz", "zx", "xy")):  # F . (a x r) = a . (r x F)
            if F[i]:
                terms.append(f"{F[i]!r}*({a[y]}*{r[z]} - {a[z]}*{r[y]})")
    return f"({' + '.join(terms)})"


def _beyond(builder: Builder) -> dict[str, list[tuple[str, tuple[float, float, float]]]]:
    """Marker and force of the carried weights beyond each joint."""
    inward = {element.child: element for element in builder.model.joints.values()}
    found: dict[str, list[tuple[str, tuple[float, float, float]]]] = {}
    for weight in builder.weights:
        name = weight.body_frame.body.name
        while name != GROUND:
            found.setdefault(inward[name].name, []).append((weight.marker, triple(weight.force)))
            name = inward[name].parent
    return found


OTHER_TRANSMISSIONS = ("slidersite", "cranksite", "refsite", "body", "plugin")
GONE = "this actuator is left out"


@dataclass
class Actuator:
    """An actuator of the file with its defaults."""

    name: str
    element: Element
    law: Law
    gear: tuple[float, ...]


@dataclass
class Acting:
    """Forces of actuators by the joints on which they act, as (name, expression), and by tendons."""

    on_joints: dict[str, list[tuple[str, str]]] = field(default_factory=dict[str, list[tuple[str, str]]])
    on_tendons: dict[str, list[Actuator]] = field(default_factory=dict[str, list[Actuator]])
    elsewhere: list[Actuator] = field(default_factory=list[Actuator])
    """Those that act on bodies, not in single joints."""


def add_actuators(builder: Builder, tendons: dict[str, Tendon]) -> None:
    """All actuators of the file."""
    document, reading = builder.document, builder.reading
    names: set[str] = set()
    acting = Acting()
    elements = [each for section in document.sections["actuator"] for each in section]
    for element in document.copies.expanded(reading, "actuator", elements):
        if element.tag not in schema.ACTUATORS:
            reading.note(element, f"{GONE}: {element.tag} actuators are not supported")
            continue
        name = element.get("name") or free_name(element.get("joint") or element.get("tendon") or "actuator", names)
        if name in names:
            reading.error(element, f'a second actuator "{name[:80]}"')
        names.add(name)
        law = document.defaults.law(element)
        merged = replace(element, attributes=law.attributes)
        reading.unknown(element, schema.known("actuator"), ("plugin",))
        document.check(merged, "actuator")
        gear = reading.numbers(merged, "gear", tuple(range(1, 7)), (1.0,)).tolist()
        if not document.enabled("actuation") or reading.number(merged, "group") in document.settings.disabled_groups:
            reading.note(element, f"{GONE}: an option switches it off", changes_motion=False)
        elif law.strange:
            reading.note(element, f"{GONE}: {law.strange} is not supported")
        else:
            _add(builder, tendons, Actuator(name, merged, law, (*gear, *[0.0] * 5)[:6]), acting)
    for name, actuators in acting.on_tendons.items():
        _along_tendon(builder, tendons[name], actuators, acting)
    for name, forces in acting.on_joints.items():
        _in_joint(builder, builder.joints[name], forces)
    if acting.elsewhere and any(data.force_range for data in builder.order):
        first = acting.elsewhere[0].element
        reading.note(first, "limits of what actuators do in joints (actuatorfrcrange) do not count this force")


def _add(builder: Builder, tendons: dict[str, Tendon], actuator: Actuator, acting: Acting) -> None:
    reading, element = builder.reading, actuator.element
    if any(element.get(attribute) for attribute in OTHER_TRANSMISSIONS):
        reading.note(element, f"{GONE}: only joint, tendon and site without refsite are supported")
        return
    joint, tendon = element.get("joint") or element.get("jointinparent"), element.get("tendon")
    if joint:
        if joint not in builder.joints:
            reading.missing(element, "joint", joint, builder.joints)
            return
        _on_joint(builder, actuator, builder.joints[joint], acting)
    elif tendon:
        if tendon not in tendons:
            reading.missing(element, "tendon", tendon, tendons)
        elif not tendons[tendon].supported or not readable(tendons[tendon]) or actuator.law.damping_ratio:
            why = "dampratio on a tendon" if actuator.law.damping_ratio else "this tendon, or the names of its joints,"
            reading.note(element, f"{GONE}: {why} cannot be expressed")
        else:
            actuator = _with_range(builder, actuator, _tendon_range(builder, tendons[tendon]))
            acting.on_tendons.setdefault(tendon, []).append(actuator)
            _activation(builder, actuator)  # in the order of the file
    elif element.get("site"):
        _at_site(builder, actuator, acting)
    else:
        reading.error(element, "it acts on nothing", 'write joint="...", tendon="..." or site="..."')


def _on_joint(builder: Builder, actuator: Actuator, data: JointData, acting: Acting) -> None:
    reading, element, law, gear = builder.reading, actuator.element, actuator.law, actuator.gear[0]
    if data.kind not in ("hinge", "slide"):
        reading.note(element, f"{GONE}: {data.kind} joints are not supported")
        return
    if law.damping_ratio:
        inertia = felt_inertia(builder, data) / gear**2 if gear else 0.0
        law = law.with_bias_rate(-2.0 * law.damping_ratio * math.sqrt(law.gain[0] * inertia))
    actuator = _with_range(builder, replace(actuator, law=law), data.range)
    way = Way([(gear, "q")], [(gear, "v")], gear * data.ref)
    acting.on_joints.setdefault(data.name, []).append((actuator.name, _force(builder, actuator, way, gear)))


def _in_joint(builder: Builder, data: JointData, forces: list[tuple[str, str]]) -> None:
    """All that actuators do in one joint: as it is, or limited in sum, with the weights that they carry.

    The carried weights act on all joints already; within the limits they are part of the sum:
    clip(forces + weights) - weights.
    """
    model = builder.model
    if data.force_range is None:
        for name, expression in forces:
            model.add_force(free_name(name, model.forces), JointTorque(data.name, expression))
        return
    name = forces[0][0] if len(forces) == 1 else f"{data.name}_actuators"
    weight = carried_weight(builder, data) if data.carried else ""
    low, high = data.force_range
    total = " + ".join(
        [f"({each})" if len(forces) > 1 or weight else each for _, each in forces] + [weight] * bool(weight)
    )
    limited = f"clip({total}, {low!r}, {high!r})" + (f" - {weight}" if weight else "")
    model.add_force(free_name(name, model.forces), JointTorque(data.name, limited))


def _along_tendon(builder: Builder, tendon: Tendon, actuators: list[Actuator], acting: Acting) -> None:
    limit, model = tendon.force_range, builder.model
    gears = {actuator.gear[0] for actuator in actuators}
    if limit is not None and len(gears) > 1:
        builder.reading.note(tendon.element, "its actuators have different gears; actuatorfrcrange is left out")
        limit = None
    groups = [actuators] if limit is not None else [[each] for each in actuators]
    for group in groups:
        name, gear = group[0].name, group[0].gear[0]

        def expression(way: Way, factor: float, group: list[Actuator] = group) -> str:
            text = " + ".join(_force(builder, each, way, 1.0) for each in group)
            if limit is not None:
                text = f"clip({text}, {limit[0]!r}, {limit[1]!r})"
            return text if factor == 1.0 else f"{factor!r}*({text})"

        if tendon.ends is not None:
            text = expression(Way([(gear, "length")], [(gear, "speed")]), -gear)
            model.add_force(free_name(name, model.forces), LineForce(*tendon.ends, text))
            acting.elsewhere += group
        for joint, coefficient in tendon.terms:
            way = Way(
                [(gear * c, "q" if j is joint else f"{j.name}.q") for j, c in tendon.terms],
                [(gear * c, "v" if j is joint else f"{j.name}.v") for j, c in tendon.terms],
                gear * sum(c * j.ref for j, c in tendon.terms),
            )
            label = f"{name}_{joint.name}" if len(tendon.terms) > 1 else name
            acting.on_joints.setdefault(joint.name, []).append((label, expression(way, gear * coefficient)))


def _at_site(builder: Builder, actuator: Actuator, acting: Acting) -> None:
    """A force and a torque in the axes of a site; their length is zero in MuJoCo, their speed is not read here."""
    reading, model, site = builder.reading, builder.model, actuator.element.get("site")
    if site not in builder.sites:
        reading.missing(actuator.element, "site", site, builder.sites)
        return
    if actuator.law.bias[2] or actuator.law.gain[2]:
        reading.note(actuator.element, f"{GONE}: at a site, only forces that do not depend on the speed are supported")
        return
    force = _force(builder, actuator, Way([], []), 1.0)
    marker, name = builder.sites[site], actuator.name
    for kind, numbers in ((AppliedForce, actuator.gear[:3]), (AppliedTorque, actuator.gear[3:])):
        if any(numbers):
            parts = [f"{c!r}*({force})" if c else 0.0 for c in numbers]
            label = free_name(name if kind is AppliedForce else f"{name}_torque", model.forces)
            model.add_force(label, kind(marker, parts, frame="marker"))
    acting.elsewhere.append(actuator)


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


def _with_range(builder: Builder, actuator: Actuator, target: tuple[float, float] | None) -> Actuator:
    """With the range of its target, if it inherits that (inheritrange)."""
    part = builder.reading.positive(actuator.element, "inheritrange")
    if not part or not actuator.law.servo:
        return actuator
    if target is None or target[0] == target[1]:
        builder.reading.error(actuator.element, "inheritrange: what it acts on has no range")
        return actuator
    low, high = target
    middle, half = 0.5 * (low + high), 0.5 * part * (high - low)
    attribute = "actrange" if actuator.law.dynamics == "integrator" else "ctrlrange"
    attributes = {**actuator.element.attributes, attribute: f"{middle - half!r} {middle + half!r}",
                  attribute.replace("range", "limited"): "true"}  # fmt: skip
    return replace(actuator, element=replace(actuator.element, attributes=attributes))


def _tendon_range(builder: Builder, tendon: Tendon) -> tuple[float, float] | None:
    if "range" not in tendon.element.attributes:
        return None
    low, high = builder.reading.numbers(tendon.element, "range", 2).tolist()
    return low, high


def _force(builder: Builder, actuator: Actuator, way: Way, factor: float) -> str:
    """Expression of the actuator's force, times a factor."""
    law, control = actuator.law, _activation(builder, actuator)
    if any(law.gain[1:]):
        force = f"({way.affine(law.gain)})*{control} + {way.affine(law.bias)}"
    else:
        force = way.affine(law.bias, (law.gain[0], control))
    force = _clipped(builder, actuator.element, force, "force")
    return force if factor == 1.0 else f"{factor!r}*({force})"


def _activation(builder: Builder, actuator: Actuator) -> str:
    """The control, or the state behind it."""
    model, reading, law, element, name = builder.model, builder.reading, actuator.law, actuator.element, actuator.name
    known = builder.controls.get(name)
    if known is None:
        parameter = parameter_name(model, f"{name}_control")
        model.parameters[parameter] = 0.0
        builder.parameters.append(parameter)
        known = parameter
        if builder.document.enabled("clampctrl"):
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
            if builder.document.limited(element, "actlimited", "actrange"):
                reading.note(element, "actrange is left out; nothing stops its activation")
        builder.controls[name] = known
    return known


def _clipped(builder: Builder, element: Element, value: str, what: str) -> str:
    """clip(value, low, high) if the actuator limits it."""
    limits = builder.document.range_of(element, what)
    return value if limits is None else f"clip({value}, {limits[0]!r}, {limits[1]!r})"
