"""Turns between contacts and joints with friction or stops, so that they are quick where both hold the same motion.

Contacts are solved for with impulses x in joints, then joints with the impulses p of contacts. Joints
that are held do not let happen what contacts do to them: these find the mass matrix M + D with a great inertia D there,
and what it bears becomes an impulse of the joint, x - D dv with the change dv of rates by p (method of multipliers;
Hestenes 1969, Powell 1969). D changes how turns come to their end, not where.

A turn so maps x to g(x). With f = g - x and the differences F, G of f and g between the last turns, the next x is

    x = g - G c,    c that of the least |f - F c|                                                              (1)

(Anderson 1965; Walker and Ni 2011): exact after as many turns as there are impulses, once nothing changes its friction
state.
"""

from __future__ import annotations

from duoti.elements.joint_friction_memory import AT_REST, COULOMB, STOP
from duoti.kernel import helper, part

DEPTH = 10  # differences that are kept
# rows of JointFrictionData.turns: differences of f and of g, twice (the second time made orthogonal), and the rows
# named here
START, WEIGHT, LAST_F, LAST_G, BEST, BEST_G, STEP, HOLD, AUXILIARY = range(4 * DEPTH, 4 * DEPTH + 9)
ROWS = 4 * DEPTH + 9
RESTING, NONE, ALL = range(3)  # what is held
WITHIN = 0.999  # part of its bound up to which friction holds a joint by itself
HEAVY = 1e3  # times the inertia of a rate that is held
DEPENDENT = 1e-10  # square of the part of a difference that the newer ones do not have: less is round-off
GROWN = 2.0  # times the least |f| so far: a step that diverged
FARTHER = 2.0  # times the reach after a step that did not


@part
def begin_iterations(jf):
    """Weights that give all impulses one unit: |f|² is about the energy that they exchange."""
    n = 0
    for s in range(jf.count):
        for k in range(jf.size[s]):
            jf.iterates[WEIGHT, n] = max(jf.response[n, jf.first[s] + k], 0.0) ** 0.5
            n += 1


@part
def choose_held(jf, which):
    """turns[HOLD]: inertia that is added to rates which are held, for all that contacts do to them.

    which: RESTING those that rest, or press on a stop, by the friction states found last; NONE; ALL that friction could
    hold.
    """
    n = 0
    for s in range(jf.count):
        friction, stop = jf.kind[s] == COULOMB, jf.kind[s] == STOP
        square, most = 0.0, WITHIN * jf.step[0] * jf.bound[s]
        for k in range(jf.size[s]):
            square += (jf.impulse[n + k] / jf.scales[s, k]) ** 2 if friction and jf.scales[s, k] > 0.0 else 0.0
        # at its bound, others hold it
        rests = friction and jf.next_friction_state[s] == AT_REST and square < most * most
        held = rests or (stop and jf.impulse[n] != 0.0)
        held = (which == RESTING and held) or (which == ALL and (friction or jf.impulse[n] != 0.0))
        for k in range(jf.size[s]):
            own = jf.response[n, jf.first[s] + k]
            jf.iterates[HOLD, n] = HEAVY / own if held and own > 0.0 else 0.0
            n += 1


@part
def hold_dofs(tree, jf, M):
    """The packed mass matrix M, with the inertia of what is held."""
    n = 0
    for s in range(jf.count):
        for k in range(jf.size[s]):
            i = jf.first[s] + k
            M[tree.M_row[i] + tree.depth[i]] += jf.iterates[HOLD, n]
            n += 1


@part
def give_back(jf, before, after):
    """jf.impulse: with what the added inertia bore of the change of rates from before to after, by contacts.

    (M + D) dv = G^T p, so that with impulses -D dv in joints the same dv obeys M dv = G^T p - D dv.
    """
    n = 0
    for s in range(jf.count):
        for k in range(jf.size[s]):
            i = jf.first[s] + k
            jf.iterates[AUXILIARY, n] = jf.iterates[HOLD, n] * (after[i] - before[i])
            jf.impulse[n] -= jf.iterates[AUXILIARY, n]
            n += 1


@part
def take_again(jf):
    """jf.impulse: those that a turn should have begun with, to end with the ones that stand there."""
    for n in range(jf.impulse.shape[0]):
        if jf.iterates[HOLD, n] > 0.0:
            jf.impulse[n] += jf.iterates[AUXILIARY, n]


@part
def keep_start(jf):
    """The impulses that a turn begins with."""
    for n in range(jf.impulse.shape[0]):
        jf.iterates[START, n] = jf.impulse[n]


