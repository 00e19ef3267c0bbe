"""Resistance against rolling and turning in the event-driven engine: its modes, and its share of impacts.

An impact has torque impulses as time stepping has: |P_t| <= a_r p_n against the rolling after it, |P_n| <= a_n p_n
against the turning, with the normal impulse p_n of the whole impact, or of a phase of it
(`contact.impact.friction_discs`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from duoti.contact.collide.arrays import Contacts
from duoti.contact.event_driven.accelerations import Found, Touching, Turning
from duoti.contact.event_driven.contact_states import (
    DRILLING,
    EVENTS_OF_RESISTANCE,
    FREE,
    HOLDS,
    OPEN,
    ROLLING,
    ROLLS,
    ContactModes,
)
from duoti.contact.event_driven.rolling_states import angular_size
from duoti.contact.impact.friction_discs import impulses_in_discs
from duoti.contact.impact.impact import ImpactSolution
from duoti.contact.impact.impact_problem import Strike
from duoti.contact.solve.friction_discs import Disc
from duoti.contact.workspace import ContactPoint
from duoti.system.arrays import Reals

NO_TURNING = 1e-6  # rad/s: small parts of it are no motion of anything
NO_MOTION = 1e-9  # part of the greatest speed of turning so far
ENDED = 1e-5  # the same of what was found to end, with a part across that its resistance no longer stops
EDGE = 1e-7  # part of the bound: at its edge


class Resistance:
    """Modes of all points that resist."""

    def __init__(self, contacts: Contacts, modes: ContactModes):
        self.contacts, self.modes = contacts, modes
        self.speed = NO_TURNING  # greatest angular velocity in a contact that resists, so far
        self.stopped: set[tuple[int, int]] = set()
        self.breaking: dict[tuple[int, int], Reals] = {}
        self.lost: dict[int, float] = {}  # in the last impact, by number of the point [J]

    def resisting(self, points: list[ContactPoint]) -> list[int]:
        """Numbers of the points that resist."""
        c = self.contacts
        return [i for i, p in enumerate(points) if c.rolling[p.pair] > 0.0 or c.torsion[p.pair] > 0.0]

    def watch(self, watches: Any) -> None:
        """The greatest speeds within the last step: at its end there may be none left."""
        for s, kind in np.argwhere((self.modes.resist == ROLLS) & (self.modes.mode != OPEN)[:, None]).tolist():
            self.speed = max(self.speed, float(watches[EVENTS_OF_RESISTANCE * s + kind].size))

    def take(self, fired: list[int]) -> None:
        """What has ended, or is about to begin; fired: numbers of event functions of resistance."""
        m = self.modes
        found = {divmod(k, EVENTS_OF_RESISTANCE) for k in fired}
        self.stopped = {(s, kind) for s, kind in found if m.resist[s, kind] == ROLLS}
        self.breaking = self._at_the_edge() if found - self.stopped else {}

    def _at_the_edge(self) -> dict[tuple[int, int], Reals]:
        """What is held by a moment that has reached its bound, with the direction in which it will turn."""
        m, found = self.modes, dict[tuple[int, int], Reals]()
        for s, kind in np.argwhere((m.resist == HOLDS) & (m.mode != OPEN)[:, None]).tolist():
            arms, rows = (
                (self.contacts.torsion, slice(0, 1)) if kind == DRILLING else (self.contacts.rolling, slice(1, 3))
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
        if not self.breaking or self.modes.counts[0].redundant:
            return []
        return [s for s, kind in self._at_the_edge() if (s, kind) in self.breaking]

    def problem(self, points: list[ContactPoint], v: Reals, a: Reals, inverse: Reals, struck: bool) -> Turning | None:
        """Their part of the problem of accelerations a; None if none of the points resists."""
        numbers, m = self.resisting(points), self.modes
        if not numbers:
            return None
        chosen = [points[i] for i in numbers]
        J = np.concatenate([*(p.G for p in points), *(p.turning for p in chosen)])
        b = J @ a + np.concatenate([*(p.bias for p in points), *(p.turning_bias for p in chosen)])
        speed = np.array([p.turning @ v for p in chosen])
        self.speed = max(self.speed, float(np.max(np.abs(speed))))
        for i, p in enumerate(chosen):
            for kind, rows in ((ROLLING, slice(1, 3)), (DRILLING, slice(0, 1))):
                part = ENDED if (p.slot, kind) in self.stopped else NO_MOTION
                at_rest = m.resist[p.slot, kind] == HOLDS and m.mode[p.slot] != OPEN and not struck
                if at_rest or float(np.linalg.norm(speed[i, rows])) <= part * self.speed:
                    speed[i, rows] = 0.0
        pairs = [p.pair for p in chosen]
        return Turning(numbers, J @ inverse @ J.T, b, speed, self.contacts.rolling[pairs], self.contacts.torsion[pairs])

    def broken_loose(self, problem: Touching, points: list[ContactPoint]) -> Touching:
        """The problem in which what is about to turn does so."""
        if problem.turning is None or not self.breaking:
            return problem
        speed = problem.turning.speed.copy()
        for i, c in enumerate(problem.turning.point):
            for kind, rows in ((ROLLING, slice(1, 3)), (DRILLING, slice(0, 1))):
                if (points[c].slot, kind) in self.breaking:
                    speed[i, rows] = self.breaking[points[c].slot, kind]
        return problem._replace(turning=problem.turning._replace(speed=speed))

    def goes_back(self, problem: Touching, points: list[ContactPoint], found: Found) -> bool:
        """Whether something that was about to turn (see `broken_loose`) would be turned the other way."""
        assert problem.turning is not None
        alpha = np.concatenate([each.acceleration for each in found.resist.values()])
        sizes = angular_size(problem, problem.turning, np.concatenate([found.acceleration, alpha]))
        for i, (c, a) in enumerate(zip(problem.turning.point, alpha.reshape(-1, 3), strict=True)):
            for kind, rows in ((ROLLING, slice(1, 3)), (DRILLING, slice(0, 1))):
                direction = self.breaking.get((points[c].slot, kind))
                if direction is not None and float(direction @ a[rows]) < -EDGE * sizes[i]:
                    return True
        return False

    def put(self, p: ContactPoint, i: int, found: Found, v: Reals) -> None:
        """Modes of point i, which is closed."""
        m, s = self.modes, p.slot
        m.resist[s] = FREE
        if i not in found.resist:
            return
        each, w = found.resist[i], p.turning @ v
        m.resist[s, ROLLING], m.resist[s, DRILLING], m.begun[s] = each.roll, each.drill, 0.0
        m.rolling[s], m.drilling[s] = each.direction @ p.frame[1:], each.sign
        if each.roll == ROLLS and w[1:] @ each.direction <= 0.0:  # what is left of the motion before must not end it
            m.begun[s, ROLLING] = 2.0 * float(np.linalg.norm(w[1:]))
        if each.drill == ROLLS and w[0] * each.sign <= 0.0:
            m.begun[s, DRILLING] = 2.0 * abs(float(w[0]))

    # --------------------------------------------------------------------------------------------------------- impacts

    def rows(self, of: Strike, size: int) -> tuple[Reals, list[Disc]]:
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

    def book(self, of: Strike, p: Reals, before: Reals, after: Reals) -> None:
        """Energy that the torque impulses of an impact take, by number of the point."""
        works, rows = -0.5 * p * (before + after), len(of.J)
        self.lost = {i: float(np.sum(works[rows + 3 * k :][:3])) for k, i in enumerate(self.resisting(of.points))}

    def strike(self, of: Strike, v: Reals, small: float, rest: float, size: int) -> tuple[ImpactSolution, Reals] | None:
        """Impulses of an impact, and the change of the rates; None if none of its points resists.

        small, rest: speeds that are round-off, and that count as none [m/s].
        """
        self.lost = {}
        if not self.resisting(of.points):
            return None
        J, discs = self.rows(of, size)
        rows, before = len(of.J), J @ v
        normals = list(range(0, rows, size))
        p, wrong = impulses_in_discs(J @ of.inverse @ J.T, before, normals, discs, of.e, of.law, small, rest)
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
