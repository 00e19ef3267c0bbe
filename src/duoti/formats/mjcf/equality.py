"""Equality constraints of MJCF. They are springs in MuJoCo and rigid here."""

from __future__ import annotations

import numpy as np

from duoti.formats.mjcf.bodies import Builder
from duoti.formats.mjcf.tendons import Tendon
from duoti.formats.xml.names import free_name, marker_name
from duoti.formats.xml.xml_tree import Element
from duoti.model.constraints.coupler import Coupler, Joint
from duoti.model.constraints.distance import Distance
from duoti.model.constraints.joint_motion import JointMotion
from duoti.model.constraints.marker_motion import MarkerMotion
from duoti.model.constraints.weld import Weld
from duoti.model.elements import Marker
from duoti.spatial import Pose, Rotation


def add_equalities(builder: Builder, tendons: dict[str, Tendon]) -> None:
    """All constraints of the file."""
    document, reading = builder.document, builder.reading
    told = False
    for section in document.sections["equality"]:
        for given in document.copies.expanded(reading, "equality", section):
            element = document.defaults.effective(given, tag="equality")
            if not document.enabled("equality", "constraint"):
                reading.note(given, "switched off by a flag; left out", changes_motion=False)
            elif element.get("active", "true") == "false":
                reading.note(given, "it is not active; left out", changes_motion=False)
            elif given.tag in ("connect", "weld"):
                document.check(element, given.tag, ())
                _between_bodies(builder, element)
            elif given.tag == "joint":
                document.check(element, "equality joint", ())
                _between_joints(builder, element)
            elif given.tag == "tendon":
                document.check(element, "equality tendon", ())
                _between_tendons(builder, element, tendons)
            else:
                reading.note(given, "a constraint of this kind is not supported; left out")
                continue
            if not told:
                told = True
                reading.note(given, "constraints are rigid here, and springs with dampers in MuJoCo", False)


def _between_bodies(builder: Builder, element: Element) -> None:
    ends = _sites(builder, element) if element.get("site1") or element.get("site2") else _bodies(builder, element)
    if ends is None:
        return
    a, b = ends
    if builder.model.body_name(a) == builder.model.body_name(b):
        builder.reading.note(element, "both ends are on one body; left out", changes_motion=False)
        return
    name = free_name(
        element.get("name") or f"{element.tag}_{len(builder.model.constraints)}", builder.model.constraints
    )
    constraint = Weld(a, b) if element.tag == "weld" else MarkerMotion(b, (0.0, 0.0, 0.0), reference=a)
    builder.model.add_constraint(name, constraint)


def _sites(builder: Builder, element: Element) -> tuple[Marker, Marker] | None:
    found: list[Marker] = []
    for attribute in ("site1", "site2"):
        name = builder.reading.required(element, attribute)
        if name and name not in builder.sites:
            builder.reading.missing(element, "site", name, builder.sites)
        elif name:
            found.append(builder.model.markers[builder.sites[name]])
    return (found[0], found[1]) if len(found) == 2 else None


def _bodies(builder: Builder, element: Element) -> tuple[Marker, Marker] | None:
    reading, model = builder.reading, builder.model
    names = [reading.required(element, "body1"), element.get("body2", "world")]
    for name in names:
        if name and name not in builder.body_frames:
            reading.missing(element, "body", name, builder.body_frames)
    if not all(name in builder.body_frames for name in names):
        return None
    first, second = (builder.body_frames[name] for name in names)
    if element.tag == "connect":
        reading.required(element, "anchor")
        X_1 = Pose(position=reading.numbers(element, "anchor"))
    else:
        X_1 = _relative(builder, element, first.X_WM.inverse() @ second.X_WM)
    X_2 = second.X_WM.inverse() @ first.X_WM @ X_1 if element.tag == "connect" else Pose()
    label = element.get("name") or f"{element.tag}_{names[0]}_{names[1]}"
    ends: list[Marker] = []
    for body_frame, X, side in ((first, X_1, "a"), (second, X_2, "b")):
        at = body_frame.X_BM @ X
        ends.append(
            model.add_marker(
                marker_name(model, f"{label}_{side}", builder.names), body_frame.body, at.position, at.rotation
            )
        )
    return ends[0], ends[1]


def _relative(builder: Builder, element: Element, X_12: Pose) -> Pose:
    """Pose of the second body in the first that a weld keeps: as given, or that of the file."""
    numbers = builder.reading.numbers(element, "relpose", 7, (0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    length = float(np.linalg.norm(numbers[3:]))
    if length < 1e-12:
        return X_12
    return Pose(Rotation(numbers[3:] / length), numbers[:3])


def _between_joints(builder: Builder, element: Element) -> None:
    reading, model = builder.reading, builder.model
    names = [reading.required(element, "joint1"), element.get("joint2")]
    for name in names:
        if name and name not in builder.joints:
            reading.missing(element, "joint", name, builder.joints)
    if not all(name in builder.joints for name in names if name):
        return
    if any(builder.joints[name].kind not in ("hinge", "slide") for name in names if name):
        reading.error(element, "only hinges and slides can be coupled")
        return
    a = _coefficients(builder, element)
    name = free_name(element.get("name") or f"joint_{len(model.constraints)}", model.constraints)
    if not names[1]:
        model.add_constraint(name, JointMotion(names[0], a[0]))
    elif any(a[2:]):
        reading.note(element, "a coupling that is not linear is not supported; left out")
    else:
        model.add_constraint(name, Coupler({names[0]: 1.0, names[1]: -a[1]}, a[0]))


def _coefficients(builder: Builder, element: Element) -> list[float]:
    """The five coefficients of y = a0 + a1 x + ..., y and x counted from the configuration of the file."""
    words = element.get("polycoef").split()
    given = builder.reading.numbers(element, "polycoef", (1, 2, 3, 4, 5), (0.0, 1.0)).tolist() if words else []
    return [*given, *(0.0, 1.0, 0.0, 0.0, 0.0)[len(given) :]]


def _between_tendons(builder: Builder, element: Element, tendons: dict[str, Tendon]) -> None:
    """The length of one tendon, alone or as a linear function of another's."""
    reading, model = builder.reading, builder.model
    names = [reading.required(element, "tendon1"), element.get("tendon2")]
    for name in names:
        if name and name not in tendons:
            reading.missing(element, "tendon", name, tendons)
    if not all(name in tendons for name in names if name):
        return
    a, chosen = _coefficients(builder, element), [tendons[name] for name in names if name]
    label = free_name(element.get("name") or f"tendon_{len(model.constraints)}", model.constraints)
    if len(chosen) == 1 and chosen[0].ends is not None:
        model.add_constraint(label, Distance(*chosen[0].ends, chosen[0].length_in_file(builder) + a[0]))
    elif not all(tendon.terms for tendon in chosen) or (len(chosen) == 2 and any(a[2:])):
        reading.note(element, "only fixed tendons in a linear relation can be coupled; left out")
    else:
        sums: dict[Joint | tuple[Joint, int], float] = {}
        for tendon, factor in zip(chosen, (1.0, -a[1]), strict=False):
            for joint, coefficient in tendon.terms:
                sums[joint.name] = sums.get(joint.name, 0.0) + factor * coefficient
        model.add_constraint(label, Coupler(sums, a[0]))
