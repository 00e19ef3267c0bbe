"""A model without some of its forces, constraints or contacts, for an analysis with these switched off."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy

from duoti.model.element_id import KINDS, ElementId
from duoti.model.errors import did_you_mean
from duoti.model.model import Model
from duoti.spelling import with_article

SECTIONS = ("forces", "constraints", "contacts", "events")
"""Where elements may be left out: none of these has coordinates or states of its own that others may read."""


def names_to_leave_out(model: Model) -> list[str]:
    """Names of the elements that may be left out; of two kinds with one name, as "force:name"."""
    return [name for section in SECTIONS for name in getattr(model, section)]


def element_to_leave_out(model: Model, name: str) -> ElementId:
    """The element that a name means, "spring" or "force:spring"; raises ValueError if it is none or not one."""
    kinds: dict[str, str] = {"force": "forces", "constraint": "constraints", "contact": "contacts", "event": "events"}
    kind, _, rest = str(name).partition(":")
    if kind in kinds and rest in getattr(model, kinds[kind]):
        return ElementId(kind, rest)  # pyright: ignore[reportArgumentType]
    found = [each for each, section in kinds.items() if name in getattr(model, section)]
    if len(found) > 1:
        choice = " or ".join(f'"{each}:{name}"' for each in found)
        raise ValueError(f"{name!r} is {' and '.join(map(with_article, found))}; write {choice}")
    if not found:
        hint = did_you_mean(str(name), names_to_leave_out(model))
        raise ValueError(f"there is no force, constraint, contact or event {str(name)[:60]!r}.{hint}")
    return ElementId(found[0], name)  # pyright: ignore[reportArgumentType]


def without(model: Model, names: Iterable[str]) -> Model:
    """A copy of the model without elements; what remains is shared with it. See `Model.without`."""
    left_out = {element_to_leave_out(model, name) for name in names}
    made = copy(model)
    for section in SECTIONS:
        kept = {n: item for n, item in getattr(model, section).items() if ElementId(KINDS[section], n) not in left_out}
        setattr(made, section, kept)
    made.states = dict(model.states)
    for name, state in model.states.items():
        switches = [each for each in state.switches if model.switched(each) not in left_out]
        if len(switches) < len(state.switches):
            changed = made.states[name] = copy(state)
            changed.switches = switches
    made.tasks, made.left_out = {}, model.left_out | left_out
    parts = ("cables", "segments", "controllers", "fmus")
    made.cables, made.segments, made.controllers, made.fmus = (
        {} if left_out else dict(getattr(model, part)) for part in parts)  # fmt: skip
    return made
