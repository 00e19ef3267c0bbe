"""The compiled loop of the generalised-alpha methods: start, step-size control, outputs and events."""

from __future__ import annotations

from duoti.dynamics.kinematics import position_rates, unit_quaternions
from duoti.integrate.alpha_step import H_OLD, STALE, solve_step, step_error
from duoti.integrate.events import event_values
from duoti.integrate.implicit import small_step
from duoti.integrate.state import (
    ATOL,
    CONTINUE,
    EVALUATIONS,
    EVENT,
    NEWTON_FAILED,
    NOT_FINITE,
    REJECTED,
    RTOL,
    STARTED,
    STEPS,
    T_BEGIN,
    T_END,
    WHERE,
    H,
    T,
    hermite,
    state_rates,
)
from duoti.integrate.steps import end_of_step, first_not_finite, plan_step, polynomial_is_needed, watch_step
from duoti.kernel import kernel, part, unpack
from duoti.system.context import REAL_CONTEXT

SAFETY, SHRINK, GROW, KEEP = 0.9, 0.2, 2.0, 1.2
FLOW = 1e-3  # part of the first step over which the rate of vdot is taken
STIFF = 0.1  # (h omega)² of the fastest oscillation that a step follows


@part
def _accept(tree, closures, w, method, run, memory):
    """Rates and works at the end of the step; the unknowns become the state."""
    nq, nv, nz = tree.nq, tree.nv, tree.nz
    n, h = nq + nv + nz, run.numbers[H]
    unit_quaternions(tree, run.y_new[:nq])
    position_rates(tree, run.y_new, run.y_new[nq:], run.K[1])
    for i in range(nv):
        run.K[1, nq + i] = memory.vdot_new[i]
    for i in range(nz):
        run.K[1, nq + nv + i] = memory.zdot_new[i]
    for i in range(2):
        run.K[1, n + i] = w.powers[1 + i]
        run.y_new[n + i] = run.y[n + i] + 0.5 * h * (run.K[0, n + i] + run.K[1, n + i])


@part
def _shift(tree, closures, w, run, memory):
    """The end of the step becomes the beginning of the next one."""
    for i in range(tree.nv):
        memory.vdot_old[i] = memory.vdot[i]
        memory.vdot[i] = memory.vdot_new[i]
        memory.a[i] = memory.a_new[i]
    for i in range(tree.nz):
        memory.zdot_old[i] = memory.zdot[i]
        memory.zdot[i] = memory.zdot_new[i]
        memory.s[i] = memory.s_new[i]
    for i in range(run.y.shape[0]):
        run.y[i] = run.y_new[i]
        run.K[0, i] = run.K[1, i]
    for k in range(w.G.shape[0]):
        memory.G[k] = w.G[k]
    memory.numbers[H_OLD] = run.numbers[H]


@part
def _stretch(tree, method, memory, h, h_new):
    """a belongs to the time t + (alpha_m - alpha_f) h: another step asks for another a."""
    part = (method.alpha_m - method.alpha_f) * (h_new - h) / memory.numbers[H_OLD]
    for i in range(tree.nv):
        memory.a[i] += part * (memory.vdot[i] - memory.vdot_old[i])
    part = (method.delta_m - method.delta_f) * (h_new - h) / memory.numbers[H_OLD]
    for i in range(tree.nz):
        memory.s[i] += part * (memory.zdot[i] - memory.zdot_old[i])


