"""The event-driven engine of rigid contacts in a system whose joints have friction or stops.

One problem at each transition: impulses of contacts, of stops and of friction that follows from the load; then the
states of contacts and joints with which all accelerations and forces obey their laws. For given states of joints, those
of the contacts follow from Coulomb's law (`contact.event_driven.accelerations`); friction states of joints that then do
not fit are changed until all do (`contact.joint_friction.friction_states`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from duoti.contact.build import ContactSet
from duoti.contact.event_driven.contact_states import KeptContactStates, put_states, states_of
from duoti.contact.event_driven.engine import ContactEngine, Inconsistent
from duoti.contact.event_driven.records import ContactError
from duoti.contact.event_driven.transition import MOST_ROUNDS, ROUND_OFF, STILL
from duoti.contact.impact.impact import ImpactSolution, solve_impact
from duoti.contact.impact.impact_problem import ImpactProblem
from duoti.contact.joint_friction.friction_states import FrictionStates, JammedError
from duoti.contact.joint_friction.impact import LoadedImpact
from duoti.contact.workspace import ContactPoint
from duoti.dynamics.joint_friction.events import NO_SPEED
from duoti.dynamics.joint_friction.installation import joint_friction_of
from duoti.elements.joint_friction_memory import COULOMB
from duoti.kernel import run_entry
from duoti.model.contacts.rigid_contact import IMPACTS
from duoti.system.arrays import Reals
from duoti.system.system import System

BOUND_ROUNDS = 50  # of contact states, and friction in joints that follows from their forces
SAME_BOUNDS = 1e-9  # relative change of the bounds of friction that ends them


class Trial(NamedTuple):
    """Points that touch and do not part at a transition, and what was known of them before."""

    points: list[ContactPoint]
    speeds: list[Reals]
    stopped: set[int]
    before: KeptContactStates | None


NO_TRIAL = Trial([], [], set(), None)


class JointFrictionEngine(ContactEngine):
    """Rigid contacts, and friction and stops in joints, in an event-driven run."""

    def __init__(self, system: System, of: ContactSet, inconsistent: str = "impact"):
        super().__init__(system, of, inconsistent)
        self.jf = joint_friction_of(self.work)
        self.joints = FrictionStatesWithContacts(self)
        self.fired_joints: set[int] = set()
        self.hits: dict[int, float] = {}
        self.stop_impulses = np.zeros(0)
        """Of the last impact."""
        jf = self.jf
        self.loaded = [s for s in range(jf.count) if jf.loaded[s] and jf.kind[s] == COULOMB]

    def refuse_laws(self) -> None:
        """Raise ValueError if an impact law is not known together with friction that takes a share of impulses."""
        for pair, name in enumerate(self.contacts.element):
            law = IMPACTS[int(self.contacts.impact[pair])]
            if self.loaded and law == "stronge" and self.contacts.restitution[pair] > 0.0:
                slot = self.joints.slots[self.loaded[0]]
                raise ValueError(
                    f'contact "{self.of.names[name]}": impact="stronge" is not known together with friction that '
                    f'follows from the load of a joint ("{slot.joint}"): it is the work of each contact throughout the '
                    "impact, in which the load of the joint is known at the end of compression and of expansion only; "
                    'give impact="poisson" or "newton", friction that no load changes (constant=), or take '
                    "dt.Moreau(step=0.001)"
                )

    # -------------------------------------------------------------------------------------------------- transitions

    def start(self, t: float, y: Reals) -> None:
        """See `ContactEngine.start`."""
        self.joints.begin(y)
        super().start(t, y)

    def fired(self, watches: Any) -> list[int]:
        """See `ContactEngine.fired`; those of joints are remembered."""
        self.fired_joints = {s for s in self.joints.with_states if watches[int(self.jf.event[s])].fired}
        return super().fired(watches)

    def transition(self, t: float, y: Reals, fired: Any) -> None:
        """See `ContactEngine.transition`."""
        self.joints.come_back(y, self.fired_joints)
        self.hits = self.joints.at_limits(y, self.fired_joints)
        super().transition(t, y, fired)
        self.fired_joints = set()

    def _free_velocities(self) -> None:
        """Rates without forces of contact, with friction as it was found last."""
        run_entry(int(self.jf.calls[0].ydot), self.work.at[0].system)

    # ------------------------------------------------------------------------------------------------------ impacts

    def _collide(self, t: float, y: Reals, slots: set[int]) -> None:
        """Impacts of all that touches and of joints at their stops, until nothing approaches."""
        _, v = self._split(y)
        self._evaluate(t, y)
        for _ in range(MOST_ROUNDS):
            points = self._touching(y, slots)
            u = np.concatenate([p.G for p in points]) @ v if points else np.zeros(0)
            self.speed = max(self.speed, float(np.max(np.abs(u), initial=0.0)))
            stops = self.joints.impacted_stops(y, self.hits)
            approach = stops.inward * v[stops.rates]
            if np.all(u[::3] >= -STILL * self.speed) and np.all(approach >= -NO_SPEED):
                self.joints.after_impact(t, y, stops, self.hits)
                return
            before = y.copy()
            if points:
                self._impact(t, y, points)
            else:
                self._impact_at_stops(t, y)
            self.joints.record_impact(t, before, y, stops, self.stop_impulses)
            self.joints.after_impact(t, y, stops, self.hits)
        raise ContactError(f"{MOST_ROUNDS} impacts at t = {t:.9g} s do not come to an end")

    def _evaluate(self, t: float, y: Reals) -> None:
        """Friction forces in the present friction states, for accelerations that follow."""
        self.work.clock[0], self.work.y[:] = t, y
        run_entry(self.work.calls[0].ydot, self.work.at[0].system)

    def _impact_at_stops(self, t: float, y: Reals) -> None:
        M, inverse, _ = self.free(t, y, impact=True)
        _, v = self._split(y)
        nothing = np.zeros(0)
        of = ImpactProblem(t, y, M, inverse, [], [], np.zeros((0, len(v))), nothing, nothing, "newton")
        s, change = self._solve_impact(of)
        if not s.ok:
            raise ContactError(f"an impact at t = {t:.9g} s at stops of joints could not be solved: {s.reason}")
        before = 0.5 * float(v @ M @ v)
        v += change
        self.impacted = True
        y[-1] += before - 0.5 * float(v @ M @ v)

    def _unique(self, of: ImpactProblem, s: ImpactSolution) -> Sequence[tuple[bool | None, bool | None]]:
        """Not looked at where joints have a share of the impulses."""
        if self.loaded or self.joints.impacted_stops(of.y, self.hits).rates:
            return [(None, None)] * len(of.points)
        return super()._unique(of, s)

    def _solve_impact(self, of: ImpactProblem) -> tuple[ImpactSolution, Reals]:
        """Impulses of an impact, with those of stops and of friction in joints, and the change of the rates.

        A stop is a contact whose tangents are none: rows of their own that nothing moves.
        """
        _, v = self._split(of.y)
        stops = self.joints.impacted_stops(of.y, self.hits)
        rows, count, size = len(of.J), len(stops.rates), of.dimension
        B = np.zeros((size * count, len(v)))
        B[size * np.arange(count), stops.rates] = stops.inward
        of = of._replace(
            J=np.concatenate([of.J, B]), mu=np.append(of.mu, np.zeros(count)), e=np.append(of.e, stops.restitution)
        )
        W = of.response(of.J)
        unused = np.flatnonzero(~np.any(of.J, axis=1))
        W[unused, unused] = float(np.max(np.diag(W), initial=0.0)) or 1.0
        at_stops = slice(rows, rows + size * count, size)
        if self.loaded:
            loaded = LoadedImpact(self, of, W, size)
            found = loaded.solve(rows)
            self.stop_impulses = loaded.p[at_stops]
            return found
        if self.rolling_friction and (
            resisted := self.rolling_friction.solve_impact(of, v, *self.small_speeds(), size)
        ):
            s, change = resisted
            self.stop_impulses = s.p[at_stops]
            return replace(s, p=s.p[:rows], u=s.u[:rows]), change
        s = solve_impact(W, of.J @ v, of.mu, of.e, law=of.law, dimension=size, round_off=ROUND_OFF * self.speed)
        self.stop_impulses = s.p[at_stops]
        return replace(s, p=s.p[:rows], u=s.u[:rows]), of.inverse @ of.J.T @ s.p

    # -------------------------------------------------------------------------------------------------------- friction
    # states

    def _choose_states(self, t: float, y: Reals, slots: set[int], stopped: set[int]) -> None:
        """See `ContactEngine._choose_states`; friction states of joints are chosen around those of contacts."""
        points, speeds = self._resting(t, y, slots)
        m = self.states
        self.joints.trial = Trial(points, speeds, stopped, states_of(m))
        try:
            self.joints.choose(t, y, self.fired_joints, self.hits)
        except Inconsistent as paradox:
            self._jam(t, y, paradox)
            self.fired_joints = set()
            self._choose_states(t, y, slots, stopped)
            return
        if points:
            self._project(t, y)

    def fit_contacts(self, t: float, y: Reals, trial: Trial) -> None:
        """Contact states for the friction states of joints in y; the evaluation of y is then the present one."""
        last, m = np.full(len(self.loaded), np.inf), self.states
        self._evaluate(t, y)
        for _ in range(BOUND_ROUNDS):
            if trial.points:
                assert trial.before is not None
                put_states(m, trial.before)
                self._fit(t, y, trial.points, trial.speeds, trial.stopped)
                self._evaluate(t, y)
            bounds = self.jf.bound[self.loaded]
            if np.all(np.abs(bounds - last) <= SAME_BOUNDS * np.abs(bounds)):
                return
            last = bounds.copy()


class FrictionStatesWithContacts(FrictionStates):
    """States of friction and stops in joints, with contacts in theirs."""

    def __init__(self, engine: JointFrictionEngine):
        super().__init__(engine.system, engine.work)
        self.engine, self.impacts = engine, engine.impacts
        self.trial: Trial = NO_TRIAL
        self.paradox: Inconsistent | None = None

    def rates(self, t: float, y: Reals) -> Reals:
        """As those of `FrictionStates`, with contact states that fit."""
        nq, nv = self.system.nq, self.system.nv
        self.engine.fit_contacts(t, y, self.trial)
        return self.work.ydot[nq : nq + nv].copy()

    def misfits(self, t: float, y: Reals, doubt: list[int]) -> dict[int, tuple[float, float]]:
        """As those of `FrictionStates`; where contacts leave no motion, the first joint in doubt tries another friction
        state.
        """
        try:
            return super().misfits(t, y, doubt)
        except Inconsistent as paradox:
            if not doubt:
                raise
            self.paradox = paradox
            possible = self._possible(y, doubt[0])
            after = (possible.index(self._friction_state(y, doubt[0])) + 1) % len(possible)
            return {doubt[0]: (np.inf, possible[after])}

    def _fitting(self, t: float, y: Reals, doubt: list[int]) -> Reals:
        self.paradox = None
        try:
            return super()._fitting(t, y, doubt)
        except JammedError:
            if self.paradox is not None:
                raise self.paradox from None
            raise
