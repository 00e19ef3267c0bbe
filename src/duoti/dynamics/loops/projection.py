"""Rates of trees with closed loops, and the way back to closed loops: the entries of `Projection` and its relatives.

Near singular positions, accelerations are interpolated along the motion (`pass_singular_entry`).
"""

import math

from duoti.dynamics.loops.constrained import largest, solve_closures, solve_equations
from duoti.dynamics.loops.constraints import RESIDUALS, VELOCITIES, call_values, evaluate_closures
from duoti.dynamics.loops.equations import call_equations
from duoti.dynamics.loops.factors import NEAR, factorise, independence, least_independence, near_singular
from duoti.dynamics.tree.kinematics import calc_qdot, joint_sweep, unit_quaternions, velocities, world_poses
from duoti.dynamics.tree.states import ydot_beside_motion
from duoti.kernel import call_entry, entry, part, unpack
from duoti.system.arrays import PROXIMAL_ITERATIONS
from duoti.system.context import REAL_CONTEXT

REFACTOR_RATIO = 0.1  # a correction that leaves more than this part of the residual calls for new factors
CORRECTION_TOLERANCE = 1e-4  # relative error of the multipliers in a correction: the next one takes it out
PRECISE_SHIFT = 1e-13  # mu of `constrained` (2) in corrections with new factors: smaller pivots count
NEWTON_STEPS = 10  # most corrections of position and of velocity in a projection
OPEN = 1e-7  # residual [m, rad] from which on a loop is closed near singular positions too
OUTSIDE = 5.0 * NEAR  # independence of the rows in states beside a singular position
FIRST_SPREAD, MOST_SPREADS = 0.02, 12  # distance of these states [rad, m], at first; how often it may be enlarged
SMOOTH = 1e-3  # relative difference of two interpolations up to which accelerations count as smooth


@part
def refresh(tree, loads, closures, w):
    """Residuals, their rates and the factors in the state w.y."""
    call_entry(w.calls[0].constraints, w.at[0].system)
    factorise(tree, loads, closures, w)


@part
def close(tree, loads, closures, w, q, v):
    """Positions q, then rates v of w.y onto the closures to round-off, with new factors each time; 1 if they close."""
    shift = w.method[0].shift
    w.method[0].shift = PRECISE_SHIFT
    last = math.inf
    for _ in range(NEWTON_STEPS):
        refresh(tree, loads, closures, w)
        for r in range(closures.rows):
            w.rhs[r] = -w.g[r]
        solve_closures(tree, closures, w, w.rhs, w.a_free, CORRECTION_TOLERANCE)
        size = largest(w.a_free)
        if not size < last or size == 0.0:
            break
        last = size
        calc_qdot(tree, q, w.a_free, w.ydot[: tree.nq])
        for i in range(tree.nq):
            q[i] += w.ydot[i]
        unit_quaternions(tree, q)
    last = math.inf
    for _ in range(NEWTON_STEPS):
        velocities(tree, w, v)
        evaluate_closures(loads, closures, w, q, v, VELOCITIES)
        for r in range(closures.rows):
            w.rhs[r] = -w.gdot[r]
        solve_closures(tree, closures, w, w.rhs, w.a_free, CORRECTION_TOLERANCE)
        size = largest(w.a_free)
        if not size < last or size == 0.0:
            break
        last = size
        for i in range(tree.nv):
            v[i] += w.a_free[i]
    w.method[0].shift = shift
    return 1 if largest(w.g) <= OPEN else 0


@part
def _direction(tree, closures, w, v, d):
    """d = the rates of the loops that are near a singular position and of all that they share joints with; else 0.

    Returns the largest.
    """
    for i in range(d.shape[0]):
        d[i] = 0.0
    grows = True
    while grows:
        grows = False
        for closure in range(closures.count):
            concerned, all_marked = False, True
            first, last = closures.first[closure], closures.first[closure + 1]
            for k in range(closures.support[first], closures.support[last]):
                marked = d[closures.support_dofs[k]] != 0.0
                concerned, all_marked = concerned or marked, all_marked and marked
            for r in range(first, last):
                concerned = concerned or independence(closures, w, r) < NEAR
            if concerned and not all_marked:
                grows = True
                for k in range(closures.support[first], closures.support[last]):
                    d[closures.support_dofs[k]] = 1.0
    for i in range(d.shape[0]):
        d[i] *= v[i]
    return largest(d)


