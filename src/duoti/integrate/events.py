"""Events: zero crossings of expressions, located on the polynomial through the step.

One look evaluates all event functions in one sweep, and whatever encloses a root uses it: the cost of events that do
not happen grows with their number, not with its square.
"""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any

from duoti.dynamics.tree.kinematics import unit_quaternions
from duoti.integrate.state import (
    CONTINUE,
    DRIVER_CONTEXT,
    EVENT,
    JUMPS_WITHOUT_END,
    NOT_FINITE,
    TRANSITION,
    Run,
    call_with_state,
    interpolate,
    interpolate_record,
    project,
    solve_algebraic,
)
from duoti.integrate.steps import count_from_here, same_time
from duoti.kernel import call_entry, cold_entry, entry_address, helper, part, unpack
from duoti.model.event import Event
from duoti.system.arrays import ENDS_RUN, JUMPS, RECORDED, Work
from duoti.system.context import REAL_CONTEXT
from duoti.system.system import System

LOOKS = 4  # looks for a sign change inside each step
NEARLY = 0.1  # of the largest value at three looks: if a function may turn back nearer to zero, one looks there too
NO_ACTION = -1  # of no event
BEYOND = 1e-6  # of the same: a function has passed zero between two looks if it goes so far beyond it
ITERATIONS = 80  # for each root
AT_ZERO = 1e-9  # of the values seen in the step: an event function was not moved by a jump if it changes by no more
ONLY_A_SIGN = 1e-300  # value of a function that is zero but for round-off
AHEAD = 1e-3  # part of a step after a jump over which the direction of such a function is found


@part
def event_values(w, run, t, y):
    """w.event: values of all event functions in a state, through the entry of the system."""
    call_with_state(w, w.calls[0].events, t, y)
    run.counts[0].looks += 1


@part
def _look(tree, w, run, theta):
    """w.event at the part theta of the step."""
    clock = run.clock[0]
    if theta == 1.0:
        event_values(w, run, clock.t + clock.h, run.y_new)
        return
    interpolate(tree, run, theta, run.y_at)
    unit_quaternions(tree, run.y_at[: tree.nq])
    event_values(w, run, clock.t + theta * clock.h, run.y_at)


@part
def start_events(loads, w, run):
    """Values of the event functions where the run begins."""
    if loads.laws.event_law.shape[0] > 0:
        event_values(w, run, run.clock[0].t, run.y)
        for e in range(loads.laws.event_law.shape[0]):
            run.watches[e].g, run.watches[e].fired = w.event[e], 0
    schedule(loads, run)


@part
def schedule(loads, run):
    """The next scheduled time, clock.t_due; times that have passed do not count."""
    clock = run.clock[0]
    clock.t_due = math.inf
    for e in range(loads.laws.event_law.shape[0]):
        watch = run.watches[e]
        if watch.scheduled == 1:
            if watch.due_state >= 0:
                watch.due = run.y[watch.due_state]
            if watch.due > clock.t + same_time(run):
                clock.t_due = min(clock.t_due, watch.due)


@part
def fire_scheduled(tree, run, status):
    """Let all events fire that are due at clock.t_due, where the step ends; returns the status of the step.

    status: that of the located events of the step; after one that ends the run, nothing else happens.
    """
    clock, counts = run.clock[0], run.counts[0]
    if status == EVENT:
        return status
    if status == TRANSITION:
        run.watches[counts.stopped_by].root = 1.0  # at the same time but for round-off
    latest = clock.t_due + same_time(run)
    for e in range(run.watches.shape[0]):
        watch = run.watches[e]
        if watch.scheduled == 1 and clock.t_due <= watch.due <= latest:
            watch.fired, watch.root, watch.g = 1, 1.0, 0.0
            if status == CONTINUE:
                counts.stopped_by, status = e, TRANSITION
            n = counts.events
            run.event_t[n], run.event_index[n] = watch.due, e
            for i in range(run.y.shape[0]):
                run.event_y[n, i] = run.y_new[i]
            counts.events = n + 1
    return status


@part
def values_at_transition(loads, w, run):
    """Values of the event functions in the state from which the jump starts."""
    event_values(w, run, run.clock[0].t, run.y)
    for e in range(loads.laws.event_law.shape[0]):
        run.watches[e].at = w.event[e]


