"""Steps by hand: one call from Python takes the held numbers over, goes on to the next time, and returns.

Held numbers (`Held`) are written into the arrays of the system. If one has changed, the rates at the beginning of the
step are evaluated anew, and so are the event functions; the length of the step stays. `Reading` evaluates quantities
where the run is.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.integrate.events import start_events
from duoti.integrate.set_states import some_joint_is_held
from duoti.integrate.state import example_run, one
from duoti.integrate.stepping import start_again, take_steps
from duoti.kernel import ContextType, call_entry, cold_entry, part, record_dtype, unpack
from duoti.system.context import REAL_CONTEXT

# status of a step by hand, beside those of `integrate.state`
NOT_A_NUMBER, CHANGED, BEGUN = -20, 20, 21

HAND = record_dtype(
    "Hand",
    anchor=float,  # time from which equal steps are counted
    h=float,  # length of these steps
    number=int,  # how many of them have been made
    target=float,  # where the present one ends
    status=int,
    wrong=int,  # the held number that is not finite
    stale=int,  # 1 if held numbers have changed and the rates do not know it yet
    by_python=int,  # 1 if Python has to take the steps
    starts=int,  # 1 if steps begin from rates, which have to be evaluated with the new numbers
    until=int,  # so many steps may be tried in all before Python has to look
)
"""What Python and the entry tell each other."""


class Held(NamedTuple):
    """Numbers of the system that are held: the table of `system.setter.Slots`, and the arrays that it writes."""

    array: Any  # [entries] 0: gravity, 1: inertia, 2: reals, 3: constants
    place: Any  # [entries] counted flat
    offset: Any  # [entries]
    first: Any  # [entries + 1]
    parameter: Any  # [terms]
    scale: Any  # [terms]
    values: Any  # [parameters] what the user writes
    gravity: Any
    inertia: Any
    reals: Any
    constants: Any


class Reading(NamedTuple):
    """Quantities that are read: event functions of a system of their own."""

    system: int  # its context
    events: int  # address of the entry that evaluates them
    clock: Any  # [1] of the run
    y: Any  # [ny] of the run
    states: int  # coordinates, rates and first-order states of the run
    held: Any  # [parameters] of the run ...
    which: Any  # [m] ... of which these follow as first-order states
    out: Any  # [quantities]


def _held() -> Held:
    integers, reals = np.zeros(1, np.int64), np.zeros(1)
    return Held(integers, integers, reals, integers, integers, reals, *(reals,) * 5)


HAND_CONTEXT = ContextType(lambda: (0, example_run(), _held(), np.zeros((1, 3)), one(HAND)))
READING_CONTEXT = ContextType(
    lambda: (Reading(0, 0, example_run().clock, np.zeros(1), 0, np.zeros(1), np.zeros(1, np.int64), np.zeros(1)),)
)


@part
def _put(array, i, x):
    """Write a number; 1 if it is another one."""
    if array[i] == x:
        return 0
    array[i] = x
    return 1


@part
def take_over(held, hand):
    """Write held numbers into the system; False if one of them is not finite: then none is written."""
    for i in range(held.values.shape[0]):
        if not abs(held.values[i]) < 1e300:
            hand.wrong = i
            return False
    changed = 0
    for e in range(held.place.shape[0]):
        x, a, i = held.offset[e], held.array[e], held.place[e]
        for k in range(held.first[e], held.first[e + 1]):
            x += held.scale[k] * held.values[held.parameter[k]]
        if a == 0:
            changed += _put(held.gravity, i, x)
        elif a == 1:
            changed += _put(held.inertia, i, x)
        elif a == 2:
            changed += _put(held.reals, i, x)
        else:
            changed += _put(held.constants, i, x)
    if changed > 0:
        hand.stale = 1
    return True


@cold_entry
def take_over_entry(address):
    """Held numbers into the system, before a run begins."""
    _, _, held, _, hands = unpack(address, HAND_CONTEXT)
    if not take_over(held, hands[0]):
        hands[0].status = NOT_A_NUMBER


@cold_entry
def step_entry(address):
    """A step by hand; hand.status says how far it came."""
    context, run, held, holds, hands = unpack(address, HAND_CONTEXT)
    hand, counts = hands[0], run.counts[0]
    if not take_over(held, hand):
        hand.status = NOT_A_NUMBER
        return
    if hand.stale == 1:
        if hand.by_python == 1 or some_joint_is_held(run.y, holds):
            hand.status = CHANGED
            return
        if hand.starts == 1:
            start_again(context, run)
        else:
            _, loads, _, w = unpack(context, REAL_CONTEXT)
            start_events(loads, w, run)
        hand.stale = 0
    hand.number += 1
    hand.target = hand.anchor + hand.number * hand.h
    run.clock[0].t_end = hand.target
    counts.output, counts.events = 0, 0
    most = hand.until - counts.steps - counts.rejected
    hand.status = BEGUN if hand.by_python == 1 or most <= 0 else take_steps(context, run, most)


@cold_entry
def read_entry(address):
    """Values of quantities where the run is."""
    (r,) = unpack(address, READING_CONTEXT)
    _, _, _, w = unpack(r.system, REAL_CONTEXT)
    for i in range(r.states):
        w.y[i] = r.y[i]
    for i in range(r.which.shape[0]):
        w.y[r.states + i] = r.held[r.which[i]]
    w.clock[0] = r.clock[0].t
    call_entry(r.events, r.system)
    for i in range(r.out.shape[0]):
        r.out[i] = w.event[i]
