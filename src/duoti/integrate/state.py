"""The state vector of the solvers, and what a run carries from call to call.

y = (q, v, z, work supplied, energy dissipated): the last two accumulate with the same weights as the motion, so that
the balance of energy closes to the error of integration.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from duoti.kernel import ContextType, call_entry, helper, name_types, part, record_dtype
from duoti.spatial.algebra import turn_quaternion
from duoti.system.arrays import JUMPS, size_of_state

# status of a run
CONTINUE, END, EVENT, FULL, TRANSITION = range(5)
NOT_FINITE, STEP_TOO_SMALL, NEWTON_FAILED, JUMPS_WITHOUT_END = -1, -2, -3, -4

# outcome of a step that was tried; those that failed are NOT_FINITE and NEWTON_FAILED
ACCEPTED, REJECTED = 0, 1

METHOD_CALLS = record_dtype(
    "MethodCalls",
    start=int,  # what a method provides (`integrate.stepping`) ...
    step=int,
    polynomial=int,
    shift=int,
    context=int,  # ... and the address of its context
    find_events=int,  # what is done about events (`integrate.events`), 0 if there are none
    stop_at_event=int,
    restart=int,
)
"""Addresses of the entries of a run."""

CLOCK = record_dtype(
    "Clock",
    t=float,  # time [s]
    h=float,  # step [s]
    t_begin=float,  # of the run
    t_end=float,
    t_base=float,  # constant steps are counted from there
    fixed_step=float,  # 0 if the step follows from the tolerances
    rtol=float,
    atol=float,
    h_max=float,
    factor=float,  # by which the method wants the next step to be longer; 0: no shorter step cures a failure
    last_error=float,  # of the last accepted step, relative to the allowed one (explicit methods)
    t_jump=float,  # time of the last jump of the state
    t_row=float,  # time of the first of the jumps in a row
    t_due=float,  # the next scheduled time, infinite if there is none
    t_output=float,  # of the last output
)

COUNTS = record_dtype(
    "Counts",
    steps=int,
    rejected=int,
    evaluations=int,
    jacobians=int,
    looks=int,  # at all event functions
    outcome=int,  # of the step that was tried
    where=int,  # the state or equation that is worst
    output=int,  # rows filled of the buffer of outputs
    events=int,  # rows filled of the buffer of events
    next_time=int,  # the next one in Run.times
    more=int,  # 1 if further times follow those in Run.times
    at_steps=int,  # 1 if outputs are wanted at the steps
    jumping=int,  # 1 if an event may make the state jump
    stopped_by=int,  # the event that ended the last step, or -1
    base_steps=int,  # steps that had been made at t_base
    jumped_by=int,  # the event of the last jump
    jumps_here=int,  # jumps since time last passed
    jumps_in_row=int,  # jumps at located events since a step last ended without one, or since they were last judged
    at_due=int,  # 1 if the planned step ends at the scheduled time t_due
    unknowns=int,  # of an implicit step
    started=int,  # 1 once the first step can be taken
    turns=int,  # 1 if run.Q has displacements of quaternions, in the first three of their places
)

WATCH = record_dtype(
    "Watch",
    g=float,  # value of an event function at the beginning of the step
    size=float,  # the largest seen in it
    before=float,  # at the beginning of the part of the step that is looked at
    after=float,  # at its end
    low=float,  # what encloses a root, as parts of the step ...
    g_low=float,
    high=float,
    g_high=float,
    root=float,  # ... and the root
    at=float,  # at the look before; value at the end of a step that an event ended: zero, but for errors of location
    side=int,  # which end moved last
    search=int,  # 1 while a root is being located, 2 when it is
    fired=int,  # 1 if it ended the step
    scheduled=int,  # 1 if its time is known: nothing is located, steps end there
    returns=int,  # 1 if it is also looked for where its function turns back between two looks
    due=float,  # that time
    due_state=int,  # place in y of the state that holds this time, or -1 if it is a constant
)


def one(kind: Any, count: int = 1) -> Any:
    """Named numbers that kernels may change: an array of one record (or `count` of them), all zero."""
    return np.zeros(count, kind)


class Run(NamedTuple):
    """Arrays of one run; the kernels read and write them."""

    clock: Any  # [1] of type CLOCK
    counts: Any  # [1] of type COUNTS
    y: Any  # [ny] state
    y_new: Any  # [ny] state at the end of the step in work
    y_at: Any  # [ny] state in between
    K: Any  # [stages, ny] rates at the stages; row 0 belongs to y
    Q: Any  # [degree, ny] polynomial through the step: y(theta) = y + sum Q[d] theta^(d+1)
    times: Any  # [times] at which outputs are wanted
    out_t: Any  # [rows] times of the outputs ...
    out_y: Any  # [rows, ny] ... and states
    event_t: Any  # [capacity] when events happened ...
    event_index: Any  # [capacity] ... which ...
    event_y: Any  # [capacity, ny] ... and in which state
    x: Any  # [nx] record beside the state (see `record`) at the time of y
    x_new: Any  # [nx] at the end of the step in work; the method writes it
    X: Any  # [degree, nx] polynomial through the step: x(theta) = x + sum X[d] theta^(d+1); the method writes it
    out_x: Any  # [rows, nx] of the outputs
    watches: Any  # [events] of type WATCH
    calls: Any  # [1] of type METHOD_CALLS


def example_run() -> Run:
    """A run of no use but for its types."""
    none = np.zeros(0, np.int64)
    tree, loads = (
        SimpleNamespace(nq=0, nv=0, nz=0),
        SimpleNamespace(laws=SimpleNamespace(event_law=none, event_action=none)),
    )
    return new_run(tree, loads, 1, 1, None, capacity=2)


DRIVER_CONTEXT = ContextType(lambda: (0, example_run()))
name_types(DRIVER_CONTEXT, "_ run")
"""What every method's context begins with: the address of the system's context, and the run."""

EVENTS_AT_ONCE = 256  # before Python takes them out
ROOM_FOR_JUMPS = 64  # outputs after jumps, beyond those at the times asked for


def new_run(
    tree: Any,
    loads: Any,
    stages: int,
    degree: int,
    times: Any,
    fixed_step: float = 0.0,
    capacity: int = 1024,
    nx: int = 0,
) -> Run:
    """Arrays for a run with outputs at `times`; without, at steps, `capacity` of them at a time.

    nx: columns of the record; NaN stands for what the method does not write.
    """
    ny, events = size_of_state(tree), len(loads.laws.event_law)
    at_steps, jumping = times is None, events > 0 and JUMPS in loads.laws.event_action
    rows = capacity if at_steps else len(times) + ROOM_FOR_JUMPS * jumping
    room = max(EVENTS_AT_ONCE, 16 * events) if events else 2  # half of it is kept free
    run = Run(
        clock=one(CLOCK), counts=one(COUNTS), y=np.zeros(ny), y_new=np.zeros(ny), y_at=np.zeros(ny),
        K=np.zeros((stages, ny)), Q=np.zeros((degree, ny)), times=np.array([] if at_steps else times, dtype=float),
        out_t=np.zeros(rows), out_y=np.zeros((rows, ny)), event_t=np.zeros(room),
        event_index=np.zeros(room, np.int64), event_y=np.zeros((room, ny)), x=_undefined(nx),
        x_new=_undefined(nx), X=np.zeros((degree, nx)), out_x=_undefined(rows, nx),
        watches=one(WATCH, max(events, 1)), calls=one(METHOD_CALLS),
    )  # fmt: skip
    clock, counts = run.clock, run.counts
    clock["fixed_step"], clock["t_jump"], clock["t_due"] = fixed_step, -1e300, np.inf
    counts["at_steps"], counts["jumping"], counts["stopped_by"] = int(at_steps), int(jumping), -1
    return run


def _undefined(*shape: int) -> Any:
    return np.full(shape, np.nan) if shape[-1] else np.zeros(shape)


def with_record(run: Run, nx: int) -> Run:
    """The same run with nx columns of a record, not written yet."""
    nan = np.full(nx, np.nan)
    return run._replace(
        x=nan, x_new=nan.copy(), X=np.zeros((len(run.Q), nx)), out_x=np.full((len(run.out_t), nx), np.nan)
    )


BUFFERS = ("out_t", "out_y", "out_x", "event_t", "event_index", "event_y")  # what is taken out between calls
NOT_KEPT = (*BUFFERS, "times", "calls")  # what a checkpoint need not hold, or must not: addresses


def arrays_of(fields: Any, without: tuple[str, ...] = ()) -> list[Any]:
    """The arrays of a named tuple, in its order."""
    return [each for name, each in fields._asdict().items() if isinstance(each, np.ndarray) and name not in without]


def larger_buffers(run: Run) -> Run:
    """The same run with twice the room for outputs, events, and times unless all are there already."""

    def larger(each: Any) -> Any:
        made = np.zeros((2 * len(each), *each.shape[1:]), each.dtype)
        made[: len(each)] = each
        return made

    names = (*BUFFERS, "times") if run.counts[0].more else BUFFERS
    return run._replace(**{name: larger(getattr(run, name)) for name in names})


@helper
def call_with_state(w, address, t, y):
    """Call one of the system's entries (`Work.calls`) with a state."""
    w.clock[0] = t
    for i in range(y.shape[0]):
        w.y[i] = y[i]
    call_entry(address, w.at[0].system)


