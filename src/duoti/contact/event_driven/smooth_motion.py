"""Smooth motion between two transitions: trees and closed loops with contacts that stick, or slide, or are open.

    M a = f + G^T lambda_loops + F lambda_contacts,      G a = gamma,   G_c a = -bias                         (1)

Rows of a sticking contact are n, t1, t2; of a sliding one n alone, with the force n - mu d along the direction d of
its slip, so that the matrix D = G M^-1 F is not symmetric. Resistance against rolling and turning adds rows of what it
holds, and moments of what turns, likewise (`contact.event_driven.rolling_friction`). In rolling contact the force along
the surface is a function of the normal force, linearised at its last value until that stands (Newton's method). A
rate that friction or a stop in its joint holds is a row, a_j = 0 (`contact.joint_friction.smooth_motion`). Redundant
rows (a box on four corners) make D singular: the proximal iteration (D + s) x_new = right + s x converges to the
multipliers of least norm, in units that give D a unit diagonal.
"""

from __future__ import annotations

from duoti.contact.collide.arrays import CONTACT_CONTEXT
from duoti.contact.collide.geometry import (
    dof_of,
    find_biases,
    find_creep,
    find_points,
    push_body,
    row_lengths,
    slot_rows,
    slot_speed,
)
from duoti.contact.creep import creep_converged, rolls
from duoti.contact.event_driven.contact_states import (
    CLOSURE,
    CONTACT_STATES_CONTEXT,
    EVENTS_PER_SLOT,
    JOINT_HELD,
    OPEN,
    SLIDE,
    STICK,
)
from duoti.contact.event_driven.load_sharing import SHARINGS, from_anchor, relieve, weigh_by_normal_force
from duoti.contact.event_driven.rolling_friction import (
    NEVER,
    evaluate_rolling,
    is_row,
    push_moments,
    resisting_moment,
    rolling_friction_events,
    signed_speed,
    unit_direction,
)
from duoti.contact.features.rims import follow_rims
from duoti.contact.solve.redundant import solve_rows
from duoti.dynamics.loops.constraints import add_closure_wrenches, call_values
from duoti.dynamics.loops.factors import factor_tree, solve_mass
from duoti.dynamics.tree.kinematics import calc_qdot, joint_sweep, unit_quaternions, velocities, world_poses
from duoti.dynamics.tree.states import ydot_beside_motion
from duoti.elements.laws import law_value
from duoti.kernel import call_entry, entry, helper, part, unpack
from duoti.spatial.algebra import add, get3, scale
from duoti.system.context import REAL_CONTEXT

ALL_GAPS = 1e29  # margin: every point is looked at
IMMOVABLE = 1e-14  # of the largest diagonal entry: a row that nothing can move
NEWTON_STEPS = 4
CREEP_STEPS = 20


@part
def evaluate(tree, loads, closures, w, m, v, a):
    """Accelerations a of the state w.y with the velocities v, multipliers of the closures, forces of the contacts
    (m.force), their slip and gaps."""
    contacts, cw = unpack(m.contact, CONTACT_CONTEXT)
    nv = tree.nv
    call_entry(w.calls[0].equations, w.at[0].system)
    velocities(tree, w, v)
    find_points(contacts, cw, w, ALL_GAPS)
    if m.counts[0].closed > 0:
        find_biases(tree, contacts, cw, w, m.zeros)
    factor_tree(tree, w.M)
    solve_mass(tree, w.M, w.a_free)
    right, x, n = m.vectors[0], m.vectors[1], 0
    for i in range(nv):
        m.free[i] = w.a_free[i]
    for _ in range(CREEP_STEPS):
        creeping = m.counts[0].closed > 0 and find_creep(contacts, cw)
        n = _gather(tree, closures, w, contacts, cw, m, right)
        if m.anchored[0] > 0.0:
            from_anchor(m, n, right, m.vectors[4])
        solve_rows(m.D, m.LU, m.pivot, m.scale, n, right, x, m.vectors[2], m.vectors[3], m.counts)
        if m.anchored[0] > 0.0:
            for r in range(n):
                x[r] += m.vectors[4][r]
        elif m.counts[0].redundant == 1:
            several = weigh_by_normal_force(m, n, x)
            if several:
                solve_rows(m.D, m.LU, m.pivot, m.scale, n, right, x, m.vectors[2], m.vectors[3], m.counts)
            # several contacts alone are shared out anew at an event (`inside_cones`): until then forces are smooth; of
            # one contact in a loop with one freedom, normal force and friction do the same
            by_turns = SHARINGS if m.counts[0].held > 0 or m.counts[0].resisting == 1 or not several else 0
            for _ in range(by_turns):
                if not relieve(contacts, m, n, x):
                    break
                solve_rows(m.D, m.LU, m.pivot, m.scale, n, right, x, m.vectors[2], m.vectors[3], m.counts)
        if not creeping or creep_converged(contacts, cw, m, n, x):
            break
    for i in range(nv):
        a[i] = w.a_free[i]
    for r in range(n):
        for i in range(nv):
            a[i] += m.X[r, i] * x[r]
    held = m.counts[0].held
    for k in range(held):  # not only but for round-off: what is held does not move at all
        a[m.held[k]] = 0.0
        m.held_force[k] = x[n - held + k]
    for r in range(closures.rows):
        w.multipliers[r] = x[r]
    add_closure_wrenches(loads, closures, w)
    _spread_forces(contacts, cw, w, m, n, x)


