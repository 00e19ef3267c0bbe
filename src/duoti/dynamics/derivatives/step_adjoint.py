"""Adjoint of the steps of a Runge-Kutta method, swept backward in compiled code.

With bars for derivatives of an objective by what they stand over, a step y -> y+ with stages Y_i and rates k_i gives

    ybar := dP^T ybar,   kbar_i = h b_i ybar + h sum_{j > i} a_ji Ybar_j,   Ybar_i = (dk/dy)^T kbar_i               (1)
    ybar := ybar + sum_i Ybar_i                                                                                     (2)

Of an implicit method, the bars of all stages follow together from

    (1 - h A^T x (dk/dy)^T) kbar = h b x ybar                                                                       (3)

The generalised-alpha methods (`integrate.implicit.alpha_step`) carry helpers a and s beside the state. With k the rates
at the end of a step, y = Y(a), a = A(k) and D = dy/dk,

    (1 - D^T (dk/dy)^T) kbar = carried kbar + dA^T (abar + dY^T ybar),   ybar := ybar + (dk/dy)^T kbar              (4)

and the bars of what the step began with follow from (1) to (3) there. Trees only: closures are differentiated by other
methods.

P brings loops back to closure and quaternions to unit length. Rates satisfy, with the names of
`analyses.states.linearised_equations`,

    M da - G^T dl = -(K delta + C dv + Z dz + r_p dp),   G da = -(Aq delta + Av dv + c_p dp)                        (5)

so that for a given abar

    M mu + G^T nu = abar,  G mu = 0,    deltabar = -K^T mu - Aq^T nu,  vbar = -C^T mu - Av^T nu,  zbar = -Z^T mu     (6)

and the derivative by a parameter is -(mu . r_p + nu . c_p - zdotbar . f_p), plus those of P. Weights mu, nu, ... of
each stage are recorded together with its state: parameters are looked at afterwards (`parameter_adjoint`), so that the
sweep costs the same for any number of them.

G M^-1 G^T may be singular (redundant equations): nu is that of least norm, by proximal iterations.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from duoti.dynamics.loops.factors import factor_tree, solve_mass
from duoti.kernel import ContextType, call_entry, entry, helper, part, unpack
from duoti.system.context import REAL_CONTEXT, TANGENT_CONTEXT

SHIFT = 1e-7  # of the scaled G M^-1 G^T, whose regular part has eigenvalues well above it
ITERATIONS = 4  # each leaves SHIFT / (SHIFT + eigenvalue) of the error
MOST_NEWTON = 15  # iterations for the stages of an implicit step
SOLVED, ROUND_OFF = 1e-13, 1e-10  # changes that end them at once, and where they do not become smaller


class Sweep(NamedTuple):
    """What the entry reads and writes. Rows of the tape are stages; the one more is the end of the step."""

    system: int  # address of the context (tree, loads, closures, w)
    stages: int
    sums: int  # objectives
    implicit: int  # 1 for an implicit Runge-Kutta method, 2 for generalised-alpha
    span: Any  # [4] steps first - 1 down to last; 1: begin at the end of the run; 1 + step that was not solved
    A: Any  # [stages + 1, stages + 1] tableau, with the weights in the last row
    c: Any  # [stages + 1]
    t: Any  # [steps + 1]
    y: Any  # [steps + 1, n]
    final: Any  # [sums, n] weights of the rates at the end
    bar: Any  # [sums, n] ybar, in and out
    integral: Any  # [n] integrals of the rates by the method's own quadrature
    end: Any  # [n] rates at the end of the run

    slot: Any  # [stages + 1] rows of the tape
    Y: Any  # [stages + 1, n]
    k: Any  # [stages + 1, n]
    multipliers: Any  # [stages + 1, rows]
    L: Any  # [stages + 1, ...] packed factor of M
    K: Any  # [stages + 1, nv, nv]
    C: Any
    Z: Any  # [stages + 1, nv, nz]
    Fq: Any  # [stages + 1, nz, nv]
    Fv: Any
    Fz: Any  # [stages + 1, nz, nz]
    G: Any  # [stages + 1, rows, nv]
    Gq: Any
    Aq: Any
    Av: Any
    B: Any  # [stages + 1, rows, nv] G M^-1
    D: Any  # [stages + 1, rows, rows] factor of the scaled G M^-1 G^T
    Dh: Any  # [stages + 1, rows, rows] the same of the equations of positions
    scale: Any  # [stages + 1, rows] scaling, 0 for equations that say nothing

    out: Any  # [stages sums, n] Ybar
    kbar: Any  # [n]
    delta: Any  # [nv]
    mu: Any  # [nv]
    nu: Any  # [rows]
    x: Any  # [nv]
    right: Any  # [rows]
    trial: Any  # [rows]

    J: Any  # [stages, n, n] of an implicit method: derivatives of the rates ...
    LU: Any  # [stages n, stages n] ... factors of (3) ...
    pivots: Any  # [stages n]
    stack: Any  # [stages n] ... and its right side

    alpha: Any  # [7] alpha_m, alpha_f, beta, gamma, delta_m, delta_f, gamma_z of generalised-alpha
    own: Any  # [1] states of z that it integrates; the integrals behind them follow the trapezoidal rule
    E: Any  # [4 quaternions, 3] change of a step's rotation with its rotation vector ...
    R: Any  # [4 quaternions, 4] ... and with its beginning
    a_bar: Any  # [sums, nv] bars of the helper a ...
    s_bar: Any  # [sums, nz] ... of s ...
    k_bar: Any  # [sums, n] ... and of the rates at the end of the step

    at_t: Any  # [records]
    at_y: Any  # [records, n]
    at_a: Any  # [records, nv]
    at_l: Any  # [records, rows]
    w_r: Any  # [records, sums, nv] weights of r_p ...
    w_c: Any  # [records, sums, rows] ... c_p ...
    w_z: Any  # [records, sums, nz] ... f_p ...
    w_g: Any  # [records, sums, rows] ... g_p ...
    w_d: Any  # [records, sums, rows] ... and d(dg/dt)/dp


STAGES = (
    "K",
    "C",
    "Z",
    "Fq",
    "Fv",
    "Fz",
    "G",
    "Gq",
    "Aq",
    "Av",
    "B",
    "D",
    "Dh",
    "J",
    "w_r",
    "w_c",
    "w_z",
    "w_g",
    "w_d",
)
VECTORS = ("c", "t", "integral", "end", "kbar", "delta", "mu", "nu", "x", "right", "trial", "at_t", "stack", "alpha")


def _example() -> tuple[Any, ...]:
    ones: dict[str, Any] = {name: np.zeros(1) for name in VECTORS} | {name: np.zeros((1, 1, 1)) for name in STAGES}
    ones |= {
        "span": np.zeros(1, np.int64),
        "slot": np.zeros(1, np.int64),
        "pivots": np.zeros(1, np.int64),
        "own": np.zeros(1, np.int64),
    }
    counts: dict[str, Any] = dict.fromkeys(("system", "stages", "sums", "implicit"), 0)
    made: dict[str, Any] = {
        name: counts[name] if name in counts else ones.get(name, np.zeros((1, 1))) for name in Sweep._fields
    }
    return (Sweep(**made),)


SWEEP_CONTEXT = ContextType(_example)


@helper
def _scaled_factor(s, at, D, rows, mixed, closures):
    """Factor of the scaled G M^-1 G^T with the shift, lower triangle; mixed: without nonholonomic equations."""
    for r in range(rows):
        for c in range(r + 1):
            x = 0.0
            for j in range(s.mu.shape[0]):
                x += s.G[at, r, j] * s.B[at, c, j]
            x *= s.scale[at, r] * s.scale[at, c]
            if mixed == 1 and closures.nonholonomic[r] + closures.nonholonomic[c] > 0:
                x = 0.0
            if r == c:
                x += SHIFT
            for k in range(c):
                x -= D[at, r, k] * D[at, c, k]
            if c < r:
                D[at, r, c] = x / D[at, c, c]
            else:
                D[at, r, r] = max(x, SHIFT * SHIFT) ** 0.5


@part
def _solve(s, at, D, rows):
    """s.nu := (G M^-1 G^T)^-1 s.right, of least norm."""
    for r in range(rows):
        s.nu[r] = 0.0
    for _ in range(ITERATIONS):
        for r in range(rows):
            x = s.scale[at, r] * s.right[r] + SHIFT * s.nu[r]
            for k in range(r):
                x -= D[at, r, k] * s.trial[k]
            s.trial[r] = x / D[at, r, r]
        for r in range(rows - 1, -1, -1):
            x = s.trial[r]
            for k in range(r + 1, rows):
                x -= D[at, k, r] * s.trial[k]
            s.trial[r] = x / D[at, r, r]
        for r in range(rows):
            s.nu[r] = s.trial[r]
    for r in range(rows):
        s.nu[r] *= s.scale[at, r]


@part
def _evaluate(tree, closures, w, tan, s, at, t):
    """Rates of the state s.Y[at], and all derivatives of the equations there, onto the tape."""
    nq, nv, nz, rows = tree.nq, tree.nv, tree.nz, closures.rows
    n = nq + nv + nz
    w.clock[0] = t
    for j in range(n):
        w.y[j] = s.Y[at, j]
    call_entry(w.calls[0].ydot, s.system)
    for j in range(n):
        s.k[at, j] = w.ydot[j]
    for r in range(rows):
        s.multipliers[at, r] = w.multipliers[r]
        s.scale[at, r] = w.scaling[r]
    call_entry(w.calls[0].linearise, s.system)
    if rows > 0:
        call_entry(w.calls[0].acceleration_rows, s.system)
    for i in range(nv):
        for j in range(nv):
            s.K[at, i, j] = tan.K[i, j]
            s.C[at, i, j] = tan.C[i, j]
        for j in range(nz):
            s.Z[at, i, j] = tan.Z[i, j]
        j = i
        while j >= 0:
            s.L[at, tree.M_row[i] + tree.depth[j]] = tan.M[i, j]
            j = tree.parent_dof[j]
    for i in range(nz):
        for j in range(nv):
            s.Fq[at, i, j] = tan.Fq[i, j]
            s.Fv[at, i, j] = tan.Fv[i, j]
        for j in range(nz):
            s.Fz[at, i, j] = tan.Fz[i, j]
    L = s.L[at]
    factor_tree(tree, L)
    if rows == 0:
        return
    mixed = 0
    for r in range(rows):
        for j in range(nv):
            s.G[at, r, j] = 0.0
            s.Gq[at, r, j] = tan.Gq[r, j]
            s.Aq[at, r, j] = tan.Aq[r, j]
            s.Av[at, r, j] = tan.Av[r, j]
        for k in range(closures.support[r], closures.support[r + 1]):
            s.G[at, r, closures.support_dofs[k]] = w.G[k]
        mixed += closures.nonholonomic[r]
        for j in range(nv):
            s.x[j] = s.G[at, r, j]
        solve_mass(tree, L, s.x)
        size = 0.0
        for j in range(nv):
            s.B[at, r, j] = s.x[j]
            size += s.x[j] * s.G[at, r, j]
        s.scale[at, r] = size**-0.5 if s.scale[at, r] != 0.0 and size > 0.0 else 0.0
    _scaled_factor(s, at, s.D, rows, 0, closures)
    if mixed > 0:
        _scaled_factor(s, at, s.Dh, rows, 1, closures)
    else:
        for r in range(rows):
            for k in range(r + 1):
                s.Dh[at, r, k] = s.D[at, r, k]


@part
def _displace(tree, s, at, q_bar):
    """q_bar += T^T s.delta: displacements that belong to changes of coordinates."""
    for i in range(tree.plain_q.shape[0]):
        q_bar[tree.plain_q[i]] += s.delta[tree.plain_v[i]]
    for i in range(tree.quat_q.shape[0]):
        k, j = tree.quat_q[i], tree.quat_v[i]
        a, x, y, z = s.Y[at, k], s.Y[at, k + 1], s.Y[at, k + 2], s.Y[at, k + 3]
        d0, d1, d2 = s.delta[j], s.delta[j + 1], s.delta[j + 2]
        f = 2.0 / (a * a + x * x + y * y + z * z)
        q_bar[k] += f * (-x * d0 - y * d1 - z * d2)
        q_bar[k + 1] += f * (a * d0 - z * d1 + y * d2)
        q_bar[k + 2] += f * (z * d0 + a * d1 - x * d2)
        q_bar[k + 3] += f * (-y * d0 + x * d1 + a * d2)


@part
def _stage(tree, closures, s, at, out):
    """out += (dk/dy)^T s.kbar at a row of the tape; leaves s.mu and s.nu."""
    nq, nv, nz, rows = tree.nq, tree.nv, tree.nz, closures.rows
    z = nq + nv
    for j in range(nv):
        s.mu[j] = s.kbar[nq + j]
    solve_mass(tree, s.L[at], s.mu)
    if rows > 0:
        for r in range(rows):
            x = 0.0
            for j in range(nv):
                x += s.G[at, r, j] * s.mu[j]
            s.right[r] = x
        _solve(s, at, s.D, rows)
        for r in range(rows):
            for j in range(nv):
                s.mu[j] -= s.B[at, r, j] * s.nu[r]
    for j in range(nv):
        s.delta[j] = 0.0
    for i in range(nv):
        m = s.mu[i]
        for j in range(nv):
            s.delta[j] -= s.K[at, i, j] * m
            out[nq + j] -= s.C[at, i, j] * m
        for k in range(nz):
            out[z + k] -= s.Z[at, i, k] * m
    for r in range(rows):
        m = s.nu[r]
        for j in range(nv):
            s.delta[j] -= s.Aq[at, r, j] * m
            out[nq + j] -= s.Av[at, r, j] * m
    for k in range(nz):
        m = s.kbar[z + k]
        if m != 0.0:
            for j in range(nv):
                s.delta[j] += s.Fq[at, k, j] * m
                out[nq + j] += s.Fv[at, k, j] * m
            for i in range(nz):
                out[z + i] += s.Fz[at, k, i] * m
    _displace(tree, s, at, out)
    for i in range(tree.plain_q.shape[0]):
        out[nq + tree.plain_v[i]] += s.kbar[tree.plain_q[i]]
    for i in range(tree.quat_q.shape[0]):
        k, j = tree.quat_q[i], nq + tree.quat_v[i]
        e, x, y, u = s.Y[at, k], s.Y[at, k + 1], s.Y[at, k + 2], s.Y[at, k + 3]
        a, b, c = s.Y[at, j], s.Y[at, j + 1], s.Y[at, j + 2]
        p0, p1, p2, p3 = 0.5 * s.kbar[k], 0.5 * s.kbar[k + 1], 0.5 * s.kbar[k + 2], 0.5 * s.kbar[k + 3]
        out[j] += -x * p0 + e * p1 + u * p2 - y * p3
        out[j + 1] += -y * p0 - u * p1 + e * p2 + x * p3
        out[j + 2] += -u * p0 + y * p1 - x * p2 + e * p3
        out[k] += a * p1 + b * p2 + c * p3
        out[k + 1] += -a * p0 - c * p2 + b * p3
        out[k + 2] += -b * p0 + c * p1 - a * p3
        out[k + 3] += -c * p0 - b * p1 + a * p2


@part
def _factor_stages(tree, closures, s, h):
    """Derivatives of the rates of all stages, and the factors of (3)."""
    n, stages, LU = s.Y.shape[1], s.stages, s.LU
    for i in range(stages):
        for r in range(n):
            for j in range(n):
                s.J[i, r, j] = 0.0
                s.kbar[j] = 0.0
            s.kbar[r] = 1.0
            _stage(tree, closures, s, s.slot[i], s.J[i, r])
    for i in range(stages):
        for k in range(stages):
            a = h * s.A[i, k]
            for r in range(n):
                for j in range(n):
                    LU[i * n + r, k * n + j] = -a * s.J[i, r, j]
        for r in range(n):
            LU[i * n + r, i * n + r] += 1.0
    _factor(s, stages * n)


@part
def _factor(s, size):
    """LU factors with partial pivoting, in place."""
    LU = s.LU
    for k in range(size):
        best = k
        for i in range(k + 1, size):
            if abs(LU[i, k]) > abs(LU[best, k]):
                best = i
        s.pivots[k] = best
        if best != k:
            for j in range(size):
                LU[k, j], LU[best, j] = LU[best, j], LU[k, j]
        if LU[k, k] == 0.0:
            LU[k, k] = 1e-300
        for i in range(k + 1, size):
            x = LU[i, k] / LU[k, k]
            LU[i, k] = x
            if x != 0.0:
                for j in range(k + 1, size):
                    LU[i, j] -= x * LU[k, j]


@part
def _solve_stages(s, size):
    """s.stack := (1 - h A x dk/dy)^-1 s.stack."""
    x, LU = s.stack, s.LU
    for k in range(size):
        x[k], x[s.pivots[k]] = x[s.pivots[k]], x[k]
    for k in range(size):
        for j in range(k):
            x[k] -= LU[k, j] * x[j]
    for k in range(size - 1, -1, -1):
        for j in range(k + 1, size):
            x[k] -= LU[k, j] * x[j]
        x[k] /= LU[k, k]


@part
def _solve_transposed(s, size):
    """s.stack := (1 - h A x dk/dy)^-T s.stack."""
    x, LU = s.stack, s.LU
    for k in range(size):
        x[k] /= LU[k, k]
        for j in range(k + 1, size):
            x[j] -= LU[k, j] * x[k]
    for k in range(size - 1, -1, -1):
        for j in range(k):
            x[j] -= LU[k, j] * x[k]
    for k in range(size - 1, -1, -1):
        x[k], x[s.pivots[k]] = x[s.pivots[k]], x[k]


@part
def _implicit_stages(tree, closures, w, tan, s, step):
    """Stages of an implicit step by Newton's method, onto the tape, with the factors of (3); 1 if they are solved."""
    n, stages, t, h = s.Y.shape[1], s.stages, s.t[step], s.t[step + 1] - s.t[step]
    for i in range(stages):
        for j in range(n):
            s.out[i, j] = (s.y[step + 1, j] - s.y[step, j]) / h
    last = 1e300
    for _ in range(MOST_NEWTON):
        for i in range(stages):
            at = s.slot[i]
            for j in range(n):
                s.Y[at, j] = s.y[step, j]
            for k in range(stages):
                a = h * s.A[i, k]
                for j in range(n):
                    s.Y[at, j] += a * s.out[k, j]
            _evaluate(tree, closures, w, tan, s, at, t + s.c[i] * h)
        _factor_stages(tree, closures, s, h)
        for i in range(stages):
            for j in range(n):
                s.stack[i * n + j] = s.k[s.slot[i], j] - s.out[i, j]
        _solve_stages(s, stages * n)
        change = 0.0
        for i in range(stages):
            for j in range(n):
                x = s.stack[i * n + j]
                s.out[i, j] += x
                size = abs(h * x) / (1.0 + abs(s.y[step, j]) + abs(h * s.out[i, j]))
                change = size if not size <= change else change
        if change <= SOLVED or (change <= ROUND_OFF and change >= last):
            return 1
        last = change
    return 0


