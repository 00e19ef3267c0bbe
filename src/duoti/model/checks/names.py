"""Checks of names: what they may be, that each means one thing, and that none was changed behind the model's back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from duoti.model.checks.findings import STEERING, Findings
from duoti.model.checks.parameters import shown
from duoti.model.checks.registry import register_check
from duoti.model.element_id import KINDS, ElementId, ElementKind
from duoti.model.elements import GROUND
from duoti.model.sections import further_sections
from duoti.spelling import with_article

if TYPE_CHECKING:
    from duoti.model.model import Model

NOT_FOR_READING = "it has characters that are not for reading, such as those that steer a terminal"


NAMED: tuple[ElementKind, ...] = ("body", "marker", "joint", "contact", "state", "table")
"""Kinds of elements that know their names."""


@register_check("structure", order=110)
def check_names(model: Model, found: Findings) -> None:
    """Add what is wrong with the names of a model and of its elements."""
    if STEERING.search(str(model.name)):
        found.error("bad-name", (), f"the model has the name {model.name!r}",
                    NOT_FOR_READING, "choose another", key="name")  # fmt: skip
    for twice in model.duplicates:
        if twice.name == GROUND:
            found.error("reserved-name", (twice,), f"{twice}: this name is kept for the fixed body",
                        remedy="choose another name; the fixed body is model.ground")  # fmt: skip
        else:
            found.error("duplicate-name", (twice,), f'there is more than one {twice.kind} named "{twice.name}"',
                        "a name must mean one thing; only the first one was kept", "rename all but one")  # fmt: skip
    for name in model.markers:
        if name in model.bodies:
            found.error("duplicate-name", (ElementId("marker", name),), f'a body and a marker are both named "{name}"',
                        "where this name is given it could mean either", "rename one of them")  # fmt: skip
    sections: tuple[tuple[ElementKind, dict[str, Any]], ...] = (
        ("body", model.bodies), ("marker", model.markers), ("joint", model.joints), ("force", model.forces),
        ("constraint", model.constraints), ("contact", model.contacts), ("event", model.events),
        ("state", model.states), ("table", model.tables),
        *((KINDS[each.name], each.of(model)) for each in further_sections()),
    )  # fmt: skip
    for kind, elements in sections:
        for name, element in elements.items():
            if kind not in ("state", "table"):  # which are words
                _check_name(kind, name, found)
            own = getattr(element, "name", name) if kind in NAMED else name
            if not (isinstance(own, type(name)) and own == name):
                found.error("renamed", (ElementId(kind, str(name)),),
                            f'{kind} "{name}" now calls itself {shown(own)}',
                            "others refer to it by the name under which it was added",
                            f'set .name back to "{name}", or build the model with the new name', "name")  # fmt: skip


def _check_name(kind: ElementKind, name: Any, found: Findings) -> None:
    if not isinstance(name, str) or not name.strip():
        found.error("bad-name", (ElementId(kind, str(name)),), f"{with_article(kind)} has the name {name!r}",
                    "a name is a text that is not empty", "give it a name")  # fmt: skip
    elif STEERING.search(name):
        found.error("bad-name", (ElementId(kind, name),), f"{with_article(kind)} has the name {name!r}",
                    NOT_FOR_READING, "take them out")  # fmt: skip
