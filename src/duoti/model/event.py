"""Events: instants at which an expression passes through zero."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from duoti.model.element_id import Fault
from duoti.model.laws.law import Value
from duoti.strict import Explained

MOST_OUTPUTS = 8  # numbers that a function of the user may return
DIRECTIONS = {"rising": 1, "falling": -1, "both": 0}


@dataclass(frozen=True)
class Event(Explained):
    """The instants at which an expression passes through zero, and what then happens.

    $$e(t, q, v, z) = 0$$

    Parameters
    ----------
    value:
        An expression or function of `t` and named quantities.
    terminal:
        Whether the event ends the simulation.
    direction:
        "rising", "falling" or "both".
    jump:
        Function (t, q, v, z) → (q, v, z) that returns the state after the event: an impact, a release, a switch. The
        energy that it takes counts as dissipated.
    sets:
        New values of first-order states by name: {"brake": 1, "count": "count + 1"}. They read the state before the
        event.
    at_start:
        Whether `sets` also acts when the simulation starts and the value is not negative.
    """

    value: Value
    terminal: bool = False
    direction: str = "both"
    jump: Callable[..., Any] | None = None
    sets: Mapping[Any, Any] | None = None
    at_start: bool = False

    def assignments(self) -> list[tuple[tuple[str, ...], Value]]:
        """Names of states and what they are set to."""
        sets: Any = self.sets if isinstance(self.sets, Mapping) else {}
        return [(names if isinstance(names, tuple) else (names,), value) for names, value in sets.items()]

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
        if self.sets is not None and not isinstance(self.sets, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            text = f'sets is {self.sets!r}; it is a mapping from names of states to values, such as {{"brake": 1}}'
            found.append(Fault(text, "sets"))
        if isinstance(self.sets, Mapping) and self.sets and self.terminal is True:
            text = "a terminal event ends the simulation: what it sets would have no effect; leave one of them out"
            found.append(Fault(text, "sets"))
        if self.at_start is True and self.sets is None:
            found.append(Fault("at_start has no effect: nothing is set", "at_start"))
        return found


class SampleEvent(Event):
    """The samples of a controller."""
