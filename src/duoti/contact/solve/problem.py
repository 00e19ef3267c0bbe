"""The contact problem of a time step, for many contacts: only what is not zero is stored and worked on.

With the velocities v_f that the step would end with but for contacts, and impulses p in the points that are near,

    v = v_f + A^-1 G^T p,    u = G v,    K ∋ p  ⟂  u + b + mu |u_t| n ∈ K*                                   (1)

where A is the mass matrix, of closed loops with their equations, of stiff forces with their derivatives. A row of G,
and a row of Y = G A^-T, is zero but for the rates of one or two trees (`Contacts.tree_of`). Each block has a law:

    CONE    points of contact with rows (n, t1, t2), or the first one alone without friction; stops of joints are
            of this kind: K is a half-line
    DISC    |p| <= radius, and p = -radius u / |u| where it slides: friction in a joint, one row a rate; and resistance
            against rolling and against turning about the normal, whose rows are angular velocities and whose radius
            is an arm times the normal impulse of a point, their owner (Leine & Glocker 2003)

Points come first, then resistance, then joints.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.contact.collide.arrays import Contacts, resists
from duoti.contact.collide.geometry import row_lengths
from duoti.contact.solve.branch_sparse import BranchRows, along_path, new_paths, path_velocity
from duoti.contact.solve.cones import solve_contact
from duoti.kernel import helper, part, record_dtype
from duoti.system.arrays import Tree

PROBLEM_COUNTS = record_dtype(
    "ProblemCounts",
    blocks=int,  # points of contact, then joints
    points=int,
    begin=int,  # places in `member` of the blocks that are worked on
    end=int,
    stage=int,  # of the cascade, which solved the last island
    joint=int,  # block that the general way is asked to make
    sweeps=int,  # of the last solution
    all_sweeps=int,  # since the beginning
    unsolved=int,  # steps whose solution stayed above the tolerance
    wrong=int,  # steps whose solution stayed so far above it that the motion is another one
    steps=int,
    factors=int,  # Newton iterations since the beginning
    solved=int,  # along paths: 1 if the last step had to be solved; 0: impulses of the step before were still right
    # steps that each stage of the cascade solved: none was needed, Newton's method, the same from a small r, from no
    # impulses, after sweeps, by the interior-point method
    kept=int,
    newton=int,
    continued=int,
    cold=int,
    swept=int,
    interior=int,
    residual=float,  # of the last solution [m/s]
    worst=float,  # the largest of those that were above the tolerance
    worst_fraction=float,  # the same as part of the velocities that contacts deal with
)


CONE, DISC = range(2)  # laws of blocks
PROXIMAL = 1e-9  # part of the largest entry that is added to the tangential diagonal of a block


class Problem(NamedTuple):
    """Arrays for at most `capacity` blocks."""

    counts: Any  # [1] of type PROBLEM_COUNTS
    member: Any  # [capacity] blocks, island after island (`block_matrix.list_members`)
    solved: Any  # [trees] 1 if the island of a tree had to be solved in the last step, as `counts.solved`
    slot: Any  # [capacity] slot of a point; of a joint, that of `JointFrictionData`
    law: Any  # [capacity] CONE or DISC
    rate: Any  # [capacity] of a joint: its first rate ...
    scale: Any  # [capacity, 3] ... and the velocities of its rows for a unit of each rate
    size: Any  # [capacity] rows: 3, or 1 without friction
    place: Any  # [capacity, 8] of a and b: where their rates in G begin in tree_dofs, how many; the two trees;
    # the same as of a in Y, which has all rates of a tree, while a joint has its own in G
    G: Any  # [3 capacity, width]
    Y: Any  # [3 capacity, width]
    W: Any  # [capacity, 3, 3] G A^-1 G^T of the block alone
    b: Any  # [capacity, 3] what restitution and gaps add to u
    p: Any  # [capacity, 3] impulses
    u: Any  # [capacity, 3] velocities before the step, then after it
    smooth: Any  # [capacity, 3] what they change by without contacts
    after: Any  # [capacity, 3] velocities that the impulses lead to
    mu: Any  # [capacity]
    radius: Any  # [capacity] of a DISC
    owner: Any  # [capacity] of resistance: the block of its point; -1: none
    arm: Any  # [capacity] [m]
    gap: Any  # [capacity]
    shift: Any  # [capacity] impulses of the correction of positions
    hold: Any  # [capacity] h/2 where bodies hold together in it, else zero
    measure: Any  # [capacity] velocities that its island deals with [m/s]
    weight: Any  # [capacity] the largest measure of all over its own: residuals are measured by their island
    kept: Any  # [capacity, 4] p and b of the velocities, while positions are corrected
    x: Any  # [nv] scratch, zero between uses
    v: Any  # [nv] velocities
    dq: Any  # [nv] correction of positions
    paths: BranchRows


def new_problem(contacts: Contacts, nv: int, tree: Tree | None = None, joints: int = 0, width: int = 0) -> Problem:
    """Arrays for all slots at once, and blocks of joints; with a tree: also for solutions along its paths.

    width: rates of the largest tree with such joints.
    """
    n, width = (3 if resists(contacts) else 1) * contacts.slots + joints, max(contacts.width, width)
    return Problem(
        counts=np.zeros(1, PROBLEM_COUNTS), member=np.zeros(n, np.int64),
        solved=np.zeros(len(contacts.tree_first) - 1, np.int64), slot=np.zeros(n, np.int64), law=np.zeros(n, np.int64),
        rate=np.zeros(n, np.int64), scale=np.zeros((n, 3)), size=np.zeros(n, np.int64),
        place=np.zeros((n, 8), np.int64), G=np.zeros((3 * n, width)), Y=np.zeros((3 * n, width)),
        W=np.zeros((n, 3, 3)), b=np.zeros((n, 3)), p=np.zeros((n, 3)), u=np.zeros((n, 3)),
        smooth=np.zeros((n, 3)), after=np.zeros((n, 3)), mu=np.zeros(n), radius=np.zeros(n),
        owner=np.full(n, -1, np.int64), arm=np.zeros(n),
        gap=np.zeros(n), shift=np.zeros(n), hold=np.zeros(n), measure=np.ones(n), weight=np.ones(n),
        kept=np.zeros((n, 4)), x=np.zeros(nv), v=np.zeros(nv), dq=np.zeros(nv),
        paths=new_paths(n, nv, tree),
    )  # fmt: skip


@helper
def put_place(contacts, problem, c, s):
    """Where the rates of block c are, the point of slot s."""
    t_a, n_a, t_b, n_b = row_lengths(contacts, s)
    place = problem.place[c]
    place[0], place[1], place[2], place[3] = contacts.tree_first[t_a], n_a, contacts.tree_first[t_b], n_b
    place[4], place[5], place[6], place[7] = t_a, t_b, place[0], n_a


@part
def no_impulses(problem):
    """All impulses become zero."""
    for place in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[place]
        for k in range(3):
            problem.p[c, k] = 0.0


@part
def keep_impulses(problem):
    """A copy of the impulses, see `take_kept`."""
    for place in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[place]
        for k in range(3):
            problem.kept[c, k] = problem.p[c, k]


@part
def take_kept(problem):
    """The impulses become those that were kept."""
    for place in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[place]
        for k in range(3):
            problem.p[c, k] = problem.kept[c, k]


@part
def times_row(contacts, problem, c, r, v):
    """Row r of block c of G, times v."""
    first, n_a, s = problem.place[c, 0], problem.place[c, 1], 0.0
    row = problem.G[3 * c + r]
    for k in range(n_a):
        s += row[k] * v[contacts.tree_dofs[first + k]]
    first = problem.place[c, 2] - n_a
    for k in range(n_a, n_a + problem.place[c, 3]):
        s += row[k] * v[contacts.tree_dofs[first + k]]
    return s


@part
def add_column(contacts, problem, c, factor, v):
    """v += factor times the normal row of block c of Y."""
    first, n_a = problem.place[c, 6], problem.place[c, 7]
    row = problem.Y[3 * c]
    for k in range(n_a):
        v[contacts.tree_dofs[first + k]] += factor * row[k]
    first = problem.place[c, 2] - n_a
    for k in range(n_a, n_a + problem.place[c, 3]):
        v[contacts.tree_dofs[first + k]] += factor * row[k]


@part
def add_block(contacts, problem, c, d0, d1, d2, v):
    """v += Y^T d of block c."""
    if problem.size[c] == 1:
        add_column(contacts, problem, c, d0, v)
        return
    first, n_a, row, Y = problem.place[c, 6], problem.place[c, 7], 3 * c, problem.Y
    for k in range(n_a):
        v[contacts.tree_dofs[first + k]] += d0 * Y[row, k] + d1 * Y[row + 1, k] + d2 * Y[row + 2, k]
    first = problem.place[c, 2] - n_a
    for k in range(n_a, n_a + problem.place[c, 3]):
        v[contacts.tree_dofs[first + k]] += d0 * Y[row, k] + d1 * Y[row + 1, k] + d2 * Y[row + 2, k]


@part
def block_matrix(problem, c):
    """W of a block, from its rows of G and Y."""
    place, G, Y, row = problem.place[c], problem.G, problem.Y, 3 * c
    w00, w10, w11, w20, w21, w22 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(place[1] + place[3]):
        j = k + place[0] - place[6] if k < place[1] else k + place[7] - place[1]
        g0, g1, g2 = G[row, k], G[row + 1, k], G[row + 2, k]
        y0, y1, y2 = Y[row, j], Y[row + 1, j], Y[row + 2, j]
        w00, w10, w11 = w00 + g0 * y0, w10 + g1 * y0, w11 + g1 * y1
        w20, w21, w22 = w20 + g2 * y0, w21 + g2 * y1, w22 + g2 * y2
    put_matrix(problem, c, (w00, w10, w11, w20, w21, w22))


@helper
def put_matrix(problem, c, lower):
    """W of a block from its lower triangle, row after row."""
    w00, w10, w11, w20, w21, w22 = lower
    W = problem.W[c]
    W[0, 0] = w00
    if problem.size[c] == 3:
        W[1, 0] = W[0, 1] = w10
        W[2, 0] = W[0, 2] = w20
        W[2, 1] = W[1, 2] = w21
        # a mechanism may not be able to slip at all; the fixed point stays what it is
        shift = PROXIMAL * max(w00, w11, w22)
        W[1, 1], W[2, 2] = w11 + shift, w22 + shift


@part
def block_times(contacts, problem, c, v):
    """G v of a block, all three rows."""
    if problem.size[c] == 1:
        return times_row(contacts, problem, c, 0, v), 0.0, 0.0
    first, n_a, row, G = problem.place[c, 0], problem.place[c, 1], 3 * c, problem.G
    u0, u1, u2 = 0.0, 0.0, 0.0
    for k in range(n_a):
        x = v[contacts.tree_dofs[first + k]]
        u0, u1, u2 = u0 + G[row, k] * x, u1 + G[row + 1, k] * x, u2 + G[row + 2, k] * x
    first = problem.place[c, 2] - n_a
    for k in range(n_a, n_a + problem.place[c, 3]):
        x = v[contacts.tree_dofs[first + k]]
        u0, u1, u2 = u0 + G[row, k] * x, u1 + G[row + 1, k] * x, u2 + G[row + 2, k] * x
    return u0, u1, u2


@part
def times_velocities(contacts, problem, c, v):
    """G v of a block, be it along a path or not."""
    if problem.paths.counts[0].active == 1:
        return along_path(problem.paths, problem.paths.G, c, v)
    return block_times(contacts, problem, c, v)


@helper
def block_velocity(contacts, problem, c, v):
    """u + b of a block, zeros for rows that it does not have."""
    u0, u1, u2 = block_times(contacts, problem, c, v)
    return u0 + problem.b[c, 0], u1 + problem.b[c, 1], u2 + problem.b[c, 2]


@helper
def block_solution(problem, c, u):
    """Impulses of block c that obey Coulomb's law if all others stay; u: its u + b at the impulses that it has now."""
    W, p = problem.W[c], problem.p[c]
    u0, u1, u2 = u
    u0 -= W[0, 0] * p[0]
    if problem.law[c] == DISC:
        return disc_solution(problem, c, u)
    if problem.size[c] == 1:
        return max(0.0, -u0 / W[0, 0]), 0.0, 0.0
    u0 -= W[0, 1] * p[1] + W[0, 2] * p[2]
    u1 -= W[1, 0] * p[0] + W[1, 1] * p[1] + W[1, 2] * p[2]
    u2 -= W[2, 0] * p[0] + W[2, 1] * p[1] + W[2, 2] * p[2]
    return solve_contact(W, 0, 3, problem.mu[c], (u0, u1, u2))


