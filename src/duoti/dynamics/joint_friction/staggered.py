"""Turns between contacts and joints with friction or stops, so that they are quick where both hold the same motion.

Contacts are solved for with impulses x in joints, then joints with the impulses p of contacts. Joints
that are held do not let happen what contacts do to them: these find the mass matrix M + D with a great inertia D there,
and what it bears becomes an impulse of the joint, x - D dv with the change dv of rates by p (method of multipliers;
Hestenes 1969, Powell 1969). D changes how turns come to their end, not where.

A turn so maps x to g(x). With f = g - x and the differences F, G of f and g between the last turns, the next x is

    x = g - G c,    c that of the least |f - F c|                                                              (1)

(Anderson 1965; Walker and Ni 2011): exact after as many turns as there are impulses, once nothing changes its mode.
"""

from __future__ import annotations

from duoti.elements.joint_friction_memory import AT_REST, COULOMB, STOP
from duoti.kernel import helper, part

DEPTH = 10  # differences that are kept
# rows of Dry.turns: differences of f and of g, twice (the second time made orthogonal), and the rows named here
START, WEIGHT, LAST_F, LAST_G, BEST, BEST_G, STEP, HOLD, BORNE = range(4 * DEPTH, 4 * DEPTH + 9)
ROWS = 4 * DEPTH + 9
RESTING, NONE, ALL = range(3)  # what is held
WITHIN = 0.999  # part of its bound up to which friction holds a joint by itself
HEAVY = 1e3  # times the inertia of a rate that is held
DEPENDENT = 1e-10  # square of the part of a difference that the newer ones do not have: less is round-off
GROWN = 2.0  # times the least |f| so far: a step that went astray
FARTHER = 2.0  # times the reach after a step that did not


@part
def begin_turns(dry):
    """Weights that give all impulses one unit: |f|² is about the energy that they exchange."""
    n = 0
    for s in range(dry.count):
        for k in range(dry.size[s]):
            dry.turns[WEIGHT, n] = max(dry.response[n, dry.first[s] + k], 0.0) ** 0.5
            n += 1


@part
def choose_held(dry, which):
    """turns[HOLD]: inertia that is added to rates which are held, for all that contacts do to them.

    which: RESTING those that rest, or press on a stop, by the modes found last; NONE; ALL that friction could hold.
    """
    n = 0
    for s in range(dry.count):
        friction, stop = dry.kind[s] == COULOMB, dry.kind[s] == STOP
        square, most = 0.0, WITHIN * dry.step[0] * dry.bound[s]
        for k in range(dry.size[s]):
            square += (dry.impulse[n + k] / dry.scales[s, k]) ** 2 if friction and dry.scales[s, k] > 0.0 else 0.0
        rests = friction and dry.next_mode[s] == AT_REST and square < most * most  # at its bound, others hold it
        held = rests or (stop and dry.impulse[n] != 0.0)
        held = (which == RESTING and held) or (which == ALL and (friction or dry.impulse[n] != 0.0))
        for k in range(dry.size[s]):
            own = dry.response[n, dry.first[s] + k]
            dry.turns[HOLD, n] = HEAVY / own if held and own > 0.0 else 0.0
            n += 1


@part
def hold_rates(tree, dry, M):
    """The packed mass matrix M, with the inertia of what is held."""
    n = 0
    for s in range(dry.count):
        for k in range(dry.size[s]):
            i = dry.first[s] + k
            M[tree.M_row[i] + tree.depth[i]] += dry.turns[HOLD, n]
            n += 1


@part
def give_back(dry, before, after):
    """dry.impulse: with what the added inertia bore of the change of rates from before to after, by contacts.

    (M + D) dv = G^T p, so that with impulses -D dv in joints the same dv obeys M dv = G^T p - D dv.
    """
    n = 0
    for s in range(dry.count):
        for k in range(dry.size[s]):
            i = dry.first[s] + k
            dry.turns[BORNE, n] = dry.turns[HOLD, n] * (after[i] - before[i])
            dry.impulse[n] -= dry.turns[BORNE, n]
            n += 1


