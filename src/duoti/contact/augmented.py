"""The contact problem of a step where Newton's method alone goes astray: a sequence of convex problems.

With De Saxcé's shift s = mu |u_t| n held fixed, Coulomb's law is the optimum of a convex problem. Its augmented
Lagrangian, for multipliers q and a weight r of each block,

    phi(v) = (v - v_f) . A (v - v_f) / 2 + sum of |P|^2 / (2 r),    P = proj_K(q - r (u + b + s))              (1)

has one minimum, which Newton's method with a line search always finds (Hestenes 1969; Powell 1969; for contacts:
Acary, Cadoux, Lemarechal & Malick 2011). Then q := P, s follows from the new velocities, and r grows. Early problems
are soft and easy, later ones start near their solution: mass ratios and redundant contacts cost little.
"""

from __future__ import annotations

from duoti.contact.block_matrix import factorise, solve, tree_size
from duoti.contact.cones import project_on_cone
from duoti.contact.problem import block_velocity
from duoti.contact.sparse_newton import add_force, assemble, residual_of, set_impulses, velocity_change
from duoti.kernel import helper, part

FIRST_WEIGHT, GROWTH = 1e2, 4.0  # r times W, and by how much it grows
MOST_OUTER, MOST_INNER, MOST_FACTORS = 12, 20, 60
INNER = 0.1  # of the error of the last problem: how well the next one is solved
SLOPE, MOST_LOOKS = 0.1, 12  # of a line search


@helper
def _scale(problem, c):
    W = problem.W[c]
    return W[0, 0] if problem.size[c] == 1 else max(W[0, 0], W[1, 1], W[2, 2])


@helper
def _force(problem, matrix, c, r, u0, u1, u2):
    """P of a block (1); problem.kept holds q and the length of s."""
    q, shift = problem.kept[c], problem.kept[c, 3]
    if problem.size[c] == 1:
        return max(0.0, q[0] - r * u0), 0.0, 0.0
    return project_on_cone(q[0] - r * (u0 + shift), q[1] - r * u1, q[2] - r * u2, problem.mu[c])


@part
def _slopes(problem, matrix, weight):
    """P of all blocks for the velocities in matrix.u, and r times the derivative of the projection."""
    for c in range(problem.counts[0].blocks):
        s, P, u, q, mu = matrix.slope[c], matrix.P[c], matrix.u[c], problem.kept[c], problem.mu[c]
        r = weight / _scale(problem, c)
        for k in range(9):
            s[k] = 0.0
        P[0], P[1], P[2] = _force(problem, matrix, c, r, u[0], u[1], u[2])
        if P[0] <= 0.0:
            continue
        if problem.size[c] == 1:
            s[0] = r
            continue
        n, t1, t2 = q[0] - r * (u[0] + q[3]), q[1] - r * u[1], q[2] - r * u[2]
        t = (t1 * t1 + t2 * t2) ** 0.5
        if t <= mu * n:
            s[0] = s[4] = s[8] = r
            continue
        e1, e2, f, across = t1 / t, t2 / t, r / (1.0 + mu * mu), r * mu * P[0] / t
        s[0], s[1], s[2] = f, f * mu * e1, f * mu * e2
        s[3], s[6] = s[1], s[2]
        s[4] = f * mu * mu * e1 * e1 + across * e2 * e2
        s[8] = f * mu * mu * e2 * e2 + across * e1 * e1
        s[5] = s[7] = (f * mu * mu - across) * e1 * e2


@part
def _times_mass(contacts, matrix, x, y):
    """y := A x of the trees that take part, in their order."""
    for k in range(matrix.counts[0].nodes):
        t = matrix.order[k]
        first, n, at = contacts.tree_first[t], tree_size(contacts, t), matrix.diagonal[t]
        for i in range(n):
            s = 0.0
            for j in range(n):
                s += matrix.mass[at + i * n + j] * x[first + j]
            y[first + i] = s


@part
def _along(problem, matrix, weight, a):
    """Part of the derivative of phi along the step that impulses make: - sum of P . G d, at the length a."""
    s = 0.0
    for c in range(problem.counts[0].blocks):
        u, d = matrix.u[c], matrix.du[c]
        r = weight / _scale(problem, c)
        P0, P1, P2 = _force(problem, matrix, c, r, u[0] + a * d[0], u[1] + a * d[1], u[2] + a * d[2])
        s -= P0 * d[0] + P1 * d[1] + P2 * d[2]
    return s


