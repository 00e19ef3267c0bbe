"""Events: instants at which an expression passes through zero."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from duoti.model.element_id import Fault
from duoti.model.laws import Value

DIRECTIONS = {"rising": 1, "falling": -1, "both": 0}


@dataclass(frozen=True)
class Event:
    """The instants at which `value` (an expression or function of `t` and named quantities) passes through zero.

    `direction`: "rising", "falling" or "both"; a `terminal` event ends the simulation.
    """

    value: Value
    terminal: bool = False
    direction: str = "both"

    def faults(self) -> list[Fault]:
        """What is wrong, in words."""
        found: list[Fault] = []
        if self.direction not in list(DIRECTIONS):
            text = f"direction is {self.direction!r}; it is one of {', '.join(DIRECTIONS)}"
            found.append(Fault(text, "direction"))
        if not isinstance(self.terminal, bool | np.bool_):  # pyright: ignore[reportUnnecessaryIsInstance]
            found.append(Fault(f"terminal is {self.terminal!r}; it is True or False", "terminal"))
        return found
