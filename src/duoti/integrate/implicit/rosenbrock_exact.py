"""Rosenbrock methods with the derivatives of the equations of motion: linear systems of the size of v and z.

The stages k = (k_q, k_v, k_z) of `rosenbrock` obey (s - J) k = b with s = 1 / (h gamma). With K, C, M, Z, F of
`dynamics.derivatives.linearise` in place of J, and delta the displacement (a tangent vector) that belongs to k_q,
this reads

    k_q = (b_q + k_v) / s,            delta = k_q                       plain coordinates
    k_q (s - w/2) = b_q + q k_v / 2,  delta = 2 Im(q* k_q)              quaternions q, products of quaternions     (1)
    (s M + C) k_v + K delta + Z k_z = M b_v                                                                        (2)
    (s - Fz) k_z - Fq delta - Fv k_v = b_z

From (1), with the angular velocity w and d = s² + w²/4:  delta = X k_v + beta, where

    X = 1/s, beta = b_q / s;          X = (s - w~/2) / d, beta = 2 Im(q* b_q (s + w/2)) / d  for quaternions       (3)

which leaves k_v and k_z: the matrix of `newton` with b = s², c = e = s and the unknowns k_v / s and k_z, in its band.
The length of a quaternion is a coordinate like any other that no force depends on.

Works are integrals over the motion alone, by Simpson's rule: the polynomial through the step gives the state at its
middle, which makes them of order 4 as well. Closed loops and contacts that are closed add rows.

Rows beside the equations of motion in the stages of `rosenbrock_exact`: contacts that are closed, closed loops.

With multipliers of their own, dlambda, equation (2) there has -F^T dlambda on its left, and the rows say

    G (s k_v - b_v) + Aq delta + Av k_v = 0,     s k_v - b_v being the change of the accelerations                 (1)

The band of the motion is factorised without them; they are eliminated by their Schur complement, which may be singular
where rows say the same (a box on four corners): the multipliers are then the smallest ones.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.contact.event_driven.derivatives import new_border, put_closure_rows
from duoti.contact.solve.redundant import solve_rows
from duoti.integrate.explicit_loop import initial_step, is_finite, next_step
from duoti.integrate.implicit.newton import assemble_motion, at, example_newton, factorise, gather, solve
from duoti.integrate.implicit.rosenbrock import (
    Rosenbrock,
    begin_at_the_end,
    polynomial_of_stages,
    slopes_by_time,
    stage_right_side,
    step_error,
)
from duoti.integrate.state import ACCEPTED, REJECTED, example_run, hermite, project, state_rates
from duoti.kernel import ContextType, call_entry, entry, helper, part, unpack
from duoti.system.context import REAL_CONTEXT, TANGENT_CONTEXT

IMMOVABLE = 1e-14  # of the largest diagonal entry: a row that nothing can move


@helper
def turned(row, v, j, k):
    """Component k of row v~/2, for the rotation with the rates j, j + 1, j + 2."""
    a, b = (k + 1) % 3, (k + 2) % 3
    return 0.5 * (row[j + a] * v[j + b] - row[j + b] * v[j + a])


@part
def closure_rows(tree, closures, w, tan, border):
    """K, C, M, Z, F of LINEARISE, and the rows of closed loops, in the state w.y; multipliers are evaluated."""
    call_entry(w.calls[0].ydot, w.at[0].system)
    call_entry(w.calls[0].linearise, w.at[0].system)
    call_entry(w.calls[0].acceleration_rows, w.at[0].system)
    put_closure_rows(tree, closures, w, tan, border)


@part
def eliminate_rows(tree, newton, border, v, s):
    """R, Y, D and the scales of D, with the factors of the motion."""
    nv, n = tree.nv, border.counts[0].rows
    for r in range(n):
        for i in range(nv):
            border.R[r, i] = border.G[r, i] + border.Av[r, i] / s + border.Aq[r, i] / (s * s)
        for q in range(tree.quat_v.shape[0]):
            j = tree.quat_v[q]
            square = 0.25 * (v[j] ** 2 + v[j + 1] ** 2 + v[j + 2] ** 2)
            for k in range(3):
                x = square / s * border.Aq[r, j + k] + turned(border.Aq[r], v, j, k)
                border.R[r, j + k] -= x / ((s * s + square) * s)
        y = border.Y[r]
        for i in range(newton.n):
            y[i] = border.F[r, i] if i < nv else 0.0
        solve(newton, newton.A, newton.pivots, y, newton.sorted)
    largest = 0.0
    for r in range(n):
        for k in range(n):
            d = 0.0
            for i in range(nv):
                d += border.R[r, i] * border.Y[k, i]
            border.D[r, k] = d
        largest = max(largest, abs(border.D[r, r]))
    for r in range(n):
        d = abs(border.D[r, r])
        border.scale[r] = 1.0 / d**0.5 if d > IMMOVABLE * largest else 0.0


@part
def obey_rows(tree, newton, border, b_v, beta, s):
    """Correct newton.b, the unknowns of a stage without rows, for the right-hand side b_v and beta of the stage."""
    n = border.counts[0].rows
    right, x = border.vectors[0], border.vectors[1]
    for r in range(n):
        total = 0.0
        for i in range(tree.nv):
            total += (border.G[r, i] * b_v[i] - border.Aq[r, i] * beta[i]) / (s * s) - border.R[r, i] * newton.b[i]
        right[r] = total
    solve_rows(
        border.D, border.LU, border.pivot, border.scale, n, right, x, border.vectors[2], border.vectors[3],
        border.counts,
    )  # fmt: skip
    for r in range(n):
        for i in range(newton.n):
            newton.b[i] += border.Y[r, i] * x[r]


class ExactMemory(NamedTuple):
    """What a step needs; nothing of it is remembered from step to step."""

    rates_t: Any  # [ny] df/dt
    k: Any  # [s, ny]
    f: Any  # [ny]
    base: Any  # [ny] rates of run.y
    beta: Any  # [nv] see (3)
    known: Any  # [1] 1 if the derivatives are those of run.y: after a rejected step
    timed: int  # 1 if a law reads the time


def new_exact_memory(nv: int, ny: int, stages: int, timed: bool) -> ExactMemory:
    """Zeros."""
    return ExactMemory(
        rates_t=np.zeros(ny), k=np.zeros((stages, ny)), f=np.zeros(ny), base=np.zeros(ny), beta=np.zeros(nv),
        known=np.zeros(1, np.int64), timed=int(timed),
    )  # fmt: skip


def _example() -> tuple[Any, ...]:
    one, two = np.zeros(1), np.zeros((1, 1))
    method = Rosenbrock(1.0, 1, 1, two, two, one, one, two)
    return 0, example_run(), method, new_exact_memory(1, 1, 1, False), example_newton(), new_border(1, 1, 1)


EXACT_CONTEXT = ContextType(_example)


@part
def _derivatives(tree, closures, w, tan, newton, border, run, m):
    """Derivatives in run.y, and rows."""
    if m.timed == 1:
        for i in range(run.y.shape[0]):
            m.base[i] = run.K[0, i]
        if border.entry[0] != 0:  # contacts may have turned their slip since
            state_rates(w, run.clock[0].t, run.y, m.base)
            run.counts[0].evaluations += 1
        slopes_by_time(w, run, m)
    nq = tree.nq
    w.clock[0] = run.clock[0].t
    for i in range(run.y.shape[0]):
        w.y[i] = run.y[i]
    for i in range(tree.nv):
        w.ydot[nq + i] = run.K[0, nq + i]
    if border.entry[0] != 0:
        call_entry(border.entry[0], border.entry[1])
    elif closures.rows > 0:
        closure_rows(tree, closures, w, tan, border)
    else:
        call_entry(w.calls[0].linearise, w.at[0].system)
    gather(tree, tan, newton)
    run.counts[0].jacobians += 1
    m.known[0] = 1


@part
def _factors(tree, tan, newton, border, run, s):
    """Factors of the matrix for k_v / s and k_z; False if it has none."""
    assemble_motion(tree, tan, newton, newton.A, 1.0 / s, 1.0 / (s * s), s, s)
    _add_turns(tree, tan, newton, newton.A, run.y[tree.nq :], s)
    if factorise(newton, newton.A, newton.pivots) >= 0:
        return False
    if border.counts[0].rows > 0:
        eliminate_rows(tree, newton, border, run.y[tree.nq :], s)
    return True


@part
def _add_turns(tree, tan, newton, A, v, s):
    """What X - 1/s = -(w²/(4 s) + w~/2) / d of the quaternions adds to the matrix."""
    permutation, first = newton.permutation, newton.n - tree.nz
    for r in range(tree.quat_v.shape[0]):
        j = tree.quat_v[r]
        square = 0.25 * (v[j] ** 2 + v[j + 1] ** 2 + v[j + 2] ** 2)
        d = s * s + square
        for k in range(3):
            p = permutation[j + k]
            for m in range(newton.start[j], newton.start[j + 1]):
                i = newton.column[m]
                row = tan.K[i]
                A[at(newton, permutation[i], p)] -= (square / s * row[j + k] + turned(row, v, j, k)) / (d * s)
            for i in range(tree.nz):
                row = tan.Fq[i]
                x = square / s * row[j + k] + turned(row, v, j, k)
                if x != 0.0:
                    A[at(newton, permutation[first + i], p)] += x / d


@helper
def _times(a, b):
    """Product of two quaternions."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3],
        a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1],
    )