@part
def state_rates(w, t, y, ydot):
    """dy/dt, through the entry of the system."""
    call_with_state(w, w.calls[0].ydot, t, y)
    for i in range(y.shape[0]):
        ydot[i] = w.ydot[i]


@part
def project(w, t, y):
    """Bring a state back to closed loops and algebraic equations, through the entries of the system, if it has any."""
    if w.calls[0].project != 0:
        call_with_state(w, w.calls[0].project, t, y)
        for i in range(y.shape[0]):
            y[i] = w.y[i]
    solve_algebraic(w, t, y)


@part
def solve_algebraic(w, t, y):
    """Give algebraic states the values that solve their equations, through the system's entry, if there are any."""
    if w.calls[0].algebraic != 0:
        call_with_state(w, w.calls[0].algebraic, t, y)
        for i in range(y.shape[0]):
            y[i] = w.y[i]


@part
def _polynomial(first, coefficients, theta, out):
    """first + sum coefficients[d] theta^(d+1), by Horner's rule."""
    degree = coefficients.shape[0]
    for i in range(first.shape[0]):
        s = coefficients[degree - 1, i]
        for d in range(degree - 2, -1, -1):
            s = coefficients[d, i] + theta * s
        out[i] = first[i] + theta * s


@part
def interpolate(tree, run, theta, out):
    """State at the part theta (0..1) of the step.

    Methods whose unknowns are displacements make steps in which a body turns far. A polynomial through the components
    of its quaternion would be wrong there; one through the displacement is as right as the step.
    """
    _polynomial(run.y, run.Q, theta, out)
    if run.counts[0].turns == 1:
        for i in range(tree.quat_q.shape[0]):
            k = tree.quat_q[i]
            x = (out[k] - run.y[k], out[k + 1] - run.y[k + 1], out[k + 2] - run.y[k + 2])
            turn_quaternion(run.y, k, x, out)


@helper
def interpolate_record(run, theta, out):
    """Record at the part theta (0..1) of the step."""
    _polynomial(run.x, run.X, theta, out)


@part
def line_through_record(run):
    """The record as a straight line from x to x_new over the step: right for a method of order 2."""
    for i in range(run.x.shape[0]):
        run.X[0, i] = run.x_new[i] - run.x[i]


@part
def hermite(run):
    """Cubic polynomial through the step from the states and rates (K[0], K[1]) at its ends."""
    h = run.clock[0].h
    for i in range(run.y.shape[0]):
        rise, begin, end = run.y_new[i] - run.y[i], h * run.K[0, i], h * run.K[1, i]
        run.Q[0, i] = begin
        run.Q[1, i] = 3.0 * rise - 2.0 * begin - end
        run.Q[2, i] = begin + end - 2.0 * rise
