"""What an event-driven run with rigid contacts knows beside its states: impacts, and modes of contacts over time.

Forces of contacts are no functions of the state alone: whether a point sticks or slides, or is open although its gap
is zero, is the history of the run. With the modes of the interval in which a state lies, they are: so forces,
accelerations and reactions are computed when they are asked for, to the accuracy of the states.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

import numpy as np

from duoti.contact.engine import ContactEngine
from duoti.contact.features.rims import FOLLOWED
from duoti.contact.modes import OPEN, ROLLING, SLIDE, STICK, TURNS, put_modes
from duoti.contact.records import ImpactRecord
from duoti.dynamics.dry.installation import dry_of, is_dry
from duoti.integrate.record import (
    CONTACT_UNITS,
    DRY_COLUMNS,
    FORCE,
    LOST,
    MOMENT,
    NORMAL_FORCE,
    POINT,
    STATE,
    RecordLayout,
    record_of_contacts,
)
from duoti.kernel import run_entry
from duoti.model.elements import GROUND
from duoti.model.forces.channels import Seen
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.forces.joint_stop import JointStop
from duoti.results.dry_channels import seen_dry
from duoti.results.given_forces import Given
from duoti.results.observe import REACTIONS, Observation, observe
from duoti.system.arrays import Reals


def record_contacts(engine: ContactEngine, t: Reals, y: Reals) -> tuple[ContactRun, Reals, RecordLayout]:
    """What is known about the contacts of a run, with its record at the outputs."""
    run = ContactRun(engine)
    return run, run.record(t, y), record_of_contacts(engine.system)


class ContactRun:
    """Impacts and modes of a run; `engine` is no longer used by it."""

    def __init__(self, engine: ContactEngine):
        self.engine = engine
        self.impacts: tuple[ImpactRecord, ...] = tuple(engine.impacts)
        self.times = [each.time for each in engine.history]
        self.turned: dict[int, tuple[Reals, Reals, Reals]] = {}  # directions from an output on: see `_turns`
        self.force = self.point = self.moment = np.zeros((0, 0, 3))  # of each slot at the outputs, on b, world axes
        self.dry = np.zeros((0, 0, DRY_COLUMNS))  # of friction and stops of joints at the outputs

    def _intervals(self, t: Reals) -> Iterator[slice]:
        """Rows with the same modes, which are then set; of two outputs at one instant the first is before a
        transition."""
        number = np.array([bisect_right(self.times, time) - 1 for time in t])
        for k in range(1, len(t)):
            if t[k] == t[k - 1] and number[k - 1] == number[k] and k > 1:
                number[k - 1] -= 1
        number = np.maximum(number, 0)
        first, m = 0, self.engine.modes
        turned, before = None, -1
        while first < len(t):
            last = first + 1
            while last < len(t) and number[last] == number[first] and last not in self.turned:
                last += 1
            since = self.engine.history[number[first]]
            put_modes(m, since.kept)
            turned = self.turned.get(first, turned if number[first] == before else None)
            if turned is not None:
                m.direction[:], m.rolling[:], m.towards[:] = turned
            before = number[first]
            m.counts[0].closed = int(np.count_nonzero(m.mode != OPEN))
            yield slice(first, last)
            first = last

    def observe(
        self, t: Reals, y: Any, what: int, markers: list[int] | None = None, forces: list[int] | None = None
    ) -> Observation:
        """As `observe`, with the forces of the contacts."""
        system, work = self.engine.system, self.engine.work
        y = np.asarray(y[:])
        chosen, elements = (np.array(each or [], dtype=np.int64) for each in (markers, forces))
        whole = Observation(system, len(t), chosen, elements, what)
        for rows in self._intervals(t):
            part = observe(system, t[rows], y[rows], what, markers, forces=forces, work=work)
            for name, values in vars(part).items():
                if len(values):
                    getattr(whole, name)[rows] = values
        return whole

    def seen_dry(self, force: JointFriction | JointStop, t: Reals, y: Any) -> Seen:
        """As `results.dry_channels.seen_dry`, with the forces of the contacts."""
        y = np.asarray(y[:])
        system, work = self.engine.system, self.engine.work
        parts = [seen_dry(system, force, t[rows], y[rows], None, work) for rows in self._intervals(t)]
        return Seen(*(np.concatenate(each) for each in zip(*parts, strict=True)))

    def record(self, t: Reals, y: Reals) -> Reals:
        """[outputs, 12 for each rigid contact]: the record of `integrate.record.record_of_contacts`."""
        engine, w, m = self.engine, self.engine.work, self.engine.modes
        contacts, cw = engine.contacts, engine.contact.work
        size = len(CONTACT_UNITS)
        found = np.zeros((len(t), len(engine.of.names), size))
        power = np.zeros((len(t), len(engine.of.names)))
        self.force, self.point, self.moment = np.zeros((3, len(t), contacts.slots, 3))
        joints = dry_of(w) if is_dry(engine.system) else None
        self.dry = np.zeros((len(t), joints.count if joints else 0, DRY_COLUMNS))
        pair = contacts.slot_pair
        element, sign = contacts.element[pair], 1.0 - 2.0 * contacts.swapped[pair]
        rates, context = int(w.calls[0].rates), int(w.at[0].system)
        for rows in self._intervals(t):
            for n in range(rows.start, rows.stop):
                w.clock[0], w.y[:] = t[n], y[n]
                run_entry(rates, context)
                if self._turns():
                    self.turned[n] = m.direction.copy(), m.rolling.copy(), m.towards.copy()
                    run_entry(rates, context)
                if joints is not None:
                    self.dry[n, :, :3] = joints.x
                for s in np.flatnonzero(m.mode != OPEN):
                    out = found[n, element[s]]
                    frame, self.point[n, s] = cw.frame[s].reshape(3, 3), cw.point[s]
                    self.force[n, s], self.moment[n, s] = m.force[s] @ frame, m.moment[s] @ frame
                    out[MOMENT : MOMENT + 3] += sign[s] * self.moment[n, s]
                    out[FORCE : FORCE + 3] += sign[s] * self.force[n, s]
                    out[NORMAL_FORCE] += m.force[s, 0]
                    out[POINT : POINT + 3] += m.force[s, 0] * cw.point[s]
                    out[STATE] = STICK if m.mode[s] == STICK or out[STATE] == STICK else SLIDE
                    power[n, element[s]] -= m.force[s] @ m.speed[s] + m.moment[s] @ m.turning[s]
        pressed = found[:, :, NORMAL_FORCE] > 0.0
        found[pressed, POINT : POINT + 3] /= found[pressed, NORMAL_FORCE, None]
        self._losses(t, power, found)
        return found.reshape(len(t), -1)

    def given(self, t: Reals, y: Any) -> Given:
        """All that acts at the outputs, for reactions of bodies that are one in the run (welds)."""
        seen, of = self.observe(t, y, REACTIONS), self.engine.of
        names = tuple(name for name in dict.fromkeys(each for pair in of.bodies for each in pair) if name != GROUND)
        push = np.zeros((len(t), len(names), 6))
        for s, pair in enumerate(self.engine.contacts.slot_pair):
            wrench = np.hstack([self.moment[:, s] + np.cross(self.point[:, s], self.force[:, s]), self.force[:, s]])
            for name, sign in zip(of.bodies[pair], (-1.0, 1.0), strict=True):
                if name != GROUND:
                    push[:, names.index(name)] += sign * wrench
        return Given(t, np.asarray(y[:]), seen.a, seen.multipliers, self.dry, names, push)

    def _turns(self) -> bool:
        """Whether slip, rolling or a rim has turned by more than a right angle since last seen; directions follow."""
        m, frame, found = self.engine.modes, self.engine.contact.work.frame, False
        for pair in np.flatnonzero(np.sum(m.towards * m.seen, axis=1) < 0.0):  # a rim, which has its lowest point below
            size = float(np.linalg.norm(m.seen[pair]))
            if size > FOLLOWED:
                m.towards[pair], found = m.seen[pair] / size, True
        for sliding, speed, seen, slow in (
            (m.mode == SLIDE, m.speed, m.direction, m.slow[0]),
            ((m.mode != OPEN) & (m.resist[:, ROLLING] == TURNS), m.turning, m.rolling, m.slow[1]),
        ):
            for s in np.flatnonzero(sliding):
                u = speed[s, 1:] @ frame[s].reshape(3, 3)[1:]
                size = float(np.linalg.norm(u))
                if size > slow and u @ seen[s] <= 0.0:
                    seen[s], found = u / size, True
        return found

    def lost_in_impacts(self, t: Reals) -> dict[str, Reals]:
        """Energy that impacts of each contact have taken by the times t [J]."""
        found = {name: np.zeros(len(t)) for name in self.engine.of.names}
        for impact in self.impacts:
            found[impact.contact][self._after(t, impact)] += impact.energy_lost
        return found

    @staticmethod
    def _after(t: Reals, impact: ImpactRecord) -> Any:
        after = t > impact.time
        after[np.flatnonzero(t == impact.time)[1:]] = True  # the second output of this instant
        return after

    def _losses(self, t: Reals, power: Reals, found: Reals) -> None:
        """Energy lost so far: of impacts, and of friction by trapezoids between the outputs."""
        names = list(self.engine.of.names)
        found[1:, :, LOST] = np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(t)[:, None], axis=0)
        for name, lost in self.lost_in_impacts(t).items():
            found[:, names.index(name), LOST] += lost
