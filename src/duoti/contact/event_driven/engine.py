"""The event-driven engine: impacts are located, and contact states that change at transitions.

Between transitions `contact.event_driven.smooth_motion` is the motion, compiled; its event functions end a step where
something happens. Here is what then happens: impacts, until nothing approaches any more, and the states in which the
motion goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from duoti.contact.build import ContactSet, all_rigid_contacts
from duoti.contact.collide.arrays import resists
from duoti.contact.event_driven.accelerations import Found, Touching, effective_masses, find_contact_states
from duoti.contact.event_driven.contact_states import (
    ENDS,
    EVENTS_OF_ROLLING_FRICTION,
    EVENTS_PER_SLOT,
    OPEN,
    ROLLS,
    SLIDE,
    STICK,
    most_closed,
    pack_contact_states,
    states_in_row,
    states_of,
)
from duoti.contact.event_driven.depenetration import part_features
from duoti.contact.event_driven.flat_rims import FlatRims
from duoti.contact.event_driven.load_sharing import inside_cones
from duoti.contact.event_driven.records import ContactError, ContactStatesSince, ImpactRecord
from duoti.contact.event_driven.rolling_friction import RollingFriction
from duoti.contact.event_driven.transition import (
    AT_THE_EDGE,
    AWAY,
    DEEP,
    EDGE,
    HOVERS,
    LIFTED,
    MOST_ROUNDS,
    NO_PULL,
    NOISE,
    OVERLOADED,
    PASSED,
    PULLS,
    REST,
    ROUND_OFF,
    SLOW,
    STILL,
    TOUCH,
    TURNED,
    OrdinaryTransitions,
    ordinary,
)
from duoti.contact.event_driven.tunnelling import TunnellingBound
from duoti.contact.features import FeaturePair
from duoti.contact.impact.impact import ImpactSolution, solve_impact
from duoti.contact.impact.impact_problem import ImpactProblem
from duoti.contact.impact.least_norm import sliding
from duoti.contact.impact.uniqueness import unique_impulses
from duoti.contact.overlap import PENETRATION, overlap
from duoti.contact.workspace import ContactGeometry, ContactPoint, impact_rows, new_contact_workspace, slowest_leave
from duoti.dynamics.evaluation import Stage, friction_calls
from duoti.dynamics.joint_friction.installation import has_joint_friction, joint_friction_of
from duoti.dynamics.tree.crba import crba
from duoti.dynamics.workspace import new_workspace
from duoti.elements.joint_friction_memory import JOINT_FRICTION_CALLS
from duoti.kernel import address_of, pack, run_entry
from duoti.model.contacts.rigid_contact import IMPACTS
from duoti.model.joint_friction import slots_of
from duoti.system.arrays import JUMPS, Reals, Work
from duoti.system.constraint_arrays import dense_jacobian
from duoti.system.context import REAL_CONTEXT
from duoti.system.system import System

# What the event-driven engine adds to a system and its workspace: event functions, entries, room.


@cache
def contact_stage() -> Stage:
    """The motion with contacts in their states."""
    from duoti.contact.event_driven.smooth_motion import (
        contact_events_entry,
        contact_project_entry,
        contact_ydot_entry,
    )
    from duoti.dynamics.loops.equations import constraints_entry, equations_entry

    entries = {
        "ydot": contact_ydot_entry,
        "events": contact_events_entry,
        "project": contact_project_entry,
        "equations": equations_entry,
        "constraints": constraints_entry,
    }
    return Stage("contacts", entries)


@cache
def friction_beside_contacts() -> Stage:
    """Friction and stops in joints, by states, where there are contacts too."""
    from duoti.contact.joint_friction import smooth_motion as flow

    entries = {
        "ydot": flow.joint_friction_contact_ydot_entry,
        "events": flow.joint_friction_contact_events_entry,
        "project": flow.joint_friction_contact_project_entry,
    }
    needs = {"residual": flow.joint_friction_contact_wrenches_entry}
    return Stage("joint friction beside contacts", entries, JOINT_FRICTION_CALLS, friction_calls, needs)


def contact_events(of: ContactSet) -> int:
    """How many event functions contacts have: those of all slots, then those of resistance if any contact has it."""
    return (EVENTS_PER_SLOT + (EVENTS_OF_ROLLING_FRICTION if resists(of.contacts) else 0)) * of.contacts.slots


def with_contact_events(system: System, of: ContactSet) -> System:
    """The same system with event functions of the contacts behind those of the model."""
    laws, count = system.loads.laws, contact_events(of)
    more = np.zeros(count, np.int64)
    extended = laws._replace(
        event_law=np.concatenate([laws.event_law, more]),
        event_action=np.concatenate([laws.event_action, more + JUMPS]),
        event_direction=np.concatenate([laws.event_direction, more - 1]),
    )  # fmt: skip
    for each in (extended.event_law, extended.event_action, extended.event_direction):
        each.setflags(write=False)
    return replace(system, loads=system.loads._replace(laws=extended))


def contact_workspace(system: System, stages: Sequence[Stage]) -> Work:
    """A workspace with these stages and the mass matrix, which forward dynamics of a tree does without."""
    tree = system.tree
    work = new_workspace(system, ydot=True, contacts=stages)
    if not len(work.M):
        mass = tree.nv + int(np.sum(tree.depth))
        work = work._replace(M=np.zeros(mass), dense_row=np.zeros(tree.nv), S_W=np.zeros((6, tree.nc)))
        pack(work.block, (tree, system.loads, system.closures, work), REAL_CONTEXT)
    return work


# What the event-driven engine knows of a system with contacts: its workspace, points that touch, free motion.


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
    """Contacts, states, and what was found so far."""

    joints: Any = None
    """What chooses stick and slip of joints together with the contact states, if there is anything to choose."""

    def __init__(self, system: System, of: ContactSet, inconsistent: str = "impact"):
        friction = slots_of(system.model) if has_joint_friction(system) else []
        holdable = sum(len(slot.rates) for slot in friction)
        self.of, self.contacts, self.inconsistent = of, of.contacts, inconsistent
        self.system = with_contact_events(system, of)
        self.events = len(system.loads.laws.event_law)
        self.slot_events = EVENTS_PER_SLOT * self.contacts.slots  # before those of resistance
        self.work = contact_workspace(self.system, self.stages())
        self.contact = new_contact_workspace(of, biases=True)
        self.states, self.block = pack_contact_states(self.system, self.contact, holdable)
        self.joints_share = holdable > 0  # friction and stops of joints take a share of impulses
        self.states.counts[0].events = self.events
        self.rolling_friction = RollingFriction(self.contacts, self.states) if resists(self.contacts) else None
        self.work.at[0].contact_states = address_of(self.block)
        if friction:
            joint_friction_of(self.work).options[0].held_in_rows = 1
        self.geometry = ContactGeometry(self.system, of, self.work, towards=self.contact.towards)
        whole = all_rigid_contacts(system) or of  # as shapes, not as features: to see what was missed
        self.whole = ContactGeometry(self.system, whole, self.work, biases=False)
        self.tunnelling = TunnellingBound(self.whole, float(np.linalg.norm(system.tree.gravity)))
        self.rims = FlatRims(self)
        self.feature, self.distance = feature_slots(of)
        self.breaking: dict[int, Reals] = {}
        self.falling: dict[int, float] = {}
        self.impacted = self.left = False
        self.speed = NO_SPEED  # greatest speed at a contact so far
        self.impacts: list[ImpactRecord] = []
        self.history: list[ContactStatesSince] = []
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
        found = [each for name, each in self.states._asdict().items() if name != "contact"]
        for each in (self.contact, self.geometry.contact, self.whole.contact):
            found += [array for name, array in each.work._asdict().items() if name != "calls"]
            found += [each.closed, each.hold, each.towards, each.seen, each.only]
        return found

    def state_dict(self) -> dict[str, Any]:
        """What else it remembers, as JSON can hold it; impacts and history are in the file of the run."""
        t, speeds = self.tunnelling.last
        return {
            "speed": self.speed, "jams": self.jams, "deepest": self.deepest, "given": self.given, "notes": self.notes,
            "max_step": self.max_step, "without_newton": self.without_newton, "passing": [t, speeds.tolist()],
            "turning": self.rolling_friction.speed if self.rolling_friction else 0.0,
        }  # fmt: skip

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore what `state_dict` gave."""
        self.speed, self.jams = float(state_dict["speed"]), int(state_dict["jams"])
        self.deepest, self.given = float(state_dict["deepest"]), float(state_dict["given"])
        self.max_step, self.notes = float(state_dict["max_step"]), list(state_dict["notes"])
        self.without_newton = list(state_dict["without_newton"])
        t, speeds = state_dict["passing"]
        self.tunnelling.last = float(t), np.array(speeds, dtype=float)
        if self.rolling_friction:
            self.rolling_friction.speed = float(state_dict["turning"])

    def load_history(self, rows: Reals) -> None:
        """Restore the history from rows of a file."""
        self.history[:] = [ContactStatesSince(*states_in_row(self.states, row)) for row in rows]

    def _remember(self, t: float) -> None:
        if len(self.history) > IN_VAIN and t - self.history[-IN_VAIN].time <= NO_TIME:
            raise ContactError(
                f"{IN_VAIN} changes of contacts within {t - self.history[-IN_VAIN].time:.2g} s, up to t = {t:.9g} s: "
                "the motion cannot be followed from one to the next here; time stepping goes on, dt.Moreau(step=1e-4)"
            )
        self.history.append(ContactStatesSince(t, states_of(self.states)))

    def _split(self, y: Reals) -> tuple[Reals, Reals]:
        nq, nv = self.system.nq, self.system.nv
        return y[:nq], y[nq : nq + nv]

    def _touching(self, y: Reals, slots: set[int]) -> list[ContactPoint]:
        """Points that touch: closed ones, those that were just found to close, and any others that are there too."""
        q, v = self._split(y)
        points = self.geometry.points(q, v, np.inf)
        m = self.states  # closed points beyond their ends are not among those that the geometry finds
        points = [p for p in points if m.state[p.slot] != OPEN or not self._strange(p.slot, p.gap)]
        return [p for p in points if m.state[p.slot] != OPEN or p.slot in slots or p.gap - m.offset[p.slot] <= TOUCH]

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
        w, m, system = self.work, self.states, self.system
        q, _ = self._split(y)
        nq, nv = system.nq, system.nv
        kept, closed = m.state.copy(), int(m.counts[0].closed)
        m.state[:], m.counts[0].closed = OPEN, 0
        w.clock[0], w.y[:] = t, y
        self._free_velocities()
        a = w.ydot[nq : nq + nv].copy()
        m.state[:], m.counts[0].closed = kept, closed
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

    def _set(self, p: ContactPoint, state: int, direction: Reals, u: Reals) -> None:
        m = self.states
        if state == OPEN:  # one that still comes nearer, but for round-off, will turn back
            self._open(p, HOVERS if u[0] < 0.0 else 0.0)
            return
        m.state[p.slot], m.offset[p.slot] = state, 0.0
        if state == SLIDE:
            m.direction[p.slot] = direction @ p.frame[1:]
            if u[1:] @ direction <= 0.0:  # what is left of the slip before must not end that which begins
                m.offset[p.slot] = 2.0 * float(np.linalg.norm(u[1:]))

    def _count_closed(self) -> None:
        """How many contacts are closed: there is room for so many rows only."""
        m, most = self.states, most_closed(self.contacts)
        closed = np.flatnonzero(m.state != OPEN)
        if len(closed) > most:
            pairs = self.contacts.slot_pair[closed]
            first, second = self.of.bodies[int(np.bincount(pairs).argmax())]
            m.state[:], m.counts[0].closed = OPEN, 0  # nothing is evaluated with them any more
            raise ContactError(
                f'"{first}" and "{second}" touch with more corners and edges than two bodies can ({len(closed)}, '
                f"room is for {most}): one of them is as thin as round-off; give it a thickness, or take dt.Moreau"
            )
        m.counts[0].closed = len(closed)

    def _open(self, p: ContactPoint, allowance: float) -> None:
        """Open a contact; an allowance [m] keeps one that will not close from being found closed by round-off."""
        self.states.state[p.slot] = OPEN
        self.states.offset[p.slot] = min(p.gap, 0.0) - allowance

    def forget_fired(self, watches: Any) -> None:
        """Gaps, normal forces and slip speeds start where states have put them, whatever has fired before."""
        watches["fired"][self.events : self.events + EVENTS_PER_SLOT * self.contacts.slots : EVENTS_PER_SLOT] = 0
        watches["fired"][self.events + EVENTS_PER_SLOT * np.flatnonzero(self.states.state == SLIDE) + 1] = 0
        if self.rolling_friction:
            first = self.events + EVENTS_PER_SLOT * self.contacts.slots
            watches["fired"][first + np.flatnonzero(self.states.rolling_states.ravel() == ROLLS)] = 0

    def overlap(self, y: Reals) -> str:
        """Why a state cannot be one of a motion without overlap; "" if it can."""
        return overlap(self.whole.of, self.whole.gaps(y[: self.system.nq]), self.deepest)

    def deepest_of(self, y: Reals) -> float:
        """The least gap of the shapes in a state [m], 0 if none is negative."""
        return float(np.min(self.whole.gaps(y[: self.system.nq]), initial=0.0))

    def limit_steps(self, clock: Any, y: Reals) -> None:
        """Let the next few steps be so short (`tunnelling`) that no meeting is missed; constant steps must be."""
        of, touching, t = self.contacts, self.states.state != OPEN, float(clock.t)
        closed = of.shape_body[of.pair_shapes[of.slot_pair[touching]]]
        longest, wrong = self.tunnelling.longest_steps(t, y, closed)
        if clock.fixed_step == 0.0:
            clock.h_max = min(self.max_step, longest)
        elif clock.fixed_step > wrong:
            raise ContactError(
                f"at t = {t:.6g} s bodies may pass through each other within one step of {clock.fixed_step:g} s: take "
                f"one of {longest:.1g} s, or a solver that chooses its steps, such as dt.DOPRI5()"
            )

    def missed_in(self, states: Reals) -> str:
        """Why the states of a run cannot be those of a motion without overlap; "" if they can."""
        least = self.whole.least_gaps(states)
        missed = bool(np.any(least < min(self.deepest, 0.0) - PENETRATION))
        return self.overlap(states[int(np.argmin(least))]) if missed else ""

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


