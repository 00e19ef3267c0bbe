"""RK4: the classical Runge-Kutta method of order 4 with a constant step."""

from __future__ import annotations

from dataclasses import dataclass

from duoti.integrate.base import FixedStep
from duoti.integrate.explicit.tableau import runge_kutta
from duoti.integrate.explicit_loop import Tableau


@dataclass(frozen=True)
class RK4(FixedStep):
    r"""Classical Runge-Kutta method of order 4 with a constant step.

    $$y_{n+1} = y_n + \tfrac{h}{6}\, (k_1 + 2 k_2 + 2 k_3 + k_4)$$

    * Order 4, four evaluations a step. Between steps: cubic Hermite polynomial.
    * Stability: explicit; on the imaginary axis up to $|h\lambda| = 2\sqrt{2}$.
    * For: real-time loops, comparisons, and convergence studies.

    References
    ----------
    W. Kutta, Beitrag zur näherungsweisen Integration totaler Differentialgleichungen, Zeitschrift für Mathematik und
    Physik 46 (1901) 435-453.
    """

    @staticmethod
    def coefficients() -> Tableau:
        A = ((), (0.5,), (0.0, 0.5), (0.0, 0.0, 1.0))
        return runge_kutta(A, (1 / 6, 1 / 3, 1 / 3, 1 / 6), (0.0, 0.5, 0.5, 1.0))
