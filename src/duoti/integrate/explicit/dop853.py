"""DOP853: Runge-Kutta of order 8(5,3) by Dormand, Prince and Hairer, for high accuracy."""

from __future__ import annotations

from dataclasses import dataclass

from duoti.integrate.base import Adaptive
from duoti.integrate.explicit.tableau import runge_kutta
from duoti.integrate.explicit_loop import Tableau


@dataclass(frozen=True)
class DOP853(Adaptive):
    r"""Explicit Runge-Kutta method of order 8 by Dormand and Prince, with adaptive steps. For tight tolerances.

    $$y_{n+1} = y_n + h \sum_{i=1}^{12} b_i k_i, \qquad k_i = f\Big(t_n + c_i h,\; y_n + h \sum_{j<i} a_{ij} k_j\Big)$$

    * Order 8, error estimates of order 5 and 3, dense output of order 7.
    * Twelve stages a step, and three more for the dense output.
    * Stability: explicit, so the step is bounded by the fastest motion.
    * For: smooth motion and tolerances of 1e-10 and below.

    The coefficients are those of SciPy's class of the same name.

    References
    ----------
    E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd edition, Springer 1993, section
    II.10.
    """

    @staticmethod
    def coefficients() -> Tableau:
        from scipy.integrate import DOP853 as TABLE

        return runge_kutta(
            TABLE.A, TABLE.B, TABLE.C, TABLE.E5, TABLE.E3, order=8,
            extra_A=TABLE.A_EXTRA, extra_c=TABLE.C_EXTRA, dense=list(TABLE.D),
        )  # fmt: skip
