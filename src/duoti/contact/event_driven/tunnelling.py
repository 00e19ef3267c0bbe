"""How long steps of an event-driven run may be, so that no body passes another within one of them.

An impact is seen by a gap that is negative at the end of a step. Bodies that are far from each other may take long
steps: as long as they cannot meet. Those that are near move by a part of their size. Motions that are prescribed are
known beforehand (`DriveBends`): within a step they leave the straight way by no more than a part of the smallest size.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from duoti.contact.workspace import ContactGeometry
from duoti.model.pairs.base import HUGE
from duoti.system.arrays import Ints, Reals

STEPS = 8  # of a run, from one look to the next
FRACTION = 0.2  # of the reach of a shape by which it may move in a step near others,
TOO_LONG = 4.0  # times this a body could come out behind another one,
TWICE = 2.0  # the same of steps along prescribed motions: ways grow with their squares
LEAST = 0.02  # and that of thin ones at least, which would take endless steps


class DriveBends(NamedTuple):
    """How much prescribed motions bend, over the whole run."""

    t: Reals
    linear: Reals
    """[times] largest second derivative of displacements between this time and the next one [m/s^2]"""
    angular: Reals
    """The same of angles [rad/s^2]."""


class TunnellingBound:
    """Pairs of shapes with bounds: nothing comes out behind a half-space."""

    steps = STEPS

    def __init__(self, geometry: ContactGeometry, gravity: float):
        contacts = geometry.of.contacts
        self.geometry, self.gravity = geometry, gravity
        reach = contacts.reach[contacts.pair_shapes]
        bounded = np.all(reach < HUGE, axis=1) & np.any(reach > 0.0, axis=1)
        self.a, self.b = contacts.pair_shapes[bounded].T
        self.reach, self.body = contacts.reach, contacts.shape_body
        halves = np.where(contacts.size[:, :3] > 0.0, contacts.size[:, :3], np.inf).min(axis=1, initial=np.inf)
        part = np.clip(halves, LEAST * self.reach, FRACTION * self.reach)
        part[self.reach == 0.0] = np.inf  # of a point the size of the other shape counts alone
        self.near = np.minimum(part[self.a], part[self.b])
        self.last = (math.nan, np.zeros(0))
        self.possible = bool(len(self.a))
        self.drives: DriveBends | None = None
        """Set before a run begins."""
        self.lever = math.nan  # of what turns, once it is known [m]

    @property
    def looks(self) -> bool:
        """Whether steps have to be bounded."""
        return self.possible or self.drives is not None

    def longest_steps(self, t: float, y: Reals, closed: Ints) -> tuple[float, float]:
        """Time [s] that each of the next few steps may take from the state y at the time t, and is bound to be wrong.

        closed: [..., 2] rows of bodies that touch each other. Their speeds do not grow as in a fall, step after step.
        """
        if not self.looks:
            return math.inf, math.inf
        system, w = self.geometry.system, self.geometry.work
        q, v = y[: system.nq], y[system.nq : system.nq + system.nv]
        self.geometry.look(q, v, 0.0, np.zeros((0, 3, system.nv)), bias=False)
        X_WB, V = w.X_WB[self.body].reshape(-1, 4, 3), w.V[self.body]
        R_WB, omega = X_WB[:, :3], V[:, :3]
        p_BS = self.geometry.of.contacts.X_BS[:, 9:]
        p_WS = X_WB[:, 3] + np.einsum("sij,sj->si", R_WB, p_BS)
        moving = np.einsum("sij,sj->si", R_WB, V[:, 3:] + np.cross(omega, p_BS))
        driven = self._drive_step(t, p_WS)
        if not self.possible:
            return driven, TWICE * driven
        turning = np.linalg.norm(omega, axis=1) * self.reach
        speed = np.linalg.norm(moving[self.a] - moving[self.b], axis=1) + turning[self.a] + turning[self.b]
        before, speeds = self.last
        self.last = (t, speed)
        touch = np.isin(_code(self.body[self.a], self.body[self.b]), _code(closed[:, 0], closed[:, 1]))
        grows = np.where(touch, self.gravity / (2 * STEPS), 2.0 * self.gravity)  # speeds, and by what was seen
        if t > before:
            grows += np.maximum(0.0, speed - speeds) / (t - before)
        apart = np.linalg.norm(p_WS[self.a] - p_WS[self.b], axis=1)
        apart = apart - self.reach[self.a] - self.reach[self.b]
        near, far = _time(self.near, speed, grows), _time(np.maximum(apart, 0.0) / STEPS, speed, grows)
        longest, wrong = float(np.min(np.maximum(near, far))), float(np.min(np.maximum(TOO_LONG * near, far)))
        return min(longest, driven), min(wrong, TWICE * driven)

    def _drive_step(self, t: float, p_WS: Reals) -> float:
        """The longest step [s] for prescribed motions: in each of the next few, h with a h^2 / 2 of the smallest size.

        a is the largest second derivative in all of them: before a short pulse, steps end where it begins.
        """
        if self.drives is None:
            return math.inf
        sized = (self.reach > 0.0) & (self.reach < HUGE)
        if not np.any(sized):
            return math.inf
        if math.isnan(self.lever):
            middle = p_WS[sized].mean(axis=0)
            self.lever = float(np.max(np.linalg.norm(p_WS[sized] - middle, axis=1) + self.reach[sized]))
        times, linear, angular = self.drives
        here = max(int(np.searchsorted(times, t, side="right")) - 1, 0)
        bend = np.maximum.accumulate(linear[here:] + self.lever * angular[here:])
        way = FRACTION * float(np.min(self.reach[sized]))
        reach = np.append(times[here + 1 :], math.inf) - t  # to where each bound holds
        return float(np.max(np.minimum(reach / STEPS, np.sqrt(2.0 * way / np.maximum(bend, 1e-300)))))


def _code(a: Ints, b: Ints) -> Ints:
    """A number for each pair of bodies, in either order."""
    return (np.minimum(a, b) << 32) + np.maximum(a, b)


def _time(way: Reals, speed: Reals, grows: Reals) -> Reals:
    """h with (speed + STEPS h grows) h = way."""
    return 2.0 * way / np.maximum(speed + np.sqrt(speed * speed + 4.0 * STEPS * grows * way), 1e-300)