@part
def _gather(tree, closures, w, contacts, cw, m, right):
    """Rows, columns, D and right-hand sides of closures, closed contacts and held rates; returns how many."""
    nv, n, creeping = tree.nv, 0, False
    for i in range(nv):
        m.column[i] = 0.0
    for r in range(closures.rows):
        for i in range(nv):
            m.G[n, i] = 0.0
        for k in range(closures.support[r], closures.support[r + 1]):
            m.G[n, closures.support_dofs[k]] = w.G[k]
        for i in range(nv):
            m.X[n, i] = m.G[n, i]
        right[n] = w.gamma[r]
        m.slot_of[n], m.axis_of[n] = CLOSURE, 0
        n += 1
    for s in range(contacts.slots):
        m.force[s, 0], m.force[s, 1], m.force[s, 2] = 0.0, 0.0, 0.0
        if m.state[s] == OPEN:
            continue
        u = slot_speed(contacts, cw, w, s)
        m.speed[s, 0], m.speed[s, 1], m.speed[s, 2] = u
        slot_rows(tree, contacts, cw, w, s, m.packed, 0)
        evaluate_rolling(tree, contacts, cw, w, m, s)
        t_a, n_a, t_b, n_b = row_lengths(contacts, s)
        mu = contacts.friction[contacts.slot_pair[s]]
        d1, d2 = slip_direction(cw, m, s)
        m0, m1, m2 = resisting_moment(contacts, cw, m, s)
        for axis in range(6):
            if not is_row(m, s, axis):
                continue
            for i in range(nv):
                m.G[n, i], m.X[n, i] = 0.0, 0.0
            for k in range(n_a + n_b):
                i = dof_of(contacts, t_a, n_a, t_b, k)
                m.G[n, i] = m.packed[axis, k]
                m.X[n, i] = m.packed[axis, k]
                if axis > 0:
                    continue
                if m0 != 0.0 or m1 != 0.0 or m2 != 0.0:
                    m.X[n, i] += m0 * m.packed[3, k] + m1 * m.packed[4, k] + m2 * m.packed[5, k]
                if rolls(contacts, s):
                    creeping = True
                    for j in range(3):
                        slope = cw.creep[s, 4 + j]
                        m.X[n, i] += slope * m.packed[j, k]
                        m.column[i] += (cw.creep[s, 1 + j] - slope * cw.creep[s, 0]) * m.packed[j, k]
                elif m.state[s] == SLIDE:
                    m.X[n, i] -= mu * (d1 * m.packed[1, k] + d2 * m.packed[2, k])
            right[n] = -cw.bias[s, axis]
            m.slot_of[n], m.axis_of[n] = s, axis
            n += 1
    for k in range(m.counts[0].held):
        for i in range(nv):
            m.G[n, i], m.X[n, i] = 0.0, 0.0
        m.G[n, m.held[k]], m.X[n, m.held[k]] = 1.0, 1.0
        right[n] = 0.0
        m.slot_of[n], m.axis_of[n] = JOINT_HELD, 0
        n += 1
    if creeping:
        solve_mass(tree, w.M, m.column)
        for i in range(nv):
            w.a_free[i] = m.free[i] + m.column[i]
    for r in range(n):
        for i in range(nv):
            right[r] -= m.G[r, i] * w.a_free[i]
        for i in range(nv):
            m.column[i] = m.X[r, i]
        solve_mass(tree, w.M, m.column)
        for i in range(nv):
            m.X[r, i] = m.column[i]
    for r in range(n):
        for k in range(n):
            d = 0.0
            for i in range(nv):
                d += m.G[r, i] * m.X[k, i]
            m.D[r, k] = d
    largest = 0.0
    for r in range(n):
        largest = max(largest, abs(m.D[r, r]))
    for r in range(n):
        m.scale[r] = 1.0 / abs(m.D[r, r]) ** 0.5 if abs(m.D[r, r]) > IMMOVABLE * largest else 0.0
    m.counts[0].rows = n
    return n


