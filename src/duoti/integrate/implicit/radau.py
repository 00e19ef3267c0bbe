"""Radau IIA of order 5: implicit Runge-Kutta for stiff motion to high accuracy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from duoti.integrate.implicit.loop import ImplicitLoop, ImplicitSolver
from duoti.integrate.implicit.radau_loop import RADAU_CONTEXT, RADAU_ENTRIES, radau5
from duoti.integrate.implicit.radau_step import new_radau_memory
from duoti.system.arrays import Reals, Work
from duoti.system.system import System

_coefficients = cache(radau5)


@dataclass(frozen=True)
class Radau(ImplicitSolver):
    r"""Implicit Runge-Kutta method Radau IIA of order 5, with adaptive or constant steps. For stiff motion.

    $$Y_i = y_n + h \sum_{j=1}^{3} a_{ij} f(t_n + c_j h, Y_j), \qquad y_{n+1} = Y_3$$

    * Order 5, dense output of order 3.
    * Three implicit stages, solved together by Newton's method.
    * Stability: A-stable and L-stable.
    * For: stiff springs, dampers and controllers at medium and high accuracy. Positions and velocities of closed loops
      are satisfied at every step.

    With a constant `step`, rtol and atol are the tolerances of the Newton iteration.

    References
    ----------
    E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 2nd edition, Springer 1996, section IV.8.
    """

    least_rtol: ClassVar[float] = 1e-13

    @staticmethod
    def entries() -> tuple[Any, ...]:
        return RADAU_ENTRIES

    def loop(self, system: System, times: Reals | None, work: Work) -> ImplicitLoop:
        memory: Any = new_radau_memory(system.tree, system.closures)
        method = _coefficients(self.adaptive)
        return ImplicitLoop(
            system, times, work, RADAU_ENTRIES, RADAU_CONTEXT, method, memory, self.fixed_step, stabilised=True,
            is_complex=True,
        )  # fmt: skip