@part
def _neighbour(tree, loads, closures, w, q, v, a, x):
    """Accelerations a in the closed state that is x d away; returns how independent its rows are, 0 if it is open."""
    nq, nv = tree.nq, tree.nv
    d, kept = w.passage[0], w.kept
    for i in range(nv):
        w.a_free[i] = x * d[i]
        v[i] = kept[nq + i]
    calc_qdot(tree, kept[:nq], w.a_free, w.ydot[:nq])
    for i in range(nq):
        q[i] = kept[i] + w.ydot[i]
    unit_quaternions(tree, q)
    if close(tree, loads, closures, w, q, v) == 0:
        return 0.0
    call_entry(w.calls[0].equations, w.at[0].system)
    solve_equations(tree, loads, closures, w, a)
    return least_independence(closures, w)


@entry
def pass_singular_entry(context):
    """Entry: accelerations in w.ydot near a singular position, where two motions of a mechanism meet, from those beside
    it; of the state w.y, for which they were solved without success.

    In a distance d from it (rows of G are dependent but for d) a state that is open by e has rates that are wrong by
    e/d, and accelerations by e/d²; e is at least round-off over d, and with mu of (2) a loop with d² < mu is not held
    at all. But along the motion that the mechanism is in, accelerations are smooth: they are interpolated between six
    closed states before and behind, in the direction of the rates of the loop, which tells the motion from the other
    one. Where four of them say something else (a force that changes suddenly), all stays as it was.
    """
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    nq, nv = tree.nq, tree.nv
    q, v, a = w.y[:nq], w.y[nq : nq + nv], w.ydot[nq : nq + nv]
    d, six, four = w.passage[0], w.passage[1], w.passage[2]
    kept, loops = w.kept, w.loops[0]
    speed = _direction(tree, closures, w, v, d)
    if not speed > 0.0:
        return
    for i in range(nq):
        kept[i] = q[i]
    for i in range(nv):
        kept[nq + i] = v[i]
    if not loops.spread > 0.0:
        loops.spread = FIRST_SPREAD
    good, drive = 0, 0.0
    for _ in range(MOST_SPREADS):
        drive, good = 0.0, 1
        for i in range(nv):
            six[i], four[i] = 0.0, 0.0
        farthest = 0.0
        for k in range(6):
            distance = 1.0 + k // 2
            x = (distance if k % 2 == 0 else -distance) * loops.spread / speed
            independent = _neighbour(tree, loads, closures, w, q, v, a, x)
            if independent < OUTSIDE:
                good = 0
                break
            if k < 2:
                farthest = max(farthest, independent) if k == 0 else min(farthest, independent)
            weight6 = 0.75 if k < 2 else -0.3 if k < 4 else 0.05
            weight4 = 2.0 / 3.0 if k < 2 else -1.0 / 6.0 if k < 4 else 0.0
            for i in range(nv):
                six[i] += weight6 * a[i]
                four[i] += weight4 * a[i]
            for r in range(closures.rows):
                drive += weight6 * w.multipliers[r] * w.values[r, 1]
        if good == 1:
            break
        loops.spread *= 1.5
    for i in range(nq):
        q[i] = kept[i]
    for i in range(nv):
        v[i] = kept[nq + i]
    if good == 1 and farthest > 10.0 * OUTSIDE:  # pyright: ignore[reportPossiblyUnboundVariable]
        loops.spread *= 0.7  # for the next time
    call_entry(w.calls[0].equations, context)
    solve_equations(tree, loads, closures, w, a)
    size, difference = 0.0, 0.0
    for i in range(nv):
        size, difference = max(size, abs(six[i])), max(difference, abs(six[i] - four[i]))
    if good == 0 or not difference <= SMOOTH * size:
        loops.spread = FIRST_SPREAD if good == 0 else loops.spread
        return
    for i in range(nv):
        a[i] = six[i]
    for r in range(closures.rows):  # what prescribed motions put in
        drive -= w.multipliers[r] * w.values[r, 1]
    w.powers[1] += drive


