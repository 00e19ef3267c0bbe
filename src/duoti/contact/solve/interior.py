"""The contact problem of a step by an interior-point method: for heaps whose points stick and slip in turn.

With x = (mu p_n, p_t) and z = (u_n / mu + |u_t|, u_t), both of the cone L = {x_0 >= |x_t|}, Coulomb's law in the form
of De Saxcé & Feng (1998) is x . z = 0. The method goes along points inside of both cones,

    x o z = m (1, 0, 0),      z = E(G v + b),      A (v - v_f) = G^T p                                          (1)

with Jordan's product o and m to zero: Newton's method with the scaling of Nesterov & Todd (1997), a predictor and a
corrector (Mehrotra 1992) for one factorisation. Points that do not touch, stick or slide yet are undecided as long as
m is not small, which is what Newton's method on the projection lacks. Friction that depends on the
normal impulse is no convex problem: the derivative of |u_t| belongs to E (Acary, Armand & Nguyen 2023 hold it fixed in
turns instead), and the way may end before m is zero; then the best point is kept, and said to be unsolved.
Contacts without friction have x = (p_n, 0, 0), z = (u_n, 0, 0) in the same formulas. Discs (friction of joints,
resistance against rolling and turning) go by Newton's method on their projection within the same linear system, with
the normal impulse of their owner as it is. Closed loops are in its matrix with a large weight, and then, as with discs,
errors of the factors are not taken out: the next iteration begins with velocities that are exact for the impulses.
"""

from __future__ import annotations

import numpy as np

from duoti.contact.solve.block_matrix import factorise, solve, tree_size
from duoti.contact.solve.cones import project_on_cone
from duoti.contact.solve.problem import CONE, DISC, block_velocity, keep_impulses, on_disc, radius_of, take_kept
from duoti.contact.solve.sparse_newton import (
    INFINITE,
    STIFF,
    add_force,
    assemble,
    block_size,
    clear_rates,
    follow,
    follow_owner,
    guess_disc,
    newton,
    residual_of,
    set_impulses,
    velocity_change,
)
from duoti.kernel import helper, part

STIFF_DISC = 1e3  # r times W of discs, which go by Newton's method on their projection in the same linear system
MOST, MOST_LAST = 45, np.int64(8)  # iterations, and those of Newton's method at the end
TO_THE_EDGE = 0.95  # part of the way to the edge of the cones that a step goes at most
NEAR = 1e-5  # part of the velocities: a residual from which Newton's method may finish
NEARER = 1e-2  # times the last one, if it did not
SHORT, MOST_SHORT = 0.05, 3  # steps that lead nowhere, and so many in a row that end it
REFINED = 1  # times that the error of the factors is taken out
LEAST, EDGE = 1e-300, 1e-30  # EDGE: of the square of a number, its round-off
X, Z, DX, DZ, POINT, ROOT, SCALED, Q = 0, 3, 6, 9, 12, 15, 16, 19  # columns of Matrix.cone


@helper
def _inside(a, b1, b2, least):
    """The point of the cone L with both eigenvalues a - |b|, a + |b| at least `least`."""
    b = (b1 * b1 + b2 * b2) ** 0.5
    low, high = max(a - b, least), max(a + b, least)
    f = 0.5 * (high - low) / b if b > LEAST else 0.0
    return 0.5 * (low + high), f * b1, f * b2


@helper
def _room(x, at, to):
    """How far one may go from x[at:] along x[to:] within the cone L; 1e300: forever."""
    x0, x1, x2, d0, d1, d2 = x[at], x[at + 1], x[at + 2], x[to], x[to + 1], x[to + 2]
    n = (x1 * x1 + x2 * x2) ** 0.5
    a, b, c = d0 * d0 - d1 * d1 - d2 * d2, x0 * d0 - x1 * d1 - x2 * d2, (x0 - n) * (x0 + n)
    found = 1e300
    if d0 < 0.0:
        found = -x0 / d0
    under = b * b - a * c
    if under >= 0.0:
        q = -(b + under**0.5) if b >= 0.0 else -(b - under**0.5)
        if abs(a) > LEAST and q / a > 0.0:
            found = min(found, q / a)
        if abs(q) > LEAST and c / q > 0.0:
            found = min(found, c / q)
    return found


