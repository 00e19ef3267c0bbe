"""Dynamics of trees whose loops are closed by cut joints.

    M a = f + G^T lambda,   G a = gamma                                                                    (1)

M = L^T L along the branches of the tree (Featherstone 2008, section 8.5), so that nothing is done where M is zero;
D = G M^-1 G^T is assembled rate by rate and factorised within its profile, so that loops that do not touch each other
cost nothing together. Redundant equations make D singular: the proximal iteration

    (D + mu) lambda_{k+1} = gamma - G M^-1 f + mu lambda_k,   lambda_0 = 0                                  (2)

converges to the multipliers of least norm (in units that give D a unit diagonal) and to the unique accelerations. The
same code with other numbers makes other constraint methods for the closures (`dynamics.constraint_methods`): feedback
of g and dg/dt in gamma is Baumgarte's stabilisation, a single iteration is the penalty method, a few with a larger mu
are the augmented Lagrangian method, since (M + G^T G / mu) a = f + G^T gamma / mu is the first line of (2) written for
a.
"""

from __future__ import annotations

import math

from duoti.dynamics.closures import (
    ALL,
    RATES,
    RESIDUALS,
    add_closure_wrenches,
    call_values,
    closure_jacobian,
    evaluate_closures,
)
from duoti.dynamics.crba import packed_mass_matrix
from duoti.dynamics.kinematics import joint_sweep, position_rates, unit_quaternions, velocities, world_poses
from duoti.dynamics.loads import call_forces
from duoti.dynamics.rnea import rnea_inward, rnea_outward, subtract_external
from duoti.dynamics.states import rates_beside_motion
from duoti.elements.markers import marker_point
from duoti.kernel import entry, helper, part, unpack
from duoti.spatial.algebra import ZERO6, add, cross, dot, get3, get_spatial, put_spatial, sub
from duoti.system.arrays import DAMPING, EPSILON, ITERATIONS, SHIFT, STIFFNESS, STOP_CHANGE
from duoti.system.context import REAL_CONTEXT

ROW_ROUND_OFF = 1e-20  # square of the size of a row, as part of what it could be, that is round-off
SHORTEST = 1e-8  # lever [m] below which joints are at one point
REFACTOR_RATIO = 0.1  # a correction that leaves more than this part of the residual calls for new factors
CORRECTION_TOLERANCE = 1e-4  # relative error of the multipliers in a correction: the next one takes it out
GEOMETRIC_RATIO = 0.3  # quotient of successive changes up to which they are taken for a geometric sequence
NEWTON_STEPS = 10  # most corrections of position and of velocity in a projection


@part
def factor_tree(tree, M):
    """M = L^T L in place, lower triangle, inverse diagonal, only entries between a rate and those that carry it.

    The row of a rate holds its carriers from the root on: that of a carrier holds the first of these.
    """
    for k in range(tree.nv - 1, -1, -1):
        row, n = tree.M_row[k], tree.depth[k]
        inverse = 1.0 / M[row + n] ** 0.5
        M[row + n] = inverse
        for d in range(n):
            M[row + d] *= inverse
        i = tree.parent_rate[k]
        for d in range(n - 1, -1, -1):
            other, x = tree.M_row[i], M[row + d]
            for e in range(d + 1):
                M[other + e] -= x * M[row + e]
            i = tree.parent_rate[i]


@helper
def _eliminate(tree, L, x, i):
    """One step of L^T x = b from the end: rate i is known, take it out of those that carry it."""
    row = tree.M_row[i]
    x[i] *= L[row + tree.depth[i]]
    last = tree.parent_rate[i]
    while last >= 0:
        shift = row + tree.depth[last] - last
        for j in range(tree.chain_first[last], last + 1):
            x[j] -= L[shift + j] * x[i]
        last = tree.chain_parent[last]


@part
def solve_L(tree, L, x):
    """x := L^-1 x."""
    for i in range(tree.nv):
        s, row = x[i], tree.M_row[i]
        last = tree.parent_rate[i]
        while last >= 0:
            shift = row + tree.depth[last] - last
            for j in range(tree.chain_first[last], last + 1):
                s -= L[shift + j] * x[j]
            last = tree.chain_parent[last]
        x[i] = s * L[row + tree.depth[i]]


