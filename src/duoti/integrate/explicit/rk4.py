"""RK4: the classical Runge-Kutta method of order 4 with a constant step."""

from __future__ import annotations

from dataclasses import dataclass

from duoti.integrate.base import FixedStep
from duoti.integrate.explicit.tableau import runge_kutta
from duoti.integrate.explicit_loop import Tableau


@dataclass(frozen=True)
class RK4(FixedStep):
    """Constant step [s], order 4; between steps, the cubic Hermite polynomial."""

    @staticmethod
    def coefficients() -> Tableau:
        A = ((), (0.5,), (0.0, 0.5), (0.0, 0.0, 1.0))
        return runge_kutta(A, (1 / 6, 1 / 3, 1 / 3, 1 / 6), (0.0, 0.5, 0.5, 1.0))
