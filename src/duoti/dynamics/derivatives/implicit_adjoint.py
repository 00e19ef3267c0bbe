"""Adjoint of the steps of Radau IIA of order 5. The bars of its three stages follow together from

    (1 - h A^T x J^T) kbar = h b x ybar,   J = dk/dy of each stage                                          (1)

with the names of `step_adjoint`, and the stages themselves from k_i = f(Y_i). Both are solved by iterations: products
with J of the stages (`stage_adjoint`) tell what is left, and a J that is the same for all stages makes the correction.
With it, the eigenvectors T of A split the system into a real and a complex one of the size of a stage (`integrate.
implicit.radau_step`). The rates of positions are those of velocities, so that of u = (v, z) is left

    S u = r_u + g J_uq r_q,   S = 1 - g J_uu - g^2 J_uq N,   q = r_q + g N u,   g = h gamma, h (alpha - i beta)   (2)

What rotations add to the rates of quaternions is left to the iterations. J is that of the end of a step, and kept for
the steps before it as long as they are as long and the iterations converge fast.
"""

from duoti.dynamics.derivatives.stage_adjoint import evaluate, product, pull_rates, weights
from duoti.kernel import call_entry, part

STAGES = 3
SOLVED, ROUND_OFF = 1e-14, 1e-10  # relative changes that end iterations at once, and where they do not become smaller
MOST = 100  # iterations
SLOW = 20  # iterations from which new factors pay
NEAR = 0.1  # relative change of the step up to which factors are kept
NEW_FACTORS, LENGTH = 0, 1  # places in `Sweep.kept`: 1 if factors are wanted, and the step that they are made for


@part
def factor(LU, pivots, size):
    """LU factors with partial pivoting, in place."""
    for k in range(size):
        best = k
        for i in range(k + 1, size):
            if abs(LU[i, k]) > abs(LU[best, k]):
                best = i
        pivots[k] = best
        if best != k:
            for j in range(size):
                LU[k, j], LU[best, j] = LU[best, j], LU[k, j]
        if abs(LU[k, k]) == 0.0:
            LU[k, k] += 1e-300
        for i in range(k + 1, size):
            x = LU[i, k] / LU[k, k]
            LU[i, k] = x
            if abs(x) != 0.0:
                for j in range(k + 1, size):
                    LU[i, j] -= x * LU[k, j]


@part
def solve(LU, pivots, size, x):
    """x := A^-1 x."""
    for k in range(size):
        x[k], x[pivots[k]] = x[pivots[k]], x[k]
    for k in range(size):
        for j in range(k):
            x[k] -= LU[k, j] * x[j]
    for k in range(size - 1, -1, -1):
        for j in range(k + 1, size):
            x[k] -= LU[k, j] * x[j]
        x[k] /= LU[k, k]


@part
def solve_transposed(LU, pivots, size, x):
    """x := A^-T x."""
    for k in range(size):
        x[k] /= LU[k, k]
        for j in range(k + 1, size):
            x[j] -= LU[k, j] * x[k]
    for k in range(size - 1, -1, -1):
        for j in range(k):
            x[j] -= LU[k, j] * x[k]
    for k in range(size - 1, -1, -1):
        x[k], x[pivots[k]] = x[pivots[k]], x[k]


@part
def _factor_step(tree, closures, s, h):
    """J at the end of a step, and the factors of both matrices of (2)."""
    nq, nv, n, at = tree.nq, tree.nv, s.Y.shape[1], s.slot[STAGES]
    J, m = s.J[0], n - nq
    for r in range(m):
        for j in range(n):
            J[r, j] = s.kbar[j] = 0.0
        s.kbar[nq + r] = 1.0
        product(tree, closures, s, at, J[r])
    gamma, pair = h * s.eigenvalues[0], h * complex(s.eigenvalues[1], -s.eigenvalues[2])
    for r in range(m):
        for j in range(nv):
            s.x[j] = 0.0
        pull_rates(tree, s, at, J[r], s.x, 0)
        for c in range(m):
            s.LU[r, c] = -gamma * J[r, nq + c]
            s.pair_factors[r, c] = -pair * J[r, nq + c]
        for c in range(nv):
            s.LU[r, c] -= gamma * gamma * s.x[c]
            s.pair_factors[r, c] -= pair * pair * s.x[c]
        s.LU[r, r] += 1.0
        s.pair_factors[r, r] += 1.0
    factor(s.LU, s.pivots, m)
    factor(s.pair_factors, s.pair_pivots, m)
    s.kept[NEW_FACTORS], s.kept[LENGTH] = 0.0, h


