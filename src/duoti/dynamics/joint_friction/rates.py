"""Accelerations with friction and stops in joints, for the explicit solvers.

What is unknown in a state are the forces p: of each rate that is held (a joint at rest, a joint at its stop) its force,
of each sliding slot its bound b. For given p all accelerations a and all wrenches F through joints follow from the
dynamics without friction, and they are affine in p:

    a = a_0 + A p,   F = F_0 + B p                                                                          (1)
    a_i = 0 of held rates,   b_s = mu L(F) + c of sliding slots                                             (2)

A and B are found by one evaluation for each unknown, and (2) is solved by Newton's method on (1). So the friction
belongs to the reactions of the very instant. Where the determinant of (2) is not positive, more friction makes more
load than it takes to bear it: the joint jams.
"""

from __future__ import annotations

import math

from duoti.elements.joint_friction import (
    STATIC_CONSTANT,
    STATIC_FRICTION,
    load_of,
    load_wrench,
    sliding_bound,
    smooth_direction,
    speed_of,
)
from duoti.elements.joint_friction_memory import (
    AT_REST,
    BACKWARD,
    COULOMB,
    FORWARD,
    JOINT_FRICTION_CONTEXT,
    LOWER,
    STOP,
    UNDETERMINED,
    UPPER,
)
from duoti.elements.linalg import solve_column
from duoti.kernel import call_entry, entry, helper, part, unpack
from duoti.system.context import REAL_CONTEXT

MOVES = 1e-7  # sliding speed from which on a joint is not at rest, whatever its friction state says
ITERATIONS = 40
FRICTION_CONVERGED = 1e-13  # relative change of the unknowns that ends Newton's method
NEARLY_CONVERGED = 1e-8  # the same, from where on it is a solution: round-off may keep it from the end
CORRECTIONS = 3
EXACT = 1e-12  # relative residual of (2) that needs no further correction
SOFTENING = 1e-11  # of held rates that depend on each other: their forces are then the smallest


@helper
def is_held(jf, y, v, s):
    """Whether the rates of a slot are held in its present friction state."""
    if jf.friction_state[s] < 0 or jf.options[0].time_stepping != 0:
        return False
    friction_state = y[jf.friction_state[s]]
    if jf.kind[s] == STOP:
        return friction_state in (UPPER, LOWER)
    return friction_state == AT_REST and jf.driven[s] == 0 and speed_of(jf, v, s).real <= MOVES


@part
def find_direction(loads, w, v, jf, s):
    """jf.direction of a sliding or smooth slot: minus its generalised forces for a unit of its bound."""
    if jf.kind[s] != COULOMB:
        for k in range(jf.size[s]):
            jf.direction[s, k] = smooth_direction(loads, w, v, jf, s, jf.force[s], k)
        return
    if jf.size[s] == 1:
        forward = 1.0
        friction_state, rate = w.y[jf.friction_state[s]], v[jf.first[s]]
        if friction_state == BACKWARD or (friction_state > FORWARD and rate < 0.0):
            forward = -1.0
        elif friction_state == UNDETERMINED and rate == 0.0:
            forward = 0.0
        jf.direction[s, 0] = forward * jf.scales[s, 0]
        return
    speed = speed_of(jf, v, s)
    length = (speed * speed + MOVES * MOVES) ** 0.5
    for k in range(jf.size[s]):
        jf.direction[s, k] = jf.scales[s, k] ** 2 * v[jf.first[s] + k] / length


@part
def choose_unknowns(loads, w, v, jf):
    """The unknowns of the present friction states; returns their number. Forces that are known already are in jf.x."""
    m = 0
    for s in range(jf.count):
        held = is_held(jf, w.y, v, s)
        if held and jf.options[0].held_in_rows == 0:
            for k in range(jf.size[s]):
                jf.unknown_slot[m], jf.unknown_dof[m] = s, k
                m += 1
            continue
        for k in range(jf.size[s]):
            jf.x[s, k] = 0.0
        if held or jf.kind[s] == STOP or (jf.kind[s] == COULOMB and jf.options[0].time_stepping != 0):
            continue
        find_direction(loads, w, v, jf, s)
        if jf.loaded[s] == 1:
            jf.unknown_slot[m], jf.unknown_dof[m] = s, -1
            m += 1
        else:
            jf.bound[s] = sliding_bound(loads, v, jf, s, jf.load[s])
            for k in range(jf.size[s]):
                jf.x[s, k] = -jf.bound[s] * jf.direction[s, k]
    return m


