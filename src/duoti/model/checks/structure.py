"""Structural check of a model: everything that can be said before any equation is built, all at once."""

from __future__ import annotations

from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

from duoti.flexible.body import Flexible
from duoti.model.beams.add_beam import with_needed_joints
from duoti.model.checks.constraints import check_constraints
from duoti.model.checks.findings import Findings, Report
from duoti.model.checks.flexible import check_attachments, check_flexible_marker, check_loads, check_modal_values
from duoti.model.checks.joint_friction import check_joint_friction
from duoti.model.checks.limits import check_limits
from duoti.model.checks.masses import check_magnitudes, check_massless_ends
from duoti.model.checks.names import check_names
from duoti.model.checks.parameters import faults_of, listed, number_fault, shown
from duoti.model.checks.references import check_joint_reference, check_reference, check_sections, markers_among
from duoti.model.checks.states import check_states
from duoti.model.checks.tables import check_tables
from duoti.model.checks.values import check_values
from duoti.model.constructor_schema import key_of
from duoti.model.element_id import ElementId
from duoti.model.elements import GROUND, Body, JointElement, initial_values, name_of
from duoti.model.errors import did_you_mean
from duoti.model.event import MOST_OUTPUTS, Event
from duoti.model.expand_bond_graphs import expanded
from duoti.model.forces.base import Force, JointElementForce
from duoti.model.joints import Joint
from duoti.model.mechanism.placement import Placement, place_bodies
from duoti.model.model import Model, require_model
from duoti.model.quantities import law_fault
from duoti.spatial import Inertia, Rotation, Shape
from duoti.spatial.axes import LARGEST

DENSEST = 23_000.0  # kg/m³: above osmium (22 590), a mass with a known shape is in the wrong unit
NUMBERS = frozenset((float, int))


def check_structure(model: Model) -> Report:
    """Report on names, numbers, attachment, mass and joint definitions of a model."""
    return checked_model(model).report


class CheckedModel(NamedTuple):
    """The report on a model, and what was checked: a copy if the model has bond graphs or held nodes of beams."""

    report: Report
    model: Model
    """With bond graphs put in, and free joints only at nodes of beams that need one."""
    placement: Placement | None
    """Places of the bodies if all is well."""


def checked_model(model: Model) -> CheckedModel:
    """Check a model, which stays as it is."""
    require_model(model)
    found = Findings()
    check_sections(model, found)
    if found.found:
        return CheckedModel(found.report(shown(model.name), {}), model, None)
    model = expanded(with_needed_joints(model))
    if model.expansion is not None:
        found.found += model.expansion.found.found
    placement: Placement | None = None
    check_names(model, found)
    _check_model(model, found)
    check_tables(model, found)
    for name, body in model.bodies.items():
        with found.about(ElementId("body", str(name))):
            _check_body(body, found)
            check_modal_values(body, found)
    for name, marker in model.markers.items():
        with found.about(ElementId("marker", str(name))):
            _check_marker(model, marker, found)
            check_flexible_marker(model, marker, found)
    for name, element in model.joints.items():
        with found.about(ElementId("joint", str(name))):
            _check_joint(model, element, found)
    for name, force in model.forces.items():
        with found.about(ElementId("force", str(name))):
            _check_force(model, name, force, found)
    for name, event in model.events.items():
        with found.about(ElementId("event", str(name))):
            _check_event(model, name, event, found)
    check_states(model, found)
    check_constraints(model, found)
    if model.contacts:
        from duoti.model.checks.contacts import check_contacts  # with the kernels of all pairs of shapes

        check_contacts(model, found)
    if model.beams or any(getattr(force, "kind", "") == "beam_load" for force in model.forces.values()):
        from duoti.model.checks.beams import check_beams

        check_beams(model, found)
    check_loads(model, found)
    _check_attachment(model, found)
    if not any(f.severity == "error" for f in found.found):
        check_massless_ends(model, found)
        placement = place_bodies(model)
        _check_gaps(model, placement, found)
        check_attachments(model, placement, found)
        check_values(model, found)
    return CheckedModel(found.report(model.name, model.source_locations), model, placement)


def _vector_fault(value: Any, size: int) -> str | None:
    """Why `value` is not `size` finite numbers, or None."""
    if type(value) is tuple and len(value) == size and NUMBERS.issuperset(map(type, value)):
        total = sum(value)
        if total - total == 0.0 and min(value) >= -LARGEST and max(value) <= LARGEST:  # neither NaN nor infinite
            return None
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        return f"{shown(value)} is not {size} numbers"
    if array.shape != (size,):
        return f"{shown(value)} is not {size} numbers"
    if not np.all(np.isfinite(array)):
        return f"{array.tolist()} is not finite"
    if np.any(np.abs(array) > LARGEST):
        return f"{array.tolist()} is too large; no number of a model is beyond {LARGEST:g}"
    return None


