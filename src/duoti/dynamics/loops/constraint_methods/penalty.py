"""Penalty method: closures as stiff, damped oscillators."""

from __future__ import annotations

from dataclasses import dataclass

from duoti.dynamics.loops.constraint_methods.base import PenaltyMethod, not_negative, positive
from duoti.system.arrays import ConstraintSettings


@dataclass(frozen=True)
class Penalty(PenaltyMethod):
    """(M + p G^T G) a = f + p G^T (gamma - 2 omega zeta dg/dt - omega² g)  (Bayo et al. 1988).

    stiffness: the weight p of each equation, in multiples of the mass that it feels (about 1 / (G M^-1 G^T)), so that
    one number serves for metres and radians. frequency: omega [rad/s]; damping: the ratio zeta. The reactions are the
    forces of the penalty; the loops stay open by reaction / (p omega²). Redundant equations share the load evenly.
    """

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
