"""`Graph`: elements and bonds, as the user describes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from duoti.bond.element import Element, End, Gives
from duoti.bond.elements import Zero
from duoti.strict import Strict, explained_methods


@dataclass(frozen=True)
class Bond:
    """A bond with its half arrow from one element to another, by their names."""

    name: str
    start: str
    end: str


@explained_methods
class Graph(Strict):
    """A bond graph: elements and bonds.

    Nothing is checked while it is described. `g.causality()` and every computation report all faults at once.

    Parameters
    ----------
    name:
        Name for messages and drawings.
    parameters:
        Named numbers that the expressions of its elements may use.
    """

    def __init__(self, name: str = "graph", parameters: Mapping[str, float] | None = None):
        self.name = name
        self.parameters: dict[str, float] = dict(parameters or {})
        self.elements: dict[str, Element] = {}
        self.subgraphs: dict[str, Graph] = {}
        self.bonds: list[tuple[str, str, str | None]] = []
        self.duplicates: list[str] = []
        self.domains: dict[str, str] = {}
        """Energy domains of elements, where declared; see `add`."""

    def add(self, name: str, element: Element | Graph, domain: str | None = None) -> Element | Graph:
        """Add an element, or a whole graph: its elements then have names such as "motor.L".

        Bonds connect the ports of a part by their names, "motor.shaft".

        Parameters
        ----------
        name:
            Name of the element.
        element:
            An element, or a graph.
        domain:
            "translation", "rotation", "electric", "hydraulic" or "thermal" gives efforts, flows and states their units.
            One element of each connected part is enough.
        """
        if domain is not None:
            self.domains[name] = domain
        if name in self.elements or name in self.subgraphs:
            self.duplicates.append(name)
        elif isinstance(element, Graph):
            self.subgraphs[name] = element
        else:
            self.elements[name] = element
        return element

    def bond(self, start: str, end: str, name: str | None = None) -> None:
        """Connect two elements; the half arrow points from `start` to `end`.

        `name` is for channels; left out, it is "start-end".
        """
        self.bonds.append((start, end, name))

    # ------------------------------------------------------------------------------------------------- what it means

    def flat(self) -> FlatGraph:
        """Elements and bonds with the parts put in; raises `BondGraphError` with all faults."""
        from duoti.bond.equations.flatten import flattened

        return flattened(self)

    def causality(self) -> Any:
        """Which end of each bond decides its effort, and why: a table to print (`Causality`)."""
        from duoti.bond.equations.causality import causality

        return causality(self.flat())

    def equations(self, latex: bool = False) -> str:
        """State equations, constraint equations and efforts at the ports, with the user's names."""
        from duoti.bond.show.text import equations

        return equations(self, latex)

    def draw(self, path: Any = None, **options: Any) -> str:
        """A drawing (SVG) with half arrows and causal strokes; written to a file if a path is given."""
        from duoti.bond.show.drawing import draw

        return draw(self, path, **options)

    def __repr__(self) -> str:
        parts = f", {len(self.subgraphs)} sub-graphs" if self.subgraphs else ""
        return f"<bond graph {self.name!r}: {len(self.elements)} elements{parts}, {len(self.bonds)} bonds>"


@dataclass
class FlatGraph:
    """A graph without parts: everything in lists; an element is meant by its number."""

    name: str
    parameters: dict[str, float]
    names: list[str]
    elements: list[Element]
    bonds: list[Bond]
    ends: list[list[End]]
    """The bonds of each element, in the order in which they were made."""
    owners: list[tuple[int, int]]
    """The elements at the start and at the end of each bond."""
    domains: list[frozenset[str]] = field(default_factory=list)
    """Energy domains that were declared for each bond."""

    def index(self, name: str) -> int:
        """Number of an element."""
        return self._places()[name]

    def _places(self) -> dict[str, int]:
        return {name: k for k, name in enumerate(self.names)}

    def other(self, element: int, end: End) -> int:
        """The element at the other end of a bond."""
        start, stop = self.owners[end.bond]
        return start if stop == element and end.sign > 0 else stop


def open_port(graph: FlatGraph, port: int, end: End) -> Gives:
    """What is zero at a port that nothing is connected to, as if it were not there.

    The flow at a 0-junction and at what gives an effort by itself (`C`, `Se`), the effort at everything else.
    """
    other = graph.elements[graph.other(port, end)]
    gives_effort = other.role in ("source", "storage") and other.prefers(0) == "effort"
    return "flow" if gives_effort or isinstance(other, Zero) else "effort"


def joined(prefix: str, name: str) -> str:
    """Name of an element of a part."""
    return f"{prefix}.{name}" if prefix else name
