"""Which of many elements between two shapes can act now: a list of near pairs that stays valid while little moves.

The list holds all pairs of a group that were nearer to each other than a margin when it was made, in their order. It is
made anew once a shape has moved by more than half the margin since, so that no pair that touches is ever missing: what
elements do is a function of the state alone, whatever list is at hand. Shapes are held by balls about their origins. Of
a half-space (an endless reach) the distance is exact; where it turns, it moves by as much as at the farthest ball.

What is known of a group is its block (`model.force_blocks`):

    integers   header, shapes S, pairs P, markers [S], shapes of the pairs [P, 2]
    numbers    margin, then origin, axis and reach of each shape in the frame of its marker [S, 7]
    lists      1 if there is a list, its length, how often one was made, the list [P]
    scratch    shapes when the list was made and now [S, 7] each: origin, and of half-spaces the axis and the distance
               of the farthest other shape
"""

from __future__ import annotations

from duoti.kernel import helper, part
from duoti.model.force_blocks import BLOCK_HEADER, LISTS, NUMBERS, SCRATCH
from duoti.spatial.algebra import add, compose, dot, get_pose, mul, sub
from duoti.system.stages import need_poses

SHAPES, PAIRS, MARKERS = range(len(BLOCK_HEADER), len(BLOCK_HEADER) + 3)  # integers; from MARKERS on, the lists
OF_SHAPE = 7  # numbers of a shape
LISTED, LENGTH, RENEWALS, NEAR = range(4)  # in the lists; from NEAR on, the pairs
PLACE = 7  # numbers of a shape in the scratch
ENDLESS = 1e29  # `model.pairs.base`
SURELY = 1e-6  # part of the margin that shapes must be apart to be left out: more than round-off


def scratch_size(shapes: int) -> int:
    """How many numbers are written for so many shapes."""
    return 2 * PLACE * shapes


def lists_size(pairs: int) -> int:
    """How many integers are written for so many pairs."""
    return NEAR + pairs


@helper
def _triple(x, k):
    """Three real numbers."""
    return x[k].real, x[k + 1].real, x[k + 2].real


@part
def near_count(loads, w, first, last, p):
    """How many of the elements first..last - 1 are in the list, which is brought up to date; -1 if there is none.

    p: where their block begins. Needs world_poses.
    """
    need_poses(w)
    ints, reals, x = loads.forces.block_integers, loads.forces.block_reals, w.block_scratch
    begin, numbers, shapes, own = ints[p + SCRATCH], ints[p + NUMBERS], ints[p + SHAPES], ints[p + LISTS]
    if last - first != ints[p + PAIRS]:  # single elements: what they write, the list would not know
        w.block_lists[own + LISTED] = 0
        return -1
    half = 0.5 * reals[numbers].real
    fresh = w.block_lists[own + LISTED] == 1
    for s in range(shapes):
        m, n, then = ints[p + MARKERS + s], numbers + 1 + OF_SHAPE * s, begin + PLACE * s
        now = then + PLACE * shapes
        X_WM = compose(get_pose(w.X_WB, loads.markers.body[m]), get_pose(loads.markers.X_BM, m))
        place = add(X_WM[1], mul(X_WM[0], _triple(reals, n)))
        x[now], x[now + 1], x[now + 2] = place
        d = sub(place, _triple(x, then))
        if reals[n + 6].real < ENDLESS:
            fresh = fresh and dot(d, d) <= half * half
            continue
        axis = mul(X_WM[0], _triple(reals, n + 3))
        x[now + 3], x[now + 4], x[now + 5], x[now + 6] = axis[0], axis[1], axis[2], 0.0
        turn = sub(axis, _triple(x, then + 3))
        farthest = x[then + 6].real + 2.0 * half
        fresh = fresh and dot(d, d) ** 0.5 + farthest * dot(turn, turn) ** 0.5 <= half
    if not fresh:
        _renew(loads, w, first, p)
    return w.block_lists[own + LENGTH]


@helper
def _apart(loads, w, p, k):
    """A distance that the shapes of pair k are apart at least; notes how far from a half-space the other one is."""
    ints, reals, x = loads.forces.block_integers, loads.forces.block_reals, w.block_scratch
    numbers, shapes = ints[p + NUMBERS], ints[p + SHAPES]
    a, b = ints[p + MARKERS + shapes + 2 * k], ints[p + MARKERS + shapes + 2 * k + 1]
    now = ints[p + SCRATCH] + PLACE * shapes
    d = sub(_triple(x, now + PLACE * b), _triple(x, now + PLACE * a))
    reach_a = reals[numbers + 1 + OF_SHAPE * a + 6].real
    reach_b = reals[numbers + 1 + OF_SHAPE * b + 6].real
    if reach_a >= ENDLESS:
        x[now + PLACE * a + 6] = max(x[now + PLACE * a + 6].real, dot(d, d) ** 0.5)
        return dot(_triple(x, now + PLACE * a + 3), d) - reach_b
    return dot(d, d) ** 0.5 - reach_a - reach_b


@part
def _renew(loads, w, first, p):
    """The list of the state now; what is not in it has no power."""
    ints, x, lists = loads.forces.block_integers, w.block_scratch, w.block_lists
    begin, shapes, own = ints[p + SCRATCH], ints[p + SHAPES], ints[p + LISTS]
    margin, n = loads.forces.block_reals[ints[p + NUMBERS]].real, 0
    for k in range(ints[p + PAIRS]):
        if not _apart(loads, w, p, k) > margin:
            lists[own + NEAR + n] = k
            n += 1
        w.force_powers[first + k, 0] = w.force_powers[first + k, 1] = w.force_powers[first + k, 2] = 0.0
    for i in range(begin, begin + PLACE * shapes):
        x[i] = x[i + PLACE * shapes]
    lists[own + LISTED], lists[own + LENGTH] = 1, n
    lists[own + RENEWALS] += 1


@helper
def near_pair(loads, w, p, i):
    """The i-th pair of the list: its number in the group if its shapes may touch, else minus that number, less one."""
    ints = loads.forces.block_integers
    k = w.block_lists[ints[p + LISTS] + NEAR + i]
    margin = loads.forces.block_reals[ints[p + NUMBERS]].real
    return -1 - k if _apart(loads, w, p, k) > SURELY * margin else k
