"""Functions that are called at sampled times, their outputs held in between."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from duoti.model.checks.parameters import number_fault, shown
from duoti.model.event import SampleEvent
from duoti.model.laws.law import Function, Value
from duoti.model.model import Model
from duoti.strict import Strict


class Controller(Strict):
    """A controller of a model: the event of its name, and states."""

    def __init__(self, name: str, states: Sequence[str], given: Mapping[str, Any]):
        self.name, self.states = name, tuple(states)
        self.given = dict(given)
        """What `add_controller` was called with, for files."""

    def generated(self) -> dict[str, tuple[str, ...]]:
        """Names of the elements that it is made of, by section."""
        return {"states": self.states, "events": (self.name,)}

    def __repr__(self) -> str:
        return f"<controller {self.name!r}: every {self.given['period']:g} s>"


MERGED = 1e-3  # part of the period by which a run may begin before a sample and yet count as its time


def add_controller(
    model: Model,
    name: str,
    function: Callable[..., Any] | Mapping[str, Value],
    inputs: Sequence[str],
    outputs: Mapping[str, float] | None,
    period: float,
    start: float,
) -> Controller:
    """See `Model.add_controller`.

    The next sample is a state, and the event is the time that reaches it: a scheduled event (`integrate.events`), at
    which steps end exactly. The grid is counted, not added up: the k-th sample is at start + k period but for one
    rounding.
    """
    outputs = _checked(name, function, inputs, outputs, period)
    clock = f"{name}.next"
    new = [output for output in outputs if output not in model.states]
    for output in new:
        model.add_state(output, 0.0, outputs[output])
    model.add_state(clock, 0.0, start, "s")
    count = f"floor((t - ({start!r}))/{period!r} + {MERGED!r})"
    sets: dict[Any, Any] = {}
    if isinstance(function, Mapping):
        sets.update(function)
    else:
        sets[tuple(outputs) if len(outputs) > 1 else next(iter(outputs))] = Function(function, tuple(inputs))
    sets[clock] = f"{start!r} + ({count} + 1)*{period!r}"
    model.add_event(name, SampleEvent(f"t - {clock}", direction="rising", sets=sets, at_start=True))
    given = {"function": function, "outputs": dict(outputs), "period": period, "start": start}
    return Controller(name, (*new, clock), given)


def _checked(name: str, function: Any, inputs: Any, outputs: Any, period: float) -> Mapping[str, float]:
    """The outputs with their first values; raises ValueError or TypeError that says what is wrong."""
    who = f"controller {name!r}"
    if not period > 0.0:
        raise ValueError(f"{who}: period={period!r}; it must be positive [s]")
    if isinstance(inputs, str | bytes) or not all(isinstance(each, str) for each in inputs):
        raise TypeError(f'{who}: inputs={shown(inputs)}; give a list of names, such as ["t", "A.angle"]')
    if isinstance(function, Mapping):
        if len(inputs):
            raise ValueError(f"{who}: expressions read quantities by name; leave out inputs={shown(inputs)}")
        outputs = dict.fromkeys(function, 0.0) if outputs is None else outputs
    elif not callable(function) or isinstance(function, type):
        text = 'give a function of the inputs, or expressions by output, such as {"u": "-3*A.angle"}'
        raise TypeError(f"{who}: function={shown(function)}; {text}")
    if not isinstance(outputs, Mapping) or not outputs:
        raise TypeError(f'{who}: outputs={shown(outputs)}; give initial values by name, such as {{"u": 0.0}}')
    for output, initial in outputs.items():
        why = number_fault(initial) if isinstance(output, str) else "its name is a text"
        if why:
            raise ValueError(f"{who}: output {shown(output)} is {shown(initial)} at the start; {why}")
    if isinstance(function, Mapping) and set(function) != set(outputs):
        raise ValueError(f"{who}: function gives {', '.join(map(str, function))}, outputs are {', '.join(outputs)}")
    return outputs
