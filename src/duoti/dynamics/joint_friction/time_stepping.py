"""Friction and rigid stops in joints within a step of Moreau and Jean's time stepping.

Impulses P of held or sliding rates, at the level of velocities: with the response K of the velocities to a unit impulse
in each of them (through joints and loops), v' = v_free + K P,

    friction    |P| <= h b,   and P = -h b u'/|u'| where it slides                                          (1)
    stop        P >= 0,  v' >= a,  one of the two zero                                                      (2)

where a stop lets a rate go at most so far towards it that the step ends at the limit (a = -2 d / h for a distance d at
the middle of the step, 0 for a joint that begins the step there); the next step takes what is left. An impact with
restitution is one at once, a = -e v, if the step would end beyond the limit without it. All stops take part in every
step: an impulse in one joint may drive another one against its limit. They are
solved by Gauss-Seidel sweeps over the slots, each slot by itself exactly. Bounds that follow from loads take those of
the accelerations (v' - v) / h, again and again until they do not change; forces of contact are in jf.pushes, and those
of closed loops are what the other forces leave over of the equations of motion.
"""

from __future__ import annotations

import math

from duoti.dynamics.joint_friction.rates import MOVES, SOFTENING
from duoti.dynamics.loops.constrained import solve_closures
from duoti.dynamics.loops.factors import factor_tree, solve_mass
from duoti.dynamics.loops.residual import balance, put_loads
from duoti.dynamics.tree.crba import packed_mass_matrix
from duoti.elements.joint_friction import (
    STATIC_CONSTANT,
    STATIC_FRICTION,
    load_of,
    load_wrench,
    sliding_bound,
    speed_of,
)
from duoti.elements.joint_friction_memory import (
    AT_REST,
    BACKWARD,
    COULOMB,
    FORWARD,
    FREE,
    IMPACT,
    JOINT_FRICTION_CONTEXT,
    LOWER,
    STOP,
    UPPER,
)
from duoti.elements.linalg import solve_column
from duoti.kernel import call_entry, entry, helper, part, unpack
from duoti.system.context import REAL_CONTEXT

SWEEPS = 2000
LOCAL_STEPS = 60
ON_THE_EDGE = 1e-14
SWEEPS_CONVERGED = 1e-14  # change of a velocity in a sweep, relative to the largest that impulses make
STALE, FEW = 20, 1e-10  # sweeps in which a change of no more than that must halve: else it is round-off
LOAD_ROUNDS = 60
LOAD_CONVERGED = 1e-12
SLOW = 2.0  # times the change of speed in a step: slower impacts do not bounce
AT_LIMIT = 1e-9  # [m or rad] distance that is none
NO_SPEED_FRACTION = 1e-12  # speed that is none, as part of what the impulse of the step made


@helper
def _inward(jf, w, s):
    """Away from the limit to which a joint is nearer: 1 from the lower one, -1 from the upper one."""
    q = w.y[jf.coordinate[s]]
    return 1.0 if q - jf.limits[s, 0] <= jf.limits[s, 1] - q else -1.0


@helper
def _least_rate(jf, w, s, inward):
    """a of (2) without rebound, in the direction `inward`. A joint that begins beyond its limit may only come back."""
    q, limit = w.y[jf.coordinate[s]], jf.limits[s, 0] if inward > 0.0 else jf.limits[s, 1]
    distance, way = inward * (q - limit), 0.5 * jf.step[0] * inward * jf.before[jf.first[s]]
    if distance - way <= AT_LIMIT:
        return 0.0
    return -2.0 * max(distance, 0.0) / jf.step[0]


@entry
def joint_friction_responses_entry(context):
    """Entry: responses of the velocities to unit impulses in the slots, where rates were evaluated last."""
    tree, _, closures, w = unpack(context, REAL_CONTEXT)
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    if closures.rows == 0:
        packed_mass_matrix(tree, w)
        factor_tree(tree, w.M)
    n = 0
    for s in range(jf.count):
        for k in range(jf.size[s]):
            x = jf.response[n]
            for i in range(tree.nv):
                x[i] = 0.0
            x[jf.first[s] + k] = 1.0
            solve_mass(tree, w.M, x)
            if closures.rows > 0:
                for r in range(closures.rows):
                    w.rhs[r] = 0.0
                    for c in range(closures.support[r], closures.support[r + 1]):
                        w.rhs[r] -= w.G[c] * x[closures.support_dofs[c]]
                solve_closures(tree, closures, w, w.rhs, w.a_free, SWEEPS_CONVERGED)
                for i in range(tree.nv):
                    x[i] += w.a_free[i]
            jf.p[n] = SLOW * jf.step[0] * abs(w.ydot[tree.nq + jf.first[s] + k])
            if jf.kind[s] == STOP:
                jf.rest[s] = 0.0
                if _inward(jf, w, s) * jf.impulse[n] <= 0.0:
                    jf.impulse[n] = 0.0  # others begin with those of the last step
            n += 1