@helper
def _divided(l0, l1, l2, r0, r1, r2):
    """s with l o s = r."""
    n = (l1 * l1 + l2 * l2) ** 0.5
    s0 = (l0 * r0 - l1 * r1 - l2 * r2) / max((l0 - n) * (l0 + n), LEAST)
    return s0, (r1 - s0 * l1) / l0, (r2 - s0 * l2) / l0


@helper
def _root_times(row, sign, a, b, c):
    """The root R of H, or its inverse (sign = -1), times a vector; H = R R maps z to x."""
    w0, w1, w2 = row[POINT], sign * row[POINT + 1], sign * row[POINT + 2]
    f = row[ROOT] if sign > 0.0 else 1.0 / row[ROOT]
    along = w1 * b + w2 * c
    g = a + along / (1.0 + w0)
    return f * (w0 * a + along), f * (b + w1 * g), f * (c + w2 * g)


@helper
def _units(problem, c):
    """What makes p of x, first row and the others: p = T x. No friction: only a normal row."""
    if problem.size[c] == 3 and problem.mu[c] > 0.0:
        return 1.0 / problem.mu[c], 1.0
    return 1.0, 0.0


@part
def _velocities(contacts, problem, matrix, free, dv):
    """p and u of x, without the errors of the linear equations, which the next iteration then takes out."""
    for place in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[place]
        if problem.law[c] == DISC:
            continue
        row, p = matrix.cone[c], problem.p[c]
        t0, t1 = _units(problem, c)
        p[0], p[1], p[2] = t0 * row[X], t1 * row[X + 1], t1 * row[X + 2]
    set_impulses(contacts, problem, matrix, free, dv)
    for place in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[place]
        u = matrix.u[c]
        u[0], u[1], u[2] = block_velocity(contacts, problem, c, problem.v)
        if problem.law[c] == CONE:
            _, t1 = _units(problem, c)
            u[1], u[2] = t1 * u[1], t1 * u[2]


@part
def _begin(contacts, problem, matrix, free, dv, least):
    """x and z inside of the cones, from the impulses; least: how far inside [m/s]."""
    for place in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[place]
        if problem.law[c] == DISC:
            continue
        row, p = matrix.cone[c], problem.p[c]
        t0, t1 = _units(problem, c)
        far = least / block_size(problem, c)
        row[X], row[X + 1], row[X + 2] = _inside(p[0] / t0, t1 * p[1], t1 * p[2], far)
    _velocities(contacts, problem, matrix, free, dv)
    for place in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[place]
        if problem.law[c] == DISC:
            continue
        row, u = matrix.cone[c], matrix.u[c]
        t0, t1 = _units(problem, c)
        slip = (u[1] * u[1] + u[2] * u[2]) ** 0.5
        row[Z], row[Z + 1], row[Z + 2] = _inside(t0 * u[0] + slip, u[1], u[2], least)


