"""One step of Moreau and Jean's time stepping (Moreau 1988; Jean 1999), at the middle of the step:

    q_m = q o exp(h/2 v),    A (v' - v) = h f(q_m, v, t + h/2) + G(q_m)^T p,    q' = q_m o exp(h/2 v' + dq)   (1)

Impulses p of contacts obey Coulomb's law with Newton's restitution, u' + e u⁻ in place of u
(`contact.solve.problem`). A is the mass matrix. Closed loops hold at the level of velocities in
A, and of positions by projection at the end of the step. dq takes out what resting points overlap at its end.
"""

from __future__ import annotations

from typing import Any

from duoti.contact.collide.arrays import CONTACT_CONTEXT, example_contacts
from duoti.contact.collide.geometry import find_points, level_points
from duoti.contact.event_driven.contact_states import OPEN, SLIDE, STICK
from duoti.contact.impact.impact_times import move_by_impacts
from duoti.contact.solve.block_matrix import new_matrix
from duoti.contact.solve.islands import find_touching
from duoti.contact.solve.positions import OVERLAP, correct_along_paths, overlapping
from duoti.contact.solve.problem import new_problem
from duoti.contact.solve.residuals import put_residuals
from duoti.dynamics.tree.kinematics import poses_and_velocities, unit_quaternions, world_poses
from duoti.integrate.chart import retract
from duoti.integrate.moreau.branch_problem import POSITIONS, WANTED, in_general, put_velocities
from duoti.integrate.moreau.contact_problem import CLOSED, new_moreau_memory, slides
from duoti.integrate.moreau.creep_coupling import CONTEXT, end_creep, solve_with_creep
from duoti.integrate.moreau.joint_friction import (
    add_joints,
    begin_contacts,
    end_at_limits,
    put_states,
    solve_joint_friction,
)
from duoti.integrate.moreau.moving_points import see_point, see_start
from duoti.integrate.moreau.point_identity import follow_points, keep_points
from duoti.integrate.moreau.step_record import (
    WHOLE,
    add_impulses,
    correct_powers,
    example_step_record,
    find_pushes,
    keep_smooth,
    keep_step,
    potential,
    supplied_by_correction,
)
from duoti.integrate.record import (
    CONTACT_UNITS,
    FORCE,
    LOST,
    MOMENT,
    NORMAL_FORCE,
    POINT,
    RESIDUALS,
    STATE,
)
from duoti.integrate.state import ACCEPTED, NEWTON_FAILED, NOT_FINITE, example_run, project, state_rates
from duoti.integrate.steps import first_not_finite
from duoti.kernel import ContextType, call_entry, entry, helper, part, unpack
from duoti.spatial.algebra import ZERO3, add, get3, put3, scale
from duoti.system.context import REAL_CONTEXT, example_tree

COLUMNS = len(CONTACT_UNITS)  # of a contact in the record
FAST = 2.0  # times what forces change a velocity by in a step: slower points that meet are no impact


def _example() -> tuple[Any, ...]:
    contacts, tree = example_contacts(), example_tree()
    problem, memory = new_problem(contacts, 1), new_moreau_memory(contacts, tree, 1)
    return 0, example_run(), 0, problem, memory, new_matrix(contacts, tree, 1), example_step_record()


MOREAU_CONTEXT = ContextType(_example)


@helper
def _gravity(tree):
    """Its magnitude [m/s²]."""
    return (tree.gravity[0] ** 2 + tree.gravity[1] ** 2 + tree.gravity[2] ** 2) ** 0.5


@helper
def slow_speed(tree, h):
    """Normal speed of points that rest on each other, at most [m/s]."""
    return 2.0 * h * _gravity(tree)


