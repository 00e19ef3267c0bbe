"""The compiled loop of Radau IIA(5): step-size control, reuse of factors, dense output (Hairer & Wanner 1996, IV.8)."""

from __future__ import annotations

from duoti.dynamics.kinematics import unit_quaternions
from duoti.integrate.events import event_values
from duoti.integrate.implicit import small_step
from duoti.integrate.radau_step import (
    ERROR_ACCEPTED,
    H_ACCEPTED,
    H_FACTORS,
    H_STAGES,
    MOST_ITERATIONS,
    RATE,
    REPEATED,
    SHRINK_BY,
    STALE,
    T_JACOBIAN,
    solve_stages,
    stage_error,
    stage_factors,
)
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
    call_with_state,
    state_rates,
)
from duoti.integrate.steps import end_of_step, first_not_finite, plan_step, polynomial_is_needed, watch_step
from duoti.kernel import kernel, part, unpack
from duoti.system.arrays import RATES
from duoti.system.context import REAL_CONTEXT

SAFETY, SHRINK, GROW, KEEP = 0.9, 0.2, 8.0, 1.2
CONTRACTION = 0.5  # of the Newton iteration: the most that a new step should ask for
NEWTON_ERROR_PART = 1e-2  # part of the error allowed in a step that the Newton iteration may leave if it must
GOOD = 2e-2  # contraction below which the Jacobian serves for the next step too


@kernel
def start_radau(context, method, run, memory, tan, newton, given_step):
    """Rates and multipliers at the beginning, and the first step."""
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    t = run.numbers[T]
    state_rates(w, t, run.y, run.K[0])
    run.counts[EVALUATIONS] += 1
    for r in range(closures.rows):
        memory.old_multipliers[r] = w.multipliers[r]
    run.numbers[H] = given_step if given_step > 0.0 else small_step(tree, run)
    memory.numbers[STALE], memory.numbers[RATE], memory.numbers[T_JACOBIAN] = 1.0, 0.8, -1e300
    if loads.laws.event_law.shape[0] > 0:
        event_values(w, t, run.y, run.g)
    run.counts[STARTED] = 1


@part
def _accept(tree, closures, w, method, run, m):
    """State at the end of the step; works at the stages by the method's own quadrature, W = h A P."""
    n, h = tree.nq + tree.nv + tree.nz, run.numbers[H]
    for s in range(3):
        unit_quaternions(tree, m.states[s][: tree.nq])
    for k in range(2):
        a, b, c = m.powers[0, k], m.powers[1, k], m.powers[2, k]
        for s in range(3):
            work = method.matrix[s, 0] * a + method.matrix[s, 1] * b + method.matrix[s, 2] * c
            m.states[s, n + k] = run.y[n + k] + h * work
    for i in range(run.y.shape[0]):
        run.y_new[i] = m.states[2, i]


@part
def _collocation(method, run, m):
    """Polynomial of degree 3 through the beginning and the stages."""
    for i in range(run.y.shape[0]):
        for d in range(3):
            total = 0.0
            for s in range(3):
                total += method.fit[d, s] * (m.states[s, i] - run.y[i])
            run.Q[d, i] = total


@part
def _shift(tree, closures, w, run, m, t_new):
    """The end of the step becomes the beginning of the next one."""
    for s in range(3):
        for i in range(tree.nv):
            m.old_x[s, i], m.old_v[s, i] = m.x[s, i], m.v[s, i]
        for i in range(tree.nz):
            m.old_z[s, i] = m.z[s, i]
    m.numbers[H_STAGES] = run.numbers[H]
    for i in range(run.y.shape[0]):
        run.y[i] = run.y_new[i]
    call_with_state(w, RATES, t_new, run.y)
    run.counts[EVALUATIONS] += 1
    for r in range(closures.rows):
        m.old_multipliers[r] = w.multipliers[r]
    for i in range(run.y.shape[0]):
        run.K[0, i] = w.ydot[i]