@part
def _implicit_step(tree, closures, s, step, last):
    """Bars of all stages from s.bar, and what they add to it."""
    n, stages, h = s.Y.shape[1], s.stages, s.t[step + 1] - s.t[step]
    for o in range(s.sums):
        for i in range(stages):
            for j in range(n):
                s.stack[i * n + j] = h * s.A[stages, i] * s.bar[o, j]
        _solve_transposed(s, stages * n)
        for i in range(stages):
            for j in range(n):
                s.kbar[j] = s.stack[i * n + j]
            _stage(tree, closures, s, s.slot[i], s.bar[o])
            _weights(tree, closures, s, o, (step - last) * stages + i)


@part
def _rotations(tree, s, step):
    """s.E and s.R of the rotations of a step."""
    for i in range(tree.quat_q.shape[0]):
        k, at = tree.quat_q[i], 4 * i
        a, b, c, d = s.y[step, k], s.y[step, k + 1], s.y[step, k + 2], s.y[step, k + 3]
        p0, p1, p2, p3 = s.y[step + 1, k], s.y[step + 1, k + 1], s.y[step + 1, k + 2], s.y[step + 1, k + 3]
        e0 = a * p0 + b * p1 + c * p2 + d * p3
        e1 = a * p1 - b * p0 - c * p3 + d * p2
        e2 = a * p2 + b * p3 - c * p0 - d * p1
        e3 = a * p3 - b * p2 + c * p1 - d * p0
        if e0 < 0.0:
            e0, e1, e2, e3 = -e0, -e1, -e2, -e3
        length = (e1 * e1 + e2 * e2 + e3 * e3) ** 0.5
        t = 2.0 * math.atan2(length, e0)
        f = length / t if t > 1e-8 else 0.5
        bend = (0.5 * e0 - f) / (t * t) if t > 1e-2 else t * t / 960.0 - 1.0 / 24.0
        x0, x1, x2 = e1 / f, e2 / f, e3 / f
        D = (
            (-0.5 * e1, -0.5 * e2, -0.5 * e3),
            (f + bend * x0 * x0, bend * x0 * x1, bend * x0 * x2),
            (bend * x1 * x0, f + bend * x1 * x1, bend * x1 * x2),
            (bend * x2 * x0, bend * x2 * x1, f + bend * x2 * x2),
        )
        for j in range(3):
            u0, u1, u2, u3 = D[0][j], D[1][j], D[2][j], D[3][j]
            s.E[at, j] = a * u0 - b * u1 - c * u2 - d * u3
            s.E[at + 1, j] = b * u0 + a * u1 - d * u2 + c * u3
            s.E[at + 2, j] = c * u0 + d * u1 + a * u2 - b * u3
            s.E[at + 3, j] = d * u0 - c * u1 + b * u2 + a * u3
        s.R[at, 0], s.R[at, 1], s.R[at, 2], s.R[at, 3] = e0, -e1, -e2, -e3
        s.R[at + 1, 0], s.R[at + 1, 1], s.R[at + 1, 2], s.R[at + 1, 3] = e1, e0, e3, -e2
        s.R[at + 2, 0], s.R[at + 2, 1], s.R[at + 2, 2], s.R[at + 2, 3] = e2, -e3, e0, e1
        s.R[at + 3, 0], s.R[at + 3, 1], s.R[at + 3, 2], s.R[at + 3, 3] = e3, e2, -e1, e0


