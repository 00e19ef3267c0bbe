"""Friction and rigid stops in joints within a step of Moreau and Jean's time stepping.

They are blocks of the contact problem of the step (`contact.solve.problem`), at the level of velocities:

    friction    |P| <= h b,   and P = -h b u'/|u'| where it slides                                          (1)
    stop        P >= 0,  v' >= a,  one of the two zero                                                      (2)

where a stop lets a rate go at most so far towards it that the step ends at the limit (a = -2 d / h for a distance d at
the middle of the step, 0 for a joint that begins the step there); the next step takes what is left. An impact with
restitution is one at once, a = -e v, if the step would end beyond the limit without it. Bounds that follow from loads
take those of the accelerations (v' - v) / h; forces of contact are in jf.pushes, and those of closed loops are what the
other forces leave over of the equations of motion.
"""

from __future__ import annotations

from duoti.dynamics.joint_friction.rates import MOVES, SOFTENING
from duoti.dynamics.loops.constrained import solve_closures
from duoti.dynamics.loops.factors import solve_mass
from duoti.dynamics.loops.residual import balance, put_loads
from duoti.elements.joint_friction import (
    STATIC_CONSTANT,
    STATIC_FRICTION,
    load_of,
    load_wrench,
    sliding_bound,
    speed_of,
)
from duoti.elements.joint_friction_memory import (
    COULOMB,
    JOINT_FRICTION_CONTEXT,
    STOP,
)
from duoti.elements.linalg import solve_column
from duoti.kernel import call_entry, entry, helper, part, unpack
from duoti.system.context import REAL_CONTEXT

ON_THE_EDGE = 1e-14
RESPONSES_CONVERGED = 1e-14  # relative error of multipliers
AT_LIMIT = 1e-9  # [m or rad] distance that is none


@helper
def inward_at(jf, w, s):
    """Away from the limit to which a joint is nearer: 1 from the lower one, -1 from the upper one."""
    q = w.y[jf.coordinate[s]]
    return 1.0 if q - jf.limits[s, 0] <= jf.limits[s, 1] - q else -1.0


@helper
def least_rate(jf, w, s, inward):
    """a of (2) without rebound, in the direction `inward`. A joint that begins beyond its limit may only come back."""
    q, limit = w.y[jf.coordinate[s]], jf.limits[s, 0] if inward > 0.0 else jf.limits[s, 1]
    distance, way = inward * (q - limit), 0.5 * jf.step[0] * inward * jf.before[jf.first[s]]
    if distance - way <= AT_LIMIT:
        return 0.0
    return -2.0 * max(distance, 0.0) / jf.step[0]


@entry
def joint_friction_responses_entry(context):
    """Entry: responses of the velocities to unit impulses in the stops, with the factor of the mass matrix in w."""
    tree, _, closures, w = unpack(context, REAL_CONTEXT)
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    n = 0
    for s in range(jf.count):
        if jf.kind[s] == STOP:
            x = jf.response[n]
            for i in range(tree.nv):
                x[i] = 0.0
            x[jf.first[s]] = 1.0
            solve_mass(tree, w.M, x)
            if closures.rows > 0:
                for r in range(closures.rows):
                    w.rhs[r] = 0.0
                    for c in range(closures.support[r], closures.support[r + 1]):
                        w.rhs[r] -= w.G[c] * x[closures.support_dofs[c]]
                solve_closures(tree, closures, w, w.rhs, w.a_free, RESPONSES_CONVERGED)
                for i in range(tree.nv):
                    x[i] += w.a_free[i]
        n += jf.size[s]


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
def friction_bounds(loads, jf):
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
    solve_closures(tree, closures, w, w.rhs, w.a_free, RESPONSES_CONVERGED)


@entry
def joint_friction_loads_entry(context):
    """Entry: jf.load of jf.velocity, jf.before and the impulses of the step."""
    tree, _, closures, w = unpack(context, REAL_CONTEXT)
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    h, n = jf.step[0], 0
    for s in range(jf.count):
        for k in range(jf.size[s]):
            if jf.kind[s] == COULOMB or jf.kind[s] == STOP:
                jf.x[s, k] = jf.impulse[n] / h
            n += 1
    for i in range(tree.nv):
        w.ydot[tree.nq + i] = (jf.velocity[i] - jf.before[i]) / h
    if closures.rows > 0:
        _balance_loops(tree, closures, w, jf.calls[0].residual)
    call_entry(jf.calls[0].residual, w.at[0].system)
    for s in range(jf.count):
        if jf.loaded[s] == 1 and jf.kind[s] == COULOMB:
            load_wrench(tree, w, jf, s, jf.scratch)
            jf.load[s] = load_of(w, jf, s, jf.scratch)


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