@helper
def _push(jf, n, change):
    """Add to an impulse."""
    jf.impulse[n] += change
    for i in range(jf.velocity.shape[0]):
        jf.velocity[i] += change * jf.response[n, i]


@part
def _aim(jf, w, s, n):
    """a of (2), in the direction inward."""
    inward, j = _inward(jf, w, s), jf.first[s]
    before, aim = inward * jf.before[j], _least_rate(jf, w, s, inward)
    if jf.restitution[s] > 0.0 and before < -jf.p[n]:
        alone = inward * jf.velocity[j] - jf.response[n, j] * inward * jf.impulse[n]
        if jf.rest[s] == IMPACT or alone < aim:
            jf.rest[s], aim = IMPACT, -jf.restitution[s] * before
    return aim


@part
def _stop(jf, w, s, n):
    """Impulse of a stop by (2); returns the change of its rate."""
    inward, j = _inward(jf, w, s), jf.first[s]
    response = jf.response[n, j]
    if response <= 0.0:  # loops hold it
        return 0.0
    alone = inward * jf.velocity[j] - response * inward * jf.impulse[n]
    impulse = max(0.0, (_aim(jf, w, s, n) - alone) / response)
    change = inward * impulse - jf.impulse[n]
    _push(jf, n, change)
    return abs(change * response)


@part
def find_active(jf, P):
    """unknown_slot, unknown_dof: stops with P not zero, and their places in P; returns how many there are."""
    m, n = 0, 0
    for s in range(jf.count):
        if jf.kind[s] == STOP and P[n] != 0.0:
            jf.unknown_slot[m], jf.unknown_dof[m] = s, n
            m += 1
        n += jf.size[s]
    return m


@part
def active_step(jf, P, m):
    """Changes of P with which all active stops come to their aims, as far as none of them would have to pull.

    Column m of jf.matrix: what rates or coordinates lack of their aims, then the changes. Returns the part of the way.
    """
    A, fraction = jf.matrix, 1.0
    for i in range(m):
        for k in range(m):
            A[i, k] = jf.response[jf.unknown_dof[k], jf.first[jf.unknown_slot[i]]]
        A[i, i] *= 1.0 + SOFTENING
    solve_column(A, m, m)
    for i in range(m):
        p = P[jf.unknown_dof[i]]
        if p * (p + A[i, m]) < 0.0:
            fraction = min(fraction, -p / A[i, m])
    for i in range(m):
        p = P[jf.unknown_dof[i]]
        A[i, m] *= fraction
        if abs(p + A[i, m]) <= ON_THE_EDGE * abs(p):
            A[i, m] = -p
    return fraction


@part
def _solve_active(jf, w):
    """Stops that push, all at once: sweeps from one to the next are slow where many of them hang on each other."""
    for _ in range(jf.count):
        m = find_active(jf, jf.impulse)
        for i in range(m):
            s, n = jf.unknown_slot[i], jf.unknown_dof[i]
            inward = _inward(jf, w, s)
            jf.matrix[i, m] = inward * _aim(jf, w, s, n) - jf.velocity[jf.first[s]]
        whole = active_step(jf, jf.impulse, m) == 1.0
        for i in range(m):
            _push(jf, jf.unknown_dof[i], jf.matrix[i, m])
        if whole:
            break