@part
def _displacement_bar(tree, s, bar, out):
    """out = bar of the displacement of a step, from that of the positions at its end."""
    for i in range(tree.plain_q.shape[0]):
        out[tree.plain_v[i]] = bar[tree.plain_q[i]]
    for i in range(tree.quat_q.shape[0]):
        k, at = tree.quat_q[i], 4 * i
        for j in range(3):
            x = 0.0
            for l in range(4):
                x += s.E[at + l, j] * bar[k + l]
            out[tree.quat_v[i] + j] = x


@part
def _factor_alpha(tree, closures, s, at, h):
    """Derivatives of the rates at the end of a step, and the factors of (4)."""
    nq, nv, own, n = tree.nq, tree.nv, s.own[0], s.Y.shape[1]
    alpha_m, alpha_f, beta, gamma = s.alpha[0], s.alpha[1], s.alpha[2], s.alpha[3]
    c = (1.0 - alpha_f) / (1.0 - alpha_m)
    cz = h * s.alpha[6] * (1.0 - s.alpha[5]) / (1.0 - s.alpha[4])
    for r in range(nv + own):
        for j in range(n):
            s.J[0, r, j] = 0.0
            s.kbar[j] = 0.0
        s.kbar[nq + r] = 1.0
        _stage(tree, closures, s, at, s.J[0, r])
    for r in range(nv + own):
        _displacement_bar(tree, s, s.J[0, r], s.x)
        for j in range(nv):
            s.LU[r, j] = -c * (h * h * beta * s.x[j] + h * gamma * s.J[0, r, nq + j])
        for j in range(own):
            s.LU[r, nv + j] = -cz * s.J[0, r, nq + nv + j]
        s.LU[r, r] += 1.0
    _factor(s, nv + own)


