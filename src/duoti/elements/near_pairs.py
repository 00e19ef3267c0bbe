"""Which of many elements between two shapes can act now: a list of near pairs that stays valid while little moves.

The list holds all pairs of a group that were nearer to each other than a margin when it was made, in their order. It is
made anew once a shape has moved by more than half the margin since, so that no pair that touches is ever missing: what
elements do is a function of the state alone, whatever list is at hand. Shapes are held by balls about their origins. Of
a half-space (an endless reach) the distance is exact; where it turns, it moves by as much as at the farthest ball.

The numbers stand in a block of the model (`Compiler.block`), the list in its scratch, a part of Work.stack:

    integers   scratch, numbers, shapes S, pairs P, markers [S], shapes of the pairs [P, 2]
    numbers    margin, then origin, axis and reach of each shape in the frame of its marker [S, 7]
    scratch    1 if there is a list, its length, how many were made, shapes then and now [S, 7] each, the list [P]

Shapes in the scratch: origin, and of half-spaces the axis and the distance of the farthest other shape.
"""

from __future__ import annotations

from duoti.kernel import helper, part
from duoti.spatial.algebra import add, compose, dot, get_pose, mul, sub
from duoti.system.stages import need_poses

HEAD, OF_SHAPE = 4, 7  # integers before the markers, numbers of a shape
LISTED, LENGTH, RENEWALS, THEN, PLACE = 0, 1, 2, 3, 7  # in the scratch; numbers of a shape there
ENDLESS = 1e29  # `model.pairs.base`
SURELY = 1e-6  # part of the margin that shapes must be apart to be left out: more than round-off


def scratch_size(shapes: int, pairs: int) -> int:
    """Room for a list."""
    return THEN + 2 * PLACE * shapes + pairs


@helper
def _triple(x, k):
    """Three real numbers."""
    return x[k].real, x[k + 1].real, x[k + 2].real


@helper
def block_of(loads, place):
    """Where the integers of a block begin."""
    laws = loads.laws
    return laws.law_code[laws.law_code.shape[0] - 1] + place


@part
def near_count(loads, w, first, last, place):
    """How many of the elements first..last - 1 are in the list, which is brought up to date; -1 if there is none.

    Needs world_poses.
    """
    need_poses(w)
    code, base, stack, constants = loads.laws.code, block_of(loads, place), w.stack, loads.laws.constants
    begin, numbers, shapes, pairs = code[base], code[base + 1], code[base + 2], code[base + 3]
    if last - first != pairs:  # single elements: what they write, the list would not know
        stack[begin + LISTED] = 0.0
        return -1
    half = 0.5 * constants[numbers].real
    fresh = stack[begin + LISTED].real == 1.0
    for s in range(shapes):
        m, n, then = code[base + HEAD + s], numbers + 1 + OF_SHAPE * s, begin + THEN + PLACE * s
        now = then + PLACE * shapes
        X_WM = compose(get_pose(w.X_WB, loads.markers.body[m]), get_pose(loads.markers.X_BM, m))
        p = add(X_WM[1], mul(X_WM[0], _triple(constants, n)))
        stack[now], stack[now + 1], stack[now + 2] = p
        d = sub(p, _triple(stack, then))
        if constants[n + 6].real < ENDLESS:
            fresh = fresh and dot(d, d) <= half * half
            continue
        axis = mul(X_WM[0], _triple(constants, n + 3))
        stack[now + 3], stack[now + 4], stack[now + 5], stack[now + 6] = axis[0], axis[1], axis[2], 0.0
        turn = sub(axis, _triple(stack, then + 3))
        farthest = stack[then + 6].real + 2.0 * half
        fresh = fresh and dot(d, d) ** 0.5 + farthest * dot(turn, turn) ** 0.5 <= half
    if not fresh:
        _renew(loads, w, first, base)
    return int(stack[begin + LENGTH].real)


@helper
def _apart(loads, w, base, k):
    """A distance that the shapes of pair k are apart at least; notes how far from a half-space the other one is."""
    code, stack, constants = loads.laws.code, w.stack, loads.laws.constants
    begin, numbers, shapes = code[base], code[base + 1], code[base + 2]
    a, b = code[base + HEAD + shapes + 2 * k], code[base + HEAD + shapes + 2 * k + 1]
    now = begin + THEN + PLACE * shapes
    d = sub(_triple(stack, now + PLACE * b), _triple(stack, now + PLACE * a))
    reach_a = constants[numbers + 1 + OF_SHAPE * a + 6].real
    reach_b = constants[numbers + 1 + OF_SHAPE * b + 6].real
    if reach_a >= ENDLESS:
        stack[now + PLACE * a + 6] = max(stack[now + PLACE * a + 6].real, dot(d, d) ** 0.5)
        return dot(_triple(stack, now + PLACE * a + 3), d) - reach_b
    return dot(d, d) ** 0.5 - reach_a - reach_b


@part
def _renew(loads, w, first, base):
    """The list of the state now; what is not in it has no power."""
    code, stack = loads.laws.code, w.stack
    begin, numbers, shapes, pairs = code[base], code[base + 1], code[base + 2], code[base + 3]
    margin, n = loads.laws.constants[numbers].real, 0
    there = begin + THEN + 2 * PLACE * shapes
    for k in range(pairs):
        if not _apart(loads, w, base, k) > margin:
            stack[there + n] = 1.0 * k
            n += 1
        w.force_powers[first + k, 0] = w.force_powers[first + k, 1] = w.force_powers[first + k, 2] = 0.0
    for i in range(begin + THEN, begin + THEN + PLACE * shapes):
        stack[i] = stack[i + PLACE * shapes]
    stack[begin + LISTED], stack[begin + LENGTH] = 1.0, 1.0 * n
    stack[begin + RENEWALS] = stack[begin + RENEWALS] + 1.0


@helper
def near_pair(loads, w, place, i):
    """The i-th pair of the list: its number in the group if its shapes may touch, else minus that number, less one."""
    code, base = loads.laws.code, block_of(loads, place)
    begin, shapes = code[base], code[base + 2]
    k = int(w.stack[begin + THEN + 2 * PLACE * shapes + i].real)
    margin = loads.laws.constants[code[base + 1]].real
    return -1 - k if _apart(loads, w, base, k) > SURELY * margin else k
