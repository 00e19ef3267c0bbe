"""States of friction and stops in joints: what comes next when one cannot last, and where a run begins.

At an instant, the rates are known; what is open is which of the slots that do not move begin to slide, and which stops
let go. A friction state fits if a joint at rest needs no more than its static friction, one that begins to slide
accelerates in the direction against which its friction acts, and a stop pushes. Most often the first guess fits, or the
worst slot is changed until all fit; otherwise all combinations of the slots in doubt are tried.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import hypot
from typing import NamedTuple

import numpy as np

from duoti.contact.event_driven.records import ImpactRecord
from duoti.dynamics.joint_friction.events import NO_DISTANCE, NO_SPEED
from duoti.dynamics.joint_friction.installation import joint_friction_of
from duoti.elements.joint_friction_memory import (
    ABOVE,
    AT_REST,
    BACKWARD,
    BELOW,
    COULOMB,
    FORWARD,
    FREE,
    IGNORED,
    LOWER,
    STOP,
    TOUCHES,
    UPPER,
    JointFrictionData,
)
from duoti.kernel import run_entry
from duoti.model.joint_friction import Slot, slots_of
from duoti.system.arrays import Reals, Work
from duoti.system.system import System

FITS = 1e-9  # relative excess of a force or lack of an acceleration that is round-off
TRIED_ONE_BY_ONE = 4  # changes of single slots for each slot in doubt
TRIED_TOGETHER = 6  # slots in doubt whose combinations are all tried
GRAZES = 1e-9  # [rad/s or m/s] speed at which a joint does not strike
MOST_GRAZE = 1e-6  # [rad or m] that a solver's own errors may take a joint that does not strike beyond a limit
NO_IMPULSE = 1e-12  # part of the greatest impulse at a stop in an impact: round-off
RESTS = 1e-6  # least part of the fastest impact at a stop that still bounces


class JammedError(ValueError):
    """No friction states fit a state: joints jam, and what they do next is not determined."""


class ImpactedStops(NamedTuple):
    """Stops that take part in an impact."""

    sides: dict[int, float]
    """UPPER or LOWER, by slot."""
    rates: list[int]
    inward: Reals
    """1 or -1: the direction in which each rate may move."""
    restitution: Reals


class FrictionStates:
    """Chooses friction states in states of a run."""

    def __init__(self, system: System, work: Work):
        self.system, self.work = system, work
        self.slots: list[Slot] = slots_of(system.model)
        self.jf: JointFrictionData = joint_friction_of(work)
        self.fastest = self.jf.fastest  # impact at each stop
        self.allowed = FITS
        """Part of static friction that a joint at rest may need beyond it."""
        self.rests = RESTS
        """Part of the fastest impact at a stop below which the joint stays at it."""
        self.impacts: list[ImpactRecord] = []
        """At stops, since they were taken."""
        self.jammed = ""
        """What was said about joints that jam."""
        self.with_states = [s for s, slot in enumerate(self.slots) if slot.friction_state]

    def jam_at(self, t: float) -> str:
        """What is to be said about joints that jam, or nothing."""
        if self.jammed or not self.jf.status[0].jams:
            return self.jammed
        joint = self.slots[int(self.jf.status[0].jams) - 1].joint
        return (
            f'joint "{joint}" jams while it moves, at t = {t:.6g} s: more friction makes more load than it bears, and '
            "no sliding motion goes on; lower friction=, or lengthen its guide (overlap=, bending_arm=)"
        )

    def start(self, t: float, y: Reals, stops: bool = True) -> None:
        """Friction states in which a run begins: y is changed. stops: False for a solver that cannot hold a joint at
        its stop.
        """
        self.begin(y, stops)
        self.change(t, y, self.at_limits(y), at_root=False)

    def at_instant(self, t: float, y: Reals) -> None:
        """Friction states in a single state; only z is changed.

        Joints that rest at a limit may be held there. One that moves into its stop would have an impact, which no force
        tells, and one that is beyond its limit is in no state that a run would reach: stops have no forces on these.
        """
        self.begin(y)
        hits = {
            s: side
            for s, side in self.at_limits(y).items()
            if self._friction_state(y, s) == FREE and self._is_at_rest(y, s)
        }
        v = y[self.system.nq :][: self.system.nv].copy()
        self.choose(t, y, set(hits), hits)
        y[self.system.nq :][: self.system.nv] = v

    def begin(self, y: Reals, stops: bool = True) -> None:
        """Friction states that follow from the state alone."""
        for s in self.with_states:
            if self._is_stop(s) and not stops:
                self._put(y, s, IGNORED)
            elif self._is_stop(s):
                self._put(y, s, self._open(y, s))
            elif not self._is_at_rest(y, s):
                self._put(y, s, self._sliding(y, s))

    def at_limits(self, y: Reals, at_root: Iterable[int] = ()) -> dict[int, float]:
        """Stops that do not hold, of joints at or beyond their limits, with their sides.

        All of them take part in an impact, whatever their rates: impulses at other stops may press them.
        located: slots whose limits were reached by an event; closing the loops may have moved them off since.
        """
        known, found = set(at_root), dict[int, float]()
        for s in self.with_states:
            if self._is_stop(s) and self._friction_state(y, s) not in (UPPER, LOWER, IGNORED):
                q, (low, high) = y[self.jf.coordinate[s]], self.slots[s].limits
                if min(q - low, high - q) <= TOUCHES or s in known:
                    found[s] = self._side(y, s)
        return found

    def pressing(self, y: Reals) -> dict[int, float]:
        """Those of `at_limits` whose joints do not leave."""
        return {s: side for s, side in self.at_limits(y).items() if self._inward(y, s) <= 0.0}

    def change(self, t: float, y: Reals, fired: Iterable[int], at_root: bool = True) -> None:
        """Friction states that fit after the event functions of the slots `fired` have passed zero; y is changed.

        located: the positions are those in which these functions are zero.
        """
        fired = set(fired)
        reached = (
            {s for s in fired if self._is_stop(s) and self._friction_state(y, s) == FREE} if at_root else set[int]()
        )
        self.come_back(y, fired)
        grazing = self._grazing(t, y, reached)
        hits = self.at_limits(y, reached)
        if any(s not in grazing and self._inward(y, s) <= 0.0 for s in hits):
            self._impact(t, y, hits)
        self.choose(t, y, fired, hits)
        for s in reached:
            again = s in grazing and self._friction_state(y, s) == FREE
            self.jf.load[s] = min(10.0 * max(self.jf.load[s], NO_DISTANCE), MOST_GRAZE) if again else 0.0

    def come_back(self, y: Reals, fired: set[int]) -> None:
        """Joints that were beyond a limit and are not any more."""
        for s in fired:
            if self._is_stop(s) and self._friction_state(y, s) in (ABOVE, BELOW):
                self._put(y, s, self._open(y, s))

    def choose(self, t: float, y: Reals, fired: set[int], hits: dict[int, float]) -> None:
        """Friction states that fit, after impacts: y is changed. hits: stops that were reached, with their sides."""
        doubt: list[int] = []
        guess = y.copy()
        for s in self.with_states:
            if self._is_stop(s):
                side = hits.get(s) or (
                    self._friction_state(y, s) if self._friction_state(y, s) in (UPPER, LOWER) else 0.0
                )
                if side and self._is_at_rest(y, s):
                    doubt.append(s)
                    self._put(guess, s, self._open(y, s) if s in fired and s not in hits else side)
                elif side:
                    self._put(guess, s, self._open(y, s))
            elif self._is_at_rest(y, s) or s in fired:
                doubt.append(s)
                self._set_at_rest(guess, s)
                leaves = s in fired and self._friction_state(y, s) == AT_REST and not self._was_moving(y, s)
                if leaves:
                    self._put(guess, s, self._away(t, y, s))
                # else it has just begun to slide
                elif s in fired or self._friction_state(y, s) not in (FORWARD, BACKWARD):
                    self._put(guess, s, self._rest_or_driven(t, guess, s))
            else:
                self._put(guess, s, self._sliding(y, s))
        y[:] = self._fitting(t, guess, doubt)
        for s in doubt:
            if self._is_stop(s) and self._friction_state(y, s) in (UPPER, LOWER):
                self._set_at_rest(y, s)
        if self.system.closures.rows:
            from duoti.contact.joint_friction.loops import rest_in_loops

            rest_in_loops(self, t, y, doubt)

    # ------------------------------------------------------------------------------------------- fitting friction
    # states

    def _fitting(self, t: float, y: Reals, doubt: list[int]) -> Reals:
        """Friction states that fit; only if there are none else, a joint rests that needs all of its static friction.

        It would not be seen any more when it needs more than that. Nor would a stop that holds with no force.
        """
        for self.allowed in (0.0, FITS):
            found = self._search(t, y.copy(), doubt)
            if found is not None:
                return found
        names = ", ".join(f'"{self.slots[s].joint}"' for s in doubt)
        raise JammedError(
            f"t = {t:.9g} s: no state of rest or motion of joints {names} fits their friction and stops: they jam, and "
            "what they do next is not determined (more friction makes more load than it bears); lower friction=, or "
            "lengthen the guides (overlap=, bending_arm=)"
        )

    def _search(self, t: float, y: Reals, doubt: list[int]) -> Reals | None:
        seen: set[tuple[float, ...]] = set()
        for _ in range(TRIED_ONE_BY_ONE * len(doubt) + 1):
            misfits = self.misfits(t, y, doubt)
            if not misfits:
                return y
            key = tuple(float(y[self.jf.friction_state[s]]) for s in doubt)
            if key in seen:
                break
            seen.add(key)
            s = max(misfits, key=lambda each: misfits[each][0])
            self._put(y, s, misfits[s][1])
        if len(doubt) <= TRIED_TOGETHER:
            for states in product(*(self._possible(y, s) for s in doubt)):
                for s, state in zip(doubt, states, strict=True):
                    self._put(y, s, state)
                if not self.misfits(t, y, doubt):
                    return y
        return None

    def misfits(self, t: float, y: Reals, doubt: list[int]) -> dict[int, tuple[float, float]]:
        """How badly the friction states of slots fit, and the friction state to try next, for those that do not fit."""
        a = self.rates(t, y)
        jf = self.jf
        found: dict[int, tuple[float, float]] = {}
        jammed = int(jf.status[0].jammed) - 1
        scale = float(np.max(np.abs(a), initial=0.0))
        for s in doubt:
            state, j, n = self._friction_state(y, s), int(jf.first[s]), int(jf.size[s])
            if self._is_stop(s):
                inward = 1.0 if self._side(y, s) == LOWER else -1.0
                if state not in (UPPER, LOWER):
                    if inward * a[j] < -FITS * scale:
                        found[s] = (1.0, self._side(y, s))
                else:
                    push, none = inward * float(jf.x[s, 0]), FITS * float(np.max(np.abs(jf.x)))
                    if push < -none if self.allowed else push <= none:
                        found[s] = (1.0, self._open(y, s))
            elif state == AT_REST and not jf.driven[s]:
                scales = jf.scales[s, :n]
                force = hypot(*(jf.x[s, :n][scales > 0] / scales[scales > 0]))  # up to 1e303 where nothing can hold
                holds = force <= jf.rest[s] * (1.0 + self.allowed)  # not if undefined: a dead point cannot be held
                if not holds or (not self.allowed and force == jf.rest[s] > 0.0):
                    over = force / jf.rest[s] - 1.0 if jf.rest[s] > 0.0 else np.inf
                    found[s] = (over, FORWARD if n > 1 or jf.x[s, 0] < 0.0 else BACKWARD)
            elif n == 1 and (state == BACKWARD) != (a[j] < 0.0) and abs(a[j]) > FITS * max(scale, self.slowed(y, s)):
                found[s] = (0.5, AT_REST if not jf.driven[s] else FORWARD if a[j] > 0.0 else BACKWARD)
            if s == jammed and s not in found:
                found[s] = (0.1, AT_REST)
        return found

    def slowed(self, y: Reals, s: int) -> float:
        """Acceleration that the friction of a slot makes by itself: round-off of it has no direction."""
        from duoti.dynamics.mass_matrix import mass_matrix

        j = int(self.jf.first[s])
        return float(self.jf.bound[s] / mass_matrix(self.system, y[: self.system.nq].copy())[j, j])

    def _possible(self, y: Reals, s: int) -> tuple[float, ...]:
        if self._is_stop(s):
            return (self._side(y, s), self._open(y, s))
        return (AT_REST, FORWARD, BACKWARD) if self.jf.size[s] == 1 else (AT_REST, FORWARD)

    def rates(self, t: float, y: Reals) -> Reals:
        """Accelerations in the friction states of y."""
        work, nq, nv = self.work, self.system.nq, self.system.nv
        work.clock[0], work.y[:] = t, y
        run_entry(work.calls[0].ydot, int(work.at[0].system))
        return work.ydot[nq : nq + nv].copy()

    # ------------------------------------------------------------------------------------------------- impacts

    def _impact(self, t: float, y: Reals, hits: dict[int, float]) -> None:
        """Rates after joints have hit their limits: Newton's law at each, impulses through loops and joints.

        Stops at which joints are already take part, and friction that follows from the load takes its share.
        """
        from duoti.contact.joint_friction.impulses import joint_impulses

        nq, nv = self.system.nq, self.system.nv
        stops = self.impacted_stops(y, hits)
        before = y.copy()
        change, impulses = joint_impulses(self.system, self.work, t, y, stops)
        y[nq : nq + nv] += change
        self.record_impact(t, before, y, stops, impulses)
        self.after_impact(t, y, stops, hits)

    def record_impact(self, t: float, before: Reals, y: Reals, stops: ImpactedStops, impulses: Reals) -> None:
        """Write down what stops did in an impact."""
        nq, w, tree, largest = self.system.nq, self.work, self.system.tree, float(np.max(impulses, initial=0.0))
        if not largest > 0.0:
            return
        w.clock[0], w.y[:] = t, before
        run_entry(w.calls[0].ydot, w.at[0].system)  # poses and axes
        for s, j, inward, p in zip(stops.sides, stops.rates, stops.inward, impulses, strict=True):
            if p <= NO_IMPULSE * largest:
                continue
            column = int(np.flatnonzero(tree.rate == j)[0])
            pose = w.X_WB[int(np.searchsorted(tree.first, column, side="right")) - 1]
            turn, shift = (pose[:9].reshape(3, 3) @ part for part in (w.H[column, :3], w.H[column, 3:]))
            square = float(turn @ turn)
            point = pose[9:] + (np.cross(turn, shift) / square if square else 0.0)
            u = float(inward * before[nq + j]), float(inward * y[nq + j])
            axis = inward * (turn if square else shift)
            name, lost = self.slots[s].friction_state, -0.5 * float(p) * sum(u)
            self.impacts.append(ImpactRecord(t, name, p * axis, point, u, lost))

    def _grazing(self, t: float, y: Reals, reached: set[int]) -> set[int]:
        """Those of the joints that have reached a limit which do not strike, to the accuracy of positions.

        They turn around so near to it that the limit is no obstacle; or they leave it by the rates of the solver, which
        are less exact, although they are pressed towards it: these rates become zero.
        """
        if not reached:
            return set()
        nq, nv = self.system.nq, self.system.nv
        a, found, resting = self.rates(t, y), set[int](), list[int]()
        for s in reached:
            j, speed = int(self.jf.first[s]), self._inward(y, s)
            away = float(a[j] if self._side(y, s) == LOWER else -a[j])
            distance = 0.5 * speed * speed / abs(away) if away else np.inf
            if abs(speed) <= GRAZES or speed > 0.0 or (away > 0.0 and distance <= TOUCHES):
                found.add(s)
            if speed > 0.0 > away:  # the limit was passed outwards: the rate is an error of the solver
                resting.append(j)
        if resting:
            from duoti.contact.joint_friction.impulses import stopping_impulses

            y[nq : nq + nv] += stopping_impulses(self.system, self.work, t, y, resting)
        return found

    def impacted_stops(self, y: Reals, hits: dict[int, float]) -> ImpactedStops:
        """The stops that take part in an impact: those that were reached, and those at which joints are already."""
        closed = {
            s: self._friction_state(y, s)
            for s in self.with_states
            if self._is_stop(s) and self._friction_state(y, s) in (UPPER, LOWER)
        }
        sides = {**closed, **hits}
        rates = [int(self.jf.first[s]) for s in sides]
        inward = np.array([1.0 if side == LOWER else -1.0 for side in sides.values()])
        speed = inward * y[self.system.nq :][rates]
        for s, u in zip(sides, speed, strict=True):
            self.fastest[s] = max(self.fastest[s], -u)
        restitution = np.array([self.slots[s].restitution for s in sides])
        slowest = self.rests * self.fastest[list(sides)]
        if np.any(restitution > 0.0):  # stops are found NO_DISTANCE late: what is gained on this way keeps bounces up
            pressed = np.maximum(-inward * self.rates(float(self.work.clock[0]), y)[rates], 0.0)
            gained = 2.0 * NO_DISTANCE * pressed / np.maximum(1.0 - restitution**2, RESTS)
            slowest = np.maximum(slowest, 2.0 * restitution * np.sqrt(gained))
        return ImpactedStops(sides, rates, inward, np.where(-speed * restitution > slowest, restitution, 0.0))

    def after_impact(self, t: float, y: Reals, stops: ImpactedStops, hits: dict[int, float]) -> None:
        """Joints that stay at their stops are still, and those that were reached exactly there; y is changed."""
        nq = self.system.nq
        at = y[:nq].copy()
        for s, side in hits.items():
            if self._friction_state(y, s) == FREE:  # one that is beyond its limit stays where it is
                at[self.jf.coordinate[s]] = self.slots[s].limits[1 if side == UPPER else 0]
        if self.system.closures.rows:
            from duoti.contact.joint_friction.loops import close_around

            at = close_around(self, t, y, at, list(stops.sides))
        y[:nq] = at
        for s, j in zip(stops.sides, stops.rates, strict=True):
            if self.slots[s].restitution == 0.0 or abs(y[nq + j]) <= self.rests * self.fastest[s]:
                y[nq + j] = 0.0 if abs(y[nq + j]) <= max(self.rests * self.fastest[s], NO_SPEED) else y[nq + j]
            self._put(y, s, stops.sides[s])

    def _inward(self, y: Reals, s: int) -> float:
        """Rate of a joint away from the nearer of its limits."""
        rate = float(y[self.system.nq + int(self.jf.first[s])])
        return rate if self._side(y, s) == LOWER else -rate

    # ----------------------------------------------------------------------------------------- single slots

    def _is_stop(self, s: int) -> bool:
        return bool(self.jf.kind[s] == STOP)

    def _friction_state(self, y: Reals, s: int) -> float:
        return float(y[self.jf.friction_state[s]])

    def _open(self, y: Reals, s: int) -> float:
        """The friction state of a stop that does not hold its joint."""
        q, (low, high) = y[self.jf.coordinate[s]], self.slots[s].limits
        return ABOVE if q > high + TOUCHES else BELOW if q < low - TOUCHES else FREE

    def _side(self, y: Reals, s: int) -> float:
        """The limit at which a joint is."""
        q, (low, high) = y[self.jf.coordinate[s]], self.slots[s].limits
        return UPPER if abs(q - high) < abs(q - low) else LOWER

    def _put(self, y: Reals, s: int, state: float) -> None:
        y[self.jf.friction_state[s]] = state
        if self.jf.kind[s] == COULOMB and state == AT_REST:
            self._set_at_rest(y, s)

    def _speed(self, y: Reals, s: int) -> float:
        first, n = self.system.nq + int(self.jf.first[s]), int(self.jf.size[s])
        return float(np.linalg.norm(self.jf.scales[s, :n] * y[first : first + n]))

    def _is_at_rest(self, y: Reals, s: int) -> bool:
        return self._speed(y, s) <= 2.0 * NO_SPEED

    def _was_moving(self, y: Reals, s: int) -> bool:
        return self._speed(y, s) > 0.5 * NO_SPEED

    def _set_at_rest(self, y: Reals, s: int) -> None:
        first, n = self.system.nq + int(self.jf.first[s]), int(self.jf.size[s])
        if not self.jf.driven[s]:
            y[first : first + n] = 0.0

    def _sliding(self, y: Reals, s: int) -> float:
        rate = y[self.system.nq + int(self.jf.first[s])]
        return FORWARD if self.jf.size[s] > 1 or rate >= 0.0 else BACKWARD

    def _away(self, t: float, y: Reals, s: int) -> float:
        """The direction in which a joint leaves its rest: against the force that held it."""
        self.rates(t, y)
        return FORWARD if self.jf.size[s] > 1 or self.jf.x[s, 0] < 0.0 else BACKWARD

    def _rest_or_driven(self, t: float, y: Reals, s: int) -> float:
        if not self.jf.driven[s]:
            return AT_REST
        a = self.rates(t, y)[int(self.jf.first[s])]
        return FORWARD if a >= 0.0 else BACKWARD
