"""Adjoint of the steps of generalised-alpha methods (`integrate.implicit.alpha_step`), of trees.

They carry helpers a and s beside the state. With k the rates at the end of a step, y = Y(a), a = A(k) and D = dy/dk,

    (1 - D^T (dk/dy)^T) kbar = carried kbar + dA^T (abar + dY^T ybar),   ybar := ybar + (dk/dy)^T kbar      (1)

and the bars of what the step began with follow from (1) of `step_adjoint` there.
"""

import math

from duoti.dynamics.derivatives.implicit_adjoint import factor, solve_transposed
from duoti.dynamics.derivatives.stage_adjoint import product, weights
from duoti.kernel import part


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
        product(tree, closures, s, at, s.J[0, r])
    for r in range(nv + own):
        _displacement_bar(tree, s, s.J[0, r], s.x)
        for j in range(nv):
            s.LU[r, j] = -c * (h * h * beta * s.x[j] + h * gamma * s.J[0, r, nq + j])
        for j in range(own):
            s.LU[r, nv + j] = -cz * s.J[0, r, nq + nv + j]
        s.LU[r, r] += 1.0
    factor(s.LU, s.pivots, nv + own)


@part
def alpha_step(tree, closures, s, step, record):
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
        product(tree, closures, s, at, s.out[0])
        weights(tree, closures, s, at, o, record)
        _displacement_bar(tree, s, s.out[0], s.x)
        for j in range(nv):
            s.stack[j] += c * (h * h * beta * s.x[j] + h * gamma * s.out[0, nq + j])
        for j in range(own):
            s.stack[nv + j] += cz * h * gamma_z * s.out[0, z + j]
        solve_transposed(s.LU, s.pivots, nv + own, s.stack)
        for j in range(n):
            s.kbar[j] = 0.0
            bar[j] += s.out[0, j]
        for j in range(nv + own):
            s.kbar[nq + j] = s.stack[j]
        product(tree, closures, s, at, bar)
        weights(tree, closures, s, at, o, record)
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
