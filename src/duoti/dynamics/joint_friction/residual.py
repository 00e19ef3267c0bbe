"""Friction and stops in joints in the residuals of the implicit methods: a second stage behind the wrenches of joints.

One pass of the recursive Newton-Euler algorithm gives, for the accelerations and multipliers of the iteration, the
wrench through each joint; so friction is an explicit function of the unknowns, and the solver's own Newton iteration
couples it with the reactions exactly. In the iteration matrix, the slopes of friction by rates and bristles stand;
those by the load are left out, which costs a factor of about (mu radius / arm of the masses) of its convergence and
nothing of the result.

The equation of a held rate is a_j = 0 in place of its equation of motion; what that leaves over is the force that
holds.
"""

from __future__ import annotations

from duoti.dynamics.joint_friction.rates import find_direction, is_held
from duoti.dynamics.loops.factors import solve_mass
from duoti.elements.joint_friction import STATIC_CONSTANT, STATIC_FRICTION, load_of, load_wrench, sliding_bound
from duoti.elements.joint_friction_memory import JOINT_FRICTION_CONTEXT, STOP
from duoti.kernel import call_entry, entry, part, unpack
from duoti.system.context import REAL_CONTEXT, TANGENT_CONTEXT


@part
def second_stage(tree, loads, w, jf, v):
    """Forces of the slots from the wrenches in w.F; corrects w.a_free, w.tau and the powers, which had others."""
    for s in range(jf.count):
        if is_held(jf, w.y, v, s):
            for k in range(jf.size[s]):
                j = jf.first[s] + k
                jf.x[s, k] += w.a_free[j]
                w.tau[j] += w.a_free[j]
                w.a_free[j] = 0.0
    for s in range(jf.count):
        f = jf.force[s]
        if f < 0:
            continue
        if jf.loaded[s] == 1:
            load_wrench(tree, w, jf, s, jf.scratch)
            jf.load[s] = load_of(w, jf, s, jf.scratch)
        jf.rest[s] = loads.forces.reals[f, STATIC_FRICTION] * jf.load[s] + loads.forces.reals[f, STATIC_CONSTANT]
        if is_held(jf, w.y, v, s):
            continue
        jf.bound[s] = sliding_bound(loads, v, jf, s, jf.load[s])
        for k in range(jf.size[s]):
            j = jf.first[s] + k
            force = -jf.bound[s] * jf.direction[s, k]
            change = force - jf.x[s, k]
            jf.x[s, k] = force
            w.a_free[j] -= change
            w.tau[j] += change
            w.powers[2] -= change * v[j]
            w.force_powers[f, 2] -= change * v[j]


@part
def first_stage(loads, w, jf, v):
    """Forces with which the wrenches are computed: the bounds found last."""
    for s in range(jf.count):
        if is_held(jf, w.y, v, s):
            continue
        if jf.kind[s] == STOP:
            jf.x[s, 0] = 0.0
            continue
        find_direction(loads, w, v, jf, s)
        for k in range(jf.size[s]):
            jf.x[s, k] = -jf.bound[s] * jf.direction[s, k]


@entry
def joint_friction_residual_entry(context):
    """Entry RESIDUAL of systems with joint friction laws; see `residual.residual_entry`."""
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    nq, nv = tree.nq, tree.nv
    v = w.y[nq : nq + nv]
    first_stage(loads, w, jf, v)
    call_entry(jf.calls[0].residual, w.at[0].system)
    second_stage(tree, loads, w, jf, v)
    for s in range(jf.count):
        if is_held(jf, w.y, v, s):
            for k in range(jf.size[s]):
                j = jf.first[s] + k
                w.a_free[j] = jf.inertia[s] * w.ydot[nq + j]


@entry
def joint_friction_linearise_entry(context):
    """Entry LINEARISE of systems with joint friction laws; see `linearise.linearise_entry`."""
    tree, _, _, w = unpack(context, REAL_CONTEXT)
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    tan, _ = unpack(w.at[0].tangent, TANGENT_CONTEXT)
    nq, nv = tree.nq, tree.nv
    v = w.y[nq : nq + nv]
    call_entry(jf.calls[0].linearise, w.at[0].system)
    for s in range(jf.count):
        if is_held(jf, w.y, v, s):
            for k in range(jf.size[s]):
                j = jf.first[s] + k
                jf.inertia[s] = tan.M[j, j]
                for i in range(nv):
                    tan.M[j, i] = tan.C[j, i] = tan.K[j, i] = 0.0
                for i in range(tree.nz):
                    tan.Z[j, i] = 0.0
                tan.M[j, j] = jf.inertia[s]


GIVEN_ITERATIONS = 60
GIVEN_CONVERGED = 1e-14


@entry
def joint_friction_given_multipliers_entry(context):
    """Entry GIVEN_MULTIPLIERS of systems with joint friction laws: bounds and accelerations in turn, until they fit
    together.
    """
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    nq, nv = tree.nq, tree.nv
    v = w.y[nq : nq + nv]
    first_stage(loads, w, jf, v)
    ours = w.calls[0].residual
    w.calls[0].residual = jf.calls[0].residual
    for _ in range(GIVEN_ITERATIONS):
        call_entry(jf.calls[0].given_multipliers, w.at[0].system)
        _hold(tree, w, jf, v)
        call_entry(jf.calls[0].residual, w.at[0].system)
        before = 0.0
        for s in range(jf.count):
            before += jf.bound[s]
        second_stage(tree, loads, w, jf, v)
        after = 0.0
        for s in range(jf.count):
            after += jf.bound[s]
        if abs(after - before) <= GIVEN_CONVERGED * abs(after):
            break
    w.calls[0].residual = ours


@part
def _hold(tree, w, jf, v):
    """Forces that hold rates: with each alone, one after the other, until none moves. Needs the factor of M."""
    nq, nv = tree.nq, tree.nv
    for _ in range(GIVEN_ITERATIONS):
        worst = 0.0
        for s in range(jf.count):
            if not is_held(jf, w.y, v, s):
                continue
            for k in range(jf.size[s]):
                j = jf.first[s] + k
                for i in range(nv):
                    w.a_free[i] = 1.0 if i == j else 0.0
                solve_mass(tree, w.M, w.a_free)
                push = -w.ydot[nq + j] / w.a_free[j]
                worst = max(worst, abs(push) - GIVEN_CONVERGED * abs(jf.x[s, k]))
                jf.x[s, k] += push
                for i in range(nv):
                    w.ydot[nq + i] += push * w.a_free[i]
        if worst <= 0.0:
            break
