"""What is done about events of a step: entries of the driver that only runs with events compile.

Their context begins with the address of the system's context and the run, as those of the methods do; they leave their
status in counts.outcome.
"""

from __future__ import annotations

from functools import cache

from duoti.dynamics.tree.kinematics import unit_quaternions
from duoti.integrate.events import find_events, fire_scheduled, restart_events, values_at_transition
from duoti.integrate.state import (
    DRIVER_CONTEXT,
    EVENT,
    JUMPS_WITHOUT_END,
    TRANSITION,
    interpolate,
    interpolate_record,
    project,
    solve_algebraic,
)
from duoti.integrate.steps import count_from_here, same_time
from duoti.kernel import call_entry, cold_entry, entry_address, helper, part, unpack
from duoti.system.arrays import ENDS_RUN, Work
from duoti.system.context import REAL_CONTEXT

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
        interpolate(run, stop, run.y_new)
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

    Consistent algebraic states, rates, and step from the state after the jump; the second output at this instant.
    """
    context, run = unpack(address, DRIVER_CONTEXT)
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    clock = run.clock[0]
    count_from_here(run)
    solve_algebraic(w, clock.t, run.y)
    clock.h = clock.fixed_step
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
