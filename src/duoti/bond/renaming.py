"""Elements of a part of a graph with the names in their laws prefixed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from duoti.bond.element import Element
from duoti.model.fields import arguments_of, fields_of
from duoti.model.laws import Function, parameter_names
from duoti.model.submodel import renamed

OWN = ("t", "q", "p", "f", "effort", "flow")
"""Names that mean an element's own quantities in its law."""


def renamed_element(element: Element, rename: Callable[[str], str]) -> Element:
    """A copy of an element whose laws read other names; the element itself if it has none."""
    fields = fields_of(type(element))
    given = arguments_of(element, fields)
    changed = {key: renamed_value(value, rename) for key, value in given.items()}
    if all(changed[key] is given[key] for key in given):
        return element
    return type(element)(**changed)


def renamed_value(value: Any, rename: Callable[[str], str]) -> Any:
    """A number, text, function or matrix of such with other names."""

    def other(name: str) -> str:
        return name if name in OWN else rename(name)

    if isinstance(value, str):
        return renamed(value, other)
    if isinstance(value, Function):
        return Function(value.function, tuple(map(other, value.inputs)))
    if callable(value):
        names = parameter_names(value)
        return value if [*map(other, names)] == [*names] else Function(value, tuple(map(other, names)))
    if isinstance(value, list | tuple) and any(isinstance(each, str | list | tuple) for each in value):
        return [renamed_value(each, rename) for each in value]
    return value
