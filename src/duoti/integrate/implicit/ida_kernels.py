"""The equations of motion as IDA wants them, compiled: residual, Jacobian, and what is done with a finished step.

Unknowns Y = (q, v, z, works, lambda, mu), with quaternions as plain states. Equations, in the same order:

    dq/dt - N(q) (v - G^T mu) - kappa (1 - |q|²) q     (the last term for quaternions only)
    r(q, v, dv/dt, lambda) = M dv/dt + h - forces - G^T lambda
    dz/dt - f (algebraic states: -f),    d(works)/dt - powers                                                (1)
    dg/dt + s lambda
    g - s mu                                           (mu itself, for rows that restrict velocities only)

This is the index-2 form of Gear, Gupta & Leimkuhler (1985). No law sees the length of a quaternion; kappa only keeps it
from running away. The tiny compliance s makes redundant rows share their force: without it nothing would determine
their multipliers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.dynamics.tree.kinematics import calc_qdot, unit_quaternions
from duoti.integrate.events import after_jump, restart_events, start_events
from duoti.integrate.implicit.loop import put_state
from duoti.integrate.record import RecordLayout
from duoti.integrate.state import (
    CONTINUE,
    NEWTON_FAILED,
    NOT_FINITE,
    Run,
    call_with_state,
    example_run,
    new_run,
    one,
    project,
    solve_algebraic,
    state_rates,
)
from duoti.integrate.steps import (
    count_from_here,
    first_not_finite,
    plan_step,
    polynomial_is_needed,
    same_time,
    watch_step,
)
from duoti.kernel import ContextType, address_of, call_entry, helper, kernel, pack, record_dtype, unpack
from duoti.system.arrays import ENERGY_ACCUMULATORS
from duoti.system.context import REAL_CONTEXT, TANGENT_CONTEXT, example_tree
from duoti.system.system import System

# What IDA's kernels keep between calls, and how they find it.


DEGREE = 5  # of the polynomial through a step: the highest order of BDF

BLOCK_BYTES = 4096

SCALARS = record_dtype("IdaScalars", tried=float, kappa=float, tries=int)


class Memory(NamedTuple):
    """What the kernels keep between calls. n = length of Y, ny = length of the state without multipliers."""

    scalars: Any  # [1] tried: time of the last trial step; kappa; tries: trial steps since the last finished one
    nonholonomic: Any  # [rows] 1: restricts velocities only
    compliance: Any  # [2, rows] s of lambda and of mu
    rate: Any  # [nv] scratch
    Y: Any  # [n] of the last trial
    Ydot: Any  # [n]
    residual: Any  # [n]
    begin: Any  # [ny] IDA's state at the beginning of the step; run.y is that brought back to closed loops
    samples: Any  # [4, ny] IDA's states at 1/3 and 2/3 of the step, and their rates times the step
    samples_x: Any  # [2, rows] IDA's multipliers at 1/3 and 2/3 of the step
    fit: Any  # [DEGREE, 5] coefficients of theta, theta², ... from samples and end, as changes since the beginning


def new_memory(tree: Any, rows: int) -> Memory:
    """Zeros, and the polynomial's coefficients from values at 1/3, 2/3, 1 and rates at 1/3, 2/3."""
    ny = tree.nq + tree.nv + tree.nz + ENERGY_ACCUMULATORS
    n = ny + 2 * rows
    powers = np.arange(1, DEGREE + 1)
    thirds = np.array([1.0, 2.0]) / 3.0
    values = np.array([*thirds, 1.0])[:, None] ** powers
    rates = powers * thirds[:, None] ** (powers - 1)
    return Memory(
        scalars=one(SCALARS), nonholonomic=np.zeros(rows, np.int64),
        compliance=np.zeros((2, rows)), rate=np.zeros(tree.nv), Y=np.zeros(n), Ydot=np.zeros(n),
        residual=np.zeros(n), begin=np.zeros(ny), samples=np.zeros((4, ny)),
        samples_x=np.zeros((2, rows)),
        fit=np.ascontiguousarray(np.linalg.inv(np.vstack([values, rates]))),
    )  # fmt: skip


def _example() -> tuple[Any, ...]:
    return example_run(), new_memory(example_tree(), 0)


