"""What is watched among the outputs of a run: joints beyond their limits, bodies beyond small deflections."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

from duoti.analyses.simulate.trust.validity import DeflectionWatch
from duoti.analyses.states.joint_limits import LimitWatch
from duoti.analyses.states.warnings import OngoingWarning
from duoti.contact.joint_friction.friction_states import MOST_GRAZE
from duoti.integrate import Solver, Tolerances
from duoti.strict import user_level
from duoti.system.arrays import Reals
from duoti.system.system import System


class OutputWatch:
    """All watches of a run."""

    def __init__(self, system: System, solver: Solver):
        accuracy = MOST_GRAZE
        if isinstance(solver, Tolerances) and solver.adaptive:
            accuracy = min(solver.atol, MOST_GRAZE)
        self.limits, self.deflections = LimitWatch(system, accuracy), DeflectionWatch(system)

    def begin(self, y: Reals) -> None:
        """Take note of the state in which the run begins, and warn of joints outside their limits."""
        self.limits.begin(y)
        if text := self.limits.note():
            warnings.warn(f"{self.limits.system.model.name}: {text}", OngoingWarning, stacklevel=user_level())

    def look_again(self, states: Iterable[Reals]) -> None:
        """Take note of what a run that is resumed has been through."""
        for first, y in enumerate(states):
            if first == 0:
                self.limits.begin(y[0])
            self.look(y)

    def look(self, y: Reals) -> None:
        """Take note of further states."""
        self.limits.look(y)
        self.deflections.look(y)

    def notes(self) -> list[str]:
        """What there is to say."""
        return [*filter(None, [self.limits.note()]), *self.deflections.notes()]

    def warn(self) -> None:
        """Say it."""
        self.deflections.warn()

    def passed_stops(self) -> str:
        """Joints that went through their stops, in words; a run in which that happened is not to be believed."""
        return self.limits.passed()
