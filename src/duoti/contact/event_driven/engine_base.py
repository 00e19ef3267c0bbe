"""What the event-driven engine knows of a system with contacts: its workspace, points that touch, free motion."""

from __future__ import annotations

from typing import Any

import numpy as np

from duoti.contact.build import ContactSet, rigid_contacts
from duoti.contact.collide.arrays import resists
from duoti.contact.event_driven.contact_states import (
    EVENTS_PER_SLOT,
    OPEN,
    ROLLS,
    SLIDE,
    modes_in_row,
    modes_of,
    most_closed,
    pack_modes,
)
from duoti.contact.event_driven.engine_setup import (
    contact_stage,
    contact_workspace,
    friction_beside_contacts,
    with_contact_events,
)
from duoti.contact.event_driven.flat_rims import FlatRims
from duoti.contact.event_driven.records import ContactError, ImpactRecord, ModesSince
from duoti.contact.event_driven.rolling_friction import Resistance
from duoti.contact.event_driven.tunnelling import Passing
from duoti.contact.features import FeaturePair
from duoti.contact.overlap import overlap
from duoti.contact.workspace import ContactGeometry, ContactPoint, new_contact_workspace
from duoti.dynamics.evaluation import Stage
from duoti.dynamics.joint_friction.installation import has_joint_friction, joint_friction_of
from duoti.dynamics.tree.crba import crba
from duoti.kernel import address_of, run_entry
from duoti.model.joint_friction import slots_of
from duoti.system.arrays import Reals
from duoti.system.constraint_arrays import dense_jacobian
from duoti.system.system import System

TOUCH = 1e-10  # gap [m] up to which points touch
DEEP = 1e-7  # m: gap of a feature that has not closed where it is zero
AWAY = 1.0  # m below its gap that a feature is watched which has not closed where it is zero
HOVERS = 1e-11  # m: gap of a point that others carry
IN_VAIN, NO_TIME = 400, 1e-8  # so many transitions in so short a time [s] come to nothing
NO_SPEED = 1e-6  # m/s: small parts of it are no motion of anything


def feature_slots(of: ContactSet) -> tuple[Any, Any]:
    """[slots] whether a slot is one of a feature pair, and whether it is the distance of two shapes as a whole."""
    contacts = of.contacts
    feature, distance = np.zeros((2, contacts.slots), bool)
    for k, kind in enumerate(of.kinds):
        if issubclass(kind, FeaturePair):
            pairs = np.arange(contacts.kind[k], contacts.kind[k + 1])
            feature[contacts.first[pairs[0]] : contacts.first[pairs[-1] + 1]] = True
            distance[contacts.first[pairs + 1] - 1] = True
    return feature, distance