@kernel
def start_alpha(context, method, run, memory, tan, newton, given_step):
    """Accelerations and multipliers at the beginning, the helpers a and s, and the first step."""
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    nq, nv, nz = tree.nq, tree.nv, tree.nz
    t = run.numbers[T]
    state_rates(w, t, run.y, run.K[0])
    for r in range(closures.rows):
        memory.multipliers[r] = w.multipliers[r]
    for k in range(w.G.shape[0]):
        memory.G[k] = w.G[k]
    h = given_step
    if not h > 0.0:
        h = small_step(tree, run)
    run.numbers[H] = h
    d = FLOW * h
    for i in range(run.y.shape[0]):
        run.y_new[i] = run.y[i] + d * run.K[0, i]
    unit_quaternions(tree, run.y_new[:nq])
    state_rates(w, t + d, run.y_new, run.K[1])
    shift, shift_z = method.alpha_m - method.alpha_f, method.delta_m - method.delta_f
    # where the step is long against the decay of a stiff part, its slope says nothing about the step: it is cut
    largest, change = 0.0, 0.0
    for i in range(nq, nq + nv + nz):
        largest = max(largest, abs(run.K[0, i]), STIFF * abs(run.y[i]) / h)
        change = max(change, abs(run.K[1, i] - run.K[0, i]) / FLOW)
    d *= max(1.0, change / max(largest, 1e-300))
    for i in range(nv):
        slope = (run.K[1, nq + i] - run.K[0, nq + i]) / d
        memory.vdot[i] = run.K[0, nq + i]
        memory.vdot_old[i] = memory.vdot[i] - h * slope
        memory.a[i] = memory.vdot[i] + shift * h * slope
    for i in range(nz):
        slope = (run.K[1, nq + nv + i] - run.K[0, nq + nv + i]) / d
        memory.zdot[i] = run.K[0, nq + nv + i]
        memory.zdot_old[i] = memory.zdot[i] - h * slope
        memory.s[i] = memory.zdot[i] + shift_z * h * slope
    state_rates(w, t, run.y, run.K[0])  # leave the workspace at the initial state
    run.counts[EVALUATIONS] += 3
    memory.numbers[H_OLD], memory.numbers[STALE] = h, 1.0
    if loads.laws.event_law.shape[0] > 0:
        event_values(w, t, run.y, run.g)
    run.counts[STARTED] = 1


@kernel
def advance_alpha(context, method, run, memory, tan, newton, fixed_step, most_steps):
    """Go on by at most so many steps; returns a status. run and memory keep everything for the next call."""
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    numbers, counts = run.numbers, run.counts
    span = numbers[T_END] - numbers[T_BEGIN]
    # a method of order 2 commits the errors of h³ over 1/h steps: this makes the sum proportional to the tolerance
    allowed = 0.3 * max(numbers[RTOL], numbers[ATOL]) ** 0.5 if method.adaptive == 1 else 10.0
    for _ in range(most_steps):
        planned = numbers[H]
        status, last = plan_step(run, method.adaptive, fixed_step)
        if status != CONTINUE:
            return status
        h = numbers[H]
        if h != planned:
            _stretch(tree, method, memory, planned, h)
        solved = solve_step(tree, closures, w, tan, newton, method, run, memory, 0.03 * allowed)
        if solved == 0:
            if method.adaptive == 0 or h < 1e-10 * span:
                return NEWTON_FAILED
            counts[REJECTED] += 1
            numbers[H] = 0.25 * h
            _stretch(tree, method, memory, h, numbers[H])
            continue
        bad = first_not_finite(run.y_new)
        if bad >= 0:
            counts[WHERE] = bad
            return NOT_FINITE
        grow = 1.0
        if method.adaptive == 1:
            error, sure, where = step_error(tree, closures, method, run, memory)
            counts[WHERE] = where
            error = max(error / allowed, 1e-6)
            grow = min(GROW, max(SHRINK, SAFETY * error ** (-1.0 / 3.0)))
            if error > 1.0 and sure <= allowed:
                grow = 1.0  # a shorter step would only have more round-off
            elif error > 1.0:
                counts[REJECTED] += 1
                numbers[H] = h * grow
                _stretch(tree, method, memory, h, numbers[H])
                continue
            if 0.9 < grow < KEEP:
                grow = 1.0  # another step would cost a factorisation
        t_new = end_of_step(run, method.adaptive, last)
        _accept(tree, closures, w, method, run, memory)
        if polynomial_is_needed(loads, run, t_new):
            hermite(run)
        if watch_step(tree, loads, w, run, t_new):
            return EVENT
        _shift(tree, closures, w, run, memory)
        numbers[T] = t_new
        counts[STEPS] += 1
        numbers[H] = h * grow
        if grow != 1.0:
            _stretch(tree, method, memory, h, numbers[H])
    return CONTINUE
