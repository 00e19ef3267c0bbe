"""The compiled loops of the implicit methods, with their memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from duoti.dynamics.workspace import new_linearisation
from duoti.integrate.base import Loop
from duoti.integrate.newton import new_newton
from duoti.integrate.state import UNKNOWNS, new_run
from duoti.system.arrays import Reals, Work
from duoti.system.system import System


class ImplicitLoop(Loop):
    """A loop whose kernels take (context, method, run, memory, derivatives, linear system, ...)."""

    def __init__(
        self,
        system: System,
        times: Reals | None,
        work: Work,
        start: Callable[..., Any],
        advance: Callable[..., Any],
        method: Any,
        memory: Any,
        step: float,
        *,
        stabilised: bool,
        is_complex: bool = False,
    ):
        self.run = new_run(system.tree, len(system.loads.event_law), stages=2, degree=3, times=times)
        self.work = work
        self.newton = new_newton(system, stabilised, is_complex)
        self.linearisation = new_linearisation(system, self.work, pattern=(self.newton.start, self.newton.column))
        self.run.counts[UNKNOWNS] = self.newton.n
        self.memory, self.step = memory, step
        self.kernels = (start, advance)
        self.arguments: Any = (self.work.context[0], method, self.run, memory, self.linearisation.tangent, self.newton)

    def start(self, first_step: float) -> None:
        """See `Loop.start`."""
        self.kernels[0](*self.arguments, first_step)

    def advance(self, most_steps: int) -> int:
        """See `Loop.advance`."""
        return int(self.kernels[1](*self.arguments, self.step, most_steps))
