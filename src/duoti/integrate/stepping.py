"""The compiled driver of all methods: plan, take a step, accept or reject it, events, outputs, jumps of the state.

It is compiled once: what a method does stands in its entries, which are called by address (`Run.calls`) with the
method's own context, a packed tuple that begins with the address of the system's context and the run:

    START       from run.y at clock.t: rates run.K[0], multipliers, ..., and clock.h, unless that is given (not zero)
    STEP        tries a step of the length clock.h: run.y_new, counts.outcome (ACCEPTED, REJECTED, or the status of a
                failure), clock.factor for the next step, counts.where
    POLYNOMIAL  run.Q through the accepted step, called only if outputs or events lie in it
    SHIFT       the end of the step becomes the beginning; clock.t is the new time, clock.h still the step

A method with a record beside the state (see `record`) fills also run.x in START, run.x_new in STEP, and run.X in
POLYNOMIAL; run.x then follows by itself.

A method of its own is a file with these four, a context and a `Solver`; see `explicit`. After a jump of the state the
run goes on through START. What is done about events stands in entries of its own (`events`).
"""

from duoti.integrate.events import start_events
from duoti.integrate.state import ACCEPTED, CONTINUE, TRANSITION, call_with_state, solve_algebraic
from duoti.integrate.steps import (
    count_from_here,
    end_of_step,
    plan_step,
    polynomial_is_needed,
    watch_step,
)
from duoti.kernel import call_entry, cold_kernel, kernel, part, unpack
from duoti.system.context import REAL_CONTEXT

SHORTEST = 1e-10  # part of the run: a step so short that still fails is the end
OFF_GRID = 1e-9  # part of a constant step by which the last one may differ and still be one


@kernel("i run d")
def start(context, run, given_step):
    """Make the first step ready from run.y at clock.t; given_step is zero if the method shall choose."""
    _, loads, _, w = unpack(context, REAL_CONTEXT)
    clock = run.clock[0]
    if run.counts[0].started == 0:
        count_from_here(run)
    solve_algebraic(w, clock.t, run.y)
    clock.h = given_step
    call_entry(run.calls[0].start, run.calls[0].context)
    start_events(loads, w, run)
    run.counts[0].started = 1


@part
def _jump(w, run):
    """The system's own jump of the state; False if it leaves that to Python."""
    run.counts[0].outcome = ACCEPTED
    call_with_state(w, w.calls[0].jump, run.clock[0].t, run.y)
    if run.counts[0].outcome != ACCEPTED:
        run.counts[0].outcome = ACCEPTED
        return False
    for i in range(run.y.shape[0]):
        run.y[i] = w.y[i]
    return True


@cold_kernel("i run")
def begin_again(context, run):
    """Go on from the state where the run is, after numbers of the system have changed; the step stays as long."""
    start_again(context, run)


@part
def start_again(context, run):
    """The same, as a part of other kernels."""
    _, loads, _, w = unpack(context, REAL_CONTEXT)
    clock = run.clock[0]
    h, error = clock.h, clock.last_error
    solve_algebraic(w, clock.t, run.y)
    clock.h = h
    call_entry(run.calls[0].start, run.calls[0].context)
    clock.last_error = error
    start_events(loads, w, run)


@cold_kernel("i run i")
def advance(context, run, most_steps):
    """Go on by at most so many steps; returns a status. The run keeps everything for the next call."""
    return take_steps(context, run, most_steps)


@part
def take_steps(context, run, most_steps):
    """The same, as a part of other kernels."""
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    clock, counts = run.clock[0], run.counts[0]
    method = run.calls[0].context
    for _ in range(most_steps):
        status, last = plan_step(run)
        if status != CONTINUE:
            return status
        h = clock.h
        call_entry(run.calls[0].step, method)
        if counts.outcome != ACCEPTED:
            hopeless = clock.fixed_step > 0.0 or clock.factor == 0.0 or h < SHORTEST * (clock.t_end - clock.t_begin)
            if counts.outcome < 0 and hopeless:
                return counts.outcome
            counts.rejected += 1
            clock.h = h * clock.factor
            continue
        t_new = end_of_step(run, last)
        if polynomial_is_needed(loads, run, t_new):
            call_entry(run.calls[0].polynomial, method)
        status = watch_step(tree, loads, w, run, t_new)
        if status == TRANSITION and w.calls[0].jump != 0 and _jump(w, run):
            error = clock.last_error
            clock.h = clock.fixed_step if clock.fixed_step > 0.0 else h * clock.factor  # it may be as long as before
            call_entry(run.calls[0].restart, method)
            clock.last_error = error
            continue
        if status != CONTINUE:
            return status
        clock.t = t_new
        call_entry(run.calls[0].shift, method)
        counts.steps += 1
        counts.jumps_in_row = 0
        if last and clock.fixed_step > 0.0 and abs(h - clock.fixed_step) > OFF_GRID * clock.fixed_step:
            count_from_here(run)
        clock.h = h * clock.factor
    return CONTINUE