@part
def _one_system(tree, s, x, g, LU, pivots, transposed):
    """x := (1 - g J)^-1 x, or with the transposed matrix."""
    nq, n, at = tree.nq, s.Y.shape[1], s.slot[STAGES]
    J, Y, u = s.J[0], s.Y[at], x[nq:]
    if transposed == 1:
        for i in range(tree.plain_q.shape[0]):
            u[tree.plain_v[i]] += g * x[tree.plain_q[i]]
        for i in range(tree.quat_q.shape[0]):
            k, j = tree.quat_q[i], tree.quat_v[i]
            f = 0.5 * g
            u[j] += f * (-Y[k + 1] * x[k] + Y[k] * x[k + 1] + Y[k + 3] * x[k + 2] - Y[k + 2] * x[k + 3])
            u[j + 1] += f * (-Y[k + 2] * x[k] - Y[k + 3] * x[k + 1] + Y[k] * x[k + 2] + Y[k + 1] * x[k + 3])
            u[j + 2] += f * (-Y[k + 3] * x[k] + Y[k + 2] * x[k + 1] - Y[k + 1] * x[k + 2] + Y[k] * x[k + 3])
        solve_transposed(LU, pivots, n - nq, u)
        for r in range(n - nq):
            f = g * u[r]
            for j in range(nq):
                x[j] += f * J[r, j]
        return
    for r in range(n - nq):
        f = 0.0 * x[0]
        for j in range(nq):
            f += J[r, j] * x[j]
        u[r] += g * f
    solve(LU, pivots, n - nq, u)
    for i in range(tree.plain_q.shape[0]):
        x[tree.plain_q[i]] += g * u[tree.plain_v[i]]
    for i in range(tree.quat_q.shape[0]):
        k, j = tree.quat_q[i], tree.quat_v[i]
        f, a, b, c = 0.5 * g, u[j], u[j + 1], u[j + 2]
        x[k] += f * (-Y[k + 1] * a - Y[k + 2] * b - Y[k + 3] * c)
        x[k + 1] += f * (Y[k] * a - Y[k + 3] * b + Y[k + 2] * c)
        x[k + 2] += f * (Y[k + 3] * a + Y[k] * b - Y[k + 1] * c)
        x[k + 3] += f * (-Y[k + 2] * a + Y[k + 1] * b + Y[k] * c)


@part
def _correction(tree, s, transposed):
    """s.stack := (1 - h A x J)^-1 s.stack with the J that is kept, or with the transposed matrix."""
    n, h, T, inverse = s.Y.shape[1], s.kept[LENGTH], s.T, s.T_inverse
    for j in range(n):
        a, b, c = s.stack[j], s.stack[n + j], s.stack[2 * n + j]
        if transposed == 1:
            s.real[j] = T[0, 0] * a + T[1, 0] * b + T[2, 0] * c
            re = T[0, 1] * a + T[1, 1] * b + T[2, 1] * c
            s.pair[j] = complex(re, -(T[0, 2] * a + T[1, 2] * b + T[2, 2] * c))
        else:
            s.real[j] = inverse[0, 0] * a + inverse[0, 1] * b + inverse[0, 2] * c
            re = inverse[1, 0] * a + inverse[1, 1] * b + inverse[1, 2] * c
            s.pair[j] = complex(re, inverse[2, 0] * a + inverse[2, 1] * b + inverse[2, 2] * c)
    _one_system(tree, s, s.real, h * s.eigenvalues[0], s.LU, s.pivots, transposed)
    pair = h * complex(s.eigenvalues[1], -s.eigenvalues[2])
    _one_system(tree, s, s.pair, pair, s.pair_factors, s.pair_pivots, transposed)
    for j in range(n):
        a, b, c = s.real[j], s.pair[j].real, s.pair[j].imag
        for i in range(STAGES):
            if transposed == 1:
                s.stack[i * n + j] = inverse[0, i] * a + inverse[1, i] * b - inverse[2, i] * c
            else:
                s.stack[i * n + j] = T[i, 0] * a + T[i, 1] * b + T[i, 2] * c