@part
def put_forces(jf, m):
    """jf.x of the unknowns p."""
    for i in range(m):
        s, k = jf.unknown_slot[i], jf.unknown_dof[i]
        if k >= 0:
            jf.x[s, k] = jf.p[i]
        else:
            jf.bound[s] = jf.p[i]
            for n in range(jf.size[s]):
                jf.x[s, n] = -jf.p[i] * jf.direction[s, n]


@part
def _evaluate(tree, w, jf, m, place, loaded):
    """Accelerations of held rates and loads of all slots, for the unknowns p, into row `place`."""
    put_forces(jf, m)
    call_entry(jf.calls[0].ydot, w.at[0].system)
    for i in range(m):
        s, k = jf.unknown_slot[i], jf.unknown_dof[i]
        jf.held[place, i] = w.ydot[tree.nq + jf.first[s] + k] if k >= 0 else 0.0
    if loaded == 1:
        call_entry(jf.calls[0].residual, w.at[0].system)
        for s in range(jf.count):
            if jf.loaded[s] == 1:
                load_wrench(tree, w, jf, s, jf.wrench[place, s])


@part
def _equation(tree, loads, w, jf, v, m, i, scratch):
    """Equation (2) of unknown i at p, by (1)."""
    s, k = jf.unknown_slot[i], jf.unknown_dof[i]
    if k >= 0:
        x = jf.held[0, i]
        for j in range(m):
            x += jf.held[j + 1, i] * jf.p[j]
        return x
    for c in range(6):
        x = jf.wrench[0, s, c]
        for j in range(m):
            x += jf.wrench[j + 1, s, c] * jf.p[j]
        scratch[c] = x
    return jf.p[i] - sliding_bound(loads, v, jf, s, load_of(w, jf, s, scratch))


@part
def _newton_matrix(tree, loads, w, jf, v, m, scratch):
    """Columns of the derivatives of (2) by p, and (2) itself in the last but one."""
    for i in range(m):
        jf.matrix[i, m] = _equation(tree, loads, w, jf, v, m, i, scratch)
    for j in range(m):
        p, step = jf.p[j], 1e-6 * (1.0 + abs(jf.p[j]))
        jf.p[j] = p + step
        for i in range(m):
            if jf.unknown_dof[i] >= 0:
                jf.matrix[i, j] = jf.held[j + 1, i]
            else:
                jf.matrix[i, j] = (_equation(tree, loads, w, jf, v, m, i, scratch) - jf.matrix[i, m]) / step
        jf.p[j] = p
    for i in range(m):
        if jf.unknown_dof[i] >= 0:
            jf.matrix[i, i] *= 1.0 + SOFTENING


@part
def solve_forces(tree, loads, w, jf, v, m, loaded):
    """Solve (2) for the unknowns; w then holds the evaluation that belongs to them. Notes joints that jam."""
    for i in range(m):
        jf.p[i] = 0.0
    _evaluate(tree, w, jf, m, 0, loaded)
    for j in range(m):
        jf.p[j] = 1.0
        _evaluate(tree, w, jf, m, j + 1, loaded)
        jf.p[j] = 0.0
        for i in range(m):
            jf.held[j + 1, i] -= jf.held[0, i]
        for s in range(jf.count):
            for c in range(6):
                jf.wrench[j + 1, s, c] -= jf.wrench[0, s, c]
    sign = _newton(tree, loads, w, jf, v, m)
    jams = 0
    for i in range(m):
        if jf.kind[jf.unknown_slot[i]] == COULOMB and jf.unknown_dof[i] < 0 and (not jf.p[i] >= 0.0 or not sign > 0.0):
            jams = 1 + jf.unknown_slot[i]
    jf.status[0].jammed = jams
    for _ in range(CORRECTIONS):
        _evaluate(tree, w, jf, m, 0, loaded)
        if jams > 0 or _left_over(loads, w, jf, v, m) <= EXACT:
            break
        for i in range(m):  # (1) again, from the present evaluation
            for j in range(m):
                jf.held[0, i] -= jf.held[j + 1, i] * jf.p[j]
        for s in range(jf.count):
            for c in range(6):
                for j in range(m):
                    jf.wrench[0, s, c] -= jf.wrench[j + 1, s, c] * jf.p[j]
        _newton(tree, loads, w, jf, v, m)