def _check_model(model: Model, found: Findings) -> None:
    if fault := _vector_fault(model.gravity, 3):
        found.error("gravity", (), f"gravity: {fault}", remedy="give three components in m/s², e.g. (0, 0, -9.81)",
                    key="gravity")  # fmt: skip
    for name, value in model.parameters.items():
        if fault := number_fault(value):
            who = ElementId("parameter", str(name))
            found.error("parameter", (who,), f"{who} is {shown(value)}", remedy=fault)
    if not model.bodies:
        found.error("no-bodies", (), "the model has no bodies", remedy="add some: model.add_body(name, inertia)")


def _check_body(body: Body, found: Findings) -> None:
    name = body.name
    who = ElementId("body", str(name))
    if body.inertia is None:
        found.error("missing-inertia", (who,), f"{who} has no inertia", "a missing mass is never assumed",
                    "give one, e.g. dt.Inertia.sphere(mass, radius)", "inertia")  # fmt: skip
    elif not isinstance(body.inertia, Inertia | Flexible):  # pyright: ignore[reportUnnecessaryIsInstance]
        found.error("bad-inertia", (who,), f"{who}: {shown(body.inertia)} is not an inertia",
                    remedy="make one with dt.Inertia(mass, com, matrix) or its shapes", key="inertia")  # fmt: skip
    else:
        check_magnitudes(who, body.inertia if isinstance(body.inertia, Inertia) else body.inertia.rigid, found)
        _check_shapes(who, list(getattr(body.inertia, "shapes", ())), found)
    if body.position is not None and (fault := _vector_fault(body.position, 3)):
        found.error("bad-position", (who,), f"position of {who}: {fault}", remedy="give (x, y, z) in metres",
                    key="position")  # fmt: skip
    if fault := _rotation_fault(body.rotation):
        found.error("bad-rotation", (who,), f"rotation of {who}: {fault}", key="rotation")
    _check_shapes(who, body.shapes, found)


def _check_shapes(who: ElementId, shapes: Any, found: Findings) -> None:
    if not isinstance(shapes, list | tuple) or not all(isinstance(each, Shape) for each in shapes):
        found.error("bad-shapes", (who,), f"{who}: shapes is {shown(shapes)}", remedy="give a list of dt.Shape",
                    key="shapes")  # fmt: skip


def _rotation_fault(rotation: Any) -> str | None:
    try:
        Rotation.from_any(rotation)
    except (ValueError, TypeError, OverflowError) as error:
        return str(error)
    return None


def _check_marker(model: Model, marker: Any, found: Findings) -> None:
    who = ElementId("marker", str(marker.name))
    body = name_of(marker.body)
    if body != GROUND and body not in model.bodies:
        found.error("unknown-name", (who,), f'{who}: its body "{body}" does not exist',
                    remedy=did_you_mean(body, [*model.bodies, GROUND]).strip(), key="body",
                    unknown=(body,))  # fmt: skip
    elif not isinstance(marker.body, str):
        check_reference(model, who, "body", marker.body, found)
    if fault := _vector_fault(marker.position, 3):
        found.error("bad-position", (who,), f"position of {who}: {fault}",
                    remedy="give (x, y, z) in metres, in the body's frame", key="position")  # fmt: skip
    if fault := _rotation_fault(marker.rotation):
        found.error("bad-rotation", (who,), f"rotation of {who}: {fault}", key="rotation")


def _check_joint(model: Model, element: JointElement, found: Findings) -> None:
    name = element.name
    who = ElementId("joint", str(name))
    known = check_reference(model, who, "parent", element.parent_reference, found)
    known &= check_reference(model, who, "child", element.child_reference, found)
    if known and element.parent == element.child:
        body = ElementId("body", element.parent)
        sides = markers_among(model, (element.parent_reference, element.child_reference))
        found.error("self-joint", (who, body, *sides), f"{who} joins {body} to itself",
                    "a joint needs two bodies", "correct its parent or its child", "child")  # fmt: skip
    if element.at is not None:
        if fault := _vector_fault(element.at, 3):
            found.error("bad-position", (who,), f"{who}: at: {fault}",
                        remedy="give the world point (x, y, z) in metres", key="at")  # fmt: skip
        markers = [r for r in (element.parent_reference, element.child_reference) if name_of(r) in model.markers]
        if markers and not all(isinstance(r, Body) for r in (element.parent_reference, element.child_reference)):
            found.error("twice-placed", (who,), f'{who} is placed twice: by at= and by marker "{name_of(markers[0])}"',
                        remedy="leave out at=, or name the bodies instead of markers", key="at")  # fmt: skip
    if not isinstance(element.joint, Joint):  # pyright: ignore[reportUnnecessaryIsInstance]
        found.error("bad-joint", (who,), f"{who}: {shown(element.joint)} is not a joint type",
                    remedy="give an object such as dt.Revolute('z') (with brackets)")  # fmt: skip
        return
    faults = faults_of(element.joint)
    for fault in faults:
        found.error("bad-joint", (who,), f"{who} ({element.kind}): {fault.text}", key=fault.key)
    for remark in [] if faults else element.joint.remarks():
        found.warning("joint", (who,), f"{who} ({element.kind}): {remark.text}", key=remark.key)
    for key, given, rates in (("q0", element.q0, False), ("v0", element.v0, True)):
        if given is not None:
            try:
                initial_values(element.joint, given, rates)
            except ValueError as error:
                found.error("initial-value", (who,), f"{who}: {key}: {error}", key=key)
    check_limits(element, found)
    _check_rotor(element, found)