@part
def _displacements(tree, y, b, s, beta):
    """beta of (3) for the right-hand side b."""
    for i in range(tree.plain_q.shape[0]):
        beta[tree.plain_v[i]] = b[tree.plain_q[i]] / s
    for i in range(tree.quat_q.shape[0]):
        k, j = tree.quat_q[i], tree.quat_v[i]
        w0, w1, w2 = 0.5 * y[tree.nq + j], 0.5 * y[tree.nq + j + 1], 0.5 * y[tree.nq + j + 2]
        x = _times((y[k], -y[k + 1], -y[k + 2], -y[k + 3]), (b[k], b[k + 1], b[k + 2], b[k + 3]))
        x = _times(x, (s, w0, w1, w2))
        d = s * s + w0 * w0 + w1 * w1 + w2 * w2
        beta[j], beta[j + 1], beta[j + 2] = 2.0 * x[1] / d, 2.0 * x[2] / d, 2.0 * x[3] / d


@part
def _positions(tree, y, k, s):
    """k_q from b_q, which stands in its place, and k_v, by (1)."""
    nq = tree.nq
    for i in range(tree.plain_q.shape[0]):
        k[tree.plain_q[i]] = (k[tree.plain_q[i]] + k[nq + tree.plain_v[i]]) / s
    for i in range(tree.quat_q.shape[0]):
        j, n = tree.quat_q[i], nq + tree.quat_v[i]
        w0, w1, w2 = 0.5 * y[n], 0.5 * y[n + 1], 0.5 * y[n + 2]
        d = s * s + w0 * w0 + w1 * w1 + w2 * w2
        a = _times((y[j], y[j + 1], y[j + 2], y[j + 3]), (0.0, 0.5 * k[n], 0.5 * k[n + 1], 0.5 * k[n + 2]))
        x = _times((k[j] + a[0], k[j + 1] + a[1], k[j + 2] + a[2], k[j + 3] + a[3]), (s, w0, w1, w2))
        k[j], k[j + 1], k[j + 2], k[j + 3] = x[0] / d, x[1] / d, x[2] / d, x[3] / d


