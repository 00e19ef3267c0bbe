"""Flexible bodies that a run bends beyond what modes of small deformations can say."""

from __future__ import annotations

import warnings

import numpy as np

from duoti.strict import user_level
from duoti.system.arrays import Reals
from duoti.system.build.flexible_bodies import FlexibleLayout
from duoti.system.system import System

LARGE = 0.1  # deflection, as a part of the body's length
MOST_POINTS = 200  # points of a body that are looked at


class LargeDeflectionWarning(UserWarning):
    """A flexible body was bent by more than a tenth of its length: its modes are for small deformations."""


class DeflectionWatch:
    """The largest displacement of each flexible body in its frame, among the outputs of a run."""

    def __init__(self, system: System):
        self.system = system
        self.modes = {name: _points(layout) for name, layout in system.flexible.items()}
        self.largest = dict.fromkeys(self.modes, 0.0)

    def look(self, y: Reals) -> None:
        """Take note of further states."""
        if len(y):
            for name, modes in self.modes.items():
                moved = np.einsum("axj,tj->tax", modes, y[:, self.system.flexible[name].q])
                self.largest[name] = max(
                    self.largest[name], float(np.sqrt(np.max(np.sum(moved**2, axis=2), initial=0.0)))
                )

    def notes(self) -> list[str]:
        """A sentence for each body that was bent too far."""
        found: list[str] = []
        for name, largest in self.largest.items():
            length = self.system.flexible[name].reduced.length
            if length > 0.0 and largest > LARGE * length:
                found.append(
                    f'flexible body "{name}" was deflected by {largest:.3g} m, {100 * largest / length:.0f} % of its '
                    f"length: modes are for small deformations, up to about {100 * LARGE:.0f} %; use beams "
                    "(model.add_beam), or cut it into several flexible bodies"
                )
        return found

    def warn(self) -> None:
        """Say it."""
        for note in self.notes():
            text = f"simulation of {self.system.model.name!r}: {note}"
            warnings.warn(text, LargeDeflectionWarning, stacklevel=user_level())


def _points(layout: FlexibleLayout) -> Reals:
    """[points, 3, n] displacements of nodes and interfaces, of unit modal coordinates."""
    reduced = layout.reduced
    points = [np.asarray([each.displacement for each in reduced.interfaces.values()]).reshape(-1, 3, reduced.n)]
    if reduced.display is not None:
        step = max(1, len(reduced.display.nodes) // MOST_POINTS)
        points.append(np.asarray(reduced.display.modes)[::step])
    return np.concatenate(points)
