"""Friction and stops in joints within a step of Moreau and Jean's time stepping: blocks of its contact problem.

Each joint with friction is a block with a DISC, each stop that the step may reach a block with a half-line
(`contact.solve.problem`), after the points of contact: one problem for all. Bounds of friction that follow from loads
need the solution: the problem is solved again with the loads that it leads to, until these agree,

    L = g(L),    L := g - (difference of g) c,    c that of the least |f - (difference of f) c|,  f = g(L) - L     (1)

(Anderson 1965; Walker and Ni 2011). A step in which they do not agree is counted as unsolved.
"""

from __future__ import annotations

from duoti.contact.collide.geometry import push_body, rotate_body
from duoti.contact.solve.branch_sparse import begin_paths
from duoti.contact.solve.islands import root_of
from duoti.contact.solve.problem import CONE, DISC
from duoti.contact.solve.sparse_newton import block_size
from duoti.dynamics.joint_friction.rates import MOVES
from duoti.dynamics.joint_friction.time_stepping import (
    active_step,
    find_active,
    friction_bounds,
    inward_at,
    least_rate,
)
from duoti.dynamics.loops.factors import factor_tree
from duoti.dynamics.tree.crba import packed_mass_matrix
from duoti.elements.joint_friction import speed_of
from duoti.elements.joint_friction_memory import (
    ABOVE,
    AT_REST,
    BACKWARD,
    BELOW,
    COULOMB,
    FORWARD,
    FREE,
    FROM_OUTSIDE,
    IMPACT,
    JOINT_FRICTION_CONTEXT,
    LOWER,
    STOP,
    UPPER,
)
from duoti.integrate.moreau.branch_problem import WANTED, contact_rows, joint_block
from duoti.integrate.moreau.contact_problem import JOINTS_WELL
from duoti.integrate.moreau.creep_coupling import solve_with_creep
from duoti.kernel import call_entry, helper, part, unpack
from duoti.spatial.algebra import ZERO6, add, get3, put_spatial, scale

MOST_SOLUTIONS = 100  # of a step: stops that are found to take part, impacts at stops, loads
LOADS_CONVERGED = 1e-11  # change of a load, relative to the largest
LOADS_MATTER = 1e-4  # the same: a larger one is another motion
DEPTH = 4  # differences of loads that are kept
STEEPER = 4.0  # times the growth of a load that grows with its friction, in each iteration
# rows of JointFrictionData.iterates: differences of f, of g, then these
START, LAST_F, LAST_G, FIRST = 2 * DEPTH, 2 * DEPTH + 1, 2 * DEPTH + 2, 4 * DEPTH + 3
COMES_TO_REST = 4.0  # times the speed that friction takes in a step
DEPENDENT = 1e-12  # square of the part of a difference that the newer ones do not have: less is round-off
REACH = 4.0  # times the velocities of a joint: a stop that is farther away takes no part at first
SLOW = 2.0  # times the change of speed in a step: slower impacts do not bounce
TINY = 1e-100
HELD = 1e-10  # of its inverse inertia without loops: a rate with less is held by them
ROUND_OFF = 1e-12  # [m or rad]
ROUND_OFF_SPEED = JOINTS_WELL  # part of the tolerance of a velocity: less is none
OUTSIDE = 1e-6  # [m or rad] beyond a limit: the joint was there from the start on, and may only come back
SWEEPS, STALE = 400, 20  # over stops; after so many, all that push at once
AT_LIMIT = 1e-13  # [m or rad] change in a sweep that is none


@part
def begin_contacts(address, tree, closures, contacts, cw, w, problem, memory, v, step):
    """Mass matrix, rows and responses of the points that are near."""
    if memory.implicit[0] == 0 and closures.rows == 0:
        packed_mass_matrix(tree, w)
    begin_paths(contacts, cw, problem.paths)
    if problem.paths.counts[0].active == 1:
        factor_tree(tree, w.M)
    contact_rows(address, tree, contacts, cw, w, problem, memory, v, memory.method[0].h, step)


@part
def _add_stop(address, tree, w, jf, problem, memory, s, n, v):
    """A stop becomes a block, if loops do not hold its rate."""
    inward, c = inward_at(jf, w, s), problem.counts[0].blocks
    problem.law[c], problem.size[c], problem.slot[c], problem.rate[c] = CONE, 1, s, jf.first[s]
    problem.owner[c] = -1
    problem.scale[c, 0], problem.scale[c, 1], problem.scale[c, 2] = inward, 0.0, 0.0
    joint_block(address, tree, w, problem, memory, c, v)
    if problem.W[c, 0, 0] <= HELD * _free_response(tree, w, memory, jf.first[s]):
        return
    problem.b[c, 0], problem.b[c, 1], problem.b[c, 2] = -least_rate(jf, w, s, inward), 0.0, 0.0
    problem.p[c, 0], problem.p[c, 1], problem.p[c, 2] = max(0.0, inward * jf.impulse[n]), 0.0, 0.0
    problem.mu[c], problem.gap[c], jf.block[s] = 0.0, 0.0, c
    problem.counts[0].blocks += 1


