"""The compiled loop of the generalised-alpha methods on q = q_n o exp(x), with multipliers.

    x / h = u - G_n^T eta,    u = v_n + h (1/2 - beta) a_n + h beta a_{n+1}                                (1)
    v_{n+1} = v_n + h (1 - gamma) a_n + h gamma a_{n+1}                                                    (2)
    (1 - alpha_m) a_{n+1} + alpha_m a_n = (1 - alpha_f) vdot_{n+1} + alpha_f vdot_n                         (3)

with the equations of motion, closed positions g = 0 and, in the stabilised index-2 form, closed velocities dg/dt = 0 at
the end of the step (Chung & Hulbert 1993; Bruls, Cardona & Arnold 2012; the stabilised form after Arnold, Cardona &
Bruls 2016). a is no acceleration but a helper of the method: a_n = vdot(t_n + (alpha_m - alpha_f) h) + O(h²). First-order
states follow Jansen, Whiting & Hulbert (2000), the same idea one derivative lower.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.dynamics.kinematics import position_rates, unit_quaternions
from duoti.integrate.chart import retract
from duoti.integrate.events import event_values
from duoti.integrate.implicit import position_scale, put_state, small_step
from duoti.integrate.newton import assemble, factorise, solve
from duoti.integrate.state import (
    ATOL,
    CONTINUE,
    EVALUATIONS,
    EVENT,
    JACOBIANS,
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
from duoti.kernel import call_entry, helper, kernel, part, unpack
from duoti.system.arrays import LINEARISE, RESIDUAL, Closures, Tree
from duoti.system.context import REAL_CONTEXT

MOST_ITERATIONS = 10
SLOW = 0.3  # contraction of the Newton iteration that calls for a new Jacobian
SAFETY, SHRINK, GROW, KEEP = 0.9, 0.2, 2.0, 1.2
ROUND_OFF, NOISE = 4e-16, 2e-15
FINE = 1e-7  # of the accelerations: how far the Newton iteration of constant steps goes
FLOW = 1e-3  # part of the first step over which the rate of vdot is taken


class Alpha(NamedTuple):
    """Coefficients of a method."""

    adaptive: int
    alpha_m: float
    alpha_f: float
    beta: float
    gamma: float
    delta_m: float  # of the first-order states
    delta_f: float
    gamma_z: float


class AlphaMemory(NamedTuple):
    """What the method carries from step to step, and its unknowns."""

    a: Any  # [nv]
    a_new: Any  # [nv]
    vdot: Any  # [nv]
    vdot_new: Any  # [nv]
    vdot_old: Any  # [nv] one step earlier
    zdot_old: Any  # [nz]
    s: Any  # [nz] helper of the first-order states, as a is of vdot
    s_new: Any  # [nz]
    zdot: Any  # [nz]
    zdot_new: Any  # [nz]
    x: Any  # [nv]
    dz: Any  # [nz]
    multipliers: Any  # [rows]
    eta: Any  # [rows]
    G: Any  # at the beginning of the step, packed like Work.G
    numbers: Any  # [3] previous step, step of the factors, 1 if a new Jacobian is wanted


H_OLD, H_FACTORS, STALE = range(3)


def new_memory(tree: Tree, links: Closures) -> AlphaMemory:
    """Zeros."""
    nv, nz, rows = tree.nv, tree.nz, links.rows
    size = {"s": nz, "s_new": nz, "zdot": nz, "zdot_new": nz, "zdot_old": nz, "dz": nz, "multipliers": rows}
    size |= {"eta": rows, "numbers": 3, "G": len(links.support_rates)}
    return AlphaMemory(**{name: np.zeros(size.get(name, nv)) for name in AlphaMemory._fields})


@helper
def error_constants(alpha_m, alpha_f, beta, gamma):
    """Local errors of q and v over h² (vdot_{n+1} - vdot_n) and over h³ d²vdot/dt², from the Taylor series of (1)-(3)."""
    shift = alpha_m - alpha_f
    bend = shift * (alpha_m - 0.5)
    return 0.5 * shift + beta - 1.0 / 6.0, bend + 0.5 * gamma + gamma * shift - 1.0 / 6.0


@part
def _trial(tree, links, w, method, run, memory, t):
    """State, rates and residuals for the unknowns x, eta, dz and multipliers; run.y_new is that state."""
    h, nq, nv, nz = run.numbers[H], tree.nq, tree.nv, tree.nz
    y, new = run.y, run.y_new
    retract(tree, y, memory.x, new)
    for i in range(nv):
        u = memory.x[i] / h
        for k in range(links.column[i], links.column[i + 1]):
            r = links.column_rows[k]
            u += memory.G[links.column_at[k]] * memory.eta[r]
        a = (u - y[nq + i] - h * (0.5 - method.beta) * memory.a[i]) / (h * method.beta)
        memory.a_new[i] = a
        new[nq + i] = y[nq + i] + h * ((1.0 - method.gamma) * memory.a[i] + method.gamma * a)
        vdot = (1.0 - method.alpha_m) * a + method.alpha_m * memory.a[i] - method.alpha_f * memory.vdot[i]
        memory.vdot_new[i] = vdot / (1.0 - method.alpha_f)
    for i in range(nz):
        k = nq + nv + i
        new[k] = y[k] + memory.dz[i]
        memory.s_new[i] = (memory.dz[i] / h - (1.0 - method.gamma_z) * memory.s[i]) / method.gamma_z
        zdot = (1.0 - method.delta_m) * memory.s_new[i] + method.delta_m * memory.s[i]
        memory.zdot_new[i] = (zdot - method.delta_f * memory.zdot[i]) / (1.0 - method.delta_f)
    put_state(tree, links, w, t + h, new, memory.vdot_new, memory.multipliers)
    call_entry(w.entries[RESIDUAL], w.context[0])
    run.counts[EVALUATIONS] += 1


@part
def _correct(tree, links, w, newton, method, run, memory):
    """One Newton correction of the unknowns. Returns its weighted size, and its size against round-off."""
    h, nq, nv, nz, rows = run.numbers[H], tree.nq, tree.nv, tree.nz, links.rows
    b = (1.0 - method.alpha_m) / (h * h * method.beta * (1.0 - method.alpha_f))
    c = method.gamma / (h * method.beta)
    e = (1.0 - method.delta_m) / (h * method.gamma_z * (1.0 - method.delta_f))
    x, first = newton.b, newton.n - nz
    for i in range(nv):
        x[i] = -w.free[i] / b
    for r in range(rows):
        x[nv + r] = -w.gdot[r] / c if newton.velocity_row[r] == 1 else -w.g[r]
        if newton.stabilised == 1:
            x[nv + rows + r] = -memory.eta[r] if newton.velocity_row[r] == 1 else -w.gdot[r] / c
    for i in range(nz):
        x[first + i] = -(memory.zdot_new[i] - w.ydot[nq + nv + i]) / e
    solve(newton, newton.A, newton.pivots, x, newton.sorted)
    size, relative = 0.0, 0.0
    rtol, atol = run.numbers[RTOL], run.numbers[ATOL]
    for i in range(nv):
        memory.x[i] += x[i]
        extent = position_scale(tree, run.y, i)
        relative = max(relative, abs(x[i]) / (1.0 + extent))
        size = max(size, abs(x[i]) / (atol + rtol * extent), c * abs(x[i]) / (atol + rtol * abs(run.y_new[nq + i])))
    for r in range(rows):
        memory.multipliers[r] += b * x[nv + r]
        if newton.stabilised == 1:
            memory.eta[r] += x[nv + rows + r] / h
    for i in range(nz):
        memory.dz[i] += x[first + i]
        size = max(size, abs(x[first + i]) / (atol + rtol * abs(run.y_new[nq + nv + i])))
        relative = max(relative, abs(x[first + i]) / (1.0 + abs(run.y_new[nq + nv + i])))
    return size, relative


@part
def _predict(tree, memory, run):
    """First guess: vdot goes on along the line through its last two values."""
    h, ratio = run.numbers[H], run.numbers[H] / memory.numbers[H_OLD]
    for i in range(tree.nv):
        rise = ratio * (memory.vdot[i] - memory.vdot_old[i])
        memory.x[i] = h * (run.y[tree.nq + i] + h * (0.5 * memory.vdot[i] + rise / 6.0))
    for i in range(tree.nz):
        memory.dz[i] = h * (memory.zdot[i] + 0.5 * ratio * (memory.zdot[i] - memory.zdot_old[i]))
    for r in range(memory.eta.shape[0]):
        memory.eta[r] = 0.0


@part
def _new_factors(tree, links, w, tan, newton, method, run, memory, fresh):
    """Factors for the step in work, with derivatives in the trial state if `fresh`; -1 if all is well."""
    h = run.numbers[H]
    if fresh == 1:
        call_entry(w.entries[LINEARISE], w.context[0])
        run.counts[JACOBIANS] += 1
    b = (1.0 - method.alpha_m) / (h * h * method.beta * (1.0 - method.alpha_f))
    c = method.gamma / (h * method.beta)
    e = (1.0 - method.delta_m) / (h * method.gamma_z * (1.0 - method.delta_f))
    assemble(tree, links, w, tan, newton, newton.A, c / b, 1.0 / b, 1.0 / c, c, e)
    memory.numbers[H_FACTORS] = h
    memory.numbers[STALE] = 0.0
    return factorise(newton, newton.A, newton.pivots)


@part
def _newton(tree, links, w, tan, newton, method, run, memory, enough):
    """Solve the step. Returns 1 if solved; else 0, with the number of the worst equation in run.counts[WHERE]."""
    t, h = run.numbers[T], run.numbers[H]
    acceleration = 1.0
    for i in range(tree.nv):
        acceleration = max(acceleration, abs(memory.vdot[i]))
    for attempt in range(2):  # with the factors at hand; if that fails, with new ones
        if attempt == 1 and memory.numbers[STALE] == -1.0:
            break
        _predict(tree, memory, run)
        _trial(tree, links, w, method, run, memory, t)
        fresh = 1 if attempt == 1 or memory.numbers[STALE] != 0.0 else 0
        if fresh == 1 or memory.numbers[H_FACTORS] != h:
            bad = _new_factors(tree, links, w, tan, newton, method, run, memory, fresh)
            if bad >= 0:
                run.counts[WHERE] = bad
                memory.numbers[STALE] = 1.0
                continue
        last = 0.0
        for iteration in range(MOST_ITERATIONS):
            size, relative = _correct(tree, links, w, newton, method, run, memory)
            if method.adaptive == 0:
                size = relative / (FINE * method.beta * h * h * acceleration + ROUND_OFF)
            if not size < 1e300:
                break
            ratio = size / last if iteration > 0 else 0.1
            if iteration > 1 and ratio >= 1.0 and size > enough:
                break
            last = size
            _trial(tree, links, w, method, run, memory, t)
            if size <= enough * 0.1 or relative <= ROUND_OFF or (
                iteration > 0 and ratio < 1.0 and size * ratio / (1.0 - ratio) <= enough
            ):
                if iteration > 2:
                    memory.numbers[STALE] = 1.0
                return 1
        run.counts[WHERE] = _worst_equation(tree, links, w, newton)
        if fresh == 1:
            break
    memory.numbers[STALE] = 1.0
    return 0


@part
def _worst_equation(tree, links, w, newton):
    """Number of the equation with the largest correction left, or the first that is not finite."""
    worst, where = -1.0, 0
    for i in range(newton.n):
        if not abs(newton.b[i]) < 1e300:
            return i
        if abs(newton.b[i]) > worst:
            worst, where = abs(newton.b[i]), i
    return where


@part
def _error(tree, method, run, memory):
    """Weighted root mean square of the local error, and where in y it is worst."""
    h, old, nq, nv = run.numbers[H], memory.numbers[H_OLD], tree.nq, tree.nv
    rtol, atol = run.numbers[RTOL], run.numbers[ATOL]
    of_q, of_v = error_constants(method.alpha_m, method.alpha_f, method.beta, method.gamma)
    _, of_z = error_constants(method.delta_m, method.delta_f, 0.0, method.gamma_z)
    total, worst, where = 0.0, -1.0, 0
    for i in range(nv):
        change, before = memory.vdot_new[i] - memory.vdot[i], memory.vdot[i] - memory.vdot_old[i]
        e_q = of_q * h * h * change / (atol + rtol * position_scale(tree, run.y, i))
        bend = 2.0 * (change / h - before / old) / (h + old)
        # displacements carry round-off, accelerations this over beta h²: what is not more than that is no error
        noise = NOISE * (1.0 + position_scale(tree, run.y, i)) / (method.beta * h)
        e_v = max(0.0, abs(of_v * h**3 * bend) - noise) / (
            atol + rtol * max(abs(run.y[nq + i]), abs(run.y_new[nq + i]))
        )
        error = e_q * e_q + e_v * e_v
        total += error
        if error > worst:
            worst, where = error, nq + i
    for i in range(tree.nz):
        k = nq + nv + i
        change, before = memory.zdot_new[i] - memory.zdot[i], memory.zdot[i] - memory.zdot_old[i]
        bend = 2.0 * (change / h - before / old) / (h + old)
        e_z = of_z * h**3 * bend / (atol + rtol * max(abs(run.y[k]), abs(run.y_new[k])))
        total += e_z * e_z
        if e_z * e_z > worst:
            worst, where = e_z * e_z, k
    return (total / max(1, 2 * nv + tree.nz)) ** 0.5, where


@part
def _accept(tree, links, w, method, run, memory):
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
def _shift(tree, links, w, run, memory):
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
    tree, loads, links, w = unpack(context, REAL_CONTEXT)
    nq, nv, nz = tree.nq, tree.nv, tree.nz
    t = run.numbers[T]
    state_rates(w, t, run.y, run.K[0])
    for r in range(links.rows):
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
    if loads.event_law.shape[0] > 0:
        event_values(w, t, run.y, run.g)
    run.counts[STARTED] = 1


@kernel
def advance_alpha(context, method, run, memory, tan, newton, fixed_step, most_steps):
    """Go on by at most so many steps; returns a status. run and memory keep everything for the next call."""
    tree, loads, links, w = unpack(context, REAL_CONTEXT)
    numbers, counts = run.numbers, run.counts
    span = numbers[T_END] - numbers[T_BEGIN]
    # a method of order 2 commits the errors of h³ over 1/h steps: this makes the sum proportional to the tolerance
    allowed = max(numbers[RTOL], numbers[ATOL]) ** 0.5 if method.adaptive == 1 else 10.0
    for _ in range(most_steps):
        planned = numbers[H]
        status, last = plan_step(run, method.adaptive, fixed_step)
        if status != CONTINUE:
            return status
        h = numbers[H]
        if h != planned:
            _stretch(tree, method, memory, planned, h)
        solved = _newton(tree, links, w, tan, newton, method, run, memory, 0.03 * allowed)
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
            error, where = _error(tree, method, run, memory)
            counts[WHERE] = where
            error = max(error / allowed, 1e-6)
            grow = min(GROW, max(SHRINK, SAFETY * error ** (-1.0 / 3.0)))
            if error > 1.0:
                counts[REJECTED] += 1
                numbers[H] = h * grow
                _stretch(tree, method, memory, h, numbers[H])
                continue
            if 0.9 < grow < KEEP:
                grow = 1.0  # another step would cost a factorisation
        t_new = end_of_step(run, method.adaptive, last)
        _accept(tree, links, w, method, run, memory)
        if polynomial_is_needed(loads, run, t_new):
            hermite(run)
        if watch_step(tree, loads, w, run, t_new):
            return EVENT
        _shift(tree, links, w, run, memory)
        numbers[T] = t_new
        counts[STEPS] += 1
        numbers[H] = h * grow
        if grow != 1.0:
            _stretch(tree, method, memory, h, numbers[H])
    return CONTINUE
