"""The parameters of a model file: numbers, numbers with units, and `=expressions` of other parameters."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from numbers import Real

from duoti.formats.key_path import KeyPath
from duoti.formats.yaml.nodes import Node, Table, Text
from duoti.formats.yaml.simple_values import BAD, SimpleValues
from duoti.model.constructor_schema import Field
from duoti.model.element_id import ElementId
from duoti.model.laws.expressions import RESERVED, ExpressionError, compile_expression

NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
NUMBER = Field("parameter", "number")
PARAMETERS = KeyPath(("parameters",))


def read_parameters(values: SimpleValues, table: Table, given: Mapping[str, float | str]) -> dict[str, float]:
    """The values of all parameters, in the order of the file; `given` are those of them that come from outside, as
    numbers or as a file would have them ("300 mm").

    `values.parameters` has them while they are worked out, `values.broken` those that have none.
    """
    known: dict[str, float] = {}
    values.parameters = known
    waiting: dict[str, tuple[Text, set[str]]] = {}
    for name, node in table.entries.items():
        if fault := _name_fault(name):
            values.fault(table.line_of(name), PARAMETERS / name, fault)
            values.broken.add(name)
        elif name in given and not isinstance(given[name], str):
            _keep_given(values, known, name, given[name], table)
        elif isinstance(node := _node(given, name, node), Text) and node.value.strip().startswith("="):
            waiting[name] = (node, _names_in(node.value.strip()[1:]))
        else:
            _keep(values, known, name, node)
    missing = {name: names & waiting.keys() for name, (_, names) in waiting.items()}
    users: dict[str, list[str]] = {}
    for name, names in missing.items():
        for used in names:
            users.setdefault(used, []).append(name)
    ready = [name for name, names in missing.items() if not names]
    for name in ready:  # grows on the way
        _keep(values, known, name, waiting.pop(name)[0])
        for user in users.get(name, ()):
            missing[user].discard(name)
            if not missing[user]:
                ready.append(user)
    ways = {name: sorted(names) for name, names in missing.items() if names}
    for name, (node, _) in waiting.items():
        values.broken.add(name)
        circle = _circle(name, ways)
        if circle[0] == name:  # one that only leads to a circle is no fault of its own
            values.fault(node, PARAMETERS / name, f"it depends on itself: {' -> '.join(circle)}")
    return {name: known[name] for name in table.entries if name in known}


def _keep(values: SimpleValues, known: dict[str, float], name: str, node: Node) -> None:
    found = values.value(node, PARAMETERS / name, NUMBER)
    if found is BAD:
        values.broken.add(name)
        values.faults.spoiled.add(ElementId("parameter", name))
    else:
        known[name] = found


def _node(given: Mapping[str, float | str], name: str, node: Node) -> Node:
    return Text(str(given[name]), node.location) if name in given else node


def _keep_given(values: SimpleValues, known: dict[str, float], name: str, value: object, table: Table) -> None:
    if not isinstance(value, bool) and isinstance(value, Real) and math.isfinite(value):
        known[name] = float(value)
        return
    values.fault(table.line_of(name), PARAMETERS / name, f"it was given the value {value!r}; give a finite number")
    values.broken.add(name)


def _name_fault(name: str) -> str:
    if not NAME.fullmatch(name):
        return "this is no name that an expression could use; take letters, digits and _"
    if name in RESERVED or name == "t":
        return f"the name {name!r} is taken by the language of expressions; choose another"
    return ""


def _names_in(text: str) -> set[str]:
    try:
        return set(compile_expression(text).inputs)
    except (ExpressionError, ArithmeticError):
        return set()  # reported when it is computed


def _circle(start: str, uses: Mapping[str, list[str]]) -> list[str]:
    """A way from `start` along what is used until a name comes again; from the circle's smallest name on."""
    way: dict[str, int] = {}
    while start not in way:
        way[start] = len(way)
        start = uses[start][0]
    circle = [name for name, place in way.items() if place >= way[start]]
    least = circle.index(min(circle))
    turned = circle[least:] + circle[:least]
    return [*turned, turned[0]]
