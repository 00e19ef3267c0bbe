"""RKF45: Runge-Kutta of order 5(4) by Fehlberg (1969)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from duoti.integrate.base import Adaptive
from duoti.integrate.explicit.tableau import hermite_rows, runge_kutta
from duoti.integrate.explicit_loop import Tableau

# Hairer, Norsett & Wanner 1993, table II.5.1
A = (
    (),
    (1 / 4,),
    (3 / 32, 9 / 32),
    (1932 / 2197, -7200 / 2197, 7296 / 2197),
    (439 / 216, -8.0, 3680 / 513, -845 / 4104),
    (-8 / 27, 2.0, -3544 / 2565, 1859 / 4104, -11 / 40),
)
C = (0.0, 1 / 4, 3 / 8, 12 / 13, 1.0, 1 / 2)
FIFTH = (16 / 135, 0.0, 6656 / 12825, 28561 / 56430, -9 / 50, 2 / 55)
FOURTH = (25 / 216, 0.0, 1408 / 2565, 2197 / 4104, -1 / 5, 0.0)
LOOK = 0.25  # where the further stage of the dense output is taken; 1/2 would tell nothing new


@dataclass(frozen=True)
class RKF45(Adaptive):
    r"""Explicit Runge-Kutta method of Fehlberg, with adaptive steps. For comparison with older programs.

    $$y_{n+1} = y_n + h \sum_{i=1}^{6} b_i k_i, \qquad k_i = f\Big(t_n + c_i h,\; y_n + h \sum_{j<i} a_{ij} k_j\Big)$$

    * Order 5: the solution of higher order of the pair is continued. Error estimate and dense output of order 4.
    * Six stages a step. The dense output is a cubic Hermite polynomial, improved by one more evaluation.
    * Stability: explicit, so the step is bounded by the fastest motion.
    * For: comparisons; `DOPRI5` is usually more accurate for the same work.

    References
    ----------
    E. Fehlberg, Low-order classical Runge-Kutta formulas with stepsize control, NASA TR R-315, 1969.

    W. H. Enright, K. R. Jackson, S. P. Nørsett, P. G. Thomsen, Interpolants for Runge-Kutta formulas, ACM Transactions
    on Mathematical Software 12 (1986) 193-218.
    """

    @staticmethod
    def coefficients() -> Tableau:
        F0, F1, F2 = hermite_rows(FIFTH, 6, 8)
        x = LOOK
        value = x * F0 + x * (1 - x) * F1 + x**2 * (1 - x) * F2
        slope = F0 + (1 - 2 * x) * F1 + (2 * x - 3 * x**2) * F2
        rate = np.zeros(8)
        rate[7] = 1.0
        F3 = (rate - slope) / (2 * x * (1 - x) * (1 - 2 * x))  # x²(1-x)² F3 mends the slope at x
        error = np.array(FIFTH) - np.array(FOURTH)
        return runge_kutta(A, FIFTH, C, error, order=5, extra_A=[value], extra_c=[x], dense=[F3])
