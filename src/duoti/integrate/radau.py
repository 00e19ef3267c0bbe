"""Radau IIA of order 5: implicit Runge-Kutta for stiff motion to high accuracy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from duoti.integrate.base import Loop, Tolerances
from duoti.integrate.implicit_loop import ImplicitLoop
from duoti.integrate.radau_loop import advance_radau, start_radau
from duoti.integrate.radau_method import Radau5, radau5
from duoti.integrate.radau_step import new_radau_memory
from duoti.system.arrays import Reals, Work
from duoti.system.system import System


@dataclass(frozen=True)
class Radau(Tolerances):
    """Adaptive, order 5, with dense output of order 3; positions and velocities of closed loops are kept at each step.

    For the settings see `DOPRI5`.
    """

    treats_constraints: ClassVar[bool] = True

    def loop(self, system: System, times: Reals | None, work: Work) -> Loop:
        """See `Solver.loop`."""
        memory: Any = new_radau_memory(system.tree, system.links)
        return ImplicitLoop(
            system,
            times,
            work,
            start_radau,
            advance_radau,
            _coefficients(),
            memory,
            0.0,
            stabilised=True,
            is_complex=True,
        )


@cache
def _coefficients() -> Radau5:
    return radau5()
