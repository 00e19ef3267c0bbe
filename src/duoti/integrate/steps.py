"""What all integrators do around a step: plan its length; watch events and outputs on the polynomial through it."""

import math

from duoti.integrate.state import (
    ACCEPTED,
    CONTINUE,
    END,
    FULL,
    JUMPS_WITHOUT_END,
    STEP_TOO_SMALL,
    interpolate,
    interpolate_record,
    project,
    solve_algebraic,
)
from duoti.kernel import call_entry, helper, part
from duoti.system.arrays import EPSILON

SAME_TIME = 1e-12  # part of the run below which two instants are one


@helper
def same_time(run):
    """Difference below which two instants of the run are one."""
    clock = run.clock[0]
    return SAME_TIME * max(abs(clock.t), clock.t_end - clock.t_begin)


@part
def plan_step(run):
    """Set the length of the next step. Returns a status (CONTINUE to take it) and whether it is the last one."""
    clock, counts = run.clock[0], run.counts[0]
    t, span = clock.t, clock.t_end - clock.t_begin
    if clock.t_end - t <= 1e-14 * span + 4.0 * EPSILON * abs(t):
        return END, False
    counts.at_due = 1 if clock.t_due <= clock.t_end + same_time(run) else 0
    left = min(clock.t_due, clock.t_end) - t
    # the step may come this far, and not every output up to there may fit into the buffer
    reach = t + 1.000001 * max(clock.h, clock.fixed_step)
    if not _has_room(run, reach) or counts.events >= run.event_t.shape[0] // 2:
        return FULL, False  # before anything is changed: the same step follows
    if clock.fixed_step > 0.0:
        clock.h = clock.fixed_step
        if counts.at_due == 1:  # equal steps up to the scheduled time rather than a short one at the end
            ahead = clock.t_due - clock.t_base
            clock.h = ahead / max(1.0, math.ceil(ahead / clock.fixed_step * (1.0 - 1e-9)))
    clock.h, last = fitted_step(clock, clock.h, t, left)
    if not last:
        counts.at_due = 0
    if not clock.h > 1e-15 * max(abs(t), span):
        after_jumps = t - clock.t_jump <= SAME_TIME * max(abs(t), span)
        return JUMPS_WITHOUT_END if after_jumps else STEP_TOO_SMALL, False
    return CONTINUE, last


@helper
def fitted_step(clock, h, t, left):
    """A step that fits into the time that is left, and whether it is the last one."""
    h = min(h, clock.h_max)
    last = h >= left * (1.0 - 1e-9)  # rather a last step longer by a rounding error than a tiny one more
    if last:
        if abs(h - left) > 4.0 * EPSILON * abs(t + left):  # else the same bits as a step that nothing ends
            h = left
    elif clock.fixed_step == 0.0 and 2.0 * h > left > h:
        h = 0.5 * left  # two equal steps rather than a tiny last one
    return h, last


@helper
def _has_room(run, reach):
    """True if all outputs of a step that ends at `reach` fit into the buffers, and all their times are known."""
    counts = run.counts[0]
    room = run.out_t.shape[0] - counts.output - counts.jumping  # a jump writes one more
    if counts.at_steps == 1:
        return room > 0
    n = run.times.shape[0]
    if counts.more == 1 and run.times[n - 1] <= reach:
        return False
    if room >= n - counts.next_time:
        return True
    return room >= 0 and run.times[counts.next_time + room] > reach


@part
def end_of_step(run, last):
    """Time at the end of the step."""
    clock, counts = run.clock[0], run.counts[0]
    if last:
        return min(clock.t_due, clock.t_end)
    if clock.fixed_step > 0.0:  # does not gather rounding errors
        return clock.t_base + (counts.steps - counts.base_steps + 1) * clock.h
    return clock.t + clock.h


@part
def count_from_here(run):
    """Constant steps are counted from the time where the run is now."""
    clock, counts = run.clock[0], run.counts[0]
    clock.t_base, counts.base_steps = clock.t, counts.steps