@part
def leave_singular(tree, loads, closures, w, q, v):
    """Leave a state near a singular position as it is: the round-off of g would do more to it than it is open by."""
    joint_sweep(tree, w, q, v)
    world_poses(tree, w)
    evaluate_closures(loads, closures, w, q, v, RESIDUALS)
    if largest(w.g) > OPEN:
        close(tree, loads, closures, w, q, v)


@entry
def constrained_ydot_entry(context):
    """Entry: w.ydot, the derivatives of the state w.y at the time w.clock."""
    call_equations(context)
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    nq, nv = tree.nq, tree.nv
    q, v, a = w.y[:nq], w.y[nq : nq + nv], w.ydot[nq : nq + nv]
    solve_equations(tree, loads, closures, w, a)
    if near_singular(w) and w.method[0].iterations >= PROXIMAL_ITERATIONS:  # no penalty method
        call_entry(w.calls[0].pass_singular, context)
    calc_qdot(tree, q, v, w.ydot[:nq])
    ydot_beside_motion(tree, w)


@entry
def project_entry(context):
    """Entry: bring the state w.y back to closed loops, first its positions, then its rates, by the shortest way.

    Shortest in the metric of M: dq = M^-1 G^T D^-1 (-g). The factors are those of the last evaluation of rates, near
    enough for a few cheap corrections; where these do not converge fast (long steps, a singular position in between),
    a correction that made it worse is taken back and the factors are made anew. Near singular positions it
    is left as it is: see `pass_singular_entry`.
    """
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    nq, nv = tree.nq, tree.nv
    q, v = w.y[:nq], w.y[nq : nq + nv]
    call_values(closures, w, w.clock[0])
    if near_singular(w):
        leave_singular(tree, loads, closures, w, q, v)
        return
    for level in (RESIDUALS, VELOCITIES):  # first the positions, then the rates
        gap = w.g if level == RESIDUALS else w.gdot
        fresh, last = 0, math.inf
        for _ in range(NEWTON_STEPS):
            if level == RESIDUALS:
                joint_sweep(tree, w, q, v)
                world_poses(tree, w)
            else:
                velocities(tree, w, v)
            evaluate_closures(loads, closures, w, q, v, level)
            residual = largest(gap)
            allowed = closures.tolerance * (1.0 if level == RESIDUALS else max(largest(v), 1.0))
            if residual <= allowed:
                break
            if residual > REFACTOR_RATIO * last:
                if residual > last:
                    _correct(tree, w, q, v, level, -1.0)
                if fresh == 1:
                    break
                fresh = 1
                refresh(tree, loads, closures, w)
                if near_singular(w) and residual <= OPEN:
                    return
                residual = largest(gap)
            last = residual
            for r in range(closures.rows):
                w.rhs[r] = -gap[r]
            solve_closures(tree, closures, w, w.rhs, w.a_free, CORRECTION_TOLERANCE)
            if level == RESIDUALS:
                calc_qdot(tree, q, w.a_free, w.ydot[:nq])
            _correct(tree, w, q, v, level, 1.0)


@part
def _correct(tree, w, q, v, level, sign):
    """Add the last correction to the positions or to the rates, or take it back."""
    if level == VELOCITIES:
        for i in range(tree.nv):
            v[i] += sign * w.a_free[i]
        return
    for i in range(tree.nq):
        q[i] += sign * w.ydot[i]
    unit_quaternions(tree, q)
