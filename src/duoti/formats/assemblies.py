"""Cables, segments, second-order systems and controllers of a model as plain data.

A file holds such a part as a part if reading it makes just the elements that the model has, in the same order;
otherwise as these elements: the same model either way, to the last bit and with its states in the same places.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from typing import Any

from duoti.formats import schema
from duoti.formats.encode import CannotSaveError, element_data
from duoti.model.model import Model

SECTIONS = ("bodies", "joints", "forces", "states", "events")
"""Sections in which there are elements of such parts."""
BEFORE = ("forces",)
"""Those in which they come before the elements that the file gives, since that is the order in which it is read."""
Makers = Mapping[str, Callable[[Any], dict[str, Any]]]


def parts_to_write(model: Model, makers: Makers, others: Mapping[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """Data of the parts that a file holds as parts, by section and name.

    makers: functions that make plain data of the elements of a section. others: names of elements, by section, that
    other parts made.
    """
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for section, (_, fields) in schema.ASSEMBLED.items():
        for name, part in getattr(model, section).items():
            try:
                found[section, name] = element_data(part.given, fields)
            except CannotSaveError:
                continue  # a law that is a function: its elements say so
    while found:
        changed, in_order = _differing(model, list(found), makers, others)
        if not changed:
            return found if in_order else {}
        for part in changed:
            del found[part]
    return found


def generated_by(model: Model, parts: Mapping[tuple[str, str], Any]) -> dict[str, set[str]]:
    """Names of the elements that parts made, by section."""
    found: dict[str, set[str]] = {section: set() for section in SECTIONS}
    for section, name in parts:
        for kind, names in getattr(model, section)[name].generated().items():
            found[kind].update(names)
    return found


def _differing(
    model: Model, parts: list[tuple[str, str]], makers: Makers, others: Mapping[str, Any]
) -> tuple[set[tuple[str, str]], bool]:
    """The parts that would not be read as they are, and whether all elements would come in their order."""
    without = generated_by(model, dict.fromkeys(parts))
    again = copy(model)
    again.duplicates = []
    for section in SECTIONS:
        kept = {name: item for name, item in getattr(model, section).items() if name not in without[section]}
        setattr(again, section, kept)
    own = {section: list(getattr(again, section)) for section in SECTIONS}
    for section in schema.ASSEMBLED:
        setattr(again, section, {})
    changed: set[tuple[str, str]] = set()
    for section, name in parts:
        part = getattr(model, section)[name]
        try:
            getattr(again, schema.ASSEMBLED[section][0])(name, **part.given)
            same = all(
                makers[kind](getattr(again, kind)[each]) == makers[kind](getattr(model, kind)[each])
                for kind, names in part.generated().items()
                for each in names
            )
        except (KeyError, ValueError, TypeError):  # an element was taken away, or a number is none any more
            same = False
        if not same or again.duplicates:
            changed.add((section, name))
    in_order = True
    for section in SECTIONS:
        new = [name for name in getattr(again, section) if name in without[section]]
        order = [*new, *own[section]] if section in BEFORE else [*own[section], *new]
        hidden = others.get(section, ())
        in_order &= [n for n in order if n not in hidden] == [n for n in getattr(model, section) if n not in hidden]
    return changed, in_order
