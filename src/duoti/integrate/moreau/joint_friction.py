"""Friction and stops in joints within a step of Moreau and Jean's time stepping, by turns with contacts."""

from __future__ import annotations

import math

from duoti.contact.collide.geometry import push_body, rotate_body
from duoti.contact.solve.branch_sparse import begin_paths
from duoti.contact.solve.problem import times_velocities
from duoti.dynamics.joint_friction.staggered import (
    ALL,
    AUXILIARY,
    HOLD,
    NONE,
    RESTING,
    begin_iterations,
    choose_held,
    give_back,
    hold_dofs,
    keep_start,
    next_start,
    take_again,
    take_best,
)
from duoti.dynamics.joint_friction.time_stepping import active_step, find_active
from duoti.dynamics.loops.factors import factor_tree
from duoti.dynamics.tree.crba import packed_mass_matrix
from duoti.elements.joint_friction_memory import ABOVE, BELOW, FREE, FROM_OUTSIDE, JOINT_FRICTION_CONTEXT, STOP
from duoti.integrate.moreau.branch_problem import WANTED, contact_rows
from duoti.integrate.moreau.contact_problem import MATTERS, WELL
from duoti.integrate.moreau.rolling_friction import CONTEXT, solve_resisted
from duoti.kernel import call_entry, helper, part, unpack
from duoti.spatial.algebra import ZERO6, add, get3, put_spatial, scale

ATTEMPTS = 6  # with those joints held that rest then, or all, and none in turn
ITERATIONS, MORE_ITERATIONS = 40, 150  # of an attempt; without joints that are held
JOINT_FRICTION_CONVERGED = 1e-10  # change of a velocity, as part of what gravity makes in a step
SOON = 20  # turns after which what they leave to contacts may be as much as the tolerance
ROUND_OFF = 1e-12  # [m or rad]
OUTSIDE = 1e-6  # [m or rad] beyond a limit: the joint was there from the start on, and may only come back
SWEEPS, STALE = 400, 20  # over stops; after so many, all that push at once
AT_LIMIT = 1e-13  # [m or rad] change in a sweep that is none


@part
def begin_joint_friction(w, v, h):
    """Responses to impulses in joints with friction or stops; needs the rates at the middle of the step.

    Impulses begin with those of the last step.
    """
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    for n in range(jf.impulse.shape[0]):
        again = h / jf.step[0] if jf.step[0] > 0.0 else 0.0
        jf.impulse[n], jf.iterates[AUXILIARY, n] = again * jf.impulse[n], again * jf.iterates[AUXILIARY, n]
    jf.step[0] = h
    call_entry(jf.calls[0].responses, w.at[0].system)
    for i in range(v.shape[0]):
        jf.before[i] = v[i]


