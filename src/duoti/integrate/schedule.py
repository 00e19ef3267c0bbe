"""Events whose times are known beforehand: samples of controllers, switches at given times.

The value of such an event is `t - s`, s a number, a parameter, or a state that only events change. Steps end exactly
there (`steps.plan_step`); nothing is located, and samples are no accumulation of events however many there are.
"""

from __future__ import annotations

import math
import re
from typing import Any

from duoti.integrate.state import Run
from duoti.model.event import Event
from duoti.system.arrays import JUMPS
from duoti.system.system import System

TIME_MINUS = re.compile(r"\s*t\s*-\s*(\S+)\s*")


def mark_scheduled(system: System, run: Run) -> None:
    """Tell a run which of its events are scheduled, and where their times stand.

    The others are the model's own events and those of joints, which are sought between looks, too. Those of contacts
    are not: forces of contact on flexible bodies wiggle along a step by the error of its polynomial.
    """
    actions = system.loads.laws.event_action
    run.watches["returns"][: len(system.model.events)] = 1
    for e, event in enumerate(system.model.events.values()):
        found = _time_of(system, event) if actions[e] == JUMPS else None
        if found is not None:
            watch = run.watches[e]
            watch["scheduled"], watch["returns"], (watch["due"], watch["due_state"]) = 1, 0, found


def _time_of(system: System, event: Event) -> tuple[float, int] | None:
    """The constant time of an event and -1, or infinity and the place in y of the state that holds it; or None."""
    value: Any = event.value
    if not isinstance(value, str) or event.direction == "falling":
        return None
    match = TIME_MINUS.fullmatch(value)
    if match is None:
        return None
    name, states = match[1], system.model.states
    if name in states:
        state = states[name]
        held = state.rate == 0 and not state.algebraic
        return (math.inf, system.nq + system.nv + system.state_names.index(name)) if held else None
    try:
        time = float(system.model.parameters.get(name, name))
    except (TypeError, ValueError):
        return None
    return (time, -1) if math.isfinite(time) else None
