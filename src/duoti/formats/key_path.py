"""Where in a model file something stands, as data: sections, names, keys and numbers of list items."""

from __future__ import annotations

from duoti.model.element_id import KINDS, ElementId
from duoti.model.sections import TASKS


class KeyPath(tuple[str | int, ...]):
    """`KeyPath(("joints", "A")) / "axis" / 0`, which reads `joints.A.axis[0]` in a message."""

    __slots__ = ()

    def __truediv__(self, part: str | int) -> KeyPath:
        return KeyPath((*self, part))

    def __str__(self) -> str:
        words = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in self]
        return "".join(words).removeprefix(".")

    @property
    def element(self) -> ElementId | None:
        """The element or task that it belongs to; None for keys of the file itself."""
        if self and self[0] in TASKS:
            return ElementId("task", str(self[0]))
        return ElementId(KINDS[str(self[0])], str(self[1])) if len(self) > 1 and self[0] in KINDS else None

    @property
    def key(self) -> str:
        """The key of the element, or of the file, that it leads to or into; empty for an element as a whole."""
        element = self.element
        rest = self if element is None else self[1:] if element.kind == "task" else self[2:]
        return str(rest[0]) if rest else ""


FILE = KeyPath()
"""The file as a whole."""
