"""Names of quantities: which exist, what they are, and what a user's spelling means.

`A.angle`, `crank.position`, `tip.velocity.x`, `body:crank.position` where a joint has the same name. The same names
serve as channels of results and as inputs of expressions. A first-order state goes by its bare name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

from duoti.flexible.body import Flexible
from duoti.model.constraints.base import Constraint
from duoti.model.element_id import ElementId
from duoti.model.elements import GROUND, name_of
from duoti.model.errors import ChannelError, did_you_mean
from duoti.model.forces.base import Force
from duoti.model.forces.channels import in_joint
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.forces.joint_stop import JointStop
from duoti.model.joints import Joint
from duoti.model.laws.callbacks import is_numba, numba_fault
from duoti.model.laws.expressions import ExpressionError, compile_expression
from duoti.model.laws.law import UnknownInputsError, make_law
from duoti.model.mechanism.joint_motions import letters_of
from duoti.model.model import Model
from duoti.model.sensors import IDEAL, Sensor
from duoti.model.state import components

# Quantities that results have and a law cannot read: forces of elements, energies, ...


def is_implicit(force: Any) -> bool:
    """Whether the force of an element follows from the motion of the whole model: dry friction, a rigid stop."""
    return isinstance(force, JointFriction) or (isinstance(force, JointStop) and force.stiffness is None)


def _offered(model: Any, name: str) -> str:
    """What events may read of the force element that a name begins with; "" if there is none."""

    item = name.rpartition(".")[0]
    if not isinstance(model.forces.get(item), Force):
        return ""
    every = [f"{item}.{what}" for what in model.forces[item].channels(model)]
    found = [f"{each}{end}" for each in every for end in ends_in(model, each) if force_quantity(model, f"{each}{end}")]
    return f'of force "{item}" events read {", ".join(found)}' if found else ""


def _of_contact(model: Any, name: str, contact: str, in_event: bool) -> str:
    """Why this law does not read a channel of a contact."""
    what = name.removeprefix("contact:").removeprefix(contact).lstrip(".").partition(".")[0].partition("[")[0]
    if what not in READ_OF_CONTACTS:
        return (
            f'"{name}" is a channel of results. Of a contact, controllers and what events set may read '
            f"{', '.join(READ_OF_CONTACTS)}; for a gap write what it follows from, such as a height"
        )
    if what == "moment" and not model.contacts[contact].law.rigid:
        return f'"{name}": a compliant contact has no moment of its own'
    if contact_quantity(model, name) is None:
        return f'"{name}" has 3 components: write one of them, such as "{name}.x"'
    text = f'"{name}" is a force of a contact: controllers, what events set and sensors with a period read it, '
    text += "the value of an event does not" if in_event else "laws of forces and states do not"
    return f"{text}. Let a controller or dt.ContactSensor(..., period=) read it, whose output is a state"


def _of_motion(model: Any, name: str, quantity: Quantity) -> str:
    """Why a law cannot read this quantity of a joint, body or marker, or ""."""
    if quantity.what in ACCELERATIONS and quantity.kind in ("joint", "body", "marker"):
        return (
            f'"{name}" is an acceleration, a channel of results: laws and objectives cannot read it, because '
            "accelerations follow from the laws. Write what it follows from, such as a force over a mass"
        )
    ends = ends_in(model, name) if quantity.component is None and quantity.size > 1 else ()
    if ends and quantity.what not in _NOT_IN_LAWS:
        return f'"{name}" has {quantity.size} components: write one of them, such as "{name}{ends[0]}"'
    return ""


def why_unread(model: Any, names: Sequence[str], kinds: Collection[str], in_event: bool = False) -> str:
    """Why a law (in_event: of an event) cannot read one of these names, if it is a channel of such a kind; or ""."""

    for name in names:
        try:
            quantity = find_quantity(model, name)
        except ChannelError:
            if in_event and (offered := _offered(model, name)):
                return f'there is no quantity "{name}"; {offered}'
            continue
        if quantity.kind not in kinds:
            if why := _of_motion(model, name, quantity):
                return why
            continue
        if quantity.kind == "force" and quantity.component is None and quantity.size > 1 and in_event:
            return f'"{name}" has {quantity.size} components: write one of them, such as "{name}.x" or "{name}[0]"'
        if quantity.kind == "contact":
            return _of_contact(model, name, quantity.item, in_event)
        what = "is a channel of results, and no law or event reads it"
        if not in_event and force_quantity(model, name):
            what = "is the force of an element: events and controllers read it, laws of forces and states do not"
        return (
            f'"{name}" {what}. Write there what it follows from: '
            "the law of a force with the coordinates, positions and rates that it depends on; or read the reaction "
            "of a joint that bears it, such as A.reaction_force.z"
        )
    return ""


Kind = Literal["joint", "body", "marker", "state", "force", "constraint", "contact", "energy", "graph", "sensor"]
_LAST: tuple[Kind, ...] = ("energy", "sensor", "contact", "constraint", "force", "graph")
"""Kinds whose quantities no law reads, and whose names give way to those of all others, in this order."""
ENERGY = "energy"
"""The item of which the energies of the whole model are quantities: energy.kinetic, energy.residual, ..."""

_FRAME_UNITS = {
    "position": ("m", 3),
    "rotation": ("1", 4),
    "velocity": ("m/s", 3),
    "angular_velocity": ("rad/s", 3),
    "acceleration": ("m/s^2", 3),
    "angular_acceleration": ("rad/s^2", 3),
    "axis_x": ("1", 3),
    "axis_y": ("1", 3),
    "axis_z": ("1", 3),
    "local_velocity": ("m/s", 3),
    "local_angular_velocity": ("rad/s", 3),
}
AXES = ("axis_x", "axis_y", "axis_z")
"""Axes of a body or marker in the world, as quantities."""
_REACTION_UNITS = {"reaction_force": ("N", 3), "reaction_torque": ("N m", 3)}
_FORCE_UNITS = {"energy": ("J", 1), "power": ("W", 1), "power_supplied": ("W", 1), "power_dissipated": ("W", 1)}
_ENERGY_UNITS: dict[str, tuple[str, int]] = dict.fromkeys(
    ("kinetic", "gravity", "elastic", "potential", "total", "supplied", "dissipated", "residual"), ("J", 1)
)
_CONTACT_UNITS = {
    "gap": ("m", 1), "force": ("N", 3), "normal_force": ("N", 1), "slip_speed": ("m/s", 1), "point": ("m", 3),
    "state": ("1", 1), "energy_lost": ("J", 1), "moment": ("N m", 3),
    "signorini_residual": ("m/s", 1), "cone_residual": ("N", 1), "dissipation_residual": ("W", 1),
}  # fmt: skip
"""Of a contact: force of a on b; point: where it acts; state: 0 open, 1 sticking, 2 sliding; moment: of its resistance
against rolling and turning; residuals: of its laws in a step of time stepping."""
READ_OF_CONTACTS = ("force", "normal_force", "point", "moment")
"""What controllers and events may read of contacts."""
_COMPONENT = re.compile(r"^(?P<name>.*?)(?:\.(?P<letter>[xyzw])|\[(?P<index>\d+)\])?$")


@dataclass(frozen=True)
class Quantity:
    """A quantity of the model: of which item, what, in which unit, how many numbers; one `component` of it or all."""

    kind: Kind
    item: str
    what: str
    unit: str
    size: int
    component: int | None = None


def joint_quantities(model: Model, name: str) -> dict[str, tuple[str, int]]:
    """Unit and size of each quantity of a joint."""
    joint = model.joints[name].joint
    found: dict[str, tuple[str, int]] = {}
    for c in joint.coordinates:
        unit, size = found.get(c.name, (c.unit, 0))
        found[c.name] = (unit, size + c.nq)
        unit, size = found.get(c.rate, (c.rate_unit, 0))
        found[c.rate] = (unit, size + c.nv)
    units = {c.unit for c in joint.coordinates}
    unit = units.pop() if len(units) == 1 else "mixed"
    rate_units = {c.rate_unit for c in joint.coordinates}
    rate_unit = rate_units.pop() if len(rate_units) == 1 else "mixed"
    found["q"], found["v"] = (unit, joint.nq), (rate_unit, joint.nv)
    found["a"] = (rate_unit + "^2" if rate_unit != "mixed" else "mixed", joint.nv)
    found.update(_REACTION_UNITS)
    return found


def constraint_quantities(model: Model, name: str) -> dict[str, tuple[str, int]]:
    """Unit and size of each quantity of a constraint."""
    constraint: Any = model.constraints[name]
    rows = constraint.rows()
    found: dict[str, tuple[str, int]] = {"multipliers": ("mixed", len(rows)), "power": ("W", 1)}
    if constraint.kind == "joint_motion":  # a drive
        element = model.joints.get(name_of(constraint.joint))
        effort = {k: (c.unit, c.size) for k, c in in_joint(element, constraint.coordinate).items()}
        return found | effort | {"multipliers": (next(iter(effort.values()))[0] if effort else "mixed", len(rows))}
    return found if any(row.terms for row in rows) else {**found, **_REACTION_UNITS}


def quantities(model: Model, kind: Kind, name: str) -> dict[str, tuple[str, int]]:
    """Unit and size of each quantity of an item; the value of a state has no word of its own."""
    if kind == "state":
        return {"": (model.states[name].unit, 1), "rate": (model.states[name].rate_unit, 1)}
    if kind == "energy":
        return _ENERGY_UNITS
    if kind == "graph":
        return model.expansion.items[name].quantities
    if kind == "sensor":
        own = sensors_of(model)[name].quantities(model)
        return {
            **own,
            IDEAL: (next(iter(own.values()))[0] if len(own) == 1 else "mixed", sum(n for _, n in own.values())),
        }
    if kind == "constraint":
        return constraint_quantities(model, name)
    if kind == "contact":
        return _CONTACT_UNITS
    if kind == "force":
        own = model.forces[name].channels(model)
        return {**_FORCE_UNITS, **{what: (channel.unit, channel.size) for what, channel in own.items()}}
    if kind == "body" and name in model.bodies and isinstance(flexible := model.bodies[name].inertia, Flexible):
        return {**_FRAME_UNITS, "modes": ("1", flexible.modes), "modal_rates": ("1/s", flexible.modes)}
    return joint_quantities(model, name) if kind == "joint" else _FRAME_UNITS


def _spelled(item: str, what: str) -> str:
    return f"{item}.{what}" if what else f"{item}"


def _items(model: Model) -> dict[Kind, list[str]]:
    joints = [name for name, e in model.joints.items() if isinstance(e.joint, Joint)]  # pyright: ignore[reportUnnecessaryIsInstance]
    return {
        "joint": joints,
        "body": [*model.bodies, GROUND],
        "marker": list(model.markers),
        "force": [name for name, force in model.forces.items() if isinstance(force, Force)],  # pyright: ignore[reportUnnecessaryIsInstance]
        "constraint": [name for name, each in model.constraints.items() if isinstance(each, Constraint)],  # pyright: ignore[reportUnnecessaryIsInstance]
        "contact": list(model.contacts),
        "energy": [ENERGY],
        "state": list(model.states),
        "sensor": list(sensors_of(model)),
        "graph": list(model.expansion.items if model.expansion else ()),
    }


def _has(model: Model, kind: Kind, item: str) -> bool:
    """Whether it is one of `_items`, without making the lists."""
    if kind == "joint":
        return item in model.joints and isinstance(model.joints[item].joint, Joint)  # pyright: ignore[reportUnnecessaryIsInstance]
    if kind == "body":
        return item in model.bodies or item == GROUND
    if kind == "force":
        return isinstance(model.forces.get(item), Force)
    if kind == "constraint":
        return isinstance(model.constraints.get(item), Constraint)
    if kind == "energy":
        return item == ENERGY
    if kind == "graph":
        return model.expansion is not None and item in model.expansion.items
    kept = {"marker": model.markers, "state": model.states, "contact": model.contacts, "sensor": sensors_of(model)}
    return item in kept[kind]


def all_names(model: Model) -> list[str]:
    """Every channel name; with its kind (`joint:`, ...) before it where several things have the same name."""
    each = [(kind, _spelled(item, what)) for kind, items in _items(model).items() for item in items
            for what in quantities(model, kind, item)]  # fmt: skip
    count: dict[str, int] = {}
    for _, name in each:
        count[name] = count.get(name, 0) + 1
    return [name if count[name] == 1 else f"{kind}:{name}" for kind, name in each]


# ------------------------------------------------------------------------------------------------ what laws may read

FEEDBACK = ("reaction_force", "reaction_torque", "multipliers")
_NO_FEEDBACK: tuple[Kind, ...] = ("state", *(kind for kind in _LAST if kind != "constraint"))
ACCELERATIONS = {"a", "acceleration", "angular_acceleration"}
_NOT_IN_LAWS = {"a", "reaction_force", "reaction_torque", "rotation", "acceleration", "angular_acceleration"}


def _readable(quantity: Quantity) -> bool:
    """Whether a law may read it: what follows from q, v and z alone, one number at a time."""
    if quantity.kind in ("state", *_LAST):
        return quantity.kind == "state" and quantity.what == ""
    by_forces = quantity.what in _NOT_IN_LAWS and not (quantity.kind == "joint" and quantity.what == "rotation")
    return not by_forces and (quantity.component is not None or quantity.size == 1)


def feedback_quantity(model: Model, name: str) -> Quantity | None:
    """The component of a reaction, or the multiplier, that a name means: what follows from the forces; or None."""
    if not any(word in name for word in FEEDBACK) or ":" in name:
        return None
    try:
        quantity = find_quantity(model, name, but=_NO_FEEDBACK)
    except ChannelError:
        return None
    by_rows = quantity.kind in ("joint", "constraint") and quantity.what in FEEDBACK
    return quantity if by_rows and (quantity.component is not None or quantity.size == 1) else None


def force_quantity(model: Model, name: str) -> Quantity | None:
    """The number that a name such as "spring.tension" means, if the law of that force element gives it; or None."""

    try:
        quantity = find_quantity(model, name)
    except ChannelError:
        return None
    if quantity.kind != "force" or (quantity.component is None and quantity.size > 1):
        return None
    force = model.forces[quantity.item]
    return quantity if quantity.what in force.channels(model) and not is_implicit(force) else None


def contact_quantity(model: Model, name: str) -> Quantity | None:
    """The number of a contact that a name such as "foot.normal_force" means, if controllers may read it; or None."""
    if not model.contacts:
        return None
    try:
        quantity = find_quantity(model, name)
    except ChannelError:
        return None
    if quantity.kind != "contact" or quantity.what not in READ_OF_CONTACTS:
        return None
    if quantity.what == "moment" and not model.contacts[quantity.item].law.rigid:
        return None
    return quantity if quantity.component is not None or quantity.size == 1 else None


def sensors_of(model: Model) -> dict[str, Any]:
    """The sensors of a model by name, without what is none."""
    return {name: each for name, each in vars(model).get("sensors", {}).items() if isinstance(each, Sensor)}


def sensor_quantity(model: Model, name: str) -> Quantity | None:
    """The number of a sensor that a name means, or None."""
    if not vars(model).get("sensors"):
        return None
    try:
        quantity = find_quantity(model, name)
    except ChannelError:
        return None
    if quantity.kind != "sensor" or (quantity.component is None and quantity.size > 1):
        return None
    return quantity


def _is_sampled(model: Model, name: str) -> bool:
    """Whether a name is that of a sampled reading, which the compiled model has as a state."""
    quantity = sensor_quantity(model, name)
    return quantity is not None and quantity.what != IDEAL and sensors_of(model)[quantity.item].sampled


def known_signal(
    model: Model,
    own: Container[str] = (),
    feedback: bool = False,
    forces: bool = False,
    contacts: bool = False,
) -> Callable[[str], bool]:
    """A function that says whether a law may use a name: the time, its `own` quantities, or those of the model.

    feedback: reactions and multipliers, too (`reaction_feedback`); forces: and channels of force elements, as events;
    contacts: and forces of contacts, as what events set.
    """

    def known(name: str) -> bool:
        if name == "t" or name in own:
            return True
        try:
            if _readable(find_quantity(model, name, but=_LAST)):
                return True
        except ChannelError:
            pass
        if feedback and feedback_quantity(model, name) is not None:
            return True
        if _is_sampled(model, name) or (forces and sensor_quantity(model, name) is not None):
            return True
        if contacts and contact_quantity(model, name) is not None:
            return True
        return forces and force_quantity(model, name) is not None

    return known


def signal_names(model: Model, feedback: bool = False, forces: bool = False) -> list[str]:
    """Every name of the model that a law may use, for suggestions."""
    found = ["t"]
    for item in _items(model)["force"] if forces else ():
        for what in model.forces[item].channels(model):
            ends = ends_in(model, f"force:{item}.{what}")
            found += [name for end in ends if force_quantity(model, name := f"{item}.{what}{end}")]
    if feedback:
        for name in (*model.joints, *model.constraints):
            ends = [f"{what}.{letter}" for what in _REACTION_UNITS for letter in "xyz"]
            rows = range(len(model.constraints[name].rows())) if name in model.constraints else ()
            spelled = (f"{name}.{end}" for end in (*ends, *(f"multipliers[{r}]" for r in rows)))
            found += [each for each in spelled if feedback_quantity(model, each) is not None]
    for kind, items in _items(model).items():
        for item in () if kind in _LAST else items:
            for what, (unit, size) in quantities(model, kind, item).items():
                quantity = Quantity(kind, item, what, unit, size, 0)
                if _readable(quantity):
                    found += [f"{_spelled(item, what)}{end}" for end in _ends(model, quantity)]
    return found


class LawFault(NamedTuple):
    """Why a value is no law, and the names in it that a law cannot read."""

    text: str
    unknown: tuple[str, ...] = ()


def law_fault(
    model: Model,
    value: Any,
    own: Collection[str] = (),
    outputs: int = 1,
    forces: bool = False,
    contacts: bool = False,
) -> LawFault | None:
    """Why a value is no law, or None. forces, contacts: what it may read, see `known_signal`."""
    try:
        known = known_signal(model, own, feedback=True, forces=forces, contacts=contacts)
        law = make_law(value, known, model.named_values, outputs)
        if is_numba(law.function) and (fault := numba_fault(law.function, len(law.inputs), outputs)):
            return LawFault(fault)
    except (ValueError, TypeError, OverflowError) as error:
        unknown = error.unknown if isinstance(error, ExpressionError | UnknownInputsError) else ()
        if why := why_unread(model, unknown, _LAST, forces):
            return LawFault(why, unknown)
        if not isinstance(value, str):
            return LawFault(str(error), unknown)
        try:  # once more with the list of all names, for suggestions
            names = {*signal_names(model, feedback=True, forces=forces), *own}
            compile_expression(value, known=names, constants=model.named_values)
        except (ValueError, TypeError, OverflowError) as better:
            return LawFault(str(better), unknown)
        return LawFault(str(error), unknown)
    return None


def find_quantity(model: Model, text: str, but: Collection[Kind] = ()) -> Quantity:
    """The quantity that a name means; ChannelError with suggestions if there is none, or more than one.

    `but`: kinds that are not looked at.
    """
    prefix, _, rest = text.partition(":")
    kinds: list[Kind] = [kind for kind in get_args(Kind) if kind not in but]
    if rest and prefix in kinds:
        kinds = [k for k in kinds if k == prefix]
    else:
        rest = text
    whole = [_match(model, kind, rest, None) for kind in kinds]
    found = [q for q in whole if q]
    if not found:
        parts = _COMPONENT.match(rest)
        if parts and (parts["letter"] or parts["index"]):
            found = [
                q for kind in kinds if (q := _match(model, kind, parts["name"], parts["letter"] or parts["index"]))
            ]
    for last in _LAST:  # a state "motor.power" keeps its name; that of the force "motor" is "force:motor.power"
        if len(found) > 1:
            found = [q for q in found if q.kind != last]
    if len(found) > 1:  # the check refuses a state with the name of a joint; no need to report each A.rate as well
        found = [q for q in found if q.kind != "state"]
    if len(found) > 1:
        spellings = " or ".join(f'"{q.kind}:{rest}"' for q in found)
        raise ChannelError(f'"{text}" is ambiguous: write {spellings}')
    if found:
        return found[0]
    raise ChannelError(
        f'there is no quantity "{text}".{_without_letter(model, rest, kinds) or _suggest(model, rest, but)}'
    )


def _match(model: Model, kind: Kind, text: str, component: str | None) -> Quantity | None:
    item, _, what = text.rpartition(".")
    if (kind == "state" and text in model.states) or (kind == "sensor" and text in vars(model).get("sensors", {})):
        item, what = text, ""
    elif kind == "state" and component is None and (vector := components(model, text)):
        return Quantity(kind, text, "", model.states[vector[0]].unit, len(vector), None)
    if not _has(model, kind, item):
        return None
    offered = quantities(model, kind, item)
    if what not in offered:
        return None
    if kind == "state" and component is not None:
        return None
    unit, size = offered[what]
    index: int | None = None
    if component is not None:
        if component.isdigit():
            index = int(component)
        else:
            letters = letters_in(model, kind, item, what, size)
            index = letters.index(component) if component in letters else -1
        if not 0 <= index < size:
            return None
        if kind == "graph" and unit == "mixed":
            unit = model.expansion.items[item].unit_of(what, index)
    return Quantity(kind, item, what, unit, size, index)


def letters_in(model: Model, kind: Kind, item: str, what: str, size: int) -> tuple[str, ...]:
    """Letters of the columns of a quantity, "" for one that has a number only; those of a joint are its axes."""
    if kind == "joint" and what not in _REACTION_UNITS:
        return letters_of(model.joints[item].joint, what)
    numbered = what in ("modes", "modal_rates", "multipliers")
    return tuple({3: "xyz", 4: "wxyz"}.get(size, "")) if not numbered else ()


def ends_in(model: Model, name: str) -> list[str]:
    """What follows the name of a quantity in those of its columns: ".x" of three or four with letters, else "[0]"."""
    q = find_quantity(model, name)
    return [""] if q.component is not None else _ends(model, q)


def _ends(model: Model, q: Quantity) -> list[str]:
    if q.size == 1:
        return [""]
    letters = letters_in(model, q.kind, q.item, q.what, q.size)
    if q.what in ("q", "v", "a") or q.size not in (3, 4) or len(letters) != q.size or not all(letters):
        return [f"[{k}]" for k in range(q.size)]
    return [f".{letter}" for letter in letters]


def _without_letter(model: Model, text: str, kinds: Collection[Kind]) -> str:
    """What to write in the place of a letter that a quantity does not have; "" if it is not that."""
    parts = _COMPONENT.match(text)
    if not parts or not parts["letter"]:
        return ""
    for kind in kinds:
        q = _match(model, kind, parts["name"], None)
        if q is not None and q.size == 1:
            return f' It is one number: write "{parts["name"]}".'
        if q is not None:
            letters = letters_in(model, kind, q.item, q.what, q.size) or ("",) * q.size
            columns = [f".{x}" if x else f"[{k}]" for k, x in enumerate(letters)]
            why = ", after the axes of the joint" if kind == "joint" and any(letters) else ""
            return f' The columns of "{parts["name"]}" are {", ".join(columns)}{why}.'
    return ""


def owner_of(model: Model, name: str) -> ElementId | None:
    """Whose quantity a name such as "A.angle" is, if not a state of its own: joint "A"; None if it is nobody's."""
    parts = _COMPONENT.match(name)
    spellings = [(name, None), (parts["name"], parts["letter"] or parts["index"])] if parts else [(name, None)]
    for kind in (each for each in get_args(Kind) if each not in _LAST):  # their names are not kept from states
        for text, component in spellings:
            if kind == "state" and text in model.states:
                item, _, what = text.rpartition(".")
                if what == "rate" and item in model.states:
                    return ElementId("state", item)
            elif found := _match(model, kind, text, component):
                return ElementId(kind, found.item)
    return None


def _suggest(model: Model, text: str, but: Collection[Kind]) -> str:
    item = text.split(".", 1)[0]
    if item in model.states:
        return f' State "{item}" has the channels "{item}" and "{item}.rate".'
    offered = [
        f"{item}.{what}"
        for kind, items in _items(model).items()
        if item in items and kind not in but
        for what in quantities(model, kind, item)
    ]
    if offered:
        return f' "{item}" has: {", ".join(name.split(".", 1)[1] for name in offered)}.'
    return did_you_mean(item, [i for items in _items(model).values() for i in items])
