"""The state vector of the explicit solvers, and what a run carries from call to call.

y = (q, v, z, work supplied, energy dissipated): the last two accumulate with the same weights as the motion, so that
the balance of energy closes to the error of integration.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.kernel import call_entry, helper, part
from duoti.system.arrays import PROJECT, RATES, size_of_state

# status of a run
CONTINUE, END, EVENT, FULL, NOT_FINITE, STEP_TOO_SMALL, NEWTON_FAILED = 0, 1, 2, 3, -1, -2, -3

# places in Run.numbers
T, H, T_END, RTOL, ATOL, H_MAX, LAST_ERROR, T_BEGIN = range(8)
N_NUMBERS = 8

# places in Run.counts
STEPS, REJECTED, EVALUATIONS, OUTPUT, WHERE, EVENTS, STARTED, AT_STEPS, STOPPED_BY, JACOBIANS, UNKNOWNS, MORE = range(
    12
)
N_COUNTS = 12  # MORE: 1 if further outputs follow the times in Run.out_t


class Run(NamedTuple):
    """Arrays of one run; the kernels read and write them."""

    numbers: Any  # [N_NUMBERS] time, step, ... (indices above)
    counts: Any  # [N_COUNTS]
    y: Any  # [ny] state
    y_new: Any  # [ny] state at the end of the step in work
    y_at: Any  # [ny] state in between
    K: Any  # [stages, ny] rates at the stages; row 0 belongs to y
    Q: Any  # [degree, ny] polynomial through the step: y(theta) = y + sum Q[d] theta^(d+1)
    out_t: Any  # [outputs] times asked for, or times of steps
    out_y: Any  # [outputs, ny]
    event_t: Any  # [capacity] when events happened ...
    event_index: Any  # [capacity] ... which ...
    event_y: Any  # [capacity, ny] ... and in which state
    g: Any  # [events] values of the event functions at y
    g_new: Any  # [events]


def new_run(tree: Any, events: int, stages: int, degree: int, times: Any, capacity: int = 1024) -> Run:
    """Arrays for a run with outputs at `times`; without, at steps, `capacity` of them at a time."""
    ny = size_of_state(tree)
    at_steps = times is None
    n = capacity if at_steps else len(times)
    run = Run(
        numbers=np.zeros(N_NUMBERS), counts=np.zeros(N_COUNTS, np.int64), y=np.zeros(ny), y_new=np.zeros(ny),
        y_at=np.zeros(ny), K=np.zeros((stages, ny)), Q=np.zeros((degree, ny)),
        out_t=np.zeros(n) if at_steps else np.array(times, dtype=float), out_y=np.full((n, ny), np.nan),
        event_t=np.zeros(capacity), event_index=np.zeros(capacity, np.int64), event_y=np.zeros((capacity, ny)),
        g=np.zeros(max(events, 1)), g_new=np.zeros(max(events, 1)),
    )  # fmt: skip
    run.counts[AT_STEPS] = int(at_steps)
    return run


BUFFERS = ("out_t", "out_y", "event_t", "event_index", "event_y")  # what is taken out between calls


def arrays_of(fields: Any, without: tuple[str, ...] = ()) -> list[Any]:
    """The arrays of a named tuple, in its order."""
    return [each for name, each in fields._asdict().items() if isinstance(each, np.ndarray) and name not in without]


def larger_buffers(run: Run) -> Run:
    """The same run with twice the room for events, and for outputs unless all their times are there already."""

    def larger(each: Any) -> Any:
        made = np.zeros((2 * len(each), *each.shape[1:]), each.dtype)
        made[: len(each)] = each
        return made

    names = BUFFERS if run.counts[AT_STEPS] or run.counts[MORE] else BUFFERS[2:]
    return run._replace(**{name: larger(getattr(run, name)) for name in names})


@helper
def call_with_state(w, which, t, y):
    """Call one of the system's entries with a state."""
    w.clock[0] = t
    for i in range(y.shape[0]):
        w.y[i] = y[i]
    call_entry(w.entries[which], w.context[0])


@part
def state_rates(w, t, y, ydot):
    """dy/dt, through the entry of the system."""
    call_with_state(w, RATES, t, y)
    for i in range(y.shape[0]):
        ydot[i] = w.ydot[i]


@part
def project(w, t, y):
    """Bring a state back to closed loops, through the entry of the system, if there is one."""
    if w.entries[PROJECT] != 0:
        call_with_state(w, PROJECT, t, y)
        for i in range(y.shape[0]):
            y[i] = w.y[i]


@part
def interpolate(run, theta, out):
    """State at the part theta (0..1) of the step."""
    degree = run.Q.shape[0]
    for i in range(run.y.shape[0]):
        s = run.Q[degree - 1, i]
        for d in range(degree - 2, -1, -1):
            s = run.Q[d, i] + theta * s
        out[i] = run.y[i] + theta * s


@part
def hermite(run):
    """Cubic polynomial through the step from the states and rates (K[0], K[1]) at its ends."""
    h = run.numbers[H]
    for i in range(run.y.shape[0]):
        rise, begin, end = run.y_new[i] - run.y[i], h * run.K[0, i], h * run.K[1, i]
        run.Q[0, i] = begin
        run.Q[1, i] = 3.0 * rise - 2.0 * begin - end
        run.Q[2, i] = begin + end - 2.0 * rise
