"""What a user chooses when choosing a solver, and the loop that the solver then runs."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from numbers import Real
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from duoti.contact.event_driven.records import ImpactRecord
from duoti.dynamics.workspace import workspace_memory
from duoti.integrate.events import event_addresses, restart_entry
from duoti.integrate.explicit_loop import EXPLICIT_CONTEXT, EXPLICIT_ENTRIES, Tableau
from duoti.integrate.record import NO_RECORD, RecordLayout
from duoti.integrate.state import NOT_KEPT, Run, arrays_of, larger_buffers, new_run
from duoti.integrate.stepping import advance, begin_again, start
from duoti.kernel import ContextType, address_of, entry_address, pack, run_entry
from duoti.model.joint_friction import slots_of
from duoti.model.laws.reaction_feedback import FeedbackState
from duoti.strict import Explained
from duoti.system.arrays import Reals, Work
from duoti.system.system import System

METHOD_BYTES = 8192  # descriptors of about 80 arrays need two thirds of this

NO_LIMIT = 1 << 62

NUMBERS = ("rtol", "atol", "max_step", "first_step")


class SolverLoop(ABC):
    """A compiled loop with its memory: what drives it sees only this."""

    run: Run
    work: Work
    notes: Sequence[str] = ()
    """What the loop chose by itself, and why."""
    contact_stages: Mapping[str, int] = MappingProxyType({})
    """Which stages solved the contact problems of the steps, and how often: `contacts` of the result's `stats`."""
    contact_residuals: Mapping[str, tuple[float, str, float]] = MappingProxyType({})
    """How well the laws of contact held at the worst: `contact_residuals` of the result's `stats`."""
    unsolved: str = ""
    """Why what the loop has computed is not to be believed, in words; empty if nothing is known against it."""
    suspect: str = ""
    """What is probably why, if the run fails."""
    friction_states: Any = None
    """Who chooses the states of friction and stops in joints (`friction_states`), if there are any."""
    setup_seconds: float = 0.0
    """Time that it spent on loading or compiling kernels on the way: no simulation time."""

    method: Any = ()
    """The method's coefficients."""
    record_layout: RecordLayout = NO_RECORD
    """What the loop writes beside the state."""
    why_not_resumable: str = ""
    """Why the loop cannot go on in another process from `checkpoint_arrays` and `state_dict`; empty if it can."""
    begins_with_rates: ClassVar[bool] = True
    """Whether a step begins from rates that the last one has left; otherwise it evaluates all that it needs."""
    jumps_in_kernels: ClassVar[bool] = True
    """Whether an entry may make the jumps that only set states (`set_states`); the rest is left to Python then."""
    set_states: Any = None
    """What that entry reads."""

    def take_impacts(self) -> list[ImpactRecord]:
        """Impacts since the last call, of loops that see to contacts by themselves."""
        return []

    @abstractmethod
    def start(self, first_step: float) -> None:
        """Make ready; first_step is zero if the loop shall choose."""

    @abstractmethod
    def advance(self, most_steps: int) -> int:
        """Go on by at most so many steps; returns a status of `integrate.state`.

        How many steps go into one call has no influence on the motion.
        """

    def without_a_look(self) -> tuple[DrivenLoop | None, int]:
        """The loop whose compiled steps may be taken before this one has to look, and up to how many steps in all.

        After a step that did not end well, this loop has to advance by itself.
        """
        return None, 0

    @abstractmethod
    def restart(self) -> None:
        """Go on after the state run.y was changed at a transition: consistent rates, a new step, the second output."""

    def begin_again(self) -> None:
        """Go on from the same state with other numbers of the system: consistent rates; the step stays as long."""
        self.restart()

    @abstractmethod
    def use(self, run: Run) -> None:
        """Go on with another run's arrays: the same state, larger buffers."""

    def grow_buffers(self) -> None:
        """Make the buffers of outputs and events larger; `Simulation` replaces it while it drives the loop."""
        self.use(larger_buffers(self.run))

    @abstractmethod
    def checkpoint_arrays(self) -> list[Any]:
        """The arrays that further steps may read, buffers and addresses excepted, always in the same order."""

    def state_dict(self) -> dict[str, Any]:
        """What else the loop remembers, as JSON can hold it."""
        return {}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore what `state_dict` gave; the arrays of `checkpoint_arrays` are filled after this."""
        del state_dict


class Solver(Explained):
    """A method with its settings."""

    enforces_constraints: ClassVar[bool] = False
    """True if the method keeps closed loops by itself, and no constraint method can be chosen."""
    holds_joints_in_loops: ClassVar[bool] = True
    """Whether joints of systems with closed loops can come to rest by friction, or to a stop."""

    event_driven: ClassVar[bool] = False
    """Whether impacts of rigid contacts can be located: the method asks for derivatives of the state and nothing
    else.
    """
    first_order: ClassVar[bool] = False
    """Whether errors, of the energy too, shrink with the step only: then no more than gross losses are reported."""
    treats_contacts: ClassVar[bool] = False
    """Whether the steps of the method contain rigid contacts (time stepping)."""

    @staticmethod
    def entries() -> tuple[Any, ...]:
        """Entries of the method, which are compiled side by side before its first run."""
        return ()

    def entries_for(self, system: System) -> tuple[Any, ...]:
        """Entries of the method that runs of a system need from the start."""
        del system
        return self.entries()

    def needs_derivatives(self, system: System) -> bool:
        """Whether runs of a system call the entries of derivatives, which are then compiled with the others."""
        del system
        return self.enforces_constraints

    @property
    @abstractmethod
    def adaptive(self) -> bool:
        """True if the step follows from tolerances."""

    @property
    def fixed_step(self) -> float:
        """The constant step [s], 0 for none."""
        return 0.0

    @property
    def longest_step(self) -> float:
        """The longest step that is allowed [s]."""
        return math.inf

    @property
    def first_guess(self) -> float:
        """The first step [s], 0 if the method shall choose it."""
        return self.fixed_step

    @property
    def explicit_impulses(self) -> bool:
        """Whether it is time stepping with forces taken at the start of a step: they may feed energy in."""
        return False

    @abstractmethod
    def faults(self) -> list[str]:
        """What is wrong with the settings, in words."""

    @abstractmethod
    def loop(self, system: System, times: Reals | None, work: Work) -> SolverLoop:
        """The loop for a system with outputs at the given times (None: at the steps); work: made with rates=True."""


class ExplicitSolver(Solver):
    """An explicit method: a tableau, and how to choose the step."""

    event_driven: ClassVar[bool] = True

    @staticmethod
    def entries() -> tuple[Any, ...]:
        return EXPLICIT_ENTRIES

    def tableau(self) -> Tableau:
        """The method's arrays."""
        return _tableau(type(self))

    @staticmethod
    @abstractmethod
    def coefficients() -> Tableau:
        """Computes the arrays."""

    def loop(self, system: System, times: Reals | None, work: Work) -> SolverLoop:
        refuse_algebraic(system, type(self).__name__)
        tableau = self.tableau()
        stages, degree = tableau.A.shape[0], tableau.P.shape[1]
        run = new_run(system.tree, system.loads, stages, degree, times, self.fixed_step)
        return DrivenLoop(work, run, self.entries(), EXPLICIT_CONTEXT, tableau, (tableau,))