@part
def _record(contacts, cw, problem, memory, h, step, x):
    """States and energies of the contacts, and the record: forces on the user's b, where they act."""
    n, memory.method[0].last = memory.lost.shape[0], h
    for i in range(n):
        for k in range(COLUMNS):
            x[COLUMNS * i + k] = 0.0
        x[COLUMNS * i + LOST] = memory.lost[i]
    for c in range(problem.counts[0].points):
        s = problem.slot[c]
        pair = contacts.slot_pair[s]
        first = COLUMNS * contacts.element[pair]
        state = OPEN
        if problem.p[c, 0] > 0.0:
            state = STICK
            if problem.size[c] == 1 or slides(problem, c):
                state = SLIDE
        memory.state[s], memory.step[s] = state, step
        see_point(contacts, cw, memory, s, get3(problem.after, c, 0))
        put3(memory.impulse, s, 0, ZERO3)
        if state == OPEN:
            continue
        force = scale(problem.p[c, 0] / h, get3(cw.frame, s, 0))
        if problem.size[c] == 3:
            force = add(force, scale(problem.p[c, 1] / h, get3(cw.frame, s, 3)))
            force = add(force, scale(problem.p[c, 2] / h, get3(cw.frame, s, 6)))
        put3(memory.impulse, s, 0, scale(h, force))
        sign = 1.0 - 2.0 * contacts.swapped[pair]
        for k in range(3):
            x[first + FORCE + k] += sign * (force[k] + memory.beside[s, k] / h)
            x[first + MOMENT + k] += sign * memory.beside[s, 3 + k] / h
            x[first + POINT + k] += problem.p[c, 0] / h * cw.point[s, k]
        x[first + NORMAL_FORCE] += problem.p[c, 0] / h
        x[first + STATE] = max(x[first + STATE], 1.0 * state)
    for i in range(n):
        first = COLUMNS * i
        if x[first + NORMAL_FORCE] > 0.0:
            for k in range(3):
                x[first + POINT + k] /= x[first + NORMAL_FORCE]


@part
def _note_impact(contacts, cw, problem, memory, c, lost, time, step, h):
    """A point that was open in the last step, meets, and comes faster than forces explain: an impact."""
    s, method = problem.slot[c], memory.method[0]
    before, p = problem.u[c, 0], problem.p[c]
    touched = memory.step[s] == step - 1 and memory.state[s] != OPEN
    if touched or p[0] <= 0.0 or before >= -FAST * abs(problem.smooth[c, 0]):
        return
    if method.impacts >= memory.impacts.shape[0]:
        return  # the loop sees to it that there is room
    row = memory.impacts[method.impacts]
    method.impacts += 1
    sign = 1.0 - 2.0 * contacts.swapped[contacts.slot_pair[s]]
    row[0], row[1] = time + 0.5 * h, 1.0 * contacts.element[contacts.slot_pair[s]]
    for k in range(3):
        row[2 + k] = sign * (p[0] * cw.frame[s, k] + p[1] * cw.frame[s, 3 + k] + p[2] * cw.frame[s, 6 + k])
        row[5 + k] = cw.point[s, k]
    row[8], row[9], row[10] = before, problem.after[c, 0], lost


@part
def _energies(contacts, cw, problem, memory, time, step, h):
    """Energy that the contacts take in this step, kept by element: minus impulses times mean velocities (1).

    Also what the correction of positions takes from the potential: A a_free works along dq.
    """
    total = 0.0
    for c in range(problem.counts[0].points):
        element = contacts.element[contacts.slot_pair[problem.slot[c]]]
        u, p, after = problem.u[c], problem.p[c], problem.after[c]
        lost = -0.5 * (p[0] * (u[0] + after[0]) + p[1] * (u[1] + after[1]) + p[2] * (u[2] + after[2]))
        _note_impact(contacts, cw, problem, memory, c, lost, time, step, h)
        u[0], u[1], u[2] = after[0], after[1], after[2]
        memory.lost[element] += lost
        total += lost
    return total


@part
def _energies_of_resistance(contacts, cw, problem, memory):
    """Energy that resistance against rolling and turning takes in this step; memory.beside: its torque impulses."""
    total = 0.0
    for c in range(problem.counts[0].points):
        put3(memory.beside, problem.slot[c], 3, ZERO3)
    for c in range(problem.counts[0].points, problem.counts[0].blocks):
        if problem.owner[c] < 0:
            break  # joints
        s, lost, torque = problem.slot[c], 0.0, get3(memory.beside, problem.slot[c], 3)
        for k in range(3):
            lost -= 0.5 * problem.p[c, k] * (problem.u[c, k] + problem.after[c, k])
            torque = add(torque, scale(problem.p[c, k], get3(cw.frame, s, 3 * k)))
        put3(memory.beside, s, 3, torque)
        memory.lost[contacts.element[contacts.slot_pair[s]]] += lost
        total += lost
    return total