@part
def _solve_stage(tree, tan, newton, border, run, m, k, s):
    """k of a stage from its right-hand side."""
    nq, nv, b, first = tree.nq, tree.nv, newton.b, newton.n - tree.nz
    v = k[nq : nq + nv]
    _displacements(tree, run.y, k, s, m.beta)
    square = 1.0 / (s * s)
    for i in range(nv):
        total = 0.0
        for e in range(newton.start[i], newton.start[i + 1]):
            j = newton.column[e]
            total += newton.M[e] * v[j] - newton.K[e] * m.beta[j]
        b[i] = total * square
    for i in range(tree.nz):
        total = k[nq + nv + i]
        for j in range(nv):
            total += tan.Fq[i, j] * m.beta[j]
        b[first + i] = total / s
    solve(newton, newton.A, newton.pivots, b, newton.sorted)
    if border.counts[0].rows > 0:
        obey_rows(tree, newton, border, v, m.beta, s)
    for i in range(nv):
        v[i] = s * b[i]
    for i in range(tree.nz):
        k[nq + nv + i] = b[first + i]
    _positions(tree, run.y, k, s)
    for i in range(nq + nv + tree.nz, run.y.shape[0]):
        k[i] = 0.0


@part
def _powers_at(tree, w, method, run, m, theta):
    """m.f[n:] = powers at the part theta of the step, from the polynomial through it; n: states before the energy
    accumulators.
    """
    for i in range(tree.nq + tree.nv + tree.nz):
        first, second = 0.0, 0.0
        for j in range(method.stages):
            first += method.P[0, j] * m.k[j, i]
            second += method.P[1, j] * m.k[j, i]
        rise = run.y_new[i] - run.y[i]
        run.y_at[i] = run.y[i] + theta * (rise + (1.0 - theta) * (first + theta * second))
    state_rates(w, run.clock[0].t + theta * run.clock[0].h, run.y_at, m.f)
    run.counts[0].evaluations += 1


@part
def _add_accumulators(tree, w, method, run, m):
    """Works at the end of an accepted step, by Simpson's rule; nothing is evaluated where no power was."""
    n, ny, h = tree.nq + tree.nv + tree.nz, run.y.shape[0], run.clock[0].h
    powers = 0.0
    for i in range(n, ny):
        powers = max(powers, abs(run.K[0, i]), abs(run.K[1, i]), abs(m.f[i]))
        run.y_new[i] = run.y[i]
    if powers == 0.0:
        return
    _powers_at(tree, w, method, run, m, 0.5)
    for i in range(n, ny):
        run.y_new[i] += h / 6.0 * (run.K[0, i] + 4.0 * m.f[i] + run.K[1, i])


