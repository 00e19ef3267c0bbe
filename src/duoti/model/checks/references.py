"""The part of the model check that looks at references: names, or objects that the model's add_... methods returned."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from duoti.model.checks.findings import Findings
from duoti.model.checks.parameters import shown
from duoti.model.checks.registry import register_check
from duoti.model.contacts.element import ContactElement
from duoti.model.element_id import KINDS, ElementId
from duoti.model.elements import GROUND, Body, JointElement, Marker, name_of, was_replaced
from duoti.model.errors import did_you_mean
from duoti.model.laws.expressions.lookup_table import Table
from duoti.model.laws.reaction_feedback import FeedbackState
from duoti.model.model import Model
from duoti.model.sections import further_sections
from duoti.model.sensors import SensorState
from duoti.model.state import State


def _known_reference(model: Model, reference: Any) -> bool:
    if isinstance(reference, str):
        return reference in model.bodies or reference in model.markers or reference == GROUND
    name = name_of(reference)
    ours = model.ground if name == GROUND else model.bodies.get(name)
    known = reference is ours or reference is model.markers.get(name) or was_replaced(model, reference)
    return reference is not None and known


def markers_among(model: Model, references: Iterable[Any]) -> tuple[ElementId, ...]:
    """Those of the references that are markers of the model."""
    return tuple(ElementId("marker", name) for name in map(name_of, references) if name in model.markers)


def check_reference(model: Model, owner: ElementId, key: str, reference: Any, found: Findings, role: str = "") -> bool:
    """Whether a body or marker, given by name or as an object, is one of the model; if not, adds why.

    key: the parameter of the owner that gives it; role: what messages call it, if not that.
    """
    if _known_reference(model, reference):
        return True
    name = name_of(reference)
    if isinstance(reference, str) or model.marker(name) is None:
        found.error("unknown-name", (owner,), f'{owner}: its {role or key} "{name}" does not exist',
                    remedy=did_you_mean(name, [*model.bodies, *model.markers, GROUND]).strip(),
                    key=key, unknown=(name,))  # fmt: skip
    else:
        found.error("foreign", (owner,), f'{owner}: its {role or key} "{name}" belongs to another model',
                    remedy="use what this model's add_body or add_marker returned, or the name", key=key)  # fmt: skip
    return False


def check_joint_reference(
    model: Model, owner: ElementId, key: str, joint: Any, found: Findings, role: str = ""
) -> JointElement | None:
    """The joint of the model that is meant; None if it is none of the model, which is added to what was found."""
    name = name_of(joint)
    if name not in model.joints:
        found.error("unknown-name", (owner,), f'{owner}: its {role or key} "{name}" does not exist',
                    remedy=did_you_mean(name, model.joints).strip(), key=key, unknown=(name,))  # fmt: skip
        return None
    if not isinstance(joint, str) and joint is not model.joints[name] and not was_replaced(model, joint):
        found.error("foreign", (owner,), f'{owner}: its {role or key} "{name}" belongs to another model',
                    remedy="use what this model's add_joint returned, or the name", key=key)  # fmt: skip
        return None
    return model.joints[name]


# The part of the model check that looks whether the sections of a model hold what belongs there.


HOLDS: dict[str, tuple[type, ...]] = {
    "bodies": (Body,), "markers": (Marker,), "joints": (JointElement,), "contacts": (ContactElement,),
    "states": (State, FeedbackState, SensorState), "tables": (Table,), "forces": (), "constraints": (), "events": (),
    "parameters": (), "beams": (), "cables": (), "segments": (), "second_order_systems": (), "controllers": (),
    "fmus": (), "bond_graphs": (),
    "tasks": (),
}  # fmt: skip
"""Sections, and the types of what they hold, if no check of its own says so."""


OBJECTS = {"beams": "joint_names", "bond_graphs": "expand", "cables": "nodes",
           **dict.fromkeys(("segments", "second_order_systems", "controllers", "fmus"), "given")}  # fmt: skip
"""Sections of what other packages make, and what its objects have."""


@register_check("sections", order=50)
def check_sections(model: Model, found: Findings) -> None:
    """Add sections that are no mappings, and elements of another type than the methods of a model add."""
    further = {each.name: (each.element,) for each in further_sections() if each.element and each.name in vars(model)}
    for section, types in {**HOLDS, **further}.items():
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