@kernel
def advance_radau(context, method, run, memory, tan, newton, fixed_step, most_steps):
    """Go on by at most so many steps; returns a status. run and memory keep everything for the next call."""
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    numbers, counts, m = run.numbers, run.counts, memory
    span = numbers[T_END] - numbers[T_BEGIN]
    tolerance = max(numbers[RTOL], numbers[ATOL])
    # the estimate is of order h^4, the error at the end of h^5: this makes the latter proportional to the tolerance
    allowed = 0.1 * tolerance**-0.2
    enough = allowed * max(2e-16 / tolerance, 0.02 * min(0.03, (allowed * tolerance) ** 0.5))
    for _ in range(most_steps):
        status, last = plan_step(run, method.adaptive, fixed_step)
        if status != CONTINUE:
            return status
        t, h = numbers[T], numbers[H]
        fresh = 1 if m.numbers[STALE] != 0.0 and m.numbers[T_JACOBIAN] != t else 0
        if fresh == 1 or m.numbers[H_FACTORS] != h:
            if fresh == 1:
                call_with_state(w, RATES, t, run.y)  # rates and multipliers for the derivatives
            bad = stage_factors(tree, closures, w, tan, newton, method, run, m, fresh)
            if bad >= 0:
                counts[WHERE] = bad
                return NEWTON_FAILED
        iterations = solve_stages(tree, closures, w, tan, newton, method, run, m, enough, NEWTON_ERROR_PART * allowed)
        if iterations == 0:
            counts[REJECTED] += 1
            if m.numbers[T_JACOBIAN] == t:
                if method.adaptive == 0 or h < 1e-10 * span:
                    return NEWTON_FAILED
                numbers[H] = m.numbers[SHRINK_BY] * h
            m.numbers[STALE], m.numbers[REPEATED] = 1.0, 1.0
            continue
        m.numbers[STALE] = 0.0 if m.numbers[RATE] < GOOD or iterations == 1 else 1.0
        _accept(tree, closures, w, method, run, m)
        bad = first_not_finite(run.y_new)
        if bad >= 0:
            counts[WHERE] = bad
            return NOT_FINITE
        error = 0.0
        if method.adaptive == 1:
            error, where = stage_error(tree, closures, w, tan, newton, method, run, m)
            counts[WHERE] = where
        error = max(error / allowed, 1e-10)
        safety = SAFETY * (1 + 2 * MOST_ITERATIONS) / (iterations + 2 * MOST_ITERATIONS)
        grow = min(GROW, max(SHRINK, safety * error**-0.25))
        if error > 1.0:
            counts[REJECTED] += 1
            numbers[H] = h * grow
            m.numbers[REPEATED] = 1.0
            continue
        if m.numbers[REPEATED] != 0.0:
            grow = min(grow, 1.0)
            m.numbers[REPEATED] = 0.0
        if m.numbers[H_ACCEPTED] > 0.0:  # Gustafsson's predictive control
            ratio = h / m.numbers[H_ACCEPTED] * (m.numbers[ERROR_ACCEPTED] / (error * error)) ** 0.25
            grow = min(grow, max(SHRINK, safety * ratio))
        m.numbers[H_ACCEPTED], m.numbers[ERROR_ACCEPTED] = h, max(error, 1e-2)
        if iterations > 1 and m.numbers[T_JACOBIAN] == t:  # a longer step contracts less (Gustafsson & Söderlind 1997)
            grow = min(grow, max(1.0, CONTRACTION / m.numbers[RATE]))
        if 1.0 <= grow < KEEP:
            grow = 1.0  # another step would cost two factorisations
        t_new = end_of_step(run, method.adaptive, last)
        if polynomial_is_needed(loads, run, t_new):
            _collocation(method, run, m)
        if watch_step(tree, loads, w, run, t_new):
            return EVENT
        _shift(tree, closures, w, run, m, t_new)
        numbers[T] = t_new
        counts[STEPS] += 1
        numbers[H] = h * grow
    return CONTINUE