@part
def solve_mass(tree, L, x):
    """x := M^-1 x with the factor of M = L^T L."""
    for i in range(tree.nv - 1, -1, -1):
        _eliminate(tree, L, x, i)
    solve_L(tree, L, x)


@part
def whiten_rows(tree, closures, w):
    """The rows L^-T G^T, but for equations that say nothing. Needs closure_jacobian and row_scales."""
    x = w.dense_row
    for r in range(closures.rows):
        if w.scaling[r] == 0.0:
            for k in range(closures.support[r], closures.support[r + 1]):
                w.L_G[closures.support_at[k]] = 0.0
            continue
        for k in range(closures.support[r], closures.support[r + 1]):
            x[closures.support_rates[k]] = w.G[k]
        for k in range(closures.support[r], closures.support[r + 1]):  # from the outermost rate to the root
            _eliminate(tree, w.M, x, closures.support_rates[k])
            w.L_G[closures.support_at[k]] = x[closures.support_rates[k]]


@part
def row_scales(tree, loads, closures, w):
    """Scaling that gives D a diagonal of about one where nothing cancels in a row of G. Needs the factor of M.

    The size of a row is taken from levers and axes, not from the row itself: a row that cancels (an equation across the
    plane of a planar loop) is nothing but round-off, or the error of a stage; scaled by its own size it would become an
    equation like any other. A row that is nothing but round-off gets a zero: it is left out.
    """
    centre = get3(w.X_WB, 1, 9)
    for closure in range(closures.count):
        p, _ = marker_point(loads, w, closures.markers[closure, 1])
        arm = sub(p, centre)
        turning, sliding = 0.0, 0.0  # of a unit torque and a unit force at the child's point
        for end in range(2):
            b = loads.markers.body[closures.markers[closure, end]]
            while b != closures.common[closure]:
                lever = sub(p, get3(w.X_WB, b, 9))
                for k in range(tree.first[b], tree.first[b + 1]):
                    i = tree.rate[k]
                    axis = (w.S_W[0, k], w.S_W[1, k], w.S_W[2, k])
                    speed = add((w.S_W[3, k], w.S_W[4, k], w.S_W[5, k]), cross(axis, arm))
                    weight = w.M[tree.M_row[i] + tree.depth[i]] ** 2
                    turn = dot(axis, axis) * weight
                    turning += turn
                    sliding += dot(speed, speed) * weight + (dot(lever, lever) + SHORTEST**2) * turn
                b = tree.parent[b]
        for r in range(closures.first[closure], closures.first[closure + 1]):
            size = 0.0
            if closures.terms[r + 1] > closures.terms[r]:
                for k in range(closures.support[r], closures.support[r + 1]):
                    i = closures.support_rates[k]
                    size += (w.G[k] * w.M[tree.M_row[i] + tree.depth[i]]) ** 2
            else:
                torque, force = get_spatial(w.row_wrench, r)
                torque = sub(torque, cross(arm, force))
                size = dot(torque, torque) * turning + dot(force, force) * sliding
                own = 0.0
                for k in range(closures.support[r], closures.support[r + 1]):
                    i = closures.support_rates[k]
                    own += (w.G[k] * w.M[tree.M_row[i] + tree.depth[i]]) ** 2
                if own <= ROW_ROUND_OFF * size:
                    size = 0.0
            w.scaling[r] = 1.0 / size**0.5 if size > 0.0 else 0.0


@part
def factorise(tree, loads, closures, w):
    """Factors of M and of the scaled D + mu (with inverse diagonal). Needs packed_mass_matrix and closure_jacobian."""
    factor_tree(tree, w.M)
    row_scales(tree, loads, closures, w)
    whiten_rows(tree, closures, w)
    D, n = w.delassus, closures.rows
    for k in range(D.shape[0]):
        D[k] = 0.0
    for k in range(tree.nv):
        for i in range(closures.column[k], closures.column[k + 1]):
            row, y = closures.D_row[closures.column_rows[i]], w.L_G[i]
            if w.scaling[closures.column_rows[i]] == 0.0:
                continue
            for j in range(closures.column[k], i + 1):
                D[row + closures.column_rows[j]] += y * w.L_G[j]
    for r in range(n):
        p, row = closures.profile[r], closures.D_row[r]
        if w.scaling[r] == 0.0:
            D[row + r] = 1.0 / w.constraint_method[SHIFT] ** 0.5
            continue
        for s in range(p, r):
            if w.scaling[s] == 0.0:
                D[row + s] = 0.0
                continue
            other = closures.D_row[s]
            x = D[row + s] * w.scaling[r] * w.scaling[s]
            for k in range(max(p, closures.profile[s]), s):
                x -= D[row + k] * D[other + k]
            D[row + s] = x * D[other + s]
        x = D[row + r] * w.scaling[r] ** 2 + w.constraint_method[SHIFT]
        for k in range(p, r):
            x -= D[row + k] * D[row + k]
        D[row + r] = 1.0 / x**0.5