@part
def polynomial_is_needed(loads, run, t_new):
    """True if events or outputs need the polynomial through the step that ends at t_new."""
    counts = run.counts[0]
    if loads.laws.event_law.shape[0] > 0:
        return True
    if counts.at_steps == 1:
        return False
    return counts.next_time < run.times.shape[0] and run.times[counts.next_time] <= t_new


@helper
def first_not_finite(y):
    """Index of the first entry that is not finite, -1 if there is none."""
    for i in range(y.shape[0]):
        if not (abs(y[i]) < 1e300):
            return i
    return -1


@part
def watch_step(tree, loads, w, run, t_new):
    """Record events and outputs of a step. Returns a status: CONTINUE, or why the step ends at an event.

    Then run.y and the time are those at the event: EVENT ends the run, TRANSITION asks for a jump of the state. If an
    event function is undefined, the status is NOT_FINITE and the step does not count.
    """
    clock, counts = run.clock[0], run.counts[0]
    stop, status, t_stop = 1.0, CONTINUE, t_new
    if loads.laws.event_law.shape[0] > 0:
        status = _call_about_events(run, run.calls[0].find_events)
        if status < 0:
            return status
        if status != CONTINUE:
            stop = run.watches[counts.stopped_by].root
            t_stop = t_new if stop == 1.0 else clock.t + stop * clock.h
    _write_outputs(tree, w, run, stop, t_stop)
    if status != CONTINUE:
        return _call_about_events(run, run.calls[0].stop_at_event)
    for i in range(run.x.shape[0]):  # the step is done: its end is the beginning of the next one
        run.x[i] = run.x_new[i]
    return status


@part
def _call_about_events(run, address):
    """Call one of the entries of `events.EVENT_ENTRIES`; returns its status."""
    call_entry(address, run.calls[0].context)
    status = run.counts[0].outcome
    run.counts[0].outcome = ACCEPTED
    return status


ROUND_OFF = 8.0 * EPSILON  # of the square of a length


@helper
def is_unit(y, k):
    """Whether the quaternion at y[k] has unit length but for round-off: it is left as it is then."""
    return abs(y[k] ** 2 + y[k + 1] ** 2 + y[k + 2] ** 2 + y[k + 3] ** 2 - 1.0) <= ROUND_OFF


@part
def bring_to_unit_length(tree, y):
    """Quaternions of an output back to unit length, by the same rule as at the beginning of the next step."""
    for i in range(tree.quat_q.shape[0]):
        k = tree.quat_q[i]
        if not is_unit(y, k):
            s = 1.0 / (y[k] ** 2 + y[k + 1] ** 2 + y[k + 2] ** 2 + y[k + 3] ** 2) ** 0.5
            for n in range(k, k + 4):
                y[n] = s * y[n]


@part
def _write_outputs(tree, w, run, stop, t_stop):
    """Write the outputs that fall into the step, up to the part `stop` of it."""
    clock, counts = run.clock[0], run.counts[0]
    if counts.at_steps == 1:
        _write_output(tree, w, run, stop, t_stop)
        return
    while counts.next_time < run.times.shape[0] and run.times[counts.next_time] <= t_stop:
        time = run.times[counts.next_time]
        theta = min(1.0, max(0.0, (time - clock.t) / clock.h))
        if stop == 1.0 and t_stop - time <= 4.0 * EPSILON * abs(t_stop):  # the end of the step, but for round-off
            theta = 1.0
        _write_output(tree, w, run, theta, time)
        counts.next_time += 1


@part
def _write_output(tree, w, run, theta, t):
    """Append state and record at the part theta of the step, which is the time t, to the outputs."""
    k = run.counts[0].output
    run.out_t[k] = t
    if theta == 1.0:
        for i in range(run.y.shape[0]):
            run.out_y[k, i] = run.y_new[i]
        for i in range(run.x.shape[0]):
            run.out_x[k, i] = run.x_new[i]
    else:
        interpolate(tree, run, theta, run.out_y[k])
        interpolate_record(run, theta, run.out_x[k])
    bring_to_unit_length(tree, run.out_y[k])
    if theta < 1.0:
        project(w, t, run.out_y[k])
    else:
        solve_algebraic(w, t, run.out_y[k])
    run.counts[0].output = k + 1
    run.clock[0].t_output = t
