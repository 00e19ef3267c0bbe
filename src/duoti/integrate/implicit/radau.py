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
    """Adaptive, order 5, with dense output of order 3; positions and velocities of closed loops are kept at each step.

    For the settings see `DOPRI5`; `step` [s] makes the steps constant, and rtol and atol then only say how exactly the
    equations of each step are solved.
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