@part
def solve_closures(tree, closures, w, right, x, enough):
    """x := M^-1 G^T lambda with D lambda = right (least norm); leaves lambda in w.multipliers.

    Iterates until lambda changes by no more than `enough`, relative. Round-off makes errors of 1e-16 / mu: less is of
    no use, and where equations contradict each other a little, the changes never become less. With such an `enough`, a
    lambda that nears its end by a constant factor in each iteration (long chains of loops) is taken there at once.
    """
    n, lam, b, D = closures.rows, w.multipliers, w.solution, w.delassus
    shift, last = w.constraint_method[SHIFT], 0.0
    for r in range(n):
        lam[r] = 0.0
    for _ in range(int(w.constraint_method[ITERATIONS])):
        for r in range(n):
            if w.scaling[r] == 0.0:
                b[r] = 0.0
                continue
            s, row = w.scaling[r] * right[r] + shift * lam[r], closures.D_row[r]
            for k in range(closures.profile[r], r):
                s -= D[row + k] * b[k]
            b[r] = s * D[row + r]
        change, size = 0.0, 0.0
        for r in range(n - 1, -1, -1):
            if w.scaling[r] == 0.0:
                continue
            row = closures.D_row[r]
            b[r] *= D[row + r]
            for k in range(closures.profile[r], r):
                b[k] -= D[row + k] * b[r]
            change = max(change, abs(b[r] - lam[r]))
            size = max(size, abs(b[r]))
        further = 0.0
        if 0.0 < enough * shift <= EPSILON and change < GEOMETRIC_RATIO * last:
            further = change / (last - change)  # sum of the geometric sequence
        for r in range(n):
            lam[r] = b[r] + further * (b[r] - lam[r])
        if change <= enough * size:
            break
        last = change if further == 0.0 else 0.0
    for i in range(tree.nv):
        s = 0.0
        for k in range(closures.column[i], closures.column[i + 1]):
            r = closures.column_rows[k]
            s += w.L_G[k] * w.scaling[r] * lam[r]
        x[i] = s
    solve_L(tree, w.M, x)
    for r in range(n):
        lam[r] *= w.scaling[r]


@part
def constrained_dynamics(tree, loads, closures, w, t, q, v, a, solve):
    """Accelerations and multipliers; F_ext then holds the closures' wrenches too.

    With solve = 0 only the equations: M, G, gamma, g, dg/dt, and the forces f in w.free. (In a function of its own,
    this part would cost a quarter of the time of a small mechanism, for handing on all arrays.)
    """
    nv = tree.nv
    joint_sweep(tree, w, q, v)
    for i in range(nv):
        a[i] = 0.0
    rnea_outward(tree, w, v, a)
    world_poses(tree, w)
    for b in range(tree.nb):
        put_spatial(w.F_ext, b, ZERO6)
    call_forces(tree, loads, w, t, q, v)
    if loads.forces.count > 0:
        subtract_external(tree, w, w.F)
    rnea_inward(tree, w, a, w.a_free)
    call_values(closures, w, t)
    evaluate_closures(loads, closures, w, q, v, ALL)
    closure_jacobian(tree, loads, closures, w)
    packed_mass_matrix(tree, w)
    for i in range(nv):
        w.a_free[i] = w.tau[i] - w.a_free[i]
    if solve == 0:
        return
    factorise(tree, loads, closures, w)
    for i in range(nv - 1, -1, -1):
        _eliminate(tree, w.M, w.a_free, i)
    solve_L(tree, w.M, w.a_free)  # accelerations without closures
    for r in range(closures.rows):
        s = w.gamma[r] - w.constraint_method[DAMPING] * w.gdot[r] - w.constraint_method[STIFFNESS] * w.g[r]
        for k in range(closures.support[r], closures.support[r + 1]):
            s -= w.G[k] * w.a_free[closures.support_rates[k]]
        w.rhs[r] = s
    solve_closures(tree, closures, w, w.rhs, a, w.constraint_method[STOP_CHANGE])
    for i in range(nv):
        a[i] += w.a_free[i]
    add_closure_wrenches(loads, closures, w)


