"""How a model file wrote a value."""

from __future__ import annotations

from typing import Any, NamedTuple


class Source(NamedTuple):
    """A value as a file wrote it, and what was read from it: `save` writes the former while the latter is unchanged."""

    written: Any
    read: Any

    def __deepcopy__(self, memo: dict[int, Any]) -> Source:
        return self
