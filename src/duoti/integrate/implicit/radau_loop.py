"""The entries of Radau IIA(5) for the driver of `stepping`: step-size control, reuse of factors, dense output.

After Hairer & Wanner 1996, section IV.8.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.dynamics.tree.kinematics import unit_quaternions
from duoti.integrate.explicit_loop import ACCUMULATOR_WEIGHT
from duoti.integrate.implicit.loop import small_step
from duoti.integrate.implicit.newton import example_newton
from duoti.integrate.implicit.radau_step import (
    MOST_ITERATIONS,
    new_radau_memory,
    solve_stages,
    stage_error,
    stage_factors,
    stage_state,
)
from duoti.integrate.state import (
    ACCEPTED,
    NEWTON_FAILED,
    NOT_FINITE,
    REJECTED,
    call_with_state,
    example_run,
    state_rates,
)
from duoti.integrate.steps import first_not_finite
from duoti.kernel import ContextType, entry, part, unpack
from duoti.system.context import REAL_CONTEXT, TANGENT_CONTEXT, example_closures, example_tree


class Radau5(NamedTuple):
    """Coefficients."""

    adaptive: int
    c: Any  # [3] times of the stages
    matrix: Any  # [3, 3] the method's matrix
    inverse: Any  # [3, 3] its inverse
    T: Any  # [3, 3] columns: the real eigenvector of `inverse`, then real and imaginary part of a complex one
    T_inverse: Any  # [3, 3]
    eigenvalues: Any  # [3] gamma, alpha, beta
    weights: Any  # [3] of the error estimate
    fit: Any  # [3, 3] coefficients of theta, theta², theta³ of the polynomial through 0 and the three stages


def radau5(adaptive: bool = True) -> Radau5:
    """The coefficients, computed from their definition (Hairer & Wanner 1996, sections IV.5 and IV.8)."""
    root = np.sqrt(6.0)
    c = np.array([(4.0 - root) / 10.0, (4.0 + root) / 10.0, 1.0])
    powers = np.vander(c, 3, increasing=True)
    A = (powers * c[:, None] / np.arange(1, 4)) @ np.linalg.inv(powers)
    inverse = np.linalg.inv(A)
    values, vectors = (np.array(each, dtype=np.complex128) for each in np.linalg.eig(inverse))
    re, im = np.real(vectors), np.imag(vectors)
    real, pair = int(np.argmin(np.abs(np.imag(values)))), int(np.argmax(np.imag(values)))
    T = np.column_stack([re[:, real], re[:, pair], im[:, pair]])
    gamma = float(np.real(values[real]))
    # embedded formula with an explicit first stage of weight 1/gamma that integrates polynomials of degree 2 exactly
    nodes = np.concatenate([[0.0], c])
    moments = np.vander(nodes, 3, increasing=True).T
    b0 = 1.0 / gamma
    b_hat = np.linalg.solve(moments[:, 1:], 1.0 / np.arange(1, 4) - b0 * moments[:, 0])
    weights = (b_hat - A[2]) @ inverse * gamma
    fit = np.linalg.inv(np.vander(c, 3, increasing=True) * c[:, None])
    return Radau5(
        adaptive=int(adaptive), c=c, matrix=A, inverse=inverse, T=T, T_inverse=np.linalg.inv(T),
        eigenvalues=np.array([gamma, float(np.real(values[pair])), float(np.imag(values[pair]))]), weights=weights,
        fit=np.ascontiguousarray(fit),
    )  # fmt: skip


SAFETY, SHRINK, GROW, KEEP = 0.9, 0.2, 8.0, 1.2
CONTRACTION = 0.5  # of the Newton iteration: the most that a new step should ask for
NEWTON_ERROR_FRACTION = 1e-2  # part of the error allowed in a step that the Newton iteration may leave if it must
CONSTANT_STEPS = 0.05  # part of what the Newton iteration may leave of a step that follows from default tolerances
GOOD = 2e-2  # contraction below which the Jacobian serves for the next step too


def _example() -> tuple[Any, ...]:
    memory = new_radau_memory(example_tree(), example_closures())
    return 0, example_run(), radau5(), memory, example_newton()


RADAU_CONTEXT = ContextType(_example)


@entry
def radau_start(address):
    """Entry START of `stepping`: rates and multipliers, and the first step."""
    context, run, _, memory, _ = unpack(address, RADAU_CONTEXT)
    tree, _, closures, w = unpack(context, REAL_CONTEXT)
    clock, scalars = run.clock[0], memory.scalars[0]
    state_rates(w, clock.t, run.y, run.K[0])
    run.counts[0].evaluations += 1
    for r in range(closures.rows):
        memory.old_multipliers[r] = run.x[r] = w.multipliers[r]
    if not clock.h > 0.0:
        clock.h = small_step(tree, run)
    scalars.stale, scalars.rate, scalars.t_jacobian, scalars.repeated = 1.0, 0.8, -1e300, 0.0
    scalars.h_stages, scalars.h_accepted = 0.0, 0.0  # nothing to extrapolate, no error to compare with


@part
def _accept(tree, closures, w, method, run, m):
    """State at the end of the step; energy accumulators at the stages by the method's own quadrature, W = h A P."""
    n, h = tree.nq + tree.nv + tree.nz, run.clock[0].h
    for s in range(3):
        stage_state(tree, run, m, s)  # with the last correction: its residual was that of the iterate before
        unit_quaternions(tree, m.states[s][: tree.nq])
    for k in range(2):
        a, b, c = m.powers[0, k], m.powers[1, k], m.powers[2, k]
        for s in range(3):
            work = method.matrix[s, 0] * a + method.matrix[s, 1] * b + method.matrix[s, 2] * c
            m.states[s, n + k] = run.y[n + k] + h * work
    for i in range(run.y.shape[0]):
        run.y_new[i] = m.states[2, i]
    for r in range(closures.rows):
        run.x_new[r] = m.multipliers[2, r]


