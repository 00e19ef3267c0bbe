"""Semi-implicit Euler as a choice of the user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from duoti.integrate.base import FixedStep
from duoti.integrate.explicit import EXPLICIT_ENTRIES, SEMI_IMPLICIT, Tableau
from duoti.integrate.semi_implicit import semi_implicit_step
from duoti.integrate.tableau import runge_kutta


@dataclass(frozen=True)
class SemiImplicitEuler(FixedStep):
    """Constant step [s], order 1: velocities first, then positions with the new velocities.

    Symplectic for systems whose mass matrix is constant; energy then oscillates but does not drift.
    """

    @staticmethod
    def entries() -> tuple[Any, ...]:
        """See `Solver.entries`."""
        start, _, polynomial, shift = EXPLICIT_ENTRIES
        return start, semi_implicit_step, polynomial, shift

    @staticmethod
    def coefficients() -> Tableau:
        """See `FixedStep.coefficients`."""
        return runge_kutta(((),), (1.0,), (0.0,))._replace(kind=SEMI_IMPLICIT)
