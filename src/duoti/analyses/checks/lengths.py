"""Check of springs and other forces along lines between points that coincide."""

from __future__ import annotations

from typing import Any

import numpy as np

from duoti.analyses.checks.context import CheckContext
from duoti.model.checks.findings import Findings
from duoti.model.checks.registry import register_check
from duoti.model.element_id import ElementId
from duoti.model.elements import name_of
from duoti.model.errors import ModelError

ALONG = ("spring_damper", "table_spring", "line_force", "point_gravity")
"""Kinds of forces that act along the line between two points."""
COINCIDENT = 1e-9  # m, times the size of the model: no direction leads from one point to the other


@register_check("state", order=510, cost="compiles")
def check_lengths(context: CheckContext, found: Findings) -> None:
    """Add forces along lines that have no length, and so no direction, in the initial position."""
    model = context.model
    lines: dict[str, Any] = {name: force for name, force in model.forces.items() if force.kind in ALONG}
    if not lines:
        return
    from duoti.analyses.instant.evaluator import evaluator_of

    try:
        with np.errstate(all="ignore"):
            system, (q, _) = context.system, context.initial
    except (ModelError, ValueError):
        return  # reported elsewhere
    frames = evaluator_of(system).frames(q, copy=True)
    for name, force in lines.items():
        a, b = (frames[name_of(each)].position for each in (force.marker_a, force.marker_b))
        if float(np.linalg.norm(b - a)) > COINCIDENT * (1.0 + float(np.linalg.norm(a))):
            continue
        rest = getattr(force, "rest_length", 0.0)
        if force.kind == "spring_damper" and rest == 0.0:
            continue  # which has no force there
        who = ElementId("force", name)
        ends = tuple(ElementId("marker" if n in model.markers else "body", n) for n in _names(force))
        what = f"a spring of rest length {rest:g} m" if rest else "a force along the line between them"
        then = (
            "grows beyond all bounds near it" if force.kind == "point_gravity" else "is zero until something parts them"
        )
        found.warning(
            "no-direction", (who, *ends), f"{who} ({force.kind}): its ends coincide in the initial position",
            f"{what} has no direction there, and {then}",
            "move one of the markers, or give q0 of a joint between them", "marker_b",
        )  # fmt: skip


def _names(force: Any) -> list[str]:
    return [name_of(force.marker_a), name_of(force.marker_b)]
