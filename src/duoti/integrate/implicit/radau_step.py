"""One step of Radau IIA of order 5 (three stages) for the equations of motion with stabilised constraints.

In the local coordinates x of the step (`chart`), at each stage

    dx/dt = T(x)^-1 v - G^T mu,    r(q, v, dv/dt, lambda) = 0,    g = 0,    dg/dt = 0,    dz/dt = f          (1)

(Gear, Gupta & Leimkuhler 1985: an index-2 problem). The stages are found together by a simplified Newton iteration
which the eigenvectors of the method's matrix split into one real and one complex system of the size of one stage
(Hairer & Wanner 1996, section IV.8). Eliminating the corrections of v leaves the system of `newton` with b = s²,
c = e = s for s = gamma/h and s = (alpha - i beta)/h.

At x = 0 the rates of a rotation's local coordinates are dx/dt = v + x × v/2 + ... (`chart.chart_rate`), so that

    dv = (s + E) dx + G^T mu + r_x,    E = v~/2 for each rotation, 0 for plain coordinates                       (2)

Without E, the Newton iteration of a body that turns by the angle a in a step contracts by about a/7 only.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.integrate.chart import chart_rate, retract
from duoti.integrate.implicit.loop import position_scale, put_state
from duoti.integrate.implicit.newton import (
    REGULARISATION,
    assemble,
    at,
    factorise,
    gather,
    regularise,
    solve,
    worst_equation,
)
from duoti.integrate.state import one
from duoti.kernel import call_entry, helper, part, record_dtype
from duoti.system.arrays import Closures, Tree, size_of_state


@helper
def turned(v, x, j, k):
    """Component k of E x, for the rotation with the rates j, j + 1, j + 2."""
    a, b = (k + 1) % 3, (k + 2) % 3
    return 0.5 * (v[j + a] * x[j + b] - v[j + b] * x[j + a])


@helper
def _rotated_row(row, v, j, k):
    """Component k of row E."""
    a, b = (k + 1) % 3, (k + 2) % 3
    return 0.5 * (row[j + a] * v[j + b] - row[j + b] * v[j + a])


@part
def add_chart(tree, closures, w, tan, newton, A, v, s):
    """Add to the matrix of `newton` what dv = s dx + E dx makes of it; v: where the derivatives were taken."""
    nv, rows, permutation = tree.nv, closures.rows, newton.permutation
    first = newton.n - tree.nz
    for q in range(tree.quat_v.shape[0]):
        j = tree.quat_v[q]
        for k in range(3):
            p = permutation[j + k]
            for m in range(newton.start[j], newton.start[j + 1]):
                i = newton.column[m]
                A[at(newton, permutation[i], p)] += (
                    _rotated_row(tan.M[i], v, j, k) + _rotated_row(tan.C[i], v, j, k) / s
                ) / s
            for i in range(tree.nz):
                A[at(newton, permutation[first + i], p)] -= _rotated_row(tan.Fv[i], v, j, k) / s
        for l in range(3):
            for m in range(closures.column[j + l], closures.column[j + l + 1]):
                r = closures.column_rows[m]
                row = nv + r if newton.nonholonomic[r] == 1 else nv + rows + r
                g = 0.5 * w.G[closures.column_at[m]] / s
                # row E: g e_l v~ has the components e_l × v
                A[at(newton, permutation[row], permutation[j + (l + 1) % 3])] -= g * v[j + (l + 2) % 3]
                A[at(newton, permutation[row], permutation[j + (l + 2) % 3])] += g * v[j + (l + 1) % 3]


MOST_ITERATIONS = 10
ROUND_OFF = 4e-16
NOISE = 10.0 * REGULARISATION  # the part of a correction of positions, over the step, that gets into the rates


SCALARS = record_dtype(
    "RadauScalars",
    stale=float,  # 1 if a new Jacobian is wanted
    h_factors=float,  # step of the factors
    rate=float,  # contraction of the iteration
    h_stages=float,  # step of the stages that are extrapolated, 0 if there are none
    h_accepted=float,  # the last accepted step, 0 if there is none ...
    error_accepted=float,  # ... and its error
    t_jacobian=float,  # time of the derivatives
    shrink_by=float,  # what a step that failed asks for
    repeated=float,  # 1 if the step was rejected before
    extent=float,  # size of the mechanism [m]
)


class RadauMemory(NamedTuple):
    """Stage values and scratch. Unknowns of a stage: displacement x, change of v, change of z, lambda, mu."""

    x: Any  # [3, nv]
    v: Any  # [3, nv] change of v since the beginning of the step
    z: Any  # [3, nz]
    multipliers: Any  # [3, rows]
    mu: Any  # [3, rows]
    r_x: Any  # [3, nv] residuals of the stages, then transformed
    r_v: Any  # [3, nv]
    r_z: Any  # [3, nz]
    r_g: Any  # [3, rows]
    r_h: Any  # [3, rows] of the velocities
    powers: Any  # [3, 2]
    states: Any  # [3, ny] states at the stages
    old_x: Any  # [3, nv] the last accepted step's, for extrapolation
    old_v: Any  # [3, nv]
    old_z: Any  # [3, nz]
    old_multipliers: Any  # [rows] of the forward dynamics at the beginning: redundant ones do not drift apart
    d_x: Any  # [nv] corrections and scratch
    d_v: Any  # [nv]
    d_v2: Any  # [nv] complex
    c_x: Any  # [nv] complex: transformed residuals 2 and 3 as real and imaginary part
    c_v: Any  # [nv]
    c_z: Any  # [nz]
    c_g: Any  # [rows]
    c_h: Any  # [rows]
    vdot: Any  # [nv]
    v_factors: Any  # [nv] rates where the derivatives were taken
    G: Any  # there, packed like Work.G
    scalars: Any  # [1] of type SCALARS


def new_radau_memory(tree: Tree, closures: Closures) -> RadauMemory:
    """Zeros."""
    nv, nz, rows = tree.nv, tree.nz, closures.rows
    width = {"z": nz, "r_z": nz, "old_z": nz, "multipliers": rows, "mu": rows, "r_g": rows, "r_h": rows, "powers": 2}
    width |= {"states": size_of_state(tree)}
    vectors = dict.fromkeys(("d_x", "d_v", "vdot", "v_factors"), nv)
    vectors |= {"old_multipliers": rows, "G": len(closures.support_dofs)}
    complex_width = {"d_v2": nv, "c_x": nv, "c_v": nv, "c_z": nz, "c_g": rows, "c_h": rows}

    def made(name: str) -> Any:
        if name in complex_width:
            return np.zeros(complex_width[name], complex)
        if name in vectors:
            return np.zeros(vectors[name])
        return np.zeros((3, width.get(name, nv)))

    return RadauMemory(**{name: made(name) for name in RadauMemory._fields[:-1]}, scalars=one(SCALARS))


@helper
def _at(P, polynomial, i, theta):
    """Value at theta of the polynomial through zero at 0 and P[:, i] at the stages."""
    total = 0.0
    for d in range(2, -1, -1):
        slope = 0.0
        for k in range(3):
            slope += polynomial[d, k] * P[k, i]
        total = (total + slope) * theta
    return total


@part
def predict_stages(tree, closures, method, run, m):
    """First guess of the stages: the polynomials of the last step, extrapolated; at first, constant rates."""
    h, old = run.clock[0].h, m.scalars[0].h_stages
    for s in range(3):
        if old > 0.0:
            theta = 1.0 + method.c[s] * h / old
            for i in range(tree.nv):
                m.x[s, i] = _at(m.old_x, method.fit, i, theta) - m.old_x[2, i]
                m.v[s, i] = _at(m.old_v, method.fit, i, theta) - m.old_v[2, i]
            for i in range(tree.nz):
                m.z[s, i] = _at(m.old_z, method.fit, i, theta) - m.old_z[2, i]
        else:
            d, n = method.c[s] * h, tree.nq
            for i in range(tree.nv):
                m.x[s, i] = d * (run.y[n + i] + 0.5 * d * run.K[0, n + i])
                m.v[s, i] = d * run.K[0, n + i]
            for i in range(tree.nz):
                m.z[s, i] = d * run.K[0, n + tree.nv + i]
        for r in range(closures.rows):
            m.multipliers[s, r] = m.old_multipliers[r]
            m.mu[s, r] = 0.0


@part
def stage_state(tree, run, m, s):
    """m.states[s] from the unknowns of stage s."""
    nq, nv, y = tree.nq, tree.nv, m.states[s]
    retract(tree, run.y, m.x[s], y)
    for i in range(nv):
        y[nq + i] = run.y[nq + i] + m.v[s, i]
    for i in range(tree.nz):
        y[nq + nv + i] = run.y[nq + nv + i] + m.z[s, i]


@part
def stage_residuals(tree, closures, w, newton, method, run, m, s):
    """Residuals of stage s; its state in m.states[s]."""
    t, h, nq, nv, nz = run.clock[0].t, run.clock[0].h, tree.nq, tree.nv, tree.nz
    y = m.states[s]
    stage_state(tree, run, m, s)
    for i in range(nv):
        m.vdot[i] = (method.inverse[s, 0] * m.v[0, i] + method.inverse[s, 1] * m.v[1, i]
                     + method.inverse[s, 2] * m.v[2, i]) / h  # fmt: skip
    put_state(tree, closures, w, t + method.c[s] * h, y, m.vdot, m.multipliers[s])
    call_entry(w.calls[0].residual, w.at[0].system)
    run.counts[0].evaluations += 1
    chart_rate(tree, m.x[s], y[nq:], m.d_x)
    for i in range(nv):
        rate = (method.inverse[s, 0] * m.x[0, i] + method.inverse[s, 1] * m.x[1, i]
                + method.inverse[s, 2] * m.x[2, i]) / h  # fmt: skip
        for k in range(closures.column[i], closures.column[i + 1]):
            r = closures.column_rows[k]
            rate += w.G[closures.column_at[k]] * m.mu[s, r]
        m.r_x[s, i] = rate - m.d_x[i]
        m.r_v[s, i] = w.a_free[i]
    for i in range(nz):
        rate = (method.inverse[s, 0] * m.z[0, i] + method.inverse[s, 1] * m.z[1, i]
                + method.inverse[s, 2] * m.z[2, i]) / h  # fmt: skip
        m.r_z[s, i] = newton.mass[i] * rate - w.ydot[nq + nv + i]
    for r in range(closures.rows):
        gap = w.g[r] + newton.soft[r] * m.multipliers[s, r]
        if abs(gap) <= ROUND_OFF * m.scalars[0].extent:
            gap = 0.0  # what is only round-off would come back over the step in the rates
        m.r_g[s, r] = w.gdot[r] if newton.nonholonomic[r] == 1 else gap
        m.r_h[s, r] = m.mu[s, r] if newton.nonholonomic[r] == 1 else w.gdot[r]
    m.powers[s, 0], m.powers[s, 1] = w.powers[1], w.powers[2]


@helper
def _transform(R, T_inverse, pair):
    """R[0], pair := T^-1 R over the stages; the pair belongs to the complex eigenvalues."""
    for i in range(R.shape[1]):
        a, b, c = R[0, i], R[1, i], R[2, i]
        R[0, i] = T_inverse[0, 0] * a + T_inverse[0, 1] * b + T_inverse[0, 2] * c
        pair[i] = complex(
            T_inverse[1, 0] * a + T_inverse[1, 1] * b + T_inverse[1, 2] * c,
            T_inverse[2, 0] * a + T_inverse[2, 1] * b + T_inverse[2, 2] * c,
        )


@helper
def _right_side(tree, closures, G, tan, newton, s, r_x, r_v, r_z, r_g, r_h, b):
    """Right-hand side of `newton` (1) for residuals transformed by the eigenvectors; dv = s dx + G^T mu + r_x."""
    nv, rows = tree.nv, closures.rows
    for i in range(nv):
        total = r_v[i] + 0.0 * s
        for k in range(newton.start[i], newton.start[i + 1]):
            total += (s * newton.M[k] + newton.C[k]) * r_x[newton.column[k]]
        b[i] = -total / (s * s)
    for r in range(rows):
        moved = 0.0 * s
        for k in range(closures.support[r], closures.support[r + 1]):
            moved += G[k] * r_x[closures.support_dofs[k]]
        if newton.nonholonomic[r] == 1:
            b[nv + r] = -(r_g[r] + moved) / s
            b[nv + rows + r] = -r_h[r] / s
        else:
            b[nv + r] = -r_g[r] + 0.0 * s
            b[nv + rows + r] = -(r_h[r] + moved) / s
    first = newton.n - tree.nz
    for k in range(tree.nz):
        total = -r_z[k] + 0.0 * s
        for i in range(nv):
            total += tan.Fv[k, i] * r_x[i]
        b[first + k] = total / s if newton.mass[k] == 1 else total


@helper
def _rates_of(tree, closures, G, v, newton, s, r_x, b, d_v):
    """d_v = (s + E) dx + G^T mu + r_x from the solution b, in which eta = mu / s; E: see (2)."""
    nv, rows = tree.nv, closures.rows
    for i in range(nv):
        total = s * b[i] + r_x[i]
        for k in range(closures.column[i], closures.column[i + 1]):
            r = closures.column_rows[k]
            if newton.nonholonomic[r] == 0:
                total += G[closures.column_at[k]] * s * b[nv + rows + r]
        d_v[i] = total
    for i in range(tree.quat_v.shape[0]):
        j = tree.quat_v[i]
        for k in range(3):
            d_v[j + k] += turned(v, b, j, k)


@part
def correct_stages(tree, closures, w, tan, newton, method, run, m):
    """One correction of all stages from their residuals; returns its weighted size."""
    h, nq, nv, nz, rows = run.clock[0].h, tree.nq, tree.nv, tree.nz, closures.rows
    _transform(m.r_x, method.T_inverse, m.c_x)
    _transform(m.r_v, method.T_inverse, m.c_v)
    _transform(m.r_z, method.T_inverse, m.c_z)
    _transform(m.r_g, method.T_inverse, m.c_g)
    _transform(m.r_h, method.T_inverse, m.c_h)
    s = method.eigenvalues[0] / h
    _right_side(tree, closures, m.G, tan, newton, s, m.r_x[0], m.r_v[0], m.r_z[0], m.r_g[0], m.r_h[0], newton.b)
    solve(newton, newton.A, newton.pivots, newton.b, newton.sorted)
    _rates_of(tree, closures, m.G, m.v_factors, newton, s, m.r_x[0], newton.b, m.d_v)
    s2, b2 = complex(method.eigenvalues[1], -method.eigenvalues[2]) / h, newton.b2
    _right_side(tree, closures, m.G, tan, newton, s2, m.c_x, m.c_v, m.c_z, m.c_g, m.c_h, b2)
    solve(newton, newton.A2, newton.pivots2, b2, newton.sorted2)
    _rates_of(tree, closures, m.G, m.v_factors, newton, s2, m.c_x, b2, m.d_v2)
    rtol, atol = run.clock[0].rtol, run.clock[0].atol
    total, T, first = 0.0, method.T, newton.n - nz
    noise_v = NOISE * abs(s) if rows > 0 else 0.0
    for k in range(3):
        for i in range(nv):
            d = T[k, 0] * newton.b[i] + T[k, 1] * b2[i].real + T[k, 2] * b2[i].imag
            m.x[k, i] += d
            extent = position_scale(tree, run.y, i)
            round_off = ROUND_OFF * (1.0 + extent)
            total += (max(0.0, abs(d) - round_off) / (atol + rtol * extent)) ** 2
            d = T[k, 0] * m.d_v[i] + T[k, 1] * m.d_v2[i].real + T[k, 2] * m.d_v2[i].imag
            m.v[k, i] += d
            v = abs(run.y[nq + i])
            total += (max(0.0, abs(d) - ROUND_OFF * v - noise_v * round_off) / (atol + rtol * v)) ** 2
        for i in range(nz):
            j = first + i
            d = T[k, 0] * newton.b[j] + T[k, 1] * b2[j].real + T[k, 2] * b2[j].imag
            m.z[k, i] += d
            z = abs(run.y[nq + nv + i])
            total += (max(0.0, abs(d) - ROUND_OFF * z) / (atol + rtol * z)) ** 2
        for r in range(rows):  # multipliers stand in units of b = s², eta = mu / s
            j = nv + r
            lam, lam2 = s * s * newton.b[j], s2 * s2 * b2[j]
            m.multipliers[k, r] += T[k, 0] * lam + T[k, 1] * lam2.real + T[k, 2] * lam2.imag
            j = nv + rows + r
            mu, mu2 = s * newton.b[j], s2 * b2[j]
            m.mu[k, r] += T[k, 0] * mu + T[k, 1] * mu2.real + T[k, 2] * mu2.imag
    return (total / (3.0 * max(1, 2 * nv + nz))) ** 0.5


@part
def stage_factors(tree, closures, w, tan, newton, method, run, m, fresh):
    """Factors of both systems, with derivatives in the state of the workspace if `fresh`; -1 if all is well."""
    h = run.clock[0].h
    if fresh == 1:
        call_entry(w.calls[0].linearise, w.at[0].system)
        gather(tree, tan, newton)
        run.counts[0].jacobians += 1
        m.scalars[0].t_jacobian, m.scalars[0].extent = run.clock[0].t, 1.0
        for b in range(tree.nb):
            for k in range(9, 12):
                m.scalars[0].extent = max(m.scalars[0].extent, abs(w.X_WB[b, k]))
        for i in range(tree.nv):
            m.v_factors[i] = run.y[tree.nq + i]
    for k in range(w.G.shape[0]):
        if fresh == 1:
            m.G[k] = w.G[k]
        else:
            w.G[k] = m.G[k]
    s = method.eigenvalues[0] / h
    regularise(tree, closures, w, tan, newton, 1.0 / (s * s))
    assemble(tree, closures, w, tan, newton, newton.A, 1.0 / s, 1.0 / (s * s), 1.0 / s, s, s)
    add_chart(tree, closures, w, tan, newton, newton.A, m.v_factors, s)
    bad = factorise(newton, newton.A, newton.pivots)
    if bad >= 0:
        return bad
    s2 = complex(method.eigenvalues[1], -method.eigenvalues[2]) / h
    assemble(tree, closures, w, tan, newton, newton.A2, 1.0 / s2, 1.0 / (s2 * s2), 1.0 / s2, s2, s2)
    add_chart(tree, closures, w, tan, newton, newton.A2, m.v_factors, s2)
    m.scalars[0].h_factors = h
    return factorise(newton, newton.A2, newton.pivots2)


@part
def solve_stages(tree, closures, w, tan, newton, method, run, m, enough, tolerable):
    """Solve for the stages. Returns the number of iterations, or 0 with the worst equation in run.counts[0].where.

    Gives up as soon as the iterations left will not do; SHRINK_BY then says by how much a smaller step would help
    (Hairer & Wanner 1996, section IV.8). Near positions where a loop is singular no step makes the iteration converge
    well; what it then leaves, if `tolerable`, is taken.
    """
    predict_stages(tree, closures, method, run, m)
    last, ratio = 0.0, m.scalars[0].rate ** 0.8
    m.scalars[0].shrink_by = 0.5
    iteration, size = 0, 0.0
    while iteration < MOST_ITERATIONS:
        iteration += 1
        for s in range(3):
            stage_residuals(tree, closures, w, newton, method, run, m, s)
        size = correct_stages(tree, closures, w, tan, newton, method, run, m)
        if not size < 1e300:
            break
        if iteration > 1:
            now = size / last if last > 0.0 else 0.0
            ratio = now if iteration == 2 else (now * ratio) ** 0.5
            # the rates of the closures may take the second correction to converge: it may be as large as the first
            early = iteration == 2 and closures.rows > 0
            if ratio >= (3.0 if early else 0.99) and size > enough:
                break
            if ratio < 0.99 and not early and method.adaptive == 1:  # constant steps have no choice
                left = size * ratio ** (MOST_ITERATIONS - iteration) / (1.0 - ratio)
                if left > enough:
                    excess = min(20.0, left / enough)
                    m.scalars[0].shrink_by = 0.8 * excess ** (-1.0 / (3.0 + MOST_ITERATIONS - iteration))
                    break
        last = size
        if size == 0.0 or (ratio < 0.99 and size * ratio / (1.0 - ratio) <= enough) or size <= 1e-3 * enough:
            m.scalars[0].rate = max(ratio, 1e-2)
            return iteration
    m.scalars[0].rate = 0.8
    if iteration > 2 and m.scalars[0].t_jacobian == run.clock[0].t and size <= tolerable:
        return iteration
    run.counts[0].where = worst_equation(newton)
    return 0


@part
def stage_error(tree, closures, w, tan, newton, method, run, m):
    """Weighted root mean square of the error estimate of order 3, filtered by the real system; where it is worst."""
    h, nq, nv, nz = run.clock[0].h, tree.nq, tree.nv, tree.nz
    s, e = method.eigenvalues[0] / h, method.weights
    for i in range(nv):
        m.r_x[0, i] = -(run.y[nq + i] + (e[0] * m.x[0, i] + e[1] * m.x[1, i] + e[2] * m.x[2, i]) / h)
        m.d_v[i] = run.K[0, nq + i] + (e[0] * m.v[0, i] + e[1] * m.v[1, i] + e[2] * m.v[2, i]) / h
    for i in range(nv):
        total = 0.0
        for k in range(newton.start[i], newton.start[i + 1]):
            total -= newton.M[k] * m.d_v[newton.column[k]]
        m.r_v[0, i] = total
    for i in range(nz):
        change = (e[0] * m.z[0, i] + e[1] * m.z[1, i] + e[2] * m.z[2, i]) / h
        m.r_z[0, i] = -(run.K[0, nq + nv + i] + newton.mass[i] * change)
    for r in range(closures.rows):
        m.r_g[0, r], m.r_h[0, r] = 0.0, 0.0
    _right_side(tree, closures, m.G, tan, newton, s, m.r_x[0], m.r_v[0], m.r_z[0], m.r_g[0], m.r_h[0], newton.b)
    solve(newton, newton.A, newton.pivots, newton.b, newton.sorted)
    _rates_of(tree, closures, m.G, m.v_factors, newton, s, m.r_x[0], newton.b, m.d_v)
    rtol, atol = run.clock[0].rtol, run.clock[0].atol
    total, worst, where = 0.0, -1.0, 0
    for i in range(nv):
        of_x = newton.b[i] / (atol + rtol * position_scale(tree, run.y, i))
        of_v = m.d_v[i] / (atol + rtol * max(abs(run.y[nq + i]), abs(run.y_new[nq + i])))
        error = of_x * of_x + of_v * of_v
        total += error
        if error > worst:
            worst, where = error, nq + i
    for i in range(nz):
        k = nq + nv + i
        error = (newton.b[newton.n - nz + i] / (atol + rtol * max(abs(run.y[k]), abs(run.y_new[k])))) ** 2
        total += error
        if error > worst:
            worst, where = error, k
    return (total / max(1, 2 * nv + nz)) ** 0.5, where