@part
def _take_out_overlaps(address, tree, contacts, w, problem, memory, matrix, v, h):
    """problem.dq: what points that rest are moved by at the end of the step; returns the energy that this takes.

    To first order; `_share_energy` makes it exact.
    """
    slow, lost = slow_speed(tree, h), 0.0
    if overlapping(problem, h, slow) > 0:
        along = problem.paths.counts[0].active == 1
        find_touching(problem, matrix)
        if memory.implicit[0] == 0 and not along:
            lost = move_by_impacts(tree, contacts, w, problem, matrix, v, memory.dv, memory.lost, h, slow, OVERLAP)
        if along:
            correct_along_paths(tree, w, problem, matrix, h, slow)
        else:
            in_general(address, memory, POSITIONS)
    for c in range(problem.counts[0].points):
        if problem.shift[c] != 0.0:
            work = problem.shift[c] * problem.smooth[c, 0] / h
            memory.lost[contacts.element[contacts.slot_pair[problem.slot[c]]]] += work
            lost += work
    return lost


@part
def _energy_of_corrections(tree, loads, w, run, problem, step_record, h):
    """What corrections of positions take from the potential energy: its difference without and with them [J]."""
    nq, t, new = tree.nq, run.clock[0].t + h, run.y_new
    for i in range(tree.nv):
        problem.x[i] = 0.5 * h * problem.v[i]
    retract(tree, run.y_at, problem.x, step_record.q)
    unit_quaternions(tree, step_record.q)
    before = potential(tree, loads, w, t, step_record.q, new[nq : nq + tree.nv])
    return before - potential(tree, loads, w, t, new[:nq], new[nq : nq + tree.nv])


@part
def _share_energy(contacts, problem, memory, taken, estimated, h, x):
    """What elements lost by corrections of positions, which is there to first order, becomes exact."""
    if estimated == 0.0:
        return
    for c in range(problem.counts[0].points):
        if problem.shift[c] != 0.0:
            element = contacts.element[contacts.slot_pair[problem.slot[c]]]
            memory.lost[element] += (taken / estimated - 1.0) * problem.shift[c] * problem.smooth[c, 0] / h
            x[COLUMNS * element + LOST] = memory.lost[element]


@part
def _mean_velocities(tree, w, run, problem, v):
    """Rates of energy accumulators and states at the means of the step, for implicit forces; run.y_new is scratch."""
    h, mean = run.clock[0].h, run.y_new
    for i in range(tree.nv):
        problem.x[i] = 0.25 * h * (problem.v[i] - v[i])
    retract(tree, run.y_at, problem.x, mean)
    unit_quaternions(tree, mean[: tree.nq])
    for i in range(tree.nv):
        mean[tree.nq + i] = 0.5 * (v[i] + problem.v[i])
    for i in range(tree.nq + tree.nv, mean.shape[0]):
        mean[i] = run.y_at[i]
    state_rates(w, run.clock[0].t + 0.5 * h, mean, run.K[0])
    run.counts[0].evaluations += 1


@entry
def moreau_start(address):
    """Entry START of `stepping`."""
    context, run, contact, _, memory, _, _ = unpack(address, MOREAU_CONTEXT)
    tree, _, _, w = unpack(context, REAL_CONTEXT)
    contacts, cw = unpack(contact, CONTACT_CONTEXT)
    state_rates(w, run.clock[0].t, run.y, run.K[0])
    poses_and_velocities(tree, w, run.y[: tree.nq], run.y[tree.nq : tree.nq + tree.nv])
    slow = slow_speed(tree, run.clock[0].fixed_step)
    see_start(contacts, cw, w, memory, run.counts[0].steps, CLOSED, slow)
    for i in range(tree.nz):
        memory.zdot[i] = run.K[0, tree.nq + tree.nv + i]
    if run.counts[0].started == 0:  # else those of the last step
        for i in range(run.x.shape[0]):
            run.x[i] = 0.0
    for i in range(memory.lost.shape[0]):
        run.x[COLUMNS * i + LOST] = memory.lost[i]
    run.clock[0].h = run.clock[0].fixed_step


