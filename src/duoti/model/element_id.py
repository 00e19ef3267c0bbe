"""Which element of a model is meant: its kind and name, as data. Messages are made from it, never read back."""

from __future__ import annotations

from typing import NamedTuple

from duoti.model.sections import KINDS, SECTIONS, ElementKind

__all__ = ["KINDS", "SECTIONS", "ElementId", "ElementKind", "Fault"]


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