@helper
def _free_response(tree, w, memory, i):
    """A bound below the inverse inertia of a rate without loops: that of it alone, all others held.

    Implicit forces have no loops beside them, and no factor of the mass matrix.
    """
    if memory.implicit[0] != 0:
        return TINY
    inverse = w.M[tree.M_row[i] + tree.depth[i]]  # of the diagonal of the factor
    return inverse * inverse


@part
def _add_friction(address, tree, w, jf, problem, memory, s, n, v):
    """Friction in a joint becomes a block."""
    c, most = problem.counts[0].blocks, 0.0
    problem.law[c], problem.slot[c], problem.rate[c], problem.owner[c] = DISC, s, jf.first[s], -1
    problem.size[c] = 1 if jf.size[s] == 1 else 3
    for k in range(3):
        problem.scale[c, k] = jf.scales[s, k] if k < jf.size[s] else 0.0
        problem.b[c, k], problem.p[c, k] = 0.0, 0.0
        if problem.scale[c, k] > 0.0:
            problem.p[c, k] = jf.impulse[n + k] / problem.scale[c, k]
            most = max(most, problem.scale[c, k] ** 2 * _free_response(tree, w, memory, jf.first[s] + k))
    if most == 0.0:
        return
    joint_block(address, tree, w, problem, memory, c, v)
    for k in range(problem.size[c]):  # of a rate that loops hold, whose friction their forces bear
        problem.W[c, k, k] = max(problem.W[c, k, k], HELD * most)
    problem.mu[c], problem.gap[c], jf.block[s] = 0.0, 0.0, c
    problem.counts[0].blocks += 1


@part
def add_joints(address, tree, w, problem, memory, v):
    """The blocks of joints, with the impulses of the last step; stops that are out of reach are left out for now."""
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    h, n = memory.method[0].h, 0
    again = h / jf.step[0] if jf.step[0] > 0.0 else 0.0
    jf.step[0] = h
    for i in range(v.shape[0]):
        jf.before[i] = v[i]
    for s in range(jf.count):
        jf.block[s] = -1
        for k in range(jf.size[s]):
            jf.impulse[n + k] *= again
        if jf.kind[s] == COULOMB:
            _add_friction(address, tree, w, jf, problem, memory, s, n, v)
        elif jf.kind[s] == STOP:
            jf.rest[s], i, inward = 0.0, jf.first[s], inward_at(jf, w, s)
            near = inward * (v[i] + memory.dv[i]) - REACH * (abs(v[i]) + abs(memory.dv[i]))
            if near <= least_rate(jf, w, s, inward) or inward * jf.impulse[n] > 0.0:
                _add_stop(address, tree, w, jf, problem, memory, s, n, v)
        n += jf.size[s]


@part
def _put_bounds(loads, jf, problem):
    """Radii of friction for the loads found last."""
    friction_bounds(loads, jf)
    for s in range(jf.count):
        c = jf.block[s]
        if c >= 0 and jf.kind[s] == COULOMB:
            problem.radius[c] = jf.step[0] * max(jf.bound[s], 0.0)


@part
def _take_impulses(jf, problem):
    """jf.impulse and jf.velocity of the solution."""
    n = 0
    for i in range(jf.velocity.shape[0]):
        jf.velocity[i] = problem.v[i]
    for s in range(jf.count):
        c = jf.block[s]
        for k in range(jf.size[s]):
            jf.impulse[n + k] = problem.scale[c, k] * problem.p[c, k] if c >= 0 else 0.0
        n += jf.size[s]


@part
def _more_stops(address, tree, w, jf, problem, memory, matrix, v):
    """Stops that the solution passes become blocks, and those that are struck bounce; how many."""
    found, n, tolerance = 0, 0, memory.method[0].tolerance
    for s in range(jf.count):
        if jf.kind[s] == STOP:
            inward, c, i = inward_at(jf, w, s), jf.block[s], jf.first[s]
            before = inward * v[i]
            enough = tolerance * matrix.measure[root_of(matrix.group, matrix.dof_tree[i])]
            if c < 0 and inward * problem.v[i] < least_rate(jf, w, s, inward) - enough:
                _add_stop(address, tree, w, jf, problem, memory, s, n, v)
                found += 1 if jf.block[s] >= 0 else 0
            bounces = jf.restitution[s] > 0.0 and before < -SLOW * abs(memory.dv[i]) and jf.rest[s] != IMPACT
            if c >= 0 and bounces and problem.p[c, 0] > 0.0:
                jf.rest[s], problem.b[c, 0] = IMPACT, jf.restitution[s] * before
                found += 1
        n += jf.size[s]
    return found


