"""The step of Rosenbrock methods: implicit by one linear system with the slopes of the rates, and no iteration.

Only the derivatives of the state are asked for, as by explicit methods. So whatever changes them between steps
(contacts and joints that stick, slide or are open, closed loops that are projected) is treated as explicit methods
treat it, and the forces may be stiff. In the form without products of the matrix (Hairer & Wanner 1996, section IV.7):

    (1 / (h gamma) - J) k_i = f(t + c_i h, y + sum_j A_ij k_j) + sum_j C_ij k_j / h + h d_i df/dt
    y_new = y + sum_j A_sj k_j + k_s,  k_s being the estimate of the error

Works are sums over the motion: they stand in the rows of J, and not in its columns.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.integrate.explicit_loop import (
    ACCUMULATOR_WEIGHT,
    initial_step,
    is_finite,
    next_step,
    unit_quaternions_and_ydot,
)
from duoti.integrate.implicit.band_solver import factorise_band, solve_band
from duoti.integrate.state import REJECTED, example_run, project, state_rates
from duoti.kernel import ContextType, entry, part, unpack
from duoti.system.context import REAL_CONTEXT

DIFFERENCE, SMALLEST = 2e-8, 1.0
"""Slopes are differences over this part of a coordinate, and of a coordinate of at least this size [m, rad, ...]."""


class Rosenbrock(NamedTuple):
    """A method; the last stage begins where y_new is, but for its k."""

    gamma: float
    stages: int  # s
    order: int  # of the error estimate, plus one: the exponent of the step-size control
    A: Any  # [s, s]
    C: Any  # [s, s]
    c: Any  # [s]
    d: Any  # [s]
    P: Any  # [2, s] y(theta) = y + theta rise + theta (1 - theta) (P0 k + theta P1 k)


class RosenbrockMemory(NamedTuple):
    """What a step needs; nothing of it is remembered from step to step."""

    J: Any  # [ny, n] slopes of the rates
    rates_t: Any  # [ny] df/dt
    matrix: Any  # [n n] 1 / (h gamma) - J, and its factors
    pivots: Any  # [n]
    k: Any  # [s, ny]
    f: Any  # [ny]
    base: Any  # [ny] rates of run.y
    known: Any  # [1] 1 if J is that of run.y: after a rejected step
    difference: Any  # [n] part of a coordinate over which slopes are taken


def new_memory(n: int, ny: int, stages: int) -> RosenbrockMemory:
    """Memory for n states, ny with the energy accumulators."""
    return RosenbrockMemory(
        np.zeros((ny, n)), np.zeros(ny), np.zeros(n * n), np.zeros(n, np.int64), np.zeros((stages, ny)), np.zeros(ny),
        np.zeros(ny), np.zeros(1, np.int64), np.full(n, DIFFERENCE),
    )  # fmt: skip


def _example() -> tuple[Any, ...]:
    one, two = np.zeros(1), np.zeros((1, 1))
    return 0, example_run(), Rosenbrock(1.0, 1, 1, two, two, one, one, two), new_memory(1, 1, 1)


ROSENBROCK_CONTEXT = ContextType(_example)


@part
def _slopes(w, run, m):
    """J and df/dt by differences of the rates; those of y anew, since contacts may have turned their slip since."""
    t, n, ny = run.clock[0].t, m.J.shape[1], run.y.shape[0]
    state_rates(w, t, run.y, m.base)
    for i in range(ny):
        run.y_at[i] = run.y[i]
    for j in range(n):
        run.y_at[j] += m.difference[j] * max(abs(run.y[j]), SMALLEST)
        by = run.y_at[j] - run.y[j]
        state_rates(w, t, run.y_at, m.f)
        for i in range(ny):
            m.J[i, j] = (m.f[i] - m.base[i]) / by
        run.y_at[j] = run.y[j]
    slopes_by_time(w, run, m)
    run.counts[0].evaluations += n + 1
    run.counts[0].jacobians += 1
    m.known[0] = 1


@part
def slopes_by_time(w, run, m):
    """m.rates_t = df/dt, by a difference from m.base, the rates of y."""
    t = run.clock[0].t
    later = t + DIFFERENCE * max(abs(t), SMALLEST)
    state_rates(w, later, run.y, m.f)
    for i in range(run.y.shape[0]):
        m.rates_t[i] = (m.f[i] - m.base[i]) / (later - t)
    run.counts[0].evaluations += 1


@part
def _factorise(method, run, m):
    """Factors of 1 / (h gamma) - J; False if it has none."""
    n = m.J.shape[1]
    for i in range(n):
        for j in range(n):
            m.matrix[n * i + j] = -m.J[i, j]
        m.matrix[n * i + i] += 1.0 / (run.clock[0].h * method.gamma)
    return factorise_band(m.matrix, m.pivots, n, 0, n, n, n) < 0


@part
def stage_right_side(w, method, run, m, s):
    """m.k[s] = right-hand side of a stage; y_at is where its rates were taken. m: any memory with k, f and rates_t."""
    clock, ny = run.clock[0], run.y.shape[0]
    h, k = clock.h, m.k[s]
    for i in range(ny):
        run.y_at[i] = run.y[i]
        k[i] = h * method.d[s] * m.rates_t[i]
    for j in range(s):
        a, c = method.A[s, j], method.C[s, j] / h
        for i in range(ny):
            run.y_at[i] += a * m.k[j, i]
            k[i] += c * m.k[j, i]
    if s == 0:
        for i in range(ny):
            k[i] += run.K[0, i]
    else:
        state_rates(w, clock.t + method.c[s] * h, run.y_at, m.f)
        run.counts[0].evaluations += 1
        for i in range(ny):
            k[i] += m.f[i]


@part
def _solve_stage(method, run, m, s):
    """k of a stage from its right-hand side."""
    n, ny, k = m.J.shape[1], run.y.shape[0], m.k[s]
    solve_band(m.matrix, m.pivots, n, 0, n, n, n, k)
    for i in range(n, ny):
        for j in range(n):
            k[i] += m.J[i, j] * k[j]
        k[i] *= run.clock[0].h * method.gamma


@part
def step_error(tree, w, run, error):
    """The step's error by the tolerances: root mean square over the states that are controlled; where it is worst."""
    rtol, atol, n = run.clock[0].rtol, run.clock[0].atol, tree.nq + tree.nv + tree.nz
    weight = w.error_weights
    total, worst, where, count = 0.0, -1.0, 0, 0.0
    for i in range(n):
        if weight[i] != 0.0:
            fraction = (error[i] / (atol + rtol * max(abs(run.y[i]), abs(run.y_new[i])))) ** 2
            total += fraction
            count += 1.0
            if fraction > worst or not (fraction >= 0.0):
                worst, where = fraction, i
    norm = (total / max(count, 1.0)) ** 0.5
    if weight[n] != 0.0:  # as in explicit methods
        size, largest = 0.0, 0.0
        for i in range(n, run.y.shape[0]):
            size = max(size, abs(run.y[i]), abs(run.y_new[i]))
            largest = max(largest, abs(error[i]))
        norm = max(norm, ACCUMULATOR_WEIGHT * largest / (atol / weight[n] + rtol * size))
    return norm, where