@part
def _put_stage(s, step, h, i):
    """The state of a stage, from its rates in s.out."""
    at, n = s.slot[i], s.Y.shape[1]
    for j in range(n):
        s.Y[at, j] = s.y[step, j]
    for k in range(STAGES):
        a = h * s.A[i, k]
        for j in range(n):
            s.Y[at, j] += a * s.out[k, j]


@part
def _iterate_stages(w, s, tree, step, h):
    """Rates of the stages, in s.out; how many iterations it took, or 0."""
    n, t, last = s.Y.shape[1], s.t[step], 1e300
    for i in range(STAGES):
        for j in range(n):
            s.out[i, j] = (s.y[step + 1, j] - s.y[step, j]) / h
    for iteration in range(MOST):
        for i in range(STAGES):
            _put_stage(s, step, h, i)
            w.clock[0] = t + s.c[i] * h
            for j in range(n):
                w.y[j] = s.Y[s.slot[i], j]
            call_entry(w.calls[0].ydot, s.system)
            for j in range(n):
                s.stack[i * n + j] = w.ydot[j] - s.out[i, j]
        _correction(tree, s, 0)
        change = 0.0
        for i in range(STAGES):
            for j in range(n):
                x = s.stack[i * n + j]
                s.out[i, j] += x
                size = abs(h * x) / (1.0 + abs(s.y[step, j]) + abs(h * s.out[i, j]))
                change = size if not size <= change else change
        if change <= SOLVED or (change <= ROUND_OFF and change >= last):
            return iteration + 1
        if iteration > 2 and not change < last:
            return 0
        last = change
    return 0


@part
def implicit_stages(tree, closures, loads, w, tan, path, s, step):
    """Stages of a step onto the tape; 1 if they are solved. The end of the step is on the tape."""
    h = s.t[step + 1] - s.t[step]
    found = 0
    if s.kept[NEW_FACTORS] == 0.0 and abs(h - s.kept[LENGTH]) <= NEAR * h:
        found = _iterate_stages(w, s, tree, step, h)
    if found == 0:
        _factor_step(tree, closures, s, h)
        found = _iterate_stages(w, s, tree, step, h)
        if found == 0:
            return 0
    elif found > SLOW:
        s.kept[NEW_FACTORS] = 1.0
    for i in range(STAGES):
        _put_stage(s, step, h, i)
        evaluate(tree, closures, loads, w, tan, path, s, s.slot[i], s.t[step] + s.c[i] * h)
    return 1


@part
def _iterate_bars(tree, closures, s, o, h):
    """Bars of the stages, in s.stages_bar; 1 if they are solved."""
    n, last = s.Y.shape[1], 1e300
    X = s.stages_bar
    for i in range(STAGES * n):
        X[i] = 0.0
    for _ in range(MOST):
        for i in range(STAGES):
            for j in range(n):
                s.kbar[j] = X[i * n + j]
                s.out[i, j] = 0.0
            product(tree, closures, s, s.slot[i], s.out[i])
        for i in range(STAGES):
            for j in range(n):
                x = h * s.A[STAGES, i] * s.bar[o, j] - X[i * n + j]
                for k in range(STAGES):
                    x += h * s.A[k, i] * s.out[k, j]
                s.stack[i * n + j] = x
        _correction(tree, s, 1)
        size, change = 0.0, 0.0
        for i in range(STAGES * n):
            X[i] += s.stack[i]
            size, change = max(size, abs(X[i])), max(change, abs(s.stack[i]))
        if change <= SOLVED * size or (change <= ROUND_OFF * size and change >= last):
            return 1
        last = change
    return 0


@part
def implicit_step(tree, closures, s, step, last):
    """Bars of all stages from s.bar, and what they add to it; 1 if they are solved."""
    n, h = s.Y.shape[1], s.t[step + 1] - s.t[step]
    for o in range(s.sums):
        if _iterate_bars(tree, closures, s, o, h) == 0:
            return 0
        for i in range(STAGES):
            for j in range(n):
                s.kbar[j] = s.stages_bar[i * n + j]
            product(tree, closures, s, s.slot[i], s.bar[o])
            weights(tree, closures, s, s.slot[i], o, (step - last) * (STAGES + 1) + 1 + i)
    return 1
