"""Which element of a model is meant: its kind and name, as data. Messages are made from it, never read back."""

from __future__ import annotations

from typing import Literal, NamedTuple

ElementKind = Literal[
    "body", "marker", "joint", "force", "constraint", "contact", "event", "state", "parameter", "table", "submodel",
    "beam", "cable", "segments", "second_order_system", "controller", "task", "bond_graph",
    "step",
]  # fmt: skip

SECTIONS: dict[ElementKind, str] = {
    "body": "bodies", "marker": "markers", "joint": "joints", "force": "forces", "constraint": "constraints",
    "contact": "contacts", "event": "events", "state": "states", "parameter": "parameters", "table": "tables",
    "submodel": "submodels", "bond_graph": "bond_graphs", "beam": "beams",
    "cable": "cables", "segments": "segments", "second_order_system": "second_order_systems",
    "controller": "controllers",
}  # fmt: skip
"""The section of a model file in which each kind of element stands; a task is a section of its own, and a step of a run
is in none."""

KINDS: dict[str, ElementKind] = {section: kind for kind, section in SECTIONS.items()}
"""The kind of the elements in each section."""


class ElementId(NamedTuple):
    """Kind and name of an element: `ElementId("joint", "A")`, which reads `joint "A"` in a message."""

    kind: ElementKind
    name: str

    def __str__(self) -> str:
        return f'{self.kind} "{self.name}"'

    @property
    def path(self) -> tuple[str, ...]:
        """Where it stands in a model file: ("joints", "A"), or ("simulate",) for a task."""
        return (self.name,) if self.kind == "task" else (SECTIONS[self.kind], self.name)


class Fault(NamedTuple):
    """What is wrong with a joint, force, constraint, event or state, in words, and the parameter that it is about."""

    text: str
    key: str = ""
    """Name of the parameter; empty if it is about several."""