@part
def _local_impulses(jf, s, n, stiffness):
    """jf.scratch := -(W + stiffness)^-1 u of one slot; returns the square of its size, in units of the bound.

    W and u are its own response and its speeds without its own impulses, both in units of sliding speed. A rate that
    is not braked, or that nothing moves, has no impulse.
    """
    first, size, A = jf.first[s], jf.size[s], jf.matrix
    largest = 0.0
    for k in range(size):
        largest = max(largest, jf.scales[s, k] ** 2 * jf.response[n + k, first + k])
    for k in range(size):
        scale = jf.scales[s, k]
        moves = scale * scale * jf.response[n + k, first + k] > NO_SPEED_FRACTION * largest
        u = jf.velocity[first + k]
        for j in range(size):
            u -= jf.response[n + j, first + k] * jf.impulse[n + j]
            A[k, j] = scale * jf.response[n + j, first + k] * jf.scales[s, j] if moves else 0.0
        A[k, k] = A[k, k] + stiffness if moves else 1.0
        A[k, size] = -scale * u if moves else 0.0
    solve_column(A, size, size)
    square = 0.0
    for k in range(size):
        jf.scratch[k] = A[k, size]
        square += A[k, size] ** 2
    return square


@part
def _slope(jf, s, n, stiffness):
    """P (W + stiffness)^-1 P of the impulses P in jf.scratch."""
    first, size, A = jf.first[s], jf.size[s], jf.matrix
    for k in range(size):
        for j in range(size):
            A[k, j] = jf.scales[s, k] * jf.response[n + j, first + k] * jf.scales[s, j]
        A[k, k] += stiffness
        A[k, size] = jf.scratch[k]
        if jf.scratch[k] == 0.0:  # takes no part
            for j in range(size):
                A[k, j], A[j, k] = 0.0, 0.0
            A[k, k] = 1.0
    solve_column(A, size, size)
    found = 0.0
    for k in range(size):
        found += jf.scratch[k] * A[k, size]
    return found


@part
def _friction(jf, s, n, bound):
    """Impulses of a friction slot by (1); returns the change of its rates.

    Rest, if |P| <= bound for u' = W P + u = 0. Else u' = -l P with the l > 0 for which |P| = bound: the root of
    1 / |P(l)| = 1 / bound, which Newton's method reaches from below (Moré and Sorensen 1983, for trust regions).
    """
    first, size, stiffness = jf.first[s], jf.size[s], 0.0
    square = _local_impulses(jf, s, n, stiffness)
    for _ in range(LOCAL_STEPS):
        if bound <= 0.0 or square <= bound * bound * (1.0 + ON_THE_EDGE):
            break
        stiffness += (square**0.5 / bound - 1.0) * square / _slope(jf, s, n, stiffness)
        square = _local_impulses(jf, s, n, stiffness)
    worst = 0.0
    for k in range(size):
        impulse = jf.scales[s, k] * jf.scratch[k] if bound > 0.0 else 0.0
        change = impulse - jf.impulse[n + k]
        jf.scratch[k] = change
        worst = max(worst, abs(change * jf.response[n + k, first + k]))
    for k in range(size):
        _push(jf, n + k, jf.scratch[k])
    return worst


@part
def _sweeps(loads, w, jf, h):
    """Gauss-Seidel sweeps over all slots, until nothing changes."""
    size, n = 1e-300, 0
    for s in range(jf.count):
        for k in range(jf.size[s]):  # impulses of an earlier round, and what forces would do in the step: contacts may
            # bear all of it, and leave a velocity that is but round-off
            size = max(size, abs(jf.impulse[n] * jf.response[n, jf.first[s] + k]), jf.p[n] / SLOW)
            n += 1
    earlier = math.inf
    for sweep in range(SWEEPS):
        change, n = 0.0, 0
        for s in range(jf.count):
            if jf.kind[s] == STOP:
                change = max(change, _stop(jf, w, s, n))
            elif jf.kind[s] == COULOMB:
                change = max(change, _friction(jf, s, n, h * jf.bound[s]))
            n += jf.size[s]
        size = max(size, change)
        if change <= SWEEPS_CONVERGED * size:
            break
        if sweep % STALE == STALE - 1:
            if 0.5 * earlier < change <= FEW * size:  # held rates that depend on each other, through loops
                break
            earlier = change
            _solve_active(jf, w)


@part
def _bounds(loads, jf):
    """Bounds of friction for the loads found last: static where the step begins at rest."""
    for s in range(jf.count):
        if jf.kind[s] == COULOMB:
            f = jf.force[s]
            jf.rest[s] = loads.forces.reals[f, STATIC_FRICTION] * jf.load[s] + loads.forces.reals[f, STATIC_CONSTANT]
            jf.bound[s] = sliding_bound(loads, jf.before, jf, s, jf.load[s])
            if speed_of(jf, jf.before, s).real <= MOVES:
                jf.bound[s] = jf.rest[s]


