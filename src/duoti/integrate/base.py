"""What a user chooses when choosing a solver, and the loop that the solver then runs."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from numbers import Real
from typing import Any, ClassVar

from duoti.dynamics.workspace import workspace_memory
from duoti.integrate.explicit import Tableau, advance, start
from duoti.integrate.state import BUFFERS, Run, arrays_of, new_run
from duoti.system.arrays import Reals, Work
from duoti.system.system import System

NUMBERS = ("rtol", "atol", "max_step", "first_step")


class Loop(ABC):
    """A compiled loop with its memory: what drives it sees only this."""

    run: Run
    work: Work
    notes: Sequence[str] = ()
    """What the loop chose by itself, and why."""
    setup_seconds: float = 0.0
    """Time that it spent on loading or compiling kernels on the way: no simulation time."""

    method: Any = ()
    """The method's coefficients."""
    why_not_resumable: str = ""
    """Why the loop cannot go on in another process from `checkpoint_arrays` and `state_dict`; empty if it can."""
    grow_buffers: Callable[[], None]
    """Makes the buffers of outputs and events larger; who drives the loop sets it."""

    @abstractmethod
    def start(self, first_step: float) -> None:
        """Make ready; first_step is zero if the loop shall choose."""

    @abstractmethod
    def advance(self, most_steps: int) -> int:
        """Go on by at most so many steps; returns a status of `integrate.state`.

        How many steps go into one call has no influence on the motion.
        """

    @abstractmethod
    def use(self, run: Run) -> None:
        """Go on with another run's arrays: the same state, larger buffers."""

    @abstractmethod
    def checkpoint_arrays(self) -> list[Any]:
        """The arrays that further steps may read, buffers and addresses excepted, always in the same order."""

    def state_dict(self) -> dict[str, Any]:
        """What else the loop remembers, as JSON can hold it."""
        return {}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore what `state_dict` gave; the arrays of `checkpoint_arrays` are filled after this."""
        del state_dict


class Solver(ABC):
    """A method with its settings."""

    enforces_constraints: ClassVar[bool] = False
    """True if the method keeps closed loops by itself, and no constraint method can be chosen."""

    @property
    @abstractmethod
    def adaptive(self) -> bool:
        """True if the step follows from tolerances."""

    @property
    def fixed_step(self) -> float:
        """The constant step [s], 0 for none."""
        return 0.0

    @abstractmethod
    def faults(self) -> list[str]:
        """What is wrong with the settings, in words."""

    @abstractmethod
    def loop(self, system: System, times: Reals | None, work: Work) -> Loop:
        """The loop for a system with outputs at the given times (None: at the steps); work: made with rates=True."""


class ExplicitSolver(Solver):
    """An explicit method: a tableau, and how to choose the step."""

    def tableau(self) -> Tableau:
        """The method's arrays."""
        return _tableau(type(self))

    @staticmethod
    @abstractmethod
    def coefficients() -> Tableau:
        """Computes the arrays."""

    def loop(self, system: System, times: Reals | None, work: Work) -> Loop:
        """See `Solver.loop`."""
        return _ExplicitLoop(system, self.tableau(), self.fixed_step, times, work)


class _ExplicitLoop(Loop):
    """The loop of `integrate.explicit`."""

    def __init__(self, system: System, tableau: Tableau, step: float, times: Reals | None, work: Work):
        events, stages, degree = len(system.loads.laws.event_law), tableau.A.shape[0], tableau.P.shape[1]
        self.run = new_run(system.tree, events, stages, degree, times)
        self.work = work
        self.step, self.method = step, tableau
        self.use(self.run)

    def use(self, run: Run) -> None:
        self.run = run
        self.arguments: Any = (self.work.context[0], self.method, run)

    def checkpoint_arrays(self) -> list[Any]:
        return [*arrays_of(self.run, BUFFERS), *workspace_memory(self.work)]

    def start(self, first_step: float) -> None:
        start(*self.arguments, first_step)  # pyright: ignore[reportCallIssue]

    def advance(self, most_steps: int) -> int:
        return int(advance(*self.arguments, self.step, most_steps))  # pyright: ignore[reportCallIssue]


@dataclass(frozen=True)
class Tolerances(Solver):
    """Settings of the solvers that choose their own steps.

    rtol, atol: relative and absolute error per step allowed in each coordinate, rate and state. max_step and
    first_step [s]: bounds for those who know better than the error estimate.
    """

    rtol: float = 1e-8
    atol: float = 1e-10
    max_step: float = math.inf
    first_step: float | None = None

    @property
    def adaptive(self) -> bool:
        """Always."""
        return True

    def faults(self) -> list[str]:
        """See `Solver.faults`."""
        found = [
            f"{name}={value!r} is not a number"
            for name, value in vars(self).items()
            if name in NUMBERS and not isinstance(value, Real) and not (name == "first_step" and value is None)
        ]
        if found:
            return found
        if not 0 <= self.rtol < 1 or not 0 <= self.atol < math.inf or self.rtol + self.atol == 0:
            found.append(
                f"tolerances rtol={self.rtol}, atol={self.atol}: give small positive numbers, e.g. 1e-8 and 1e-10"
            )
        elif self.rtol < 5e-15:
            found.append(f"rtol={self.rtol} is beyond double precision; 1e-13 is about the smallest that makes sense")
        if not self.max_step > 0:
            found.append(f"max_step={self.max_step} must be positive")
        if self.first_step is not None and not 0 < self.first_step < math.inf:
            found.append(f"first_step={self.first_step} must be positive")
        return found


@dataclass(frozen=True)
class Adaptive(Tolerances, ExplicitSolver):
    """Explicit solvers that choose their own steps; for the settings see `Tolerances`."""


@dataclass(frozen=True)
class FixedStep(ExplicitSolver):
    """Settings of the solvers with a constant step [s]. The last step is shortened to meet the end."""

    step: float

    @property
    def adaptive(self) -> bool:
        """Never."""
        return False

    @property
    def fixed_step(self) -> float:
        """The step."""
        return self.step

    def faults(self) -> list[str]:
        """See `Solver.faults`."""
        if not isinstance(self.step, Real) or not 0 < self.step < math.inf:  # pyright: ignore[reportUnnecessaryIsInstance]
            return [f"step={self.step!r} must be a positive time in seconds"]
        return []


@lru_cache
def _tableau(method: type[ExplicitSolver]) -> Tableau:
    return method.coefficients()
