"""Elements and bonds of graphs as what results have channels of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from duoti.bond.domains import DOMAINS, UNKNOWN, Units
from duoti.bond.elements.storages import Storage
from duoti.bond.graph import FlatGraph, joined


@dataclass(frozen=True)
class GraphItem:
    """An element or bond: in which block (force element) it is, its bonds, and its quantities with units and sizes."""

    block: str
    name: str
    bonds: tuple[int, ...]
    signs: tuple[int, ...]
    """Of the flows."""
    storage: tuple[int, ...] = ()
    """Numbers of its states among the storages."""
    state: str = ""
    """Name of the state, where it is none of the model."""
    has_energy: bool = False
    units: tuple[Units, ...] = ()
    """Of each bond."""

    @property
    def quantities(self) -> dict[str, tuple[str, int]]:
        """Unit and size of each."""
        n = len(self.bonds)
        u = _common(self.units)
        found = {"effort": (u.effort, n), "flow": (u.flow, n), "power": (u.power, n)}
        if self.state:
            found[self.state] = (getattr(u, self.state), len(self.storage))
        return found | ({"energy": (u.energy, 1)} if self.has_energy else {})

    def unit_of(self, what: str, bond: int) -> str:
        """Unit of a quantity of one of its bonds."""
        return str(getattr(self.units[bond], what))


def _units(bonds: Iterable[int], domains: Sequence[str]) -> tuple[Units, ...]:
    return tuple(DOMAINS.get(domains[bond], UNKNOWN) for bond in bonds)


def _common(units: Sequence[Units]) -> Units:
    """Units of an element from those of its bonds; what differs between them is "mixed"."""
    if len(set(units)) < 2:
        return units[0] if units else UNKNOWN
    return Units(*(same.pop() if len(same := set(column)) == 1 else "mixed" for column in zip(*units, strict=True)))


def state_units(graph: FlatGraph, domains: Sequence[str]) -> dict[str, str]:
    """Unit of each state of the storages, by its name in the graph."""
    found: dict[str, str] = {}
    for name, element, ends in zip(graph.names, graph.elements, graph.ends, strict=True):
        if isinstance(element, Storage):
            for end, state in zip(ends, element.state_names(name, len(ends)), strict=True):
                found[state] = getattr(DOMAINS.get(domains[end.bond], UNKNOWN), element.state)
    return found


def graph_items(prefix: str, force: str, block: Any, domains: Sequence[str]) -> dict[str, GraphItem]:
    """All elements but junctions, and all bonds, by name; the name of an element wins."""
    plan = block.plan
    graph = plan.assembly.graph
    found: dict[str, GraphItem] = {}
    for k, bond in enumerate(graph.bonds):
        found[joined(prefix, bond.name)] = GraphItem(force, bond.name, (k,), (1,), units=_units((k,), domains))
    numbers: dict[str, list[int]] = {}
    for k, storage in enumerate(plan.storages):
        numbers.setdefault(storage.owner, []).append(k)
    for name, element, ends in zip(graph.names, graph.elements, graph.ends, strict=True):
        if element.role == "junction":
            continue
        own = element.role in ("storage", "resistor")
        states = tuple(numbers.get(name, ()))
        dependent = isinstance(element, Storage) and any(plan.storages[k].column < 0 for k in states)
        found[joined(prefix, name)] = GraphItem(
            force, name, tuple(end.bond for end in ends), tuple(end.sign if own else 1 for end in ends), states,
            element.state if dependent and isinstance(element, Storage) else "",
            bool(states), _units((end.bond for end in ends), domains),
        )  # fmt: skip
    return found
