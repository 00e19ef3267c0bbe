"""Augmented Lagrangian: penalty forces and multipliers, in a few iterations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from duoti.dynamics.loops.constraint_methods.base import PenaltyMethod, not_negative, positive
from duoti.system.arrays import ConstraintSettings


@dataclass(frozen=True)
class AugmentedLagrangian(PenaltyMethod):
    r"""Penalty method whose multipliers are corrected by iteration, so that a moderate penalty is enough.

    $$(M + p\, G^T G)\, a = f + G^T \left( \lambda + p\, (\gamma - 2 \omega \zeta\, \dot g - \omega^2 g) \right)$$

    $$\lambda \leftarrow \lambda + p\, (\gamma - 2 \omega \zeta\, \dot g - \omega^2 g - G a)$$

    Parameters
    ----------
    penalty:
        Weight $p$ of each equation, in multiples of the mass that it feels.
    iterations:
        Largest number of corrections.
    tolerance:
        Relative change of the multipliers at which the corrections end.
    frequency:
        Natural frequency $\omega$ of the errors.
    damping:
        Damping ratio $\zeta$ of the errors.

    References
    ----------
    E. Bayo, J. García de Jalón, M. A. Serna, A modified Lagrangian formulation for the dynamic analysis of constrained
    mechanical systems, Computer Methods in Applied Mechanics and Engineering 71 (1988) 183-195.
    """

    units: ClassVar = {"penalty": "1", "tolerance": "1", "frequency": "rad/s", "damping": "1"}

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