@part
def _alpha_step(tree, closures, s, step, record):
    """Bars at the beginning of a generalised-alpha step, from those at its end."""
    nq, nv, own = tree.nq, tree.nv, s.own[0]
    z, n, h, at = nq + nv, s.Y.shape[1], s.t[step + 1] - s.t[step], s.slot[0]
    alpha_m, alpha_f, beta, gamma = s.alpha[0], s.alpha[1], s.alpha[2], s.alpha[3]
    delta_m, delta_f, gamma_z = s.alpha[4], s.alpha[5], s.alpha[6]
    c, cz = (1.0 - alpha_f) / (1.0 - alpha_m), (1.0 - delta_f) / (1.0 - delta_m)
    _rotations(tree, s, step)
    _factor_alpha(tree, closures, s, at, h)
    for o in range(s.sums):
        bar = s.bar[o]
        _displacement_bar(tree, s, bar, s.x)
        for j in range(nv):
            s.stack[j] = s.k_bar[o, nq + j] + c * (s.a_bar[o, j] + h * h * beta * s.x[j] + h * gamma * bar[nq + j])
        for j in range(own):
            s.stack[nv + j] = s.k_bar[o, z + j] + cz * (s.s_bar[o, j] + h * gamma_z * bar[z + j])
        # what integrals by the trapezoidal rule read of the rates acts on the state directly
        for j in range(n):
            s.kbar[j] = 0.0
        for j in range(own, tree.nz):
            s.kbar[z + j] = s.k_bar[o, z + j] + 0.5 * h * bar[z + j]
        for j in range(n):
            s.out[0, j] = 0.0
        _stage(tree, closures, s, at, s.out[0])
        _weights(tree, closures, s, o, record)
        _displacement_bar(tree, s, s.out[0], s.x)
        for j in range(nv):
            s.stack[j] += c * (h * h * beta * s.x[j] + h * gamma * s.out[0, nq + j])
        for j in range(own):
            s.stack[nv + j] += cz * h * gamma_z * s.out[0, z + j]
        _solve_transposed(s, nv + own)
        for j in range(n):
            s.kbar[j] = 0.0
            bar[j] += s.out[0, j]
        for j in range(nv + own):
            s.kbar[nq + j] = s.stack[j]
        _stage(tree, closures, s, at, bar)
        _weights(tree, closures, s, o, record)
        _displacement_bar(tree, s, bar, s.x)
        for j in range(n):
            s.k_bar[o, j] = 0.0
        for j in range(own, tree.nz):
            s.k_bar[o, z + j] = 0.5 * h * bar[z + j]
        for j in range(nv):
            a = s.a_bar[o, j] + h * h * beta * s.x[j] + h * gamma * bar[nq + j]
            s.a_bar[o, j] = (
                h * h * (0.5 - beta) * s.x[j] + h * (1.0 - gamma) * bar[nq + j] - alpha_m / (1.0 - alpha_m) * a
            )
            s.k_bar[o, nq + j] = alpha_f / (1.0 - alpha_m) * a
            bar[nq + j] += h * s.x[j]
        for j in range(own):
            a = s.s_bar[o, j] + h * gamma_z * bar[z + j]
            s.s_bar[o, j] = h * (1.0 - gamma_z) * bar[z + j] - delta_m / (1.0 - delta_m) * a
            s.k_bar[o, z + j] = delta_f / (1.0 - delta_m) * a
        for i in range(tree.quat_q.shape[0]):
            k, row = tree.quat_q[i], 4 * i
            p0, p1, p2, p3 = bar[k], bar[k + 1], bar[k + 2], bar[k + 3]
            for j in range(4):
                bar[k + j] = s.R[row, j] * p0 + s.R[row + 1, j] * p1 + s.R[row + 2, j] * p2 + s.R[row + 3, j] * p3