@part
def restart_events(tree, loads, w, run):
    """Values of the event functions after a jump; needs the rates run.K[0].

    A function that has just passed zero, and was not moved by the jump, is zero: its sign is that which it will have,
    by its rate.
    """
    clock, n = run.clock[0], loads.laws.event_law.shape[0]
    event_values(w, run, clock.t, run.y)
    for e in range(n):
        run.watches[e].after = w.event[e]
    d = AHEAD * clock.h
    for i in range(run.y.shape[0]):
        run.y_at[i] = run.y[i] + d * run.K[0, i]
    unit_quaternions(tree, run.y_at[: tree.nq])
    event_values(w, run, clock.t + d, run.y_at)
    for e in range(n):
        watch = run.watches[e]
        if watch.fired == 1 and abs(watch.after - watch.at) <= AT_ZERO * watch.size:
            change = w.event[e] - watch.after
            if change == 0.0:
                change = watch.g  # it does not go on: rather found again than missed
            watch.after = ONLY_A_SIGN if change > 0.0 else -ONLY_A_SIGN
        watch.g, watch.fired = watch.after, 0
    schedule(loads, run)


@part
def find_events(tree, loads, w, run):
    """Record the events within the step from run.y on the polynomial run.Q.

    Returns the part of the step at which it ends, and a status: CONTINUE, or EVENT or TRANSITION if an event ends it,
    or NOT_FINITE if an event function is undefined (NaN) in it: it might hide an event.
    """
    n = loads.laws.event_law.shape[0]
    run.counts[0].stopped_by = -1
    for e in range(n):
        run.watches[e].before, run.watches[e].fired, run.watches[e].size = run.watches[e].g, 0, 0.0
        run.watches[e].at = run.watches[e].g
    for look in range(1, LOOKS + 1):
        _look(tree, w, run, look / LOOKS)
        for e in range(n):
            if w.event[e] != w.event[e] or run.watches[e].before != run.watches[e].before:
                return 1.0, NOT_FINITE
            run.watches[e].after = w.event[e]
        if look > 1:
            stop, status = _between(tree, loads, w, run, (look - 2) / LOOKS, 0)
            if status != CONTINUE:
                return stop, status
        stop, status = _crossings(tree, loads, w, run, (look - 1) / LOOKS, look / LOOKS)
        if status == CONTINUE and look == LOOKS:
            stop, status = _between(tree, loads, w, run, (look - 2) / LOOKS, 1)
        if status != CONTINUE:
            return stop, status
        for e in range(n):
            run.watches[e].at, run.watches[e].before = run.watches[e].before, run.watches[e].after
    for e in range(n):
        run.watches[e].g = run.watches[e].after
    return 1.0, CONTINUE


@part
def _crossings(tree, loads, w, run, a, b):
    """Events between the parts a and b of the step, from watch.before to watch.after; as `find_events`."""
    if not _enclose(loads, run, a, b):
        return 1.0, CONTINUE
    known = run.counts[0].events
    _locate(tree, loads, w, run)
    stop, status = _happened(tree, loads, w, run)
    if status != CONTINUE:
        return _earlier(tree, loads, w, run, a, stop, status, known)
    return stop, status


@part
def _earlier(tree, loads, w, run, a, stop, status, known):
    """As `find_events`, after an event at the part `stop`: another one between a and there, if a function turned back.

    known: how many events were recorded before. w.event holds the values at `stop`.
    """
    n = loads.laws.event_law.shape[0]
    for e in range(n):
        run.watches[e].at, run.watches[e].after = run.watches[e].before, w.event[e]
    _look(tree, w, run, 0.5 * (a + stop))
    for e in range(n):
        run.watches[e].before = w.event[e]
    theta = 0.0
    for e in range(n):
        watch, direction = run.watches[e], loads.laws.event_direction[e]
        wanted = direction <= 0 if watch.at > 0.0 else direction >= 0
        if watch.fired == 0 and wanted and loads.laws.event_action[e] != RECORDED:
            if _is_beyond(watch, watch.at, watch.before):
                theta = 0.5 * (a + stop)
            elif _is_beyond(watch, watch.at, watch.after) and theta == 0.0:
                theta = stop
    if theta > 0.0:
        _look(tree, w, run, theta)
    for half in range(2):
        if theta == 0.0:
            theta = _turning(tree, loads, w, run, a, 0.5 * (stop - a), half, RECORDED)
    if theta == 0.0 or not _ends_before(loads, w, run, a, theta):
        return stop, status
    run.counts[0].events = known
    for e in range(n):
        run.watches[e].fired = 0
    _locate(tree, loads, w, run)
    return _happened(tree, loads, w, run)


