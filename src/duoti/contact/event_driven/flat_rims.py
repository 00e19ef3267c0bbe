"""Rims that lie flat on a half-space at a transition: which four of their points are looked at (`features.rims`).

On a flat rim each point is as low as all others. An impact there is that of the four points, turned until one of them
is where the rim goes down after it: if that is approached, it has an impact, too. When the motion goes on, this one is
point 0, the lowest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from duoti.contact.features import RimPair
from duoti.contact.features.rims import THROUGH
from duoti.kernel import run_entry
from duoti.system.arrays import Reals

if TYPE_CHECKING:
    from duoti.contact.event_driven.engine import EngineBase

AROUND = np.array([0, 2, 1, 3])  # points of a rim in the order in which they follow each other, a right angle each
SAME = 1e-6  # rad: a direction that has not changed
NO_ROLLING = 1e-9  # rad/s: rate of an inclination that has no direction
MOMENT = 1e-6  # s: in which it is seen to which side a rim goes down


class FlatRims:
    """Rims of an event-driven run."""

    def __init__(self, engine: EngineBase):
        self.engine, of = engine, engine.of
        self.pairs = [
            pair
            for k, kind in enumerate(of.kinds) if issubclass(kind, RimPair)
            for pair in range(int(of.contacts.kind[k]), int(of.contacts.kind[k + 1]))
        ]  # fmt: skip

    def _seen(self, q: Reals) -> Reals:
        self.engine.geometry.gaps(q)
        return self.engine.geometry.contact.seen.copy()

    def _flat(self, q: Reals) -> list[int]:
        """Pairs whose rims are flat, but for errors of the run."""
        seen = self._seen(q) if self.pairs else np.zeros((0, 2))
        return [pair for pair in self.pairs if float(np.linalg.norm(seen[pair])) <= 2.0 * THROUGH]

    def _ends(self, pair: int, slots: set[int]) -> list[int]:
        """First slots of the rims of a pair of which some slots are among these."""
        first = self.engine.contacts.first
        starts = range(int(first[pair]), int(first[pair + 1]), len(AROUND))
        return [start for start in starts if any(start <= s < start + len(AROUND) for s in slots)]

    def closing(self, y: Reals, slots: set[int]) -> set[int]:
        """All points of flat rims of which some close."""
        flat = self._flat(y[: self.engine.system.nq]) if slots and self.pairs else []
        return {s for pair in flat for start in self._ends(pair, slots) for s in range(start, start + len(AROUND))}

    def _goes_down(self, t: float, y: Reals, pair: int) -> Reals | None:
        """Direction of the side on which a flat rim goes down, or is about to; None if there is none."""
        w, nq, nv = self.engine.work, self.engine.system.nq, self.engine.system.nv
        q = y[:nq]
        w.clock[0], w.y[:] = t, y
        run_entry(w.calls[0].ydot, w.at[0].system)
        rates, a = w.ydot[:nq].copy(), w.ydot[nq : nq + nv].copy()
        w.y[nq : nq + nv] = a
        run_entry(w.calls[0].ydot, w.at[0].system)
        for motion in (rates, w.ydot[:nq].copy()):
            change = (self._seen(q + MOMENT * motion) - self._seen(q - MOMENT * motion))[pair] / (2.0 * MOMENT)
            if (size := float(np.linalg.norm(change))) > NO_ROLLING:
                return change / size
        return None

    def aim(self, t: float, y: Reals, slots: set[int]) -> bool:
        """After an impact, put point 0 of flat rims to where they go down; whether it has changed its place."""
        turned, towards = False, self.engine.states.towards
        for pair in self._flat(y[: self.engine.system.nq]):
            down = self._goes_down(t, y, pair) if self._ends(pair, slots) else None
            if down is not None and float(np.linalg.norm(down - towards[pair])) > SAME:
                towards[pair], turned = down, True
        return turned

    def label(self, t: float, y: Reals) -> None:
        """Let point 0 of flat rims be that which is nearest to where they go down: states go with it."""
        m = self.engine.states
        for pair in self._flat(y[: self.engine.system.nq]):
            down = self._goes_down(t, y, pair)
            if down is None:
                continue
            x, z = m.towards[pair]
            quarters = round(float(np.arctan2(x * down[1] - z * down[0], x * down[0] + z * down[1])) / (0.5 * np.pi))
            if quarters % 4 == 0 or not (x or z):
                continue
            m.towards[pair] = [(x, z), (-z, x), (-x, -z), (z, -x)][quarters % 4]
            first = self.engine.contacts.first
            for start in range(int(first[pair]), int(first[pair + 1]), len(AROUND)):
                for each in (m.state, m.direction, m.offset, m.rolling_states, m.rolling, m.torsional, m.begun):
                    each[start + AROUND] = each[start + np.roll(AROUND, -quarters)]