@part
def _newton(tree, loads, w, jf, v, m):
    """Newton's method for (2) on (1); returns the sign of the determinant, 0 if there is no solution."""
    for _ in range(ITERATIONS):
        _newton_matrix(tree, loads, w, jf, v, m, jf.scratch)
        sign = solve_column(jf.matrix, m, m)
        change, size = 0.0, 0.0
        for i in range(m):
            jf.p[i] -= jf.matrix[i, m]
            change, size = max(change, abs(jf.matrix[i, m])), max(size, abs(jf.p[i]))
        if not change > FRICTION_CONVERGED * size:
            return sign
    return 1.0 if change <= NEARLY_CONVERGED * size else 0.0  # pyright: ignore[reportPossiblyUnboundVariable]


@part
def _left_over(loads, w, jf, v, m):
    """What an evaluation leaves of (2), as part of the unknowns."""
    left, size = 0.0, 1e-300
    for i in range(m):
        s = jf.unknown_slot[i]
        if jf.unknown_dof[i] >= 0:
            left = max(left, abs(jf.held[0, i]) / max(abs(jf.held[i + 1, i]), 1e-300))
        else:
            left = max(left, abs(jf.p[i] - sliding_bound(loads, v, jf, s, load_of(w, jf, s, jf.wrench[0, s]))))
        size = max(size, abs(jf.p[i]))
    return left / size


@part
def note_loads(tree, loads, w, jf):
    """Loads and bounds of all friction slots in the evaluation that w holds."""
    for s in range(jf.count):
        f = jf.force[s]
        if f < 0:
            continue
        if jf.loaded[s] == 1:
            load_wrench(tree, w, jf, s, jf.scratch)
            jf.load[s] = load_of(w, jf, s, jf.scratch)
        jf.rest[s] = loads.forces.reals[f, STATIC_FRICTION] * jf.load[s] + loads.forces.reals[f, STATIC_CONSTANT]


@entry
def joint_friction_ydot_entry(context):
    """Entry YDOT of systems with joint friction laws: w.ydot, the derivatives of the state w.y at the time w.clock."""
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    joint_friction_ydot(tree, loads, w, jf)


@part
def joint_friction_ydot(tree, loads, w, jf):
    """See `joint_friction_ydot_entry`."""
    nq, nv = tree.nq, tree.nv
    v = w.y[nq : nq + nv]
    m, loaded = choose_unknowns(loads, w, v, jf), 0
    for s in range(jf.count):
        loaded = max(loaded, jf.loaded[s])
    jf.status[0].jammed = 0
    if m > 0:
        solve_forces(tree, loads, w, jf, v, m, loaded)
    else:
        call_entry(jf.calls[0].ydot, w.at[0].system)
        if loaded == 1 and jf.options[0].held_in_rows != 0:
            call_entry(jf.calls[0].residual, w.at[0].system)
    if loaded == 1:
        note_loads(tree, loads, w, jf)
    if jf.status[0].jammed > 0:
        s = jf.status[0].jammed - 1
        if speed_of(jf, v, s).real > MOVES:  # no motion goes on from here
            jf.status[0].jams = 1 + s
            w.ydot[nq + jf.first[s]] = math.nan
    for i in range(m):  # not only but for round-off: what is held does not move at all
        if jf.unknown_dof[i] >= 0:
            w.ydot[nq + jf.first[jf.unknown_slot[i]] + jf.unknown_dof[i]] = 0.0