@part
def begin_contacts(address, tree, closures, contacts, cw, w, problem, memory, v, step):
    """Rows and responses of the points that are near; rates that `choose_held` chose are heavy."""
    if memory.implicit[0] == 0 and closures.rows == 0:
        packed_mass_matrix(tree, w)
        if w.at[0].joint_friction != 0:
            (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
            hold_dofs(tree, jf, w.M)
    begin_paths(contacts, cw, problem.paths)
    if problem.paths.counts[0].active == 1:
        factor_tree(tree, w.M)
    contact_rows(address, tree, contacts, cw, w, problem, memory, v, memory.method[0].h, step)


@part
def solve_joint_friction(address, tree, closures, contacts, cw, w, problem, memory, matrix, v, scale, step):
    """Impulses of contacts and of joints in turn, until the latter have nothing to change; problem.v follows.

    Joints come last: what they hold does not move. What that leaves of an error in contacts counts as theirs does.
    """
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    counts, touching = problem.counts[0], cw.counts[0].near > 0
    steps, unsolved, wrong = counts.steps, counts.unsolved, counts.wrong
    heavy = touching and memory.implicit[0] == 0 and closures.rows == 0
    beside = memory.rolling_friction[CONTEXT] != 0  # creep and resistance, whose velocities are not those of contacts
    converged, last, left = False, 0.0, 0.0
    begin_iterations(jf)
    for attempt in range(ATTEMPTS if heavy else 1):
        which = NONE if attempt % 2 == 1 or not heavy else ALL if attempt == ATTEMPTS - 2 else RESTING
        choose_held(jf, which)
        if touching:
            begin_contacts(address, tree, closures, contacts, cw, w, problem, memory, v, step)
        take_again(jf)
        known, least, reach, turns = -1, math.inf, math.inf, MORE_ITERATIONS if which == NONE else ITERATIONS
        for turn in range(turns):
            counts.unsolved, counts.wrong = unsolved, wrong
            _solve_contacts(address, tree, contacts, w, problem, memory, matrix, v, jf, touching)
            if memory.general[WANTED] == 1:
                return
            last, left = _solve_joints(tree, contacts, cw, w, problem, memory, jf)
            enough = (WELL if turn < SOON else 1.0) * memory.method[0].tolerance * memory.method[0].measure
            converged = not touching or last <= JOINT_FRICTION_CONVERGED * scale or (left <= enough and not beside)
            if converged or turn == turns - 1:
                break
            counts.solved = 1  # contacts look closely
            known, least, reach = next_start(jf, known, least, reach)
            if turn == turns - 2:
                take_best(jf)
        if converged:
            break
    if touching:
        counts.steps = steps + 1
        if last > JOINT_FRICTION_CONVERGED * scale:
            count_left(problem, memory, left, unsolved, wrong)
        if beside and not converged:
            counts.unsolved = unsolved + 1
            counts.wrong = max(counts.wrong, wrong + (1 if last > MATTERS * scale else 0))
            counts.worst = max(counts.worst, last)


@part
def _solve_contacts(address, tree, contacts, w, problem, memory, matrix, v, jf, touching):
    """Impulses of contacts for those of joints; what held joints bear of them is given back to these."""
    keep_start(jf)
    _add_responses(tree, jf, memory, 1.0)  # contacts begin from v + dv
    for i in range(tree.nv):
        problem.v[i] = v[i] + memory.dv[i]
        jf.velocity[i] = problem.v[i]
    if touching:
        solve_resisted(address, tree, contacts, w, problem, memory, matrix, v)
    _add_responses(tree, jf, memory, -1.0)
    give_back(jf, jf.velocity, problem.v)


@part
def _solve_joints(tree, contacts, cw, w, problem, memory, jf):
    """Impulses of joints for those of contacts; returns by how much rates changed, and velocities in contacts."""
    for i in range(tree.nv):
        jf.velocity[i] = problem.v[i]
    _push_bodies(contacts, cw, w, problem, memory, jf)
    call_entry(jf.calls[0].impulses, w.at[0].system)
    last, left = 0.0, 0.0
    for i in range(tree.nv):
        problem.dq[i] = jf.velocity[i] - problem.v[i]
        last = max(last, abs(problem.dq[i]))
        problem.v[i] = jf.velocity[i]
    for c in range(problem.counts[0].blocks):
        u = times_velocities(contacts, problem, c, problem.dq)
        left = max(left, abs(u[0]), abs(u[1]), abs(u[2]))
    for i in range(tree.nv):
        problem.dq[i] = 0.0
    return last, left


@part
def count_left(problem, memory, left, unsolved, wrong):
    """A step whose turns did not converge was not solved; left: velocities that joints changed in contacts at last."""
    counts, size = problem.counts[0], memory.method[0].measure
    if left <= memory.method[0].tolerance * size:
        return
    counts.unsolved = unsolved + 1
    counts.worst, counts.worst_fraction = max(counts.worst, left), max(counts.worst_fraction, left / size)
    if left > MATTERS * size:
        counts.wrong = wrong + 1


@part
def _push_bodies(contacts, cw, w, problem, memory, jf):
    """jf.pushes: what the impulses of contacts are as forces over the step."""
    for b in range(jf.pushes.shape[0]):
        put_spatial(jf.pushes, b, ZERO6)
    for c in range(problem.counts[0].blocks):
        s = problem.slot[c]
        force = scale(problem.p[c, 0] / jf.step[0], get3(cw.frame, s, 0))
        if problem.size[c] == 3:
            force = add(force, scale(problem.p[c, 1] / jf.step[0], get3(cw.frame, s, 3)))
            force = add(force, scale(problem.p[c, 2] / jf.step[0], get3(cw.frame, s, 6)))
        force = add(force, scale(1.0 / jf.step[0], get3(memory.beside, s, 0)))
        torque = scale(1.0 / jf.step[0], get3(memory.beside, s, 3))
        pair, p = contacts.slot_pair[s], get3(cw.point, s, 0)
        a, b = contacts.shape_body[contacts.pair_shapes[pair, 0]], contacts.shape_body[contacts.pair_shapes[pair, 1]]
        push_body(w, jf.pushes, a, p, scale(-1.0, force))
        push_body(w, jf.pushes, b, p, force)
        rotate_body(w, jf.pushes, a, scale(-1.0, torque))
        rotate_body(w, jf.pushes, b, torque)


@part
def _add_responses(tree, jf, memory, sign):
    """memory.dv += what the impulses in joints do, times the sign."""
    for i in range(tree.nv):
        for n in range(jf.impulse.shape[0]):
            memory.dv[i] += sign * jf.response[n, i] * jf.impulse[n]


@part
def work_of_held(w, problem, memory, h):
    """What the inertia that was added to held rates takes of the work along problem.dq, which is not lost."""
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    work, n = 0.0, 0
    for s in range(jf.count):
        for i in range(jf.first[s], jf.first[s] + jf.size[s]):
            work += jf.iterates[HOLD, n] * problem.dq[i] * memory.dv[i] / h
            n += 1
    return work


@helper
def _range(jf, s, q):
    """Between which a step from the coordinate q may end: limits, or from beyond one not farther out."""
    low, high = jf.limits[s, 0], jf.limits[s, 1]
    return q if q < low - OUTSIDE else low, q if q > high + OUTSIDE else high


@part
def _shift_active(jf, problem, y, middle):
    """Joints that are put back, all at once, where sweeps from one to the next are slow."""
    for _ in range(jf.count):
        m = find_active(jf, jf.p)
        for i in range(m):
            s = jf.unknown_slot[i]
            low, high = _range(jf, s, y[jf.coordinate[s]])
            limit = low if jf.p[jf.unknown_dof[i]] > 0.0 else high
            jf.matrix[i, m] = limit - middle[jf.coordinate[s]] - problem.x[jf.first[s]]
        fraction = active_step(jf, jf.p, m)
        for i in range(m):
            n = jf.unknown_dof[i]
            jf.p[n] += jf.matrix[i, m]
            for k in range(jf.velocity.shape[0]):
                problem.x[k] += jf.matrix[i, m] * jf.response[n, k]
        if fraction == 1.0:
            break


@part
def end_at_limits(w, problem, memory, y, middle, h):
    """A step ends at limits, not beyond any, and all that hangs on the joints moves with them; what that takes.

    The shortest way in the metric of the mass matrix, by Gauss-Seidel sweeps: to put back one joint may push another
    one beyond its limit.
    """
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    n = 0
    for s in range(jf.count):
        jf.p[n], n = 0.0, n + jf.size[s]
    for sweep in range(SWEEPS):
        if sweep % STALE == STALE - 1:
            _shift_active(jf, problem, y, middle)
        change, n = 0.0, 0
        for s in range(jf.count):
            j = jf.first[s]
            own = jf.response[n, j]
            if jf.kind[s] == STOP and own > 0.0:
                low, high = _range(jf, s, y[jf.coordinate[s]])
                end = middle[jf.coordinate[s]] + problem.x[j] - own * jf.p[n]
                shift = (min(max(end, low), high) - end) / own
                if shift != jf.p[n]:
                    for i in range(jf.velocity.shape[0]):
                        problem.x[i] += (shift - jf.p[n]) * jf.response[n, i]
                    change = max(change, abs(shift - jf.p[n]) * own)
                    jf.p[n] = shift
            n += jf.size[s]
        if change <= AT_LIMIT:
            break
    lost, n = jf.step[1], 0
    for s in range(jf.count):
        if jf.kind[s] == STOP:
            lost += jf.p[n] * memory.dv[jf.first[s]] / h
        n += jf.size[s]
    return lost


@part
def put_states(w, y, new):
    """Modes after the step, for results; a joint at its limit is exactly there."""
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    for s in range(jf.count):
        if jf.friction_state[s] >= 0:
            new[jf.friction_state[s]] = jf.next_friction_state[s]
        if jf.kind[s] == STOP:
            k = jf.coordinate[s]
            low, high = _range(jf, s, y[k])
            limited = min(max(new[k], low), high)
            if abs(new[k] - limited) < ROUND_OFF:
                new[k] = limited
            above = new[k] > jf.limits[s, 1] + OUTSIDE and high > jf.limits[s, 1]
            below = new[k] < jf.limits[s, 0] - OUTSIDE and low < jf.limits[s, 0]
            if above or below:
                jf.rest[s] = FROM_OUTSIDE
                if jf.next_friction_state[s] == FREE:
                    new[jf.friction_state[s]] = ABOVE if above else BELOW
