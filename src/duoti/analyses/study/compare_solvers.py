"""`compare_solvers`: work and precision of several solvers on one model."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from duoti.analyses.simulate.named_options import SOLVERS, by_name
from duoti.analyses.simulate.simulate import SimulationWarning, simulate
from duoti.integrate import DOP853, DOPRI5, GeneralisedAlpha, Radau, Tolerances
from duoti.model.model import Model
from duoti.results.plot.plots import COLOURS, new_figure
from duoti.results.result import Result
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.compile.compiler import compile_model
from duoti.system.system import System
from duoti.text import table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TOLERANCES = (1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10)
REFERENCE = Radau(rtol=1e-12, atol=1e-12)
REPEATS = 3  # the fastest of so many runs counts
MARKERS = "osD^vP*X"


@dataclass(frozen=True)
class SolverRun:
    """A solver at one tolerance: error of coordinates, velocities and states at the end, relative to one plus their
    size.
    """

    solver: str
    tolerance: float
    error: float
    seconds: float
    steps: int
    evaluations: int
    reason: str


@dataclass(frozen=True)
class SolverComparison:
    """Solvers side by side: print it for a table, `plot()` for the work-precision diagram, `runs` for everything."""

    model: str
    duration: float
    reference: str
    runs: tuple[SolverRun, ...]

    def __str__(self) -> str:
        rows = [("solver", "tolerance", "error", "steps", "evaluations", "seconds")]
        for run in self.runs:
            error = f"{run.error:.1e}" if np.isfinite(run.error) else "failed"
            numbers = (f"{run.tolerance:.0e}", error, str(run.steps), str(run.evaluations), f"{run.seconds:.2g}")
            rows.append((run.solver, *numbers))
        lines = table(rows)
        title = f"{self.model}, {self.duration:g} s: error at the end against {self.reference}"
        return "\n".join([title, lines[0], "-" * len(lines[0]), *lines[1:]])

    def plot(self) -> Figure:
        """Work-precision diagram: seconds over the error that was reached, one line for each solver."""
        figure = new_figure(7.5, 5)
        ax = figure.subplots()
        for k, name in enumerate(dict.fromkeys(run.solver for run in self.runs)):
            points = [(r.error, r.seconds) for r in self.runs if r.solver == name and np.isfinite(r.error)]
            if points:
                errors, seconds = zip(*points, strict=True)
                ax.loglog(
                    errors, seconds, marker=MARKERS[k % len(MARKERS)], color=COLOURS[k % len(COLOURS)], label=name
                )
        ax.invert_xaxis()
        ax.set_xlabel("error at the end (better to the right)")
        ax.set_ylabel("computing time [s]")
        ax.set_title(f"{self.model}, {self.duration:g} s")
        ax.grid(True, which="major", linewidth=0.4, alpha=0.6)
        ax.legend()
        return figure


@explained
def compare_solvers(
    model: Model | System,
    duration: float,
    solvers: Sequence[Tolerances | str] | None = None,
    tolerances: Sequence[float] = TOLERANCES,
    reference: Result | None = None,
    *,
    coordinates: Literal["relative", "absolute"] = "relative",
) -> SolverComparison:
    """Simulate a model with each solver at each tolerance, and measure errors and times.

    Parameters
    ----------
    duration:
        Time to simulate [s].
    solvers:
        Adaptive solvers, as objects or by name; by default `DOPRI5()`, `DOP853()`, `GeneralisedAlpha()` and `Radau()`.
    tolerances:
        Values of rtol = atol.
    reference:
        Result that ends at the same time; by default a run with Radau(rtol=1e-12, atol=1e-12).
    coordinates:
        "relative" or "absolute".
    """
    system = model if isinstance(model, System) else compile_model(model, coordinates)
    chosen = (
        (DOPRI5(), DOP853(), GeneralisedAlpha(), Radau())
        if solvers is None
        else tuple(by_name(s, SOLVERS, "solver") for s in solvers)
    )
    for solver in chosen:
        if not isinstance(solver, Tolerances) or not solver.adaptive:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"{solver!r} has no tolerances that could be varied; give adaptive solvers")
    given = "the given result"
    if reference is None:
        reference, given = simulate(system, duration, [duration], REFERENCE), "Radau, rtol=1e-12"
    truth = _end(reference)
    runs = [_run(system, duration, replace(s, rtol=tol, atol=tol), truth) for s in chosen for tol in tolerances]
    return SolverComparison(system.model.name, float(duration), given, tuple(runs))


def _end(result: Result) -> Reals:
    return np.concatenate([result.q[-1], result.v[-1], result.z[-1]])


def _run(system: System, duration: float, solver: Tolerances, truth: Reals) -> SolverRun:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SimulationWarning)  # the table says which runs failed
        results = [simulate(system, duration, [duration], solver, progress=False) for _ in range(REPEATS)]
    best = min(results, key=lambda each: each.stats.seconds)
    error = float(np.max(np.abs(_end(best) - truth) / (1.0 + np.abs(truth)))) if best.ok else np.nan
    stats = best.stats
    name = type(solver).__name__
    return SolverRun(name, solver.rtol, error, stats.seconds, stats.steps, stats.evaluations, best.reason)