@helper
def _product(a, b):
    total = 0.0
    for n in range(a.shape[0]):
        total += a[n] * b[n]
    return total


@part
def next_start(jf, known, least, reach):
    """jf.impulse: those of the next turn by (1), from the end of this one.

    known: differences that there are, -1 after the first turn; least: |f| of the best turn; reach: the longest step
    |x' - x| in units of |f|, shorter after one that diverged, and less than one where plain turns do. Returns them.
    """
    take_again(jf)
    turns, m = jf.iterates, jf.impulse.shape[0]
    size = _distance(jf, jf.impulse, turns[START])
    if size > GROWN * least:
        reach = 0.25 * min(reach, turns[STEP, 0])
        for n in range(m):
            jf.impulse[n] = turns[BEST, n] + min(reach, 1.0) * (turns[BEST_G, n] - turns[BEST, n])
        turns[STEP, 0] = min(reach, 1.0)
        return -1, least, reach
    if known >= 0:
        _keep_difference(jf, known)
    for n in range(m):
        turns[LAST_F, n] = turns[WEIGHT, n] * (jf.impulse[n] - turns[START, n])
        turns[LAST_G, n] = jf.impulse[n]
        if size < least:
            turns[BEST, n], turns[BEST_G, n] = turns[START, n], jf.impulse[n]
    known = min(known + 1, DEPTH)
    _extrapolate(jf, known)
    _keep_bounds(jf)
    step = _distance(jf, jf.impulse, turns[START]) / max(size, 1e-300)
    if step > reach:
        for n in range(m):
            jf.impulse[n] = turns[START, n] + reach / step * (jf.impulse[n] - turns[START, n])
    turns[STEP, 0] = min(step, reach)
    return known, min(size, least), FARTHER * reach


@helper
def _distance(jf, a, b):
    square = 0.0
    for n in range(a.shape[0]):
        square += (jf.iterates[WEIGHT, n] * (a[n] - b[n])) ** 2
    return square**0.5


@part
def take_best(jf):
    """jf.impulse: those that the best turn began with."""
    for n in range(jf.impulse.shape[0]):
        jf.impulse[n] = jf.iterates[BEST, n]


@part
def _keep_bounds(jf):
    """Friction stays within its bounds of this turn, and stops push as they did in it."""
    n = 0
    for s in range(jf.count):
        square, bound = 0.0, jf.step[0] * jf.bound[s]
        for k in range(jf.size[s]):
            if jf.kind[s] == STOP and jf.iterates[HOLD, n] == 0.0 and jf.impulse[n] * jf.iterates[LAST_G, n] <= 0.0:
                jf.impulse[n + k] = 0.0
            square += (jf.impulse[n + k] / jf.scales[s, k]) ** 2 if jf.scales[s, k] > 0.0 else 0.0
        free = jf.iterates[HOLD, n] == 0.0
        if jf.kind[s] == COULOMB and free and square > bound * bound:
            for k in range(jf.size[s]):
                jf.impulse[n + k] *= bound / square**0.5
        n += jf.size[s]


@part
def _keep_difference(jf, known):
    """The newest differences stand first."""
    turns = jf.iterates
    for n in range(jf.impulse.shape[0]):
        for j in range(min(known, DEPTH - 1), 0, -1):
            turns[j, n], turns[DEPTH + j, n] = turns[j - 1, n], turns[DEPTH + j - 1, n]
        turns[0, n] = turns[WEIGHT, n] * (jf.impulse[n] - turns[START, n]) - turns[LAST_F, n]
        turns[DEPTH, n] = jf.impulse[n] - turns[LAST_G, n]


@part
def _extrapolate(jf, known):
    """(1) by Gram and Schmidt's method, from the newest difference on; those that say nothing new are left out."""
    turns, m = jf.iterates, jf.impulse.shape[0]
    F, G = turns[2 * DEPTH : 3 * DEPTH], turns[3 * DEPTH : 4 * DEPTH]
    used = 0
    for j in range(known):
        for n in range(m):
            F[used, n], G[used, n] = turns[j, n], turns[DEPTH + j, n]
        whole = _product(F[used], F[used])
        for i in range(used):
            share = _product(F[i], F[used]) / _product(F[i], F[i])
            for n in range(m):
                F[used, n] -= share * F[i, n]
                G[used, n] -= share * G[i, n]
        if _product(F[used], F[used]) > DEPENDENT * whole:
            used += 1
    for i in range(used):
        c = _product(F[i], turns[LAST_F]) / _product(F[i], F[i])
        for n in range(m):
            jf.impulse[n] -= c * G[i, n]
