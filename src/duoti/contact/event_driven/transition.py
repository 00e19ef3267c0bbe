"""Ordinary transitions of event-driven runs, compiled: impacts, then stick, slip or open, then events made ready.

What a transition is stands in `contact.event_driven.engine`; here is the part that most runs need: contacts alone, few
points, impulses and forces that are unique, and a solver that converges at once. Everything else leaves the states as
they were and returns `HARD`: the engine then treats the instant.

An impact and the choice of states are one problem, Coulomb's law of (velocities, impulses) or of (accelerations,
forces), and have one solver, Gauss-Seidel with Newton's method behind it (`contact.solve`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from duoti.contact.collide.arrays import CONTACT_CONTEXT, NEWTON, resists
from duoti.contact.collide.geometry import dof_of, find_biases, find_points, row_lengths, slot_rows
from duoti.contact.event_driven.contact_states import (
    CONTACT_STATES_CONTEXT,
    ENDS,
    EVENTS_PER_SLOT,
    OPEN,
    SLIDE,
    STICK,
)
from duoti.contact.impact.planar import impact_in_plane
from duoti.contact.impact.spatial import impact_in_space
from duoti.contact.solve.dense_newton import EXACT, LAST_ITERATIONS, polish
from duoti.contact.solve.gauss_seidel import sweep_contacts
from duoti.contact.solve.redundant import solve_rows
from duoti.contact.workspace import LOWEST
from duoti.dynamics.loops.factors import solve_mass
from duoti.kernel import (
    ContextType,
    address_of,
    call_entry,
    entry,
    entry_caller,
    helper,
    pack,
    part,
    record_dtype,
    unpack,
)
from duoti.model.contacts.rolling_contact import SHEAR_MODULUS
from duoti.system.context import REAL_CONTEXT

if TYPE_CHECKING:
    from duoti.contact.event_driven.engine import ContactEngine
    from duoti.system.arrays import Reals

# Tolerances of transitions, also of those that are not ordinary.

TOUCH = 1e-10  # gap [m] up to which points touch
DEEP = 1e-7  # m: gap of a feature that has not closed where it is zero
AWAY = 1.0  # m below its gap that a feature is watched which has not closed where it is zero
HOVERS = 1e-11  # m: gap of a point that others carry
OVERLOADED = 1e-4  # part of its bound, and of the largest force, by which friction may be beyond it: round-off
AT_THE_EDGE = 1e-6  # part of the largest force by which friction that is shared out may be beyond its bound
STILL = 1e-9  # part of the greatest speed of a contact so far: no motion
SLOW = 1e-5  # the same: slip that begins has the direction of its force until it is faster, else it is stiff
PASSED = 1e-7  # the same: of a normal that turned where a point passed the end of a feature, with 1e-9 of its size
TURNED = SLOW  # the same: slip that passed zero, with a part across that its friction no longer stops
ROUND_OFF = 1e-14  # the same: error of speeds
REST = 1e-7  # the same: an approach so slow is the last of a sequence of impacts, and ends it
NOISE = 1e-14  # m: gap of a point that was found closed as it leaves
EDGE = 1e-7  # part of the friction: at the edge of the cone
LIFTED = 1e-9  # part of the normal force within the last step: one that has fallen through zero
PULLS = 1e-9  # part of the greatest normal force by which a contact must pull to be open
NO_PULL = 1e-12  # part of the greatest normal force: none
MOST_ROUNDS = 200  # of impacts at one instant
PLANAR = 1e-12  # part of the normal mobility: of a tangent along which nothing can move
ZERO = 1e-9  # accelerations and forces, relative to the largest, below which they are zero
GAIN = 1e-9  # of the energies involved: more than that is said

# Of those that are ordinary: what goes beyond is left to the engine, so that these only say what is quick.

POINTS = 8  # that touch at once
IMPACTS = 64  # points with an impulse in one transition
FEW_SWEEPS, NEWTON_ITERATIONS = 40, 30  # the first stage of `solve_ncp`
SOLVED = 1e-11  # of the largest number on the right: residual, as there
INDEPENDENT = 1e-5  # pivots of rows with a unit diagonal from which on impulses and forces are unique
NO_PLACE = 1e300  # margin: every point is looked at

DONE, HARD = range(2)

NUMBERS = record_dtype(
    "TransitionNumbers",
    outcome=int,
    impacts=int,  # rows of `impacts`
    impacted=int,
    timed=int,  # 1: motions are prescribed, which work in an impact, too
    left=int,  # 1: a point has passed the end of a feature
    edge=int,  # 1: friction has come to the edge of its cone somewhere
    speed=float,  # greatest speed at a contact so far
    deepest=float,  # least gap that is allowed
)


class Transition(NamedTuple):
    """Memory of a transition; K points, n = 3 K rows."""

    contact: int  # address of the contacts that are looked at, which do not know what is closed
    numbers: Any  # [1] of type NUMBERS
    y: Any  # the state: before, then after
    closes: Any  # [slots] 1: its gap or normal force has fallen through zero
    stopped: Any  # [slots] 1: its slip has ended
    falling: Any  # [slots] size of the normal force in the last step where it has come to zero, else -inf
    feature: Any  # [slots] 1: of a feature pair; 2: the distance of two shapes as a whole
    loose: Any  # [slots, 3] direction of the slip of contacts at the edge of their cones, by t1 and t2; [2] 1: is one
    slot: Any  # [K] of the points that touch
    J: Any  # [n, nv]
    Y: Any  # [n, nv] what a unit impulse changes
    W: Any  # [n, n]
    u: Any  # [n]
    b: Any  # [n] accelerations without forces
    axis: Any  # [K, 2] in a plane: the tangent, by t1 and t2
    D: Any  # [n, n] of the solver
    q: Any  # [n]
    p: Any  # [n]
    after: Any  # [n]
    first: Any  # [K + 1]
    mu: Any  # [K]
    vectors: Any  # [5, n]
    scratch: Any  # [n, n]
    local: Any  # [6]
    force: Any  # [n]
    acceleration: Any  # [n]
    slip: Any  # [K, 2]
    chosen: Any  # [K] state
    direction: Any  # [K, 2]
    used: Any  # [K] points that are still in question
    impacts: Any  # [IMPACTS, 10] slot, impulse on b, point, normal speeds, energy lost
    integers: Any  # [slots] states before
    kept: Any  # [slots, 10] likewise: direction, offset, force, anchor
    few: Any  # [4] slow and anchored before


def _allocate(slots: int, nv: int, ny: int, most: int, address: int) -> Transition:
    k, n = most, 3 * most
    return Transition(
        contact=address, numbers=np.zeros(1, NUMBERS), y=np.zeros(ny), closes=np.zeros(slots, np.int64),
        stopped=np.zeros(slots, np.int64), falling=np.full(slots, -np.inf), feature=np.zeros(slots, np.int64),
        loose=np.zeros((slots, 3)), slot=np.zeros(k, np.int64), J=np.zeros((n, nv)), Y=np.zeros((n, nv)),
        W=np.zeros((n, n)), u=np.zeros(n), b=np.zeros(n), axis=np.zeros((k, 2)), D=np.zeros((n, n)),
        q=np.zeros(n), p=np.zeros(n), after=np.zeros(n), first=np.zeros(k + 1, np.int64), mu=np.zeros(k),
        vectors=np.zeros((5, n)), scratch=np.zeros((n, n)), local=np.zeros(6), force=np.zeros(n),
        acceleration=np.zeros(n), slip=np.zeros((k, 2)), chosen=np.zeros(k, np.int64), direction=np.zeros((k, 2)),
        used=np.zeros(k, np.int64), impacts=np.zeros((IMPACTS, 10)), integers=np.zeros(slots, np.int64),
        kept=np.zeros((slots, 10)), few=np.zeros(4),
    )  # fmt: skip


TRANSITION_CONTEXT = ContextType(lambda: (0, _allocate(1, 1, 1, 1, 0)))
WORDS = 256


class OrdinaryTransitions:
    """Compiled transitions of an engine."""

    def __init__(self, engine: ContactEngine):
        system, contacts = engine.system, engine.contacts
        ny = system.nq + system.nv + system.nz + 2
        self.engine = engine
        self.memory = _allocate(
            contacts.slots, system.nv, ny, min(contacts.slots, POINTS), engine.geometry.contact.address
        )
        self.memory.feature[:] = engine.feature + 1 * engine.distance
        self.memory.numbers[0].timed = int(system.closures.timed)
        self.block = np.zeros(WORDS)
        pack(self.block, (int(engine.work.at[0].system), self.memory), TRANSITION_CONTEXT)
        self.run = entry_caller(transition_entry, address_of(self.block))

    def treat(self, t: float, y: Reals, fired: list[int]) -> bool:
        """Change y and the states of the engine at an instant; False if they are as they were: see `transition`."""
        engine, of, m = self.engine, self.memory, self.engine.states
        numbers = of.numbers[0]
        of.closes[:], of.stopped[:], of.falling[:] = 0, 0, -np.inf
        numbers.left = numbers.edge = 0
        for k in fired:
            slot, which = divmod(k, EVENTS_PER_SLOT)
            if which == 0:
                of.closes[slot] = 1
            elif which == ENDS:
                numbers.left = 1
            elif m.state[slot] == SLIDE:
                of.stopped[slot] = 1
            else:
                numbers.edge = 1
        for slot, size in engine.falling.items():
            of.falling[slot] = size
        of.y[:] = y
        numbers.speed, numbers.deepest = engine.speed, engine.deepest
        engine.work.clock[0] = t
        self.run()
        if numbers.outcome != DONE:
            return False
        y[:] = of.y
        engine.speed, engine.impacted = float(numbers.speed), bool(numbers.impacted)
        for row in of.impacts[: numbers.impacts]:
            engine.record_impact(
                t, int(row[0]), row[1:4].copy(), row[4:7].copy(), (float(row[7]), float(row[8])), row[9]
            )
        return True


def ordinary(engine: ContactEngine) -> OrdinaryTransitions | None:
    """Compiled transitions of an engine; None where contacts roll, creep, or have rims that may lie flat."""
    contacts = engine.contacts
    if resists(contacts) or engine.rims.pairs or np.any(contacts.creep[:, SHEAR_MODULUS] > 0.0):
        return None
    return OrdinaryTransitions(engine)


# ------------------------------------------------------------------------------------------------------- what touches


@part
def _keep(m, of, back):
    """Remember what a transition changes, or put it back (back = 1)."""
    for s in range(m.state.shape[0]):
        if back == 1:
            m.state[s], m.offset[s] = of.integers[s], of.kept[s, 3]
            for i in range(3):
                m.direction[s, i], m.force[s, i], m.anchor[s, i] = of.kept[s, i], of.kept[s, 4 + i], of.kept[s, 7 + i]
        else:
            of.integers[s], of.kept[s, 3] = m.state[s], m.offset[s]
            for i in range(3):
                of.kept[s, i], of.kept[s, 4 + i], of.kept[s, 7 + i] = m.direction[s, i], m.force[s, i], m.anchor[s, i]
    for i in range(2):
        if back == 1:
            m.slow[i], m.anchored[i] = of.few[i], of.few[2 + i]
        else:
            of.few[i], of.few[2 + i] = m.slow[i], m.anchored[i]
    _count_closed(m)


@helper
def _count_closed(m):
    closed = 0
    for s in range(m.state.shape[0]):
        if m.state[s] != OPEN:
            closed += 1
    m.counts[0].closed = closed


@part
def _evaluate(w, m, of, free):
    """The motion in the state of.y; without forces of contact if free = 1."""
    for i in range(of.y.shape[0]):
        w.y[i] = of.y[i]
    closed = m.counts[0].closed
    if free == 1:
        m.counts[0].closed = 0
        for s in range(m.state.shape[0]):
            of.stopped[s] += 2 * m.state[s]  # states and the lowest bit
            m.state[s] = OPEN
    call_entry(w.calls[0].ydot, w.at[0].system)
    if free == 1:
        m.counts[0].closed = closed
        for s in range(m.state.shape[0]):
            m.state[s] = of.stopped[s] // 2
            of.stopped[s] -= 2 * m.state[s]


@part
def _look(tree, contacts, cw, w, m, of):
    """Rows, speeds and free accelerations of the points that touch; their number, or -1 if there are too many."""
    nq, nv, k = tree.nq, tree.nv, 0
    _evaluate(w, m, of, 1)
    find_points(contacts, cw, w, NO_PLACE)
    find_biases(tree, contacts, cw, w, m.zeros)
    for i in range(cw.counts[0].near):
        s = cw.near[i]
        if m.state[s] == OPEN:
            if of.feature[s] > 0 and cw.gap[s] < min(of.numbers[0].deepest, 0.0) - DEEP:
                continue
            if of.closes[s] == 0 and cw.gap[s] - m.offset[s] > TOUCH:
                continue
        if k == of.slot.shape[0]:
            return -1
        of.slot[k] = s
        slot_rows(tree, contacts, cw, w, s, m.packed, 0)
        t_a, n_a, t_b, n_b = row_lengths(contacts, s)
        for axis in range(3):
            r = 3 * k + axis
            for j in range(nv):
                of.J[r, j] = 0.0
            for j in range(n_a + n_b):
                of.J[r, dof_of(contacts, t_a, n_a, t_b, j)] += m.packed[axis, j]
            u, b = 0.0, 0.0
            for j in range(nv):
                u += of.J[r, j] * of.y[nq + j]
                b += of.J[r, j] * w.ydot[nq + j]
            of.u[r], of.b[r] = u, b + cw.bias[s, axis]
        k += 1
    return k


@part
def _respond(tree, closures, w, m, of, n):
    """of.Y of n rows, on what closed loops allow. Needs the evaluation of `_look`."""
    nv, loops = tree.nv, closures.rows
    right, x = m.vectors[0], m.vectors[1]
    for r in range(n):
        for i in range(nv):
            m.column[i] = of.J[r, i]
        solve_mass(tree, w.M, m.column)
        for k in range(loops):
            s = 0.0
            for i in range(nv):
                s += m.G[k, i] * m.column[i]
            right[k] = s
        if loops > 0:
            solve_rows(m.D, m.LU, m.pivot, m.scale, loops, right, x, m.vectors[2], m.vectors[3], m.counts)
            for k in range(loops):
                for i in range(nv):
                    m.column[i] -= m.X[k, i] * x[k]
        for i in range(nv):
            of.Y[r, i] = m.column[i]


@part
def _delassus(of, n, nv):
    """of.W = J Y^T of n rows."""
    for r in range(n):
        for k in range(r + 1):
            d = 0.0
            for i in range(nv):
                d += of.J[r, i] * of.Y[k, i]
            of.W[r, k], of.W[k, r] = d, d


@helper
def _slowest_leave(cw, of, k):
    """See `contact.workspace.slowest_leave`."""
    pressing, far = 0.0, 1.0
    for i in range(k):
        pressing = max(pressing, -of.b[3 * i])
        for j in range(3):
            far = max(far, abs(cw.point[of.slot[i], j]))
    return (2.0 * LOWEST * far * pressing) ** 0.5


@part
def _independent(W, n, size, of):
    """Whether the rows of the points in use that can move at all are far from depending on each other."""
    A, least = of.scratch, 0.0
    for r in range(n):
        least = max(least, PLANAR * W[r, r])
    for r in range(n):
        if of.used[r // size] == 0 or not W[r, r] > least:
            continue
        for k in range(r + 1):
            if of.used[k // size] == 0 or not W[k, k] > least:
                continue
            x = W[r, k] / (W[r, r] * W[k, k]) ** 0.5
            for j in range(k):
                if of.used[j // size] == 1 and W[j, j] > least:
                    x -= A[r, j] * A[k, j]
            if k < r:
                A[r, k] = x / A[k, k]
            elif x < INDEPENDENT:
                return False
            else:
                A[r, r] = x**0.5
    return True


@part
def _solve(of, rows, points, tolerance):
    """of.p of the problem of.D, of.q with `rows` rows of so many points; False if the quick solver has not done it.

    Rows and points that are left fill the memory up: open contacts without friction, and rows of nothing.
    """
    n, K = of.q.shape[0], of.mu.shape[0]
    for c in range(points, K):
        of.mu[c], of.first[c + 1] = 0.0, of.first[c] + 1
        r = of.first[c]
        for k in range(n):
            of.D[r, k], of.D[k, r] = 0.0, 0.0
        of.D[r, r], of.q[r] = 1.0, 1.0
    for r in range(of.first[K], n):
        for k in range(n):
            of.D[r, k], of.D[k, r] = 0.0, 0.0
        of.q[r] = 0.0
    for r in range(n):
        of.p[r] = 0.0
    for c in range(points):
        if not of.D[of.first[c], of.first[c]] > 0.0:
            return False
    status = sweep_contacts(of.D, of.q, of.first, of.mu, of.p, of.after, of.local, FEW_SWEEPS, tolerance)
    if status == 0:
        return True
    if status == 3:  # not finite
        return False
    return polish(
        of.D, of.q, of.first, of.mu, of.p, of.after, of.scratch, of.vectors, NEWTON_ITERATIONS, tolerance
    ) <= (tolerance)


# ------------------------------------------------------------------------------------------------------------ impacts


@part
def _reduce(of, k, nv):
    """Rows of an impact: two of each point if all can move in a plane only, else three; how many."""
    for c in range(k):
        a, d, x, n = 0.0, 0.0, 0.0, 0.0
        for i in range(nv):
            n += of.J[3 * c, i] * of.Y[3 * c, i]
            a += of.J[3 * c + 1, i] * of.Y[3 * c + 1, i]
            d += of.J[3 * c + 2, i] * of.Y[3 * c + 2, i]
            x += of.J[3 * c + 1, i] * of.Y[3 * c + 2, i]
        root = (0.25 * (a - d) ** 2 + x * x) ** 0.5
        if 0.5 * (a + d) - root > PLANAR * n:
            return 3
        # the eigenvector of the greater eigenvalue
        e1, e2 = (0.5 * (a - d) + root, x) if a >= d else (x, 0.5 * (d - a) + root)
        if 0.5 * (a + d) + root <= PLANAR * n:  # along none: that of the slip
            e1, e2 = of.u[3 * c + 1], of.u[3 * c + 2]
        size = (e1 * e1 + e2 * e2) ** 0.5
        of.axis[c, 0], of.axis[c, 1] = (e1 / size, e2 / size) if size > 0.0 else (1.0, 0.0)
    for c in range(k):
        e1, e2 = of.axis[c, 0], of.axis[c, 1]
        for i in range(nv):
            of.J[2 * c, i], of.Y[2 * c, i] = of.J[3 * c, i], of.Y[3 * c, i]
            of.J[2 * c + 1, i] = e1 * of.J[3 * c + 1, i] + e2 * of.J[3 * c + 2, i]
            of.Y[2 * c + 1, i] = e1 * of.Y[3 * c + 1, i] + e2 * of.Y[3 * c + 2, i]
        of.u[2 * c], of.u[2 * c + 1] = of.u[3 * c], e1 * of.u[3 * c + 1] + e2 * of.u[3 * c + 2]
    return 2


@part
def _impact(tree, closures, contacts, cw, w, m, of, k):
    """One impact of k points that touch; False if it is not an ordinary one."""
    nv, numbers = tree.nv, of.numbers[0]
    slowest = _slowest_leave(cw, of, k)
    _respond(tree, closures, w, m, of, 3 * k)
    size = _reduce(of, k, nv)
    n = size * k
    _delassus(of, n, nv)
    law, largest = NEWTON, 0.0
    for c in range(k):
        pair, un = contacts.slot_pair[of.slot[c]], of.u[size * c]
        e = contacts.restitution[pair]
        if e > 0.0 and not (un > -REST * numbers.speed or -e * un < slowest):
            law = max(law, 1)
    if law != NEWTON:  # something rebounds
        law = NEWTON
        for c in range(k):
            pair = contacts.slot_pair[of.slot[c]]
            if contacts.restitution[pair] > 0.0:
                law = max(law, contacts.impact[pair])
    for c in range(k):
        pair, un = contacts.slot_pair[of.slot[c]], of.u[size * c]
        e = contacts.restitution[pair]
        slow = un > -REST * numbers.speed or -e * un < slowest
        of.first[c], of.mu[c] = size * c, contacts.friction[pair]
        for i in range(size):
            of.q[size * c + i] = of.u[size * c + i]
        if not slow:
            of.q[size * c] += e * un
    of.first[k] = n
    if law != NEWTON:
        if k > 1:
            return False
        pair = contacts.slot_pair[of.slot[0]]
        if not _follow(of, size, contacts.friction[pair], contacts.restitution[pair], law):
            return False
    else:
        for r in range(n):
            largest = max(largest, abs(of.q[r]))
            for j in range(n):
                of.D[r, j] = of.W[r, j]
        tolerance = max(SOLVED * (largest if largest > 0.0 else 1.0), ROUND_OFF * numbers.speed)
        if not _solve(of, n, k, tolerance):
            return False
        polish(  # sweeps end near the solution; unlike forces, impulses are not solved for again
            of.D, of.q, of.first, of.mu, of.p, of.after, of.scratch, of.vectors, LAST_ITERATIONS, EXACT * largest
        )
    for c in range(k):
        r = size * c  # an impulse of round-off leaves the others as they are
        of.used[c] = 1 if of.p[r] * of.W[r, r] > ROUND_OFF * numbers.speed else 0
    return _independent(of.W, n, size, of) and _take(tree, contacts, cw, w, of, k, size)


@part
def _follow(of, size, mu, e, law):
    """of.p of one contact by the laws of Poisson and Stronge."""
    if mu == 0.0:
        of.p[0] = -(1.0 + e) * min(of.u[0], 0.0) / of.W[0, 0]
        for r in range(1, size):
            of.p[r] = 0.0
        return True
    for i in range(6):
        of.local[i] = of.u[i] if i < size else 0.0
    if size == 2:
        of.p[0] = impact_in_plane(of.W[0, 0], of.W[0, 1], of.W[1, 1], mu, e, law, of.local)
        of.p[1] = of.local[2]
        return True
    status = impact_in_space(of.W, mu, e, law, of.local)
    for r in range(3):
        of.p[r] = of.local[3 + r]
    return status == 0


@part
def _square(tree, L, v, first):
    """v^T M v with the factor M = L^T L of `factor_tree`, of rates that begin at v[first]."""
    total = 0.0
    for k in range(tree.nv):
        row, n = tree.M_row[k], tree.depth[k]
        s, i = v[first + k] / L[row + n], tree.parent_dof[k]
        for d in range(n - 1, -1, -1):
            s += L[row + d] * v[first + i]
            i = tree.parent_dof[i]
        total += s * s
    return total


@part
def _take(tree, contacts, cw, w, of, k, size):
    """Let impulses of.p act; False if they are too many to write down, or make energy."""
    nq, nv, n, numbers, ny = tree.nq, tree.nv, size * k, of.numbers[0], of.y.shape[0]
    lost, exchanged = 0.0, 0.0
    for r in range(n):
        s = of.u[r]
        for j in range(n):
            s += of.W[r, j] * of.p[j]
        of.after[r] = s
        lost -= 0.5 * of.p[r] * (of.u[r] + s)
        exchanged += 0.5 * abs(of.p[r]) * (abs(of.u[r]) + abs(s))
    if lost < -GAIN * exchanged:
        return False
    before = 0.5 * _square(tree, w.M, of.y, nq)
    for r in range(n):
        for i in range(nv):
            of.y[nq + i] += of.Y[r, i] * of.p[r]
    gained = 0.5 * _square(tree, w.M, of.y, nq) - before
    taken = lost if numbers.timed == 1 else -gained
    of.y[ny - 2] += gained + taken
    of.y[ny - 1] += taken
    numbers.impacted = 1
    for c in range(k):
        r, s = size * c, of.slot[c]
        if of.p[r] * of.W[r, r] <= STILL * numbers.speed:
            continue
        if numbers.impacts == of.impacts.shape[0]:
            return False
        row = of.impacts[numbers.impacts]
        t1, t2 = of.p[r + 1], of.p[r + 2] if size > 2 else 0.0
        if size == 2:
            t1, t2 = of.p[r + 1] * of.axis[c, 0], of.p[r + 1] * of.axis[c, 1]
        row[0], row[7], row[8], row[9] = s, of.u[r], of.after[r], 0.0
        for i in range(3):
            row[1 + i] = of.p[r] * cw.frame[s, i] + t1 * cw.frame[s, 3 + i] + t2 * cw.frame[s, 6 + i]
            row[4 + i] = cw.point[s, i]
        for i in range(size):
            row[9] -= 0.5 * of.p[r + i] * (of.u[r + i] + of.after[r + i])
        numbers.impacts += 1
    return True


# ------------------------------------------------------------------------------------------------------------- states


@part
def _choose(of, k, mu_of):
    """States of the points in use with these coefficients, from the accelerations; False if they were not found.

    Forces and accelerations of all rows are in of.force and of.acceleration.
    """
    n, rows, points = 3 * k, 0, 0
    for c in range(k):
        if of.used[c] == 0:
            continue
        of.first[points], of.mu[points] = rows, 0.0
        if mu_of[c] > 0.0 and of.slip[c, 0] == 0.0 and of.slip[c, 1] == 0.0:
            of.mu[points] = mu_of[c]
            rows += 3
        else:
            rows += 1
        points += 1
    of.first[points] = rows
    largest, symmetric, at = 0.0, True, 0
    for c in range(k):
        if of.used[c] == 0:
            continue
        for axis in range(3 if of.mu[at] > 0.0 else 1):
            r, other = of.first[at] + axis, 0
            of.q[r] = of.b[3 * c + axis]
            largest = max(largest, abs(of.q[r]))
            for e in range(k):
                if of.used[e] == 0:
                    continue
                column = of.first[other]
                if of.mu[other] > 0.0:
                    for j in range(3):
                        of.D[r, column + j] = of.W[3 * c + axis, 3 * e + j]
                else:
                    x, slip = of.W[3 * c + axis, 3 * e], _speed(of, e)
                    if mu_of[e] > 0.0 and slip > 0.0:
                        for j in range(2):
                            x -= mu_of[e] * of.slip[e, j] / slip * of.W[3 * c + axis, 3 * e + 1 + j]
                        symmetric = False
                    of.D[r, column] = x
                other += 1
        at += 1
    if rows == 0:
        return True
    if not symmetric and not _one_sign(of, rows, points):
        return False
    if not _solve(of, rows, points, SOLVED * (largest if largest > 0.0 else 1.0)):
        return False
    for r in range(n):
        of.force[r] = 0.0
    at = 0
    for c in range(k):
        if of.used[c] == 0:
            continue
        r = of.first[at]
        of.force[3 * c] = of.p[r]
        if of.mu[at] > 0.0:
            of.force[3 * c + 1], of.force[3 * c + 2] = of.p[r + 1], of.p[r + 2]
        else:
            slip = _speed(of, c)
            for j in range(2):
                of.force[3 * c + 1 + j] = -mu_of[c] * of.slip[c, j] / slip * of.p[r] if slip > 0.0 else 0.0
        at += 1
    for r in range(n):
        s = of.b[r]
        for j in range(n):
            s += of.W[r, j] * of.force[j]
        of.acceleration[r] = s
    _read(of, k, mu_of)
    return True


@helper
def _speed(of, c):
    return (of.slip[c, 0] ** 2 + of.slip[c, 1] ** 2) ** 0.5


@part
def _one_sign(of, rows, points):
    """Whether a sum over all directions x^T D x is positive: then the solution without cones is unique.

    of.D need not be symmetric; where cones are among the rows, the quick solver is what the engine would take.
    """
    if rows > points:
        return True
    A = of.scratch
    for r in range(rows):
        if not of.D[r, r] > 0.0:
            return False
        for k in range(r + 1):
            x = 0.5 * (of.D[r, k] + of.D[k, r]) / (of.D[r, r] * of.D[k, k]) ** 0.5
            for j in range(k):
                x -= A[r, j] * A[k, j]
            if k < r:
                A[r, k] = x / A[k, k]
            elif x < INDEPENDENT:
                return False
            else:
                A[r, r] = x**0.5
    return True


@part
def _read(of, k, mu_of):
    """See `accelerations.read_states`."""
    size = 0.0
    for c in range(k):
        if of.used[c] == 1:
            for i in range(3):
                size = max(size, abs(of.b[3 * c + i]), abs(of.acceleration[3 * c + i]))
    size *= ZERO
    for c in range(k):
        if of.used[c] == 0:
            continue
        slip, a1, a2 = _speed(of, c), of.acceleration[3 * c + 1], of.acceleration[3 * c + 2]
        tangent = (a1 * a1 + a2 * a2) ** 0.5
        of.direction[c, 0], of.direction[c, 1] = 0.0, 0.0
        if of.acceleration[3 * c] > size:
            of.chosen[c] = OPEN
        elif slip > 0.0 or mu_of[c] == 0.0:
            of.chosen[c] = SLIDE
            of.direction[c, 0], of.direction[c, 1] = 1.0, 0.0
            if slip > 0.0:
                of.direction[c, 0], of.direction[c, 1] = of.slip[c, 0] / slip, of.slip[c, 1] / slip
        elif tangent > size:
            of.chosen[c] = SLIDE
            of.direction[c, 0], of.direction[c, 1] = a1 / tangent, a2 / tangent
        else:
            of.chosen[c] = STICK


@part
def _find(contacts, of, k, mu_of):
    """See `accelerations.find_contact_states`."""
    for c in range(k):
        pair = contacts.slot_pair[of.slot[c]]
        rests = of.slip[c, 0] == 0.0 and of.slip[c, 1] == 0.0
        mu_of[c] = contacts.static_friction[pair] if rests else contacts.friction[pair]
    if not _choose(of, k, mu_of):
        return False
    again = False
    for c in range(k):
        pair = contacts.slot_pair[of.slot[c]]
        rests = of.slip[c, 0] == 0.0 and of.slip[c, 1] == 0.0
        less = contacts.static_friction[pair] > contacts.friction[pair]
        if of.used[c] == 1 and rests and less and of.chosen[c] == SLIDE:
            mu_of[c], again = contacts.friction[pair], True
    return _choose(of, k, mu_of) if again else True


@part
def _presses(contacts, of, k, loose):
    """Whether friction presses a point that slides more than it is pushed apart: Painlevé's paradox.

    loose = 1: what breaks loose does not slide yet.
    """
    for c in range(k):
        slip, mu, row = _speed(of, c), contacts.friction[contacts.slot_pair[of.slot[c]]], of.W[3 * c]
        begins = loose == 1 and of.loose[of.slot[c], 2] == 1.0
        slides = of.used[c] == 1 and not begins and mu > 0.0 and slip > 0.0 and row[3 * c] > 0.0
        if slides and row[3 * c] <= mu * (row[3 * c + 1] * of.slip[c, 0] + row[3 * c + 2] * of.slip[c, 1]) / slip:
            return True
    return False


@part
def _fit(tree, contacts, cw, w, m, of, k):
    """See `ContactEngine._fit`."""
    nq, nv, numbers, mu_of = tree.nq, tree.nv, of.numbers[0], of.vectors[4]
    left = 0
    for c in range(k):
        left += of.used[c]
    for _ in range(k + 1):
        if left == 0:
            return True
        edge = False
        for c in range(k):
            s, moves = of.slot[c], numbers.speed
            for axis in range(1, 3):
                x = 0.0
                for i in range(nv):
                    x += abs(of.J[3 * c + axis, i]) * abs(of.y[nq + i])
                moves = max(moves, x)
            of.slip[c, 0], of.slip[c, 1] = of.u[3 * c + 1], of.u[3 * c + 2]
            still = TURNED * numbers.speed if of.stopped[s] == 1 else STILL * moves
            if (m.state[s] == STICK and numbers.impacted == 0) or _speed(of, c) <= still:
                of.slip[c, 0], of.slip[c, 1] = 0.0, 0.0
            edge = edge or (of.used[c] == 1 and of.loose[s, 2] == 1.0)
        found = edge and _break_loose(contacts, of, k, mu_of)
        if not found:
            if edge:
                for c in range(k):
                    if of.loose[of.slot[c], 2] == 1.0:
                        of.slip[c, 0], of.slip[c, 1] = 0.0, 0.0
            if not _find(contacts, of, k, mu_of):
                return False
        if _presses(contacts, of, k, 1 if found else 0):
            return False
        for c in range(k):
            if of.used[c] == 1:
                lifted = of.force[3 * c] <= LIFTED * of.falling[of.slot[c]]
                _put(cw, m, of, c, OPEN if lifted else of.chosen[c])
        _count_closed(m)
        _evaluate(w, m, of, 0)
        least, most, worst, fallen = 1e300, 0.0, -1, -1e300
        for c in range(k):
            if of.used[c] == 1:
                force = m.force[of.slot[c], 0] if m.state[of.slot[c]] != OPEN else 0.0
                most = max(most, abs(force))
                if force < least:
                    least, worst = force, c
        for s in range(m.state.shape[0]):
            fallen = max(fallen, of.falling[s])
        changed = False
        if least < -PULLS * most:
            _open(cw, m, of.slot[worst], HOVERS)
            of.used[worst], changed, left = 0, True, left - 1
        else:
            for c in range(k):
                s = of.slot[c]
                if of.used[c] == 1 and m.state[s] != OPEN and m.force[s, 0] <= LIFTED * fallen:
                    _open(cw, m, s, 0.0)
                    of.used[c], changed, left = 0, True, left - 1
        _count_closed(m)
        if not changed:
            return True
    return True


@part
def _break_loose(contacts, of, k, mu_of):
    """See `ContactEngine._broken_loose`."""
    scale = 0.0
    for c in range(k):
        if of.used[c] == 1:
            for i in range(3):
                scale = max(scale, abs(of.b[3 * c + i]))
            if of.loose[of.slot[c], 2] == 1.0:
                of.slip[c, 0], of.slip[c, 1] = of.loose[of.slot[c], 0], of.loose[of.slot[c], 1]
    if not _find(contacts, of, k, mu_of):
        return False
    for c in range(k):
        if of.used[c] == 1 and of.loose[of.slot[c], 2] == 1.0 and of.chosen[c] == SLIDE:
            a = of.acceleration[3 * c + 1] * of.slip[c, 0] + of.acceleration[3 * c + 2] * of.slip[c, 1]
            if a < -EDGE * scale:
                return False
    return True


@helper
def _open(cw, m, s, allowance):
    m.state[s] = OPEN
    m.offset[s] = min(cw.gap[s], 0.0) - allowance


@part
def _put(cw, m, of, c, state):
    """See `EngineBase._set`."""
    s = of.slot[c]
    if state == OPEN:
        _open(cw, m, s, HOVERS if of.u[3 * c] < 0.0 else 0.0)
        return
    m.state[s], m.offset[s] = state, 0.0
    if state == SLIDE:
        d1, d2 = of.direction[c, 0], of.direction[c, 1]
        for i in range(3):
            m.direction[s, i] = d1 * cw.frame[s, 3 + i] + d2 * cw.frame[s, 6 + i]
        if of.u[3 * c + 1] * d1 + of.u[3 * c + 2] * d2 <= 0.0:
            m.offset[s] = 2.0 * (of.u[3 * c + 1] ** 2 + of.u[3 * c + 2] ** 2) ** 0.5


# ---------------------------------------------------------------------------------------------------- the whole instant


@part
def _find_edges(contacts, w, m, of):
    """Sticking contacts at the edge of their cones, of.loose; False if forces could be shared out otherwise."""
    sticking = 0
    for s in range(m.state.shape[0]):
        of.loose[s, 2] = 0.0
        if m.state[s] == STICK:
            sticking += 1
    if of.numbers[0].edge == 0:
        return True
    if sticking > 1:
        m.anchored[0], m.anchored[1] = 0.0, 0.0
        _evaluate(w, m, of, 0)
        if m.counts[0].redundant == 1:
            return False
    for s in range(m.state.shape[0]):
        if m.state[s] != STICK:
            continue
        f1, f2 = m.force[s, 1], m.force[s, 2]
        size = (f1 * f1 + f2 * f2) ** 0.5
        if size > 0.0 and size >= (1.0 - EDGE) * contacts.static_friction[contacts.slot_pair[s]] * m.force[s, 0]:
            of.loose[s, 0], of.loose[s, 1], of.loose[s, 2] = -f1 / size, -f2 / size, 1.0
    return True


@part
def _rest(contacts, cw, m, of, k):
    """Which points that touch do not part, of.used; all others are open then."""
    numbers, left = of.numbers[0], 0
    still = (PASSED if numbers.left == 1 else STILL) * numbers.speed
    if numbers.impacted == 1 and k > 0:
        still = max(still, _slowest_leave(cw, of, k))
    for c in range(k):
        of.used[c] = 0
        if of.u[3 * c] <= still:
            of.used[c] = 1
        else:
            m.offset[of.slot[c]] = min(cw.gap[of.slot[c]], 0.0) - (0.0 if numbers.impacted == 1 else NOISE)
    for s in range(m.state.shape[0]):
        stays = False
        for c in range(k):
            stays = stays or (of.slot[c] == s and of.used[c] == 1)
        if not stays:
            m.state[s] = OPEN
    # those that stay come first, as the engine has them
    for c in range(k):
        if of.used[c] == 0:
            continue
        if left < c:
            of.slot[left], of.used[left], of.used[c] = of.slot[c], 1, 0
            for i in range(3):
                of.u[3 * left + i], of.b[3 * left + i] = of.u[3 * c + i], of.b[3 * c + i]
                for j in range(of.J.shape[1]):
                    of.J[3 * left + i, j] = of.J[3 * c + i, j]
        left += 1
    _count_closed(m)
    return left


@part
def _clear(contacts, cw, w, m, of):
    """See `ContactEngine._clear`."""
    for i in range(of.y.shape[0]):
        w.y[i] = of.y[i]
    call_entry(w.calls[0].events, w.at[0].system)
    find_points(contacts, cw, w, NO_PLACE)
    _, mine = unpack(m.contact, CONTACT_CONTEXT)
    deepest, most = min(of.numbers[0].deepest, 0.0), 0.0
    for s in range(m.state.shape[0]):
        m.pull[s] = 0.0
        if m.state[s] != OPEN:
            most = max(most, abs(m.force[s, 0]))
            continue
        gap = cw.gap[s]
        if of.feature[s] > 0 and (gap >= TOUCH or m.offset[s] < gap - 0.5 * AWAY):
            m.offset[s] = 0.0
        if gap < TOUCH:
            less = DEEP if of.feature[s] == 2 else 1e-17 + 1e-16 * abs(gap)
            strange = of.feature[s] > 0 and gap < deepest - DEEP
            m.offset[s] = min(m.offset[s], gap - (AWAY if strange else less))
        m.offset[s] += min(mine.gap[s] - m.offset[s] - 1e-17, 0.0)
    small = NO_PULL * most
    for s in range(m.state.shape[0]):
        if m.state[s] != OPEN and m.force[s, 0] < small:
            m.pull[s] = small + 2.0 * max(-m.force[s, 0], 0.0)


@part
def _watch_edges(contacts, m):
    """See `ContactEngine._watch_edges`; False if a contact would stick beyond its cone."""
    largest, worst, bound_there = 0.0, -1e300, 0.0
    for s in range(m.state.shape[0]):
        for i in range(3):
            largest = max(largest, abs(m.force[s, i]))
    for s in range(m.state.shape[0]):
        if m.state[s] != STICK:
            continue
        bound = contacts.static_friction[contacts.slot_pair[s]] * max(m.force[s, 0], 0.0)
        over = (m.force[s, 1] ** 2 + m.force[s, 2] ** 2) ** 0.5 - bound
        if over > worst:
            worst, bound_there = over, bound
    if worst > OVERLOADED * (bound_there + largest):
        return False
    if worst > -1e300 and worst > -AT_THE_EDGE * largest:
        m.anchored[1] = max(m.anchored[1], max(worst, 0.0) + AT_THE_EDGE * largest)
    return True


@part
def _collide(tree, closures, contacts, cw, w, m, of):
    """See `ContactEngine._collide`; how many points touch after it, or -1."""
    numbers = of.numbers[0]
    for _ in range(MOST_ROUNDS):
        k = _look(tree, contacts, cw, w, m, of)
        if k <= 0:
            return k
        approach = 0.0
        for r in range(3 * k):
            numbers.speed = max(numbers.speed, abs(of.u[r]))
        for c in range(k):
            approach = min(approach, of.u[3 * c])
        if approach >= -STILL * numbers.speed:
            return k
        if not _impact(tree, closures, contacts, cw, w, m, of, k):
            return -1
    return -1


@part
def _transition(tree, closures, contacts, cw, w, m, of):
    """True if the instant has been treated."""
    nq, nv = tree.nq, tree.nv
    of.numbers[0].impacts, of.numbers[0].impacted = 0, 0
    if not _find_edges(contacts, w, m, of):
        return False
    k = _collide(tree, closures, contacts, cw, w, m, of)
    if k < 0:
        return False
    rest = _rest(contacts, cw, m, of, k)
    if rest > 0:
        _respond(tree, closures, w, m, of, 3 * rest)
        _delassus(of, 3 * rest, nv)
        if not _independent(of.W, 3 * rest, 3, of) or not _fit(tree, contacts, cw, w, m, of, rest):
            return False
        for i in range(of.y.shape[0]):
            w.y[i] = of.y[i]
        call_entry(w.calls[0].project, w.at[0].system)
        for i in range(nq + nv):
            of.y[i] = w.y[i]
    m.slow[0], m.slow[1] = SLOW * of.numbers[0].speed, 0.0
    sticking = 0
    m.anchored[0], m.anchored[1] = 0.0, 0.0
    for s in range(m.state.shape[0]):
        m.anchor[s, 0], m.anchor[s, 1], m.anchor[s, 2] = 0.0, 0.0, 0.0
        if m.state[s] == STICK:
            sticking += 1
    if sticking > 1:
        _evaluate(w, m, of, 0)
        if m.counts[0].redundant == 1:
            return False
    _clear(contacts, cw, w, m, of)
    return _watch_edges(contacts, m) if sticking > 0 else True


@entry
def transition_entry(address):
    """Entry: the transition in `Transition.y` at the time w.clock; numbers.outcome is DONE, or HARD."""
    context, of = unpack(address, TRANSITION_CONTEXT)
    tree, _, closures, w = unpack(context, REAL_CONTEXT)
    (m,) = unpack(w.at[0].contact_states, CONTACT_STATES_CONTEXT)
    contacts, cw = unpack(of.contact, CONTACT_CONTEXT)
    _keep(m, of, 0)
    if _transition(tree, closures, contacts, cw, w, m, of):
        of.numbers[0].outcome = DONE
        return
    of.numbers[0].outcome = HARD
    _keep(m, of, 1)
