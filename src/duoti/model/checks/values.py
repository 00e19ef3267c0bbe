"""The part of the model check that looks for values that a model may have, but that are probably not meant.

Each is a warning with what it leads to and what was perhaps meant: a sign, a unit, degrees for radians.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from duoti.model.beams.add_beam import generated_names
from duoti.model.beams.beam_section import Beam
from duoti.model.beams.course import is_along
from duoti.model.checks.findings import Findings
from duoti.model.checks.registry import PlacedModel, register_check
from duoti.model.element_id import ElementId, ElementKind
from duoti.model.elements import JointElement, initial_values, name_of
from duoti.model.forces.base import JointElementForce
from duoti.model.model import Model
from duoti.spatial import axis_vector

TURN = 2.0 * math.pi * 1.001  # with the rounding of 6.2832
RELAXATION = 1000.0  # s, damping over stiffness: a spring that needs longer to come back is a unit that was mistaken
SLIPPERY = 5.0  # a coefficient of friction beyond that of rubber on dry concrete, drag-racing tyres included
HEAVIEST_GRAVITY = 1000.0  # m/s²: the sun has 274; 9810 is mm/s²
STRETCHED = 0.1  # part of a cable's length by which it may be stretched as drawn
UNEVEN = 1e-6  # part by which two bending stiffnesses are the same

NO_EFFECT = {
    ("constraint", "gear", "ratio"): "joint_a cannot move, whatever joint_b does",
    ("constraint", "rack_and_pinion", "radius"): "the rack cannot move",
    ("constraint", "screw_coupling", "lead_per_turn"): "the slide cannot move",
    ("joint", "screw", "lead_per_turn"): "it turns without advancing, as a revolute joint does",
}
"""What a zero does to elements of these kinds, by parameter."""


@register_check("placed", order=330)
def check_values(placed: PlacedModel, found: Findings) -> None:
    """Add warnings about values that are probably not meant; the values as such are in order."""
    model = placed.model
    size = float(np.linalg.norm(np.asarray(model.gravity, dtype=float)))
    if size > HEAVIEST_GRAVITY:
        found.warning("doubtful-value", (), f"gravity is {size:.4g} m/s²", "perhaps it is in mm/s²",
                      "duoti takes m/s²: 9.81 on earth", "gravity")  # fmt: skip
    made = generated_names(model)["forces"] if model.beams else set[str]()
    for name, force in model.forces.items():
        if name not in made and not force.implied:
            who = ElementId("force", name)
            _check_stiffness(model, who, force, found)
            _check_friction(who, force, force.kind, found)
            for fault in force.placed_faults(lambda reference: placed.placement.of(model, reference)):
                found.error("bad-force", (who,), f"{who} ({force.kind}): {fault.text}", key=fault.key)
    for name, contact in model.contacts.items():
        _check_friction(ElementId("contact", name), contact.law, contact.law.kind, found)
    for name, element in model.joints.items():
        _check_angles(model, ElementId("joint", name), element, found)
        _check_zero(ElementId("joint", name), element.joint, found)
    for name, constraint in model.constraints.items():
        _check_zero(ElementId("constraint", name), constraint, found)
    _check_cables(model, found)
    _check_up(model, found)


# ------------------------------------------------------------------------------------------------ springs, friction


def _least(value: Any) -> float:
    """The least stiffness: of a matrix its least eigenvalue, but for round-off."""
    given = np.asarray(value, dtype=float)
    if given.ndim < 2:
        return float(np.min(given, initial=math.inf))
    least = float(np.linalg.eigvalsh(0.5 * (given + given.T))[0])
    return 0.0 if abs(least) < 1e-9 * float(np.max(np.abs(given))) else least


def _check_stiffness(model: Model, who: ElementId, force: Any, found: Findings) -> None:
    stiffness, damping = getattr(force, "stiffness", None), getattr(force, "damping", None)
    if stiffness is not None and (least := _least(stiffness)) < 0.0:
        unit = _unit(model, force)
        found.warning(
            "negative-stiffness", (who,), f"{who} ({force.kind}): stiffness is {least:.6g}{unit}, which is negative",
            "it pushes away from its rest position, the further the harder: motions may grow without bound",
            "give a positive number, unless an unstable spring is meant", "stiffness")  # fmt: skip
    if getattr(force, "strength", 0.0) < 0.0:
        found.warning("doubtful-value", (who,), f"{who} ({force.kind}): strength is {force.strength:.6g} N m²",
                      "negative: it repels", "give a positive number, unless that is meant", "strength")  # fmt: skip
    plain = isinstance(stiffness, float | int) and isinstance(damping, float | int)
    if plain and stiffness > 0.0 and damping / stiffness > RELAXATION:  # pyright: ignore[reportOperatorIssue, reportOptionalOperand]
        time = damping / stiffness  # pyright: ignore[reportOperatorIssue, reportOptionalOperand]
        found.warning(
            "doubtful-value", (who,), f"{who} ({force.kind}): damping is {time:.3g} s times its stiffness",
            "the spring would need that long to come back to rest: perhaps a unit is wrong",
            "a damping ratio z of a mass m is damping = 2 z sqrt(stiffness m)", "damping")  # fmt: skip


def _unit(model: Model, force: Any) -> str:
    """The unit of the stiffness of a spring in a joint, with a space before it; empty if it is not one alone."""
    if not isinstance(force, JointElementForce):
        return " N/m" if force.kind in ("spring_damper", "rope", "reeving") else ""
    element = model.joints[name_of(force.joint)]  # pyright: ignore[reportArgumentType]
    units = [c.unit for c in element.joint.coordinates for _ in range(c.nv)]
    return " N m/rad" if units[force.coordinate or 0] == "rad" else " N/m"


def _check_friction(who: ElementId, item: Any, kind: str, found: Findings) -> None:
    for key in ("friction", "static_friction"):
        value = getattr(item, key, None)
        if isinstance(value, float | int) and value > SLIPPERY:
            found.warning("doubtful-value", (who,), f"{who} ({kind}): {key} is {value:g}",
                          "no materials have such a coefficient; perhaps it is in per cent",
                          f"give it as a part of 1: {value / 100.0:g}", key)  # fmt: skip


def _check_zero(who: ElementId, item: Any, found: Findings) -> None:
    for (of, kind, key), effect in NO_EFFECT.items():
        if who.kind == of and item.kind == kind and getattr(item, key) == 0.0:
            found.warning("doubtful-value", (who,), f"{who} ({kind}): {key} is 0", effect,
                          "give a number that is not zero", key)  # fmt: skip


# ------------------------------------------------------------------------------------------------------------ angles


def _check_angles(model: Model, who: ElementId, element: JointElement, found: Findings) -> None:
    """Angles of files that are probably in degrees: beyond a turn, and written without a unit."""
    turning = [c.unit == "rad" for c in element.joint.coordinates for _ in range(c.nq)]
    if not any(turning) or model.imported:  # robot descriptions are in radians by definition
        return
    for key in ("q0", "limits"):
        given = getattr(element, key)
        computed = (*who.path, key) in model.sources  # or with a unit
        if given is None or computed or (*who.path, key) not in model.source_locations:
            continue
        numbers = initial_values(element.joint, given, rates=False)[:, None] if key == "q0" else np.reshape(
            np.asarray(given, dtype=float), (-1, 2))  # fmt: skip
        for row, turns in zip(numbers, turning, strict=True):
            beyond = [float(x) for x in row if turns and math.isfinite(x) and abs(x) > TURN]
            if beyond and (key == "q0" or all(x.is_integer() for x in beyond)):
                what = " and ".join(f"{x:g}" for x in beyond)
                remedy = f"write {beyond[0]:g} deg, or, if radians are meant, {beyond[0]:g} rad with its unit"
                found.warning("degrees", (who,), f"{who}: {key} has {what} rad, more than a whole turn",
                              "perhaps degrees are meant", remedy, key)  # fmt: skip
                break


# ---------------------------------------------------------------------------------------------------- slender parts


def _check_cables(model: Model, found: Findings) -> None:
    """Cables that are drawn much longer than they are."""
    for name, cable in model.cables.items():
        if any(node.name not in model.bodies for node in cable.nodes):
            continue
        places = [np.asarray(node.pose.position) for node in cable.nodes]
        drawn = float(sum(np.linalg.norm(b - a) for a, b in pairwise(places)))
        strain = drawn / cable.length - 1.0
        if strain > STRETCHED:
            who, given = ElementId("cable", name), cable.given
            force = float(given.get("stiffness", math.nan)) * strain
            found.warning(
                "cable-stretched", (who,),
                f"{who} is {cable.length:.4g} m long without stress, but is drawn {drawn:.4g} m long",
                f"it starts stretched by {strain:.0%}, with a tension of {force:.3g} N",
                "give it a length= of about the distance of its ends, or move an end", "length",
            )  # fmt: skip


def _check_up(model: Model, found: Findings) -> None:
    """Beams whose `up` is along them, so that the program chooses how their sections are turned."""
    beams: dict[tuple[ElementKind, str], tuple[Any, Any, Any, Any]] = {}
    for name, part in model.beams.items():
        beams["beam", name] = part.beam, part.rotations[0][:, 0], part.rotations[0][:, 2], part.up
    for name, made in model.segments.items():
        given: Mapping[str, Any] = made.given
        way = np.asarray(given["end"], dtype=float) - np.asarray(given["start"], dtype=float)
        z = np.asarray(made.bodies[0].pose.rotation.matrix)[:, 2]
        beams["segments", name] = given["beam"], way / np.linalg.norm(way), z, given.get("up", "z")
    for (kind, name), (beam, x, z, up) in beams.items():
        if not isinstance(beam, Beam) or not is_along(x, axis_vector(up)):
            continue
        EIy, EIz = float(beam.matrix[4, 4]), float(beam.matrix[5, 5])
        if abs(EIy - EIz) > UNEVEN * max(EIy, EIz):
            who = ElementId(kind, name)
            to = ", ".join(f"{c:.3g}" for c in np.round(z, 12) + 0.0)
            found.warning(
                "up-along-beam", (who,), f"{who}: up={up!r} is along it: it does not say how its section is turned",
                f"z of the section was put along ({to}); its two bending stiffnesses are {EIy:.4g} and {EIz:.4g} N m²",
                "give an up that is across the beam: where z of the section points", "up",
            )  # fmt: skip
