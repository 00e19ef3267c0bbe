"""What a user chooses when choosing a constraint method for closed loops."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from duoti.strict import Explained
from duoti.system.arrays import ConstraintSettings


class ConstraintMethod(Explained):
    """How the equations of cut joints and constraints are kept during a simulation."""

    dense: ClassVar[bool] = False  # needs room for dense matrices

    def ydot_entry(self) -> Any:
        """The entry for the time derivative of a state (`system.arrays.CALLS`), the same for all methods of a class."""
        from duoti.dynamics.loops.projection import constrained_ydot_entry

        return constrained_ydot_entry

    def project_entry(self) -> Any:
        """The entry that brings a state back to closed loops; None: the drift is left as it is."""
        return None

    def settings(self) -> ConstraintSettings:
        """What the entries read."""
        return ConstraintSettings()

    @abstractmethod
    def faults(self) -> list[str]:
        """What is wrong with the settings, in words."""


@dataclass(frozen=True)
class PenaltyMethod(ConstraintMethod):
    """Methods that pull g back to zero as a damped oscillator, through multipliers that are only nearly right."""

    def oscillator(
        self, frequency: float, ratio: float, weight: float, iterations: int, stop_change: float
    ) -> ConstraintSettings:
        """Settings for  d²g/dt² + 2 frequency ratio dg/dt + frequency² g = - multiplier / weight."""
        return ConstraintSettings(2.0 * frequency * ratio, frequency**2, 1.0 / weight, iterations, stop_change)


def positive(name: str, value: float, meaning: str) -> list[str]:
    """A fault if a setting is not a positive number."""
    return [] if 0 < value < math.inf else [f"{name}={value!r}: give a positive number, {meaning}"]


def not_negative(name: str, value: float, meaning: str) -> list[str]:
    """A fault if a setting is negative or no number."""
    return [] if 0 <= value < math.inf else [f"{name}={value!r}: give a number that is not negative, {meaning}"]