@part
def _add_controlled_accumulators(tree, w, method, run, m):
    """Works at the end of a step by Boole's rule, and in the last stage how far Simpson's is from it.

    A motion that is prescribed is exact at any step, and only its work says whether the step is too long.
    """
    n, h, last = tree.nq + tree.nv + tree.nz, run.clock[0].h, method.stages - 1
    for i in range(n, run.y.shape[0]):
        run.y_new[i] = run.y[i] + h / 90.0 * 7.0 * (run.K[0, i] + run.K[1, i])
        m.k[last, i] = -h / 90.0 * 8.0 * (run.K[0, i] + run.K[1, i])
    for quarter in range(1, 4):
        _powers_at(tree, w, method, run, m, 0.25 * quarter)
        for i in range(n, run.y.shape[0]):
            run.y_new[i] += h / 90.0 * (12.0 if quarter == 2 else 32.0) * m.f[i]
            m.k[last, i] += h / 90.0 * (-48.0 if quarter == 2 else 32.0) * m.f[i]


@part
def _accumulators_within(tree, w, method, run, m):
    """Polynomials of degree 4 of the energy accumulators: Hermite's, and g theta² (1 - theta)² with the right power at
    theta = 1/4.

    A motion of degree 3 (constant jerk) is exact in a step of any length, and its energy accumulators are of degree 4.
    """
    n, ny, h = tree.nq + tree.nv + tree.nz, run.y.shape[0], run.clock[0].h
    changes = 0.0
    for i in range(n, ny):
        run.Q[3, i] = 0.0
        changes = max(changes, abs(run.K[0, i]), abs(run.K[1, i]), abs(run.y_new[i] - run.y[i]))
    if changes == 0.0:
        return
    _powers_at(tree, w, method, run, m, 0.25)
    for i in range(n, ny):
        slope = run.Q[0, i] + 0.5 * run.Q[1, i] + 0.1875 * run.Q[2, i]
        g = (h * m.f[i] - slope) / 0.1875
        run.Q[1, i] += g
        run.Q[2, i] -= 2.0 * g
        run.Q[3, i] = g


@entry
def exact_start(address):
    """Entry START of `stepping`."""
    context, run, method, m, _, _ = unpack(address, EXACT_CONTEXT)
    tree, _, _, w = unpack(context, REAL_CONTEXT)
    initial_step(w, method, run, tree.nq + tree.nv + tree.nz)
    m.known[0] = 0


@entry
def exact_step(address):
    """Entry STEP."""
    context, run, method, m, newton, border = unpack(address, EXACT_CONTEXT)
    tree, _, closures, w = unpack(context, REAL_CONTEXT)
    tan, _ = unpack(w.at[0].tangent, TANGENT_CONTEXT)
    clock, counts, last = run.clock[0], run.counts[0], method.stages - 1
    s = 1.0 / (clock.h * method.gamma)
    if m.known[0] == 0:
        _derivatives(tree, closures, w, tan, newton, border, run, m)
    if not _factors(tree, tan, newton, border, run, s):
        counts.outcome, clock.factor = REJECTED, 0.5
        return
    for stage in range(method.stages):
        stage_right_side(w, method, run, m, stage)
        _solve_stage(tree, tan, newton, border, run, m, m.k[stage], s)
    for i in range(run.y.shape[0]):
        run.y_new[i] = run.y_at[i] + m.k[last, i]
    t_new = clock.t + clock.h
    project(w, t_new, run.y_new)
    state_rates(w, t_new, run.y_new, run.K[1])
    counts.evaluations += 1
    if is_finite(run, run.K[1]):
        judged = w.error_weights[tree.nq + tree.nv + tree.nz + 1] != 0.0
        if judged:
            _add_controlled_accumulators(tree, w, method, run, m)
        error, counts.where = step_error(tree, w, run, m.k[last])
        next_step(run, error, method.order)
        if counts.outcome == ACCEPTED and not judged:
            _add_accumulators(tree, w, method, run, m)


@entry
def exact_polynomial(address):
    """Entry POLYNOMIAL; that of the energy accumulators has their powers at both ends and at a quarter of the step."""
    context, run, method, m, _, _ = unpack(address, EXACT_CONTEXT)
    tree, _, _, w = unpack(context, REAL_CONTEXT)
    hermite(run)
    polynomial_of_stages(method, run, m, tree.nq + tree.nv + tree.nz)
    _accumulators_within(tree, w, method, run, m)


@entry
def exact_shift(address):
    """Entry SHIFT."""
    context, run, _, m, _, _ = unpack(address, EXACT_CONTEXT)
    tree, _, _, _ = unpack(context, REAL_CONTEXT)
    begin_at_the_end(tree, run)
    m.known[0] = 0


EXACT_ENTRIES = (exact_start, exact_step, exact_polynomial, exact_shift)