@part
def _close(tree, closures, s, at, o, before, record):
    """ybar := dP^T ybar at the end of a step; before: lengths of the quaternions before P, in s.x."""
    nq, nv, rows = tree.nq, tree.nv, closures.rows
    bar = s.bar[o]
    L = s.L[at]
    for j in range(nv):
        s.delta[j] = 0.0
    if rows > 0:
        for j in range(nv):
            s.mu[j] = bar[nq + j]
        solve_mass(tree, L, s.mu)
        for r in range(rows):
            x = 0.0
            for j in range(nv):
                x += s.G[at, r, j] * s.mu[j]
            s.right[r] = x
        _solve(s, at, s.D, rows)
        for r in range(rows):
            m = s.nu[r]
            s.w_d[record, o, r] = m
            for j in range(nv):
                bar[nq + j] -= s.G[at, r, j] * m
                s.delta[j] -= s.Gq[at, r, j] * m
        _displace(tree, s, at, bar)
        for j in range(nv):
            s.mu[j], s.delta[j] = 0.0, 0.0
        for i in range(tree.plain_q.shape[0]):
            s.mu[tree.plain_v[i]] = bar[tree.plain_q[i]]
        for i in range(tree.quat_q.shape[0]):
            k, j = tree.quat_q[i], tree.quat_v[i]
            e, x, y, z = s.Y[at, k], s.Y[at, k + 1], s.Y[at, k + 2], s.Y[at, k + 3]
            p0, p1, p2, p3 = 0.5 * bar[k], 0.5 * bar[k + 1], 0.5 * bar[k + 2], 0.5 * bar[k + 3]
            s.mu[j] = -x * p0 + e * p1 + z * p2 - y * p3
            s.mu[j + 1] = -y * p0 - z * p1 + e * p2 + x * p3
            s.mu[j + 2] = -z * p0 + y * p1 - x * p2 + e * p3
        solve_mass(tree, L, s.mu)
        for r in range(rows):
            x = 0.0
            if closures.nonholonomic[r] == 0:
                for j in range(nv):
                    x += s.G[at, r, j] * s.mu[j]
            s.right[r] = x
        _solve(s, at, s.Dh, rows)
        for r in range(rows):
            m = s.nu[r] if closures.nonholonomic[r] == 0 else 0.0
            s.w_g[record, o, r] = m
            for j in range(nv):
                s.delta[j] -= s.G[at, r, j] * m
    for i in range(tree.quat_q.shape[0]):
        k = tree.quat_q[i]
        along, size = 0.0, 0.0
        for j in range(k, k + 4):
            along += s.Y[at, j] * bar[j]
            size += s.Y[at, j] * s.Y[at, j]
        for j in range(k, k + 4):
            bar[j] = (bar[j] - s.Y[at, j] * along / size) / before[i]
    _displace(tree, s, at, bar)


