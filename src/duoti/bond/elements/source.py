"""What both kinds of sources have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from duoti.bond.element import Element, Gives
from duoti.model.laws import Value


class Source(Element):
    """Decides one of the two quantities of its bond."""

    role = "source"
    gives: Gives

    def __init__(self, value: Value):
        self.value = value

    def laws(self) -> Iterable[tuple[str, Any]]:
        """The value."""
        return (("value", self.value),)

    def prefers(self, end: int) -> Gives:
        """What it gives."""
        return self.gives

    def implied(self, given: Sequence[Gives | None]) -> Mapping[int, Gives] | None:
        """Nothing else is possible."""
        return {0: self.gives} if given[0] in (None, self.gives) else None
