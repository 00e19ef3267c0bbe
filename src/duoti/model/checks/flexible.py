"""The part of the model check that looks at flexible bodies: what acts on them must sit at their interfaces."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from duoti.flexible.body import Flexible
from duoti.model.checks.findings import Findings
from duoti.model.checks.references import check_reference
from duoti.model.checks.registry import PlacedModel, register_check
from duoti.model.element_id import ElementId
from duoti.model.elements import Body, Marker, Reference, modal_values, name_of
from duoti.model.errors import did_you_mean
from duoti.model.forces.flexible_load import FlexibleLoad
from duoti.model.mechanism.flexible_interfaces import flexible_bodies, interface_at, joint_sides, used_interfaces
from duoti.model.model import Model
from duoti.spatial.axes import Array

FOLLOWED = 0.95  # part of the work of a load, slowly applied, that modes should take up
INTERFACE_HELD = 1e-9  # motion of an interface, as a part of the largest of all, below which modes do not move it


def check_flexible_marker(model: Model, marker: Marker, found: Findings) -> None:
    """A marker at an interface that is none."""
    if marker.interface is None:
        return
    who, body = ElementId("marker", marker.name), model.bodies.get(name_of(marker.body))
    flexible = body.inertia if body is not None else None
    if not isinstance(flexible, Flexible):
        text = f'{who}: body "{name_of(marker.body)}" is not flexible'
        remedy = "give position and rotation instead"
        found.error("no-interface", (who,), text, "only flexible bodies have interfaces", remedy, "interface")
    elif marker.interface not in flexible.reduced.interfaces:
        names = list(flexible.reduced.interfaces)
        text = f'{who}: body "{name_of(marker.body)}" has no interface "{marker.interface}"'
        remedy = did_you_mean(marker.interface, names).strip()
        found.error("no-interface", (who,), text, f"it has {', '.join(names) or 'none'}", remedy, "interface")


def check_modal_values(body: Body, found: Findings) -> None:
    """Initial modal coordinates and velocities."""
    who = ElementId("body", str(body.name))
    for key, given in (("q0", body.q0), ("v0", body.v0)):
        if given is None:
            continue
        if not isinstance(body.inertia, Flexible):
            found.error("initial-value", (who,), f"{who}: {key} is given, but the body is not flexible",
                        "a rigid body has no coordinates of its own", f"give {key} to its joint", key)  # fmt: skip
            continue
        try:
            modal_values(given, body.inertia.modes)
        except (TypeError, ValueError, OverflowError) as error:
            found.error("initial-value", (who,), f"{who}: {key}: {error}", key=key)


@register_check("placed", order=320)
def check_attachments(placed: PlacedModel, found: Findings) -> None:
    """Joints, forces, constraints and contacts on flexible bodies that are not at an interface; idle interfaces."""
    model, placement = placed
    bodies = flexible_bodies(model)
    if not bodies:
        return
    for joint in model.joints:
        for body, X, marker in joint_sides(model, placement, joint):
            if body in bodies and interface_at(bodies[body], X, marker) is None and model.joints[joint].kind != "free":
                _elsewhere(ElementId("joint", joint), body, bodies[body], found)
    for who, reference in _acting(model):
        marker = model.marker(reference)
        body = "" if marker is None else name_of(marker.body)
        if marker is not None and body in bodies and interface_at(bodies[body], marker.pose, marker) is None:
            _elsewhere(who, body, bodies[body], found)
    for name, body in bodies.items():
        used = used_interfaces(model, placement, name)
        if idle := [each for each in body.reduced.interfaces if each not in used]:
            text = f'flexible body "{name}": nothing is attached to {", ".join(idle)}'
            remedy = "leave it out of the interfaces if it is not needed"
            found.info("idle-interface", (ElementId("body", name),), text, "each interface costs static modes", remedy)
        _check_modes(name, body, used, found)


@register_check("structure", order=230)
def check_loads(model: Model, found: Findings) -> None:
    """Loads on nodes and faces: of a flexible body that has these, and whose modes can follow them."""
    for name, force in model.forces.items():
        if not isinstance(force, FlexibleLoad):
            continue
        who = ElementId("force", str(name))
        if not check_reference(model, who, "body", force.body, found):
            continue
        body = model.bodies.get(name_of(force.body))
        flexible = None if body is None else body.inertia
        if not isinstance(flexible, Flexible):
            text = f'{who}: body "{name_of(force.body)}" is not flexible'
            remedy = "make it one (dt.Flexible), or use dt.AppliedForce at a marker"
            found.error("not-flexible", (who,), text, "only flexible bodies have nodes", remedy, "body")
            continue
        try:
            if flexible.reduced.display is None:
                raise ValueError(f'body "{name_of(force.body)}" was given without nodes')
            forces = force.unit_forces(flexible, np.eye(3))
        except (TypeError, ValueError, OverflowError, IndexError, KeyError) as error:
            found.error("bad-load", (who,), f"{who} ({force.kind}): {error}")
            continue
        _check_followed(who, force, flexible, forces, found)


def _check_followed(who: ElementId, force: FlexibleLoad, body: Flexible, forces: list[Array], found: Findings) -> None:
    """Whether the modes deform under a load as the structure would; by the work of its patterns."""
    from duoti.flexible.load_pattern import work_of_unit  # few models have such loads

    works = [work for work in (work_of_unit(body, each) for each in forces) if work is not None]
    largest = max((whole for whole, _ in works), default=0.0)
    if largest <= 0.0:
        return
    followed = 1.0 - max(whole - taken for whole, taken in works) / largest
    if followed < FOLLOWED:
        name = name_of(force.body)
        remedy = "keep more modes, or make an interface of these nodes"
        if body.recipe is not None and body.recipe[0] == "mesh":
            remedy = f"give the body a shape for it: loads={{'{who.name}': {force.residual()}}}; or keep more modes"
        found.warning(
            "load-not-in-modes", (who, ElementId("body", name)),
            f'{who}: the modes of flexible body "{name}" follow {max(followed, 0.0):.0%} of its deformation',
            "the rest of it, and of its stresses, is left out", remedy,
        )  # fmt: skip


def _check_modes(name: str, body: Flexible, used: list[str], found: Findings) -> None:
    """Interfaces that the modes hold in a direction: no load of a joint there bends the body; motions without mass."""
    who, held = ElementId("body", name), list[str]()
    reduced = body.reduced
    moving = list(reduced.interfaces.values())
    for each in used:
        if each == next(iter(reduced.interfaces)) and not np.any(reduced.interfaces[each].displacement):
            continue  # the frame that modes are counted from
        for label, part in (("", "displacement"), ("turn about ", "turn")):
            largest = max((np.abs(getattr(other, part)).max(initial=0.0) for other in moving), default=0.0)
            rows = np.abs(getattr(reduced.interfaces[each], part)).max(axis=1, initial=0.0)
            held += [f"{each}: {label}{'xyz'[k]}" for k in range(3) if rows[k] <= INTERFACE_HELD * largest]
    if held:
        found.info(
            "held-by-modes", (who,), f'flexible body "{name}": no mode moves {"; ".join(held)}',
            "it is rigid there: loads of joints and forces in these directions do not deform it",
            "keep static modes of these interfaces, unless the body is meant to be so",
        )  # fmt: skip
    if body.reduction is not None and body.reduction.massless:
        lost = body.reduction.massless
        found.info(
            "massless-modes", (who,), f'flexible body "{name}": {lost} shapes that move no mass were left out',
            "nothing would resist their acceleration; the body is rigid in these",
            "give the beam a rotary inertia, above all Jx",
        )  # fmt: skip


def _acting(model: Model) -> Iterator[tuple[ElementId, Reference]]:
    """Who acts on which marker or body."""
    for name, force in model.forces.items():
        for _, reference in force.markers():
            yield ElementId("force", name), reference
    for name, constraint in model.constraints.items():
        for reference in constraint.markers():
            yield ElementId("constraint", name), reference
    for name, contact in model.contacts.items():
        for side in (contact.a, contact.b):
            if isinstance(side, str | Body | Marker):
                yield ElementId("contact", name), side


def _elsewhere(who: ElementId, body: str, flexible: Flexible, found: Findings) -> None:
    places = ", ".join(
        f"{name} ({', '.join(f'{x:.4g}' for x in each.position)})" for name, each in flexible.reduced.interfaces.items()
    )
    found.error(
        "not-at-interface", (who, ElementId("body", body)),
        f'{who} acts on flexible body "{body}" at a place that is no interface',
        f"modes say how interfaces move, nothing about other places; these are in the body's frame: {places or 'none'}",
        f'give it a marker there: model.add_marker(name, "{body}", interface=...), or make the place an interface',
    )  # fmt: skip
