"""A graph with its parts put in: plain lists of elements and bonds."""

from __future__ import annotations

import re
from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np

from duoti.bond.domains import DOMAINS
from duoti.bond.element import Element, End
from duoti.bond.elements import Port, Zero
from duoti.bond.elements.two_ports import TwoPort
from duoti.bond.errors import BondGraphError
from duoti.bond.graph import Bond, FlatGraph, Graph, joined
from duoti.model.checks.parameters import field_faults, number_fault, numbers_fault, shown
from duoti.model.constructor_schema import arguments_of, fields_of
from duoti.model.errors import did_you_mean
from duoti.model.laws.law import Function, parameter_names
from duoti.model.submodel import renamed

# Elements of a part of a graph with the names in their laws prefixed.


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


WORD = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
Fault = tuple[str, tuple[str, ...]]


def flattened(graph: Graph) -> FlatGraph:
    """All elements and bonds; ports of parts that a bond leads to are gone, its two sides are one bond."""
    flat = _Flattening()
    flat.collect(graph, "")
    flat.connect()
    found = FlatGraph(
        graph.name, flat.parameters, list(flat.elements), list(flat.elements.values()), flat.bonds, [], []
    )
    indices = {name: k for k, name in enumerate(found.names)}
    found.ends = [[] for _ in found.names]
    for number, bond in enumerate(found.bonds):
        start, end = indices[bond.start], indices[bond.end]
        found.owners.append((start, end))
        found.ends[start].append(End(number, -1))
        found.ends[end].append(End(number, 1))
    found.domains = flat.domains_of(found)
    for name, element, ends in zip(found.names, found.elements, found.ends, strict=True):
        flat.faults += [
            (f'element "{name}" ({element.kind}): {text}', (name,)) for text in _faults_of(element, len(ends))
        ]
    if not found.names:
        flat.faults.append(("it has no elements; add some: graph.add(name, dt.bond.R(10.0))", ()))
    if flat.faults:
        raise BondGraphError(graph.name, flat.faults)
    return found


def port_sizes(graph: Graph) -> dict[str, int]:
    """How many bonds each port takes, of a graph whose bonds may be wrong."""
    flat = _Flattening()
    flat.collect(graph, "")
    return {name: element.size for name, element in flat.elements.items() if isinstance(element, Port)}