@part
def _ends_before(loads, w, run, a, b):
    """Enclose what passes zero between watch.at at the part a and w.event at b; True if some of it ends the step."""
    for e in range(loads.laws.event_law.shape[0]):
        run.watches[e].before, run.watches[e].after = run.watches[e].at, w.event[e]
    if _enclose(loads, run, a, b):
        for e in range(loads.laws.event_law.shape[0]):
            if run.watches[e].search != 0 and loads.laws.event_action[e] != RECORDED:
                return True
    return False


@helper
def _turns_back(watch, half):
    """Where between two looks a function may have passed zero and come back: s, and how near it comes to zero.

    By the parabola through the values at three looks, at s = 0, 1, 2; half: 0 between the first two, 1 between the last
    two. The distance is part of the largest value, NEARLY or more if there is no such place.
    """
    first, second, third = watch.at, watch.before, watch.after
    left, right = (first, second) if half == 0 else (second, third)
    bend = 0.5 * (first - 2.0 * second + third)
    if not left * right > 0.0 or not bend * left > 0.0:
        return 0.0, NEARLY
    slope = second - first - bend
    s = -0.5 * slope / bend
    if not half < s < half + 1:
        return 0.0, NEARLY
    least = first + s * (slope + bend * s)
    return s, (least if left > 0.0 else -least) / max(abs(first), abs(second), abs(third))


@part
def _turning(tree, loads, w, run, first, width, half, but):
    """Part of the step at which a function has passed zero that comes back, 0 if none has; w.event: the values there.

    first, width: where the first of three looks is, and how far it is to the next ones. but: action of events of no
    interest.
    """
    n, place, least = loads.laws.event_law.shape[0], 0.0, NEARLY
    for e in range(n):
        s, distance = _turns_back(run.watches[e], half)
        if run.watches[e].returns == 1 and distance < least and loads.laws.event_action[e] != but:
            place, least = s, distance
    if least == NEARLY:
        return 0.0
    theta = first + place * width
    _look(tree, w, run, theta)
    for e in range(n):
        watch = run.watches[e]
        left = watch.at if half == 0 else watch.before
        if _is_beyond(watch, left, w.event[e]) and loads.laws.event_action[e] != but:
            return theta
    return 0.0


@helper
def _is_beyond(watch, left, value):
    """Whether a function that was `left` has passed zero, not but for round-off; of those that are sought there."""
    size = max(abs(watch.at), abs(watch.before), abs(watch.after))
    return watch.returns == 1 and left * value < 0.0 and abs(value) > BEYOND * size


@part
def _between(tree, loads, w, run, first, half):
    """Events between two looks at which functions have the same sign: one more look where one may have turned back."""
    n = loads.laws.event_law.shape[0]
    theta = _turning(tree, loads, w, run, first, 1.0 / LOOKS, half, NO_ACTION)
    if theta == 0.0:
        return 1.0, CONTINUE
    for e in range(n):
        watch = run.watches[e]
        left, right = (watch.at, watch.before) if half == 0 else (watch.before, watch.after)
        beyond = _is_beyond(watch, left, w.event[e])
        watch.before, watch.after, watch.at = left, w.event[e] if beyond else left, right
    stop, status = _crossings(tree, loads, w, run, first + half / LOOKS, theta)
    if status != CONTINUE:
        return stop, status
    for e in range(n):
        run.watches[e].before, run.watches[e].after = run.watches[e].after, run.watches[e].at
    stop, status = _crossings(tree, loads, w, run, theta, first + (half + 1) / LOOKS)
    if status != CONTINUE:
        return stop, status
    for e in range(n):
        run.watches[e].before = run.watches[e].at
    if half == 0:
        _look(tree, w, run, first + 2.0 / LOOKS)
        for e in range(n):
            run.watches[e].after = w.event[e]
    return 1.0, CONTINUE


@part
def _enclose(loads, run, a, b):
    """Find the event functions that pass zero between the parts a and b of the step; True if there are any."""
    some = False
    for e in range(loads.laws.event_law.shape[0]):
        watch, direction = run.watches[e], loads.laws.event_direction[e]
        watch.search = 0
        if watch.scheduled == 1:
            continue
        watch.size = max(watch.size, abs(watch.before), abs(watch.after))
        rising, falling = watch.before < 0.0 <= watch.after, watch.before > 0.0 >= watch.after
        if (rising and direction >= 0) or (falling and direction <= 0):
            some = True
            watch.search, watch.side, watch.root = 2 if watch.after == 0.0 else 1, 0, b
            watch.low, watch.g_low, watch.high, watch.g_high = a, watch.before, b, watch.after
    return some


