"""Functions that are called at sampled times, their outputs held in between."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from duoti.model.event import SampleEvent
from duoti.model.laws import Function
from duoti.model.model import Model

MERGED = 1e-3  # part of the period by which a run may begin before a sample and yet count as its time


def add_controller(
    model: Model,
    name: str,
    function: Callable[..., Any],
    inputs: Sequence[str],
    outputs: Mapping[str, float],
    period: float,
    start: float,
) -> None:
    """See `Model.add_controller`.

    The next sample is a state, and the event is the time that reaches it: a scheduled event (`integrate.schedule`), at
    which steps end exactly. The grid is counted, not added up: the k-th sample is at start + k period but for one
    rounding.
    """
    if not period > 0.0:
        raise ValueError(f"controller {name!r}: period={period!r}; it must be positive [s]")
    if not isinstance(outputs, Mapping) or not outputs:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f'controller {name!r}: outputs={outputs!r}; give initial values by name, such as {{"u": 0.0}}')
    clock = f"{name}.next"
    for output, initial in outputs.items():
        if output not in model.states:
            model.add_state(output, 0.0, initial)
    model.add_state(clock, 0.0, start, "s")
    count = f"floor((t - ({start!r}))/{period!r} + {MERGED!r})"
    sets: dict[Any, Any] = {
        tuple(outputs) if len(outputs) > 1 else next(iter(outputs)): Function(function, tuple(inputs)),
        clock: f"{start!r} + ({count} + 1)*{period!r}",
    }
    model.add_event(name, SampleEvent(f"t - {clock}", direction="rising", sets=sets, at_start=True))