IDA_CONTEXT = ContextType(_example)


class Packed(NamedTuple):
    """A run and its memory, and the block in which kernels find both: handing over an address costs nothing."""

    run: Run
    memory: Memory
    block: Any

    def repack(self) -> None:
        """Tell the kernels where the arrays are."""
        pack(self.block, (self.run, self.memory), IDA_CONTEXT)

    @property
    def address(self) -> int:
        """Of the block."""
        return address_of(self.block)


def new_packed(system: System, times: Any, layout: RecordLayout) -> Packed:
    """Arrays for a run with outputs at `times` (None: at steps)."""
    run = new_run(system.tree, system.loads, 1, DEGREE, times, nx=layout.size)
    memory = new_memory(system.tree, system.closures.rows)
    memory.nonholonomic[:] = system.closures.nonholonomic
    packed = Packed(run, memory, np.zeros(BLOCK_BYTES // 8))
    packed.repack()
    return packed


MOST_TRIES = 9  # of one step: IDA itself gives up after ten
LENGTH_RATE = 100.0  # kappa times the duration
REGULARISATION = 1e-10  # part of the velocity that a multiplier makes by which redundant rows yield
PATIENCE = 1e-3  # time, as part of the duration, in which s lambda is a part REGULAR of the velocity that lambda makes
TINY = 1e-15  # step that is no step any more, relative to the time


@kernel("i i")
def start_ida(context, ida):
    """Rates at the state run.y, from there Y and its rate in the memory; closed, if the state is not yet."""
    _, loads, closures, w = unpack(context, REAL_CONTEXT)
    run, m = unpack(ida, IDA_CONTEXT)
    t, ny, span = run.clock[0].t, run.y.shape[0], run.clock[0].t_end - run.clock[0].t_begin
    solve_algebraic(w, t, run.y)
    for i in range(ny):
        m.begin[i] = run.y[i]
    project(w, t, m.begin)
    state_rates(w, t, m.begin, run.K[0])
    run.counts[0].evaluations += 1
    for i in range(ny):
        m.Y[i], m.Ydot[i] = m.begin[i], run.K[0, i]
    for r in range(closures.rows):
        m.Y[ny + r], m.Y[ny + closures.rows + r] = w.multipliers[r], 0.0
        run.x[r] = w.multipliers[r]
        m.Ydot[ny + r] = m.Ydot[ny + closures.rows + r] = 0.0
    if run.counts[0].started == 0:
        m.scalars[0].kappa = LENGTH_RATE / span
        run.clock[0].h = 1e-4 * span  # IDA chooses; this is for messages
        start_events(loads, w, run)
        call_with_state(w, w.calls[0].ydot, t, run.y)  # leave the workspace at the initial state
    run.counts[0].started = 1


@kernel("i i")
def restart_ida(context, ida):
    """Go on after run.y was changed at clock.t, the time of a transition."""
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    run, _ = unpack(ida, IDA_CONTEXT)
    count_from_here(run)
    restart_events(tree, loads, w, run)
    after_jump(run)


@kernel("i i")
def set_compliance(context, ida):
    """s of each row: a part of what its multiplier does to its velocity in the state and derivatives of `jacobian_ida`.

    Rows that do next to nothing at the moment, or ever (a second hinge on the axis of the first), get a part of the
    largest.
    """
    tree, _, closures, w = unpack(context, REAL_CONTEXT)
    run, m = unpack(ida, IDA_CONTEXT)
    tan, _ = unpack(w.at[0].tangent, TANGENT_CONTEXT)
    s = REGULARISATION * PATIENCE * (run.clock[0].t_end - run.clock[0].t_begin)
    largest, largest_square = 0.0, 1e-6 * s
    for i in range(tree.nv):
        largest = max(largest, 1e-6 * s / max(tan.M[i, i], 1e-300))
    for r in range(closures.rows):
        schur, square = 0.0, 0.0
        for k in range(closures.support[r], closures.support[r + 1]):
            i = closures.support_dofs[k]
            schur += w.G[k] * w.G[k] / max(tan.M[i, i], 1e-300)
            square += w.G[k] * w.G[k]
        m.compliance[0, r], m.compliance[1, r] = s * schur, s * square
        largest, largest_square = max(largest, s * schur), max(largest_square, s * square)
    for r in range(closures.rows):
        m.compliance[0, r] = max(m.compliance[0, r], 1e-3 * largest)
        m.compliance[1, r] = max(m.compliance[1, r], 1e-3 * largest_square)


@helper
def _put(tree, closures, w, m, t, Y, Ydot):
    """Hand Y to the system's entries."""
    ny = m.begin.shape[0]
    put_state(tree, closures, w, t, Y[:ny], Ydot[tree.nq :], Y[ny:])


@helper
def _calc_qdot(tree, closures, w, m, Y):
    """m.rate = v - G^T mu."""
    first = m.begin.shape[0] + closures.rows
    for i in range(tree.nv):
        m.rate[i] = Y[tree.nq + i]
        for k in range(closures.column[i], closures.column[i + 1]):
            m.rate[i] -= w.G[closures.column_at[k]] * Y[first + closures.column_rows[k]]


@kernel("i i d d1 d1 d1")
def residual_ida(context, ida, t, Y, Ydot, out):
    """Residual of (1). Returns 1, and nothing else, if this step has been tried often enough or is none any more."""
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    run, m = unpack(ida, IDA_CONTEXT)
    if t != m.scalars[0].tried or m.scalars[0].tries == 0:
        begin, span = run.clock[0].t, run.clock[0].t_end - run.clock[0].t_begin
        if m.scalars[0].tries >= MOST_TRIES or not abs(t - begin) > TINY * max(abs(begin), span):
            return 1
        m.scalars[0].tries += 1
        m.scalars[0].tried = t
    nq, nv, nz, rows, ny = tree.nq, tree.nv, tree.nz, closures.rows, m.begin.shape[0]
    _put(tree, closures, w, m, t, Y, Ydot)
    call_entry(w.calls[0].residual, w.at[0].system)
    run.counts[0].evaluations += 1
    _calc_qdot(tree, closures, w, m, Y)
    calc_qdot(tree, Y, m.rate, out)
    for i in range(nq):
        out[i] = Ydot[i] - out[i]
    for i in range(tree.quat_q.shape[0]):
        k = tree.quat_q[i]
        pull = m.scalars[0].kappa * (1.0 - Y[k] ** 2 - Y[k + 1] ** 2 - Y[k + 2] ** 2 - Y[k + 3] ** 2)
        for j in range(k, k + 4):
            out[j] -= pull * Y[j]
    for i in range(nv):
        out[nq + i] = w.a_free[i]
    for i in range(nq + nv, nq + nv + nz):
        out[i] = loads.laws.state_mass[i - nq - nv] * Ydot[i] - w.ydot[i]
    out[ny - 2], out[ny - 1] = Ydot[ny - 2] - w.powers[1], Ydot[ny - 1] - w.powers[2]
    for r in range(rows):
        lam, mu = Y[ny + r], Y[ny + rows + r]
        out[ny + r] = w.gdot[r] + m.compliance[0, r] * lam
        out[ny + rows + r] = mu if m.nonholonomic[r] == 1 else w.g[r] - m.compliance[1, r] * mu
    for i in range(out.shape[0]):
        m.Y[i], m.Ydot[i], m.residual[i] = Y[i], Ydot[i], out[i]
    return 0


@helper
def _by_position(tree, Y, row, factor, J, p):
    """J[p, :nq] = factor * row, where row is a derivative by tangent vectors; that of a quaternion is 2 conj(q) dq."""
    for i in range(tree.plain_q.shape[0]):
        J[p, tree.plain_q[i]] = factor * row[tree.plain_v[i]]
    for i in range(tree.quat_q.shape[0]):
        k, j = tree.quat_q[i], tree.quat_v[i]
        a, b, c = row[j], row[j + 1], row[j + 2]
        w, x, y, z = Y[k], Y[k + 1], Y[k + 2], Y[k + 3]
        s = 2.0 * factor / (w * w + x * x + y * y + z * z)
        J[p, k] = -s * (x * a + y * b + z * c)
        J[p, k + 1] = s * (w * a - z * b + y * c)
        J[p, k + 2] = s * (z * a + w * b - x * c)
        J[p, k + 3] = s * (w * c + x * b - y * a)


@helper
def _quaternion_rows(tree, closures, w, m, Y, cj, J, k, j):
    """Rows of the quaternion at k in q, whose angular velocity is at j in v. mu is small: its products are left out."""
    first = m.begin.shape[0] + closures.rows
    a, x, y, z = 0.5 * Y[k], 0.5 * Y[k + 1], 0.5 * Y[k + 2], 0.5 * Y[k + 3]
    for c in range(3):  # column c of N(q)
        if c == 0:
            column = (-x, a, z, -y)
        elif c == 1:
            column = (-y, -z, a, x)
        else:
            column = (-z, y, -x, a)
        for i in range(4):
            J[k + i, tree.nq + j + c] = -column[i]
            for n in range(closures.column[j + c], closures.column[j + c + 1]):
                J[k + i, first + closures.column_rows[n]] += column[i] * w.G[closures.column_at[n]]
    kappa = m.scalars[0].kappa
    excess = 1.0 - Y[k] ** 2 - Y[k + 1] ** 2 - Y[k + 2] ** 2 - Y[k + 3] ** 2
    for i in range(4):
        for n in range(4):
            J[k + i, k + n] = 2.0 * kappa * Y[k + i] * Y[k + n]
        J[k + i, k + i] += cj - kappa * excess
    p, q, r = 0.5 * m.rate[j], 0.5 * m.rate[j + 1], 0.5 * m.rate[j + 2]  # N(q) u is linear in q
    J[k, k + 1] += p
    J[k, k + 2] += q
    J[k, k + 3] += r
    J[k + 1, k] -= p
    J[k + 1, k + 2] -= r
    J[k + 1, k + 3] += q
    J[k + 2, k] -= q
    J[k + 2, k + 1] += r
    J[k + 2, k + 3] -= p
    J[k + 3, k] -= r
    J[k + 3, k + 1] -= q
    J[k + 3, k + 2] += p


@kernel("i i d d1 d1 d d2")
def jacobian_ida(context, ida, t, Y, Ydot, cj, J):
    """J = d(residual)/dY + cj d(residual)/d(dY/dt); of the powers only what lambda does (works act on nothing)."""
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    run, m = unpack(ida, IDA_CONTEXT)
    tan, _ = unpack(w.at[0].tangent, TANGENT_CONTEXT)
    nq, nv, nz, rows, ny = tree.nq, tree.nv, tree.nz, closures.rows, m.begin.shape[0]
    _put(tree, closures, w, m, t, Y, Ydot)
    call_entry(w.calls[0].linearise, w.at[0].system)
    run.counts[0].jacobians += 1
    for i in range(J.shape[0]):
        for j in range(J.shape[1]):
            J[i, j] = 0.0
    _calc_qdot(tree, closures, w, m, Y)
    for i in range(tree.plain_q.shape[0]):
        k, j = tree.plain_q[i], tree.plain_v[i]
        J[k, k], J[k, nq + j] = cj, -1.0
        for n in range(closures.column[j], closures.column[j + 1]):
            J[k, ny + rows + closures.column_rows[n]] = w.G[closures.column_at[n]]
    for i in range(tree.quat_q.shape[0]):
        _quaternion_rows(tree, closures, w, m, Y, cj, J, tree.quat_q[i], tree.quat_v[i])
    for i in range(nv):
        _by_position(tree, Y, tan.K[i], 1.0, J, nq + i)
        for j in range(nv):
            J[nq + i, nq + j] = tan.C[i, j] + cj * tan.M[i, j]
        for j in range(nz):
            J[nq + i, nq + nv + j] = tan.Z[i, j]
        for n in range(closures.column[i], closures.column[i + 1]):
            J[nq + i, ny + closures.column_rows[n]] = -w.G[closures.column_at[n]]
    for i in range(nz):
        p = nq + nv + i
        _by_position(tree, Y, tan.Fq[i], -1.0, J, p)
        for j in range(nv):
            J[p, nq + j] = -tan.Fv[i, j]
        for j in range(nz):
            J[p, nq + nv + j] = -tan.Fz[i, j]
        J[p, p] += loads.laws.state_mass[i] * cj
    J[ny - 2, ny - 2] = J[ny - 1, ny - 1] = cj
    for r in range(rows):
        p, second = ny + r, ny + rows + r
        _by_position(tree, Y, tan.Gq[r], 1.0, J, p)
        for i in range(nv):
            m.rate[i] = 0.0
        for k in range(closures.support[r], closures.support[r + 1]):
            m.rate[closures.support_dofs[k]] = w.G[k]
            J[p, nq + closures.support_dofs[k]] = w.G[k]
        J[p, p] = m.compliance[0, r]
        J[ny - 2, p] = -w.values[r, 1]  # power of a prescribed motion
        if m.nonholonomic[r] == 1:
            J[second, second] = 1.0
        else:
            _by_position(tree, Y, m.rate, 1.0, J, second)
            J[second, second] = -m.compliance[1, r]


@kernel("i")
def step_status(ida):
    """Status before the next step: CONTINUE to take it."""
    run, m = unpack(ida, IDA_CONTEXT)
    m.scalars[0].tries = 0
    status, _ = plan_step(run)
    return status


@kernel("i i d")
def wants_polynomial(context, ida, t_new):
    """True if outputs or events lie in the step that ends at t_new."""
    _, loads, _, _ = unpack(context, REAL_CONTEXT)
    run, _ = unpack(ida, IDA_CONTEXT)
    return polynomial_is_needed(loads, run, t_new)


@kernel("i i d d1 d1 i")
def accept_ida(context, ida, t_new, Y, Ydot, sampled):
    """A finished step: outputs and events on the polynomial through the samples (sampled == 1). Returns a status.

    What brings IDA's states back to closed loops and unit quaternions is spread over the step; IDA goes on as it was.
    """
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    run, m = unpack(ida, IDA_CONTEXT)
    clock, counts, ny = run.clock[0], run.counts[0], m.begin.shape[0]
    counts.rejected += max(0, m.scalars[0].tries - 1)
    m.scalars[0].tries = 0
    clock.h = t_new - clock.t
    for i in range(ny):
        run.y_new[i] = Y[i]
    bad = first_not_finite(run.y_new)
    if bad >= 0:
        counts.where = bad
        return NOT_FINITE
    for r in range(closures.rows):  # what the compliance opened, g = s mu, must be nothing to speak of
        given = abs(m.compliance[1, r] * Y[ny + closures.rows + r])
        if m.nonholonomic[r] == 0 and given > max(clock.rtol, clock.atol):
            counts.where = tree.nv + r
            return NEWTON_FAILED
    for r in range(closures.rows):
        run.x_new[r] = Y[ny + r]
    unit_quaternions(tree, run.y_new[: tree.nq])
    project(w, t_new, run.y_new)
    if sampled == 1:
        for i in range(ny):
            a, b = m.samples[0, i] - m.begin[i], m.samples[1, i] - m.begin[i]
            for d in range(DEGREE):
                run.Q[d, i] = (m.fit[d, 0] * a + m.fit[d, 1] * b + m.fit[d, 2] * (Y[i] - m.begin[i])
                               + m.fit[d, 3] * m.samples[2, i] + m.fit[d, 4] * m.samples[3, i])  # fmt: skip
            run.Q[0, i] += (run.y_new[i] - Y[i]) - (run.y[i] - m.begin[i])
        for r in range(closures.rows):  # the cubic polynomial through the multipliers at 0, 1/3, 2/3 and 1
            a, b, c = m.samples_x[0, r] - run.x[r], m.samples_x[1, r] - run.x[r], Y[ny + r] - run.x[r]
            run.X[0, r] = 9.0 * a - 4.5 * b + c
            run.X[1, r] = -22.5 * a + 18.0 * b - 4.5 * c
            run.X[2, r] = 13.5 * a - 13.5 * b + 4.5 * c
    counts.at_due = 1 if abs(clock.t_due - t_new) <= same_time(run) else 0
    status = watch_step(tree, loads, w, run, t_new)
    if status != CONTINUE:
        return status
    for i in range(ny):
        run.y[i], m.begin[i], run.K[0, i] = run.y_new[i], Y[i], Ydot[i]
    clock.t = t_new
    counts.steps += 1
    status, _ = plan_step(run)
    return status