def _check_rotor(element: JointElement, found: Findings) -> None:
    if element.rotor_inertia is None:
        return
    try:
        numbers = np.asarray(element.rotor_inertias, dtype=float)
    except (TypeError, ValueError, OverflowError):
        numbers = np.array([np.nan])
    if not np.all(np.isfinite(numbers)) or np.any(numbers < 0.0) or np.any(numbers > LARGEST):
        who = ElementId("joint", str(element.name))
        found.error("rotor-inertia", (who,), f"{who}: rotor_inertia is {shown(element.rotor_inertia)}",
                    remedy=f"give one number that is not negative [kg m² or kg], or {element.nv} of them",
                    key="rotor_inertia")  # fmt: skip


def _check_force(model: Model, name: str, force: Any, found: Findings) -> None:
    of_graph = name in model.bond_graphs and model.expansion is not None and name not in model.expansion.source.forces
    who = ElementId("bond_graph" if of_graph else "force", str(name))
    if not isinstance(force, Force):
        found.error("bad-force", (who,), f"{who}: {shown(force)} is not a force element",
                    remedy="give an object such as dt.SpringDamper(marker_a, marker_b, stiffness=100)")  # fmt: skip
        return
    in_joint = isinstance(force, JointElementForce)  # whose coordinate is looked at together with the joint
    faults = [fault for fault in faults_of(force) if not (in_joint and fault.key == "coordinate")]
    wrong = {fault.key for fault in faults}
    for key, reference in listed(force.markers, faults):
        if key not in wrong:
            check_reference(model, who, key, reference, found)
    before = len(found.found)
    for key, joint in listed(force.joints, faults):
        known = check_joint_reference(model, who, key, joint, found) if key not in wrong else None
        if known is not None and isinstance(force, JointElementForce):
            _check_coordinate(who, force, known, found)
    for fault in faults:
        found.error("bad-force", (who,), f"{who} ({force.kind}): {fault.text}", key=fault.key)
    if len(found.found) == before:
        check_joint_friction(model, who, force, found)
    for role, value, own, outputs in () if faults else force.values():  # which may be none that can be read
        names = set(own)
        joint = model.joints.get(name_of(force.joint)) if isinstance(force, JointElementForce) else None  # pyright: ignore[reportArgumentType]
        if isinstance(force, JointElementForce) and joint is not None and _is_attitude(joint, force.coordinate):
            names.discard("q")
        if fault := law_fault(model, value, names, outputs):
            found.error("bad-law", (who,), f"{who}: its {role}: {fault.text}", key=key_of(force, value, "law", "laws"),
                        unknown=fault.unknown)  # fmt: skip


def _is_attitude(element: JointElement, coordinate: int | None) -> bool:
    """Whether the velocity coordinate with this number is part of an angular velocity, the rate of a quaternion."""
    if not isinstance(element.joint, Joint) or not isinstance(coordinate, int | None):  # pyright: ignore[reportUnnecessaryIsInstance]
        return False
    j = 0
    for c in element.joint.coordinates:
        if j <= (coordinate or 0) < j + c.nv:
            return c.quaternion
        j += c.nv
    return False


