"""Generalised-alpha: implicit, order 2, with damping of high frequencies that can be chosen; HHT and Newmark."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, ClassVar

from duoti.integrate.base import SolverLoop
from duoti.integrate.implicit.alpha_loop import ALPHA_CONTEXT, ALPHA_ENTRIES
from duoti.integrate.implicit.alpha_step import Alpha, new_memory
from duoti.integrate.implicit.loop import ImplicitLoop, ImplicitSolver
from duoti.system.arrays import Reals, Work
from duoti.system.system import System

FORMS = ("stabilised", "index 3")


def first_order_coefficients(alpha_f: float) -> tuple[float, float, float]:
    """delta_m, delta_f, gamma_z: the same shift in time of the helper variable, order 2.

    Jansen, Whiting & Hulbert 2000.
    """
    rho = min(max(alpha_f / (1.0 - alpha_f), 0.0), 1.0) if alpha_f < 1.0 else 1.0
    delta_m, delta_f = (3.0 * rho - 1.0) / (2.0 * (rho + 1.0)), rho / (rho + 1.0)
    return delta_m, delta_f, 0.5 + delta_f - delta_m


@dataclass(frozen=True)
class AlphaMethod(ImplicitSolver):
    """What the methods of this family have in common.

    Parameters
    ----------
    step:
        Constant step; without one the step follows from rtol and atol. With one, rtol is the tolerance of the Newton
        iteration.
    form:
        "stabilised" satisfies positions and velocities of loops at every step (Gear, Gupta and Leimkuhler). "index 3"
        satisfies positions only: fewer unknowns, noisier forces.
    """

    least_rtol: ClassVar[float] = 1e-11  # accelerations are differences of displacements over the square of the step

    rtol: float = 1e-6
    atol: float = 1e-8
    form: str = field(default="stabilised", kw_only=True)

    @abstractmethod
    def coefficients(self) -> tuple[float, float, float, float]:
        """alpha_m, alpha_f, beta, gamma."""

    @abstractmethod
    def settings(self) -> list[tuple[str, float, float, float]]:
        """(name, value, least, largest) of the method's own numbers."""

    def faults(self) -> list[str]:
        found = super().faults()
        if self.form not in FORMS:
            found.append(f"form={self.form!r}: choose {FORMS[0]!r} or {FORMS[1]!r}")
        for name, value, least, largest in self.settings():
            if not isinstance(value, Real) or not least <= value <= largest:  # pyright: ignore[reportUnnecessaryIsInstance]
                found.append(f"{name}={value!r} must be a number from {least:g} to {largest:g}")
        return found

    @staticmethod
    def entries() -> tuple[Any, ...]:
        return ALPHA_ENTRIES

    def loop(self, system: System, times: Reals | None, work: Work) -> SolverLoop:
        alpha_m, alpha_f, beta, gamma = self.coefficients()
        delta_m, delta_f, gamma_z = first_order_coefficients(alpha_f)
        method = Alpha(int(self.adaptive), alpha_m, alpha_f, beta, gamma, delta_m, delta_f, gamma_z)
        memory: Any = new_memory(system.tree, system.closures)
        stabilised = self.form == FORMS[0]
        return ImplicitLoop(
            system, times, work, ALPHA_ENTRIES, ALPHA_CONTEXT, method, memory, self.fixed_step, stabilised=stabilised
        )