class _Flattening:
    def __init__(self) -> None:
        self.parameters: dict[str, float] = {}
        self.elements: dict[str, Element] = {}
        self.given: list[tuple[str, str, str | None]] = []
        self.bonds: list[Bond] = []
        self.domains: dict[str, str] = {}
        self.of_bond: dict[tuple[str, str, str | None], frozenset[str]] = {}  # declared for ports that are gone
        self.declared: list[frozenset[str]] = []
        self.faults: list[Fault] = []

    def collect(self, graph: Graph, prefix: str) -> None:
        names = {joined(prefix, name): value for name, value in graph.parameters.items()}
        self.parameters.update(names)
        for name in graph.duplicates:
            self.faults.append((f'the name "{joined(prefix, name)}" is taken twice', (joined(prefix, name),)))
        for name, element in graph.elements.items():
            whole = joined(prefix, name)
            if not isinstance(name, str) or not WORD.fullmatch(name):  # pyright: ignore[reportUnnecessaryIsInstance]
                text = (
                    f"an element has the name {name!r}: expressions read it, so give one word of letters, digits and _"
                )
                self.faults.append((text, (str(name),)))
            elif not isinstance(element, Element):  # pyright: ignore[reportUnnecessaryIsInstance]
                text = f'"{whole}": {element!r} is no element of a bond graph; give an object such as dt.bond.R(10.0)'
                self.faults.append((text, (whole,)))
            else:
                self.elements[whole] = renamed_element(element, self._renaming(graph, prefix)) if prefix else element
        for name, domain in graph.domains.items():
            element = graph.elements.get(name)
            if domain not in DOMAINS:
                text = f'"{joined(prefix, name)}": there is no domain {domain!r}; there are {", ".join(DOMAINS)}'
                self.faults.append((text, (joined(prefix, name),)))
            elif element is None or element.role == "two-port":
                text = f'"{joined(prefix, name)}": a domain is declared for a junction, a port, a source, R, C or I'
                self.faults.append((text, (joined(prefix, name),)))
            else:
                self.domains[joined(prefix, name)] = domain
        for name, part in graph.subgraphs.items():
            self.collect(part, joined(prefix, name))
        self.given += [
            (joined(prefix, a), joined(prefix, b), name and joined(prefix, name)) for a, b, name in graph.bonds
        ]

    @staticmethod
    def _renaming(graph: Graph, prefix: str) -> Callable[[str], str]:
        own = {*graph.parameters}
        firsts = {*graph.elements, *graph.subgraphs}

        def rename(name: str) -> str:
            return joined(prefix, name) if name in own or ("." in name and name.split(".")[0] in firsts) else name

        return rename

    def connect(self) -> None:
        """Bonds between elements that there are; two bonds at the port of a part become one."""
        at_port: dict[str, list[tuple[str, str, str | None]]] = {}
        for bond in self.given:
            start, end, _ = bond
            unknown = [name for name in (start, end) if name not in self.elements]
            for name in unknown:
                hint = did_you_mean(str(name), list(self.elements))
                self.faults.append(
                    (f'the bond from "{start}" to "{end}": there is no element "{name}".{hint}', (str(name),))
                )
            if not unknown and start == end:
                self.faults.append((f'the bond from "{start}" leads to itself', (start,)))
            elif not unknown:
                for name in (start, end):
                    element: Any = self.elements[name]
                    if isinstance(element, Port) and element.size == 1:
                        at_port.setdefault(name, []).append(bond)
        through = {name: bonds for name, bonds in at_port.items() if len(bonds) == 2}
        dropped: set[int] = set()
        made = [b for b in self.given if b[0] in self.elements and b[1] in self.elements and b[0] != b[1]]
        for name, (first, second) in through.items():
            if (first[1] == name) == (second[1] == name):  # arrows against each other
                self.elements[name] = Zero()
                continue
            inner, outer = (first, second) if first[1] == name else (second, first)
            indices = [k for k, b in enumerate(made) if b in (inner, outer) and k not in dropped]
            into = next(b for b in (made[k] for k in indices) if b[1] == name)
            out = next(b for b in (made[k] for k in indices) if b[0] == name)
            made[indices[0]] = whole = (into[0], out[1], out[2] or into[2])
            own = frozenset({self.domains[name]} if name in self.domains else ())
            self.of_bond[whole] = own | self.of_bond.get(into, frozenset()) | self.of_bond.get(out, frozenset())
            dropped.add(indices[1])
            del self.elements[name]
            for other, bonds in through.items():  # what was joined may meet at a further port
                through[other] = [made[indices[0]] if b in (into, out) else b for b in bonds]
        made = [b for k, b in enumerate(made) if k not in dropped]
        taken: dict[str, int] = {}
        for start, end, name in made:
            text = name or f"{start}-{end}"
            taken[text] = taken.get(text, 0) + 1
            self.declared.append(self.of_bond.get((start, end, name), frozenset()))
            self.bonds.append(Bond(text if taken[text] == 1 else f"{text}-{taken[text]}", start, end))

    def domains_of(self, graph: FlatGraph) -> list[frozenset[str]]:
        """Domains that were declared for the bonds, or for elements at their ends."""
        found = [set(each) for each in self.declared]
        for name, ends in zip(graph.names, graph.ends, strict=True):
            for end in ends if name in self.domains else ():
                found[end.bond].add(self.domains[name])
        return [frozenset(each) for each in found]


def _faults_of(element: Element, bonds: int) -> list[str]:
    """What is wrong with an element: values of another kind than it takes, and what it says itself."""
    found = [fault.text for fault in field_faults(element)]
    modulated = isinstance(element, TwoPort) and element.modulated
    for name, field in fields_of(type(element)).items():
        value = getattr(element, name)
        if field.kind == "data" and value is not field.default and not _is_value(value, modulated):
            what = "an expression, a function" if modulated else "an expression of parameters"
            found.append(f"{name} is {shown(value)}; give a number, {what}, or a matrix of such")
        if field.kind == "law" and isinstance(value, Real | bool) and (why := number_fault(value)):
            found.append(f"{name} is {shown(value)}; {why}")
        if name == "initial" and not found and (why := numbers_fault(value)):
            found.append(f"initial is {shown(value)}; {why}")
    if found:
        return found
    try:
        return list(element.faults(bonds))
    except Exception as error:  # of a type of the user's
        return [f"its parameters cannot be checked: {type(error).__name__}: {error}"]


def _is_value(value: Any, modulated: bool) -> bool:
    """Whether a value is a number, a text, or rows of such, all of one length; modulated: or a function."""
    if isinstance(value, str) or (modulated and _is_function(value)):
        return True
    if isinstance(value, list | tuple | np.ndarray):
        rows = list(value)
        sizes = {len(row) if isinstance(row, list | tuple | np.ndarray) else -1 for row in rows}
        return len(sizes) == 1 and all(_is_value(row, modulated) for row in rows)
    return not number_fault(value)


def _is_function(value: Any) -> bool:
    return isinstance(value, Function) or (callable(value) and not isinstance(value, type))