@part
def _record(tree, closures, s, at, t, record):
    """The state of a record."""
    nq, nv = tree.nq, tree.nv
    s.at_t[record] = t
    for j in range(s.Y.shape[1]):
        s.at_y[record, j] = s.Y[at, j]
    for j in range(nv):
        s.at_a[record, j] = s.k[at, nq + j]
    for r in range(closures.rows):
        s.at_l[record, r] = s.multipliers[at, r]


@part
def _weights(tree, closures, s, o, record):
    """The weights of a record: those of the stage that was passed last."""
    z = tree.nq + tree.nv
    for j in range(tree.nv):
        s.w_r[record, o, j] += s.mu[j]
    for r in range(closures.rows):
        s.w_c[record, o, r] += s.nu[r]
    for k in range(tree.nz):
        s.w_z[record, o, k] += s.kbar[z + k]


@entry
def sweep_entry(context):
    """Entry: steps span[0] - 1 down to span[1]; records are zero before."""
    (s,) = unpack(context, SWEEP_CONTEXT)
    tree, _, closures, w = unpack(s.system, REAL_CONTEXT)
    tan, _ = unpack(w.at[0].tangent, TANGENT_CONTEXT)
    n, stages, first, last = s.Y.shape[1], s.stages, s.span[0], s.span[1]
    top = (first - last) * stages
    end = s.slot[stages]
    if s.span[2] == 1:
        for j in range(n):
            s.Y[end, j] = s.y[first, j]
        _evaluate(tree, closures, w, tan, s, end, s.t[first])
        for j in range(n):
            s.end[j] = s.k[end, j]
        for o in range(s.sums):
            for j in range(n):
                s.kbar[j] = s.final[o, j]
            _stage(tree, closures, s, end, s.bar[o])
            _weights(tree, closures, s, o, top)
    _record(tree, closures, s, end, s.t[first], top)
    for step in range(first - 1, last - 1, -1):
        t, h = s.t[step], s.t[step + 1] - s.t[step]
        end = s.slot[stages]
        if s.implicit == 2:
            at = s.slot[0]
            for j in range(n):
                s.Y[at, j] = s.y[step + 1, j]
            _evaluate(tree, closures, w, tan, s, at, s.t[step + 1])
            for j in range(n):  # the trapezoidal rule: half of the rates at both ends
                s.integral[j] += 0.5 * h * s.k[at, j]
                if step + 1 < s.t.shape[0] - 1:
                    s.integral[j] += 0.5 * (s.t[step + 2] - s.t[step + 1]) * s.k[at, j]
            _record(tree, closures, s, at, s.t[step + 1], step - last)
            _alpha_step(tree, closures, s, step, step - last)
            continue
        if s.implicit == 1 and _implicit_stages(tree, closures, w, tan, s, step) == 0:
            s.span[3] = step + 1
            return
        for i in range(stages):
            at = s.slot[i]
            if s.implicit == 0:
                for j in range(n):
                    s.Y[at, j] = s.y[step, j]
                for k in range(i):
                    a = h * s.A[i, k]
                    if a != 0.0:
                        other = s.slot[k]
                        for j in range(n):
                            s.Y[at, j] += a * s.k[other, j]
                _evaluate(tree, closures, w, tan, s, at, t + s.c[i] * h)
            b = h * s.A[stages, i]
            for j in range(n):
                s.integral[j] += b * s.k[at, j]
            _record(tree, closures, s, at, t + s.c[i] * h, (step - last) * stages + i)
        record = (step + 1 - last) * stages
        if closures.rows > 0 or tree.quat_q.shape[0] > 0:
            for i in range(tree.quat_q.shape[0]):
                size = 0.0
                for j in range(tree.quat_q[i], tree.quat_q[i] + 4):
                    x = s.y[step, j]
                    for k in range(stages):
                        x += h * s.A[stages, k] * s.k[s.slot[k], j]
                    size += x * x
                s.trial[closures.rows + i] = size**0.5
            for o in range(s.sums):
                _close(tree, closures, s, end, o, s.trial[closures.rows :], record)
        if s.implicit == 1:
            _implicit_step(tree, closures, s, step, last)
            end = s.slot[stages]  # the beginning is the end of the step before
            for j in range(n):
                s.Y[end, j] = s.y[step, j]
            _evaluate(tree, closures, w, tan, s, end, t)
            continue
        for i in range(stages - 1, -1, -1):
            at = s.slot[i]
            for o in range(s.sums):
                out = s.out[i * s.sums + o]
                for j in range(n):
                    s.kbar[j] = h * s.A[stages, i] * s.bar[o, j]
                    out[j] = 0.0
                for k in range(i + 1, stages):
                    a = h * s.A[k, i]
                    if a != 0.0:
                        for j in range(n):
                            s.kbar[j] += a * s.out[k * s.sums + o, j]
                _stage(tree, closures, s, at, out)
                _weights(tree, closures, s, o, (step - last) * stages + i)
        for o in range(s.sums):
            for i in range(stages):
                for j in range(n):
                    s.bar[o, j] += s.out[i * s.sums + o, j]
        s.slot[stages], s.slot[0] = s.slot[0], s.slot[stages]  # the beginning is the end of the step before


@entry
def rates_entry(context):
    """Entry: rates s.k[0] of the state s.Y[0] at the time s.t[0], their derivatives s.J[0], and the weights of each.

    The weights of rate r stand in place of those of objective r in the first record.
    """
    (s,) = unpack(context, SWEEP_CONTEXT)
    tree, _, closures, w = unpack(s.system, REAL_CONTEXT)
    tan, _ = unpack(w.at[0].tangent, TANGENT_CONTEXT)
    n = s.Y.shape[1]
    _evaluate(tree, closures, w, tan, s, 0, s.t[0])
    _record(tree, closures, s, 0, s.t[0], 0)
    for r in range(n):
        for j in range(n):
            s.J[0, r, j] = 0.0
            s.kbar[j] = 0.0
        s.kbar[r] = 1.0
        _stage(tree, closures, s, 0, s.J[0, r])
        for j in range(tree.nv):
            s.w_r[0, r, j] = s.mu[j]
        for j in range(closures.rows):
            s.w_c[0, r, j] = s.nu[j]
        for j in range(tree.nz):
            s.w_z[0, r, j] = s.kbar[tree.nq + tree.nv + j]