@helper
def slip_direction(cw, m, s):
    """Unit vector of the slip along t1 and t2: see `unit_direction`."""
    return unit_direction(cw, s, m.speed[s, 1], m.speed[s, 2], m.direction, m.slow[0])


@part
def _spread_forces(contacts, cw, w, m, n, x):
    """m.force, and the forces on the bodies in w.F_ext; the power lost in sliding goes to w.powers."""
    for r in range(n):
        s = m.slot_of[r]
        if s < 0:
            continue
        if m.axis_of[r] > 2:
            m.moment[s, m.axis_of[r] - 3] = x[r]
            continue
        m.force[s, m.axis_of[r]] = x[r]
        if m.axis_of[r] == 0:
            m0, m1, m2 = resisting_moment(contacts, cw, m, s)  # rows of what is held come behind
            m.moment[s, 0], m.moment[s, 1], m.moment[s, 2] = m0 * x[r], m1 * x[r], m2 * x[r]
        if rolls(contacts, s):
            for i in range(3):
                m.force[s, i] += cw.creep[s, 1 + i]
        elif m.state[s] == SLIDE:
            mu = contacts.friction[contacts.slot_pair[s]]
            d1, d2 = slip_direction(cw, m, s)
            m.force[s, 1], m.force[s, 2] = -mu * x[r] * d1, -mu * x[r] * d2
    for s in range(contacts.slots):
        if m.state[s] != OPEN:
            for k in range(3):
                w.powers[2] -= m.force[s, k] * m.speed[s, k] + m.moment[s, k] * m.turning[s, k]
    push_contacts(contacts, cw, w, m)


@part
def push_contacts(contacts, cw, w, m):
    """The forces and moments of closed contacts on the bodies in w.F_ext."""
    if m.counts[0].resisting == 1:
        push_moments(contacts, cw, w, m)
    for s in range(contacts.slots):
        if m.state[s] == OPEN:
            continue
        force = add(
            scale(m.force[s, 0], get3(cw.frame, s, 0)),
            add(scale(m.force[s, 1], get3(cw.frame, s, 3)), scale(m.force[s, 2], get3(cw.frame, s, 6))),
        )
        pair = contacts.slot_pair[s]
        p = get3(cw.point, s, 0)
        push_body(w, w.F_ext, contacts.shape_body[contacts.pair_shapes[pair, 0]], p, scale(-1.0, force))
        push_body(w, w.F_ext, contacts.shape_body[contacts.pair_shapes[pair, 1]], p, force)


@entry
def contact_ydot_entry(context):
    """Entry: w.ydot, the derivatives of the state w.y at the time w.clock, with the contacts in their states."""
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    (m,) = unpack(w.at[0].contact_states, CONTACT_STATES_CONTEXT)
    nq, nv = tree.nq, tree.nv
    q, v = w.y[:nq], w.y[nq : nq + nv]
    evaluate(tree, loads, closures, w, m, v, w.ydot[nq : nq + nv])
    calc_qdot(tree, q, v, w.ydot[:nq])
    ydot_beside_motion(tree, w)


@entry
def contact_events_entry(context):
    """Entry: w.event, see `event_values`."""
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    (m,) = unpack(w.at[0].contact_states, CONTACT_STATES_CONTEXT)
    contacts, cw = unpack(m.contact, CONTACT_CONTEXT)
    q, v = w.y[: tree.nq], w.y[tree.nq : tree.nq + tree.nv]
    if m.counts[0].closed > 0:
        call_entry(w.calls[0].ydot, w.at[0].system)
    else:
        joint_sweep(tree, w, q, v)
        velocities(tree, w, v)
        world_poses(tree, w)
        find_points(contacts, cw, w, ALL_GAPS)
    event_values(tree, loads, w, contacts, cw, m)


