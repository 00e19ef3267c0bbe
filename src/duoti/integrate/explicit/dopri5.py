"""DOPRI5: Runge-Kutta of order 5(4) by Dormand & Prince (1980), the work-horse for non-stiff motion."""

from __future__ import annotations

from dataclasses import dataclass

from duoti.integrate.base import Adaptive
from duoti.integrate.explicit.tableau import runge_kutta
from duoti.integrate.explicit_loop import Tableau

# Hairer, Norsett & Wanner 1993, table II.5.2
A = (
    (),
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
)
B = (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84)
C = (0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0)
ERROR = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)
# the same book, section II.6: continuous extension of order 4
DENSE = (
    -12715105075 / 11282082432, 0.0, 87487479700 / 32700410799, -10690763975 / 1880347072,
    701980252875 / 199316789632, -1453857185 / 822651844, 69997945 / 29380423,
)  # fmt: skip


@dataclass(frozen=True)
class DOPRI5(Adaptive):
    r"""Explicit Runge-Kutta method of order 5 (Dormand and Prince), adaptive: the default for smooth motion.

    $$y_{n+1} = y_n + h \sum_{i=1}^{7} b_i k_i, \qquad k_i = f\Big(t_n + c_i h,\; y_n + h \sum_{j<i} a_{ij} k_j\Big)$$

    * Order 5, error estimate of order 4, dense output of order 4.
    * Seven stages, six evaluations a step: the last stage is the first of the next step.
    * Stability: explicit, so the step is bounded by the fastest motion. See the region in the picture.
    * For: smooth motion that is not stiff, with events, closed loops and located impacts.

    References
    ----------
    J. R. Dormand, P. J. Prince, A family of embedded Runge-Kutta formulae, Journal of Computational and Applied
    Mathematics 6 (1980) 19-26.
    """

    @staticmethod
    def coefficients() -> Tableau:
        return runge_kutta(A, B, C, ERROR, order=5, dense=[DENSE])