@part
def _collocation(tree, method, run, m):
    """Polynomials of degree 3 through the beginning and the stages, of the state and of the multipliers."""
    for i in range(run.y.shape[0]):
        for d in range(3):
            total = 0.0
            for s in range(3):
                total += method.fit[d, s] * (m.states[s, i] - run.y[i])
            run.Q[d, i] = total
    run.counts[0].turns = 1
    for i in range(tree.quat_q.shape[0]):
        k, j = tree.quat_q[i], tree.quat_v[i]
        for d in range(3):
            for c in range(3):
                total = 0.0
                for s in range(3):
                    total += method.fit[d, s] * m.x[s, j + c]
                run.Q[d, k + c] = total
    for r in range(run.x.shape[0]):
        for d in range(3):
            total = 0.0
            for s in range(3):
                total += method.fit[d, s] * (m.multipliers[s, r] - run.x[r])
            run.X[d, r] = total


@part
def _accumulators_within(method, run, n):
    """Polynomials of degree 4 of the energy accumulators, from the integral of a cubic through their powers; n: states
    before them.

    A motion of degree 3 (constant jerk) is exact in a step of any length, and its powers are of degree 3: the quadratic
    p of the collocation lacks d (theta - c1) (theta - c2) (theta - 1), which follows from the power at the beginning.
    The integral of this over the step is zero, as the stages of Radau IIA have it.
    """
    total, product = method.c[0] + method.c[1], method.c[0] * method.c[1]
    for i in range(n, run.y.shape[0]):
        d = (run.Q[0, i] - run.clock[0].h * run.K[0, i]) / product
        run.Q[0, i] -= d * product
        run.Q[1, i] += d * 0.5 * (total + product)
        run.Q[2, i] -= d * (1.0 + total) / 3.0
        run.Q[3, i] = d * 0.25


@part
def _shift(tree, closures, w, run, m):
    """The end of the step becomes the beginning of the next one."""
    for s in range(3):
        for i in range(tree.nv):
            m.old_x[s, i], m.old_v[s, i] = m.x[s, i], m.v[s, i]
        for i in range(tree.nz):
            m.old_z[s, i] = m.z[s, i]
    m.scalars[0].h_stages = run.clock[0].h
    for i in range(run.y.shape[0]):
        run.y[i] = run.y_new[i]
    call_with_state(w, w.calls[0].ydot, run.clock[0].t, run.y)
    run.counts[0].evaluations += 1
    for r in range(closures.rows):
        m.old_multipliers[r] = w.multipliers[r]
    for i in range(run.y.shape[0]):
        run.K[0, i] = w.ydot[i]