@part
def _locate(tree, loads, w, run):
    """Roots of all enclosed event functions: false position, Illinois variant; each look narrows all of them."""
    for e in range(loads.laws.event_law.shape[0]):
        watch = run.watches[e]
        for _ in range(ITERATIONS):
            if watch.search != 1 or watch.high - watch.low <= 4e-16 * (1.0 + abs(watch.high)):
                break
            a, b, g_a, g_b = watch.low, watch.high, watch.g_low, watch.g_high
            c = (a * g_b - b * g_a) / (g_b - g_a)
            if not (a < c < b) or abs(g_a) <= ONLY_A_SIGN:
                c = 0.5 * (a + b)
            _look(tree, w, run, c)
            for k in range(e, loads.laws.event_law.shape[0]):
                if run.watches[k].search == 1:
                    _narrow(run.watches, k, c, w.event[k], k == e)
        if watch.search == 1:
            watch.root, watch.search = watch.high, 2


@helper
def _narrow(watches, k, c, g, own):
    """Use the value g at c for the root of event function k; own: c was chosen for it."""
    watch = watches[k]
    if not (watch.low < c < watch.high):
        return
    if g == 0.0:
        watch.root, watch.search = c, 2
    elif (g > 0.0) == (watch.g_high > 0.0):
        watch.high, watch.g_high = c, g
        if own and watch.side == -1:
            watch.g_low = 0.5 * watch.g_low
        watch.side = -1 if own else 0
    else:
        watch.low, watch.g_low = c, g
        if own and watch.side == 1:
            watch.g_high = 0.5 * watch.g_high
        watch.side = 1 if own else 0


@part
def _happened(tree, loads, w, run):
    """Record what was located, up to the first event that ends the step; returns its part of the step and a status."""
    counts, n = run.counts[0], loads.laws.event_law.shape[0]
    stop, first = 1.0, -1
    for e in range(n):
        watch = run.watches[e]
        if watch.search == 2 and loads.laws.event_action[e] != RECORDED and (first < 0 or watch.root < stop):
            stop, first = watch.root, e
    status = CONTINUE
    if first >= 0:
        status = TRANSITION
        _look(tree, w, run, stop)
        for e in range(n):
            watch = run.watches[e]
            if watch.search != 2:
                continue
            # what has passed zero at the end of the step would never be found again; what has not, will be
            passed = w.event[e] >= 0.0 if watch.before < 0.0 else w.event[e] <= 0.0
            if watch.root > stop and not passed:
                watch.search = 0
                continue
            watch.root = min(watch.root, stop)
            watch.fired = 1 if loads.laws.event_action[e] != RECORDED else 0
            if loads.laws.event_action[e] == ENDS_RUN and status != EVENT:
                status, first = EVENT, e
        counts.stopped_by = first
    for _ in range(n):
        k = -1
        for e in range(n):
            if run.watches[e].search == 2 and (k < 0 or run.watches[e].root < run.watches[k].root):
                k = e
        if k < 0:
            break
        _record(tree, run, k, run.watches[k].root)
        run.watches[k].search = 0
    return stop, status


@part
def _record(tree, run, e, theta):
    clock, counts = run.clock[0], run.counts[0]
    n = counts.events
    interpolate(tree, run, theta, run.y_at)
    unit_quaternions(tree, run.y_at[: tree.nq])
    run.event_t[n] = clock.t + theta * clock.h
    run.event_index[n] = e
    for i in range(run.y.shape[0]):
        run.event_y[n, i] = run.y_at[i]
    counts.events = n + 1


# What is done about events of a step: entries of the driver that only runs with events compile.
#
# Their context begins with the address of the system's context and the run, as those of the methods do; they leave
# their status in counts.outcome.


MOST_JUMPS = 20  # at one instant, beyond one for each event
MOST_IN_ROW = 1000  # jumps at located events without a whole step between them, after which their rate is judged
HOPELESS = 1e-7  # mean interval between these, as part of the run: ten million jumps to the end, or an accumulation


@cold_entry
def find_events_entry(address):
    """Entry FIND_EVENTS: record the events within the step; what ends it is counts.stopped_by, at its root."""
    context, run = unpack(address, DRIVER_CONTEXT)
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    stop, status = find_events(tree, loads, w, run)
    counts = run.counts[0]
    if counts.at_due == 1 and status >= 0 and (1.0 - stop) * run.clock[0].h <= same_time(run):
        status = fire_scheduled(tree, run, status)
    counts.outcome = status


