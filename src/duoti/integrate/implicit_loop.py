"""The compiled loops of the implicit methods, with their memory."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, ClassVar

from duoti.dynamics.workspace import new_linearisation, workspace_memory
from duoti.integrate.base import Loop, Tolerances
from duoti.integrate.newton import new_newton
from duoti.integrate.state import BUFFERS, UNKNOWNS, Run, arrays_of, new_run
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
        self.run = new_run(system.tree, len(system.loads.laws.event_law), stages=2, degree=3, times=times)
        self.work = work
        self.newton = new_newton(system, stabilised, is_complex)
        self.linearisation = new_linearisation(system, self.work, pattern=(self.newton.start, self.newton.column))
        self.memory, self.step, self.method = memory, step, method
        self.kernels = (start, advance)
        self.use(self.run)

    def use(self, run: Run) -> None:
        """See `Loop.use`; the run of another method is good too: rates and polynomials stay this loop's own."""
        run.counts[UNKNOWNS] = self.newton.n
        self.run = run._replace(K=self.run.K, Q=self.run.Q)
        tangent = self.linearisation.tangent
        self.arguments: Any = (self.work.context[0], self.method, self.run, self.memory, tangent, self.newton)

    def checkpoint_arrays(self) -> list[Any]:
        """See `Loop.to_keep`."""
        tangent, path, _ = self.linearisation
        return [
            *arrays_of(self.run, BUFFERS), *workspace_memory(self.work), *arrays_of(self.memory),
            *arrays_of(self.newton), *arrays_of(tangent), *arrays_of(path, ("gradient",)),
        ]  # fmt: skip

    def start(self, first_step: float) -> None:
        """See `Loop.start`."""
        self.kernels[0](*self.arguments, first_step)

    def advance(self, most_steps: int) -> int:
        """See `Loop.advance`."""
        return int(self.kernels[1](*self.arguments, self.step, most_steps))


@dataclass(frozen=True)
class ImplicitSolver(Tolerances):
    """Settings of the implicit solvers.

    step [s]: constant step; without one the step follows from rtol and atol. Closed loops and constraints are part of
    the equations that each step solves.
    """

    enforces_constraints: ClassVar[bool] = True
    step: float | None = field(default=None, kw_only=True)

    @property
    def adaptive(self) -> bool:
        """True without a given step."""
        return self.step is None

    @property
    def fixed_step(self) -> float:
        """The step, 0 if it is not constant."""
        return self.step or 0.0

    def faults(self) -> list[str]:
        """See `Solver.faults`."""
        if self.step is None or (isinstance(self.step, Real) and 0 < self.step < math.inf):  # pyright: ignore[reportUnnecessaryIsInstance]
            return super().faults()
        return [f"step={self.step!r} must be a positive time in seconds"]
