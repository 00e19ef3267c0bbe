"""One step of the generalised-alpha methods on q = q_n o exp(x), with multipliers.

    x / h = u - G_n^T eta,    u = v_n + h (1/2 - beta) a_n + h beta a_{n+1}                                (1)
    v_{n+1} = v_n + h (1 - gamma) a_n + h gamma a_{n+1}                                                    (2)
    (1 - alpha_m) a_{n+1} + alpha_m a_n = (1 - alpha_f) vdot_{n+1} + alpha_f vdot_n                         (3)

with the equations of motion, closed positions g = 0 and, in the stabilised index-2 form, closed velocities dg/dt = 0 at
the end of the step (Chung & Hulbert 1993; Bruls, Cardona & Arnold 2012; the stabilised form after Arnold, Cardona &
Bruls 2016). a is no acceleration but a helper of the method: a_n = vdot(t_n + (alpha_m - alpha_f) h) + O(h²).
First-order states follow Jansen, Whiting & Hulbert (2000), the same idea one derivative lower.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.integrate.chart import retract
from duoti.integrate.implicit.loop import position_scale, put_state
from duoti.integrate.implicit.newton import assemble, factorise, gather, regularise, solve, worst_equation
from duoti.integrate.state import one
from duoti.kernel import call_entry, helper, part, record_dtype
from duoti.system.arrays import Closures, Tree

MOST_ITERATIONS = 10
ROUND_OFF, NOISE = 4e-16, 4e-15
INITIAL_CONTRACTION, BEST_CONTRACTION = 0.1, 1e-3  # contraction of the iteration: assumed with new factors; at best
CAUTION = 0.8  # exponent of the contraction seen in the step before (Hairer & Wanner 1996, IV.8)
STALLED = 1e-13  # of one plus positions: a correction that does not become smaller and is no larger is round-off
SLOW = 0.5  # contraction above which corrections of that size do not become smaller
FACTORS_AT_HAND, NEW_FACTORS, FULL_NEWTON = range(3)  # ways to solve a step; the last has new ones in each iteration
MOST_DAMPED = 40  # iterations of the last way, which may take parts of corrections
LEAST_FRACTION = 1e-3  # of a correction: the line search ends there, and takes it
PATIENCE, MANY = 5.0, 4  # corrections that derivatives with their factors are worth; more in one step than are well
NEWTON_FRACTION = 0.1  # of rtol: how far the Newton iteration of constant steps goes, as a part of the accelerations


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


SCALARS = record_dtype(
    "AlphaScalars",
    h_old=float,  # previous step
    h_factors=float,  # step of the factors
    h_helpers=float,  # step that a and s belong to
    stale=float,  # 1 if a new Jacobian is wanted
    rate=float,  # contraction of the iteration
    fewest=float,  # corrections that a step with new derivatives took
    excess=float,  # corrections beyond these since then
)


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
    rates: Any  # [nv] of x at the end of the step
    dz: Any  # [nz]
    multipliers: Any  # [rows]
    eta: Any  # [rows]
    G: Any  # at the beginning of the step, packed like Work.G
    correction: Any  # [unknowns]
    scalars: Any  # [1] of type SCALARS


def new_memory(tree: Tree, closures: Closures) -> AlphaMemory:
    """Zeros."""
    nv, nz, rows = tree.nv, tree.nz, closures.rows
    size = {"s": nz, "s_new": nz, "zdot": nz, "zdot_new": nz, "zdot_old": nz, "dz": nz, "multipliers": rows}
    size |= {"eta": rows, "G": len(closures.support_dofs), "correction": nv + 2 * rows + nz}
    arrays = {name: np.zeros(size.get(name, nv)) for name in AlphaMemory._fields[:-1]}
    return AlphaMemory(**arrays, scalars=one(SCALARS))


@helper
def error_constants(alpha_m, alpha_f, beta, gamma):
    """Local errors of q over h² (vdot_{n+1} - vdot_n), of v over h³ d²vdot/dt²: Taylor series of (1)-(3)."""
    shift = alpha_m - alpha_f
    bend = shift * (alpha_m - 0.5)
    return 0.5 * shift + beta - 1.0 / 6.0, bend + 0.5 * gamma + gamma * shift - 1.0 / 6.0


@part
def _trial(tree, closures, w, newton, method, run, memory, t):
    """State run.y_new, rates and residuals for the unknowns x, eta, dz and multipliers."""
    _state_of_unknowns(tree, closures, newton, method, run, memory)
    put_state(tree, closures, w, t + run.clock[0].h, run.y_new, memory.vdot_new, memory.multipliers)
    call_entry(w.calls[0].residual, w.at[0].system)
    run.counts[0].evaluations += 1


@part
def _state_of_unknowns(tree, closures, newton, method, run, memory):
    """(1)-(3) solved for the state at the end of the step and its rates."""
    h, nq, nv, nz = run.clock[0].h, tree.nq, tree.nv, tree.nz
    y, new = run.y, run.y_new
    retract(tree, y, memory.x, new)
    per_h, per_beta, per_rest = 1.0 / h, 1.0 / (h * method.beta), 1.0 / (1.0 - method.alpha_f)
    for i in range(nv):
        u = memory.x[i] * per_h
        if closures.rows > 0:
            for k in range(closures.column[i], closures.column[i + 1]):
                r = closures.column_rows[k]
                u += memory.G[closures.column_at[k]] * memory.eta[r]
        a = (u - y[nq + i] - h * (0.5 - method.beta) * memory.a[i]) * per_beta
        memory.a_new[i] = a
        new[nq + i] = y[nq + i] + h * ((1.0 - method.gamma) * memory.a[i] + method.gamma * a)
        vdot = (1.0 - method.alpha_m) * a + method.alpha_m * memory.a[i] - method.alpha_f * memory.vdot[i]
        memory.vdot_new[i] = vdot * per_rest
    for i in range(nz):
        k = nq + nv + i
        new[k] = y[k] + memory.dz[i]
        memory.s_new[i] = (memory.dz[i] / h - (1.0 - method.gamma_z) * memory.s[i]) / method.gamma_z
        zdot = (1.0 - method.delta_m) * memory.s_new[i] + method.delta_m * memory.s[i]
        memory.zdot_new[i] = (zdot - method.delta_f * memory.zdot[i]) / (1.0 - method.delta_f)
        if newton.mass[i] == 0:  # a rate that nothing reads but the first guess
            memory.zdot_new[i] = memory.s_new[i] = memory.dz[i] / h


@helper
def resolution(tree, closures, run, memory, i):
    """What the round-off of displacement i is proportional to: closures see positions, the motion of a tree only x."""
    if closures.rows > 0:
        return 1.0 + position_scale(tree, run.y, i)
    return abs(memory.x[i]) + run.clock[0].h * abs(run.y[tree.nq + i]) + 1e-300


@part
def _find_correction(tree, closures, w, newton, method, run, memory, fine, late):
    """One Newton correction of the unknowns, in newton.b.

    Returns its size by tolerances (of constant steps: relative to what rtol allows), whether it is round-off, and
    whether it is so small beside the positions that it may be round-off (in a tree looked at only if late = 1). That
    of closed positions moves x along the rows of G, over and over; eta takes it out of u, so that rates change by
    dv = c (dx + G^T eta) and not by c dx: that is what counts as motion.
    """
    h, nq, nv, nz, rows = run.clock[0].h, tree.nq, tree.nv, tree.nz, closures.rows
    b, c, e = _slopes(method, h)
    x, first, per_b = newton.b, newton.n - nz, 1.0 / b
    for i in range(nv):
        x[i] = -w.a_free[i] * per_b
    for r in range(rows):
        x[nv + r] = -(w.g[r] + newton.soft[r] * memory.multipliers[r])
        if newton.nonholonomic[r] == 1:
            x[nv + r] = -w.gdot[r] / c
        if newton.stabilised == 1:
            x[nv + rows + r] = -memory.eta[r] if newton.nonholonomic[r] == 1 else -w.gdot[r] / c
    for i in range(nz):
        f = w.ydot[nq + nv + i]
        x[first + i] = -(memory.zdot_new[i] - f) / e if newton.mass[i] == 1 else f
    solve(newton, newton.A, newton.pivots, x, newton.sorted)
    rtol, atol = run.clock[0].rtol, run.clock[0].atol
    if rows == 0 and method.adaptive == 0:
        size, exact, tiny = _judge_in_tree(tree, newton, run, memory, fine, late)
    else:
        size, exact, tiny = _judge(tree, closures, newton, method, run, memory, fine, c)
    for i in range(nz):
        z = abs(run.y_new[nq + nv + i])
        size = max(
            size, abs(x[first + i]) / (atol + rtol * z if method.adaptive == 1 else fine + ROUND_OFF * (1.0 + z))
        )
        if not abs(x[first + i]) <= STALLED * (1.0 + z):
            tiny = 0
        if not abs(x[first + i]) <= ROUND_OFF * (1.0 + z):
            exact = 0
    return size, exact, tiny


@part
def _add(tree, closures, newton, method, run, memory, part, x):
    """Add a part of a correction to the unknowns."""
    h, nv, nz, rows = run.clock[0].h, tree.nv, tree.nz, closures.rows
    b, _, _ = _slopes(method, h)
    first = newton.n - nz
    for i in range(nv):
        memory.x[i] += part * x[i]
    for r in range(rows):
        memory.multipliers[r] += part * b * x[nv + r]
        if newton.stabilised == 1:
            memory.eta[r] += part * x[nv + rows + r] / h
    for i in range(nz):
        memory.dz[i] += part * x[first + i]


@part
def _search_line(tree, closures, w, newton, method, run, memory, fine, size, t):
    """Take back parts of the last correction until the next one, by the same factors, is smaller than it was.

    That is the natural monotonicity test (Deuflhard 2011, section 3.3). Regularised friction needs it: a correction
    that begins outside the narrow range of slip speeds over which the force turns would jump over it, to and fro.
    """
    part = 1.0
    while part > LEAST_FRACTION:
        following, _, _ = _find_correction(tree, closures, w, newton, method, run, memory, fine, 0)
        if following <= (1.0 - 0.25 * part) * size:
            return
        part *= 0.5
        _add(tree, closures, newton, method, run, memory, -part, memory.correction)
        _trial(tree, closures, w, newton, method, run, memory, t)


@helper
def _judge(tree, closures, newton, method, run, memory, fine, c):
    """What `_find_correction` returns of the rates."""
    h, nq, nv, rows = run.clock[0].h, tree.nq, tree.nv, closures.rows
    rtol, atol = run.clock[0].rtol, run.clock[0].atol
    x, size, exact, tiny = newton.b, 0.0, 1, 1
    for i in range(nv):
        extent = position_scale(tree, run.y, i)
        moved = x[i]
        if newton.stabilised == 1:
            for k in range(closures.column[i], closures.column[i + 1]):
                moved += memory.G[closures.column_at[k]] * x[nv + rows + closures.column_rows[k]]
        if not abs(x[i]) <= STALLED * (1.0 + extent):
            tiny = 0
        if not abs(x[i]) <= ROUND_OFF * resolution(tree, closures, run, memory, i):
            exact = 0
        if method.adaptive == 1:
            v = abs(run.y_new[nq + i])
            size = max(size, abs(x[i]) / (atol + rtol * extent), c * abs(moved) / (atol + rtol * v))
        else:
            least = fine + ROUND_OFF * (abs(memory.x[i]) + h * abs(run.y[nq + i]))
            size = max(size, max(abs(moved), abs(x[i]) - STALLED * (1.0 + extent)) / least)
    return size, exact, tiny


@helper
def _judge_in_tree(tree, newton, run, memory, fine, late):
    """The same for constant steps of a tree, where it is quicker: what moves is the correction itself."""
    h, nq, x = run.clock[0].h, tree.nq, newton.b
    size, exact, tiny = 0.0, 1, late
    for i in range(tree.nv):
        reach = abs(memory.x[i]) + h * abs(run.y[nq + i])
        if not abs(x[i]) <= ROUND_OFF * (reach + 1e-300):
            exact = 0
        size = max(size, abs(x[i]) / (fine + ROUND_OFF * reach))
    if late == 1:
        for i in range(tree.nv):
            if not abs(x[i]) <= STALLED * (1.0 + position_scale(tree, run.y, i)):
                tiny = 0
    return size, exact, tiny


@helper
def _slopes(method, h):
    """b, c, e of `newton`: what the displacement makes of vdot and v, and dz of dz/dt."""
    b = (1.0 - method.alpha_m) / (h * h * method.beta * (1.0 - method.alpha_f))
    e = (1.0 - method.delta_m) / (h * method.gamma_z * (1.0 - method.delta_f))
    return b, method.gamma / (h * method.beta), e


@part
def _predict(tree, memory, run):
    """First guess: vdot goes on along the line through its last two values."""
    h, ratio = run.clock[0].h, run.clock[0].h / memory.scalars[0].h_old
    for i in range(tree.nv):
        rise = ratio * (memory.vdot[i] - memory.vdot_old[i])
        memory.x[i] = h * (run.y[tree.nq + i] + h * (0.5 * memory.vdot[i] + rise / 6.0))
    for i in range(tree.nz):
        memory.dz[i] = h * (memory.zdot[i] + 0.5 * ratio * (memory.zdot[i] - memory.zdot_old[i]))
    for r in range(memory.eta.shape[0]):
        memory.eta[r] = 0.0


@part
def _new_factors(tree, closures, w, tan, newton, method, run, memory, fresh):
    """Factors for the step in work, with derivatives in the trial state if `fresh`; -1 if all is well."""
    h = run.clock[0].h
    if fresh == 1:
        call_entry(w.calls[0].linearise, w.at[0].system)
        gather(tree, tan, newton)
        run.counts[0].jacobians += 1
        memory.scalars[0].fewest, memory.scalars[0].excess = -1.0, 0.0
    b, c, e = _slopes(method, h)
    regularise(tree, closures, w, tan, newton, 1.0 / b)
    assemble(tree, closures, w, tan, newton, newton.A, c / b, 1.0 / b, 1.0 / c, c, e)
    memory.scalars[0].h_factors = h
    memory.scalars[0].stale, memory.scalars[0].rate = 0.0, INITIAL_CONTRACTION
    return factorise(newton, newton.A, newton.pivots)


@helper
def _judge_derivatives(scalars, iteration):
    """New derivatives are wanted when old ones have cost as much in further corrections, or would soon fail."""
    if scalars.fewest < 0.0:
        scalars.fewest = iteration
    scalars.excess += iteration - scalars.fewest
    if scalars.excess >= PATIENCE or iteration > MANY:
        scalars.stale = 1.0


@part
def solve_step(tree, closures, w, tan, newton, method, run, memory, enough):
    """Solve the step. Returns 1 if solved; else 0, with the number of the worst equation in run.counts[0].where."""
    t, h = run.clock[0].t, run.clock[0].h
    acceleration = 1.0
    for i in range(tree.nv):
        acceleration = max(acceleration, abs(memory.vdot[i]))
    fine = NEWTON_FRACTION * run.clock[0].rtol * method.beta * h * h * acceleration
    way = NEW_FACTORS if memory.scalars[0].stale != 0.0 else FACTORS_AT_HAND
    while way <= FULL_NEWTON:  # one way after the other, until one leads to an end
        _predict(tree, memory, run)
        _trial(tree, closures, w, newton, method, run, memory, t)
        fresh = 1 if way > FACTORS_AT_HAND else 0
        if fresh == 1 or memory.scalars[0].h_factors != h:
            bad = _new_factors(tree, closures, w, tan, newton, method, run, memory, fresh)
            if bad >= 0:
                run.counts[0].where = bad
                memory.scalars[0].stale = 1.0
                way += 1
                continue
        last = 0.0
        for iteration in range(MOST_DAMPED if way == FULL_NEWTON else MOST_ITERATIONS):
            if way == FULL_NEWTON and iteration > 0:
                bad = _new_factors(tree, closures, w, tan, newton, method, run, memory, 1)
                if bad >= 0:
                    break
            late = 1 if iteration > 1 else 0
            size, exact, tiny = _find_correction(tree, closures, w, newton, method, run, memory, fine, late)
            _add(tree, closures, newton, method, run, memory, 1.0, newton.b)
            if not size < 1e300:
                break
            if iteration > 0:
                ratio = size / last if last > 0.0 else 0.0
                memory.scalars[0].rate = max(ratio, BEST_CONTRACTION)
            else:
                ratio = memory.scalars[0].rate ** CAUTION
            stalled = iteration > 1 and fresh == 1 and ratio > SLOW and tiny == 1
            if iteration > 1 and ratio >= 1.0 and size > enough and not stalled and way < FULL_NEWTON:
                break
            last = size
            solved = stalled or exact == 1 or (ratio < 1.0 and size * ratio / (1.0 - ratio) <= enough)
            if solved and closures.rows == 0:  # the powers are those of the last but one iterate
                _state_of_unknowns(tree, closures, newton, method, run, memory)
            else:  # closures want their Jacobian at the end of the step
                if way == FULL_NEWTON:
                    for i in range(newton.n):
                        memory.correction[i] = newton.b[i]
                _trial(tree, closures, w, newton, method, run, memory, t)
                if way == FULL_NEWTON and not solved and size > enough and tiny == 0:
                    _search_line(tree, closures, w, newton, method, run, memory, fine, size, t)
            if solved:
                _judge_derivatives(memory.scalars[0], iteration)
                return 1
        run.counts[0].where = worst_equation(newton)
        way += 1
    memory.scalars[0].stale = 1.0
    return 0


@part
def step_error(tree, closures, newton, method, run, memory):
    """Weighted root mean square of the local error, the same without what may be round-off, and where it is worst."""
    h, old, nq, nv = run.clock[0].h, memory.scalars[0].h_old, tree.nq, tree.nv
    rtol, atol = run.clock[0].rtol, run.clock[0].atol
    of_q, of_v = error_constants(method.alpha_m, method.alpha_f, method.beta, method.gamma)
    _, of_z = error_constants(method.delta_m, method.delta_f, 0.0, method.gamma_z)
    total, sure, worst, where = 0.0, 0.0, -1.0, 0
    for i in range(nv):
        change, before = memory.vdot_new[i] - memory.vdot[i], memory.vdot[i] - memory.vdot_old[i]
        e_q = of_q * h * h * change / (atol + rtol * position_scale(tree, run.y, i))
        bend = 2.0 * (change / h - before / old) / (h + old)
        # displacements carry round-off, accelerations this over beta h²: less than that does not count as an error
        noise = NOISE * resolution(tree, closures, run, memory, i) / (method.beta * h)
        e_v = abs(of_v * h**3 * bend)
        noisy = e_v < 10.0 * noise
        e_v *= e_v / (e_v + noise) / (atol + rtol * max(abs(run.y[nq + i]), abs(run.y_new[nq + i])))
        error = e_q * e_q + e_v * e_v
        total += error
        sure += e_q * e_q if noisy else error
        if error > worst:
            worst, where = error, nq + i
    for i in range(tree.nz):
        if newton.mass[i] == 0:
            continue  # as exact as what it follows from
        k = nq + nv + i
        change, before = memory.zdot_new[i] - memory.zdot[i], memory.zdot[i] - memory.zdot_old[i]
        bend = 2.0 * (change / h - before / old) / (h + old)
        e_z = of_z * h**3 * bend / (atol + rtol * max(abs(run.y[k]), abs(run.y_new[k])))
        total += e_z * e_z
        sure += e_z * e_z
        if e_z * e_z > worst:
            worst, where = e_z * e_z, k
    count = max(1, 2 * nv + tree.nz)
    return (total / count) ** 0.5, (sure / count) ** 0.5, where
