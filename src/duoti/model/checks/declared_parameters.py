"""Checks of declared parameters: that something reads each, and that none stands in the place of a quantity."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

from duoti.model.checks.findings import Findings
from duoti.model.checks.registry import PlacedModel, register_check
from duoti.model.checks.states import KEPT
from duoti.model.element_id import ElementId
from duoti.model.errors import ChannelError
from duoti.model.laws.expressions.errors import ExpressionError
from duoti.model.model import Model
from duoti.model.parameters import names_in, names_in_data
from duoti.model.quantities import find_quantity

NOT_ELEMENTS = ("parameters", "sources", "source_locations")


@register_check("placed", order=340)
def check_declared_parameters(placed: PlacedModel, found: Findings) -> None:
    """Add parameters that nothing reads, and those that laws read in the place of a quantity of the same name."""
    model = placed.model
    if not model.parameters:
        return
    read = set[str]()
    for who, text, own in _laws(model):
        names = _names(text)
        read |= names
        for name in names & model.parameters.keys():
            if meant := _meaning(model, name, own):
                found.warning("hidden-name", (who, ElementId("parameter", name)),
                              f'{who}: it reads "{name}", which is a parameter and also {meant}',
                              "the parameter is taken", "rename the parameter")  # fmt: skip
    for name in unread_parameters(model, [name for name in model.parameters if name not in read]):
        who = ElementId("parameter", str(name))
        found.warning("unread-parameter", (who,), f"{who} has no effect: nothing in the model reads it",
                      remedy="leave it out, or let an expression read it")  # fmt: skip


def unread_parameters(model: Model, names: Iterable[str]) -> list[str]:
    """Which of these names are declared parameters that nothing in the model reads."""
    unread = [name for name in names if name in model.parameters]
    if not unread:
        return []
    read = set[str]()
    for source in model.sources.values():
        read |= names_in_data(source.written)
    for text in _texts(model):
        read |= _names(text)
    return [name for name in unread if name not in read]


def _laws(model: Model) -> Iterator[tuple[ElementId, str, Container[str]]]:
    """Expressions of a model: whose, their texts, and the names of their own that they may read."""
    given = list[tuple[ElementId, Any, Container[str]]]()
    for name, force in model.forces.items():
        given += [(ElementId("force", name), value, own) for _, value, own, _ in force.values()]
    for name, constraint in model.constraints.items():
        who = ElementId("constraint", name)
        given += [(who, value, ()) for row in constraint.rows() for value in (row.value, row.expression)]
    given += [(ElementId("state", name), state.rate, ()) for name, state in model.states.items()]
    for name, event in model.events.items():
        who = ElementId("event", name)
        given += [(who, event.value, ()), *((who, value, ()) for _, value in event.assignments())]
    for who, value, own in given:
        if isinstance(value, str):
            yield who, value, own


def _names(text: str) -> frozenset[str]:
    try:
        return names_in(text)
    except ExpressionError:  # a text that is no expression
        return frozenset()


def _meaning(model: Model, name: str, own: Container[str]) -> str:
    """What else a name in a law would mean."""
    if name == "t" or name in own:
        return KEPT.get(name, "a quantity of this law")
    if "." not in name:
        return ""
    try:
        return f"a quantity of {find_quantity(model, name).item}"
    except ChannelError:
        return ""


def _texts(model: Model) -> Iterator[str]:
    """All texts in the elements of a model."""
    seen, waiting = set[int](), [each for name, each in vars(model).items() if name not in NOT_ELEMENTS]
    while waiting:
        item: Any = waiting.pop()
        if isinstance(item, str):
            yield item
        elif id(item) not in seen:
            seen.add(id(item))
            if isinstance(item, Mapping):
                waiting += [*item.keys(), *item.values()]
            elif isinstance(item, list | tuple | set | frozenset):
                waiting += item
            elif type(item).__module__.startswith("duoti."):
                waiting += vars(item).values() if hasattr(item, "__dict__") else ()