def _check_event(model: Model, name: str, event: Any, found: Findings) -> None:
    who = ElementId("event", str(name))
    if not isinstance(event, Event):
        found.error("bad-event", (who,), f"{who}: {shown(event)} is not an event",
                    remedy='give dt.Event("expression", terminal=True)')  # fmt: skip
        return
    for fault in faults_of(event):
        found.error("bad-event", (who,), f"{who}: {fault.text}", key=fault.key)
    if fault := law_fault(model, event.value, forces=True):
        found.error("bad-law", (who,), f"{who}: {fault.text}", key="value", unknown=fault.unknown)
    for names, value in event.assignments():
        for name in names:
            if name not in model.states:
                hint = did_you_mean(str(name), model.states)
                found.error("unknown-name", (who,), f"{who}: it sets {name!r}, which is no state.{hint}", key="sets")
            elif model.states[name].algebraic:
                found.error("bad-event", (who, ElementId("state", name)), f"{who}: it sets an algebraic state",
                            "its equation determines it", "leave it out", "sets")  # fmt: skip
        if len(names) > MOST_OUTPUTS:
            found.error("bad-event", (who,), f"{who}: a function sets {len(names)} states, {MOST_OUTPUTS} at most",
                        remedy="write several functions", key="sets")  # fmt: skip
        elif fault := law_fault(model, value, outputs=len(names), forces=True):
            found.error("bad-law", (who,), f"{who}: it sets {', '.join(map(str, names))}: {fault.text}", key="sets",
                        unknown=fault.unknown)  # fmt: skip


def _check_coordinate(who: ElementId, force: JointElementForce, element: JointElement, found: Findings) -> None:
    if not isinstance(element.joint, Joint):  # pyright: ignore[reportUnnecessaryIsInstance]
        return
    n, c = element.nv, force.coordinate
    both = (who, ElementId("joint", element.name))
    if n == 0:
        found.error("coordinate", both, f'{who}: joint "{element.name}" is {element.kind} and cannot move', key="joint")
    elif c is None and n > 1:
        names = ", ".join(f"{k.name} ({k.nv})" for k in element.joint.coordinates)
        found.error("coordinate", both,
                    f'{who}: joint "{element.name}" has {n} coordinates ({names}); which is meant?',
                    remedy=f"say coordinate=0 .. {n - 1}", key="coordinate")  # fmt: skip
    elif c is not None and not (isinstance(c, Integral) and 0 <= c < n):
        found.error("coordinate", both,
                    f'{who}: coordinate={c!r}, but joint "{element.name}" has {n}, counted from 0',
                    key="coordinate")  # fmt: skip
    elif force.reads_position and _is_attitude(element, c):
        found.error(
            "coordinate", both,
            f'{who}: coordinate {c or 0} of joint "{element.name}" belongs to a rotation, which has no single angle',
            "its rates are components of the angular velocity; a turn in space is no sum of angles",
            "use dt.Bushing between two markers, or a dt.Composite of dt.Revolute joints", "coordinate",
        )  # fmt: skip


def _check_attachment(model: Model, found: Findings) -> None:
    """Every body must be reachable from ground through joints."""
    neighbours: dict[str, set[str]] = {name: set() for name in [*model.bodies, GROUND]}
    for element in model.joints.values():
        if element.parent in neighbours and element.child in neighbours:
            neighbours[element.parent].add(element.child)
            neighbours[element.child].add(element.parent)
    reached, frontier = {GROUND}, [GROUND]
    while frontier:
        for other in neighbours[frontier.pop()] - reached:
            reached.add(other)
            frontier.append(other)
    lost = [name for name in model.bodies if name not in reached]
    while lost:
        group, frontier = {lost[0]: None}, [lost[0]]
        while frontier:
            for other in neighbours[frontier.pop()]:
                if other not in group:
                    group[other] = None
                    frontier.append(other)
        first, group = lost[0], list(group)
        found_now = set(group)
        lost = [name for name in lost if name not in found_now]
        if len(group) == 1:
            what = f'body "{first}" is attached to nothing'
        else:
            listed = ", ".join(f'"{name}"' for name in group[:6]) + (", ..." if len(group) > 6 else "")
            what = f"bodies {listed} are joined to each other but not to ground"
        found.error(
            "unattached", tuple(ElementId("body", name) for name in group), what,
            "no chain of joints leads from ground to it",
            f'join it, or let it float: model.add_joint("{first}_free", dt.Free(), model.ground, "{first}")',
        )  # fmt: skip


def _check_gaps(model: Model, placement: Placement, found: Findings) -> None:
    for name, (distance, angle) in placement.gaps.items():
        element = model.joints[name]
        given = [b for b in (element.child, element.parent) if b in model.bodies and model.bodies[b].placed]
        if given:
            why = "both bodies were placed, and the joint's coordinates are zero where the markers coincide"
            remedy = f'leave out position and rotation of "{given[0]}" (they follow from the joint)'
        else:
            why = "the bodies were placed by other joints with markers, which leave the loop of this joint open"
            remedy = "place the bodies where the loop is closed and join them at world points (at=...)"
        found.error(
            "gap", (ElementId("joint", name), ElementId("body", element.parent), ElementId("body", element.child)),
            f'joint "{name}": its markers on "{element.parent}" and "{element.child}" do not coincide in the reference '
            f"configuration: {distance:.4g} m and {np.degrees(angle):.4g} degrees apart",
            why, f"{remedy}, or mend the markers",
        )  # fmt: skip