@entry
def radau_step(address):
    """Entry STEP."""
    context, run, method, memory, newton = unpack(address, RADAU_CONTEXT)
    tree, _, closures, w = unpack(context, REAL_CONTEXT)
    tan, _ = unpack(w.at[0].tangent, TANGENT_CONTEXT)
    clock, counts, scalars = run.clock[0], run.counts[0], memory.scalars[0]
    t, h = clock.t, clock.h
    tolerance = max(clock.rtol, clock.atol)
    # the estimate is of order h^4, the error at the end of h^5: this makes the latter proportional to the tolerance
    allowed = 0.05 * tolerance**-0.2
    enough = allowed * max(2e-16 / tolerance, 0.02 * min(0.03, (allowed * tolerance) ** 0.5))
    if method.adaptive == 0:
        enough *= CONSTANT_STEPS
    fresh = 1 if scalars.stale != 0.0 and scalars.t_jacobian != t else 0
    if fresh == 1 or scalars.h_factors != h:
        if fresh == 1:
            call_with_state(w, w.calls[0].ydot, t, run.y)  # rates and multipliers for the derivatives
        bad = stage_factors(tree, closures, w, tan, newton, method, run, memory, fresh)
        if bad >= 0:
            counts.where, counts.outcome, clock.factor = bad, NEWTON_FAILED, 0.0
            return
    iterations = solve_stages(
        tree, closures, w, tan, newton, method, run, memory, enough, NEWTON_ERROR_FRACTION * allowed
    )
    if iterations == 0:
        counts.outcome, clock.factor = REJECTED, 1.0  # the same step again, with new derivatives
        if scalars.t_jacobian == t:
            counts.outcome, clock.factor = NEWTON_FAILED, scalars.shrink_by
        scalars.stale, scalars.repeated = 1.0, 1.0
        return
    scalars.stale = 0.0 if scalars.rate < GOOD or iterations == 1 else 1.0
    _accept(tree, closures, w, method, run, memory)
    bad = first_not_finite(run.y_new)
    if bad >= 0:
        counts.where, counts.outcome, clock.factor = bad, NOT_FINITE, 0.0
        return
    _control(tree, closures, w, tan, newton, method, run, memory, allowed, iterations)


@part
def _error_of_accumulators(method, run, m, n, weight):
    """Error of both energy accumulators in the step by their tolerance, as in explicit methods; the formula is that of
    the states.
    """
    size, largest, e, h = 0.0, 0.0, method.weights, run.clock[0].h
    for i in range(n, run.y.shape[0]):
        size = max(size, abs(run.y[i]), abs(run.y_new[i]))
        error = h * run.K[0, i]
        for s in range(3):
            error += e[s] * (m.states[s, i] - run.y[i])
        largest = max(largest, abs(error) / method.eigenvalues[0])
    return ACCUMULATOR_WEIGHT * largest / (run.clock[0].atol / weight + run.clock[0].rtol * size)


@part
def _control(tree, closures, w, tan, newton, method, run, memory, allowed, iterations):
    """Accept or reject the step, and say how long the next one should be."""
    clock, counts, scalars = run.clock[0], run.counts[0], memory.scalars[0]
    error, h = 0.0, clock.h
    if method.adaptive == 1:
        error, where = stage_error(tree, closures, w, tan, newton, method, run, memory)
        n = tree.nq + tree.nv + tree.nz
        if w.error_weights[n + 1] != 0.0 and closures.timed == 0:
            error = max(error, _error_of_accumulators(method, run, memory, n, w.error_weights[n + 1]))
        counts.where = where
    error = max(error / allowed, 1e-10)
    safety = SAFETY * (1 + 2 * MOST_ITERATIONS) / (iterations + 2 * MOST_ITERATIONS)
    grow = min(GROW, max(SHRINK, safety * error**-0.25))
    if error > 1.0:
        counts.outcome, clock.factor, scalars.repeated = REJECTED, grow, 1.0
        return
    if scalars.repeated != 0.0:
        grow = min(grow, 1.0)
        scalars.repeated = 0.0
    if scalars.h_accepted > 0.0:  # Gustafsson's predictive control
        ratio = h / scalars.h_accepted * (scalars.error_accepted / (error * error)) ** 0.25
        grow = min(grow, max(SHRINK, safety * ratio))
    scalars.h_accepted, scalars.error_accepted = h, max(error, 1e-2)
    if iterations > 1 and scalars.t_jacobian == clock.t:  # a longer step contracts less (Gustafsson & Söderlind 1997)
        grow = min(grow, max(1.0, CONTRACTION / scalars.rate))
    if 1.0 <= grow < KEEP:
        grow = 1.0  # another step would cost two factorisations
    counts.outcome, clock.factor = ACCEPTED, grow


@entry
def radau_polynomial(address):
    """Entry POLYNOMIAL."""
    context, run, method, memory, _ = unpack(address, RADAU_CONTEXT)
    tree, _, _, _ = unpack(context, REAL_CONTEXT)
    _collocation(tree, method, run, memory)
    _accumulators_within(method, run, tree.nq + tree.nv + tree.nz)


@entry
def radau_shift(address):
    """Entry SHIFT."""
    context, run, _, memory, _ = unpack(address, RADAU_CONTEXT)
    tree, _, closures, w = unpack(context, REAL_CONTEXT)
    _shift(tree, closures, w, run, memory)


RADAU_ENTRIES = (radau_start, radau_step, radau_polynomial, radau_shift)