@helper
def radius_of(problem, c):
    """The radius of a DISC for the impulses that there are."""
    owner = problem.owner[c]
    return problem.radius[c] if owner < 0 else problem.arm[c] * max(problem.p[owner, 0], 0.0)


@helper
def on_disc(radius, p0, p1, p2):
    """The nearest point of a disc around zero."""
    size = (p0 * p0 + p1 * p1 + p2 * p2) ** 0.5
    if size <= radius:
        return p0, p1, p2
    f = radius / size
    return f * p0, f * p1, f * p2


@helper
def disc_solution(problem, c, u):
    """Impulses of a DISC if all others stay: exact for one rate, of more a step of projected gradients towards it."""
    W, p = problem.W[c], problem.p[c]
    r = 1.0 / W[0, 0] if problem.size[c] == 1 else 1.0 / (W[0, 0] + W[1, 1] + W[2, 2])
    return on_disc(radius_of(problem, c), p[0] - r * u[0], p[1] - r * u[1], p[2] - r * u[2])


@helper
def path_block_velocity(problem, c):
    """u + b of a block along its path."""
    u0, u1, u2 = path_velocity(problem.paths, c)
    return u0 + problem.b[c, 0], u1 + problem.b[c, 1], u2 + problem.b[c, 2]


@part
def sweep(contacts, problem):
    """One sweep of Gauss-Seidel (Jean 1999): block after block solved exactly, problem.v and p brought up to date.

    Returns the largest change of a velocity by a block's own impulse [m/s].
    """
    change = 0.0
    v, p = problem.v, problem.p
    for place in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[place]
        W = problem.W[c]
        q0, q1, q2 = block_solution(problem, c, block_velocity(contacts, problem, c, v))
        d0, d1, d2 = q0 - p[c, 0], q1 - p[c, 1], q2 - p[c, 2]
        if d0 != 0.0 or d1 != 0.0 or d2 != 0.0:
            p[c, 0], p[c, 1], p[c, 2] = q0, q1, q2
            if problem.size[c] == 1:
                add_column(contacts, problem, c, d0, v)
            else:
                add_block(contacts, problem, c, d0, d1, d2, v)
            change = max(change, abs(W[0, 0] * d0) + abs(W[1, 1] * d1) + abs(W[2, 2] * d2))
    return change


@part
def sweeps(contacts, problem, tolerance, most):
    """Sweep until the error, by the contraction that is seen, is below the tolerance [m/s]; returns what is left."""
    last, left, rate = 1e300, 1e300, 1.0
    counts = problem.counts[0]
    counts.sweeps = 0
    for k in range(most):
        change = sweep(contacts, problem)
        counts.sweeps += 1
        if k > 0 and last > 0.0:
            rate = max(change / last, 0.5 * rate) if change < last else 1.0
        left = change if k == 0 else change * max(1.0, min(rate / max(1.0 - rate, 1e-3), 1e3))
        last = change
        if change == 0.0 or left <= tolerance or (k == 0 and change <= 0.01 * tolerance):
            return left if change > 0.0 else 0.0
    return left
