"""The event-driven engine: impacts are located, and modes of contacts that change at transitions.

Between transitions `contact.event_driven.smooth_motion` is the motion, compiled; its event functions end a step where
something happens. Here is what then happens: impacts, until nothing approaches any more, and the modes in which the
motion goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from duoti.contact.event_driven.accelerations import Found, Touching, effective_masses, find_modes
from duoti.contact.event_driven.contact_states import ENDS, EVENTS_PER_SLOT, OPEN, SLIDE, STICK
from duoti.contact.event_driven.depenetration import part_features
from duoti.contact.event_driven.engine_base import AWAY, DEEP, HOVERS, TOUCH, EngineBase
from duoti.contact.event_driven.engine_setup import contact_events
from duoti.contact.event_driven.records import ContactError, ImpactRecord
from duoti.contact.impact.impact import ImpactSolution, solve_impact
from duoti.contact.impact.impact_problem import Strike
from duoti.contact.impact.least_norm import sliding
from duoti.contact.impact.uniqueness import unique_impulses
from duoti.contact.workspace import ContactPoint, impact_rows, slowest_leave
from duoti.kernel import run_entry
from duoti.model.contacts.rigid_contact import IMPACTS
from duoti.system.arrays import Reals

STILL = 1e-9  # part of the greatest speed of a contact so far: no motion
SLOW = 1e-5  # the same: slip that begins has the direction of its force until it is faster, else it is stiff
PASSED = 1e-7  # the same: of a normal that turned where a point passed the end of a feature, with 1e-9 of its size
TURNED = SLOW  # the same: slip that passed zero, with a part across that its friction no longer stops
ROUND_OFF = 1e-14  # the same: error of speeds
REST = 1e-7  # the same: an approach so slow is the last of a sequence of impacts, and ends it
NOISE = 1e-14  # m: gap of a point that was found closed as it leaves
EDGE = 1e-7  # part of the friction: at the edge of the cone
LIFTED = 1e-9  # part of the normal force within the last step: one that has fallen through zero
FIXED = 1e-9  # part of what an impulse would move without constraints: nothing
NO_PULL = 1e-12  # part of the greatest normal force: none
OVERLAP = 1e-6  # m at the start: moved apart, and said
MOST_JAMS = 100  # impacts without collision in a run
MOST_ROUNDS = 200  # of impacts at one instant


class Inconsistent(ContactError):  # noqa: N818 (most often caught here)
    """The problem of accelerations has no solution."""

    def __init__(self, problem: Touching, points: list[ContactPoint], text: str):
        super().__init__(text)
        self.problem, self.points = problem, points


class ContactEngine(EngineBase):
    """Rigid contacts of a system in an event-driven run."""

    # ----------------------------------------------------------------------------------------------------- transitions

    def start(self, t: float, y: Reals) -> None:
        """Modes at the beginning; what touches and approaches has its impact at once."""
        self._remember(t)
        self.given = self.deepest_of(y)
        if self.given < -OVERLAP:
            part_features(self, t, y)
        self.deepest = self.deepest_of(y)
        self.transition(t, y, ())

    def fired(self, watches: Any) -> list[int]:
        """Event functions of contacts that ended the last step, by number."""
        count = contact_events(self.of)
        found = np.flatnonzero(watches["fired"][self.events : self.events + count]).tolist()
        self.falling = {  # closed contacts whose force has come to zero, with its size in the step
            k // EVENTS_PER_SLOT: float(watches[self.events + k].size)
            for k in found
            if k < self.slot_events and k % EVENTS_PER_SLOT == 0 and self.modes.mode[k // EVENTS_PER_SLOT] != OPEN
        }
        for s in np.flatnonzero(self.modes.mode == SLIDE):  # slip within the step: at its end there may be none left
            self.speed = max(self.speed, float(watches[self.events + EVENTS_PER_SLOT * s + 1].size))
        if self.resistance:
            self.resistance.watch(watches[self.events + self.slot_events :])
        return found

    def transition(self, t: float, y: Reals, fired: Any) -> None:
        """Change y and the modes at an instant; fired: numbers of event functions that brought us here."""
        m = self.modes
        if self.resistance:
            self.resistance.take([k - self.slot_events for k in fired if k >= self.slot_events])
        fired = [k for k in fired if k < self.slot_events]
        slots = {k // EVENTS_PER_SLOT for k in fired if k % EVENTS_PER_SLOT == 0}
        slots |= self.rims.closing(y, {s for s in slots if m.mode[s] == OPEN})
        second = {k // EVENTS_PER_SLOT for k in fired if k % EVENTS_PER_SLOT == 1}
        stopped = {s for s in second if m.mode[s] == SLIDE}
        self.breaking = self._at_the_edge() if second - stopped else {}
        self.struck, self.left = False, any(k % EVENTS_PER_SLOT == ENDS for k in fired)
        self._collide(t, y, slots)
        for _ in range(MOST_ROUNDS):
            if not self.struck or not self.rims.aim(t, y, slots):
                break
            self._collide(t, y, slots)
        self._choose_modes(t, y, slots, stopped)
        self.rims.label(t, y)
        m.slow[:] = SLOW * self.speed, SLOW * self.resistance.speed if self.resistance else 0.0
        self._clear(t, y)
        if self.resistance and (overloaded := self.resistance.overloaded()):
            name = self.of.names[self.contacts.element[self.contacts.slot_pair[overloaded[0]]]]
            raise ContactError(f'contact "{name}" holds more than its resistance against turning at t = {t:.9g} s')
        self._remember(t)
        self.falling = {}

    def _at_the_edge(self) -> dict[int, Reals]:
        """Sticking contacts whose force has reached the edge of the cone, with the direction of their slip."""
        m, found = self.modes, dict[int, Reals]()
        for s in np.flatnonzero(m.mode == STICK):
            tangent, pair = m.force[s, 1:], self.contacts.slot_pair[s]
            size = float(np.linalg.norm(tangent))
            if size > 0.0 and size >= (1.0 - EDGE) * self.contacts.static_friction[pair] * m.force[s, 0]:
                found[int(s)] = -tangent / size
        return found

    # --------------------------------------------------------------------------------------------------------- impacts

    def _collide(self, t: float, y: Reals, slots: set[int]) -> None:
        """Impacts of all that touches, until nothing approaches."""
        _, v = self._split(y)
        for _ in range(MOST_ROUNDS):
            points = self._touching(y, slots)
            if not points:
                return
            J = np.concatenate([p.G for p in points])
            u = J @ v
            self.speed = max(self.speed, float(np.max(np.abs(u))))
            if np.all(u[::3] >= -STILL * self.speed):
                return
            self._impact(t, y, points)  # also of those that separate, since the others may press them
        raise ContactError(f"{MOST_ROUNDS} impacts at t = {t:.9g} s do not come to an end")

    def _impact(self, t: float, y: Reals, points: list[ContactPoint], law: Any = None) -> None:
        M, inverse, a = self.free(t, y, impact=True)
        _, v = self._split(y)
        pairs = [p.pair for p in points]
        rows = impact_rows(points, inverse)
        J = np.concatenate([row for row, _ in rows])
        dimension = len(J) // len(points)
        u = J @ v
        mu, e = self.contacts.friction[pairs], self.contacts.restitution[pairs].copy()
        slow = (u[::dimension] > -REST * self.speed) | (-e * u[::dimension] < slowest_leave(points, a))
        if law is None:  # without rebound all laws are that of Newton, which leaves no speed of round-off
            law = IMPACTS[int(np.max(self.contacts.impact[pairs] * (e > 0.0)))] if np.any(e[~slow]) else "newton"
        if law == "newton":  # in the others, what touches at rest gives back what it is given within the impact
            e[slow] = 0.0
        strike = Strike(t, y, M, inverse, points, [axes for _, axes in rows], J, mu, e, law)
        s, change = self._strike(strike)
        if not s.ok and law == "newton" and np.any(e):  # with friction, a rate after the impact may be impossible
            s, change = self._without_newton(strike)
        if not s.ok:
            normal = J[::dimension]
            fixed = np.einsum("ij,ij->i", normal @ inverse, normal) <= FIXED * np.einsum(
                "ij,ji->i", normal, np.linalg.solve(M, normal.T)
            )
            why = s.reason
            if np.any(fixed):
                why = (
                    "no impulse changes the motion there, which constraints or drives prescribe; let the drive give way"
                )
            raise ContactError(f"an impact at t = {t:.9g} s of {self._names(points)} could not be solved: {why}")
        before = 0.5 * float(v @ M @ v)
        v += change
        self.struck = True
        after = 0.5 * float(v @ M @ v)
        taken = before - after
        if self.system.closures.timed and not self.joints_share:  # the rest is what prescribed motions do meanwhile
            taken = -0.5 * float(s.p @ (u + s.u)) + (sum(self.resistance.lost.values()) if self.resistance else 0.0)
        y[-2] += after - before + taken
        y[-1] += taken
        if s.gains_energy:
            self._note(f'the impact law "{law}" made {after - before:.4g} J at t = {t:.6g} s: {self._names(points)}')
        unique = self._unique(strike, s)
        for i, (p, (_, axes)) in enumerate(zip(points, rows, strict=True)):
            part = slice(dimension * i, dimension * (i + 1))
            row = J[dimension * i]
            if s.p[part][0] * float(row @ inverse @ row) <= STILL * self.speed:  # none, or round-off
                continue
            impulse = s.p[part] @ axes
            speeds = float(u[part][0]), float(s.u[part][0])
            lost = -0.5 * float(s.p[part] @ (u[part] + s.u[part]))
            lost += self.resistance.lost.get(i, 0.0) if self.resistance else 0.0
            impulse = -impulse if p.swapped else impulse
            self.impacts.append(ImpactRecord(t, p.name, impulse, p.point, speeds, lost, *unique[i]))

    def _unique(self, of: Strike, s: ImpactSolution) -> Sequence[tuple[bool | None, bool | None]]:
        """Whether the impulse of each point is unique, and the sum over its pair; not looked at with resistance."""
        if self.resistance and self.resistance.resisting(of.points):
            return [(None, None)] * len(of.points)
        each = zip(s.p.reshape(len(of.points), -1), s.u.reshape(len(of.points), -1), of.mu, strict=True)
        slides = [sliding(p, u, float(mu), self.speed) for p, u, mu in each]
        return unique_impulses(of.J, of.inverse, s.p, slides, of.axes, [point.pair for point in of.points])

    def _without_newton(self, of: Strike) -> tuple[ImpactSolution, Reals]:
        """An impact that leaves no solution to Newton's law: by Poisson's, or without rebound."""
        for other in (of._replace(law="poisson"), of._replace(e=np.zeros_like(of.e))):
            s, change = self._strike(other)
            if s.ok:
                self.without_newton.append(of.t)
                how = "is one without rebound" if other.law == "newton" else "follows Poisson's"
                self._note(
                    f"Newton's law of impact has no solution with the friction of {self._names(of.points)} at "
                    f"t = {of.t:.6g} s: the impact {how}"
                )
                break
        return s, change

    def small_speeds(self) -> tuple[float, float]:
        """Speeds that are round-off, and that count as none [m/s]."""
        return ROUND_OFF * self.speed, STILL * self.speed

    def _strike(self, of: Strike) -> tuple[ImpactSolution, Reals]:
        """Impulses of an impact, and the change of the rates."""
        v = self._split(of.y)[1]
        resisted = self.resistance.strike(of, v, *self.small_speeds(), of.dimension) if self.resistance else None
        if resisted:
            return resisted
        u = of.J @ v
        W = of.J @ of.inverse @ of.J.T
        s = solve_impact(W, u, of.mu, of.e, law=of.law, dimension=of.dimension, round_off=ROUND_OFF * self.speed)
        return s, of.inverse @ of.J.T @ s.p

    # ----------------------------------------------------------------------------------------------------------- modes

    def _choose_modes(self, t: float, y: Reals, slots: set[int], stopped: set[int]) -> None:
        """Modes in which the motion goes on, from the problem of accelerations."""
        points, speeds = self._resting(t, y, slots)
        try:
            self._fit(t, y, points, speeds, stopped)
        except Inconsistent as paradox:
            self._jam(t, y, paradox)
            self._choose_modes(t, y, slots, stopped)
            return
        if points:
            self._project(t, y)

    def _resting(self, t: float, y: Reals, slots: set[int]) -> tuple[list[ContactPoint], list[Reals]]:
        """Points that touch and do not part, with their speeds; all others are open then."""
        m = self.modes
        _, v = self._split(y)
        points = self._touching(y, slots)
        speeds = [p.G @ v for p in points]
        still = np.full(len(points), (PASSED if self.left else STILL) * self.speed)
        if self.struck and points:  # one that is left so slowly would be struck again and again, as by a rod that rocks
            still = np.maximum(still, slowest_leave(points, self.free(t, y)[2]))
        rest = [i for i in range(len(points)) if speeds[i][0] <= still[i]]
        for i, p in enumerate(points):
            if i not in rest:
                self._open(p, 0.0 if self.struck else NOISE)
        m.mode[np.setdiff1d(np.arange(self.contacts.slots), [points[i].slot for i in rest])] = OPEN
        self._count_closed()
        return [points[i] for i in rest], [speeds[i] for i in rest]

    def _fit(self, t: float, y: Reals, points: list[ContactPoint], speeds: list[Reals], stopped: set[int]) -> None:
        """Modes of points that touch; raises Inconsistent if there are none."""
        for _ in range(len(points) + 1):
            if not points:
                return
            found = self._solve(t, y, points, speeds, stopped)
            for i, p in enumerate(points):
                # a force that falls through zero is zero here: nothing parts yet, but closed it would have to pull
                lifted = found.force[3 * i] <= LIFTED * self.falling.get(p.slot, -np.inf)
                self._set(p, OPEN if lifted else found.mode[i], found.direction[i], speeds[i])
                if self.resistance:
                    self.resistance.put(p, i, found, self._split(y)[1])
            self._count_closed()
            pulled = self._pulled(t, y, points)
            lifted = [p for p in points if self._has_lifted(p)] if pulled is None else []
            if pulled is None and not lifted:
                return
            for p in lifted:
                self._open(p, 0.0)
            if pulled is not None:
                self._open(pulled, HOVERS)  # others carry it
            keep = [i for i, p in enumerate(points) if p is not pulled and p not in lifted]
            points, speeds = [points[i] for i in keep], [speeds[i] for i in keep]
            self._count_closed()

    def _has_lifted(self, p: ContactPoint) -> bool:
        """Whether a closed contact's force has fallen to zero, as the forces of the motion that follows have it.

        Where one has, those fall with it that carry as little: two corners of a box that tips.
        """
        force, fallen = float(self.modes.force[p.slot, 0]), max(self.falling.values(), default=-np.inf)
        return bool(self.modes.mode[p.slot] != OPEN) and force <= LIFTED * fallen

    def _solve(self, t: float, y: Reals, points: list[ContactPoint], speeds: list[Reals], stopped: set[int]) -> Found:
        problem = self.problem(t, y, points, speeds, stopped)
        found = self._broken_loose(problem, points) or find_modes(problem)
        if found is None:
            text = (
                f"no motion obeys the laws of contact at t = {t:.9g} s ({self._names(points)}): none was found. See "
                "dt.contact_problem; a compliant contact, or less friction, has a solution"
            )
            raise Inconsistent(problem, points, text)
        pressed = [p for p, a in zip(points, effective_masses(problem), strict=True) if a <= 0.0]
        if pressed:
            text = f"the motion at t = {t:.6g} s is not unique (Painlevé's paradox at {self._names(pressed)})"
            if self.inconsistent == "stop":
                raise ContactError(f"{text}: see dt.contact_problem. A compliant contact, or less friction, has one")
            self._note(f"{text}; the one that was found first is taken: see dt.contact_problem")
        return found

    def problem(
        self, t: float, y: Reals, points: list[ContactPoint], speeds: list[Reals], stopped: set[int]
    ) -> Touching:
        """The problem of accelerations of points that touch."""
        _, inverse, a = self.free(t, y)
        J = np.concatenate([p.G for p in points])
        b = J @ a + np.concatenate([p.bias for p in points])
        pairs = [p.pair for p in points]
        slip, v = np.array([u[1:] for u in speeds]), np.abs(self._split(y)[1])
        for i, p in enumerate(points):
            moves = max(self.speed, float(np.max(np.abs(p.G[1:]) @ v)))  # also of what only turns about the point
            # slip that has only turned by more than a right angle within a step has not ended
            still = TURNED * self.speed if p.slot in stopped else STILL * moves
            at_rest = self.modes.mode[p.slot] == STICK and not self.struck  # by an impact at this instant
            if at_rest or float(np.linalg.norm(slip[i])) <= still:
                slip[i] = 0.0
        friction, static = self.contacts.friction[pairs], self.contacts.static_friction[pairs]
        of = self.resistance
        turning = of.problem(points, self._split(y)[1], a, inverse, self.struck) if of else None
        return Touching(J @ inverse @ J.T, b, slip, friction, static, turning)

    def _broken_loose(self, problem: Touching, points: list[ContactPoint]) -> Found | None:
        """Modes in which contacts at the edge of the cone slip, or begin to turn, if they then do so; else None."""
        edge = [i for i, p in enumerate(points) if p.slot in self.breaking]
        turns = bool(self.resistance and self.resistance.breaking)
        if not edge and not turns:
            return None
        slip = problem.slip.copy()
        for i in edge:
            slip[i] = self.breaking[points[i].slot]
        loose = problem._replace(slip=slip)
        loose = self.resistance.broken_loose(loose, points) if self.resistance else loose
        found = find_modes(loose)
        if found is None or (turns and self.resistance and self.resistance.goes_back(loose, points, found)):
            return None
        scale = float(np.max(np.abs(problem.b)))
        for i in edge:
            if found.mode[i] == SLIDE and found.acceleration[3 * i + 1 : 3 * i + 3] @ slip[i] < -EDGE * scale:
                return None
        return found

    def _jam(self, t: float, y: Reals, paradox: Inconsistent) -> None:
        """No force of contact goes with finite accelerations: an impact without collision ends the slip, or the run."""
        masses = effective_masses(paradox.problem)
        pressed = [p for p, a in zip(paradox.points, masses, strict=True) if a <= 0.0]
        why = "friction would press the bodies together more than the contact can push them apart (Painlevé's paradox)"
        text = (
            f"no motion obeys the laws of contact at t = {t:.9g} s ({self._names(pressed or paradox.points)}): "
            f"{why if pressed else 'none was found'}"
        )
        self.jams += 1
        resists = self.resistance is not None and bool(self.resistance.resisting(paradox.points))
        if self.inconsistent == "stop" or not pressed or resists or self.jams > MOST_JAMS:
            raise ContactError(f"{text}; see dt.contact_problem. A compliant contact, or less friction, has a solution")
        self._note(f"{text}; the motion goes on after an impact without collision")
        self._impact(t, y, pressed[:1], law="poisson")

    def _pulled(self, t: float, y: Reals, points: list[ContactPoint]) -> ContactPoint | None:
        """Of closed contacts, that which would have to pull most in the motion that follows; None if none would."""
        w, m = self.work, self.modes
        w.clock[0], w.y[:] = t, y
        run_entry(w.calls[0].ydot, w.at[0].system)
        forces = [float(m.force[p.slot, 0]) if m.mode[p.slot] != OPEN else 0.0 for p in points]
        least = int(np.argmin(forces))
        return points[least] if forces[least] < -1e-9 * max(map(abs, forces)) else None

    def _clear(self, t: float, y: Reals) -> None:
        """Gaps of open contacts are positive when the motion goes on: only then is it seen when they close."""
        m, w = self.modes, self.work
        gaps = self.geometry.gaps(y[: self.system.nq])
        m.offset[self.feature & (m.mode == OPEN) & ((gaps >= TOUCH) | (m.offset < gaps - 0.5 * AWAY))] = 0.0
        for s in np.flatnonzero((m.mode == OPEN) & (gaps < TOUCH)):
            less = DEEP if self.distance[s] else 1e-17 + 1e-16 * abs(gaps[s])
            m.offset[s] = min(m.offset[s], gaps[s] - (AWAY if self._strange(int(s), gaps[s]) else less))
        w.clock[0], w.y[:] = t, y
        run_entry(w.calls[0].events, w.at[0].system)  # which may differ by round-off
        opened = np.flatnonzero(m.mode == OPEN)
        m.offset[opened] += np.minimum(w.event[self.events + EVENTS_PER_SLOT * opened] - 1e-17, 0.0)
        closed = np.flatnonzero(m.mode != OPEN)
        small = NO_PULL * float(np.max(np.abs(m.force[closed, 0]), initial=0.0))
        m.pull[:] = 0.0
        for s in closed:  # a force below zero would never be seen to fall
            m.pull[s] = small + 2.0 * max(-float(m.force[s, 0]), 0.0) if m.force[s, 0] < small else 0.0
        if missed := self.overlap(y):
            raise ContactError(missed)