def friction_in_loops(system: System) -> list[str]:
    """Joints whose friction or stops have states, in a system with closed loops: implicit methods cannot hold them."""
    if not system.closures.rows:
        return []
    return list(dict.fromkeys(slot.joint for slot in slots_of(system.model) if slot.friction_state))


def rigid_laws(system: System) -> list[Any]:
    """Laws of the rigid contacts of a system."""
    return [each.law for each in system.model.contacts.values() if each.law.rigid]


def algebraic_states(system: System) -> list[str]:
    """Names of the user's states with an equation 0 = f instead of a rate."""
    states = zip(system.model.states.items(), system.loads.laws.state_mass, strict=True)
    return [name for (name, state), mass in states if not mass and not isinstance(state, FeedbackState)]


def refuse_algebraic(system: System, solver: str) -> None:
    """Raise ValueError if a system has algebraic states, which a solver by this name cannot treat."""
    if names := algebraic_states(system):
        quoted = ", ".join(f'"{name}"' for name in names)
        what = f"state {quoted} is algebraic" if len(names) == 1 else f"states {quoted} are algebraic"
        raise ValueError(
            f"{what}: its equation 0 = f has to be solved in every step, which {solver} does not do; choose "
            "an implicit solver such as dt.Radau() or dt.GeneralisedAlpha()"
        )


