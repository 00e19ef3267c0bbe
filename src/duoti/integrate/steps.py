"""What all integrators do around a step: plan its length; watch events and outputs on the polynomial through it."""

from __future__ import annotations

from duoti.dynamics.kinematics import unit_quaternions
from duoti.integrate.events import find_events
from duoti.integrate.state import (
    AT_STEPS,
    CONTINUE,
    END,
    EVENTS,
    FULL,
    H_MAX,
    MORE,
    OUTPUT,
    STEP_TOO_SMALL,
    STEPS,
    STOPPED_BY,
    T_BEGIN,
    T_END,
    H,
    T,
    interpolate,
    project,
)
from duoti.kernel import helper, part


@part
def plan_step(run, adaptive, fixed_step):
    """Set the length of the next step. Returns a status (CONTINUE to take it) and whether it is the last one."""
    numbers, counts = run.numbers, run.counts
    t, span = numbers[T], numbers[T_END] - numbers[T_BEGIN]
    left = numbers[T_END] - t
    if left <= 1e-14 * max(abs(t), span):
        return END, False
    steps_full = counts[AT_STEPS] == 1 and counts[OUTPUT] >= run.out_t.shape[0]
    # the step may come this far, and not every output up to there may fit into the buffer
    reach = t + 1.000001 * max(numbers[H], fixed_step)
    times_full = counts[MORE] == 1 and run.out_t[run.out_t.shape[0] - 1] <= reach
    if steps_full or times_full or counts[EVENTS] >= run.event_t.shape[0] // 2:
        return FULL, False  # before anything is changed: the same step follows
    if adaptive == 0:
        numbers[H] = fixed_step
    numbers[H] = min(numbers[H], numbers[H_MAX])
    last = numbers[H] >= left * (1.0 - 1e-9)  # rather a last step longer by a rounding error than a tiny one more
    if last:
        numbers[H] = left
    elif adaptive == 1 and 2.0 * numbers[H] > left > numbers[H]:
        numbers[H] = 0.5 * left  # two equal steps rather than a tiny last one
    if not numbers[H] > 1e-15 * max(abs(t), span):
        return STEP_TOO_SMALL, False
    return CONTINUE, last


@part
def end_of_step(run, adaptive, last):
    """Time at the end of the step."""
    numbers = run.numbers
    if last:
        return numbers[T_END]
    if adaptive == 0:
        return numbers[T_BEGIN] + (run.counts[STEPS] + 1) * numbers[H]  # does not gather rounding errors
    return numbers[T] + numbers[H]


@part
def polynomial_is_needed(loads, run, t_new):
    """True if events or outputs need the polynomial through the step that ends at t_new."""
    if loads.laws.event_law.shape[0] > 0:
        return True
    if run.counts[AT_STEPS] == 1:
        return False
    return run.counts[OUTPUT] < run.out_t.shape[0] and run.out_t[run.counts[OUTPUT]] <= t_new


@helper
def first_not_finite(y):
    """Index of the first entry that is not finite, -1 if there is none."""
    for i in range(y.shape[0]):
        if not (abs(y[i]) < 1e300):
            return i
    return -1


@part
def watch_step(tree, loads, w, run, t_new):
    """Record events and outputs of a step; True if an event ends the run: then the state is the one at the event."""
    stop, stopped = 1.0, False
    if loads.laws.event_law.shape[0] > 0:
        stop = find_events(tree, loads, w, run)
        stopped = run.counts[STOPPED_BY] >= 0
    t_stop = run.event_t[run.counts[EVENTS] - 1] if stopped else t_new  # the terminal event is the last recorded
    _write_outputs(tree, w, run, stop, t_stop)
    if stopped:
        interpolate(run, stop, run.y_new)
        unit_quaternions(tree, run.y_new[: tree.nq])
        project(w, t_stop, run.y_new)
        for i in range(run.y.shape[0]):
            run.y[i] = run.y_new[i]
        run.numbers[T] = t_stop
        run.counts[STEPS] += 1
    return stopped


@part
def _write_outputs(tree, w, run, stop, t_stop):
    """Write the outputs that fall into the step, up to the part `stop` of it."""
    t, h = run.numbers[T], run.numbers[H]
    if run.counts[AT_STEPS] == 1:
        k = run.counts[OUTPUT]
        run.out_t[k] = t_stop
        _write_state(tree, w, run, stop, k)
        run.counts[OUTPUT] = k + 1
        return
    while run.counts[OUTPUT] < run.out_t.shape[0] and run.out_t[run.counts[OUTPUT]] <= t_stop:
        k = run.counts[OUTPUT]
        _write_state(tree, w, run, min(1.0, max(0.0, (run.out_t[k] - t) / h)), k)
        run.counts[OUTPUT] = k + 1


@part
def _write_state(tree, w, run, theta, k):
    if theta == 1.0:
        for i in range(run.y.shape[0]):
            run.out_y[k, i] = run.y_new[i]
    else:
        interpolate(run, theta, run.out_y[k])
    unit_quaternions(tree, run.out_y[k][: tree.nq])
    if theta < 1.0:
        project(w, run.out_t[k], run.out_y[k])
