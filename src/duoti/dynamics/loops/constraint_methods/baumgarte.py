"""Baumgarte's stabilisation: feedback of drift in the equations of acceleration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from duoti.dynamics.loops.constraint_methods.base import ConstraintMethod, not_negative
from duoti.system.arrays import ConstraintSettings


@dataclass(frozen=True)
class Baumgarte(ConstraintMethod):
    r"""Baumgarte's stabilisation: errors of the constraints die out like a damped oscillator.

    $$G\, a = \gamma - 2 \alpha\, \dot g - \beta^2 g$$

    With alpha = beta an error dies out as $(1 + \alpha t)\, e^{-\alpha t}$. For a constant step $h$, values from
    $1/(10h)$ to $1/(5h)$ are usual; larger ones make the equations stiff. With both zero the drift grows quadratically
    in time.

    Parameters
    ----------
    alpha:
        Damping of velocity errors.
    beta:
        Frequency of position errors.

    References
    ----------
    J. Baumgarte, Stabilization of constraints and integrals of motion in dynamical systems, Computer Methods in Applied
    Mechanics and Engineering 1 (1972) 1-16.
    """

    units: ClassVar = {"alpha": "1/s", "beta": "1/s"}

    alpha: float = 10.0
    beta: float = 10.0

    def settings(self) -> ConstraintSettings:
        return ConstraintSettings(damping=2.0 * self.alpha, stiffness=self.beta**2)

    def faults(self) -> list[str]:
        rate = "the rate [1/s] at which drift dies out"
        return not_negative("alpha", self.alpha, rate) + not_negative("beta", self.beta, rate)
