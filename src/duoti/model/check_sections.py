"""The part of the model check that looks whether the sections of a model hold what belongs there."""

from __future__ import annotations

from typing import Any

from duoti.model.check_fields import shown
from duoti.model.contact_element import ContactElement
from duoti.model.element_id import KINDS, ElementId
from duoti.model.elements import Body, JointElement, Marker
from duoti.model.expressions.table import Table
from duoti.model.findings import Findings
from duoti.model.measured import MeasuredState
from duoti.model.model import Model
from duoti.model.state import State

HOLDS: dict[str, tuple[type, ...]] = {
    "bodies": (Body,), "markers": (Marker,), "joints": (JointElement,), "contacts": (ContactElement,),
    "states": (State, MeasuredState), "tables": (Table,), "forces": (), "constraints": (), "events": (),
    "parameters": (), "beams": (), "cables": (), "segments": (), "second_order_systems": (), "controllers": (),
    "bond_graphs": (),
    "tasks": (),
}  # fmt: skip
"""Sections, and the types of what they hold, if no check of its own says so."""


OBJECTS = {"beams": "joint_names", "bond_graphs": "expand", "cables": "nodes",
           **dict.fromkeys(("segments", "second_order_systems", "controllers"), "given")}  # fmt: skip
"""Sections of what other packages make, and what its objects have."""


def check_sections(model: Model, found: Findings) -> None:
    """Add sections that are no mappings, and elements of another type than the methods of a model add."""
    for section, types in HOLDS.items():
        elements: Any = getattr(model, section)
        if not isinstance(elements, dict):
            found.error("bad-section", (), f"model.{section} is {shown(elements)}, which is no dictionary",
                        "elements are kept there by name", "add and change elements by the methods of the model",
                        key=section)  # fmt: skip
            continue
        wanted = OBJECTS.get(section, "")
        for name, element in elements.items() if types or wanted else ():
            if not (isinstance(element, types) if types else hasattr(element, wanted)):
                who = ElementId(KINDS[section], str(name))
                found.error("bad-section", (who,), f"{who} is {shown(element)}",
                            remedy=f"add it by model.add_{KINDS[section]}(...)")  # fmt: skip
    if not isinstance(model.ground, Body):  # pyright: ignore[reportUnnecessaryIsInstance]
        found.error("bad-section", (), f"model.ground is {shown(model.ground)}", "it is the fixed body", key="ground")
