"""DOP853: Runge-Kutta of order 8(5,3) by Dormand, Prince and Hairer, for high accuracy."""

from __future__ import annotations

from dataclasses import dataclass

from duoti.integrate.base import Adaptive
from duoti.integrate.explicit.tableau import runge_kutta
from duoti.integrate.explicit_loop import Tableau


@dataclass(frozen=True)
class DOP853(Adaptive):
    """Adaptive, order 8, with dense output of order 7 (Hairer, Norsett & Wanner 1993, section II.10).

    The choice for tolerances of 1e-10 and below. The coefficients are taken from SciPy's class of the same name.
    """

    @staticmethod
    def coefficients() -> Tableau:
        from scipy.integrate import DOP853 as TABLE

        return runge_kutta(
            TABLE.A, TABLE.B, TABLE.C, TABLE.E5, TABLE.E3, order=8,
            extra_A=TABLE.A_EXTRA, extra_c=TABLE.C_EXTRA, dense=list(TABLE.D),
        )  # fmt: skip
