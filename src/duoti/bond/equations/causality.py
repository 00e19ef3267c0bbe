"""Causality: which end of each bond decides its effort; the other end decides its flow.

The sequential causality assignment procedure (SCAP; Karnopp & Rosenberg 1975): sources decide what they must, storages
are given integral causality one after the other as long as that contradicts nothing, then resistors and what is left
are chosen. After each choice everything that follows from it is followed up. Where mechanisms are connected they come
first among the storages: they are too large to be turned round.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from duoti.bond.element import Element, Gives
from duoti.bond.elements.two_ports import MTF, OTHER, TwoPort
from duoti.bond.errors import BondGraphError
from duoti.bond.graph import FlatGraph, open_port


class Decision(NamedTuple):
    """What was decided about a bond, and why."""

    bond: str
    effort_by: str
    """Name of the element that decides the effort."""
    why: str


@dataclass
class Causality:
    """The causality of a graph; print it for a table."""

    graph: FlatGraph
    effort_by: list[int]
    """For each bond the element that decides its effort."""
    decisions: list[Decision] = field(default_factory=list[Decision])
    derivative: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """Storages, and their ends, that do not decide what their states would give."""
    driven_ports: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """Ports into which the graph sends a flow."""
    chosen: list[str] = field(default_factory=list[str])
    """What had to be chosen: algebraic loops run through these."""
    conflicts: list[str] = field(default_factory=list[str])

    def gives(self, element: int, end: int) -> Gives:
        """What an element decides at one of its ends."""
        return "effort" if self.effort_by[self.graph.ends[element][end].bond] == element else "flow"

    @property
    def derivative_names(self) -> list[str]:
        """Names of storages in derivative causality."""
        return list(dict.fromkeys(self.graph.names[element] for element, _ in self.derivative))

    def __str__(self) -> str:
        rows = [("bond", "effort by", "why"), *((d.bond, d.effort_by, d.why) for d in self.decisions)]
        widths = [max(len(row[k]) for row in rows) for k in range(2)]
        lines = [f"{row[0]:{widths[0]}}  {row[1]:{widths[1]}}  {row[2]}" for row in rows]
        lines.insert(1, "-" * max(map(len, lines)))
        if self.derivative:
            lines.append(f"derivative causality: {', '.join(self.derivative_names)}")
        if self.chosen:
            lines.append(f"algebraic loops through: {', '.join(dict.fromkeys(self.chosen))}")
        if self.driven_ports:
            names = ", ".join(self.graph.names[element] for element, _ in self.driven_ports)
            lines.append(f"flow into the mechanism at: {names}")
        return "\n".join(lines)


class _ConflictError(Exception):
    def __init__(self, element: int):
        self.element = element


class _Assignment:
    def __init__(self, graph: FlatGraph):
        self.graph = graph
        self.effort_by: list[int | None] = [None] * len(graph.bonds)
        self.reason: list[str] = [""] * len(graph.bonds)
        self.order: list[int] = []
        self.after = [len(self.order)]
        self.junctions = {k: _Count() for k, each in enumerate(graph.elements) if each.role == "junction"}

    def set(self, element: int, end: int, gives: Gives, why: str) -> None:
        """Decide a bond, and all that follows; `_ConflictError` if that is impossible, and then nothing has changed."""
        mark = len(self.order)
        pending: list[tuple[int, int, Gives, str]] = [(element, end, gives, why)]
        try:
            while pending:
                element, end, gives, why = pending.pop()
                bond = self.graph.ends[element][end]
                decided = element if gives == "effort" else self.graph.other(element, bond)
                known = self.effort_by[bond.bond]
                if known is not None:
                    if known != decided:
                        raise _ConflictError(element)
                    continue
                self.effort_by[bond.bond], self.reason[bond.bond] = decided, why
                self.order.append(bond.bond)
                for each in self.graph.owners[bond.bond]:
                    self._count(each, bond.bond, 1)
                for each in self.graph.owners[bond.bond]:
                    pending += self._implied(each)
        except _ConflictError:
            for bond in self.order[mark:]:
                for each in self.graph.owners[bond]:
                    self._count(each, bond, -1)
                self.effort_by[bond], self.reason[bond] = None, ""
            del self.order[mark:]
            raise

    def _count(self, element: int, bond: int, step: int) -> None:
        count = self.junctions.get(element)
        if count is not None:
            common = self.graph.elements[element].common == "effort"  # pyright: ignore[reportAttributeAccessIssue]
            if (self.effort_by[bond] == element) != common:
                count.strong += step
            else:
                count.weak += step

    def given(self, element: int) -> list[Gives | None]:
        return [
            None if (by := self.effort_by[end.bond]) is None else "effort" if by == element else "flow"
            for end in self.graph.ends[element]
        ]

    def _implied(self, element: int) -> list[tuple[int, int, Gives, str]]:
        each: Element = self.graph.elements[element]
        count, n = self.junctions.get(element), len(self.graph.ends[element])
        if count is not None and count.strong == 0 and count.weak < n - 1:
            return []  # nothing follows: do not look at all bonds of a large junction
        if count is not None and count.strong == 1 and count.weak == n - 1:
            return []
        given = self.given(element)
        if isinstance(each, MTF) and each.is_matrix:
            found = each.implied_by_sides(self.graph.ends[element], given)
        else:
            found = each.implied(given)
        if found is None:
            raise _ConflictError(element)
        why = f'follows at "{self.graph.names[element]}" ({each.kind})'
        return [(element, end, gives, why) for end, gives in found.items() if given[end] is None]


@dataclass
class _Count:
    strong: int = 0
    weak: int = 0


def causality(graph: FlatGraph, connected: frozenset[str] | None = None) -> Causality:
    """Assign causality; raises `BondGraphError` for sources that contradict each other.

    connected: ports that a mechanism is connected to, None: all; the others take no part. Of storages that
    depend on each other through ratios that change, those are kept whose choice divides by fewer ratios: a slider
    follows from its crank, also in the dead centres, where the crank would not follow from the slider.
    """
    found = _assigned(graph, connected, [])
    fewest, first = _divisions(found), list[int]()
    for k in dict.fromkeys(element for element, _ in found.derivative) if fewest else ():
        other = _assigned(graph, connected, [*first, k])
        if (count := _divisions(other)) < fewest and len(other.derivative) <= len(found.derivative):
            found, fewest, first = other, count, [*first, k]
        if not fewest:
            break
    return found


def _divisions(found: Causality) -> int:
    """How many modulated two-ports are divided by, if storages depend on others."""
    if not found.derivative:
        return 0
    return sum(
        isinstance(element, TwoPort) and element.modulated and not (isinstance(element, MTF) and element.is_matrix)
        and found.gives(k, 0) == "flow"
        for k, element in enumerate(found.graph.elements)
    )  # fmt: skip


def _assigned(graph: FlatGraph, connected: frozenset[str] | None, first: list[int]) -> Causality:
    """Assign causality, to the storages `first` before others."""
    state = _Assignment(graph)
    found = Causality(graph, [])
    elements = list(enumerate(graph.elements))
    faults: list[tuple[str, tuple[str, ...]]] = []
    opened = {
        k for k, each in elements if each.role == "port" and connected is not None and graph.names[k] not in connected
    }
    decided = [
        *((k, each) for k, each in elements if each.role == "source"),
        *((k, graph.elements[k]) for k in sorted(opened)),
    ]
    for k, element in decided:
        is_open = k in opened
        for end, at_end in enumerate(graph.ends[k]):
            gives: Gives | None = open_port(graph, k, at_end) if is_open else element.prefers(end)
            assert gives is not None
            why = f"nothing is connected: no {gives}" if is_open else f"{element.kind} decides the {gives}"
            try:
                state.set(k, end, gives, why)
            except _ConflictError as conflict:
                faults.append(_contradiction(graph, k, conflict.element, opened))
    if faults:
        raise BondGraphError(graph.name, list({frozenset(names): (text, names) for text, names in faults}.values()))
    stored = [each for role in ("port", "storage") for each in elements if each[1].role == role]
    stored.sort(key=lambda each: 0 if each[1].role == "port" else 1 if each[0] in first else 2)
    if connected is not None:
        stored = [each for each in stored if each[1].role != "port" or graph.names[each[0]] in connected]
    for k, element in stored:
        for end, at_end in enumerate(graph.ends[k]):
            gives, known = element.prefers(end), state.effort_by[at_end.bond]
            assert gives is not None
            if known is None:
                try:
                    word = "the mechanism gives the flow" if element.role == "port" else "integral causality"
                    state.set(k, end, gives, word)
                    continue
                except _ConflictError as conflict:
                    state_set_or_conflict(state, found, k, end, OTHER[gives], conflict)
            elif (known == k) == (gives == "effort"):
                continue
            (found.driven_ports if element.role == "port" else found.derivative).append((k, end))
            word = "flow into the mechanism" if element.role == "port" else "derivative causality"
            state.reason[at_end.bond] = f"{word}: {state.reason[at_end.bond]}"
    _choose(graph, state, found, elements)
    found.effort_by = [graph.owners[b][1] if by is None else by for b, by in enumerate(state.effort_by)]
    for b in state.order:
        found.decisions.append(Decision(graph.bonds[b].name, graph.names[found.effort_by[b]], state.reason[b]))
    return found


def _choose(graph: FlatGraph, state: _Assignment, found: Causality, elements: list[tuple[int, Element]]) -> None:
    """Resistors that are still free, then the rest."""
    for k, element in elements:
        for end, at_end in enumerate(graph.ends[k]):
            if element.role == "resistor" and state.effort_by[at_end.bond] is None:
                gives = element.prefers(end) or "effort"
                try:
                    state.set(k, end, gives, "resistor, chosen")
                except _ConflictError as conflict:
                    state_set_or_conflict(state, found, k, end, OTHER[gives], conflict, "resistor, chosen")
                found.chosen.append(graph.names[k])
    for b in range(len(graph.bonds)):
        if state.effort_by[b] is None:
            k = graph.owners[b][0]
            end = next(i for i, at_end in enumerate(graph.ends[k]) if at_end.bond == b)
            try:
                state.set(k, end, "effort", "bond of a loop, chosen")
            except _ConflictError as conflict:
                state_set_or_conflict(state, found, k, end, "flow", conflict, "bond of a loop, chosen")
            found.chosen.append(graph.bonds[b].name)


def state_set_or_conflict(
    state: _Assignment, found: Causality, element: int, end: int, gives: Gives, first: _ConflictError, why: str = ""
) -> None:
    """The other choice, after one that contradicts something; if that does, too, the equations will have to decide."""
    graph = state.graph
    reason = f'the other way contradicts "{graph.names[first.element]}"'
    try:
        state.set(element, end, gives, f"{why}; {reason}" if why else reason)
    except _ConflictError as second:
        found.conflicts += [graph.names[element], graph.names[first.element], graph.names[second.element]]
        bond = graph.ends[element][end].bond
        state.effort_by[bond] = element if gives == "effort" else graph.other(element, graph.ends[element][end])
        state.order.append(bond)
        state.reason[bond] = f'either way contradicts "{graph.names[second.element]}"'


def _contradiction(graph: FlatGraph, source: int, at: int, opened: set[int]) -> tuple[str, tuple[str, ...]]:
    """What sources contradict each other about: those that junctions, transformers and gyrators connect with `at`."""
    if graph.elements[at].role == "source" or at in opened:
        at = graph.other(at, graph.ends[at][0])
    seen, queue = {at}, [at]
    while queue:
        here = queue.pop()
        for end in graph.ends[here]:
            there = graph.other(here, end)
            if there not in seen:
                seen.add(there)
                queue += [there] if graph.elements[there].role in ("junction", "two-port") else []
    others = [graph.names[k] for k in sorted(seen) if graph.elements[k].role == "source" and k != source]
    name, kind = graph.names[source], graph.elements[source].kind
    met = f'"{graph.names[at]}" ({graph.elements[at].kind})'
    if source in opened:
        text = (
            f'port "{name}" is connected to nothing and takes no part, so that {_listed(others) or "what is there"} '
            f"has nowhere to go at {met}: connect the port (`ports=` of add_bond_graph, `ports:` in a file), or add an "
            "element there"
        )
    else:
        text = (
            f'source "{name}" ({kind}) contradicts {_listed(others) or "another source"} '
            f"at {met}: two sources decide the same quantity; put a resistor or storage between them"
        )
    return text, (name, *others, graph.names[at])


def _listed(names: list[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