@part
def solve_joint_friction(address, tree, loads, contacts, cw, w, problem, memory, matrix, v):
    """Impulses of contacts and joints, and velocities after the step. Needs the blocks of all of them."""
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    counts, loaded, left, known = problem.counts[0], 0, 0.0, -1
    steps, unsolved, wrong = counts.steps, counts.unsolved, counts.wrong
    stages = (counts.kept, counts.newton, counts.continued, counts.cold, counts.swept, counts.interior)
    jf.status[0].jammed = 0
    for s in range(jf.count):
        loaded = max(loaded, jf.loaded[s] if jf.block[s] >= 0 and jf.kind[s] == COULOMB else 0)
    for k in range(MOST_SOLUTIONS):
        _put_bounds(loads, jf, problem)
        for s in range(jf.count if k == 0 else 0):
            jf.iterates[FIRST, s] = problem.radius[jf.block[s]] if jf.block[s] >= 0 else 0.0
        for i in range(tree.nv):
            problem.v[i] = v[i] + memory.dv[i]
        counts.unsolved, counts.wrong, counts.steps = unsolved, wrong, steps
        counts.kept, counts.newton, counts.continued, counts.cold, counts.swept, counts.interior = stages
        solve_with_creep(address, tree, contacts, w, problem, memory, matrix, v)
        if memory.general[WANTED] == 1:
            return
        if _more_stops(address, tree, w, jf, problem, memory, matrix, v) > 0:
            left = 1.0
            continue
        _take_impulses(jf, problem)
        if loaded == 0:
            left = 0.0
            break
        left = _next_loads(contacts, cw, w, problem, memory, jf, known)
        known = min(known + 1, DEPTH)
        if left <= LOADS_CONVERGED:
            break
    s = jf.status[0].jammed - 1
    if left <= LOADS_CONVERGED and s >= 0 and _stopped_at_once(jf, problem, memory, s):
        left = 1.0
    if left > LOADS_CONVERGED:
        jf.status[0].jams = jf.status[0].jammed
        counts.unsolved = unsolved + 1
        counts.worst_fraction = max(counts.worst_fraction, left)
        if left > LOADS_MATTER:
            counts.wrong = max(counts.wrong, wrong + 1)
    _end(jf, problem, memory)


@helper
def _stopped_at_once(jf, problem, memory, s):
    """Whether a joint moved before the step, and friction that grows with itself has stopped it.

    What the friction of the step before could have stopped as well has come to rest, and does not jam; beside contacts
    an impact may have loaded it.
    """
    c = jf.block[s]
    if c < 0 or problem.counts[0].points > 0:
        return False
    speed = speed_of(jf, jf.before, s).real
    if speed <= MOVES or speed <= COMES_TO_REST * block_size(problem, c) * jf.iterates[FIRST, s]:
        return False
    return _at_rest(problem, c, memory.method[0].tolerance * problem.measure[c])


@part
def _next_loads(contacts, cw, w, problem, memory, jf, known):
    """jf.load of the next solution by (1); returns by how much those of the last one are wrong, relatively.

    known: differences that there are, -1 after the first solution.
    """
    kept, m = jf.iterates, jf.count
    for s in range(m):
        kept[START, s] = jf.load[s]
    _push_bodies(contacts, cw, w, problem, memory, jf)
    call_entry(jf.calls[0].loads, w.at[0].system)
    change, size = 0.0, 0.0
    for s in range(m):
        size, change = max(size, abs(jf.load[s])), max(change, abs(jf.load[s] - kept[START, s]))
    if change <= LOADS_CONVERGED * size:
        return 0.0
    if known >= 0:
        for j in range(min(known, DEPTH - 1), 0, -1):
            for s in range(m):
                kept[j, s], kept[DEPTH + j, s] = kept[j - 1, s], kept[DEPTH + j - 1, s]
        for s in range(m):
            kept[0, s] = jf.load[s] - kept[START, s] - kept[LAST_F, s]
            kept[DEPTH, s] = jf.load[s] - kept[LAST_G, s]
    for s in range(m):
        kept[LAST_F, s], kept[LAST_G, s] = jf.load[s] - kept[START, s], jf.load[s]
    _extrapolate(jf, min(known + 1, DEPTH))
    for s in range(m):
        f = kept[LAST_F, s]
        if f * (jf.load[s] - kept[START, s]) < 0.0 or jf.load[s] < 0.0:
            # friction makes more load than it is from: the way leads away from a motion, up to where it holds
            jf.load[s] = max(kept[LAST_G, s] + (STEEPER * f if f > 0.0 else 0.0), 0.0)
            if f > 0.0 and known >= 0 and kept[0, s] > 0.0:  # it has grown
                jf.status[0].jammed = 1 + s
    return change / size