@entry
def moreau_step(address):
    """Entry STEP."""
    context, run, contact, problem, memory, matrix, step_record = unpack(address, MOREAU_CONTEXT)
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    contacts, cw = unpack(contact, CONTACT_CONTEXT)
    clock, counts, h = run.clock[0], run.counts[0], run.clock[0].h
    nq, nv, nz = tree.nq, tree.nv, tree.nz
    n, step = nq + nv + nz, counts.steps
    y, middle, new = run.y, run.y_at, run.y_new
    v = y[nq : nq + nv]
    for i in range(nv):
        problem.dq[i] = 0.5 * h * v[i]
    retract(tree, y, problem.dq, middle)
    for i in range(nv):
        middle[nq + i] = v[i]
    for i in range(nz):
        middle[nq + nv + i] = y[nq + nv + i] + 0.5 * h * memory.zdot[i]
    middle[n], middle[n + 1] = y[n], y[n + 1]
    state_rates(w, clock.t + 0.5 * h, middle, run.K[0])
    counts.evaluations += 1
    keep_smooth(closures, w, step_record)
    joint_friction_laws = w.at[0].joint_friction != 0
    gravity = _gravity(tree)
    for i in range(nv):
        memory.dv[i] = h * run.K[0, nq + i]
    if memory.implicit[0] != 0:
        call_entry(memory.implicit[0], address)
    for i in range(nv):
        problem.v[i] = v[i] + memory.dv[i]
        problem.dq[i] = 0.0
    if closures.rows == 0:
        world_poses(tree, w)
    find_points(contacts, cw, w, 4.0 * h * h * max(gravity, 1.0) + 1e-9)
    if cw.look[0].full == 1:
        counts.outcome, clock.factor = NEWTON_FAILED, 0.0
        return
    level_points(contacts, cw)
    keep_points(cw, memory)
    follow_points(contacts, cw, memory, step)
    problem.counts[0].blocks = problem.counts[0].points = 0
    lost, estimated = 0.0, 0.0  # of corrections of positions, to first order
    memory.method[0].h = h
    if joint_friction_laws or cw.counts[0].near > 0:
        begin_contacts(address, tree, closures, contacts, cw, w, problem, memory, v, step)
    if joint_friction_laws:
        add_joints(address, tree, w, problem, memory, v)
        if memory.general[WANTED] == 0:
            solve_joint_friction(address, tree, loads, contacts, cw, w, problem, memory, matrix, v)
    elif cw.counts[0].near > 0:
        solve_with_creep(address, tree, contacts, w, problem, memory, matrix, v)
    if memory.general[WANTED] == 1:
        counts.outcome, clock.factor = NEWTON_FAILED, 0.0
        return
    if cw.counts[0].near > 0:
        if joint_friction_laws or memory.creep[CONTEXT] != 0:
            put_velocities(contacts, problem, memory)
        lost = _energies(contacts, cw, problem, memory, clock.t, step, h) + end_creep(problem, memory)
        lost += _energies_of_resistance(contacts, cw, problem, memory)
        estimated = _take_out_overlaps(address, tree, contacts, w, problem, memory, matrix, v, h)
    _record(contacts, cw, problem, memory, h, step, run.x_new)
    put_residuals(contacts, problem, memory.worst, h, clock.t + h, COLUMNS, RESIDUALS, run.x_new)
    driven = 0.0
    if step_record.places[WHOLE] == 1:
        find_pushes(contacts, cw, problem, memory, step_record)
    if closures.rows > 0 and (joint_friction_laws or problem.counts[0].blocks > 0):
        driven = add_impulses(tree, closures, w, step_record, h)
    taken_at = middle
    if memory.implicit[0] != 0:
        _mean_velocities(tree, w, run, problem, v)
        taken_at = new
    if contacts.slots > 0:
        keep_step(step_record, w.at[0].joint_friction, n, clock.t, h, taken_at, v, problem.v, run.x_new)
    for i in range(nv):
        problem.x[i] = 0.5 * h * problem.v[i]
        new[nq + i] = problem.v[i]
    if memory.implicit[0] == 0 and loads.forces.count > 0:
        correct_powers(tree, loads, w, step_record, clock.t + 0.5 * h, h, middle, problem.x)
        driven, lost = driven + h * step_record.powers[0], lost + h * step_record.powers[1]
    for i in range(nv):
        problem.x[i] += problem.dq[i]
    if joint_friction_laws:
        taken, at_limits = end_at_limits(tree, w, problem, memory, y, middle, h)
        lost, estimated = lost + taken, estimated + at_limits
    moved, way, correction = False, 0.0, 0.0
    for i in range(nv):
        moved = moved or problem.x[i] != 0.5 * h * problem.v[i]
        correction = max(correction, abs(problem.x[i] - 0.5 * h * problem.v[i]))
        way = max(way, 0.5 * h * abs(v[i]), 0.5 * h * abs(problem.v[i]))
    memory.method[0].corrected = 1 if correction > way else 0
    supplied = 0.0
    if moved and memory.implicit[0] == 0 and loads.forces.count > 0:
        supplied = supplied_by_correction(tree, loads, w, step_record, clock.t + 0.5 * h, h, middle, problem.x)
    retract(tree, middle, problem.x, new)
    unit_quaternions(tree, new[:nq])
    if moved:
        taken = _energy_of_corrections(tree, loads, w, run, problem, step_record, h) + supplied
        lost, driven = lost + taken, driven + supplied
        _share_energy(contacts, problem, memory, taken, estimated, h, run.x_new)
    for i in range(nv):
        problem.x[i] = 0.0
    for i in range(nz):
        memory.zdot[i] = run.K[0, nq + nv + i]
        new[nq + nv + i] = y[nq + nv + i] + h * memory.zdot[i]
    if joint_friction_laws:
        put_states(w, y, new)
    new[n] = y[n] + h * run.K[0, n] + driven
    new[n + 1] = y[n + 1] + h * run.K[0, n + 1] + lost
    project(w, clock.t + h, new)
    bad = first_not_finite(new)
    counts.outcome, clock.factor = ACCEPTED, 1.0
    if bad >= 0:
        counts.where, counts.outcome, clock.factor = bad, NOT_FINITE, 0.0


