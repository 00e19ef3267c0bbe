"""Resistance against rolling and turning in the event-driven engine: its states, and its share of impacts.

An impact has torque impulses as time stepping has: |P_t| <= a_r p_n against the rolling after it, |P_n| <= a_n p_n
against the turning, with the normal impulse p_n of the whole impact, or of a phase of it
(`contact.impact.friction_discs`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from duoti.contact.collide.arrays import Contacts
from duoti.contact.collide.geometry import angular_rows, rotate_body, slot_angular_velocity
from duoti.contact.event_driven.accelerations import ZERO, Found, RollingProblem, RollingState, Touching, read_states
from duoti.contact.event_driven.contact_states import (
    EVENTS_OF_ROLLING_FRICTION,
    EVENTS_PER_SLOT,
    FREE,
    HOLDS,
    OPEN,
    ROLLING,
    ROLLS,
    STICK,
    TORSIONAL,
    ContactStates,
)
from duoti.contact.impact.friction_discs import impulses_in_discs
from duoti.contact.impact.impact import ImpactSolution
from duoti.contact.impact.impact_problem import ImpactProblem
from duoti.contact.solve.friction_discs import Disc, solve_discs
from duoti.contact.workspace import ContactPoint
from duoti.kernel import helper, part
from duoti.spatial.algebra import add, dot, get3, scale
from duoti.system.arrays import Reals

# Resistance against rolling, and against turning about the normal, in the smooth motion between two transitions.
#
# With the normal force N of a point, and w the angular velocity of b less that of a (Leine & Glocker 2003):
#
#     |m_t| <= a_r N, against the rolling w_t;      |m_n| <= a_n N, against the turning w_n                       (1)
#
# Where a point rolls (TURNS), m_t = -a_r N w_t / |w_t| belongs to the column of its normal force; where it is held
# (HOLDS), w_t = 0 are two rows, and m_t their multipliers. The same about the normal, with one row.


ROLLING_REST = 1e-300
NEVER = 1.0  # value of an event function that is not needed


@helper
def is_row(m, s, axis):
    """Whether a closed slot has a row along n, t1, t2 (0, 1, 2), or of turning about these (3, 4, 5)."""
    if axis == 0:
        return True
    if axis < 3:
        return m.state[s] == STICK
    return m.rolling_states[s, TORSIONAL if axis == 3 else ROLLING] == HOLDS


@helper
def holds(m, s):
    """Whether a slot has rows beside that of its normal force."""
    return m.state[s] == STICK or m.rolling_states[s, ROLLING] == HOLDS or m.rolling_states[s, TORSIONAL] == HOLDS


@helper
def unit_direction(cw, s, u1, u2, last, slow):
    """Unit vector of (u1, u2) along t1 and t2; beyond the end of the motion, that which it had, last[s].

    So the motion is smooth through the instant at which it ends, and this can be located.
    """
    n1, n2 = dot(get3(cw.frame, s, 3), get3(last, s, 0)), dot(get3(cw.frame, s, 6), get3(last, s, 0))
    if u1 * n1 + u2 * n2 > 0.0:  # the slowest motion has no direction of its own
        n1, n2 = u1 + slow * n1, u2 + slow * n2
    size = max((n1 * n1 + n2 * n2) ** 0.5, ROLLING_REST)
    return n1 / size, n2 / size


@part
def signed_speed(cw, s, u1, u2, last, slow):
    """|(u1, u2)|, negative when it has passed zero; last[s] follows its direction, unless a root is being located."""
    u = add(scale(u1, get3(cw.frame, s, 3)), scale(u2, get3(cw.frame, s, 6)))
    size = (u1 * u1 + u2 * u2) ** 0.5
    along = dot(u, get3(last, s, 0))
    if along <= 0.0:
        return -size
    if along > 0.5 * size and size > 0.1 * slow:  # not the direction of round-off
        for i in range(3):
            last[s, i] = u[i] / size
    return size


@part
def evaluate_rolling(tree, contacts, cw, w, m, s):
    """m.turning[s] and the rows of turning, m.packed[3:], of a slot that resists."""
    m.moment[s, 0], m.moment[s, 1], m.moment[s, 2] = 0.0, 0.0, 0.0
    if m.rolling_states[s, ROLLING] != FREE or m.rolling_states[s, TORSIONAL] != FREE:
        m.turning[s, 0], m.turning[s, 1], m.turning[s, 2] = slot_angular_velocity(contacts, cw, w, s)
        angular_rows(tree, contacts, cw, w, s, m.packed, 3)


@part
def resisting_moment(contacts, cw, m, s):
    """Moments about n, t1, t2 of what turns, for a unit normal force (1)."""
    pair, m0, m1, m2 = contacts.slot_pair[s], 0.0, 0.0, 0.0
    if m.rolling_states[s, TORSIONAL] == ROLLS:
        m0 = -contacts.torsion[pair] * m.torsional[s]
    if m.rolling_states[s, ROLLING] == ROLLS:
        d1, d2 = unit_direction(cw, s, m.turning[s, 1], m.turning[s, 2], m.rolling, m.slow[1])
        m1, m2 = -contacts.rolling[pair] * d1, -contacts.rolling[pair] * d2
    return m0, m1, m2


@part
def push_moments(contacts, cw, w, m):
    """The moments of closed contacts on the bodies in w.F_ext."""
    for s in range(contacts.slots):
        if m.state[s] == OPEN:
            continue
        torque = add(
            scale(m.moment[s, 0], get3(cw.frame, s, 0)),
            add(scale(m.moment[s, 1], get3(cw.frame, s, 3)), scale(m.moment[s, 2], get3(cw.frame, s, 6))),
        )
        pair = contacts.slot_pair[s]
        rotate_body(w, w.F_ext, contacts.shape_body[contacts.pair_shapes[pair, 0]], scale(-1.0, torque))
        rotate_body(w, w.F_ext, contacts.shape_body[contacts.pair_shapes[pair, 1]], torque)


@part
def rolling_friction_events(w, contacts, cw, m):
    """Two for each slot behind those of all slots, falling through zero: what is held, distance from its bound; what
    turns, its speed."""
    first = m.counts[0].events + EVENTS_PER_SLOT * contacts.slots
    for s in range(contacts.slots):
        e, pair = first + EVENTS_OF_ROLLING_FRICTION * s, contacts.slot_pair[s]
        w.event[e + ROLLING], w.event[e + TORSIONAL] = NEVER, NEVER
        if m.state[s] == OPEN:
            continue
        m1, m2 = m.moment[s, 1], m.moment[s, 2]
        if m.rolling_states[s, ROLLING] == HOLDS:
            w.event[e + ROLLING] = contacts.rolling[pair] * m.force[s, 0] - (m1 * m1 + m2 * m2) ** 0.5
        elif m.rolling_states[s, ROLLING] == ROLLS:
            speed = signed_speed(cw, s, m.turning[s, 1], m.turning[s, 2], m.rolling, m.slow[1])
            w.event[e + ROLLING] = speed + m.begun[s, ROLLING]
        if m.rolling_states[s, TORSIONAL] == HOLDS:
            w.event[e + TORSIONAL] = contacts.torsion[pair] * m.force[s, 0] - abs(m.moment[s, 0])
        elif m.rolling_states[s, TORSIONAL] == ROLLS:
            w.event[e + TORSIONAL] = m.torsional[s] * m.turning[s, 0] + m.begun[s, TORSIONAL]


# Which contacts that resist rolling and turning are held, and which turn: a part of the problem of accelerations.
#
# As for friction (`contact.event_driven.accelerations`): where something turns, its moment belongs to the normal force;
# where it is at rest, |m_t| <= a_r f_n with no angular acceleration, or m_t = -a_r f_n against it, and the same about
# the normal.


def solve_rolling(problem: Touching, mu: Reals, at_rest: Reals) -> Found | None:
    """A solution with the coefficients mu of friction; None if none was found."""
    turning = problem.turning
    assert turning is not None
    k, n = len(mu), len(turning.b)
    F, discs = np.eye(n), list[Disc]()
    for c in range(k):
        if at_rest[c] and mu[c] > 0.0:
            discs.append(Disc((3 * c + 1, 3 * c + 2), 3 * c, float(mu[c])))
        elif mu[c] > 0.0:
            F[3 * c + 1 : 3 * c + 3, 3 * c] = -mu[c] * problem.slip[c] / np.linalg.norm(problem.slip[c])
    for i, c in enumerate(turning.point):
        at = 3 * k + 3 * i
        for arm, rows in ((turning.torsion[i], (at,)), (turning.rolling[i], (at + 1, at + 2))):
            speed = turning.speed[i, [row - at for row in rows]]
            if arm > 0.0 and not np.any(speed):
                discs.append(Disc(rows, 3 * c, float(arm)))
            elif arm > 0.0:
                F[list(rows), 3 * c] = -arm * speed / np.linalg.norm(speed)
    used = sorted({3 * c for c in range(k)} | {row for disc in discs for row in disc.rows})
    place = {row: j for j, row in enumerate(used)}
    moved = [Disc(tuple(place[row] for row in d.rows), place[d.owner], d.radius) for d in discs]
    D, normals = (turning.W @ F)[np.ix_(used, used)], [place[3 * c] for c in range(k)]
    solved = solve_discs(np.ascontiguousarray(D), turning.b[used], normals, moved)
    if solved is None:
        return None
    force = F[:, used] @ solved.z
    acceleration = turning.W @ force + turning.b
    for disc, held in zip(discs, solved.held, strict=True):
        if held:  # not only but for what contradicting rows leave
            acceleration[list(disc.rows)] = 0.0
    found = read_states(problem, mu, at_rest, force[: 3 * k], acceleration[: 3 * k])
    return found._replace(rolling_states=_read(problem, turning, force, acceleration))


def angular_size(problem: Touching, turning: RollingProblem, acceleration: Reals) -> Reals:
    """[r] what angular accelerations of the points are measured by [rad/s²].

    Those that there are, and what forces that make the accelerations of the contacts would make with the arm at which
    they meet as much inertia in turning.
    """
    k = len(problem.friction)
    linear = float(np.max(np.abs([problem.b, acceleration[: 3 * k]])))
    own = np.diag(turning.W)[3 * k :].reshape(-1, 3).max(axis=1)
    arms = np.sqrt(own / np.diag(problem.W)[3 * np.array(turning.point)])
    both = np.abs(np.stack([turning.b, acceleration])[:, 3 * k :])
    return np.maximum(linear * arms, both.reshape(2, -1, 3).max(axis=(0, 2)))


def _read(problem: Touching, turning: RollingProblem, force: Reals, acceleration: Reals) -> dict[int, RollingState]:
    """States of what resists, from the accelerations."""
    k = len(problem.friction)
    size = angular_size(problem, turning, acceleration)
    found: dict[int, RollingState] = {}
    for i, c in enumerate(turning.point):
        at, small = 3 * k + 3 * i, ZERO * size[i]
        alpha, speed = acceleration[at : at + 3], turning.speed[i]
        roll, torsional, direction, sign = FREE, FREE, np.array([1.0, 0.0]), 1.0
        if turning.rolling[i] > 0.0:
            moves = speed[1:] if np.any(speed[1:]) else alpha[1:] if np.linalg.norm(alpha[1:]) > small else None
            roll = HOLDS if moves is None else ROLLS
            direction = direction if moves is None else moves / np.linalg.norm(moves)
        if turning.torsion[i] > 0.0:
            turns = float(speed[0]) if speed[0] != 0.0 else float(alpha[0]) if abs(alpha[0]) > small else 0.0
            torsional, sign = (ROLLS, float(np.sign(turns))) if turns else (HOLDS, 1.0)
        found[c] = RollingState(roll, torsional, direction, sign, alpha, force[at : at + 3])
    return found


NO_ROLLING = 1e-6  # rad/s: small parts of it are no motion of anything
NO_MOTION = 1e-9  # part of the greatest speed of turning so far
ENDED = 1e-5  # the same of what was found to end, with a part across that its resistance no longer stops
EDGE = 1e-7  # part of the bound: at its edge


class RollingFriction:
    """States of all points that resist."""

    def __init__(self, contacts: Contacts, states: ContactStates):
        self.contacts, self.states = contacts, states
        self.speed = NO_ROLLING  # greatest angular velocity in a contact that resists, so far
        self.stopped: set[tuple[int, int]] = set()
        self.breaking: dict[tuple[int, int], Reals] = {}
        self.lost: dict[int, float] = {}  # in the last impact, by number of the point [J]

    def resisting(self, points: list[ContactPoint]) -> list[int]:
        """Numbers of the points that resist."""
        c = self.contacts
        return [i for i, p in enumerate(points) if c.rolling[p.pair] > 0.0 or c.torsion[p.pair] > 0.0]

    def watch(self, watches: Any) -> None:
        """The greatest speeds within the last step: at its end there may be none left."""
        for s, kind in np.argwhere(
            (self.states.rolling_states == ROLLS) & (self.states.state != OPEN)[:, None]
        ).tolist():
            self.speed = max(self.speed, float(watches[EVENTS_OF_ROLLING_FRICTION * s + kind].size))

    def take(self, fired: list[int]) -> None:
        """What has ended, or is about to begin; fired: numbers of event functions of resistance."""
        m = self.states
        found = {divmod(k, EVENTS_OF_ROLLING_FRICTION) for k in fired}
        self.stopped = {(s, kind) for s, kind in found if m.rolling_states[s, kind] == ROLLS}
        self.breaking = self._at_the_edge() if found - self.stopped else {}

    def _at_the_edge(self) -> dict[tuple[int, int], Reals]:
        """What is held by a moment that has reached its bound, with the direction in which it will turn."""
        m, found = self.states, dict[tuple[int, int], Reals]()
        for s, kind in np.argwhere((m.rolling_states == HOLDS) & (m.state != OPEN)[:, None]).tolist():
            arms, rows = (
                (self.contacts.torsion, slice(0, 1)) if kind == TORSIONAL else (self.contacts.rolling, slice(1, 3))
            )
            moment = m.moment[s, rows]
            size = float(np.linalg.norm(moment))
            if size > 0.0 and size >= (1.0 - EDGE) * arms[self.contacts.slot_pair[s]] * m.force[s, 0]:
                found[s, kind] = -moment / size
        return found

    def overloaded(self) -> list[int]:
        """Slots that had reached a bound at this transition, are held nevertheless, and still need all of it.

        Needs the forces of the motion that follows. Where rows are redundant others can bear more.
        """
        if not self.breaking or self.states.counts[0].redundant:
            return []
        return [s for s, kind in self._at_the_edge() if (s, kind) in self.breaking]

    def problem(
        self, points: list[ContactPoint], v: Reals, a: Reals, inverse: Reals, impacted: bool
    ) -> RollingProblem | None:
        """Their part of the problem of accelerations a; None if none of the points resists."""
        numbers, m = self.resisting(points), self.states
        if not numbers:
            return None
        chosen = [points[i] for i in numbers]
        J = np.concatenate([*(p.G for p in points), *(p.turning for p in chosen)])
        b = J @ a + np.concatenate([*(p.bias for p in points), *(p.angular_bias for p in chosen)])
        speed = np.array([p.turning @ v for p in chosen])
        self.speed = max(self.speed, float(np.max(np.abs(speed))))
        for i, p in enumerate(chosen):
            for kind, rows in ((ROLLING, slice(1, 3)), (TORSIONAL, slice(0, 1))):
                part = ENDED if (p.slot, kind) in self.stopped else NO_MOTION
                at_rest = m.rolling_states[p.slot, kind] == HOLDS and m.state[p.slot] != OPEN and not impacted
                if at_rest or float(np.linalg.norm(speed[i, rows])) <= part * self.speed:
                    speed[i, rows] = 0.0
        pairs = [p.pair for p in chosen]
        return RollingProblem(
            numbers, J @ inverse @ J.T, b, speed, self.contacts.rolling[pairs], self.contacts.torsion[pairs]
        )

    def broken_loose(self, problem: Touching, points: list[ContactPoint]) -> Touching:
        """The problem in which what is about to turn does so."""
        if problem.turning is None or not self.breaking:
            return problem
        speed = problem.turning.speed.copy()
        for i, c in enumerate(problem.turning.point):
            for kind, rows in ((ROLLING, slice(1, 3)), (TORSIONAL, slice(0, 1))):
                if (points[c].slot, kind) in self.breaking:
                    speed[i, rows] = self.breaking[points[c].slot, kind]
        return problem._replace(turning=problem.turning._replace(speed=speed))

    def goes_back(self, problem: Touching, points: list[ContactPoint], found: Found) -> bool:
        """Whether something that was about to turn (see `broken_loose`) would be turned the other way."""
        assert problem.turning is not None
        alpha = np.concatenate([each.acceleration for each in found.rolling_states.values()])
        sizes = angular_size(problem, problem.turning, np.concatenate([found.acceleration, alpha]))
        for i, (c, a) in enumerate(zip(problem.turning.point, alpha.reshape(-1, 3), strict=True)):
            for kind, rows in ((ROLLING, slice(1, 3)), (TORSIONAL, slice(0, 1))):
                direction = self.breaking.get((points[c].slot, kind))
                if direction is not None and float(direction @ a[rows]) < -EDGE * sizes[i]:
                    return True
        return False

    def put(self, p: ContactPoint, i: int, found: Found, v: Reals) -> None:
        """States of point i, which is closed."""
        m, s = self.states, p.slot
        m.rolling_states[s] = FREE
        if i not in found.rolling_states:
            return
        each, w = found.rolling_states[i], p.turning @ v
        m.rolling_states[s, ROLLING], m.rolling_states[s, TORSIONAL], m.begun[s] = each.roll, each.torsional, 0.0
        m.rolling[s], m.torsional[s] = each.direction @ p.frame[1:], each.sign
        if each.roll == ROLLS and w[1:] @ each.direction <= 0.0:  # what is left of the motion before must not end it
            m.begun[s, ROLLING] = 2.0 * float(np.linalg.norm(w[1:]))
        if each.torsional == ROLLS and w[0] * each.sign <= 0.0:
            m.begun[s, TORSIONAL] = 2.0 * abs(float(w[0]))

    # --------------------------------------------------------------------------------------------------------- impacts

    def rows(self, of: ImpactProblem, size: int) -> tuple[Reals, list[Disc]]:
        """Rows of an impact with those of turning behind them, and discs of friction and resistance.

        size: rows of each point (and stop of a joint) in of.J.
        """
        J, discs, c, at = [of.J], friction_discs(of.mu, size), self.contacts, len(of.J)
        for i in self.resisting(of.points):
            J.append(of.points[i].turning)
            for arms, rows in ((c.rolling, (at + 1, at + 2)), (c.torsion, (at,))):
                if (arm := float(arms[of.points[i].pair])) > 0.0:
                    discs.append(Disc(rows, size * i, arm))
            at += 3
        return np.concatenate(J), discs

    def book(self, of: ImpactProblem, p: Reals, before: Reals, after: Reals) -> None:
        """Energy that the torque impulses of an impact take, by number of the point."""
        works, rows = -0.5 * p * (before + after), len(of.J)
        self.lost = {i: float(np.sum(works[rows + 3 * k :][:3])) for k, i in enumerate(self.resisting(of.points))}

    def solve_impact(
        self, of: ImpactProblem, v: Reals, small: float, rest: float, size: int
    ) -> tuple[ImpactSolution, Reals] | None:
        """Impulses of an impact, and the change of the rates; None if none of its points resists.

        small, rest: speeds that are round-off, and that count as none [m/s].
        """
        self.lost = {}
        if not self.resisting(of.points):
            return None
        J, discs = self.rows(of, size)
        rows, before = len(of.J), J @ v
        normals = list(range(0, rows, size))
        p, wrong = impulses_in_discs(of.response(J), before, normals, discs, of.e, of.law, small, rest)
        change = of.inverse @ J.T @ p
        after = J @ (v + change)
        self.book(of, p, before, after)
        lost, exchanged = (
            -0.5 * float(p @ (before + after)), 0.5 * float(np.abs(p) @ (np.abs(before) + np.abs(after))),
        )  # fmt: skip
        return ImpactSolution(p[:rows], after[:rows], lost, not wrong, wrong or "solved", exchanged, of.law), change


def friction_discs(mu: Reals, size: int) -> list[Disc]:
    """Of the points of an impact with so many rows each."""
    return [
        Disc(tuple(range(size * i + 1, size * (i + 1))), size * i, float(each))
        for i, each in enumerate(mu) if each > 0.0 and size > 1
    ]  # fmt: skip
