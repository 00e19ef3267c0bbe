"""Arrays of the laws of a system: their programs, signals and addresses, those of states and events among them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from itertools import accumulate, pairwise

import numpy as np

from duoti.model.element_id import ElementId
from duoti.model.event import DIRECTIONS, Event
from duoti.model.laws.callbacks import Callbacks
from duoti.model.laws.expressions import Program, compile_expression, link
from duoti.model.laws.law import Law, Signal
from duoti.model.state import State
from duoti.system.arrays import ENDS_RUN, JUMPS, RECORDED, Laws, freeze


def law_arrays(
    laws: Sequence[Law],
    law_signals: Sequence[Sequence[Signal]],
    law_owners: Sequence[ElementId],
    state_law: Sequence[int],
    states: Collection[State],
    event_law: Sequence[int],
    events: Collection[Event],
    callbacks: Callbacks,
) -> tuple[Laws, int]:
    """The arrays, and the depth of the stack that evaluates programs.

    state_law, event_law: the law of each state and event.
    """
    if not (laws or states or events):
        return _without_laws()
    law_address = np.zeros(len(laws), np.int64)
    for i, law in enumerate(laws):
        if law.program is None:
            law_address[i] = callbacks.address(law, law_owners[i])
    code, bounds, constants, depth = link([law.program or _nothing() for law in laws] or [_nothing()])
    ends = accumulate(map(len, law_signals))
    return Laws(
        signals=np.array([signal for each in law_signals for signal in each], np.int64).reshape(-1, 3),
        law_signals=np.array([*pairwise([0, *ends])], np.int64).reshape(-1, 2),
        law_code=np.asarray(bounds, np.int64), law_address=law_address, code=code, constants=constants,
        state_law=np.array(state_law, np.int64), event_law=np.array(event_law, np.int64),
        state_mass=np.array([int(not state.algebraic) for state in states], np.int64),
        event_action=np.array([_action(event) for event in events], np.int64),
        event_direction=np.array([DIRECTIONS[event.direction] for event in events], np.int64),
    ), depth  # fmt: skip


@cache
def _without_laws() -> tuple[Laws, int]:
    """The same arrays for all systems that have no laws."""
    none = np.zeros(0, np.int64)
    code, bounds, constants, depth = link([_nothing()])
    laws = Laws(
        signals=np.zeros((0, 3), np.int64), law_signals=np.zeros((0, 2), np.int64), law_code=bounds, law_address=none,
        code=code, constants=constants, state_law=none, event_law=none, state_mass=none, event_action=none,
        event_direction=none,
    )  # fmt: skip
    freeze(laws)
    return laws, depth


@cache
def _nothing() -> Program:
    return compile_expression(0.0)


def _action(event: Event) -> int:
    return JUMPS if event.jump is not None or event.sets else ENDS_RUN if event.terminal else RECORDED