@entry
def moreau_polynomial(address):
    """Entry POLYNOMIAL: straight lines; the record is constant over the step, but for the energy lost.

    Rates that jump have no line from before to after, which would be rates that never are: until the end of the step
    they, and the energy accumulators, are as at its beginning. So are positions that are corrected by more than they
    move: bodies that overlap at the start.
    """
    context, run, _, _, memory, _, _ = unpack(address, MOREAU_CONTEXT)
    tree, _, _, _ = unpack(context, REAL_CONTEXT)
    nq, nv = tree.nq, tree.nv
    change, smooth = 0.0, 0.0
    for i in range(nv):
        change, smooth = max(change, abs(run.y_new[nq + i] - run.y[nq + i])), max(smooth, abs(memory.dv[i]))
    jumps, of_contacts = change > FAST * smooth, COLUMNS * memory.lost.shape[0]
    whole = memory.method[0].corrected == 1
    for i in range(run.y.shape[0]):
        held = (jumps or whole) and (nq <= i < nq + nv or i >= nq + nv + tree.nz)
        held = held or (whole and i < nq)
        run.Q[0, i] = 0.0 if held else run.y_new[i] - run.y[i]
    for i in range(run.x.shape[0]):
        lost = i < of_contacts and i % COLUMNS == LOST
        if not lost:
            run.x[i] = run.x_new[i]
        run.X[0, i] = run.x_new[i] - run.x[i] if lost and not (jumps or whole) else 0.0


@entry
def moreau_shift(address):
    """Entry SHIFT."""
    _, run, _, _, _, _, _ = unpack(address, MOREAU_CONTEXT)
    for i in range(run.y.shape[0]):
        run.y[i] = run.y_new[i]


MOREAU_ENTRIES = (moreau_start, moreau_step, moreau_polynomial, moreau_shift)
