"""Acceleration of turns between contacts and joints, whose plain repetition is slow where both hold the same motion.

A turn maps impulses x in joints to g(x): contacts are solved for with x, then joints with the impulses of contacts.
With f = g - x and the differences F, G of f and g between the last turns, the next x is

    x = g - G c,    c that of the least |f - F c|                                                              (1)

(Anderson 1965; Walker and Ni 2011): exact after as many turns as there are impulses, once nothing changes its mode.
"""

from __future__ import annotations

from duoti.elements.dry_memory import COULOMB, STOP
from duoti.kernel import helper, part

DEPTH = 10  # differences that are kept
# rows of Dry.turns: differences of f and of g, twice (the second time made orthogonal), and the rows named here
START, WEIGHT, LAST_F, LAST_G, BEST_G, JUMP = range(4 * DEPTH, 4 * DEPTH + 6)
ROWS = 4 * DEPTH + 6
DEPENDENT = 1e-10  # square of the part of a difference that the newer ones do not have: less is round-off
GROWN = 4.0  # times the least square of f so far: accelerated turns that went astray


@part
def begin_turns(dry):
    """Weights that give all impulses one unit: |f|² is about the energy that they exchange."""
    n = 0
    for s in range(dry.count):
        for k in range(dry.size[s]):
            dry.turns[WEIGHT, n] = max(dry.response[n, dry.first[s] + k], 0.0) ** 0.5
            n += 1


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

    known: differences that there are, -1 before the first turn; least: |f|² of the best turn; reach: squared length of
    the longest step beyond g, in units of |f|, shorter after one that went astray. Returns all three.
    """
    turns, m = dry.turns, dry.impulse.shape[0]
    square = 0.0
    for n in range(m):
        square += (turns[WEIGHT, n] * (dry.impulse[n] - turns[START, n])) ** 2
    if known > 0 and square > GROWN * least:
        take_best(dry)
        return -1, least, min(reach, turns[JUMP, 0]) / 16.0
    if known >= 0:
        _keep_difference(dry, known)
        known = min(known + 1, DEPTH)
    else:
        known = 0
    better = square < least
    for n in range(m):
        turns[LAST_F, n] = turns[WEIGHT, n] * (dry.impulse[n] - turns[START, n])
        turns[LAST_G, n] = dry.impulse[n]
        if better:
            turns[BEST_G, n] = dry.impulse[n]
    _extrapolate(dry, known)
    _keep_bounds(dry)
    jump = 0.0
    for n in range(m):
        jump += (turns[WEIGHT, n] * (dry.impulse[n] - turns[LAST_G, n])) ** 2
    if jump > reach * square:
        part_of = (reach * square / jump) ** 0.5
        for n in range(m):
            dry.impulse[n] = turns[LAST_G, n] + part_of * (dry.impulse[n] - turns[LAST_G, n])
        jump = reach * square
    turns[JUMP, 0] = jump / max(square, 1e-300)
    return known, min(square, least), 4.0 * reach


@part
def take_best(dry):
    """dry.impulse: those that the best turn ended with."""
    for n in range(dry.impulse.shape[0]):
        dry.impulse[n] = dry.turns[BEST_G, n]


@part
def _keep_bounds(dry):
    """Friction stays within its bounds of this turn, and stops push as they did in it."""
    n = 0
    for s in range(dry.count):
        square, bound = 0.0, dry.step[0] * dry.bound[s]
        for k in range(dry.size[s]):
            if dry.kind[s] == STOP and dry.impulse[n + k] * dry.turns[LAST_G, n + k] <= 0.0:
                dry.impulse[n + k] = 0.0
            square += (dry.impulse[n + k] / dry.scales[s, k]) ** 2 if dry.scales[s, k] > 0.0 else 0.0
        if dry.kind[s] == COULOMB and square > bound * bound:
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
