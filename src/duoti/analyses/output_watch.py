"""What is watched among the outputs of a run: joints beyond their limits, bodies beyond small deflections."""

from __future__ import annotations

from duoti.analyses.deflection import DeflectionWatch
from duoti.analyses.limits import LimitWatch
from duoti.system.arrays import Reals
from duoti.system.system import System


class OutputWatch:
    """All watches of a run."""

    def __init__(self, system: System):
        self.limits, self.deflections = LimitWatch(system), DeflectionWatch(system)

    def look(self, y: Reals) -> None:
        """Take note of further states."""
        self.limits.look(y)
        self.deflections.look(y)

    def notes(self) -> list[str]:
        """What there is to say."""
        return self.deflections.notes()

    def warn(self) -> None:
        """Say it."""
        self.deflections.warn()

    def passed_stops(self) -> str:
        """Joints that went through their stops, in words; a run in which that happened is not to be believed."""
        return self.limits.passed()