@part
def event_values(tree, loads, w, contacts, cw, m):
    """w.event, the event functions of the model, then three for each slot, then those of resistance; all of these fall
    through zero.

    Open: gap; nothing. Sticking: normal force; distance from the edge of the cone. Sliding: normal force; slip speed.
    Closed points of features: how far they are inside their ends.
    Needs the points and, where some are closed, their forces.
    """
    t, nq, nv, first = w.clock[0], tree.nq, tree.nv, m.counts[0].events
    q, v = w.y[:nq], w.y[nq : nq + nv]
    follow_rims(m.towards, m.seen)
    for e in range(first):
        w.event[e] = law_value(loads, w, loads.laws.event_law[e], t, q, v, 0.0, 0.0)
    for s in range(contacts.slots):
        e, pair = first + EVENTS_PER_SLOT * s, contacts.slot_pair[s]
        w.event[e + 1], w.event[e + 2] = NEVER, NEVER
        if m.state[s] == OPEN:
            w.event[e] = cw.gap[s] - m.offset[s]
            continue
        w.event[e], w.event[e + 2] = m.force[s, 0] + m.pull[s], m.hold[s]
        f1, f2 = m.force[s, 1], m.force[s, 2]
        if m.state[s] == STICK:
            bound = contacts.static_friction[pair] * m.force[s, 0] + m.anchored[1]
            w.event[e + 1] = bound - (f1 * f1 + f2 * f2) ** 0.5
        elif contacts.friction[pair] > 0.0:
            slip = signed_speed(cw, s, m.speed[s, 1], m.speed[s, 2], m.direction, m.slow[0])
            w.event[e + 1] = slip + m.offset[s]
    if m.counts[0].resisting == 1:
        rolling_friction_events(w, contacts, cw, m)


@entry
def contact_project_entry(context):
    """Entry: bring the state w.y back to closed loops and gaps, positions first, by the shortest way (metric M)."""
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    (m,) = unpack(w.at[0].contact_states, CONTACT_STATES_CONTEXT)
    project_state(tree, loads, closures, w, m)


@part
def project_state(tree, loads, closures, w, m):
    """See `contact_project_entry`; rates that are held do not move."""
    if m.counts[0].closed == 0 and closures.rows == 0:
        return
    nq, nv = tree.nq, tree.nv
    q, v, a = w.y[:nq], w.y[nq : nq + nv], w.ydot[nq : nq + nv]
    call_values(closures, w, w.clock[0])
    for _ in range(NEWTON_STEPS):
        if _correction(tree, closures, w, m, a, 0) <= closures.tolerance:
            break
        calc_qdot(tree, q, a, w.ydot[:nq])
        for i in range(nq):
            q[i] += w.ydot[i]
        unit_quaternions(tree, q)
    _correction(tree, closures, w, m, a, 1)
    for i in range(nv):
        v[i] += a[i]


@part
def _correction(tree, closures, w, m, a, rates):
    """a := the shortest correction of positions (rates = 0) or rates of w.y; returns the largest residual before it."""
    contacts, cw = unpack(m.contact, CONTACT_CONTEXT)
    call_entry(w.calls[0].constraints, w.at[0].system)
    factor_tree(tree, w.M)
    find_points(contacts, cw, w, ALL_GAPS)
    right, x, worst = m.vectors[0], m.vectors[1], 0.0
    n = _gather(tree, closures, w, contacts, cw, m, right)
    for r in range(n):
        s = m.slot_of[r]
        if s == JOINT_HELD:
            right[r] = 0.0
        elif s == CLOSURE:
            right[r] = -w.gdot[r] if rates == 1 else -w.g[r] * (1.0 - closures.nonholonomic[r])
        elif rates == 1:
            axis = m.axis_of[r]
            right[r] = -m.speed[s, axis] if axis < 3 else -m.turning[s, axis - 3]
        else:
            right[r] = -cw.gap[s] if m.axis_of[r] == 0 else 0.0
        worst = max(worst, abs(right[r]))
    _symmetric(tree, w, m, n)
    solve_rows(m.D, m.LU, m.pivot, m.scale, n, right, x, m.vectors[2], m.vectors[3], m.counts)
    for i in range(tree.nv):
        a[i] = 0.0
        for r in range(n):
            a[i] += m.X[r, i] * x[r]
    for k in range(m.counts[0].held):
        a[m.held[k]] = 0.0
    return worst


@part
def _symmetric(tree, w, m, n):
    """X = M^-1 G^T and D of rows alone, without friction."""
    nv = tree.nv
    for r in range(n):
        for i in range(nv):
            m.column[i] = m.G[r, i]
        solve_mass(tree, w.M, m.column)
        for i in range(nv):
            m.X[r, i] = m.column[i]
    largest = 0.0
    for r in range(n):
        for k in range(n):
            d = 0.0
            for i in range(nv):
                d += m.G[r, i] * m.X[k, i]
            m.D[r, k] = d
        largest = max(largest, m.D[r, r])
    for r in range(n):
        m.scale[r] = 1.0 / m.D[r, r] ** 0.5 if m.D[r, r] > IMMOVABLE * largest else 0.0
