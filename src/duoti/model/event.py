"""Events: instants at which an expression passes through zero."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from duoti.model.element_id import Fault
from duoti.model.laws import Value
from duoti.strict import Explained

DIRECTIONS = {"rising": 1, "falling": -1, "both": 0}


@dataclass(frozen=True)
class Event(Explained):
    """The instants at which `value` (an expression or function of `t` and named quantities) passes through zero.

    `direction`: "rising", "falling" or "both"; a `terminal` event ends the simulation. `jump`: a function (t, q, v, z)
    -> (q, v, z) of the coordinates, rates and first-order states at that instant [SI units, in the order of
    `System.coordinate_names`, `rate_names`, `state_names`] that returns those after it: an impact, a release, a
    switch. The run goes on from there; the energy that a jump takes counts as dissipated.
    """

    value: Value
    terminal: bool = False
    direction: str = "both"
    jump: Callable[..., Any] | None = None

    def faults(self) -> list[Fault]:
        """What is wrong, in words."""
        found: list[Fault] = []
        if self.direction not in list(DIRECTIONS):
            text = f"direction is {self.direction!r}; it is one of {', '.join(DIRECTIONS)}"
            found.append(Fault(text, "direction"))
        if not isinstance(self.terminal, bool | np.bool_):  # pyright: ignore[reportUnnecessaryIsInstance]
            found.append(Fault(f"terminal is {self.terminal!r}; it is True or False", "terminal"))
        if self.jump is not None and not callable(self.jump):  # pyright: ignore[reportUnnecessaryComparison]
            text = f"jump is {self.jump!r}; it is a function (t, q, v, z) that returns the new (q, v, z)"
            found.append(Fault(text, "jump"))
        if self.jump is not None and self.terminal is True:
            text = "a terminal event ends the simulation: its jump would have no effect; leave one of them out"
            found.append(Fault(text, "jump"))
        return found
