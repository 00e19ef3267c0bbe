"""Joints beyond their limits: through their stops in a run, or held by more friction than there is."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from duoti.elements.joint_friction_memory import IGNORED
from duoti.model.elements import name_of
from duoti.model.forces.beam_element import BeamElement
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.forces.spectral_beam_element import SpectralBeamElement
from duoti.model.forces.thin_beam import ThinBeam
from duoti.model.joint_friction import slots_of, slots_of_limits
from duoti.results.evaluate.observe import FRAMES, observe
from duoti.system.arrays import Reals
from duoti.system.system import System

SHOWN = 3  # joints
QUARTER = 0.5 * np.pi  # the turn within an element of a beam up to which it is one [rad]
ROUND_OFF = 1e-9  # beyond a limit, relative to its size, that says nothing
NO_INDICES = np.zeros(0, np.int64)


def beyond_stops(system: System, q: Reals) -> list[str]:
    """Joints that a position has beyond rigid stops, in words."""
    found: list[str] = []
    for name in dict.fromkeys(slot.joint for slot in slots_of_limits(system.model)):
        layout = system.joints[name]
        if layout.closure >= 0:  # a cut joint has no coordinates
            continue
        limits = np.reshape(np.asarray(system.model.joints[name].limits, dtype=float), (-1, 2))
        for x, (low, high) in zip(np.atleast_1d(q[layout.q]).tolist(), limits.tolist(), strict=True):
            slack = ROUND_OFF * (1.0 + abs(x))
            if x < low - slack or x > high + slack:
                found.append(f'"{name}" at {x:.4g} (limits {low:.4g} and {high:.4g})')
    return found


def lugre_beyond_bound(system: System, z: Reals) -> list[str]:
    """Joints whose friction by LuGre's law would be larger than its bound in a state of rest, in words.

    A bristle at rest stays as it is, whatever its deflection; bent by a motion it holds at most the static bound.
    """
    found: list[str] = []
    states = list(system.state_names)
    for slot in slots_of(system.model):
        law = system.model.forces.get(slot.friction)
        if slot.lugre_states and isinstance(law, JointFriction):
            bent = np.linalg.norm([z[states.index(name)] for name in slot.lugre_states])
            most = law.static_ratio if law.stribeck_velocity else 1.0
            if law.bristle_stiffness * bent > most * (1.0 + ROUND_OFF):
                found.append(f'"{slot.joint}" would need {law.bristle_stiffness * bent / most:.4g} times its friction')
    return found


def overturned_beams(system: System, q: Reals) -> list[str]:
    """Elements of beams that a position turns beyond their range, a quarter of a turn, in words.

    Beyond it they have shapes that no beam has: folded by half a turn, or with the end on the other side.
    """
    elements = {
        name: force
        for name, force in system.model.forces.items()
        if isinstance(force, BeamElement | SpectralBeamElement | ThinBeam)
    }
    if not elements:
        return []
    markers = {
        name: [system.marker_index(name_of(reference)) for _, reference in force.markers()]
        for name, force in elements.items()
    }
    every = sorted({m for each in markers.values() for m in each})
    states = system.whole_state(q, np.zeros(system.nv))[None]
    frames = dict(zip(every, observe(system, np.zeros(1), states, FRAMES, every).frames[0], strict=True))
    found: list[tuple[float, str]] = []
    for name, force in elements.items():
        turn = _turn(force, np.array([frames[m] for m in markers[name]]))
        if turn > QUARTER * (1.0 + ROUND_OFF):
            found.append((turn, f'"{name}" by {np.degrees(turn):.0f} degrees'))
    found.sort(key=lambda each: -each[0])
    return [text for _, text in found]


def _turn(force: BeamElement | SpectralBeamElement | ThinBeam, frames: Reals) -> float:
    """Largest turn within an element [rad]: of one node against another, or, if it is an S, there and back."""
    from duoti.model.beams.strains import exponential_coordinates  # it and the force types import each other

    R, p = frames[:, :9].reshape(-1, 3, 3), frames[:, 9:12]
    if isinstance(force, ThinBeam):
        chords = np.diff(p, axis=0)
        return max((_angle(a, b) for a, b in pairwise(chords)), default=0.0)
    if isinstance(force, SpectralBeamElement):
        middle = R[len(R) // 2]
        turns = exponential_coordinates(middle.T @ R, np.zeros((len(R), 3)))[:, :3]
        return float(np.max(np.linalg.norm(turns, axis=1)))
    d = exponential_coordinates(R[0].T @ R[1], R[0].T @ (p[1] - p[0]))
    return max(float(np.linalg.norm(d[:3])), 2.0 * _angle(d[3:], force.rest_coordinates[3:]))


def _angle(a: Reals, b: Reals) -> float:
    return float(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b))


class LimitWatch:
    """How far joints go beyond their rigid stops, whatever the solver.

    A joint that is beyond a limit from the start on may only come back. accuracy: of the solver's positions.
    """

    def __init__(self, system: System, accuracy: float = 0.0):
        self.system, self.accuracy = system, accuracy
        self.ignored, self.outside = False, ""
        self.columns = NO_INDICES
        if not any(element.limits is not None for element in system.model.joints.values()):
            return
        lower, upper = np.full(system.nq, -np.inf), np.full(system.nq, np.inf)
        for name, layout in system.joints.items():
            limits = system.model.joints[name].limits
            if limits is not None and layout.closure < 0:
                lower[layout.q], upper[layout.q] = np.reshape(np.asarray(limits, dtype=float), (-1, 2)).T
        self.columns = np.flatnonzero(np.isfinite(lower) | np.isfinite(upper))
        self.stop_states = self._stop_states()
        self.lower, self.upper = lower[self.columns], upper[self.columns]
        count = len(self.columns)
        self.least, self.most = np.full(count, np.inf), np.full(count, -np.inf)  # values so far
        self.deepest, self.reached = np.zeros(count), np.zeros(count)  # beyond a limit, and where

    def begin(self, y: Reals) -> None:
        """Take note of the state in which a run begins."""
        self.look(y[None])
        if len(self.columns):
            self.outside = self._in_words(np.maximum(y[self.columns] - self.upper, self.lower - y[self.columns]),
                                          y[self.columns], "starts at")  # fmt: skip

    def look(self, y: Reals) -> None:
        """Take note of further states, in their order."""
        if not len(self.columns) or not len(y):
            return
        q = y[:, self.columns]
        self.ignored = self.ignored or bool(np.any(y[:, self.stop_states] == IGNORED))
        least = np.minimum(np.minimum.accumulate(q), self.least)
        most = np.maximum(np.maximum.accumulate(q), self.most)
        depth = np.maximum(q - np.maximum(self.upper, least), np.minimum(self.lower, most) - q)
        row = np.argmax(depth, axis=0)
        worst, where = np.max(depth, axis=0), q[row, np.arange(len(row))]
        self.reached = np.where(worst > self.deepest, where, self.reached)
        self.deepest = np.maximum(self.deepest, worst)
        self.least, self.most = least[-1], most[-1]

    def passed(self) -> str:
        """A sentence, if joints were taken through their stops; else nothing."""
        parts = self._in_words(self.deepest, self.reached, "went to") if len(self.columns) else ""
        if not parts:
            return ""
        if self.ignored:
            return (
                f"nothing stops joints at their limits: {parts}; this solver cannot hold joints of closed loops at "
                "rigid stops: leave the choice of the solver out, or take dt.DOPRI5() or, for stiff models, dt.Rodas()"
            )
        return (
            f"joints went through their stops: {parts}; take shorter steps (step=, max_step=) or, with an adaptive "
            "solver, a smaller rtol="
        )

    def note(self) -> str:
        """A sentence, if joints were beyond their limits at the start; else nothing."""
        if not self.outside or self.ignored:  # `passed` has more to say about those that nothing stops
            return ""
        return (
            f"joints start outside their limits: {self.outside}; until they are back inside, their stops let them move "
            "towards their limits only"
        )

    def _in_words(self, beyond: Reals, where: Reals, what: str) -> str:
        """Joints that are beyond their limits by more than round-off."""
        found = np.flatnonzero(beyond > np.maximum(ROUND_OFF * (1.0 + np.abs(where)), self.accuracy))
        parts: list[str] = []
        for k in found[:SHOWN]:
            limit = self.upper[k] if where[k] > self.upper[k] else self.lower[k]
            parts.append(f"{self._name(int(self.columns[k]))} {what} {where[k]:.4g} (limit {limit:.4g})")
        more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        return ", ".join(parts) + more

    def _stop_states(self) -> Any:
        """Index in y of the state of the stop of each of the coordinates."""
        system, found = self.system, dict[int, int]()
        states = list(system.state_names)
        for slot in slots_of_limits(system.model):
            if system.joints[slot.joint].closure < 0 and slot.friction_state in states:
                coordinate = int(system.tree.q_of_v[system.joints[slot.joint].v[slot.rates[0]]])
                found[coordinate] = system.nq + system.nv + states.index(slot.friction_state)
        self.columns = np.array([column for column in self.columns if int(column) in found], dtype=np.int64)
        return np.array([found[int(column)] for column in self.columns], dtype=np.int64)

    def _name(self, column: int) -> str:
        name = self.system.coordinate_names[column]
        return name or next(joint for joint, layout in self.system.joints.items() if column in layout.q)
