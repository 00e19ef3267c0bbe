"""Augmented Lagrangian: penalty forces and multipliers, in a few iterations."""

from __future__ import annotations

from dataclasses import dataclass

from duoti.dynamics.loops.constraint_methods.base import PenaltyMethod, not_negative, positive
from duoti.system.arrays import ConstraintSettings


@dataclass(frozen=True)
class AugmentedLagrangian(PenaltyMethod):
    """(M + p G^T G) a = f + G^T (lambda + p (gamma - 2 omega zeta dg/dt - omega² g)),  lambda += p (gamma ... - G a).

    (Bayo et al. 1988.) penalty: the weight p as for `Penalty`; a moderate one will do. The multipliers are corrected up
    to so many iterations, until they change by less than the tolerance, relative. frequency: omega [rad/s]; damping:
    the ratio zeta.
    """

    penalty: float = 1e7
    iterations: int = 10
    tolerance: float = 1e-10
    frequency: float = 10.0
    damping: float = 1.0

    def settings(self) -> ConstraintSettings:
        return self.oscillator(self.frequency, self.damping, self.penalty, self.iterations, self.tolerance)

    def faults(self) -> list[str]:
        found = positive("penalty", self.penalty, "the weight of the closures in multiples of the mass they feel")
        if not (isinstance(self.iterations, int) and self.iterations >= 1):  # pyright: ignore[reportUnnecessaryIsInstance]
            found.append(f"iterations={self.iterations!r}: give a whole number, at least 1")
        return [
            *found,
            *not_negative("tolerance", self.tolerance, "a relative change of the multipliers"),
            *not_negative("frequency", self.frequency, "in rad/s"),
            *not_negative("damping", self.damping, "a damping ratio"),
        ]