@entry
def constrained_rates_entry(context):
    """Entry: w.ydot, the rates of the state w.y at the time w.clock."""
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    nq, nv = tree.nq, tree.nv
    q, v = w.y[:nq], w.y[nq : nq + nv]
    constrained_dynamics(tree, loads, closures, w, w.clock[0], q, v, w.ydot[nq : nq + nv], 1)
    position_rates(tree, q, v, w.ydot[:nq])
    rates_beside_motion(tree, w)


@part
def refresh(tree, loads, closures, w, q, v):
    """Residuals, their rates and the factors in a state."""
    joint_sweep(tree, w, q, v)
    velocities(tree, w, v)
    world_poses(tree, w)
    evaluate_closures(loads, closures, w, q, v, RATES)
    closure_jacobian(tree, loads, closures, w)
    packed_mass_matrix(tree, w)
    factorise(tree, loads, closures, w)


@entry
def project_entry(context):
    """Entry: bring the state w.y back to closed loops, first its positions, then its rates, by the shortest way.

    Shortest in the metric of M: dq = M^-1 G^T D^-1 (-g). The factors are those of the last evaluation of rates, near
    enough for a few cheap corrections; where these do not converge fast (long steps, a singular position in between),
    a correction that made it worse is taken back and the factors are made anew.
    """
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    nq, nv = tree.nq, tree.nv
    q, v = w.y[:nq], w.y[nq : nq + nv]
    call_values(closures, w, w.clock[0])
    fresh, last = 0, math.inf
    for _ in range(NEWTON_STEPS):
        joint_sweep(tree, w, q, v)
        world_poses(tree, w)
        evaluate_closures(loads, closures, w, q, v, RESIDUALS)
        residual = largest(w.g)
        if residual <= closures.tolerance:
            break
        if residual > REFACTOR_RATIO * last:
            if residual > last:
                for i in range(nq):
                    q[i] -= w.ydot[i]
                unit_quaternions(tree, q)
            if fresh == 1:
                break
            fresh = 1
            refresh(tree, loads, closures, w, q, v)
            residual = largest(w.g)
        last = residual
        for r in range(closures.rows):
            w.rhs[r] = -w.g[r]
        solve_closures(tree, closures, w, w.rhs, w.a_free, CORRECTION_TOLERANCE)
        position_rates(tree, q, w.a_free, w.ydot[:nq])
        for i in range(nq):
            q[i] += w.ydot[i]
        unit_quaternions(tree, q)
    fresh, last = 0, math.inf
    for _ in range(NEWTON_STEPS):
        velocities(tree, w, v)
        evaluate_closures(loads, closures, w, q, v, RATES)
        size = 0.0
        for i in range(nv):
            size = max(size, abs(v[i]))
        residual = largest(w.gdot)
        if residual <= closures.tolerance * max(size, 1.0):
            break
        if residual > REFACTOR_RATIO * last:
            if residual > last:
                for i in range(nv):
                    v[i] -= w.a_free[i]
            if fresh == 1:
                break
            fresh = 1
            refresh(tree, loads, closures, w, q, v)
            residual = largest(w.gdot)
        last = residual
        for r in range(closures.rows):
            w.rhs[r] = -w.gdot[r]
        solve_closures(tree, closures, w, w.rhs, w.a_free, CORRECTION_TOLERANCE)
        for i in range(nv):
            v[i] += w.a_free[i]


@helper
def largest(x):
    """Largest magnitude in x."""
    found = 0.0
    for i in range(x.shape[0]):
        found = max(found, abs(x[i]))
    return found