@part
def _balance_loops(tree, closures, w, residual):
    """w.multipliers of the accelerations in w.ydot: G^T lambda = M a + h - f, where rates were evaluated last.

    Multiplied by G M^-1, which stands factorised there: D lambda = G M^-1 (M a + h - f).
    """
    for r in range(closures.rows):
        w.multipliers[r] = 0.0
    call_entry(residual, w.at[0].system)
    solve_mass(tree, w.M, w.a_free)
    for r in range(closures.rows):
        w.rhs[r] = 0.0
        for c in range(closures.support[r], closures.support[r + 1]):
            w.rhs[r] += w.G[c] * w.a_free[closures.support_dofs[c]]
    solve_closures(tree, closures, w, w.rhs, w.a_free, SWEEPS_CONVERGED)


@entry
def joint_friction_impulses_entry(context):
    """Entry: impulses of friction and stops in a step, from jf.velocity (which they change) and jf.before."""
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    h, nq, loaded = jf.step[0], tree.nq, 0
    for s in range(jf.count):
        loaded = max(loaded, jf.loaded[s] if jf.kind[s] == COULOMB else 0)
    for _ in range(LOAD_ROUNDS):
        _bounds(loads, jf)
        _sweeps(loads, w, jf, h)
        if loaded == 0:
            break
        n = 0
        for s in range(jf.count):
            for k in range(jf.size[s]):
                if jf.kind[s] == COULOMB or jf.kind[s] == STOP:
                    jf.x[s, k] = jf.impulse[n] / h
                n += 1
        for i in range(tree.nv):
            w.ydot[nq + i] = (jf.velocity[i] - jf.before[i]) / h
        if closures.rows > 0:
            _balance_loops(tree, closures, w, jf.calls[0].residual)
        call_entry(jf.calls[0].residual, w.at[0].system)
        change, size = 0.0, 0.0
        for s in range(jf.count):
            if jf.loaded[s] == 1 and jf.kind[s] == COULOMB:
                load_wrench(tree, w, jf, s, jf.scratch)
                load = load_of(w, jf, s, jf.scratch)
                change, size = max(change, abs(load - jf.load[s])), max(size, load)
                jf.load[s] = load
        if change <= LOAD_CONVERGED * size:
            break
    _next_friction_states(jf, w, h)


@entry
def pushed_residual_entry(context):
    """Entry RESIDUAL without joint friction laws, with jf.pushes: wrenches through joints of bodies that touch
    others.
    """
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    put_loads(tree, loads, closures, w)
    for b in range(tree.nb):
        for i in range(6):
            w.F_ext[b, i] += jf.pushes[b, i]
    balance(tree, w)


@part
def _next_friction_states(jf, w, h):
    """Friction states after the step, and what the impulses take; rates that are held are exactly zero."""
    lost, n = 0.0, 0
    for s in range(jf.count):
        first, size = jf.first[s], jf.size[s]
        for k in range(size):
            lost -= 0.5 * jf.impulse[n + k] * (jf.before[first + k] + jf.velocity[first + k])
        if jf.kind[s] == STOP:
            jf.next_friction_state[s] = FREE
            if jf.impulse[n] > 0.0:
                jf.next_friction_state[s] = LOWER
            elif jf.impulse[n] < 0.0:
                jf.next_friction_state[s] = UPPER
            made = abs(jf.impulse[n] * jf.response[n, first])
            if jf.impulse[n] != 0.0 and abs(jf.velocity[first]) <= NO_SPEED_FRACTION * made:
                jf.velocity[first] = 0.0
        elif jf.kind[s] == COULOMB:
            still = True
            for k in range(size):
                made = h * jf.bound[s] * jf.scales[s, k] * jf.response[n + k, first + k]
                still = still and abs(jf.velocity[first + k]) <= NO_SPEED_FRACTION * made
            jf.next_friction_state[s] = AT_REST if still else FORWARD
            if still:
                for k in range(size):
                    jf.velocity[first + k] = 0.0
            elif size == 1 and jf.velocity[first] < 0.0:
                jf.next_friction_state[s] = BACKWARD
        n += size
    jf.step[1] = lost
