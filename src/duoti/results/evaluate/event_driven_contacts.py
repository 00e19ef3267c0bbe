"""What an event-driven run with rigid contacts knows beside its states: impacts, and contact states over time.

Forces of contacts are no functions of the state alone: whether a point sticks or slides, or is open although its gap
is zero, is the history of the run. With the states of the interval in which a state lies, they are: so forces,
accelerations and reactions are computed when they are asked for, to the accuracy of the states.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from duoti.contact.event_driven.contact_states import OPEN, ROLLING, ROLLS, SLIDE, STICK, put_states
from duoti.contact.event_driven.engine import EngineBase
from duoti.contact.event_driven.records import ContactStatesSince, ImpactRecord
from duoti.contact.features.rims import FOLLOWED
from duoti.dynamics.joint_friction.installation import has_joint_friction, joint_friction_of
from duoti.integrate.record import (
    CONTACT_UNITS,
    FORCE,
    JOINT_FRICTION_COLUMNS,
    LOST,
    MOMENT,
    NORMAL_FORCE,
    POINT,
    RESIDUALS,
    STATE,
    RecordLayout,
    record_of_contacts,
)
from duoti.kernel import run_entry
from duoti.model.elements import GROUND
from duoti.model.forces.channels import Seen
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.forces.joint_stop import JointStop
from duoti.results.evaluate.channels import observed_joint_friction
from duoti.results.evaluate.forces_from_record import Given
from duoti.results.evaluate.observe import REACTIONS, Observation, observe
from duoti.system.arrays import Reals
from duoti.system.system import System

Turned = tuple[Reals, Reals, Reals]
"""Directions of slip, of rolling and of rims."""


class Last(NamedTuple):
    """What the record of further outputs depends on, as arrays that a checkpoint keeps."""

    numbers: Reals
    """Outputs so far; 1 + number of their states; 1 if directions turned since; time; impacts in `struck`."""
    power: Reals
    """[contacts] that friction took at the last output [W]."""
    rubbed: Reals
    """[contacts] energy lost by friction [J]."""
    struck: Reals
    """[contacts] energy lost in impacts before the last outputs [J]."""
    direction: Reals
    rolling: Reals
    towards: Reals


def _add_force(engine: EngineBase, s: Any, out: Reals) -> Turned:
    """Add what a closed slot does to the columns of its contact; its force, point and moment, on b, in world axes."""
    contacts, cw, m = engine.contacts, engine.contact.work, engine.states
    pair = contacts.slot_pair[s]
    row, sign = out[contacts.element[pair]], 1.0 - 2.0 * contacts.swapped[pair]
    frame, point = cw.frame[s].reshape(3, 3), cw.point[s]
    force, moment = m.force[s] @ frame, m.moment[s] @ frame
    row[MOMENT : MOMENT + 3] += sign * moment
    row[FORCE : FORCE + 3] += sign * force
    row[NORMAL_FORCE] += m.force[s, 0]
    row[POINT : POINT + 3] += m.force[s, 0] * point
    row[STATE] = STICK if m.state[s] == STICK or row[STATE] == STICK else SLIDE
    return force, point, moment


def _to_points(found: Reals) -> None:
    """Places where forces act, from sums of places times normal forces."""
    pressed = found[..., NORMAL_FORCE] > 0.0
    found[pressed, POINT : POINT + 3] /= found[pressed, NORMAL_FORCE, None]


def contact_forces_now(engine: EngineBase, t: float, y: Reals) -> Reals:
    """[contacts, columns] of a state, with the contact states that the engine has: a row of `ContactRun.record`."""
    w = engine.work
    w.clock[0], w.y[:] = t, y
    run_entry(int(w.calls[0].ydot), int(w.at[0].system))
    found = np.zeros((len(engine.of.names), len(CONTACT_UNITS)))
    for s in np.flatnonzero(engine.states.state != OPEN):
        _add_force(engine, s, found)
    _to_points(found)
    return found


class ContactRun:
    """Impacts and states of a run, for which `engine` evaluates states; a run in progress has another engine."""

    def __init__(self, engine: EngineBase, history: list[ContactStatesSince], impacts: Sequence[ImpactRecord]):
        self.engine, self.history, self.impacts = engine, history, impacts
        self.times: list[float] = []  # of the history
        self.turned: dict[int, Turned] = {}  # directions from an output on: see `_turns`
        self.force = self.point = self.moment = np.zeros((0, 0, 3))  # of each slot at the outputs, on b, world axes
        self.jf = np.zeros((0, 0, JOINT_FRICTION_COLUMNS))  # of friction and stops of joints at the outputs
        m, contacts = engine.states, len(engine.of.names)
        self._last = Last(
            np.zeros(5), np.zeros(contacts), np.zeros(contacts), np.zeros(contacts),
            *(np.zeros_like(each) for each in (m.direction, m.rolling, m.towards)),
        )  # fmt: skip

    @property
    def layout(self) -> RecordLayout:
        """Of its record."""
        return record_of_contacts(self.engine.system)

    def _intervals(self, t: Reals, first_row: int = 0, turned: Turned | None = None, before: int = -1) -> Iterator[Any]:
        """Rows with the same states, which are then set, and the number of these in the history.

        Of two outputs at one instant the first is before a transition. first_row: number of the first output; turned,
        before: directions and number of states of the output before that.
        """
        self.times += [each.time for each in self.history[len(self.times) :]]
        number = np.array([bisect_right(self.times, time) - 1 for time in t])
        for k in range(1, len(t)):
            if t[k] == t[k - 1] and number[k - 1] == number[k] and first_row + k > 1:
                number[k - 1] -= 1
        number = np.maximum(number, 0)
        first, m = 0, self.engine.states
        while first < len(t):
            last = first + 1
            while last < len(t) and number[last] == number[first] and first_row + last not in self.turned:
                last += 1
            put_states(m, self.history[number[first]].kept)
            turned = self.turned.get(first_row + first, turned if number[first] == before else None)
            if turned is not None:
                m.direction[:], m.rolling[:], m.towards[:] = turned
            before = int(number[first])
            m.counts[0].closed = int(np.count_nonzero(m.state != OPEN))
            yield slice(first, last), before
            first = last

    def observe(
        self, t: Reals, y: Any, what: int, markers: list[int] | None = None, forces: list[int] | None = None
    ) -> Observation:
        """As `observe`, with the forces of the contacts."""
        system, work = self.engine.system, self.engine.work
        y = np.asarray(y[:])
        chosen, elements = (np.array(each or [], dtype=np.int64) for each in (markers, forces))
        whole = Observation(system, len(t), chosen, elements, what)
        for rows, _ in self._intervals(t):
            part = observe(system, t[rows], y[rows], what, markers, forces=forces, work=work)
            for name, values in vars(part).items():
                if len(values):
                    getattr(whole, name)[rows] = values
        return whole

    def observed_joint_friction(self, force: JointFriction | JointStop, t: Reals, y: Any) -> Seen:
        """As `results.evaluate.channels.observed_joint_friction`, with the forces of the contacts."""
        y = np.asarray(y[:])
        system, work = self.engine.system, self.engine.work
        parts = [observed_joint_friction(system, force, t[rows], y[rows], None, work) for rows, _ in self._intervals(t)]
        fields: list[Any] = [None if each[0] is None else np.concatenate(each) for each in zip(*parts, strict=True)]
        return Seen(*fields)

    def record(self, t: Reals, y: Reals) -> Reals:
        """The record of all outputs of a run; per slot it is kept in `force`, `point`, `moment` and `jf`."""
        count, slots = len(t), self.engine.contacts.slots
        joints = joint_friction_of(self.engine.work).count if has_joint_friction(self.engine.system) else 0
        self.force, self.point, self.moment = np.zeros((3, count, slots, 3))
        self.jf = np.zeros((count, joints, JOINT_FRICTION_COLUMNS))
        return self.append(t, y)

    def append(self, t: Reals, y: Reals) -> Reals:
        """[outputs, 15 for each rigid contact]: the record (`record_of_contacts`) of further outputs."""
        engine, w, m, last = self.engine, self.engine.work, self.engine.states, self._last
        contacts = engine.contacts
        size, count = len(CONTACT_UNITS), len(engine.of.names)
        found = np.zeros((len(t), count, size))
        found[:, :, RESIDUALS:] = np.nan
        if not len(t):
            return found.reshape(0, size * count)
        first_row, number, keep = int(last.numbers[0]), int(last.numbers[1]), len(self.force) > 0
        turned = (last.direction.copy(), last.rolling.copy(), last.towards.copy()) if last.numbers[2] else None
        power = np.zeros((len(t), count))
        joints = joint_friction_of(w) if has_joint_friction(engine.system) else None
        pair = contacts.slot_pair
        element = contacts.element[pair]
        rates, context = int(w.calls[0].ydot), int(w.at[0].system)
        for rows, here in self._intervals(t, first_row, turned, number - 1):
            if here != number - 1:
                turned, number = None, here + 1
            for n in range(rows.start, rows.stop):
                w.clock[0], w.y[:] = t[n], y[n]
                run_entry(rates, context)
                if self._turns():
                    turned = m.direction.copy(), m.rolling.copy(), m.towards.copy()
                    if keep:
                        self.turned[first_row + n] = turned
                    run_entry(rates, context)
                if joints is not None and keep:
                    self.jf[first_row + n, :, :3] = joints.x
                for s in np.flatnonzero(m.state != OPEN):
                    force, point, moment = _add_force(engine, s, found[n])
                    if keep:
                        place = first_row + n, s
                        self.force[place], self.point[place], self.moment[place] = force, point, moment
                    power[n, element[s]] -= m.force[s] @ m.speed[s] + m.moment[s] @ m.turning[s]
        _to_points(found)
        self._losses(t, power, found)
        last.numbers[:3] = first_row + len(t), number, turned is not None
        if turned is not None:
            last.direction[:], last.rolling[:], last.towards[:] = turned
        return found.reshape(len(t), -1)

    def checkpoint_arrays(self) -> list[Any]:
        """What the record of further outputs depends on."""
        return list(self._last)

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
        return Given(t, np.asarray(y[:]), seen.a, seen.multipliers, self.jf, names, push)

    def _turns(self) -> bool:
        """Whether slip, rolling or a rim has turned by more than a right angle since last seen; directions follow."""
        m, frame, found = self.engine.states, self.engine.contact.work.frame, False
        for pair in np.flatnonzero(np.sum(m.towards * m.seen, axis=1) < 0.0):  # a rim, which has its lowest point below
            size = float(np.linalg.norm(m.seen[pair]))
            if size > FOLLOWED:
                m.towards[pair], found = m.seen[pair] / size, True
        for sliding, speed, seen, slow in (
            (m.state == SLIDE, m.speed, m.direction, m.slow[0]),
            ((m.state != OPEN) & (m.rolling_states[:, ROLLING] == ROLLS), m.turning, m.rolling, m.slow[1]),
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
            if impact.contact not in found:
                continue  # a stop of a joint
            found[impact.contact][self._after(t, impact)] += impact.energy_lost
        return found

    @staticmethod
    def _after(t: Reals, impact: ImpactRecord) -> Any:
        after = t > impact.time
        after[np.flatnonzero(t == impact.time)[1:]] = True  # the second output of this instant
        return after

    def _losses(self, t: Reals, power: Reals, found: Reals) -> None:
        """Energy lost so far: of impacts, and of friction by trapezoids between the outputs."""
        last, names = self._last, list(self.engine.of.names)
        rubbed, struck, before, t_before = last.rubbed, last.struck, last.power, float(last.numbers[3])
        if last.numbers[0] == 0:  # the first output
            t_before, before[:] = t[0], power[0]
        work = 0.5 * (power + np.vstack([before, power[:-1]])) * np.diff(t, prepend=t_before)[:, None]
        work[0] += rubbed
        found[:, :, LOST] = total = np.cumsum(work, axis=0)
        impacts, known = self.impacts, int(last.numbers[4])
        while known < len(impacts) and impacts[known].time < t[0]:
            if impacts[known].contact in names:
                struck[names.index(impacts[known].contact)] += impacts[known].energy_lost
            known += 1
        for k, name in enumerate(names):
            lost = np.full(len(t), struck[k])
            for impact in impacts[known:]:
                if impact.contact == name:
                    lost[self._after(t, impact)] += impact.energy_lost
            found[:, k, LOST] += lost
        rubbed[:], before[:] = total[-1], power[-1]
        last.numbers[3:] = t[-1], known


def replayed(system: System, history: Reals, impacts: Sequence[ImpactRecord]) -> ContactRun:
    """What is known about the contacts of a run of which the history is in a file."""
    from duoti.contact.build import event_driven_contacts

    of = event_driven_contacts(system)
    assert of is not None  # or there would be no history
    engine = EngineBase(system, of)
    engine.load_history(history)
    return ContactRun(engine, engine.history, impacts)
