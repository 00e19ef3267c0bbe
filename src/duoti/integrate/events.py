"""Events: zero crossings of expressions, located on the polynomial through the step."""

from __future__ import annotations

from duoti.dynamics.kinematics import unit_quaternions
from duoti.integrate.state import EVENTS, STOPPED_BY, H, T, call_with_state, interpolate
from duoti.kernel import part
from duoti.system.arrays import EVENTS as W_EVENTS

LOOKS = 4  # looks for a sign change inside each step
ITERATIONS = 80


@part
def event_values(w, t, y, g):
    """Values of all event functions in a state, through the entry of the system."""
    call_with_state(w, W_EVENTS, t, y)
    for e in range(g.shape[0]):
        g[e] = w.event[e]


@part
def _value_at(tree, w, run, e, theta):
    """Value of event function e at the part theta of the step."""
    interpolate(run, theta, run.y_at)
    unit_quaternions(tree, run.y_at[: tree.nq])
    event_values(w, run.numbers[T] + theta * run.numbers[H], run.y_at, run.g_new)
    return run.g_new[e]


@part
def _locate(tree, w, run, e, a, g_a, b, g_b):
    """Root of event function e between the parts a and b of the step: false position, Illinois variant."""
    side = 0
    for _ in range(ITERATIONS):
        if b - a <= 4e-16 * (1.0 + abs(b)):
            break
        c = (a * g_b - b * g_a) / (g_b - g_a)
        if not (a < c < b):
            c = 0.5 * (a + b)
        g_c = _value_at(tree, w, run, e, c)
        if g_c == 0.0:
            return c
        if (g_c > 0.0) == (g_b > 0.0):
            b, g_b = c, g_c
            if side == -1:
                g_a = 0.5 * g_a
            side = -1
        else:
            a, g_a = c, g_c
            if side == 1:
                g_b = 0.5 * g_b
            side = 1
    return b


@part
def find_events(tree, loads, w, run):
    """Record the events within the step from run.y on the polynomial run.Q.

    Returns the part of the step at which a terminal event stops the run, 1.0 if none does; run.g becomes the values at
    the end of the step.
    """
    n = loads.laws.event_law.shape[0]
    stop = 1.0
    run.counts[STOPPED_BY] = -1
    for e in range(n):
        a, g_a = 0.0, run.g[e]
        for look in range(1, LOOKS + 1):
            b = look / LOOKS
            if b > stop and a > stop:
                break
            g_b = _value_at(tree, w, run, e, b)
            rising, falling = g_a < 0.0 <= g_b, g_a > 0.0 >= g_b
            direction = loads.laws.event_direction[e]
            if (rising and direction >= 0) or (falling and direction <= 0):
                root = b if g_b == 0.0 else _locate(tree, w, run, e, a, g_a, b, g_b)
                if loads.laws.event_terminal[e] == 1:
                    if root < stop or run.counts[STOPPED_BY] < 0:
                        stop = root
                        run.counts[STOPPED_BY] = e
                else:
                    _record(tree, run, e, root)
            a, g_a = b, g_b
    if run.counts[STOPPED_BY] >= 0:
        _record(tree, run, run.counts[STOPPED_BY], stop)
    event_values(w, run.numbers[T] + run.numbers[H], run.y_new, run.g)
    return stop


@part
def _record(tree, run, e, theta):
    n = run.counts[EVENTS]
    if n < run.event_t.shape[0]:
        interpolate(run, theta, run.y_at)
        unit_quaternions(tree, run.y_at[: tree.nq])
        run.event_t[n] = run.numbers[T] + theta * run.numbers[H]
        run.event_index[n] = e
        for i in range(run.y.shape[0]):
            run.event_y[n, i] = run.y_at[i]
        run.counts[EVENTS] = n + 1
