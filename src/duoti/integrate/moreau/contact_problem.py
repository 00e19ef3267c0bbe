"""The contact problem of a step of Moreau and Jean's method, in the general way: its rows, and its solution.

Called through `moreau.general_problem`; what needs less is in `moreau.branch_problem`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.contact.collide.arrays import Contacts
from duoti.contact.collide.geometry import angular_rows, row_lengths, slot_rows
from duoti.contact.collide.pair_list import UNKNOWN, PairList
from duoti.contact.event_driven.contact_states import OPEN, SLIDE
from duoti.contact.event_driven.records import IMPACT_COLUMNS
from duoti.contact.solve.block_matrix import (
    SMALL,
    arrange,
    list_members,
    take_everything,
    take_island,
    tree_masses,
    tree_size,
)
from duoti.contact.solve.interior import interior
from duoti.contact.solve.islands import island_of, root_of
from duoti.contact.solve.problem import (
    CONE,
    DISC,
    block_matrix,
    block_times,
    block_velocity,
    keep_impulses,
    no_impulses,
    put_place,
    sweeps,
    take_kept,
    times_row,
)
from duoti.contact.solve.sparse_newton import (
    FULL,
    INFINITE,
    PATIENT,
    SOFTEST,
    STIFF,
    block_size,
    newton,
    residual_of,
    residual_of_block,
    set_impulses,
)
from duoti.dynamics.loops.constrained import solve_closures
from duoti.dynamics.loops.factors import eliminate
from duoti.integrate.moreau.moving_points import share_to_come
from duoti.integrate.moreau.point_identity import PointScratch, new_point_scratch
from duoti.kernel import helper, part, record_dtype
from duoti.spatial.algebra import dot, get3
from duoti.system.arrays import Tree

CLOSURE_TOLERANCE = 1e-12
FEW_SWEEPS, MANY_SWEEPS = 25, 30
STAGES = 4  # of Newton's method in the cascade, see `stage_of_newton`
KEPT, FIRST_NEWTON, COLD, SWEPT, INTERIOR, LAST_NEWTON, UNSOLVED = 0, 1, 4, 5, 6, 7, 8  # what solved an island
QUICK, MOST_NEWTON, MORE_NEWTON, MOST_AT_LAST = np.int64(12), np.int64(25), np.int64(60), np.int64(150)  # iterations
SOFT = 1e4  # r times W to begin with, where a large one does not converge
LAST_ITERATION = 20  # sweeps double from turn to turn; where nothing moves any more they end at once
LAST_INSIDE = 5  # turns in which the interior-point method is tried: every other one
MOST_MINIMUM_NORM = 64  # points up to which solutions are looked for first that treat all points alike
MOST_PRODUCTS = 300_000_000  # of a factorisation, a fifth of a second; beyond that there are only sweeps
ROUND_OFF = 1e-6  # of the rates themselves: the same, since a tolerance of 1e-8 of less would be that of round-off
LEAST_FRACTION = 1e-3  # of the changes of rates in a step: what velocities in contacts are measured by at least
NEARLY = 0.1  # part of the velocities that contacts deal with: a residual from which Newton's method may start
CLOSED = 1e-10  # m: a gap that is none; round-off decides about smaller ones, and with them which points bear a load
WELL = 0.05  # part of the tolerance that Newton's method goes on to
JOINTS_WELL = 1e-4  # the same with joints: what is left of the direction of friction is the same from step to step
SMALLEST = 1e-200  # [m/s]: velocities that are none
MATTERS = 1e-4  # part of the velocities that contacts deal with: a larger error is another motion
SLOW_NEW_CONTACT = 1e-3  # of the change of velocity by forces in a step: slower slip of a new contact counts as none
STICKS = 1e-4  # part of the velocities that contacts deal with in a step: slower slip counts as none
IMPACTS_KEPT, STEPS_AT_ONCE = 100_000, 200  # room for the impacts of some steps
MOST_ITERATIONS = 8  # solutions of a step in which points with static friction begin to slide

METHOD = record_dtype(
    "MoreauMethod",
    tolerance=float,
    most_sweeps=int,
    h=float,  # the step [s]
    theta=float,  # part of the velocities at its end in those of creep forces; 0: none yet
    change=float,  # of velocities in contacts, by the last turn of `moreau.creep` [m/s]
    size=float,  # of these velocities
    lost=float,  # energy that creep took in the last step [J]
    impacts=int,  # that stand in `MoreauMemory.impacts`
    last=float,  # the step before [s]
    corrected=int,  # 1 if positions were corrected by more than they moved
    measure=float,  # what velocities in contacts are measured by in this step [m/s]
)


class MoreauMemory(NamedTuple):
    """What the method remembers from step to step, and its scratch."""

    method: Any  # [1] of type METHOD
    impulse: Any  # [slots, 3] of the last step in which the point was near, world axes
    state: Any  # [slots] OPEN, STICK or SLIDE
    seen: Any  # [slots, 9] velocities after that step, along its n, t1, t2, its point and its normal
    step: Any  # [slots] number of that step
    lost: Any  # [elements] energy lost so far [J]
    zdot: Any  # [nz] rates of first-order states in the last step
    dv: Any  # [nv] v' - v without contacts
    M: Any  # packed mass matrix, of systems with closed loops
    impacts: Any  # [..., IMPACT_COLUMNS] as `contact.event_driven.records.impact_rows`
    general: Any  # [3] address of `moreau.general_problem`, its task, 1 if it is needed and not there
    detection: Any  # [1] address of the context of `moreau.substeps`; zero: no bodies that could pass each other
    implicit: Any  # [1] address of the entry of `moreau.implicit_forces`; zero: forces are explicit
    creep: Any  # [4] addresses of entries and context of `moreau.creep`; zeros: none
    crept: Any  # [nv] change of v by creep
    before: Any  # [nv] v, for creep
    after: Any  # [nv] v', for creep
    place: Any  # [slots, 6] where its point was on both shapes, in their frames
    scratch: PointScratch
    prior: Any  # [slots, 26] what was known of the near points before the step (`moreau.point_identity.keep_points`)
    prior_slot: Any  # [slots] their slots
    prior_count: Any  # [2] how many, and renewals of the list of near pairs at that time
    beside: Any  # [slots, 6] impulses of force by creep, of torque by resistance in the last step, on b, world axes
    worst: Any  # [3, 3] the largest residuals of the run, when, of which element (`contact.solve.residuals`)


def new_moreau_memory(contacts: Contacts, tree: Tree, elements: int, near: PairList | None = None) -> MoreauMemory:
    """Zeros; near: the list of near pairs that what is known about slots goes with."""
    s = contacts.slots
    of_slots = (np.zeros((s, 3)), np.zeros(s, np.int64), np.zeros((s, 9)), np.full(s, UNKNOWN, np.int64))
    beside, place = np.zeros((s, 6)), np.zeros((s, 6))
    if near is not None:
        of_slots = (near.impulse, near.state, near.seen, near.step)
        beside, place = near.beside, near.place
    return MoreauMemory(
        np.zeros(1, METHOD), *of_slots,
        np.zeros(elements),
        np.zeros(tree.nz), np.zeros(tree.nv), np.zeros(tree.nv + int(np.sum(tree.depth))),
        np.zeros((min(max(IMPACTS_KEPT, s), STEPS_AT_ONCE * s), IMPACT_COLUMNS)),
        np.zeros(3, np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(4, np.int64),
        np.zeros(tree.nv), np.zeros(tree.nv), np.zeros(tree.nv), place,
        new_point_scratch(contacts.most),
        np.zeros((s, 26)), np.zeros(s, np.int64), np.zeros(2, np.int64), beside, np.zeros((3, 3)),
    )  # fmt: skip


@part
def solve_row(tree, closures, contacts, w, problem, row, c):
    """A row of Y from that of G, through the factor of the mass matrix, then with the equations of closed loops."""
    x, place = problem.x, problem.place[c]
    for side in range(2):
        for k in range(place[2 * side + 1]):
            x[contacts.tree_dofs[place[2 * side] + k]] = problem.G[row, k if side == 0 else place[1] + k]
        first, n = (place[6], place[7]) if side == 0 else (place[2], place[3])
        for k in range(first + n - 1, first - 1, -1):
            if x[contacts.tree_dofs[k]] != 0.0:  # other limbs
                eliminate(tree, w.M, x, contacts.tree_dofs[k])
        for k in range(first, first + n):
            i = contacts.tree_dofs[k]
            s, at, j = x[i], tree.M_row[i], tree.parent_dof[i]
            while j >= 0:
                s -= w.M[at + tree.depth[j]] * x[j]
                j = tree.parent_dof[j]
            x[i] = s * w.M[at + tree.depth[i]]
    if closures.rows > 0:
        for r in range(closures.rows):
            s = 0.0
            for k in range(closures.support[r], closures.support[r + 1]):
                s -= w.G[k] * x[closures.support_dofs[k]]
            w.rhs[r] = s
        solve_closures(tree, closures, w, w.rhs, w.a_free, CLOSURE_TOLERANCE)
        for i in range(tree.nv):
            x[i] += w.a_free[i]
    for side in range(2):
        first, n, begin = (place[6], place[7], 0) if side == 0 else (place[2], place[3], place[7])
        for k in range(n):
            problem.Y[row, begin + k] = x[contacts.tree_dofs[first + k]]
    for i in range(tree.nv if closures.rows > 0 else 0):
        x[i] = 0.0
    for side in range(2):
        first, n = (place[6], place[7]) if side == 0 else (place[2], place[3])
        for k in range(first, first + n):
            x[contacts.tree_dofs[k]] = 0.0


@part
def _times_inverse(problem, row, begin, count, to, n, A, at):
    """n columns of a row of Y: `count` columns of G times as many rows of the inverse mass matrix of the tree."""
    G, Y = problem.G, problem.Y
    if n == 6 and count == 6:  # of a free body: in registers
        x0, x1, x2, x3, x4, x5 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(6):
            f, r = G[row, begin + k], at + 6 * k
            x0, x1, x2 = x0 + f * A[r], x1 + f * A[r + 1], x2 + f * A[r + 2]
            x3, x4, x5 = x3 + f * A[r + 3], x4 + f * A[r + 4], x5 + f * A[r + 5]
        Y[row, to], Y[row, to + 1], Y[row, to + 2] = x0, x1, x2
        Y[row, to + 3], Y[row, to + 4], Y[row, to + 5] = x3, x4, x5
        return
    for j in range(n):
        Y[row, to + j] = 0.0
    for k in range(count):
        f, r = G[row, begin + k], at + k * n
        if f != 0.0:  # zero: of another limb
            for j in range(n):
                Y[row, to + j] += f * A[r + j]


@part
def _response(tree, closures, contacts, w, problem, memory, matrix, c):
    """Rows of Y of block c, and its W."""
    place = problem.place[c]
    n_a, n_b = place[7], place[3]
    easy = closures.rows == 0 and n_a <= SMALL and n_b <= SMALL and matrix.mass.shape[0] > 0
    easy = easy or memory.implicit[0] != 0
    for row in range(3 * c, 3 * c + problem.size[c]):
        if easy:
            if n_a > 0:
                at = matrix.diagonal[place[4]] + (place[0] - place[6]) * n_a
                _times_inverse(problem, row, 0, place[1], 0, n_a, matrix.inverse, at)
            if n_b > 0:
                _times_inverse(problem, row, place[1], n_b, n_a, n_b, matrix.inverse, matrix.diagonal[place[5]])
        else:
            solve_row(tree, closures, contacts, w, problem, row, c)
    for row in range(3 * c + problem.size[c], 3 * c + 3):
        for k in range(n_a + n_b):
            problem.Y[row, k] = 0.0
    block_matrix(problem, c)


@part
def mass_again(tree, w, M):
    """The mass matrix where w.M holds its factor: M = L^T L, with the inverse diagonal of L in its place."""
    for i in range(M.shape[0]):
        M[i] = 0.0
    for k in range(tree.nv):
        row, i = tree.M_row[k], k
        while i >= 0:
            x = 1.0 / w.M[row + tree.depth[k]] if i == k else w.M[row + tree.depth[i]]
            j = i
            while j >= 0:
                y = 1.0 / w.M[row + tree.depth[k]] if j == k else w.M[row + tree.depth[j]]
                M[tree.M_row[i] + tree.depth[j]] += x * y
                j = tree.parent_dof[j]
            i = tree.parent_dof[i]


@helper
def begin_block(contacts, cw, problem, memory, n, s, step):
    """Slot, gap, friction and rows of block n, the point of slot s."""
    pair = contacts.slot_pair[s]
    problem.slot[n], problem.gap[n], problem.law[n], problem.owner[n] = s, cw.gap[s], CONE, -1
    state = memory.state[s] if memory.step[s] == step - 1 else OPEN
    static = contacts.static_friction[pair]
    problem.mu[n] = contacts.friction[pair] if state == SLIDE else static
    problem.size[n] = 3 if static > 0.0 else 1


@helper
def fill_block(contacts, cw, problem, memory, n, h, step, u, change):
    """u, b and the impulse of the last step; False if the point is left alone. change: of u_n without contacts."""
    _, n_a, _, n_b = row_lengths(contacts, problem.slot[n])
    if n_a + n_b == 0:
        return False  # neither side can move
    s, gap = problem.slot[n], problem.gap[n]
    problem.u[n, 0], problem.u[n, 1], problem.u[n, 2] = u
    problem.b[n, 0] = problem.b[n, 1] = problem.b[n, 2] = 0.0
    is_new = memory.step[s] != step - 1 or memory.state[s] == OPEN
    # a new contact that slips has not been at rest
    if is_new and u[1] * u[1] + u[2] * u[2] > (SLOW_NEW_CONTACT * change) ** 2:
        problem.mu[n] = contacts.friction[contacts.slot_pair[s]]
    e, known = contacts.restitution[contacts.slot_pair[s]], memory.step[s] == step - 1
    share = share_to_come(contacts, cw, memory, s, h) if known else 0.0
    moved = share * (u[0] - memory.seen[s, 0])
    if gap <= CLOSED:
        if u[0] - moved < 0.0:
            problem.b[n, 0] = e * (u[0] - moved)
    else:
        if e > 0.0 and u[0] < -2.0 * abs(change):
            return False  # it comes fast enough to bounce: it will meet in the next step
        problem.b[n, 0] = (gap - CLOSED) / h  # the next step finds the points touching, and b does not jump there
    problem.b[n, 0] += moved
    problem.gap[n] += 0.5 * h * moved
    last = get3(memory.impulse, s, 0)
    for k in range(3):
        if k > 0 and k < problem.size[n]:
            problem.b[n, k] = share * (u[k] - memory.seen[s, k])
        problem.p[n, k] = 0.0
        if known and k < problem.size[n]:
            problem.p[n, k] = dot(get3(cw.frame, s, 3 * k), last)
    return True


@part
def general_rows(tree, closures, contacts, cw, w, problem, memory, matrix, v, h, step):
    """The blocks of the points that are near: rows, velocities before the step, impulses of the last one."""
    n = 0
    for i in range(cw.counts[0].near):
        s = cw.near[i]
        begin_block(contacts, cw, problem, memory, n, s, step)
        put_place(contacts, problem, n, s)
        slot_rows(tree, contacts, cw, w, s, problem.G, 3 * n)
        u, change = block_times(contacts, problem, n, v), times_row(contacts, problem, n, 0, memory.dv)
        if fill_block(contacts, cw, problem, memory, n, h, step, u, change):
            _response(tree, closures, contacts, w, problem, memory, matrix, n)
            n += 1
    problem.counts[0].blocks = problem.counts[0].points = n
    for c in range(n):
        for which in range(2):
            if begin_resistance(contacts, cw, problem, memory, c, which, step):
                b = problem.counts[0].blocks
                resistance_rows(tree, closures, contacts, cw, w, problem, memory, matrix, b)
                u = block_times(contacts, problem, b, v)
                problem.u[b, 0], problem.u[b, 1], problem.u[b, 2] = u
                problem.counts[0].blocks = b + (1 if block_size(problem, b) > 0.0 else 0)  # none if it cannot turn


@part
def begin_resistance(contacts, cw, problem, memory, owner, which, step):
    """Law and impulses of the next block, resistance of a point against turning (which = 0) or rolling (1).

    False if it has none.
    """
    c, s = problem.counts[0].blocks, problem.slot[owner]
    pair = contacts.slot_pair[s]
    arm = contacts.torsion[pair] if which == 0 else contacts.rolling[pair]
    if arm <= 0.0:
        return False
    problem.law[c], problem.slot[c], problem.size[c] = DISC, s, 1 if which == 0 else 3
    problem.owner[c], problem.arm[c], problem.mu[c], problem.gap[c] = owner, arm, 0.0, 0.0
    known = memory.step[s] == step - 1
    for k in range(3):
        problem.b[c, k], problem.p[c, k] = 0.0, 0.0
        if known and (k == 0) == (which == 0):
            problem.p[c, k] = dot(get3(cw.frame, s, 3 * k), get3(memory.beside, s, 3))
    return True


@part
def resistance_rows(tree, closures, contacts, cw, w, problem, memory, matrix, c):
    """Rows and responses of block c, resistance of a point."""
    put_place(contacts, problem, c, problem.slot[c])
    angular_rows(tree, contacts, cw, w, problem.slot[c], problem.G, 3 * c)
    for k in range(problem.place[c, 1] + problem.place[c, 3]):
        if problem.size[c] == 3:
            problem.G[3 * c, k] = 0.0
        else:
            problem.G[3 * c + 1, k] = problem.G[3 * c + 2, k] = 0.0
    _response(tree, closures, contacts, w, problem, memory, matrix, c)


@part
def joint_rows(tree, closures, contacts, w, problem, memory, matrix, c):
    """Rows and responses of block c, a joint."""
    t, n = matrix.dof_tree[problem.rate[c]], 1
    first, place, G = contacts.tree_first[t], problem.place[c], problem.G
    for row in range(3):
        for k in range(3):
            G[3 * c + row, k] = 0.0
        if problem.scale[c, row] != 0.0:
            G[3 * c + row, row], n = problem.scale[c, row], row + 1
    place[0], place[1], place[2], place[3] = first + contacts.dof_place[problem.rate[c]], n, 0, 0
    place[4], place[5], place[6], place[7] = t, 0, first, tree_size(contacts, t)
    _response(tree, closures, contacts, w, problem, memory, matrix, c)


@part
def leave_paths(tree, closures, contacts, cw, w, problem, memory, matrix, v):
    """Rows and responses of all rates for the blocks that there are, which were solved for along paths so far."""
    mass_again(tree, w, memory.M)
    tree_masses(tree, contacts, memory.M, matrix)
    for c in range(problem.counts[0].points):
        put_place(contacts, problem, c, problem.slot[c])
        slot_rows(tree, contacts, cw, w, problem.slot[c], problem.G, 3 * c)
        _response(tree, closures, contacts, w, problem, memory, matrix, c)
    for c in range(problem.counts[0].points, problem.counts[0].blocks):
        if problem.owner[c] >= 0:
            resistance_rows(tree, closures, contacts, cw, w, problem, memory, matrix, c)
        else:
            joint_rows(tree, closures, contacts, w, problem, memory, matrix, c)
    take_everything(problem, matrix, problem.counts[0].blocks)
    set_impulses(contacts, problem, matrix, v, memory.dv)


@part
def may_be_uneven(contacts, problem, matrix):
    """True if impulses may not be unique: three points of one pair, or more rows than rates; and few points."""
    rows, run, last, rates = 0, 0, -1, problem.v.shape[0]
    if problem.counts[0].end - problem.counts[0].begin > MOST_MINIMUM_NORM:
        return False
    if matrix.counts[0].whole == 0:
        rates = 0
        for k in range(matrix.counts[0].begin, matrix.counts[0].end):
            rates += tree_size(contacts, matrix.order[k])
    for k in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[k]
        if c >= problem.counts[0].points:
            break
        pair = contacts.slot_pair[problem.slot[c]]
        run, last, rows = run + 1 if pair == last else 1, pair, rows + problem.size[c]
        if run == 3:
            return True
    return rows > rates


@helper
def well(problem):
    """Part of the tolerance that is wanted."""
    return WELL if problem.counts[0].blocks == problem.counts[0].points else JOINTS_WELL


@helper
def begin_cascade(contacts, problem, matrix, left, size):
    """Whether the impulses of the last step are of no use: worse than none, or of many solutions an uneven one."""
    return left > size or (left > NEARLY * size and may_be_uneven(contacts, problem, matrix))


@helper
def stage_of_newton(stage):
    """Iterations, r times W to begin with, and 1 if impulses begin with none, of the first stages of the cascade."""
    if stage == 0:
        return QUICK, STIFF, 0
    if stage == 1:
        return MOST_NEWTON, SOFT, 0
    return MORE_NEWTON, SOFTEST, 0 if stage == 2 else 1


@helper
def count_stage(counts, stage):
    """A step was solved by a stage of the cascade, in which the hardest of its islands was."""
    counts.kept += 1 if stage == KEPT else 0
    counts.newton += 1 if stage == FIRST_NEWTON else 0
    counts.continued += 1 if FIRST_NEWTON < stage < COLD or stage == LAST_NEWTON else 0
    counts.cold += 1 if stage == COLD else 0
    counts.swept += 1 if stage == SWEPT else 0
    counts.interior += 1 if stage == INTERIOR else 0


@part
def _find_unsolved(contacts, problem, matrix, wanted, tolerance):
    """matrix.need: islands that the impulses of the last step are not right for; the largest residual of the others.

    Impulses that were solved for also stop what velocity was left, and would push it back in the next step: they have
    to be better than those that were kept before.
    """
    group, left, need, solved = matrix.group, matrix.left, matrix.need, problem.solved
    for t in range(left.shape[0]):
        left[t], need[t] = 0.0, 0
    for t in range(left.shape[0]):
        if solved[t] == 1:
            need[root_of(group, t)] = 1
    for c in range(problem.counts[0].blocks):
        here = residual_of_block(problem, c, block_velocity(contacts, problem, c, problem.v), 0)
        t = island_of(problem, matrix, c)
        left[t] = max(left[t], problem.weight[c] * here) if here < INFINITE else INFINITE
    unsolved, worst, points_alone = 0, 0.0, problem.counts[0].blocks == problem.counts[0].points
    for t in range(left.shape[0]):
        solved[t] = 0
        if group[t] != t:
            continue
        enough = tolerance if need[t] == 0 and points_alone else wanted
        need[t] = 0 if left[t] <= enough else 1
        unsolved += need[t]
        worst = worst if need[t] == 1 else max(worst, left[t])
    return unsolved, worst


@part
def by_iterations(closures, contacts, w, problem, memory, matrix, v, size, tolerance):
    """Islands for which the impulses of the last step are not right are solved, each by itself; the residual [m/s]."""
    counts, stage = problem.counts[0], KEPT
    take_everything(problem, matrix, counts.blocks)
    wanted = well(problem) * tolerance  # so that the next steps may find nothing to do
    unsolved, worst = _find_unsolved(contacts, problem, matrix, wanted, tolerance)
    if unsolved == 0:
        count_stage(counts, KEPT)
        return worst
    if arrange(contacts, problem, matrix) < 0:  # there is no room: all at once, by sweeps
        take_everything(problem, matrix, counts.blocks)
        worst = _cascade(closures, contacts, w, problem, memory, matrix, v, size, wanted, tolerance, False)
        count_stage(counts, counts.stage)
        return worst
    list_members(problem, matrix)
    for i in range(matrix.counts[0].islands):
        any_tree = matrix.order[matrix.island_first[i]]
        if matrix.need[root_of(matrix.group, any_tree)] == 0:
            continue
        take_island(problem, matrix, i)
        sparse = matrix.products[i] <= MOST_PRODUCTS
        left = _cascade(closures, contacts, w, problem, memory, matrix, v, size, wanted, tolerance, sparse)
        for k in range(matrix.counts[0].begin, matrix.counts[0].end):
            problem.solved[matrix.order[k]] = 1 if left <= wanted else 0
        worst, stage = max(worst, left), max(stage, counts.stage)
    count_stage(counts, stage)
    return worst


@part
def _cascade(closures, contacts, w, problem, memory, matrix, v, size, wanted, tolerance, sparse):
    """Newton's method from the impulses of the last step with a large r, with r from smaller values on, from no
    impulses; then sweeps and an interior-point method, each with Newton's method after it. The last ones as far as the
    matrix is not too large. Returns the residual [m/s].
    """
    counts, most, dv, full = problem.counts[0], memory.method[0].most_sweeps, memory.dv, np.int64(FULL)
    counts.stage = UNSOLVED
    left = residual_of(contacts, problem, np.int64(0))
    if begin_cascade(contacts, problem, matrix, left, size):
        no_impulses(problem)
        set_impulses(contacts, problem, matrix, v, dv)
    keep_impulses(problem)
    for stage in range(STAGES if sparse else 0):
        iterations, stiff, from_none = stage_of_newton(stage)
        if stage > 0:
            take_kept(problem)
        if from_none == 1:
            no_impulses(problem)
        set_impulses(contacts, problem, matrix, v, dv)
        left = newton(closures, contacts, w, problem, matrix, v, dv, wanted, tolerance, iterations, full, stiff)
        if left <= tolerance:
            counts.stage = FIRST_NEWTON + stage
            return left
    done, few = 0, FEW_SWEEPS if sparse else MANY_SWEEPS
    for turn in range(LAST_ITERATION):
        if done >= most:
            break
        left = sweeps(contacts, problem, wanted, few)
        left = max(left, residual_of(contacts, problem, np.int64(0)))
        done += counts.sweeps
        counts.all_sweeps += counts.sweeps
        if left > tolerance and sparse:
            left = newton(closures, contacts, w, problem, matrix, v, dv, wanted, tolerance, MOST_NEWTON, full, SOFT)
        if left <= tolerance:
            counts.stage = SWEPT
            break
        if sparse and turn < LAST_INSIDE and turn % 2 == 0:
            inside = 0.1 if turn == 0 else 1.0 if turn == 2 else 0.01
            if turn == 2:  # from elsewhere
                no_impulses(problem)
                set_impulses(contacts, problem, matrix, v, dv)
            measure = problem.measure[problem.member[counts.begin]]
            left = interior(closures, contacts, w, problem, matrix, v, dv, wanted, tolerance, measure, inside)
            if left > tolerance:
                left = newton(closures, contacts, w, problem, matrix, v, dv, wanted, tolerance, MOST_NEWTON, full, SOFT)
            if left <= tolerance:
                counts.stage = INTERIOR
                break
        if sparse and turn < LAST_INSIDE:
            take_kept(problem)
            if turn % 2 == 1:
                no_impulses(problem)
            set_impulses(contacts, problem, matrix, v, dv)
            left = newton(closures, contacts, w, problem, matrix, v, dv, wanted, tolerance, MOST_AT_LAST, full, PATIENT)
            if left <= tolerance:
                counts.stage = LAST_NEWTON
                break
        few *= 2
    return left


@helper
def slides(problem, c):
    """True if the points of a block move along each other, beyond what the tolerance explains."""
    t1, t2 = problem.after[c, 1] + problem.b[c, 1], problem.after[c, 2] + problem.b[c, 2]
    return (t1 * t1 + t2 * t2) ** 0.5 > STICKS * problem.measure[c]
