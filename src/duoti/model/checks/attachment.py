"""Checks that every body is attached to ground, and that markers of joints coincide."""

from __future__ import annotations

import numpy as np

from duoti.model.checks.findings import Findings
from duoti.model.checks.registry import PlacedModel, register_check
from duoti.model.element_id import ElementId
from duoti.model.elements import GROUND
from duoti.model.model import Model


@register_check("structure", order=240)
def check_attachment(model: Model, found: Findings) -> None:
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


@register_check("placed", order=310)
def check_gaps(placed: PlacedModel, found: Findings) -> None:
    """Add joints whose markers are apart in the reference configuration."""
    model, placement = placed
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