@part
def take_again(dry):
    """dry.impulse: those that a turn should have begun with, to end with the ones that stand there."""
    for n in range(dry.impulse.shape[0]):
        if dry.turns[HOLD, n] > 0.0:
            dry.impulse[n] += dry.turns[BORNE, n]


@part
def keep_start(dry):
    """The impulses that a turn begins with."""
    for n in range(dry.impulse.shape[0]):
        dry.turns[START, n] = dry.impulse[n]


@helper
def _product(a, b):
    total = 0.0
    for n in range(a.shape[0]):
        total += a[n] * b[n]
    return total


@part
def next_start(dry, known, least, reach):
    """dry.impulse: those of the next turn by (1), from the end of this one.

    known: differences that there are, -1 after the first turn; least: |f| of the best turn; reach: the longest step
    |x' - x| in units of |f|, shorter after one that went astray, and less than one where plain turns do. Returns them.
    """
    take_again(dry)
    turns, m = dry.turns, dry.impulse.shape[0]
    size = _distance(dry, dry.impulse, turns[START])
    if size > GROWN * least:
        reach = 0.25 * min(reach, turns[STEP, 0])
        for n in range(m):
            dry.impulse[n] = turns[BEST, n] + min(reach, 1.0) * (turns[BEST_G, n] - turns[BEST, n])
        turns[STEP, 0] = min(reach, 1.0)
        return -1, least, reach
    if known >= 0:
        _keep_difference(dry, known)
    for n in range(m):
        turns[LAST_F, n] = turns[WEIGHT, n] * (dry.impulse[n] - turns[START, n])
        turns[LAST_G, n] = dry.impulse[n]
        if size < least:
            turns[BEST, n], turns[BEST_G, n] = turns[START, n], dry.impulse[n]
    known = min(known + 1, DEPTH)
    _extrapolate(dry, known)
    _keep_bounds(dry)
    step = _distance(dry, dry.impulse, turns[START]) / max(size, 1e-300)
    if step > reach:
        for n in range(m):
            dry.impulse[n] = turns[START, n] + reach / step * (dry.impulse[n] - turns[START, n])
    turns[STEP, 0] = min(step, reach)
    return known, min(size, least), FARTHER * reach


@helper
def _distance(dry, a, b):
    square = 0.0
    for n in range(a.shape[0]):
        square += (dry.turns[WEIGHT, n] * (a[n] - b[n])) ** 2
    return square**0.5


@part
def take_best(dry):
    """dry.impulse: those that the best turn began with."""
    for n in range(dry.impulse.shape[0]):
        dry.impulse[n] = dry.turns[BEST, n]


@part
def _keep_bounds(dry):
    """Friction stays within its bounds of this turn, and stops push as they did in it."""
    n = 0
    for s in range(dry.count):
        square, bound = 0.0, dry.step[0] * dry.bound[s]
        for k in range(dry.size[s]):
            if dry.kind[s] == STOP and dry.turns[HOLD, n] == 0.0 and dry.impulse[n] * dry.turns[LAST_G, n] <= 0.0:
                dry.impulse[n + k] = 0.0
            square += (dry.impulse[n + k] / dry.scales[s, k]) ** 2 if dry.scales[s, k] > 0.0 else 0.0
        free = dry.turns[HOLD, n] == 0.0
        if dry.kind[s] == COULOMB and free and square > bound * bound:
            for k in range(dry.size[s]):
                dry.impulse[n + k] *= bound / square**0.5
        n += dry.size[s]


@part
def _keep_difference(dry, known):
    """The newest differences stand first."""
    turns = dry.turns
    for n in range(dry.impulse.shape[0]):
        for j in range(min(known, DEPTH - 1), 0, -1):
            turns[j, n], turns[DEPTH + j, n] = turns[j - 1, n], turns[DEPTH + j - 1, n]
        turns[0, n] = turns[WEIGHT, n] * (dry.impulse[n] - turns[START, n]) - turns[LAST_F, n]
        turns[DEPTH, n] = dry.impulse[n] - turns[LAST_G, n]


@part
def _extrapolate(dry, known):
    """(1) by Gram and Schmidt's method, from the newest difference on; those that say nothing new are left out."""
    turns, m = dry.turns, dry.impulse.shape[0]
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
            dry.impulse[n] -= c * G[i, n]
