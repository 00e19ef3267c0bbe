"""What is wrong with a bond graph."""

from __future__ import annotations

from duoti.model.errors import DuotiError


class BondGraphError(DuotiError, ValueError):
    """A graph that cannot be: `elements` are the names that it is about."""

    def __init__(self, graph: str, faults: list[tuple[str, tuple[str, ...]]]):
        self.faults = faults
        self.elements = tuple(dict.fromkeys(name for _, names in faults for name in names))
        lines = "".join(f"\n  {text}" for text, _ in faults)
        super().__init__(f'bond graph "{graph}" cannot be computed:{lines}')
