"""What the event-driven engine knows of a system with contacts: its workspace, points that touch, free motion."""

from __future__ import annotations

from typing import Any

import numpy as np

from duoti.contact.build import ContactSet
from duoti.contact.engine_setup import contact_workspace, install_contacts, with_contact_events
from duoti.contact.modes import EVENTS_PER_SLOT, OPEN, SLIDE, pack_modes
from duoti.contact.overlap import overlap
from duoti.contact.records import ImpactRecord, ModesSince
from duoti.contact.workspace import ContactGeometry, ContactPoint, new_contact_workspace
from duoti.dynamics.crba import crba
from duoti.kernel import address_of, run_entry
from duoti.system.arrays import PROJECT, RATES, Reals
from duoti.system.closures import dense_jacobian
from duoti.system.system import System

TOUCH = 1e-10  # gap [m] up to which points touch
NO_SPEED = 1e-6  # m/s: small parts of it are no motion of anything


class EngineBase:
    """Contacts, modes, and what was found so far."""

    def __init__(self, system: System, of: ContactSet, inconsistent: str = "impact", holdable: int = 0):
        self.of, self.contacts, self.inconsistent = of, of.contacts, inconsistent
        self.system = with_contact_events(system, of)
        self.events = len(system.loads.laws.event_law)
        self.work = contact_workspace(self.system)
        self.contact = new_contact_workspace(of, biases=True)
        self.modes, self.block = pack_modes(self.system, self.contact, holdable)
        self.modes.counts[0].events = self.events
        self.work.context[1] = address_of(self.block)
        install_contacts(self.work)
        self.geometry = ContactGeometry(self.system, of, self.work)
        self.breaking: dict[int, Reals] = {}
        self.falling: dict[int, float] = {}
        self.struck = False
        self.speed = NO_SPEED  # greatest speed at a contact so far
        self.impacts: list[ImpactRecord] = []
        self.history: list[ModesSince] = []
        self.notes: list[str] = []
        self.without_newton: list[float] = []  # times of impacts that Newton's law leaves without a solution
        self.jams, self.deepest = 0, 0.0  # the deepest penetration at the start

    def _remember(self, t: float) -> None:
        m = self.modes
        self.history.append(ModesSince(t, m.mode.copy(), m.direction.copy(), m.offset.copy()))

    def _split(self, y: Reals) -> tuple[Reals, Reals]:
        nq, nv = self.system.nq, self.system.nv
        return y[:nq], y[nq : nq + nv]

    def _touching(self, y: Reals, slots: set[int]) -> list[ContactPoint]:
        """Points that touch: closed ones, those that were just found to close, and any others that are there too."""
        q, v = self._split(y)
        points = self.geometry.points(q, v, np.inf)
        m = self.modes
        return [p for p in points if m.mode[p.slot] != OPEN or p.slot in slots or p.gap - m.offset[p.slot] <= TOUCH]

    def _free_rates(self) -> None:
        """Rates without forces of contact."""
        run_entry(self.work.entries[RATES], self.work.context[0])

    def _free(self, t: float, y: Reals, impact: bool = False) -> tuple[Reals, Reals, Reals]:
        """M, the inverse of M on what loops and joints at rest allow, and accelerations without forces of contact.

        In an impact, joints that friction holds are free.
        """
        w, m, system = self.work, self.modes, self.system
        q, _ = self._split(y)
        nq, nv = system.nq, system.nv
        kept, closed = m.mode.copy(), int(m.counts[0].closed)
        m.mode[:], m.counts[0].closed = OPEN, 0
        w.clock[0], w.y[:] = t, y
        self._free_rates()
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
        if mode == OPEN:
            self._open(p, 0.0)
            return
        m.mode[p.slot], m.offset[p.slot] = mode, 0.0
        if mode == SLIDE:
            m.direction[p.slot] = direction @ p.frame[1:]
            if u[1:] @ direction <= 0.0:  # what is left of the slip before must not end that which begins
                m.offset[p.slot] = 2.0 * float(np.linalg.norm(u[1:]))

    def _open(self, p: ContactPoint, allowance: float) -> None:
        """Open a contact; an allowance [m] keeps one that will not close from being found closed by round-off."""
        self.modes.mode[p.slot] = OPEN
        self.modes.offset[p.slot] = min(p.gap, 0.0) - allowance

    def forget_open(self, watches: Any) -> None:
        """Event functions of open contacts start where `_clear` has put them, whatever has fired before."""
        for s in np.flatnonzero(self.modes.mode == OPEN):
            watches[self.events + EVENTS_PER_SLOT * s].fired = 0

    def missed_in(self, states: Reals) -> str:
        """Why the states of a run cannot be those of a motion without overlap; "" if they can."""
        each = (overlap(self.of, self.geometry.gaps(y[: self.system.nq]), self.deepest) for y in states)
        return next(filter(None, each), "")

    def _project(self, t: float, y: Reals) -> None:
        w, nq, nv = self.work, self.system.nq, self.system.nv
        w.clock[0], w.y[:] = t, y
        run_entry(w.entries[PROJECT], w.context[0])
        y[: nq + nv] = w.y[: nq + nv]

    def _names(self, points: list[ContactPoint]) -> str:
        names = dict.fromkeys(f'"{p.name}" (between "{p.bodies[0]}" and "{p.bodies[1]}")' for p in points)
        return ("contact " if len(names) == 1 else "contacts ") + ", ".join(names)

    def _note(self, text: str) -> None:
        if len(self.notes) < 20:
            self.notes.append(text)
