"""Closed loops with joints that are held: projections close the loops with all others, and leave these in place."""

from __future__ import annotations

from duoti.dynamics.joint_friction.rates import SOFTENING, is_held
from duoti.dynamics.loops.constrained import solve_closures
from duoti.dynamics.loops.factors import solve_mass
from duoti.dynamics.loops.projection import refresh
from duoti.dynamics.tree.kinematics import calc_qdot, unit_quaternions
from duoti.elements.joint_friction_memory import FROM_OUTSIDE, JOINT_FRICTION_CONTEXT, STOP
from duoti.elements.linalg import solve_column
from duoti.kernel import call_entry, entry, helper, part, unpack
from duoti.system.context import REAL_CONTEXT

ROUNDS = 10  # each squares the error: the most that a step of Newton's method needs
EXACT = 1e-13  # relative error of the multipliers of responses
LOCKED = 1e-12  # response of a rate, as part of that without loops: the loops hold it by themselves


@helper
def _rate(jf, n):
    """The rate that is held by unknown n."""
    return jf.first[jf.unknown_slot[n]] + jf.unknown_dof[n]


@part
def _displaced(tree, closures, jf, y, m, stepping):
    """Whether held coordinates and velocities are out of place by more than the loops may be open by."""
    turned, moved, fastest = 0.0, 0.0, 1.0
    for i in range(tree.nv):
        fastest = max(fastest, abs(y[tree.nq + i]))
    for n in range(m):
        j = _rate(jf, n)
        i = tree.q_of_v[j]
        if i >= 0:
            turned = max(turned, abs(y[i] - jf.p[n]))
        moved = max(moved, abs(y[tree.nq + j]))
    return turned > closures.tolerance or (not stepping and moved > closures.tolerance * fastest)


@part
def _beyond_limits(jf, y, m, tolerance):
    """Add stops beyond whose limits joints are, but for those that came from there; returns how many there are."""
    for s in range(jf.count):
        if jf.kind[s] != STOP or jf.rest[s] == FROM_OUTSIDE:
            continue
        x, known = y[jf.coordinate[s]], False
        limited = min(max(x, jf.limits[s, 0]), jf.limits[s, 1])
        for n in range(m):
            known = known or jf.unknown_slot[n] == s
        if not known and abs(x - limited) > tolerance:
            jf.unknown_slot[m], jf.unknown_dof[m], jf.p[m] = s, 0, limited
            m += 1
    return m


@part
def _responses(tree, closures, w, jf, m):
    """jf.response[n]: change of the rates, on the loops, by a unit impulse in each held rate."""
    for n in range(m):
        x, j = jf.response[n], _rate(jf, n)
        for i in range(tree.nv):
            x[i] = 0.0
        x[j] = 1.0
        solve_mass(tree, w.M, x)
        alone = x[j]
        for r in range(closures.rows):
            w.rhs[r] = 0.0
            for c in range(closures.support[r], closures.support[r + 1]):
                w.rhs[r] -= w.G[c] * x[closures.support_dofs[c]]
        solve_closures(tree, closures, w, w.rhs, w.a_free, EXACT)
        for i in range(tree.nv):
            x[i] += w.a_free[i]
        if x[j] <= LOCKED * alone:
            for i in range(tree.nv):
                x[i] = 0.0


@part
def _put_back(tree, w, jf, y, m, level):
    """Positions (level 0) or rates (1) by the shortest way, on the loops, to where held ones are in place."""
    A = jf.matrix
    for n in range(m):
        j = _rate(jf, n)
        i = tree.q_of_v[j]
        for k in range(m):
            A[n, k] = jf.response[k, j]
        A[n, m] = -y[tree.nq + j] if level == 1 else jf.p[n] - y[i] if i >= 0 else 0.0
        A[n, n] *= 1.0 + SOFTENING
        if jf.response[n, j] == 0.0:
            A[n, n], A[n, m] = 1.0, 0.0
    solve_column(A, m, m)
    for i in range(tree.nv):
        w.a_free[i] = 0.0
        for n in range(m):
            w.a_free[i] += jf.response[n, i] * A[n, m]
    if level == 1:
        for i in range(tree.nv):
            y[tree.nq + i] += w.a_free[i]
        return
    q = y[: tree.nq]
    calc_qdot(tree, q, w.a_free, w.ydot[: tree.nq])
    for i in range(tree.nq):
        q[i] += w.ydot[i]
    unit_quaternions(tree, q)


@entry
def joint_friction_project_entry(context):
    """Entry PROJECT around that without joint friction laws: coordinates of joints that friction or stops hold do not
    change.

    Loops are closed, then held joints are put back along the loops, by the shortest way in the metric of M: a step of
    Newton's method for both, so that what the second opens is of second order. In time stepping, joints that closing
    the loops took beyond their limits are put back there.
    """
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    y, m = w.y, 0
    v = y[tree.nq : tree.nq + tree.nv]
    for s in range(jf.count):
        if is_held(jf, y, v, s):
            for k in range(jf.size[s]):
                i = tree.q_of_v[jf.first[s] + k]
                jf.unknown_slot[m], jf.unknown_dof[m], jf.p[m] = s, k, y[i] if i >= 0 else 0.0
                m += 1
    stepping = jf.options[0].time_stepping != 0
    for _ in range(ROUNDS):
        call_entry(jf.calls[0].project, w.at[0].system)
        if stepping:
            m = _beyond_limits(jf, y, m, closures.tolerance)
        if not _displaced(tree, closures, jf, y, m, stepping):
            break
        refresh(tree, loads, closures, w)
        _responses(tree, closures, w, jf, m)
        _put_back(tree, w, jf, y, m, 0)
        if not stepping:
            _put_back(tree, w, jf, y, m, 1)
    for n in range(m):  # exactly
        i = tree.q_of_v[_rate(jf, n)]
        if i >= 0:
            y[i] = jf.p[n]
        if not stepping:
            y[tree.nq + _rate(jf, n)] = 0.0