@part
def _scale(problem, matrix):
    """The scaling of Nesterov and Todd, and the slopes T H E' of the blocks; returns the mean of x . z."""
    total, blocks = 0.0, 0
    for place in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[place]
        row, u, s = matrix.cone[c], matrix.u[c], matrix.slope[c]
        if problem.law[c] == DISC:
            guess_disc(problem, matrix, c, (u[0], u[1], u[2]), np.int64(0), STIFF_DISC)
            continue
        blocks += 1
        matrix.normal[c] = matrix.P[c, 0] = problem.p[c, 0]
        x0, x1, x2, z0, z1, z2 = row[X], row[X + 1], row[X + 2], row[Z], row[Z + 1], row[Z + 2]
        total += x0 * z0 + x1 * z1 + x2 * z2
        n, k = (x1 * x1 + x2 * x2) ** 0.5, (z1 * z1 + z2 * z2) ** 0.5
        dx = max((x0 - n) * (x0 + n), EDGE * x0 * x0) ** 0.5
        dz = max((z0 - k) * (z0 + k), EDGE * z0 * z0) ** 0.5
        a0, a1, a2, b0, b1, b2 = x0 / dx, x1 / dx, x2 / dx, z0 / dz, z1 / dz, z2 / dz
        g = 2.0 * (0.5 * (1.0 + a0 * b0 + a1 * b1 + a2 * b2)) ** 0.5
        w0, w1, w2, h = (a0 + b0) / g, (a1 - b1) / g, (a2 - b2) / g, dx / dz
        row[POINT], row[POINT + 1], row[POINT + 2], row[ROOT] = w0, w1, w2, h**0.5
        row[SCALED], row[SCALED + 1], row[SCALED + 2] = _root_times(row, 1.0, z0, z1, z2)
        t0, t1 = _units(problem, c)
        slip = (u[1] * u[1] + u[2] * u[2]) ** 0.5 + LEAST
        e1, e2 = t1 * u[1] / slip, t1 * u[2] / slip
        # H = h (2 w w^T - J), J = diag(1, -1, -1); the columns of E' are (t0, 0, 0), (e1, t1, 0), (e2, 0, t1)
        h00, h01, h02 = h * (2.0 * w0 * w0 - 1.0), h * 2.0 * w0 * w1, h * 2.0 * w0 * w2
        h11, h12, h22 = h * (2.0 * w1 * w1 + 1.0), h * 2.0 * w1 * w2, h * (2.0 * w2 * w2 + 1.0)
        s[0], s[1], s[2] = t0 * h00 * t0, t0 * (h00 * e1 + h01 * t1), t0 * (h00 * e2 + h02 * t1)
        s[3], s[4], s[5] = t1 * h01 * t0, t1 * (h01 * e1 + h11 * t1), t1 * (h01 * e2 + h12 * t1)
        s[6], s[7], s[8] = t1 * h02 * t0, t1 * (h02 * e1 + h12 * t1), t1 * (h02 * e2 + h22 * t1)
    return total / max(blocks, 1)


@part
def _times_mass(contacts, matrix, x, y):
    """y := A x of the trees that take part, in their order."""
    for k in range(matrix.counts[0].begin, matrix.counts[0].end):
        t = matrix.order[k]
        first, n, at = contacts.tree_first[t], tree_size(contacts, t), matrix.diagonal[t]
        for i in range(n):
            s = 0.0
            for j in range(n):
                s += matrix.mass[at + i * n + j] * x[first + j]
            y[first + i] = s


@part
def _refine(contacts, problem, matrix):
    """Take the error out of matrix.x that the factors made; matrix.v: the right-hand side."""
    x, y = matrix.x, matrix.y
    _times_mass(contacts, matrix, x, y)
    for place in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[place]
        s = matrix.slope[c]
        d0, d1, d2 = velocity_change(problem, c, x)
        f0, f1 = s[0] * d0 + s[1] * d1 + s[2] * d2, s[3] * d0 + s[4] * d1 + s[5] * d2
        add_force(problem, c, f0, f1, s[6] * d0 + s[7] * d1 + s[8] * d2, y)
    for k in range(matrix.counts[0].begin, matrix.counts[0].end):
        t = matrix.order[k]
        for i in range(contacts.tree_first[t], contacts.tree_first[t + 1]):
            y[i] = matrix.v[i] - y[i]
    solve(contacts, matrix, y)
    for k in range(matrix.counts[0].begin, matrix.counts[0].end):
        t = matrix.order[k]
        for i in range(contacts.tree_first[t], contacts.tree_first[t + 1]):
            x[i] += y[i]


