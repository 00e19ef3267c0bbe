"""`simulate`: the motion of a model over time."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from numbers import Real
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.simulate.choose_solver import choose_solver, given_solver, is_auto
from duoti.analyses.simulate.named_options import CONSTRAINT_METHODS, by_name
from duoti.analyses.simulate.outputs import output_times
from duoti.analyses.simulate.run import Task, run_chosen
from duoti.analyses.states.at import starts_at
from duoti.analyses.states.supported import of_graph
from duoti.analyses.states.warnings import SimulationWarning
from duoti.dynamics.loops.constraint_methods import ConstraintMethod
from duoti.dynamics.workspace import DEFAULT
from duoti.integrate import Solver
from duoti.model.checks.parameters import setting_faults
from duoti.model.model import Model
from duoti.results.result import Result
from duoti.strict import explained
from duoti.system.build.compiler import compile_model
from duoti.system.system import System

__all__ = ["SimulationWarning", "simulate"]

CHECKPOINT = 5.0  # seconds


@starts_at
@explained
def simulate(
    model: Model | System,
    duration: float,
    outputs: ArrayLike | str | None = None,
    solver: Solver | str | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    *,
    start_time: float = 0.0,
    state: tuple[ArrayLike, ArrayLike] | tuple[ArrayLike, ArrayLike, ArrayLike] | None = None,
    coordinates: Literal["relative", "absolute"] = "relative",
    constraints: ConstraintMethod | str | None = None,
    progress: bool | None = None,
    out: str | Path | None = None,
    checkpoint: float | None = None,
    watch: Callable[[Result], None] | None = None,
    painleve: Literal["impact", "stop"] = "impact",
) -> Result:
    """Simulate the motion of a model.

    A run that fails, or is interrupted by Ctrl-C, returns what it has: `result.ok` is False, `result.reason` says why.

    Parameters
    ----------
    model:
        A `Model` (compiled first, refused with all its errors if it has any) or a compiled `System`.
    duration:
        Time to simulate [s].
    outputs:
        Times at which results are wanted, a step between them, or "steps" for the solver's own steps; by default 1000
        equal intervals.
    solver:
        An object such as `Radau(rtol=1e-9)`, or a name for one with default settings: "radau", "dop853",
        "generalised_alpha". By default `choose_solver` chooses: `DOPRI5` for smooth motions, `Auto` where models are
        often stiff, `Moreau` for many rigid contacts; `result.summary()` says which and why. "auto" changes between
        explicit and implicit by itself (`Auto`).
    rtol, atol:
        Tolerances of the solver, in place of its own.
    at:
        Where it begins, in place of the model's initial values: (q, v) or (q, v, z), values by joint, an equilibrium,
        or a row of a result, see `duoti.analyses.states.at`. Arrays must obey loops and constraints;
        `system.state(...)` gives such q and v. (Formerly `state`.)
    t:
        Time at the beginning [s]; by default that of `at`, or 0. (Formerly `start_time`.)
    coordinates:
        "relative" (joint coordinates on a tree) or "absolute" (six coordinates for every body, all joints as
        constraints): the same motion, for comparison.
    constraints:
        How closed loops and constraints are kept: `Projection()` by default; or `Baumgarte()`,
        `CoordinatePartitioning()`, `NullSpace()`, `Penalty()`, `AugmentedLagrangian()`; or a name, "baumgarte".
        Accepted for a model without any, where it has no effect.
    progress:
        Show a progress bar; by default only in a terminal and when it takes longer than a second.
    out:
        An HDF5 file to which the outputs go while they are computed: memory does not grow with the length of the run,
        a killed run leaves what it had, and `resume` goes on with it. The result then reads from the file.
    checkpoint:
        Seconds of wall time after which the outputs so far are safe in the file, with all that is needed to go on from
        there; by default 5.
    watch:
        Called about twice a second while the simulation goes on, and at its end, with a result that holds the outputs
        since the last call; `simulate_live` draws them.
    painleve:
        What an event-driven run does in a state in which rigid contacts with friction leave no motion, or several
        (`contact_problem`): go on through an "impact" without collision, or with the motion that is found first,
        which is noted; or "stop".
    """
    model = of_graph(model)
    named = None if solver is None or is_auto(solver) else given_solver(solver, rtol, atol)
    method = _constraint_method(constraints, named)
    times = output_times(duration, outputs, start_time)
    interval = _checkpoint(checkpoint, out)
    with _locked(out) as path:
        if not isinstance(model, Model | System):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"{model!r} is not a model; give a dt.Model or what dt.compile made of one")
        system = model if isinstance(model, System) else compile_model(model, coordinates)
        system.require_dynamics()
        choice = choose_solver(system, duration, solver, rtol, atol, constraints=constraints)
        method = _constraint_method(constraints, choice.solver)
        task = Task(
            system, float(duration), times, float(start_time), state, method, path, interval, progress, watch, painleve
        )
        return run_chosen(task, choice)


@contextmanager
def _locked(out: str | Path | None) -> Generator[Path | None, None, None]:
    """The file to write to, if any; no one else writes to it meanwhile."""
    if out is None:
        yield None
        return
    from duoti.results.file.save import target

    with target(out) as path:
        yield path


def _checkpoint(seconds: float | None, out: str | Path | None) -> float:
    if seconds is None:
        return CHECKPOINT
    if out is None:
        raise ValueError(
            f"checkpoint={seconds!r} would have no effect: give out=, the file for outputs and checkpoints"
        )
    if not isinstance(seconds, Real) or not 0 <= seconds < np.inf:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError(f"checkpoint={seconds!r}: give a time in seconds, e.g. 5")
    return float(seconds)


def _constraint_method(given: ConstraintMethod | str | None, solver: Solver | None) -> ConstraintMethod:
    chosen = DEFAULT if given is None else by_name(given, CONSTRAINT_METHODS, "constraints")
    if not isinstance(chosen, ConstraintMethod):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(
            f"constraints={given!r} is not a constraint method; give an object such as dt.Projection() or "
            "dt.Baumgarte(alpha=20, beta=20)"
        )
    if given is not None and solver is not None and solver.enforces_constraints:
        raise ValueError(
            f"constraints={given!r} would have no effect: {type(solver).__name__} keeps closed loops by itself; leave "
            "it out, or choose an explicit solver such as dt.DOPRI5()"
        )
    if faults := setting_faults(chosen):
        raise ValueError(f"constraints {type(chosen).__name__}: " + "; ".join(faults))
    return chosen
