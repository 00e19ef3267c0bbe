"""What a user chooses when choosing an explicit solver."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from numbers import Real

from duoti.integrate.explicit import Tableau


class ExplicitSolver(ABC):
    """An explicit method: a tableau, and how to choose the step."""

    @property
    @abstractmethod
    def adaptive(self) -> bool:
        """True if the step follows from tolerances."""

    def tableau(self) -> Tableau:
        """The method's arrays."""
        return _tableau(type(self))

    @staticmethod
    @abstractmethod
    def coefficients() -> Tableau:
        """Computes the arrays."""

    @abstractmethod
    def faults(self) -> list[str]:
        """What is wrong with the settings, in words."""


@dataclass(frozen=True)
class Adaptive(ExplicitSolver):
    """Settings of the solvers that choose their own steps.

    rtol, atol: relative and absolute error per step allowed in each coordinate, rate and state. max_step and
    first_step [s]: bounds for those who know better than the error estimate.
    """

    rtol: float = 1e-8
    atol: float = 1e-10
    max_step: float = math.inf
    first_step: float | None = None

    @property
    def adaptive(self) -> bool:
        """Always."""
        return True

    def faults(self) -> list[str]:
        """See `ExplicitSolver.faults`."""
        found = [
            f"{name}={value!r} is not a number"
            for name, value in vars(self).items()
            if not isinstance(value, Real) and not (name == "first_step" and value is None)
        ]
        if found:
            return found
        if not 0 <= self.rtol < 1 or not 0 <= self.atol < math.inf or self.rtol + self.atol == 0:
            found.append(
                f"tolerances rtol={self.rtol}, atol={self.atol}: give small positive numbers, e.g. 1e-8 and 1e-10"
            )
        elif self.rtol < 5e-15:
            found.append(f"rtol={self.rtol} is beyond double precision; 1e-13 is about the smallest that makes sense")
        if not self.max_step > 0:
            found.append(f"max_step={self.max_step} must be positive")
        if self.first_step is not None and not 0 < self.first_step < math.inf:
            found.append(f"first_step={self.first_step} must be positive")
        return found


@dataclass(frozen=True)
class FixedStep(ExplicitSolver):
    """Settings of the solvers with a constant step [s]. The last step is shortened to meet the end."""

    step: float

    @property
    def adaptive(self) -> bool:
        """Never."""
        return False

    def faults(self) -> list[str]:
        """See `ExplicitSolver.faults`."""
        if not isinstance(self.step, Real) or not 0 < self.step < math.inf:  # pyright: ignore[reportUnnecessaryIsInstance]
            return [f"step={self.step!r} must be a positive time in seconds"]
        return []


@lru_cache
def _tableau(method: type[ExplicitSolver]) -> Tableau:
    return method.coefficients()
