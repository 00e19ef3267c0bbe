"""Joints that a run takes beyond their limits, at which nothing stops them yet."""

from __future__ import annotations

import warnings

import numpy as np

from duoti.strict import user_level
from duoti.system.arrays import Reals
from duoti.system.system import System

SHOWN = 3  # joints
ROUND_OFF = 1e-9  # beyond a limit, relative to its size, that says nothing


class LimitsWarning(UserWarning):
    """A run took joints beyond their limits, which are data: nothing stops a joint at them."""


class LimitWatch:
    """The least and the largest value of each coordinate with a limit among the outputs of a run."""

    def __init__(self, system: System):
        self.system = system
        lower, upper = np.full(system.nq, -np.inf), np.full(system.nq, np.inf)
        for name, layout in system.joints.items():
            limits = system.model.joints[name].limits
            if limits is not None and layout.closure < 0:
                lower[layout.q], upper[layout.q] = np.reshape(np.asarray(limits, dtype=float), (-1, 2)).T
        self.columns = np.flatnonzero(np.isfinite(lower) | np.isfinite(upper))
        self.lower, self.upper = lower[self.columns], upper[self.columns]
        self.least, self.most = np.full(len(self.columns), np.inf), np.full(len(self.columns), -np.inf)

    def look(self, y: Reals) -> None:
        """Take note of further states."""
        if len(self.columns) and len(y):
            seen = y[:, self.columns]
            np.minimum(self.least, seen.min(axis=0), out=self.least)
            np.maximum(self.most, seen.max(axis=0), out=self.most)

    def notes(self) -> list[str]:
        """A sentence, if joints were taken beyond their limits."""
        if not len(self.columns):
            return []
        slack = ROUND_OFF * (1.0 + np.maximum(np.abs(self.least), np.abs(self.most)))
        beyond = np.flatnonzero((self.least < self.lower - slack) | (self.most > self.upper + slack))
        if not len(beyond):
            return []
        parts: list[str] = []
        for k in beyond[:SHOWN]:
            above = self.most[k] > self.upper[k] + slack[k]
            reached, limit = (self.most[k], self.upper[k]) if above else (self.least[k], self.lower[k])
            parts.append(f"{self._name(int(self.columns[k]))} went to {reached:.4g} (limit {limit:.4g})")
        more = f" and {len(beyond) - SHOWN} more" if len(beyond) > SHOWN else ""
        return [f"nothing stops joints at their limits: {', '.join(parts)}{more}"]

    def warn(self) -> None:
        """Say it."""
        for note in self.notes():
            text = f"simulation of {self.system.model.name!r}: {note}"
            warnings.warn(text, LimitsWarning, stacklevel=user_level())

    def _name(self, column: int) -> str:
        name = self.system.coordinate_names[column]
        return name or next(joint for joint, layout in self.system.joints.items() if column in layout.q)