class DrivenLoop(SolverLoop):
    """The compiled driver of `integrate.stepping` with the entries of a method.

    entries: START, STEP, POLYNOMIAL and SHIFT; kind: the type of their context; arguments: what it holds behind the
    system's context and the run.
    """

    def __init__(
        self, work: Work, run: Run, entries: Sequence[Any], kind: ContextType, method: Any, arguments: tuple[Any, ...]
    ):
        self.work, self.method, self.kind, self.arguments = work, method, kind, arguments
        self.addresses = [_address(each) for each in entries]
        self.block = np.zeros(METHOD_BYTES // 8)
        self.run = run
        self.use(run)

    def use(self, run: Run) -> None:
        """See `Loop.use`; the run of another method is good too: rates, polynomials and entries stay this loop's."""
        if run is not self.run:
            self.run = run._replace(K=self.run.K, Q=self.run.Q, X=self.run.X, calls=self.run.calls)
        self.run.calls[0] = (*self.addresses, address_of(self.block), *event_addresses(self.work))
        pack(self.block, (int(self.work.at[0].system), self.run, *self.arguments), self.kind)

    def checkpoint_arrays(self) -> list[Any]:
        return [*arrays_of(self.run, NOT_KEPT), *workspace_memory(self.work)]

    def start(self, first_step: float) -> None:
        start(self.work.at[0].system, self.run, float(first_step))

    def restart(self) -> None:
        self.run.clock["h"] = self.run.clock["fixed_step"]
        run_entry(_address(restart_entry), self.block.ctypes.data)

    def without_a_look(self) -> tuple[DrivenLoop | None, int]:
        return self, NO_LIMIT

    def begin_again(self) -> None:
        begin_again(self.work.at[0].system, self.run)

    def advance(self, most_steps: int) -> int:
        return int(advance(self.work.at[0].system, self.run, most_steps))


@cache
def _address(entry: Any) -> int:
    """Address of a method's entry, compiled or loaded the first time it is needed."""
    return entry_address(entry)


@dataclass(frozen=True)
class Tolerances(Solver):
    """Settings of the solvers that choose their own steps.

    Parameters
    ----------
    rtol:
        Relative error allowed per step in each coordinate, velocity and state.
    atol:
        Absolute error allowed per step in each of them, in its own unit.
    max_step:
        Longest step.
    first_step:
        First step; by default the solver chooses it.
    """

    least_rtol: ClassVar[float] = 5e-15
    """The tightest relative tolerance that the method can keep to in double precision."""

    rtol: float = 1e-8
    atol: float = 1e-10
    max_step: float = math.inf
    first_step: float | None = None

    @property
    def adaptive(self) -> bool:
        """Always."""
        return True

    @property
    def longest_step(self) -> float:
        return self.max_step

    @property
    def first_guess(self) -> float:
        return self.fixed_step or self.first_step or 0.0

    def faults(self) -> list[str]:
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
        elif self.rtol < self.least_rtol and self.adaptive:
            smallest = max(self.least_rtol, 1e-13)
            found.append(
                f"rtol={self.rtol} is beyond double precision; {smallest:g} is about the smallest that makes sense"
            )
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
    """Settings of the solvers with a constant step. The last step is shortened to meet the end.

    Parameters
    ----------
    step:
        The step.
    """

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
        if not isinstance(self.step, Real) or not 0 < self.step < math.inf:  # pyright: ignore[reportUnnecessaryIsInstance]
            return [f"step={self.step!r} must be a positive time in seconds"]
        return []


@lru_cache
def _tableau(method: type[ExplicitSolver]) -> Tableau:
    return method.coefficients()