LESS_FRICTION = "see dt.contact_problem. A compliant contact, or less friction, has a solution"
NONE_FOUND = (
    "friction does not press the bodies together, so there may be one that the solver misses: see dt.contact_problem; "
    "time stepping goes on, dt.Moreau(step=1e-3)"
)
OVERLAP = 1e-6  # m at the start: moved apart, and said
MOST_JAMS = 100  # impacts without collision in a run


class Inconsistent(ContactError):  # noqa: N818 (most often caught here)
    """The problem of accelerations has no solution."""

    def __init__(self, problem: Touching, points: list[ContactPoint], text: str):
        super().__init__(text)
        self.problem, self.points = problem, points


class ContactEngine(EngineBase):
    """Rigid contacts of a system in an event-driven run."""

    def __init__(self, system: System, of: ContactSet, inconsistent: str = "impact"):
        super().__init__(system, of, inconsistent)
        self.compiled: OrdinaryTransitions | None = None if self.joints_share else ordinary(self)

    # ----------------------------------------------------------------------------------------------------- transitions

    def start(self, t: float, y: Reals) -> None:
        """States at the beginning; what touches and approaches has its impact at once."""
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
            if k < self.slot_events and k % EVENTS_PER_SLOT == 0 and self.states.state[k // EVENTS_PER_SLOT] != OPEN
        }
        for s in np.flatnonzero(self.states.state == SLIDE):  # slip within the step: at its end there may be none left
            self.speed = max(self.speed, float(watches[self.events + EVENTS_PER_SLOT * s + 1].size))
        if self.rolling_friction:
            self.rolling_friction.watch(watches[self.events + self.slot_events :])
        return found

    def transition(self, t: float, y: Reals, fired: Any) -> None:
        """Change y and the states at an instant; fired: numbers of event functions that brought us here."""
        m = self.states
        if self.compiled and self.compiled.treat(t, y, fired):
            if missed := self.overlap(y):
                raise ContactError(missed)
            self._remember(t)
            self.falling = {}
            return
        if self.rolling_friction:
            self.rolling_friction.take([k - self.slot_events for k in fired if k >= self.slot_events])
        fired = [k for k in fired if k < self.slot_events]
        slots = {k // EVENTS_PER_SLOT for k in fired if k % EVENTS_PER_SLOT == 0}
        slots |= self.rims.closing(y, {s for s in slots if m.state[s] == OPEN})
        second = {k // EVENTS_PER_SLOT for k in fired if k % EVENTS_PER_SLOT == 1}
        stopped = {s for s in second if m.state[s] == SLIDE}
        if second and not slots and not stopped and len(second) == len(fired) and self._share_friction(t, y):
            self._clear(t, y)
            self._remember(t)
            self.breaking, self.falling = {}, {}
            return  # others can bear what those at the edge of their cones cannot
        self.breaking = self._at_the_edge() if second - stopped else {}
        self.impacted, self.left = False, any(k % EVENTS_PER_SLOT == ENDS for k in fired)
        self._collide(t, y, slots)
        for _ in range(MOST_ROUNDS):  # slaps of a flat end have no last one: those after so many are left out
            if not self.impacted or not self.rims.aim(t, y, slots):
                break
            self._collide(t, y, slots)
        self._choose_states(t, y, slots, stopped)
        self.rims.label(t, y)
        m.slow[:] = SLOW * self.speed, SLOW * self.rolling_friction.speed if self.rolling_friction else 0.0
        self._share_friction(t, y)
        self._clear(t, y)
        self._watch_edges(t)
        if self.rolling_friction and (overloaded := self.rolling_friction.overloaded()):
            name = self.of.names[self.contacts.element[self.contacts.slot_pair[overloaded[0]]]]
            raise ContactError(f'contact "{name}" holds more than its resistance against turning at t = {t:.9g} s')
        self._remember(t)
        self.falling = {}

    def _share_friction(self, t: float, y: Reals) -> bool:
        """Share out forces anew that are not unique and come to the edges of their cones; False if none are inside."""
        m = self.states
        m.anchor[:], m.anchored[:] = 0.0, 0.0
        if self.rolling_friction or self.joints_share or np.sum(m.state == STICK) < 2:
            return False  # what resists turning, and joints that friction holds, are shared out by `relieve` alone
        self.work.clock[0], self.work.y[:] = t, y
        run_entry(self.work.calls[0].ydot, self.work.at[0].system)
        if not m.counts[0].redundant:
            return False
        friction = self.contacts.static_friction[self.contacts.slot_pair]
        bound, force = friction * m.force[:, 0], np.hypot(m.force[:, 1], m.force[:, 2])
        if not np.any((m.state == STICK) & (force > (1.0 - AT_THE_EDGE) * bound)):
            return False
        anchor, inside = inside_cones(m, friction)
        slack = AT_THE_EDGE * float(np.max(np.abs(anchor)))
        if inside <= slack:
            return False
        m.anchor[:], m.anchored[:] = anchor, (1.0, slack)
        return True

    def _watch_edges(self, t: float) -> None:
        """Let friction that begins at the edge of its cone be seen to leave it: only falling through zero is an event.

        ContactError if a contact sticks beyond its cone: it would do so for ever. Needs the forces of the motion that
        follows.
        """
        if self.rolling_friction or self.joints_share:
            return
        m = self.states
        stick = np.flatnonzero(m.state == STICK)
        if not len(stick):
            return
        largest = float(np.max(np.abs(m.force)))
        bound = self.contacts.static_friction[self.contacts.slot_pair[stick]] * np.maximum(m.force[stick, 0], 0.0)
        force = np.hypot(m.force[stick, 1], m.force[stick, 2])
        worst = int(np.argmax(force - bound))
        over = float(force[worst] - bound[worst])
        if over > OVERLOADED * (bound[worst] + largest):
            name = self.of.names[self.contacts.element[self.contacts.slot_pair[stick[worst]]]]
            raise ContactError(
                f'contact "{name}" would stick with {force[worst]:.4g} N from t = {t:.9g} s on, and its friction holds '
                f"{bound[worst]:.4g} N: no states were found that obey all laws; time stepping goes on, "
                "dt.Moreau(step=1e-4)"
            )
        if over > -AT_THE_EDGE * largest:
            m.anchored[1] = max(m.anchored[1], max(over, 0.0) + AT_THE_EDGE * largest)

    def _at_the_edge(self) -> dict[int, Reals]:
        """Sticking contacts whose force has reached the edge of the cone, with the direction of their slip."""
        m, found = self.states, dict[int, Reals]()
        for s in np.flatnonzero(m.state == STICK):
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
        rows = impact_rows(points, inverse, v)
        J = np.concatenate([row for row, _ in rows])
        dimension = len(J) // len(points)
        u = J @ v
        mu, e = self.contacts.friction[pairs], self.contacts.restitution[pairs].copy()
        slow = (u[::dimension] > -REST * self.speed) | (-e * u[::dimension] < slowest_leave(points, a))
        if law is None:  # without rebound all laws are that of Newton, which leaves no speed of round-off
            law = IMPACTS[int(np.max(self.contacts.impact[pairs] * (e > 0.0)))] if np.any(e[~slow]) else "newton"
        if law == "newton":  # in the others, what touches at rest gives back what it is given within the impact
            e[slow] = 0.0
        impact_problem = ImpactProblem(t, y, M, inverse, points, [axes for _, axes in rows], J, mu, e, law)
        s, change = self._solve_impact(impact_problem)
        if not s.ok and law == "newton" and np.any(e):  # with friction, a rate after the impact may be impossible
            s, change = self._without_newton(impact_problem)
        if not s.ok:
            why = s.reason
            if np.any(impact_problem.fixed(J[::dimension])):
                why = (
                    "no impulse changes the motion there, which constraints or drives prescribe; let the drive give way"
                )
            raise ContactError(f"an impact at t = {t:.9g} s of {self._names(points)} could not be solved: {why}")
        before = 0.5 * float(v @ M @ v)
        v += change
        self.impacted = True
        after = 0.5 * float(v @ M @ v)
        taken = before - after
        if self.system.closures.timed and not self.joints_share:  # the rest is what prescribed motions do meanwhile
            taken = -0.5 * float(s.p @ (u + s.u)) + (
                sum(self.rolling_friction.lost.values()) if self.rolling_friction else 0.0
            )
        y[-2] += after - before + taken
        y[-1] += taken
        if s.gains_energy:
            self._note(f'the impact law "{law}" made {after - before:.4g} J at t = {t:.6g} s: {self._names(points)}')
        unique = self._unique(impact_problem, s)
        for i, (p, (_, axes)) in enumerate(zip(points, rows, strict=True)):
            part = slice(dimension * i, dimension * (i + 1))
            row = J[dimension * i]
            if s.p[part][0] * float(row @ inverse @ row) <= STILL * self.speed:  # none, or round-off
                continue
            speeds = float(u[part][0]), float(s.u[part][0])
            lost = -0.5 * float(s.p[part] @ (u[part] + s.u[part]))
            lost += self.rolling_friction.lost.get(i, 0.0) if self.rolling_friction else 0.0
            self.record_impact(t, p.slot, s.p[part] @ axes, p.point, speeds, lost, *unique[i])

    def record_impact(
        self, t: float, slot: int, impulse: Reals, point: Reals, speeds: tuple[float, float], lost: float,
        unique: bool | None = True, sum_unique: bool | None = True,
    ) -> None:  # fmt: skip
        """Write down an impact at a point; impulse: on b of its pair."""
        pair = int(self.contacts.slot_pair[slot])
        name = self.of.names[self.contacts.element[pair]]
        impulse = -impulse if self.contacts.swapped[pair] else impulse
        self.impacts.append(ImpactRecord(t, name, impulse, point, speeds, float(lost), unique, sum_unique))

    def _unique(self, of: ImpactProblem, s: ImpactSolution) -> Sequence[tuple[bool | None, bool | None]]:
        """Whether the impulse of each point is unique, and the sum over its pair; not looked at with resistance."""
        if self.rolling_friction and self.rolling_friction.resisting(of.points):
            return [(None, None)] * len(of.points)
        each = zip(s.p.reshape(len(of.points), -1), s.u.reshape(len(of.points), -1), of.mu, strict=True)
        slides = [sliding(p, u, float(mu), self.speed) for p, u, mu in each]
        return unique_impulses(of.J, of.inverse, s.p, slides, of.axes, [point.pair for point in of.points])

    def _without_newton(self, of: ImpactProblem) -> tuple[ImpactSolution, Reals]:
        """An impact that leaves no solution to Newton's law: by Poisson's, or without rebound."""
        for other in (of._replace(law="poisson"), of._replace(e=np.zeros_like(of.e))):
            s, change = self._solve_impact(other)
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

    def _solve_impact(self, of: ImpactProblem) -> tuple[ImpactSolution, Reals]:
        """Impulses of an impact, and the change of the rates."""
        v = self._split(of.y)[1]
        resisted = (
            self.rolling_friction.solve_impact(of, v, *self.small_speeds(), of.dimension)
            if self.rolling_friction
            else None
        )
        if resisted:
            return resisted
        u = of.J @ v
        s = solve_impact(
            of.response(of.J), u, of.mu, of.e, law=of.law, dimension=of.dimension, round_off=ROUND_OFF * self.speed
        )
        return s, of.inverse @ of.J.T @ s.p

    # ----------------------------------------------------------------------------------------------------------- states

    def _choose_states(self, t: float, y: Reals, slots: set[int], stopped: set[int]) -> None:
        """States in which the motion goes on, from the problem of accelerations."""
        points, speeds = self._resting(t, y, slots)
        try:
            self._fit(t, y, points, speeds, stopped)
        except Inconsistent as paradox:
            self._jam(t, y, paradox)
            self._choose_states(t, y, slots, stopped)
            return
        if points:
            self._project(t, y)

    def _resting(self, t: float, y: Reals, slots: set[int]) -> tuple[list[ContactPoint], list[Reals]]:
        """Points that touch and do not part, with their speeds; all others are open then."""
        m = self.states
        _, v = self._split(y)
        points = self._touching(y, slots)
        speeds = [p.G @ v for p in points]
        still = np.full(len(points), (PASSED if self.left else STILL) * self.speed)
        # one that is left so slowly would be struck again and again, as by a rod that rocks
        if self.impacted and points:
            still = np.maximum(still, slowest_leave(points, self.free(t, y)[2]))
        rest = [i for i in range(len(points)) if speeds[i][0] <= still[i]]
        for i, p in enumerate(points):
            if i not in rest:
                self._open(p, 0.0 if self.impacted else NOISE)
        m.state[np.setdiff1d(np.arange(self.contacts.slots), [points[i].slot for i in rest])] = OPEN
        self._count_closed()
        return [points[i] for i in rest], [speeds[i] for i in rest]

    def _fit(self, t: float, y: Reals, points: list[ContactPoint], speeds: list[Reals], stopped: set[int]) -> None:
        """States of points that touch; raises Inconsistent if there are none."""
        for _ in range(len(points) + 1):
            if not points:
                return
            found = self._solve(t, y, points, speeds, stopped)
            for i, p in enumerate(points):
                # a force that falls through zero is zero here: nothing parts yet, but closed it would have to pull
                lifted = found.force[3 * i] <= LIFTED * self.falling.get(p.slot, -np.inf)
                self._set(p, OPEN if lifted else found.state[i], found.direction[i], speeds[i])
                if self.rolling_friction:
                    self.rolling_friction.put(p, i, found, self._split(y)[1])
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
        force, fallen = float(self.states.force[p.slot, 0]), max(self.falling.values(), default=-np.inf)
        return bool(self.states.state[p.slot] != OPEN) and force <= LIFTED * fallen

    def _solve(self, t: float, y: Reals, points: list[ContactPoint], speeds: list[Reals], stopped: set[int]) -> Found:
        problem = self.problem(t, y, points, speeds, stopped)
        found = self._broken_loose(problem, points) or find_contact_states(problem)
        if found is None:
            text = (
                f"no motion obeys the laws of contact at t = {t:.9g} s ({self._names(points)}): none was found. "
                f"{NONE_FOUND}"
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
            at_rest = self.states.state[p.slot] == STICK and not self.impacted  # by an impact at this instant
            if at_rest or float(np.linalg.norm(slip[i])) <= still:
                slip[i] = 0.0
        friction, static = self.contacts.friction[pairs], self.contacts.static_friction[pairs]
        of = self.rolling_friction
        turning = of.problem(points, self._split(y)[1], a, inverse, self.impacted) if of else None
        return Touching(J @ inverse @ J.T, b, slip, friction, static, turning)

    def _broken_loose(self, problem: Touching, points: list[ContactPoint]) -> Found | None:
        """States in which contacts at the edge of the cone slip, or begin to turn, if they then do so; else None."""
        edge = [i for i, p in enumerate(points) if p.slot in self.breaking]
        turns = bool(self.rolling_friction and self.rolling_friction.breaking)
        if not edge and not turns:
            return None
        slip = problem.slip.copy()
        for i in edge:
            slip[i] = self.breaking[points[i].slot]
        loose = problem._replace(slip=slip)
        loose = self.rolling_friction.broken_loose(loose, points) if self.rolling_friction else loose
        found = find_contact_states(loose)
        if found is None or (turns and self.rolling_friction and self.rolling_friction.goes_back(loose, points, found)):
            return None
        scale = float(np.max(np.abs(problem.b)))
        for i in edge:
            if found.state[i] == SLIDE and found.acceleration[3 * i + 1 : 3 * i + 3] @ slip[i] < -EDGE * scale:
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
        resists = self.rolling_friction is not None and bool(self.rolling_friction.resisting(paradox.points))
        if self.inconsistent == "stop" or not pressed or resists or self.jams > MOST_JAMS:
            raise ContactError(f"{text}; {LESS_FRICTION if pressed else NONE_FOUND}")
        self._note(f"{text}; the motion goes on after an impact without collision")
        self._impact(t, y, pressed[:1], law="poisson")

    def _pulled(self, t: float, y: Reals, points: list[ContactPoint]) -> ContactPoint | None:
        """Of closed contacts, that which would have to pull most in the motion that follows; None if none would."""
        w, m = self.work, self.states
        w.clock[0], w.y[:] = t, y
        run_entry(w.calls[0].ydot, w.at[0].system)
        forces = [float(m.force[p.slot, 0]) if m.state[p.slot] != OPEN else 0.0 for p in points]
        least = int(np.argmin(forces))
        return points[least] if forces[least] < -PULLS * max(map(abs, forces)) else None

    def _clear(self, t: float, y: Reals) -> None:
        """Gaps of open contacts are positive when the motion goes on: only then is it seen when they close."""
        m, w = self.states, self.work
        gaps = self.geometry.gaps(y[: self.system.nq])
        m.offset[self.feature & (m.state == OPEN) & ((gaps >= TOUCH) | (m.offset < gaps - 0.5 * AWAY))] = 0.0
        for s in np.flatnonzero((m.state == OPEN) & (gaps < TOUCH)):
            less = DEEP if self.distance[s] else 1e-17 + 1e-16 * abs(gaps[s])
            m.offset[s] = min(m.offset[s], gaps[s] - (AWAY if self._strange(int(s), gaps[s]) else less))
        w.clock[0], w.y[:] = t, y
        run_entry(w.calls[0].events, w.at[0].system)  # which may differ by round-off
        opened = np.flatnonzero(m.state == OPEN)
        m.offset[opened] += np.minimum(w.event[self.events + EVENTS_PER_SLOT * opened] - 1e-17, 0.0)
        closed = np.flatnonzero(m.state != OPEN)
        small = NO_PULL * float(np.max(np.abs(m.force[closed, 0]), initial=0.0))
        m.pull[:] = 0.0
        for s in closed:  # a force below zero would never be seen to fall
            m.pull[s] = small + 2.0 * max(-float(m.force[s, 0]), 0.0) if m.force[s, 0] < small else 0.0
        if missed := self.overlap(y):
            raise ContactError(missed)
