"""Adjoint of the steps of a Runge-Kutta method, swept backward in compiled code.

With bars for derivatives of an objective by what they stand over, a step y -> y+ with stages Y_i and rates k_i gives

    ybar := dP^T ybar,   kbar_i = h b_i ybar + h sum_{j > i} a_ji Ybar_j,   Ybar_i = (dk/dy)^T kbar_i               (1)
    ybar := ybar + sum_i Ybar_i                                                                                     (2)

P brings loops back to closure and quaternions to unit length. Weights mu, nu, ... of each stage (`stage_adjoint`) are
recorded together with its state: parameters are looked at afterwards (`parameter_adjoint`), so that the sweep costs the
same for any number of them. Steps of implicit methods are those of `implicit_adjoint` and `alpha_adjoint`.
"""

from duoti.dynamics.derivatives.alpha_adjoint import alpha_step
from duoti.dynamics.derivatives.implicit_adjoint import implicit_stages, implicit_step
from duoti.dynamics.derivatives.stage_adjoint import displace, evaluate, multipliers, product, pull_rates, weights
from duoti.dynamics.derivatives.sweep_arrays import SWEEP_CONTEXT
from duoti.kernel import entry, part, unpack
from duoti.system.context import REAL_CONTEXT, TANGENT_CONTEXT


@part
def _close(tree, closures, s, at, o, before, record):
    """ybar := dP^T ybar at the end of a step; before: lengths of the quaternions before P, in s.x."""
    nq, nv, rows = tree.nq, tree.nv, closures.rows
    bar = s.bar[o]
    for j in range(nv):
        s.delta[j] = 0.0
    if rows > 0:
        multipliers(tree, closures, s, at, s.D, bar[nq : nq + nv], 0)
        for r in range(rows):
            m = s.nu[r]
            s.w_d[record, o, r] = m
            if m == 0.0:
                continue
            for j in range(nv):
                bar[nq + j] -= s.G[at, r, j] * m
                s.delta[j] -= s.Gq[at, r, j] * m
        displace(tree, s, at, bar)
        for j in range(nv):
            s.delta[j] = s.x[j] = 0.0
        pull_rates(tree, s, at, bar, s.x, 0)
        multipliers(tree, closures, s, at, s.Dh, s.x, 1)
        for r in range(rows):
            m = s.nu[r] if closures.nonholonomic[r] == 0 else 0.0
            s.w_g[record, o, r] = m
            if m == 0.0:
                continue
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
    displace(tree, s, at, bar)


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


@entry
def sweep_entry(context):
    """Entry: steps span[0] - 1 down to span[1]; records are zero before."""
    (s,) = unpack(context, SWEEP_CONTEXT)
    tree, loads, closures, w = unpack(s.system, REAL_CONTEXT)
    tan, path = unpack(w.at[0].tangent, TANGENT_CONTEXT)
    n, stages, first, last = s.Y.shape[1], s.stages, s.span[0], s.span[1]
    before = 1 if s.implicit == 1 else 0  # a step's beginning has a record of its own, unless it is the first stage
    per = stages + before
    top = (first - last) * per
    end = s.slot[stages]
    if s.span[2] == 1:
        for j in range(n):
            s.Y[end, j] = s.y[first, j]
        evaluate(tree, closures, loads, w, tan, path, s, end, s.t[first])
        for j in range(n):
            s.end[j] = s.k[end, j]
        for o in range(s.sums):
            for j in range(n):
                s.kbar[j] = s.final[o, j]
            product(tree, closures, s, end, s.bar[o])
            weights(tree, closures, s, end, o, top)
    _record(tree, closures, s, end, s.t[first], top)
    for step in range(first - 1, last - 1, -1):
        t, h = s.t[step], s.t[step + 1] - s.t[step]
        end = s.slot[stages]
        if s.implicit == 2:
            at = s.slot[0]
            for j in range(n):
                s.Y[at, j] = s.y[step + 1, j]
            evaluate(tree, closures, loads, w, tan, path, s, at, s.t[step + 1])
            for j in range(n):  # the trapezoidal rule: half of the rates at both ends
                s.integral[j] += 0.5 * h * s.k[at, j]
                if step + 1 < s.t.shape[0] - 1:
                    s.integral[j] += 0.5 * (s.t[step + 2] - s.t[step + 1]) * s.k[at, j]
            _record(tree, closures, s, at, s.t[step + 1], step - last)
            alpha_step(tree, closures, s, step, step - last)
            continue
        if s.implicit == 1 and implicit_stages(tree, closures, loads, w, tan, path, s, step) == 0:
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
                evaluate(tree, closures, loads, w, tan, path, s, at, t + s.c[i] * h)
            b = h * s.A[stages, i]
            for j in range(n):
                s.integral[j] += b * s.k[at, j]
            _record(tree, closures, s, at, t + s.c[i] * h, (step - last) * per + before + i)
        record = (step + 1 - last) * per
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
            if implicit_step(tree, closures, s, step, last) == 0:
                s.span[3] = step + 1
                return
            end = s.slot[stages]  # the beginning is the end of the step before
            for j in range(n):
                s.Y[end, j] = s.y[step, j]
            evaluate(tree, closures, loads, w, tan, path, s, end, t)
            _record(tree, closures, s, end, t, (step - last) * per)
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
                product(tree, closures, s, at, out)
                weights(tree, closures, s, at, o, (step - last) * per + i)
        for o in range(s.sums):
            for i in range(stages):
                for j in range(n):
                    s.bar[o, j] += s.out[i * s.sums + o, j]
        s.slot[stages], s.slot[0] = s.slot[0], s.slot[stages]  # the beginning is the end of the step before


@entry
def rates_entry(context):
    """Entry: rates s.k[0] of the state s.Y[0] at the time s.t[0], their derivatives s.J[0], and the weights of each.

    The weights of rate r stand in place of those of objective r in the first record, zero before.
    """
    (s,) = unpack(context, SWEEP_CONTEXT)
    tree, loads, closures, w = unpack(s.system, REAL_CONTEXT)
    tan, path = unpack(w.at[0].tangent, TANGENT_CONTEXT)
    n = s.Y.shape[1]
    evaluate(tree, closures, loads, w, tan, path, s, 0, s.t[0])
    _record(tree, closures, s, 0, s.t[0], 0)
    for r in range(n):
        for j in range(n):
            s.J[0, r, j] = 0.0
            s.kbar[j] = 0.0
        s.kbar[r] = 1.0
        product(tree, closures, s, 0, s.J[0, r])
        weights(tree, closures, s, 0, r, 0)
