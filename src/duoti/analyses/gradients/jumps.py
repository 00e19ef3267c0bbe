"""Derivatives of jumps: impacts of rigid contacts and events of the model.

At the time t* where g(t, y, p) = 0 the state jumps to y+ = Y(t, y-, p). When y- changes by dy- and p by dp, the jump
comes later by

    dt = -(g_y dy- + g_p dp) / (g_y f- + g_t)                                                                       (1)

with f- and f+ the rates on both sides, and at a fixed time behind it

    dy+ = Y_y dy- + Y_p dp + (Y_y f- + Y_t - f+) dt                                                                 (2)

(the saltation matrix; Hiskens & Pai 2000). An integral of L has Y = 1, so that it gains (L- - L+) dt. Of an impact, g
is the gap, and Y obeys Newton's law of impact and Coulomb's law, which must give again what the run had. Where (1) has
no finite value, where bodies meet at several points at once or stay in contact, the derivative is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.analyses.sensitivity.equation_sensitivities import extrapolated
from duoti.analyses.states.linearised_equations import RANK, Equations
from duoti.contact.build import rigid_contacts
from duoti.contact.event_driven.contact_states import OPEN
from duoti.contact.workspace import ContactGeometry, ContactPoint
from duoti.model.event import SampleEvent
from duoti.results.result import Result
from duoti.system.arrays import Reals
from duoti.system.system import System

if TYPE_CHECKING:
    from duoti.analyses.gradients.discrete_run import DiscreteRun

POINT_MARGIN = 1e-6  # m, gap of the point of an impact
GRAZING = 1e-6  # part of the speeds of a state: slower approaches have no derivative
SAME = 1e-6  # part of the change of a jump by which the map of this module may differ from the run
SLIPPING = 1e-9  # part of the speeds: slower is sticking
MOST_SLIP = 50  # iterations for the direction of slip


class NotDifferentiableError(ValueError):
    """A run has no derivative, or one that is not known."""


@dataclass(frozen=True)
class Jump:
    """The derivatives of a jump: of the state behind it, and of the integrals of the expressions."""

    row: int  # of the run, of the state before it
    by_y: Reals  # [n, n]
    by_p: Reals  # [n, parameters]
    extra_by_y: Reals  # [expressions, n]
    extra_by_p: Reals  # [expressions, parameters]


def rows_of_jumps(result: Result) -> list[int]:
    """Outputs before jumps: the next one has the same time."""
    return np.flatnonzero(np.diff(result.t) <= 0.0).tolist()


def refuse_contact_phases(result: Result, what: str) -> None:
    """Raise if bodies stay in contact."""
    for name, contact in result.model.contacts.items():
        if not contact.law.rigid:
            continue
        states: Any = result[f"{name}.state"]
        closed = np.flatnonzero(np.any(np.asarray(states).reshape(len(result.t), -1) != OPEN, axis=1))
        if len(closed):
            raise NotDifferentiableError(
                f'{what}: contact "{name}" stays closed at t = {result.t[closed[0]]:.6g} s; impacts are '
                "differentiated, motion in rigid contact is not in an event-driven run. Take time stepping, "
                "solver=dt.Moreau(step=0.001), or a compliant law (dt.CompliantContact)"
            )


class Jumps:
    """All jumps of a run."""

    def __init__(self, run: DiscreteRun, what: str):
        self.run, self.what = run, what
        self.of = rigid_contacts(run.system)
        self._events = {name: run.visible + i for i, name in enumerate(run.watched.events)}
        self.rows = rows_of_jumps(run.result)
        self.found = {row: self._jump(row) for row in self.rows}

    def _refuse(self, t: float, why: str) -> NotDifferentiableError:
        return NotDifferentiableError(f"{self.what}: the run has no derivative that is known at t = {t:.6g} s: {why}")

    def _jump(self, row: int) -> Jump:
        r, run = self.run.result, self.run
        t = float(run.t[row])
        impacts = [each for each in r.impacts if each.time == t]
        events = [each.name for each in r.events if each.t == t and each.name in self._events]
        if len(impacts) + len(events) != 1 or row + 1 in self.rows:
            names = [f'contact "{each.contact}"' for each in impacts] + [f'event "{each}"' for each in events]
            listed = ", ".join(names) or "an unknown cause"
            raise self._refuse(t, f"several jumps at once ({listed}), whose order depends on the parameters")
        if impacts:
            return self._impact(row, t, impacts[0])
        return self._event(row, t, events[0])

    # --------------------------------------------------------------------------------------------------------- impacts

    def _impact(self, row: int, t: float, record: Any) -> Jump:
        run, name = self.run, record.contact
        law = run.system.model.contacts[name].law
        before, after = run.y[row], run.y[row + 1]
        q = slice(0, run.nq)
        map_of = _ImpactMap(run.system, run, name, record.point)
        point = map_of.point(before)
        speed = float(point.G[0] @ before[run.nq : run.nq + run.nv])
        scale = float(np.linalg.norm(point.G[0])) * float(np.linalg.norm(before[run.nq : run.nq + run.nv]))
        if abs(speed) <= GRAZING * scale:
            raise self._refuse(t, f'contact "{name}" is grazed: its time has no derivative')
        map_of.choose(before, after, float(law.friction))
        change = float(np.max(np.abs(after - before)))
        error = float(np.max(np.abs(map_of(before) - after)))
        if not error <= SAME * change:
            raise self._refuse(
                t,
                f"the impact in contact \"{name}\" is not one point with Newton's law of impact and Coulomb's law "
                f"(rates differ by {error:.2g} of {change:.2g})",
            )
        by_y = _jacobian(map_of, before)
        g_y = np.zeros(run.n)
        g_y[q] = point.G[0] @ run.coordinates(before[q], before[run.nq : run.nq + run.nv])[1]

        def at(system: System) -> Reals:
            other = _ImpactMap(system, run, name, record.point, map_of)
            return np.append(other(before), other.point(before).gap)

        by_p = self._by_parameters(at, t)
        return self._saltation(row, t, by_y, by_p[:-1], g_y, by_p[-1], 0.0, np.zeros(run.n))

    # ---------------------------------------------------------------------------------------------------------- events

    def _event(self, row: int, t: float, name: str) -> Jump:
        run = self.run
        before = run.y[row]
        if isinstance(run.system.model.events[name], SampleEvent):
            raise self._refuse(t, f'samples of the controller "{name}" are not differentiated')
        at = run.derivatives(t, before)
        i = self._events[name]
        g_y, g_p = at.values_by_y[i], at.values_by_p[i]
        g_t = float(extrapolated(lambda x: run.rates(x, before)[1][i : i + 1], t, self._time_scale())[0][0])
        apply = _event_map(run.system, run, name, t)
        error = float(np.max(np.abs(apply(before) - run.y[row + 1])))
        change = float(np.max(np.abs(run.y[row + 1] - before)))
        if not error <= SAME * max(change, 1e-9):
            raise self._refuse(t, f'event "{name}" does not change the state by its function alone')
        by_y = _jacobian(apply, before)
        y_t = extrapolated(lambda x: _event_map(run.system, run, name, x)(before), t, self._time_scale())[0]
        by_p = self._by_parameters(lambda system: _event_map(system, run, name, t)(before), t)
        return self._saltation(row, t, by_y, by_p, g_y, g_p, g_t, y_t)

    def _time_scale(self) -> float:
        return float(self.run.t[-1] - self.run.t[0])

    # --------------------------------------------------------------------------------------------------------- common

    def _by_parameters(self, of: Callable[[System], Reals], t: float) -> Reals:
        family = self.run.family
        here, columns = of(self.run.system), list[Reals]()
        for k in range(len(family.names)):
            if np.array_equal(of(family.near(k)), here):
                columns.append(np.zeros(len(here)))
                continue
            slope, error = family.slope(k, of)
            self.run.slopes.errors[k] = max(self.run.slopes.errors[k], error)
            columns.append(slope)
        return np.array(columns).T.reshape(len(here), -1)

    def _saltation(
        self, row: int, t: float, by_y: Reals, by_p: Reals, g_y: Reals, g_p: Reals, g_t: float, y_t: Reals
    ) -> Jump:
        run = self.run
        f_before, l_before = run.rates(t, run.y[row])
        f_after, l_after = run.rates(t, run.y[row + 1])
        passing = float(g_y @ f_before) + g_t
        if not abs(passing) > GRAZING * (float(np.linalg.norm(g_y) * np.linalg.norm(f_before)) + abs(g_t)):
            raise self._refuse(t, "the event is only touched: its time has no derivative")
        dt_y, dt_p = -g_y / passing, -g_p / passing
        later = by_y @ f_before + y_t - f_after
        return Jump(
            row, by_y + np.outer(later, dt_y), by_p + np.outer(later, dt_p),
            np.outer(l_before - l_after, dt_y), np.outer(l_before - l_after, dt_p),
        )  # fmt: skip


def end_by_event(run: DiscreteRun) -> tuple[Reals, Reals, Reals] | None:
    """Of a run that an event ended: derivatives of its end by the state and parameters there, and g_y, g_p over g_t.

    None for a run that reached its time.
    """
    if run.result.reason_code != "event":
        return None
    name, t, y = run.result.events[-1].name, float(run.t[-1]), run.y[-1]
    i = run.visible + run.watched.events.index(name)
    at = run.derivatives(t, y)
    span = float(run.t[-1] - run.t[0])
    g_t = float(extrapolated(lambda x: run.rates(x, y)[1][i : i + 1], t, span)[0][0])
    passing = float(at.values_by_y[i] @ at.k) + g_t
    if not abs(passing) > GRAZING * (float(np.linalg.norm(at.values_by_y[i]) * np.linalg.norm(at.k)) + abs(g_t)):
        raise NotDifferentiableError(f't = {t:.6g} s: event "{name}" is only touched: its time has no derivative')
    values_t = extrapolated(lambda x: run.rates(x, y)[1], t, span)[0]
    return -at.values_by_y[i] / passing, -at.values_by_p[i] / passing, values_t


def _jacobian(of: Callable[[Reals], Reals], y: Reals) -> Reals:
    """dY/dy by extrapolated differences."""
    columns = list[Reals]()
    for i in range(len(y)):

        def along(x: float, i: int = i) -> Reals:
            moved = y.copy()
            moved[i] = x
            return of(moved)

        columns.append(extrapolated(along, float(y[i]), max(abs(float(y[i])), 1e-2))[0])
    return np.array(columns).T


def _event_map(system: System, run: DiscreteRun, name: str, t: float) -> Callable[[Reals], Reals]:
    """What an event makes of a state."""
    from duoti.analyses.simulate.jumps import apply_event
    from duoti.dynamics.workspace import new_workspace

    work = new_workspace(system, ydot=True)

    def apply(y: Reals) -> Reals:
        whole = np.zeros(len(work.y))
        whole[: run.n] = y
        apply_event(system, work, name, t, whole, run.nz)
        return whole[: run.n].copy()

    return apply


class _ImpactMap:
    """Rates after an impact at one point, for a given kind of friction: none, sticking, slipping."""

    def __init__(self, system: System, run: DiscreteRun, name: str, place: Reals, like: _ImpactMap | None = None):
        of = rigid_contacts(system)
        assert of is not None
        self.run, self.name, self.place = run, name, place
        self.geometry = ContactGeometry(system, of, biases=False)
        self.equations = Equations.of(system)
        self.law: Any = system.model.contacts[name].law
        self.slot = None if like is None else like.slot
        self.kind = "frictionless" if like is None else like.kind

    def point(self, y: Reals) -> ContactPoint:
        """The point of contact."""
        nq, nv = self.run.nq, self.run.nv
        margin = np.inf if self.slot is not None else POINT_MARGIN * max(1.0, float(np.max(np.abs(y[:nq]))))
        points = [p for p in self.geometry.points(y[:nq], y[nq : nq + nv], margin) if p.name == self.name]
        if self.slot is not None:
            points = [p for p in points if p.slot == self.slot]
        if not points:
            raise NotDifferentiableError(f'contact "{self.name}" has no point of contact near its impact')
        found = min(points, key=lambda p: float(np.linalg.norm(p.point - self.place)))
        self.slot = found.slot
        return found

    def choose(self, before: Reals, after: Reals, friction: float) -> None:
        """The kind of friction, from the rates before and after."""
        nq, nv = self.run.nq, self.run.nv
        if friction == 0.0:
            self.kind = "frictionless"
            return
        G = self.point(before).G
        slip = float(np.linalg.norm(G[1:] @ after[nq : nq + nv]))
        self.kind = "stick" if slip <= SLIPPING * float(np.linalg.norm(G @ before[nq : nq + nv])) else "slip"

    def __call__(self, y: Reals) -> Reals:
        nq, nv = self.run.nq, self.run.nv
        q, v = y[:nq], y[nq : nq + nv]
        G = self.point(y).G
        x = self.equations
        x.put(q, v, np.zeros(x.system.nz), 0.0)
        x.accelerations()
        at = x.linearise(np.zeros(nv), np.zeros(x.system.closures.rows))
        inverse: Any = np.linalg.inv(at.M)
        if len(at.G):
            back = inverse @ at.G.T
            inverse = inverse - back @ np.linalg.pinv(at.G @ back, rcond=RANK) @ back.T
        W, u = G @ inverse @ G.T, G @ v
        rise = -(1.0 + float(self.law.restitution)) * u[0]
        if self.kind == "frictionless":
            P = np.array([rise / W[0, 0], 0.0, 0.0])
        elif self.kind == "stick":
            P = np.linalg.pinv(W, rcond=RANK) @ np.array([rise, -u[1], -u[2]])
        else:
            P = _slipping(W, u, rise, float(self.law.friction))
        made = y.copy()
        made[nq : nq + nv] = v + inverse @ G.T @ P
        return made


def _slipping(W: Reals, u: Reals, rise: float, friction: float) -> Reals:
    """The impulse whose friction is against the slip that it leaves."""
    slip = u[1:].copy()
    P = np.zeros(3)
    for _ in range(MOST_SLIP):
        length = float(np.linalg.norm(slip))
        s = slip / length
        normal = rise / (W[0, 0] - friction * float(W[0, 1:] @ s))
        P = np.array([normal, *(-friction * normal * s)])
        left = u[1:] + W[1:] @ P - slip
        turn = (np.eye(2) - np.outer(s, s)) / length
        dn = normal**2 / rise * friction * (W[0, 1:] @ turn)
        slope = np.outer(W[1:, 0] - friction * W[1:, 1:] @ s, dn) - friction * normal * W[1:, 1:] @ turn - np.eye(2)
        step: Any = np.linalg.solve(slope, left)
        slip = slip - step
        if float(np.linalg.norm(step)) <= 1e-15 * float(np.linalg.norm(slip)):
            return P
    if float(np.linalg.norm(step)) <= 1e-12 * float(np.linalg.norm(slip)):  # pyright: ignore[reportPossiblyUnboundVariable]
        return P
    raise NotDifferentiableError("the direction of slip of an impact was not found")
