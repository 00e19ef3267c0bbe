"""Adjoint of the steps of implicit Runge-Kutta methods. The bars of all stages follow together from

    (1 - h A^T x (dk/dy)^T) kbar = h b x ybar                                                               (1)

with the names of `step_adjoint`.
"""

from duoti.dynamics.derivatives.stage_adjoint import evaluate, product, weights
from duoti.kernel import part

MOST_NEWTON = 15  # iterations for the stages of an implicit step
SOLVED, ROUND_OFF = 1e-13, 1e-10  # changes that end them at once, and where they do not become smaller


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
            product(tree, closures, s, s.slot[i], s.J[i, r])
    for i in range(stages):
        for k in range(stages):
            a = h * s.A[i, k]
            for r in range(n):
                for j in range(n):
                    LU[i * n + r, k * n + j] = -a * s.J[i, r, j]
        for r in range(n):
            LU[i * n + r, i * n + r] += 1.0
    factor(s, stages * n)


@part
def factor(s, size):
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
def solve_transposed(s, size):
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
def implicit_stages(tree, closures, loads, w, tan, path, s, step):
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
            evaluate(tree, closures, loads, w, tan, path, s, at, t + s.c[i] * h)
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
def implicit_step(tree, closures, s, step, last):
    """Bars of all stages from s.bar, and what they add to it."""
    n, stages, h = s.Y.shape[1], s.stages, s.t[step + 1] - s.t[step]
    for o in range(s.sums):
        for i in range(stages):
            for j in range(n):
                s.stack[i * n + j] = h * s.A[stages, i] * s.bar[o, j]
        solve_transposed(s, stages * n)
        for i in range(stages):
            for j in range(n):
                s.kbar[j] = s.stack[i * n + j]
            product(tree, closures, s, s.slot[i], s.bar[o])
            weights(tree, closures, s, s.slot[i], o, (step - last) * stages + i)