@part
def _direction(contacts, problem, matrix, refined):
    """dx and dz with dx + H dz = R q and dz = E' du - (z - E), q in the columns Q; the factors are there."""
    x = matrix.x
    clear_rates(contacts, matrix, x)
    for place in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[place]
        row, u = matrix.cone[c], matrix.u[c]
        if problem.law[c] == DISC:
            P, p = matrix.P[c], problem.p[c]
            add_force(problem, c, P[0] - p[0], P[1] - p[1], P[2] - p[2], x)
            continue
        t0, t1 = _units(problem, c)
        slip = (u[1] * u[1] + u[2] * u[2]) ** 0.5
        r0, r1, r2 = row[Z] - t0 * u[0] - slip, row[Z + 1] - u[1], row[Z + 2] - u[2]
        r0, r1, r2 = _root_times(row, 1.0, r0, r1, r2)
        f0, f1, f2 = _root_times(row, 1.0, row[Q] + r0, row[Q + 1] + r1, row[Q + 2] + r2)
        add_force(problem, c, t0 * f0, t1 * f1, t1 * f2, x)
    for k in range(matrix.counts[0].begin, matrix.counts[0].end):
        t = matrix.order[k]
        for i in range(contacts.tree_first[t], contacts.tree_first[t + 1]):
            matrix.v[i] = x[i]
    solve(contacts, matrix, x)
    for _ in range(REFINED if refined else 0):
        _refine(contacts, problem, matrix)
    for place in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[place]
        row, u, d = matrix.cone[c], matrix.u[c], matrix.du[c]
        t0, t1 = _units(problem, c)
        d[0], d[1], d[2] = velocity_change(problem, c, x)
        if problem.law[c] == DISC:
            continue
        d[1], d[2] = t1 * d[1], t1 * d[2]
        slip = (u[1] * u[1] + u[2] * u[2]) ** 0.5
        turned = (u[1] * d[1] + u[2] * d[2]) / (slip + LEAST)
        row[DZ] = t0 * d[0] + turned - (row[Z] - t0 * u[0] - slip)
        row[DZ + 1], row[DZ + 2] = d[1] - (row[Z + 1] - u[1]), d[2] - (row[Z + 2] - u[2])
        a0, a1, a2 = _root_times(row, 1.0, row[DZ], row[DZ + 1], row[DZ + 2])
        row[DX], row[DX + 1], row[DX + 2] = _root_times(row, 1.0, row[Q] - a0, row[Q + 1] - a1, row[Q + 2] - a2)


@part
def _longest(problem, matrix):
    """How far one may go along dx and dz, within the cones; at most 1e300."""
    a = 1e300
    for place in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[place]
        if problem.law[c] == DISC:
            continue
        row = matrix.cone[c]
        a = min(a, _room(row, X, DX), _room(row, Z, DZ))
    return a


@helper
def _move_disc(problem, matrix, c, a):
    """A part of the way of Newton's method on the disc: p + a (P + dP/du du - p)."""
    p0, p1, p2, d = problem.p[c, 0], problem.p[c, 1], problem.p[c, 2], matrix.du[c]
    follow(problem, matrix, c, d)
    if problem.owner[c] >= 0:
        follow_owner(problem, matrix, c, matrix.du[problem.owner[c], 0])
    p = problem.p[c]
    p[0], p[1], p[2] = p0 + a * (p[0] - p0), p1 + a * (p[1] - p1), p2 + a * (p[2] - p2)