@cold_entry
def stop_at_event_entry(address):
    """Entry STOP_AT_EVENT: the step ends where counts.stopped_by happens, and so do run.y, run.x and the time."""
    context, run = unpack(address, DRIVER_CONTEXT)
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    clock, counts = run.clock[0], run.counts[0]
    stop = run.watches[counts.stopped_by].root
    t_stop = clock.t + stop * clock.h
    if counts.at_due == 1 and stop == 1.0:  # the end of the step itself, at its exact time
        t_stop = min(clock.t_due, clock.t_end)
    else:
        interpolate(tree, run, stop, run.y_new)
    unit_quaternions(tree, run.y_new[: tree.nq])
    if counts.at_due == 0 or stop < 1.0:
        project(w, t_stop, run.y_new)
    for i in range(run.y.shape[0]):
        run.y[i] = run.y_new[i]
    clock.t = t_stop
    counts.steps += 1
    if counts.at_due == 0 or stop < 1.0:
        interpolate_record(run, stop, run.x_new)
    for i in range(run.x.shape[0]):
        run.x[i] = run.x_new[i]
    counts.outcome = EVENT
    if loads.laws.event_action[counts.stopped_by] != ENDS_RUN:
        values_at_transition(loads, w, run)
        counts.outcome = _before_jump(run)


@cold_entry
def restart_entry(address):
    """Entry RESTART: go on after run.y was changed at clock.t, the time of a transition.

    clock.h is the step to begin with, zero if the method shall choose it. Consistent algebraic states, rates, and
    step from the state after the jump; the second output at this instant.
    """
    context, run = unpack(address, DRIVER_CONTEXT)
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    clock = run.clock[0]
    count_from_here(run)
    h = clock.h
    solve_algebraic(w, clock.t, run.y)
    clock.h = h
    call_entry(run.calls[0].start, run.calls[0].context)
    restart_events(tree, loads, w, run)
    after_jump(run)


EVENT_ENTRIES = (find_events_entry, stop_at_event_entry, restart_entry)


def event_addresses(work: Work) -> tuple[int, ...]:
    """Addresses of these entries, the last fields of `METHOD_CALLS`; 0 if the system of a workspace has no events."""
    return _event_addresses() if work.calls[0].events else (0, 0, 0)


@cache
def _event_addresses() -> tuple[int, ...]:
    return tuple(map(entry_address, EVENT_ENTRIES))


@part
def write_here(run, t):
    """Append the state run.y and the record run.x to the outputs, with the time t."""
    k = run.counts[0].output
    run.out_t[k] = t
    for i in range(run.y.shape[0]):
        run.out_y[k, i] = run.y[i]
    for i in range(run.x.shape[0]):
        run.out_x[k, i] = run.x[i]
    run.counts[0].output = k + 1
    run.clock[0].t_output = t


@helper
def _before_jump(run):
    """The output before the jump, if one is wanted at this instant. Returns TRANSITION, or a failure."""
    clock, counts = run.clock[0], run.counts[0]
    tolerance = same_time(run)
    if counts.at_steps == 0 and counts.next_time < run.times.shape[0]:
        wanted = run.times[counts.next_time]
        if wanted - clock.t <= tolerance:
            write_here(run, wanted)
            counts.next_time += 1
    here = clock.t - clock.t_jump <= tolerance
    again = here and counts.stopped_by == counts.jumped_by
    counts.jumps_here = counts.jumps_here + 1 if here else 0
    clock.t_jump, counts.jumped_by = clock.t, counts.stopped_by
    endless = counts.jumps_here > MOST_JUMPS + run.watches.shape[0]
    if run.watches[counts.stopped_by].scheduled == 0:
        if counts.jumps_in_row == 0:
            clock.t_row = clock.t
        counts.jumps_in_row += 1
        if counts.jumps_in_row > MOST_IN_ROW:
            endless = endless or clock.t - clock.t_row < MOST_IN_ROW * HOPELESS * (clock.t_end - clock.t_begin)
            counts.jumps_in_row = 0
    return JUMPS_WITHOUT_END if again or endless else TRANSITION


@part
def after_jump(run):
    """The second output at the instant of a jump, if there is a first one."""
    clock = run.clock[0]
    if clock.t - clock.t_output <= same_time(run):
        write_here(run, clock.t_output)


# Events whose times are known beforehand: samples of controllers, switches at given times.
#
# The value of such an event is `t - s`, s a number, a parameter, or a state that only events change. Steps end exactly
# there (`steps.plan_step`); nothing is located, and samples are no accumulation of events however many there are.


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


def times_of_events(system: System) -> set[str]:
    """Parameters that are times at which scheduled events happen."""
    found = {str(event.value): _time_of(system, event) for event in system.model.events.values()}
    scheduled = [TIME_MINUS.fullmatch(value) for value, time in found.items() if time is not None]
    return {match[1] for match in scheduled if match is not None} & {*system.model.parameters}


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
