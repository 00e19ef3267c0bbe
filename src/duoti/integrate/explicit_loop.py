"""The entries of all explicit one-step methods for the driver of `stepping`.

A method is a Butcher tableau (`Tableau`), adaptive or not; its numbers are in a file of their own. The semi-implicit
Euler method, which is no Runge-Kutta method, has a step of its own (`semi_implicit_euler`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.integrate.state import ACCEPTED, NOT_FINITE, REJECTED, example_run, project, state_rates
from duoti.integrate.steps import first_not_finite, is_unit
from duoti.kernel import ContextType, entry, helper, part, unpack
from duoti.system.context import REAL_CONTEXT

SAFETY, SHRINK, GROW = 0.9, 0.2, 5.0
RUNGE_KUTTA, SEMI_IMPLICIT = 0, 1


class Tableau(NamedTuple):
    """A method. Stage s, the last before those of the dense output, is the rate at the new state; it is used again."""

    kind: int
    adaptive: int
    stages: int  # s
    order: int  # of the error estimate, plus one: the exponent of the step-size control
    A: Any  # [s + 1 + dense, s + 1 + dense]; row s holds the weights of the new state
    c: Any  # [s + 1 + dense]
    E: Any  # [2, s + 1] error estimates; the second one is zero unless the method combines two (DOP853)
    P: Any  # [s + 1 + dense, degree] polynomials of the dense output


@helper
def stage_state(method, h, y, K, s, y_new):
    """y_new = state of stage s of the step."""
    for i in range(y.shape[0]):
        y_new[i] = y[i]
    for j in range(s):
        if method.A[s, j] != 0.0:
            a = h * method.A[s, j]
            for i in range(y.shape[0]):
                y_new[i] += a * K[j, i]


@helper
def _runge_kutta_state(method, run, s):
    stage_state(method, run.clock[0].h, run.y, run.K, s, run.y_new)


@helper
def _runge_kutta_ydot(w, method, run, s):
    """K[s] = rates of y_new."""
    state_rates(w, run.clock[0].t + method.c[s] * run.clock[0].h, run.y_new, run.K[s])
    run.counts[0].evaluations += 1


@part
def _polynomial(w, method, run):
    """Polynomial through the step, for outputs and events; needs the further stages of the dense output."""
    h, s = run.clock[0].h, method.stages
    run.counts[0].turns = 0
    if method.kind == SEMI_IMPLICIT:
        for i in range(run.y.shape[0]):
            run.Q[0, i] = run.y_new[i] - run.y[i]
            for d in range(1, run.Q.shape[0]):
                run.Q[d, i] = 0.0
        return
    if method.A.shape[0] > s + 1:
        for i in range(run.y.shape[0]):
            run.y_at[i] = run.y_new[i]
        for extra in range(s + 1, method.A.shape[0]):
            _runge_kutta_state(method, run, extra)
            _runge_kutta_ydot(w, method, run, extra)
        for i in range(run.y.shape[0]):
            run.y_new[i] = run.y_at[i]
    step_polynomial(method, h, run.y, run.y_new, run.K, run.Q)


@helper
def step_polynomial(method, h, y, y_new, K, Q):
    """Q from the rates of all stages."""
    for d in range(Q.shape[0]):
        for i in range(y.shape[0]):
            Q[d, i] = 0.0
        for j in range(method.P.shape[0]):
            if method.P[j, d] != 0.0:
                b = h * method.P[j, d]
                for i in range(y.shape[0]):
                    Q[d, i] += b * K[j, i]
    for i in range(y.shape[0]):  # what a projection moved the end by is spread over the step
        end = y[i]
        for d in range(Q.shape[0]):
            end += Q[d, i]
        Q[0, i] += y_new[i] - end


@helper
def _error_norm(method, run, weight, states):
    """Weighted root mean square of the local error over those states that are controlled, and the worst state."""
    rtol, atol, h = run.clock[0].rtol, run.clock[0].atol, run.clock[0].h
    first, second, worst, where, n = 0.0, 0.0, -1.0, 0, 0.0
    for i in range(states):
        if weight[i] == 0.0:
            continue
        n += 1.0
        scale = atol + rtol * max(abs(run.y[i]), abs(run.y_new[i]))
        e0, e1 = 0.0, 0.0
        for j in range(method.stages + 1):
            e0 += method.E[0, j] * run.K[j, i]
            e1 += method.E[1, j] * run.K[j, i]
        e0, e1 = e0 / scale, e1 / scale
        first += e0 * e0
        second += e1 * e1
        if e0 * e0 > worst or not (e0 * e0 >= 0.0):
            worst, where = e0 * e0, i
    count = max(n, 1.0)  # nothing moves in a structure, but its forces may be asked for
    denominator = first + 0.01 * second  # Hairer, Norsett & Wanner 1993, section II.10
    if second > 0.0 and denominator > 0.0:
        return h * first / (denominator * count) ** 0.5, where
    return h * (first / count) ** 0.5, where


@part
def _error_of_accumulators(method, run, n, weight):
    """Error of both energy accumulators in the step, by their tolerance (atol over `weight`).

    The larger work is the measure of both.
    """
    size, largest = 0.0, 0.0
    for i in range(n, run.y.shape[0]):
        size = max(size, abs(run.y[i]), abs(run.y_new[i]))
        e = 0.0
        for j in range(method.stages + 1):
            e += method.E[0, j] * run.K[j, i]
        largest = max(largest, abs(e))
    return ACCUMULATOR_WEIGHT * run.clock[0].h * largest / (run.clock[0].atol / weight + run.clock[0].rtol * size)


# errors of energy accumulators do not feed back into the motion: ten times the tolerance will do
ACCUMULATOR_WEIGHT = 0.1
SHORTEST_FIRST = 1e-13  # part of the run: a hundred times what the clock can tell, and too little to change a motion


@part
def _first_step(w, method, run, n):
    """The first step, by two evaluations."""
    clock = run.clock[0]
    h0, d1 = first_guess(clock, run.y, run.K[0], n, clock.t_end - clock.t)
    for i in range(run.y.shape[0]):
        run.y_new[i] = run.y[i] + h0 * run.K[0, i]
    state_rates(w, clock.t + h0, run.y_new, run.K[1])
    run.counts[0].evaluations += 1
    return second_guess(clock, method.order, run.y, run.K[0], run.K[1], n, h0, d1)


@helper
def first_guess(clock, y, rates, n, left):
    """A step over which the state hardly changes, and the size of its rates.

    Hairer, Norsett & Wanner 1993, section II.4.
    """
    rtol, atol = clock.rtol, clock.atol
    d0, d1 = 0.0, 0.0
    for i in range(n):
        scale = atol + rtol * abs(y[i])
        d0 += (y[i] / scale) ** 2
        d1 += (rates[i] / scale) ** 2
    count = max(n, 1)
    d0, d1 = (d0 / count) ** 0.5, (d1 / count) ** 0.5
    h0 = 0.01 * d0 / d1 if d0 >= 1e-5 and 1e-5 <= d1 < 1e300 else 1e-6
    # a state of round-off, as after a release from rest, would make it shorter than the clock can tell
    h0 = max(h0, SHORTEST_FIRST * (clock.t_end - clock.t_begin))
    return min(h0, clock.h_max, left if left > 0.0 else h0), d1  # a jump at the end: the run may be made longer


@helper
def second_guess(clock, order, y, rates, rates_ahead, n, h0, d1):
    """The first step, by how fast the rates change over h0."""
    d2 = 0.0
    for i in range(n):
        scale = clock.atol + clock.rtol * abs(y[i])
        d2 += ((rates_ahead[i] - rates[i]) / scale) ** 2
    d2 = (d2 / max(n, 1)) ** 0.5 / h0
    largest = max(d1, d2)
    h1 = max(1e-6, h0 * 1e-3) if largest <= 1e-15 else (0.01 / largest) ** (1.0 / order)
    h = min(100.0 * h0, h1, clock.h_max)
    return h if h > 0.0 else h0  # rates that are not finite say nothing; the first step will tell


@part
def initial_step(w, method, run, n):
    """Rates K[0] at the start, and the first step, unless that is given."""
    clock = run.clock[0]
    state_rates(w, clock.t, run.y, run.K[0])
    run.counts[0].evaluations += 1
    clock.last_error = 1e-4
    if clock.h > 0.0:
        clock.h = min(clock.h, clock.h_max)
    else:
        clock.h = _first_step(w, method, run, n)
        state_rates(w, clock.t, run.y, run.K[0])  # leave the workspace at the initial state


def _example() -> tuple[Any, ...]:
    one, two = np.zeros(1), np.zeros((1, 1))
    tableau = Tableau(RUNGE_KUTTA, 1, 1, 1, two, one, two, two)
    return 0, example_run(), tableau


EXPLICIT_CONTEXT = ContextType(_example)


@entry
def explicit_start(address):
    """Entry START of `stepping`."""
    context, run, method = unpack(address, EXPLICIT_CONTEXT)
    tree, _, _, w = unpack(context, REAL_CONTEXT)
    initial_step(w, method, run, tree.nq + tree.nv + tree.nz)


@part
def is_finite(run, rates):
    """Accept the step, unless the new state or its rates are not finite: then say so."""
    clock, counts = run.clock[0], run.counts[0]
    bad = first_not_finite(run.y_new)
    if bad < 0:
        bad = first_not_finite(rates)
    if bad >= 0:
        counts.where, counts.outcome, clock.factor = bad, NOT_FINITE, 0.1
    else:
        counts.outcome, clock.factor = ACCEPTED, 1.0
    return bad < 0


@part
def next_step(run, error, order):
    """Reject a step whose error is too large, and choose the length of the next one."""
    clock = run.clock[0]
    clock.factor = step_factor(error, clock.last_error, order)
    if error > 1.0:
        run.counts[0].outcome = REJECTED
    else:
        clock.last_error = max(error, LEAST_ERROR)


LEAST_ERROR = 1e-10  # of a step, relative to the allowed one, that counts


@helper
def step_factor(error, last_error, order):
    """By how much the next step is to be longer, after an error (1: the allowed one) and that of the step before."""
    if error > 1.0:
        return max(SHRINK, SAFETY * error ** (-1.0 / order))
    # proportional-integral control: Gustafsson; Hairer & Wanner 1996, section IV.2
    grow = SAFETY * max(error, LEAST_ERROR) ** (-0.7 / order) * last_error ** (0.4 / order)
    return min(GROW, max(SHRINK, grow))


@entry
def explicit_step(address):
    """Entry STEP."""
    context, run, method = unpack(address, EXPLICIT_CONTEXT)
    tree, _, _, w = unpack(context, REAL_CONTEXT)
    clock, counts, s = run.clock[0], run.counts[0], method.stages
    t_new = clock.t + clock.h
    for stage in range(1, s + 1):
        _runge_kutta_state(method, run, stage)
        if stage == s:
            project(w, t_new, run.y_new)
        _runge_kutta_ydot(w, method, run, stage)
    if is_finite(run, run.K[s]) and method.adaptive == 1:
        error, where = _error_norm(method, run, w.error_weights, tree.nq + tree.nv + tree.nz)
        n = tree.nq + tree.nv + tree.nz
        if w.error_weights[n] != 0.0:
            error = max(error, _error_of_accumulators(method, run, n, w.error_weights[n]))
        counts.where = where
        next_step(run, error, method.order)


@entry
def explicit_polynomial(address):
    """Entry POLYNOMIAL."""
    context, run, method = unpack(address, EXPLICIT_CONTEXT)
    _, _, _, w = unpack(context, REAL_CONTEXT)
    _polynomial(w, method, run)


@entry
def explicit_shift(address):
    """Entry SHIFT."""
    context, run, method = unpack(address, EXPLICIT_CONTEXT)
    tree, _, _, _ = unpack(context, REAL_CONTEXT)
    for i in range(run.y.shape[0]):
        run.y[i] = run.y_new[i]
        run.K[0, i] = run.K[method.stages, i]
    unit_quaternions_and_ydot(tree, run)


EXPLICIT_ENTRIES = (explicit_start, explicit_step, explicit_polynomial, explicit_shift)


@helper
def unit_quaternions_and_ydot(tree, run):
    """Bring quaternions back to unit length, and their rates with them (the laws do not see the length)."""
    for i in range(tree.quat_q.shape[0]):
        k = tree.quat_q[i]
        if is_unit(run.y, k):
            continue
        scale = 1.0 / (run.y[k] ** 2 + run.y[k + 1] ** 2 + run.y[k + 2] ** 2 + run.y[k + 3] ** 2) ** 0.5
        for j in range(k, k + 4):
            run.y[j] = scale * run.y[j]
            run.K[0, j] = scale * run.K[0, j]