@part
def _iteration(closures, contacts, w, problem, matrix):
    """A predictor and a corrector; returns the length of the step, or -1 if there is none."""
    m, refined, blocks = 0.5 * _scale(problem, matrix), closures.rows == 0, 0
    for place in range(problem.counts[0].begin, problem.counts[0].end):
        if problem.law[problem.member[place]] == DISC:
            refined = False
        else:
            blocks += 1
    if not 0.0 < m < INFINITE:
        return -1.0
    assemble(closures, contacts, w, problem, matrix)
    if not factorise(contacts, matrix):
        return -1.0
    problem.counts[0].factors += 1
    for place in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[place]
        if problem.law[c] == DISC:
            continue
        row = matrix.cone[c]
        row[Q], row[Q + 1], row[Q + 2] = -row[SCALED], -row[SCALED + 1], -row[SCALED + 2]
    _direction(contacts, problem, matrix, refined)
    a, then = min(1.0, _longest(problem, matrix)), 0.0
    for place in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[place]
        if problem.law[c] == DISC:
            continue
        row = matrix.cone[c]
        for k in range(3):
            then += (row[X + k] + a * row[DX + k]) * (row[Z + k] + a * row[DZ + k])
    left = min(max(0.5 * then / blocks / m, 1e-2), 1.0) ** 3
    for place in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[place]
        if problem.law[c] == DISC:
            continue
        row = matrix.cone[c]
        l0, l1, l2 = row[SCALED], row[SCALED + 1], row[SCALED + 2]
        a0, a1, a2 = _root_times(row, -1.0, row[DX], row[DX + 1], row[DX + 2])
        b0, b1, b2 = _root_times(row, 1.0, row[DZ], row[DZ + 1], row[DZ + 2])
        f = a * a
        r0 = left * m - (l0 * l0 + l1 * l1 + l2 * l2) - f * (a0 * b0 + a1 * b1 + a2 * b2)
        r1, r2 = -2.0 * l0 * l1 - f * (a0 * b1 + b0 * a1), -2.0 * l0 * l2 - f * (a0 * b2 + b0 * a2)
        row[Q], row[Q + 1], row[Q + 2] = _divided(l0, l1, l2, r0, r1, r2)
    _direction(contacts, problem, matrix, refined)
    a = min(1.0, TO_THE_EDGE * _longest(problem, matrix))
    for place in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[place]
        row = matrix.cone[c]
        if problem.law[c] == DISC:
            _move_disc(problem, matrix, c, a)
            continue
        for k in range(3):
            row[X + k] += a * row[DX + k]
            row[Z + k] += a * row[DZ + k]
    return a


@part
def interior(closures, contacts, w, problem, matrix, free, dv, wanted, tolerance, size, inside):
    """Improve the impulses; returns the residual. What is worse than what was there is not kept.

    size: the velocities that contacts of the island deal with; inside: part of it, how far inside of the cones it
    begins. It goes on to `wanted`, and is content with `tolerance`.
    """
    p, full, any_block = problem.p, np.int64(0), problem.member[problem.counts[0].begin]
    best, short, near = residual_of(contacts, problem, full), 0, NEAR * size * problem.weight[any_block]
    keep_impulses(problem)
    _begin(contacts, problem, matrix, free, dv, inside * size)
    for _ in range(MOST):
        _velocities(contacts, problem, matrix, free, dv)
        a = _iteration(closures, contacts, w, problem, matrix)
        short = short + 1 if a < SHORT else 0
        if not a > 0.0 or short > MOST_SHORT:
            break
        for place in range(problem.counts[0].begin, problem.counts[0].end):
            c = problem.member[place]
            if problem.law[c] == DISC:
                q0, q1, q2 = on_disc(radius_of(problem, c), p[c, 0], p[c, 1], p[c, 2])
                p[c, 0], p[c, 1], p[c, 2] = q0, q1, q2
                continue
            row = matrix.cone[c]
            t0, t1 = _units(problem, c)
            if t1 == 0.0:
                p[c, 0], p[c, 1], p[c, 2] = max(0.0, row[X]), 0.0, 0.0
            else:
                p[c, 0], p[c, 1], p[c, 2] = project_on_cone(t0 * row[X], row[X + 1], row[X + 2], problem.mu[c])
        set_impulses(contacts, problem, matrix, free, dv)
        left = residual_of(contacts, problem, full)
        if not left < INFINITE:
            break
        if left <= near:
            near = NEARER * left
            left = newton(closures, contacts, w, problem, matrix, free, dv, wanted, tolerance, MOST_LAST, full, STIFF)
        if left < best:
            best = left
            keep_impulses(problem)
        if best <= tolerance:
            break
    take_kept(problem)
    set_impulses(contacts, problem, matrix, free, dv)
    return best