@entry
def rosenbrock_start(address):
    """Entry START of `stepping`."""
    context, run, method, m = unpack(address, ROSENBROCK_CONTEXT)
    tree, _, _, w = unpack(context, REAL_CONTEXT)
    initial_step(w, method, run, tree.nq + tree.nv + tree.nz)
    m.known[0] = 0


@entry
def rosenbrock_step(address):
    """Entry STEP."""
    context, run, method, m = unpack(address, ROSENBROCK_CONTEXT)
    tree, _, _, w = unpack(context, REAL_CONTEXT)
    clock, counts, last = run.clock[0], run.counts[0], method.stages - 1
    if m.known[0] == 0:
        _slopes(w, run, m)
    if not _factorise(method, run, m):
        counts.outcome, clock.factor = REJECTED, 0.5
        return
    for s in range(method.stages):
        stage_right_side(w, method, run, m, s)
        _solve_stage(method, run, m, s)
    for i in range(run.y.shape[0]):
        run.y_new[i] = run.y_at[i] + m.k[last, i]
    t_new = clock.t + clock.h
    project(w, t_new, run.y_new)
    state_rates(w, t_new, run.y_new, run.K[1])
    counts.evaluations += 1
    if is_finite(run, run.K[1]):
        error, counts.where = step_error(tree, w, run, m.k[last])
        next_step(run, error, method.order)


@entry
def rosenbrock_polynomial(address):
    """Entry POLYNOMIAL."""
    _, run, method, m = unpack(address, ROSENBROCK_CONTEXT)
    polynomial_of_stages(method, run, m, run.y.shape[0])


@part
def polynomial_of_stages(method, run, m, n):
    """run.Q of the first n states."""
    run.counts[0].turns = 0
    for i in range(n):
        first, second = 0.0, 0.0
        for j in range(method.stages):
            first += method.P[0, j] * m.k[j, i]
            second += method.P[1, j] * m.k[j, i]
        run.Q[0, i] = run.y_new[i] - run.y[i] + first
        run.Q[1, i] = second - first
        run.Q[2, i] = -second


@entry
def rosenbrock_shift(address):
    """Entry SHIFT."""
    context, run, _, m = unpack(address, ROSENBROCK_CONTEXT)
    tree, _, _, _ = unpack(context, REAL_CONTEXT)
    begin_at_the_end(tree, run)
    m.known[0] = 0


@part
def begin_at_the_end(tree, run):
    """The end of the step becomes the beginning of the next one."""
    for i in range(run.y.shape[0]):
        run.y[i] = run.y_new[i]
        run.K[0, i] = run.K[1, i]
    unit_quaternions_and_ydot(tree, run)


ROSENBROCK_ENTRIES = (rosenbrock_start, rosenbrock_step, rosenbrock_polynomial, rosenbrock_shift)
