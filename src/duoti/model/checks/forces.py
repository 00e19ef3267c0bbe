"""Checks of force elements: their parameters, what they act on, their laws."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from duoti.model.checks.findings import Findings
from duoti.model.checks.friction_and_stops import check_joint_friction
from duoti.model.checks.parameters import faults_of, listed, shown
from duoti.model.checks.references import check_joint_reference, check_reference
from duoti.model.checks.registry import register_check
from duoti.model.constructor_schema import key_of
from duoti.model.element_id import ElementId
from duoti.model.elements import JointElement, name_of
from duoti.model.forces.base import Force, JointElementForce
from duoti.model.joints import Joint
from duoti.model.model import Model
from duoti.model.quantities import law_fault


@register_check("structure", order=170)
def check_forces(model: Model, found: Findings) -> None:
    """Add what is wrong with the forces."""
    for name, force in model.forces.items():
        with found.about(ElementId("force", str(name))):
            _check_force(model, name, force, found)


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
