"""Penalty method: closures as stiff, damped oscillators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from duoti.dynamics.loops.constraint_methods.base import PenaltyMethod, not_negative, positive
from duoti.system.arrays import ConstraintSettings


@dataclass(frozen=True)
class Penalty(PenaltyMethod):
    r"""Constraints become stiff springs and dampers with inertia.

    $$(M + p\, G^T G)\, a = f + p\, G^T \left( \gamma - 2 \omega \zeta\, \dot g - \omega^2 g \right)$$

    The reactions are the forces of the penalty. Loops stay open by the reaction over $p\, \omega^2$. Redundant
    equations share the load evenly.

    Parameters
    ----------
    stiffness:
        Weight $p$ of each equation, in multiples of the mass that it feels; one number serves metres and radians.
    frequency:
        Natural frequency $\omega$ of the errors.
    damping:
        Damping ratio $\zeta$ of the errors.

    References
    ----------
    E. Bayo, J. García de Jalón, M. A. Serna, A modified Lagrangian formulation for the dynamic analysis of constrained
    mechanical systems, Computer Methods in Applied Mechanics and Engineering 71 (1988) 183-195.
    """

    units: ClassVar = {"stiffness": "1", "frequency": "rad/s", "damping": "1"}

    stiffness: float = 1e10
    frequency: float = 10.0
    damping: float = 1.0

    def settings(self) -> ConstraintSettings:
        return self.oscillator(self.frequency, self.damping, self.stiffness, 1, 0.0)

    def faults(self) -> list[str]:
        return [
            *positive("stiffness", self.stiffness, "the weight of the closures in multiples of the mass they feel"),
            *not_negative("frequency", self.frequency, "in rad/s"),
            *not_negative("damping", self.damping, "a damping ratio"),
        ]
