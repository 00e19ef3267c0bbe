"""The entries of the generalised-alpha methods for the driver of `stepping`: start, step-size control, polynomial."""

from __future__ import annotations

from typing import Any

from duoti.dynamics.tree.kinematics import calc_qdot, unit_quaternions
from duoti.integrate.chart import chart_rate
from duoti.integrate.implicit.alpha_step import Alpha, new_memory, solve_step, step_error
from duoti.integrate.implicit.loop import small_step
from duoti.integrate.implicit.newton import example_newton
from duoti.integrate.state import (
    ACCEPTED,
    NEWTON_FAILED,
    NOT_FINITE,
    REJECTED,
    example_run,
    hermite,
    line_through_record,
    state_rates,
)
from duoti.integrate.steps import first_not_finite
from duoti.kernel import ContextType, entry, part, unpack
from duoti.system.context import REAL_CONTEXT, TANGENT_CONTEXT, example_closures, example_tree

SAFETY, SHRINK, GROW, KEEP = 0.9, 0.2, 2.0, 1.2
FLOW = 1e-3  # part of the first step over which the rate of vdot is taken
STIFF = 0.1  # (h omega)² of the fastest oscillation that a step follows


def _example() -> tuple[Any, ...]:
    memory = new_memory(example_tree(), example_closures())
    return 0, example_run(), Alpha(1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), memory, example_newton()


ALPHA_CONTEXT = ContextType(_example)


@part
def _accept(tree, closures, w, method, run, memory):
    """Rates and energy accumulators at the end of the step; the unknowns become the state."""
    nq, nv, nz = tree.nq, tree.nv, tree.nz
    n, h = nq + nv + nz, run.clock[0].h
    unit_quaternions(tree, run.y_new[:nq])
    calc_qdot(tree, run.y_new, run.y_new[nq:], run.K[1])
    for i in range(nv):
        run.K[1, nq + i] = memory.vdot_new[i]
    for i in range(nz):
        run.K[1, nq + nv + i] = memory.zdot_new[i]
    for i in range(2):
        run.K[1, n + i] = w.powers[1 + i]
        run.y_new[n + i] = run.y[n + i] + 0.5 * h * (run.K[0, n + i] + run.K[1, n + i])
    for r in range(closures.rows):
        run.x_new[r] = memory.multipliers[r]


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
    memory.scalars[0].h_old = run.clock[0].h


@part
def _stretch(tree, method, memory, h):
    """a belongs to the time t + (alpha_m - alpha_f) h: another step asks for another a."""
    scalars = memory.scalars[0]
    fraction = (method.alpha_m - method.alpha_f) * (h - scalars.h_helpers) / scalars.h_old
    for i in range(tree.nv):
        memory.a[i] += fraction * (memory.vdot[i] - memory.vdot_old[i])
    fraction = (method.delta_m - method.delta_f) * (h - scalars.h_helpers) / scalars.h_old
    for i in range(tree.nz):
        memory.s[i] += fraction * (memory.zdot[i] - memory.zdot_old[i])
    scalars.h_helpers = h


@entry
def alpha_start(address):
    """Entry START of `stepping`: accelerations and multipliers, the helpers a and s, and the first step."""
    context, run, method, memory, _ = unpack(address, ALPHA_CONTEXT)
    tree, _, closures, w = unpack(context, REAL_CONTEXT)
    nq, nv, nz = tree.nq, tree.nv, tree.nz
    t = run.clock[0].t
    state_rates(w, t, run.y, run.K[0])
    for r in range(closures.rows):
        memory.multipliers[r] = run.x[r] = w.multipliers[r]
    for k in range(w.G.shape[0]):
        memory.G[k] = w.G[k]
    h = run.clock[0].h
    if not h > 0.0:
        h = small_step(tree, run)
    run.clock[0].h = h
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
    run.counts[0].evaluations += 3
    scalars = memory.scalars[0]
    scalars.h_old, scalars.h_helpers, scalars.stale = h, h, 1.0


@entry
def alpha_step(address):
    """Entry STEP."""
    context, run, method, memory, newton = unpack(address, ALPHA_CONTEXT)
    tree, _, closures, w = unpack(context, REAL_CONTEXT)
    tan, _ = unpack(w.at[0].tangent, TANGENT_CONTEXT)
    clock, counts, h = run.clock[0], run.counts[0], run.clock[0].h
    # a method of order 2 commits the errors of h³ over 1/h steps: this makes the sum proportional to the tolerance
    allowed = 0.3 * max(clock.rtol, clock.atol) ** 0.5 if method.adaptive == 1 else 10.0
    if h != memory.scalars[0].h_helpers:
        _stretch(tree, method, memory, h)
    if solve_step(tree, closures, w, tan, newton, method, run, memory, 0.03 * allowed) == 0:
        counts.outcome, clock.factor = NEWTON_FAILED, 0.25
        _stretch(tree, method, memory, clock.factor * h)
        return
    bad = first_not_finite(run.y_new)
    if bad >= 0:
        counts.where, counts.outcome, clock.factor = bad, NOT_FINITE, 0.0
        return
    counts.outcome, clock.factor = ACCEPTED, 1.0
    if method.adaptive == 1:
        error, sure, where = step_error(tree, closures, newton, method, run, memory)
        counts.where = where
        error = max(error / allowed, 1e-6)
        clock.factor = min(GROW, max(SHRINK, SAFETY * error ** (-1.0 / 3.0)))
        if error > 1.0 and sure <= allowed:
            clock.factor = 1.0  # a shorter step would only have more round-off
        elif error > 1.0:
            counts.outcome = REJECTED
            _stretch(tree, method, memory, h * clock.factor)
            return
        if 0.9 < clock.factor < KEEP:
            clock.factor = 1.0  # another step would cost a factorisation
    _accept(tree, closures, w, method, run, memory)


@part
def _turns_within(tree, run, memory):
    """Of quaternions, the cubic through the displacement of the step and its rates at both ends."""
    h, nq = run.clock[0].h, tree.nq
    run.counts[0].turns = 1
    if tree.quat_q.shape[0] > 0:
        chart_rate(tree, memory.x, run.y_new[nq:], memory.rates)
    for i in range(tree.quat_q.shape[0]):
        k, j = tree.quat_q[i], tree.quat_v[i]
        for c in range(3):
            rise, begin, end = memory.x[j + c], h * run.y[nq + j + c], h * memory.rates[j + c]
            run.Q[0, k + c] = begin
            run.Q[1, k + c] = 3.0 * rise - 2.0 * begin - end
            run.Q[2, k + c] = begin + end - 2.0 * rise


@entry
def alpha_polynomial(address):
    """Entry POLYNOMIAL."""
    context, run, _, memory, _ = unpack(address, ALPHA_CONTEXT)
    tree, _, _, _ = unpack(context, REAL_CONTEXT)
    hermite(run)
    _turns_within(tree, run, memory)
    line_through_record(run)


@entry
def alpha_shift(address):
    """Entry SHIFT."""
    context, run, method, memory, _ = unpack(address, ALPHA_CONTEXT)
    tree, _, closures, w = unpack(context, REAL_CONTEXT)
    _shift(tree, closures, w, run, memory)
    if run.clock[0].factor != 1.0:
        _stretch(tree, method, memory, run.clock[0].h * run.clock[0].factor)


ALPHA_ENTRIES = (alpha_start, alpha_step, alpha_polynomial, alpha_shift)