@part
def _step_length(problem, matrix, weight, at_rest, grows):
    """Where the derivative of phi along a step, at_rest + grows a + _along, is near zero, within the step."""
    f0 = at_rest + _along(problem, matrix, weight, 0.0)
    low, f_low, high, f_high = 0.0, f0, 1.0, at_rest + grows + _along(problem, matrix, weight, 1.0)
    if f_high <= SLOPE * abs(f0):
        return 1.0
    a = 1.0
    for _ in range(MOST_LOOKS):
        a = (low * f_high - high * f_low) / (f_high - f_low)
        a = min(max(a, low + 0.1 * (high - low)), high - 0.1 * (high - low))
        f = at_rest + grows * a + _along(problem, matrix, weight, a)
        if abs(f) <= SLOPE * abs(f0):
            break
        if f < 0.0:
            low, f_low = a, f
        else:
            high, f_high = a, f
    return a


@part
def _convex(closures, contacts, w, problem, matrix, free, dv, weight, wanted, tolerance):
    """Minimise phi (1) from the velocities that the impulses p make; p := P. Returns the residual of Coulomb's law."""
    blocks, p, x, v = problem.counts[0].blocks, problem.p, matrix.x, matrix.v
    for k in range(v.shape[0]):  # v - v_f, in the order of the trees
        i = contacts.tree_rates[k]
        v[k] = problem.v[i] - free[i] - dv[i]
    for c in range(blocks):
        matrix.u[c, 0], matrix.u[c, 1], matrix.u[c, 2] = block_velocity(contacts, problem, c, problem.v)
    left = 1e300
    for inner in range(MOST_INNER):
        _slopes(problem, matrix, weight)
        if inner > 0:
            apart = 0.0
            for c in range(blocks):
                P = matrix.P[c]
                p[c, 0], p[c, 1], p[c, 2] = P[0], P[1], P[2]
            set_impulses(contacts, problem, free, dv)
            left = residual_of(contacts, problem, 0)
            for c in range(blocks):
                u0, u1, u2 = block_velocity(contacts, problem, c, problem.v)
                u = matrix.u[c]
                apart = max(apart, abs(u[0] - u0), abs(u[1] - u1), abs(u[2] - u2))
            if left <= tolerance or apart <= wanted:
                return left
        assemble(closures, contacts, w, problem, matrix)
        if not factorise(contacts, matrix):
            return left
        problem.counts[0].factors += 1
        _times_mass(contacts, matrix, v, matrix.y)
        for i in range(x.shape[0]):
            x[i] = -matrix.y[i]
        for c in range(blocks):
            add_force(problem, c, matrix.P[c, 0], matrix.P[c, 1], matrix.P[c, 2], x)
        solve(contacts, matrix, x, matrix.T[0])
        at_rest, grows = 0.0, 0.0
        for i in range(x.shape[0]):
            at_rest += x[i] * matrix.y[i]
        _times_mass(contacts, matrix, x, matrix.y)
        for i in range(x.shape[0]):
            grows += x[i] * matrix.y[i]
        for c in range(blocks):
            matrix.du[c, 0], matrix.du[c, 1], matrix.du[c, 2] = velocity_change(problem, c, x)
        a = _step_length(problem, matrix, weight, at_rest, grows)
        for i in range(x.shape[0]):
            v[i] += a * x[i]
        for c in range(blocks):
            for k in range(problem.size[c]):
                matrix.u[c, k] += a * matrix.du[c, k]
    return left


@part
def augmented(closures, contacts, w, problem, matrix, free, dv, tolerance):
    """Improve the impulses from none at all; returns the residual. What is worse than what was there is not kept."""
    blocks, p = problem.counts[0].blocks, problem.p
    best, first = residual_of(contacts, problem, 0), problem.counts[0].factors
    for c in range(blocks):
        for k in range(3):
            matrix.before[c, k], p[c, k] = p[c, k], 0.0
    for i in range(matrix.y.shape[0]):
        matrix.y[i] = 0.0
    set_impulses(contacts, problem, free, dv)
    left, weight = residual_of(contacts, problem, 0), FIRST_WEIGHT
    for _ in range(MOST_OUTER):
        if best <= tolerance or problem.counts[0].factors - first > MOST_FACTORS:
            break
        for c in range(blocks):
            _, u1, u2 = block_velocity(contacts, problem, c, problem.v)
            for k in range(3):
                problem.kept[c, k] = p[c, k]
            problem.kept[c, 3] = problem.mu[c] * (u1 * u1 + u2 * u2) ** 0.5
        left = _convex(closures, contacts, w, problem, matrix, free, dv, weight, INNER * left, tolerance)
        weight *= GROWTH
        if left < best:
            best = left
            for c in range(blocks):
                for k in range(3):
                    matrix.before[c, k] = p[c, k]
    for c in range(blocks):
        for k in range(3):
            p[c, k] = matrix.before[c, k]
    set_impulses(contacts, problem, free, dv)
    return best