@helper
def _product(a, b):
    total = 0.0
    for n in range(a.shape[0]):
        total += a[n] * b[n]
    return total


@part
def _extrapolate(jf, known):
    """(1) by Gram and Schmidt's method, from the newest difference on; those that say nothing new are left out."""
    kept, m, used = jf.iterates, jf.count, 0
    first = 2 * DEPTH + 3
    for j in range(known):
        f, g = kept[first + used], kept[first + DEPTH + used]
        for s in range(m):
            f[s], g[s] = kept[j, s], kept[DEPTH + j, s]
        whole = _product(f, f)
        for i in range(used):
            share = _product(kept[first + i], f) / _product(kept[first + i], kept[first + i])
            for s in range(m):
                f[s] -= share * kept[first + i, s]
                g[s] -= share * kept[first + DEPTH + i, s]
        if _product(f, f) > DEPENDENT * whole:
            used += 1
    for i in range(used):
        c = _product(kept[first + i], kept[LAST_F]) / _product(kept[first + i], kept[first + i])
        for s in range(m):
            jf.load[s] -= c * kept[first + DEPTH + i, s]


@part
def _end(jf, problem, memory):
    """Friction states after the step, and what the impulses take; rates that are held are exactly zero."""
    lost, n = 0.0, 0
    for s in range(jf.count):
        first, size, c = jf.first[s], jf.size[s], jf.block[s]
        enough = memory.method[0].tolerance * problem.measure[c] if c >= 0 else 0.0
        if jf.kind[s] == STOP:
            jf.next_friction_state[s] = FREE
            if c >= 0 and problem.p[c, 0] > 0.0:
                jf.next_friction_state[s] = LOWER if problem.scale[c, 0] > 0.0 else UPPER
                if jf.rest[s] != IMPACT and abs(problem.after[c, 0] + problem.b[c, 0]) <= enough:
                    problem.v[first] = -problem.scale[c, 0] * problem.b[c, 0]
        elif jf.kind[s] == COULOMB:
            rests = c < 0
            if c >= 0:
                rests = _at_rest(problem, c, enough)
            jf.next_friction_state[s] = AT_REST if rests else FORWARD
            if rests and c >= 0:
                for k in range(size):
                    if problem.scale[c, k] > 0.0:
                        problem.v[first + k] = 0.0
            elif size == 1 and problem.v[first] < 0.0:
                jf.next_friction_state[s] = BACKWARD
        n += size
    n = 0
    for s in range(jf.count):
        for k in range(jf.size[s]):
            i = jf.first[s] + k
            lost -= 0.5 * jf.impulse[n] * (jf.before[i] + problem.v[i])
            n += 1
    jf.step[1] = lost


@helper
def _at_rest(problem, c, enough):
    """Whether friction of a block holds."""
    square, speed, size = 0.0, 0.0, block_size(problem, c)
    for k in range(problem.size[c]):
        square += (problem.p[c, k] - problem.after[c, k] / size) ** 2
        speed = max(speed, abs(problem.after[c, k]))
    return speed <= ROUND_OFF_SPEED * enough or (speed <= enough and square <= problem.radius[c] ** 2)


@part
def _push_bodies(contacts, cw, w, problem, memory, jf):
    """jf.pushes: what the impulses of contacts are as forces over the step."""
    for b in range(jf.pushes.shape[0]):
        put_spatial(jf.pushes, b, ZERO6)
    for c in range(problem.counts[0].points):
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
def end_at_limits(tree, w, problem, memory, y, middle, h):
    """A step ends at limits, not beyond any, and all that hangs on the joints moves with them.

    Returns the energy that the impulses in joints took, and to first order that of this correction.

    The shortest way in the metric of the mass matrix, by Gauss-Seidel sweeps: to put back one joint may push another
    one beyond its limit.
    """
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    n, beyond = 0, False
    for s in range(jf.count):
        jf.p[n], n = 0.0, n + jf.size[s]
        if jf.kind[s] == STOP:
            low, high = _range(jf, s, y[jf.coordinate[s]])
            end = middle[jf.coordinate[s]] + problem.x[jf.first[s]]
            beyond = beyond or end < low or end > high
    if not beyond:
        return jf.step[1], 0.0
    if memory.implicit[0] != 0:
        packed_mass_matrix(tree, w)
        factor_tree(tree, w.M)
    call_entry(jf.calls[0].responses, w.at[0].system)
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
    lost, n = 0.0, 0
    for s in range(jf.count):
        if jf.kind[s] == STOP:
            lost += jf.p[n] * memory.dv[jf.first[s]] / h
        n += jf.size[s]
    return jf.step[1], lost


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