class EngineBase:
    """Contacts, modes, and what was found so far."""

    joints: Any = None
    """What chooses stick and slip of joints together with the modes of contacts, if there is anything to choose."""

    def __init__(self, system: System, of: ContactSet, inconsistent: str = "impact"):
        friction = slots_of(system.model) if has_joint_friction(system) else []
        holdable = sum(len(slot.rates) for slot in friction)
        self.of, self.contacts, self.inconsistent = of, of.contacts, inconsistent
        self.system = with_contact_events(system, of)
        self.events = len(system.loads.laws.event_law)
        self.slot_events = EVENTS_PER_SLOT * self.contacts.slots  # before those of resistance
        self.work = contact_workspace(self.system, self.stages())
        self.contact = new_contact_workspace(of, biases=True)
        self.modes, self.block = pack_modes(self.system, self.contact, holdable)
        self.joints_share = holdable > 0  # friction and stops of joints take a share of impulses
        self.modes.counts[0].events = self.events
        self.resistance = Resistance(self.contacts, self.modes) if resists(self.contacts) else None
        self.work.at[0].contact_modes = address_of(self.block)
        if friction:
            joint_friction_of(self.work).options[0].held_in_rows = 1
        self.geometry = ContactGeometry(self.system, of, self.work, towards=self.contact.towards)
        whole = rigid_contacts(system) or of  # as shapes, not as features: to see what was missed
        self.whole = ContactGeometry(self.system, whole, self.work, biases=False)
        self.passing = Passing(self.whole, float(np.linalg.norm(system.tree.gravity)))
        self.rims = FlatRims(self)
        self.feature, self.distance = feature_slots(of)
        self.breaking: dict[int, Reals] = {}
        self.falling: dict[int, float] = {}
        self.struck = self.left = False
        self.speed = NO_SPEED  # greatest speed at a contact so far
        self.impacts: list[ImpactRecord] = []
        self.history: list[ModesSince] = []
        self.notes: list[str] = []
        self.without_newton: list[float] = []  # times of impacts that Newton's law leaves without a solution
        self.max_step = np.inf  # that of the solver
        self.jams, self.deepest = 0, 0.0  # the deepest penetration that is allowed: of the start, where it stays
        self.given = 0.0  # the deepest penetration in the state given

    def stages(self) -> list[Stage]:
        """What is around the bare system in an evaluation."""
        return [contact_stage(), *([friction_beside_contacts()] if has_joint_friction(self.system) else [])]

    # ------------------------------------------------------------------------------------------------------ checkpoints

    def checkpoint_arrays(self) -> list[Any]:
        """The arrays that later steps and transitions may read; see `Loop.checkpoint_arrays`."""
        found = [each for name, each in self.modes._asdict().items() if name != "contact"]
        for each in (self.contact, self.geometry.contact, self.whole.contact):
            found += [array for name, array in each.work._asdict().items() if name != "calls"]
            found += [each.closed, each.hold, each.towards, each.seen, each.only]
        return found

    def state_dict(self) -> dict[str, Any]:
        """What else it remembers, as JSON can hold it; impacts and history are in the file of the run."""
        t, speeds = self.passing.last
        return {
            "speed": self.speed, "jams": self.jams, "deepest": self.deepest, "given": self.given, "notes": self.notes,
            "max_step": self.max_step, "without_newton": self.without_newton, "passing": [t, speeds.tolist()],
            "turning": self.resistance.speed if self.resistance else 0.0,
        }  # fmt: skip

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore what `state_dict` gave."""
        self.speed, self.jams = float(state_dict["speed"]), int(state_dict["jams"])
        self.deepest, self.given = float(state_dict["deepest"]), float(state_dict["given"])
        self.max_step, self.notes = float(state_dict["max_step"]), list(state_dict["notes"])
        self.without_newton = list(state_dict["without_newton"])
        t, speeds = state_dict["passing"]
        self.passing.last = float(t), np.array(speeds, dtype=float)
        if self.resistance:
            self.resistance.speed = float(state_dict["turning"])

    def load_history(self, rows: Reals) -> None:
        """Restore the history from rows of a file."""
        self.history[:] = [ModesSince(*modes_in_row(self.modes, row)) for row in rows]

    def _remember(self, t: float) -> None:
        if len(self.history) > IN_VAIN and t - self.history[-IN_VAIN].time <= NO_TIME:
            raise ContactError(
                f"{IN_VAIN} changes of contacts within {t - self.history[-IN_VAIN].time:.2g} s, up to t = {t:.9g} s: "
                "the motion cannot be followed from one to the next here; time stepping goes on, dt.Moreau(step=1e-4)"
            )
        self.history.append(ModesSince(t, modes_of(self.modes)))

    def _split(self, y: Reals) -> tuple[Reals, Reals]:
        nq, nv = self.system.nq, self.system.nv
        return y[:nq], y[nq : nq + nv]

    def _touching(self, y: Reals, slots: set[int]) -> list[ContactPoint]:
        """Points that touch: closed ones, those that were just found to close, and any others that are there too."""
        q, v = self._split(y)
        points = self.geometry.points(q, v, np.inf)
        m = self.modes  # closed points beyond their ends are not among those that the geometry finds
        points = [p for p in points if m.mode[p.slot] != OPEN or not self._strange(p.slot, p.gap)]
        return [p for p in points if m.mode[p.slot] != OPEN or p.slot in slots or p.gap - m.offset[p.slot] <= TOUCH]

    def _strange(self, slot: int, gap: float) -> bool:
        """Whether a point of features that was not there came to be with its gap closed: others are between the two."""
        return bool(self.feature[slot]) and gap < min(self.deepest, 0.0) - DEEP

    def _free_velocities(self) -> None:
        """Rates without forces of contact."""
        run_entry(self.work.calls[0].ydot, self.work.at[0].system)

    def free(self, t: float, y: Reals, impact: bool = False) -> tuple[Reals, Reals, Reals]:
        """M, the inverse of M on what loops and joints at rest allow, and accelerations without forces of contact.

        In an impact, joints that friction holds are free.
        """
        w, m, system = self.work, self.modes, self.system
        q, _ = self._split(y)
        nq, nv = system.nq, system.nv
        kept, closed = m.mode.copy(), int(m.counts[0].closed)
        m.mode[:], m.counts[0].closed = OPEN, 0
        w.clock[0], w.y[:] = t, y
        self._free_velocities()
        a = w.ydot[nq : nq + nv].copy()
        m.mode[:], m.counts[0].closed = kept, closed
        M = np.zeros((nv, nv))
        G = dense_jacobian(system.closures, nv, w.G) if system.closures.rows else np.zeros((0, nv))
        if not impact:
            G = np.concatenate([G, np.eye(nv)[m.held[: int(m.counts[0].held)]]])
        crba(system.tree, w, q.copy(), np.zeros(nv), M)
        M = np.tril(M) + np.tril(M, -1).T
        inverse = np.linalg.inv(M)
        if len(G):
            X = inverse @ G.T
            inverse = inverse - X @ np.linalg.pinv(G @ X, rcond=1e-11, hermitian=True) @ X.T
        return M, 0.5 * (inverse + inverse.T), a

    def _set(self, p: ContactPoint, mode: int, direction: Reals, u: Reals) -> None:
        m = self.modes
        if mode == OPEN:  # one that still comes nearer, but for round-off, will turn back
            self._open(p, HOVERS if u[0] < 0.0 else 0.0)
            return
        m.mode[p.slot], m.offset[p.slot] = mode, 0.0
        if mode == SLIDE:
            m.direction[p.slot] = direction @ p.frame[1:]
            if u[1:] @ direction <= 0.0:  # what is left of the slip before must not end that which begins
                m.offset[p.slot] = 2.0 * float(np.linalg.norm(u[1:]))

    def _count_closed(self) -> None:
        """How many contacts are closed: there is room for so many rows only."""
        m, most = self.modes, most_closed(self.contacts)
        closed = np.flatnonzero(m.mode != OPEN)
        if len(closed) > most:
            pairs = self.contacts.slot_pair[closed]
            first, second = self.of.bodies[int(np.bincount(pairs).argmax())]
            m.mode[:], m.counts[0].closed = OPEN, 0  # nothing is evaluated with them any more
            raise ContactError(
                f'"{first}" and "{second}" touch with more corners and edges than two bodies can ({len(closed)}, '
                f"room is for {most}): one of them is as thin as round-off; give it a thickness, or take dt.Moreau"
            )
        m.counts[0].closed = len(closed)

    def _open(self, p: ContactPoint, allowance: float) -> None:
        """Open a contact; an allowance [m] keeps one that will not close from being found closed by round-off."""
        self.modes.mode[p.slot] = OPEN
        self.modes.offset[p.slot] = min(p.gap, 0.0) - allowance

    def forget_fired(self, watches: Any) -> None:
        """Gaps, normal forces and slip speeds start where modes have put them, whatever has fired before."""
        watches["fired"][self.events : self.events + EVENTS_PER_SLOT * self.contacts.slots : EVENTS_PER_SLOT] = 0
        watches["fired"][self.events + EVENTS_PER_SLOT * np.flatnonzero(self.modes.mode == SLIDE) + 1] = 0
        if self.resistance:
            first = self.events + EVENTS_PER_SLOT * self.contacts.slots
            watches["fired"][first + np.flatnonzero(self.modes.resist.ravel() == ROLLS)] = 0

    def overlap(self, y: Reals) -> str:
        """Why a state cannot be one of a motion without overlap; "" if it can."""
        return overlap(self.whole.of, self.whole.gaps(y[: self.system.nq]), self.deepest)

    def deepest_of(self, y: Reals) -> float:
        """The least gap of the shapes in a state [m], 0 if none is negative."""
        return float(np.min(self.whole.gaps(y[: self.system.nq]), initial=0.0))

    def limit_steps(self, clock: Any, y: Reals) -> None:
        """Let the next few steps be so short (`tunnelling`) that no meeting is missed; constant steps must be."""
        of, touching, t = self.contacts, self.modes.mode != OPEN, float(clock.t)
        closed = of.shape_body[of.pair_shapes[of.slot_pair[touching]]]
        longest, wrong = self.passing.longest_steps(t, y, closed)
        if clock.fixed_step == 0.0:
            clock.h_max = min(self.max_step, longest)
        elif clock.fixed_step > wrong:
            raise ContactError(
                f"at t = {t:.6g} s bodies may pass through each other within one step of {clock.fixed_step:g} s: take "
                f"one of {longest:.1g} s, or a solver that chooses its steps, such as dt.DOPRI5()"
            )

    def missed_in(self, states: Reals) -> str:
        """Why the states of a run cannot be those of a motion without overlap; "" if they can."""
        each = (self.overlap(y) for y in states)
        return next(filter(None, each), "")

    def move(self, t: float, y: Reals, change: Reals) -> None:
        """Move the positions in y by a small change along the rates; loops stay closed."""
        w, nq, nv, tree = self.work, self.system.nq, self.system.nv, self.system.tree
        w.clock[0], w.y[:] = t, y
        w.y[nq : nq + nv] = change
        self._free_velocities()
        y[:nq] += w.ydot[:nq]
        for k in tree.quat_q:
            y[k : k + 4] /= np.linalg.norm(y[k : k + 4])
        if self.system.closures.rows:
            self._project(t, y)

    def _project(self, t: float, y: Reals) -> None:
        w, nq, nv = self.work, self.system.nq, self.system.nv
        w.clock[0], w.y[:] = t, y
        run_entry(w.calls[0].project, w.at[0].system)
        y[: nq + nv] = w.y[: nq + nv]

    def _names(self, points: list[ContactPoint]) -> str:
        names = dict.fromkeys(f'"{p.name}" (between "{p.bodies[0]}" and "{p.bodies[1]}")' for p in points)
        return ("contact " if len(names) == 1 else "contacts ") + ", ".join(names)

    def _note(self, text: str) -> None:
        if len(self.notes) < 20:
            self.notes.append(text)