@dataclass(frozen=True)
class GeneralisedAlpha(AlphaMethod):
    r"""Generalised-alpha method on Lie groups, with adaptive or constant steps. For structures and stiff mechanisms.

    $$(1 - \alpha_m)\, a_{n+1} + \alpha_m a_n = (1 - \alpha_f)\, \dot v_{n+1} + \alpha_f \dot v_n$$

    $$q_{n+1} = q_n + h v_n + h^2 \big( (\tfrac12 - \beta) a_n + \beta a_{n+1} \big), \qquad
    v_{n+1} = v_n + h \big( (1 - \gamma) a_n + \gamma a_{n+1} \big)$$

    * Order 2.
    * One implicit equation a step, solved by Newton's method.
    * Stability: A-stable; L-stable for rho = 0. The damping of high frequencies follows from `rho`.
    * For: flexible bodies and beams whose high frequencies should be damped, with closed loops.

    Parameters
    ----------
    rho:
        Spectral radius at infinite frequency, from 1 (no damping) to 0 (high frequencies vanish in one step).

    References
    ----------
    J. Chung, G. M. Hulbert, A time integration algorithm for structural dynamics with improved numerical dissipation,
    Journal of Applied Mechanics 60 (1993) 371-375.

    O. Brüls, A. Cardona, On the use of Lie group time integrators in multibody dynamics, Journal of Computational and
    Nonlinear Dynamics 5 (2010) 031002.
    """

    units: ClassVar = {"rho": "1"}

    rho: float = field(default=0.8, kw_only=True)

    def coefficients(self) -> tuple[float, float, float, float]:
        alpha_m, alpha_f = (2.0 * self.rho - 1.0) / (self.rho + 1.0), self.rho / (self.rho + 1.0)
        gamma = 0.5 + alpha_f - alpha_m
        return alpha_m, alpha_f, 0.25 * (gamma + 0.5) ** 2, gamma

    def settings(self) -> list[tuple[str, float, float, float]]:
        return [("rho", self.rho, 0.0, 1.0)]


@dataclass(frozen=True)
class HHT(AlphaMethod):
    r"""Alpha method of Hilber, Hughes and Taylor, with adaptive or constant steps.

    $$\beta = \tfrac14 (1 + \alpha)^2, \qquad \gamma = \tfrac12 + \alpha, \quad \alpha_f = \alpha, \quad \alpha_m = 0$$

    It is the generalised-alpha method with these numbers, see `GeneralisedAlpha`.

    * Order 2.
    * One implicit equation a step, solved by Newton's method.
    * Stability: A-stable; `alpha` adds damping of high frequencies.
    * For: comparison with programs for structures; otherwise `GeneralisedAlpha` damps low frequencies less.

    Parameters
    ----------
    alpha:
        Numerical damping, from 0 (none) to 1/3.

    References
    ----------
    H. M. Hilber, T. J. R. Hughes, R. L. Taylor, Improved numerical dissipation for time integration algorithms in
    structural dynamics, Earthquake Engineering & Structural Dynamics 5 (1977) 283-292.
    """

    units: ClassVar = {"alpha": "1"}

    alpha: float = field(default=0.1, kw_only=True)

    def coefficients(self) -> tuple[float, float, float, float]:
        return 0.0, self.alpha, 0.25 * (1.0 + self.alpha) ** 2, 0.5 + self.alpha

    def settings(self) -> list[tuple[str, float, float, float]]:
        return [("alpha", self.alpha, 0.0, 1.0 / 3.0)]


@dataclass(frozen=True)
class Newmark(AlphaMethod):
    r"""Newmark's method, with adaptive or constant steps. The default numbers give the trapezoidal rule.

    $$q_{n+1} = q_n + h v_n + h^2 \big( (\tfrac12 - \beta) a_n + \beta a_{n+1} \big), \qquad
    v_{n+1} = v_n + h \big( (1 - \gamma) a_n + \gamma a_{n+1} \big)$$

    * Order 2 for gamma = 1/2, otherwise 1.
    * One implicit equation a step, solved by Newton's method.
    * Stability: A-stable for $2\beta \ge \gamma \ge \tfrac12$. Without damping of high frequencies for gamma = 1/2.
    * For: comparison with programs for structures.

    Parameters
    ----------
    beta:
        Weight of the new acceleration in the position.
    gamma:
        Weight of the new acceleration in the velocity; above 1/2 high frequencies are damped.

    References
    ----------
    N. M. Newmark, A method of computation for structural dynamics, Journal of the Engineering Mechanics Division 85
    (1959) 67-94.
    """

    units: ClassVar = {"beta": "1", "gamma": "1"}

    beta: float = field(default=0.25, kw_only=True)
    gamma: float = field(default=0.5, kw_only=True)

    def coefficients(self) -> tuple[float, float, float, float]:
        return 0.0, 0.0, self.beta, self.gamma

    def settings(self) -> list[tuple[str, float, float, float]]:
        return [("beta", self.beta, 0.05, 1.0), ("gamma", self.gamma, 0.5, 1.0)]
