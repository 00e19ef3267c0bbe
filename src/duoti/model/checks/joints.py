"""Checks of joints: what they join and where, their types, initial values, limits and rotors."""

from __future__ import annotations

import numpy as np

from duoti.model.checks.findings import Findings
from duoti.model.checks.parameters import faults_of, shown, vector_fault
from duoti.model.checks.references import check_reference, markers_among
from duoti.model.checks.registry import register_check
from duoti.model.element_id import ElementId
from duoti.model.elements import Body, JointElement, initial_values, name_of
from duoti.model.joints import Joint
from duoti.model.model import Model
from duoti.spatial.axes import LARGEST


@register_check("structure", order=160)
def check_joints(model: Model, found: Findings) -> None:
    """Add what is wrong with the joints."""
    for name, element in model.joints.items():
        with found.about(ElementId("joint", str(name))):
            _check_joint(model, element, found)


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
        if fault := vector_fault(element.at, 3):
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
    _check_limits(element, found)
    _check_rotor(element, found)
    _check_drive(element, found)


def _check_limits(element: JointElement, found: Findings) -> None:
    """Limits that are none, or outside of which the joint starts."""
    if element.limits is None:
        return
    who, n = ElementId("joint", str(element.name)), element.joint.nq
    try:
        limits = np.asarray(element.limits, dtype=float).reshape(n, 2)
    except (TypeError, ValueError, OverflowError):
        found.error(
            "limits", (who,), f"{who}: limits {element.limits!r} are not {n} pairs (lower, upper)", key="limits"
        )
        return
    if np.any(np.isnan(limits)) or np.any(limits[:, 0] > limits[:, 1]):
        found.error("limits", (who,), f"{who}: limits {limits.tolist()}: a lower bound is above its upper one",
                    key="limits")  # fmt: skip
        return
    if np.any(limits[:, 0] == limits[:, 1]):
        found.warning("limits", (who,), f"{who}: limits {limits.tolist()} leave it no range", "a stop holds one side",
                      "take dt.Fixed() for a joint that does not move", key="limits")  # fmt: skip
    q0 = element.joint.zero if element.q0 is None else None
    if element.q0 is not None:
        try:
            q0 = initial_values(element.joint, element.q0, rates=False)
        except ValueError:
            return
    if q0 is not None and np.any((q0 < limits[:, 0]) | (q0 > limits[:, 1])):
        found.warning("limits", (who,), f"{who} starts at {q0.tolist()}, outside its limits {limits.tolist()}",
                      "until it is back inside, its stop lets it move towards its limits only",
                      "give q0= inside the limits, or widen limits=",
                      key="q0" if element.q0 is not None else "limits")  # fmt: skip


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


def _check_drive(element: JointElement, found: Findings) -> None:
    """Limits of the drive: one number, or one for each velocity."""
    for key, unit in (("effort_limit", "N m or N"), ("velocity_limit", "rad/s or m/s")):
        given = getattr(element, key)
        if given is None:
            continue
        try:
            numbers = np.broadcast_to(np.asarray(given, dtype=float), (element.nv,))
        except (TypeError, ValueError, OverflowError):
            numbers = np.array([np.nan])
        if not np.all(numbers >= 0.0):
            who = ElementId("joint", str(element.name))
            found.error("drive-limit", (who,), f"{who}: {key} is {shown(given)}",
                        remedy=f"give one number that is not negative [{unit}], or {element.nv} of them",
                        key=key)  # fmt: skip
