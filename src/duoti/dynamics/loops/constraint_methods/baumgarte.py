"""Baumgarte's stabilisation: feedback of drift in the equations of acceleration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from duoti.dynamics.loops.constraint_methods.base import ConstraintMethod, not_negative
from duoti.system.arrays import ConstraintSettings


@dataclass(frozen=True)
class Baumgarte(ConstraintMethod):
    """G a = gamma - 2 alpha dg/dt - beta² g  (Baumgarte 1972), without projection.

    alpha, beta [1/s]: with alpha = beta an error dies out as (1 + alpha t) exp(-alpha t); the default has a time
    constant of 0.1 s, which hardly shortens the steps of an adaptive solver. For a fixed step h, values up to 1/(10 h)
    or 1/(5 h) are usual; larger ones make the equations stiff. Both zero: no stabilisation, the drift grows as t².
    """

    units: ClassVar = {"alpha": "1/s", "beta": "1/s"}

    alpha: float = 10.0
    beta: float = 10.0

    def settings(self) -> ConstraintSettings:
        return ConstraintSettings(damping=2.0 * self.alpha, stiffness=self.beta**2)

    def faults(self) -> list[str]:
        rate = "the rate [1/s] at which drift dies out"
        return not_negative("alpha", self.alpha, rate) + not_negative("beta", self.beta, rate)
