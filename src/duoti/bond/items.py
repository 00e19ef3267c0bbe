"""Elements and bonds of graphs as what results have channels of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from duoti.bond.elements.storage import Storage
from duoti.bond.graph import joined


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

    @property
    def quantities(self) -> dict[str, tuple[str, int]]:
        """Unit and size of each."""
        n = len(self.bonds)
        found = {"effort": ("", n), "flow": ("", n), "power": ("W", n)}
        if self.state:
            found[self.state] = ("", len(self.storage))
        return found | ({"energy": ("J", 1)} if self.has_energy else {})


def graph_items(prefix: str, force: str, block: Any) -> dict[str, GraphItem]:
    """All elements but junctions, and all bonds, by name; the name of an element wins."""
    plan = block.plan
    graph = plan.assembly.graph
    found: dict[str, GraphItem] = {}
    for k, bond in enumerate(graph.bonds):
        found[joined(prefix, bond.name)] = GraphItem(force, bond.name, (k,), (1,))
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
            bool(states),
        )  # fmt: skip
    return found
