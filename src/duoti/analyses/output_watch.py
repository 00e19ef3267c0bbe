"""What is watched among the outputs of a run: joints beyond their limits, bodies beyond small deflections."""

from __future__ import annotations

from duoti.analyses.deflection import DeflectionWatch
from duoti.analyses.limits import LimitWatch
from duoti.system.arrays import Reals
from duoti.system.system import System


class OutputWatch:
    """All watches of a run."""

    def __init__(self, system: System):
        self.watches = (LimitWatch(system), DeflectionWatch(system))

    def look(self, y: Reals) -> None:
        """Take note of further states."""
        for watch in self.watches:
            watch.look(y)

    def notes(self) -> list[str]:
        """What there is to say."""
        return [note for watch in self.watches for note in watch.notes()]

    def warn(self) -> None:
        """Say it."""
        for watch in self.watches:
            watch.warn()
