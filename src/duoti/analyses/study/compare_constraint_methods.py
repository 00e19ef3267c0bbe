"""`compare_constraint_methods`: one model and one run, all constraint methods for its closed loops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.simulate.simulate import simulate
from duoti.dynamics.loops.constraint_methods import (
    AugmentedLagrangian,
    Baumgarte,
    ConstraintMethod,
    CoordinatePartitioning,
    NullSpace,
    Penalty,
    Projection,
)
from duoti.integrate import DOP853, ExplicitSolver
from duoti.model.model import Model
from duoti.renamed import renamed_arguments
from duoti.results.evaluate.singular_positions import drift
from duoti.results.plot.plots import COLOURS, new_figure
from duoti.results.result import Result
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.compile.compiler import compile_model
from duoti.system.system import System
from duoti.text import table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

REFERENCE = DOP853(rtol=1e-12, atol=1e-13)
STYLES = ("-", "--", ":", "-.", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)))  # told apart without colours, too


@dataclass(frozen=True)
class ConstraintMethodRun:
    """A constraint method and what came of it; arrays over the times of the comparison."""

    method: ConstraintMethod
    result: Result
    drift: Reals  # largest residual of the closures [m or rad]
    rate_drift: Reals  # and of their rates [m/s or rad/s]
    energy_error: Reals  # residual of the energy balance [J]
    error: Reals  # largest difference of a coordinate [m or rad] from the reference

    @property
    def name(self) -> str:
        """The constraint method with those settings that are not the default."""
        plain = type(self.method)()
        settings = [f"{k}={x:g}" for k, x in vars(self.method).items() if x != getattr(plain, k)]
        return type(self.method).__name__ + (f"({', '.join(settings)})" if settings else "")


@dataclass(frozen=True)
class ConstraintMethodComparison:
    """Constraint methods side by side: print it for a table, `plot()` for the course over time, `runs` for
    everything.
    """

    model: str
    duration: float
    reference: str
    runs: tuple[ConstraintMethodRun, ...]

    def __getitem__(self, method: type[ConstraintMethod] | int) -> ConstraintMethodRun:
        """The run of a constraint method, by its class or place."""
        if isinstance(method, int):
            return self.runs[method]
        found = [run for run in self.runs if type(run.method) is method]
        if not found:
            raise KeyError(f"{method.__name__} is not among the methods that were compared")
        return found[0]

    def __str__(self) -> str:
        head = ("constraint method", "drift", "rate drift", "energy [J]", "error", "steps", "evaluations", "seconds")
        rows: list[tuple[str, ...]] = [head]
        for run in self.runs:
            stats = run.result.stats
            largest = [f"{np.max(np.abs(x)):.1e}" for x in (run.drift, run.rate_drift, run.energy_error, run.error)]
            name = run.name if run.result.ok else f"{run.name} (failed at t = {run.result.t[-1]:.4g} s)"
            rows.append((name, *largest, str(stats.steps), str(stats.evaluations), f"{stats.seconds:.2g}"))
        lines = table(rows)
        title = f"{self.model}, {self.duration:g} s: largest values over the run; error against {self.reference}"
        return "\n".join([title, lines[0], "-" * len(lines[0]), *lines[1:]])

    def plot(self) -> Figure:
        """Drift of positions, drift of rates, error of energy and error against the reference, over time."""
        figure = new_figure(10, 7)
        axes = figure.subplots(2, 2, sharex=True)
        panels = (
            ("drift of the closures [m, rad]", "drift"), ("drift of their rates [m/s, rad/s]", "rate_drift"),
            ("error of energy [J]", "energy_error"), ("error of the coordinates [m, rad]", "error"),
        )  # fmt: skip
        for ax, (title, what) in zip(axes.ravel(), panels, strict=True):
            for k, run in enumerate(self.runs):
                values: Any = np.maximum(np.abs(getattr(run, what)), 1e-17)  # zero has no logarithm
                ax.semilogy(
                    run.result.t[1:], values[1:], color=COLOURS[k % len(COLOURS)], linestyle=STYLES[k % len(STYLES)],
                    linewidth=3.0 - 2.0 * k / len(self.runs),  # what lies below stays visible
                    label=run.name,
                )  # fmt: skip
            ax.set_title(title, fontsize=10)
            ax.grid(True, which="major", linewidth=0.4, alpha=0.6)
        for ax in axes[1]:
            ax.set_xlabel("t [s]")
        handles, labels = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=9)
        figure.suptitle(f"{self.model}: methods of closed loops")
        return figure


def all_constraint_methods() -> tuple[ConstraintMethod, ...]:
    """Every constraint method with its default settings."""
    return Projection(), Baumgarte(), CoordinatePartitioning(), NullSpace(), Penalty(), AugmentedLagrangian()


@renamed_arguments
@explained
def compare_constraint_methods(
    model: Model | System,
    duration: float,
    methods: Sequence[ConstraintMethod | str] | None = None,
    solver: ExplicitSolver | str | None = None,
    reference: Result | None = None,
    *,
    outputs: ArrayLike | None = None,
    coordinates: Literal["relative", "absolute"] = "relative",
) -> ConstraintMethodComparison:
    """Simulate a model with closed loops once with each constraint method.

    Parameters
    ----------
    duration:
        Time to simulate [s].
    methods:
        Constraint methods; by default all with default settings.
    solver:
        As for `simulate`.
    reference:
        Result to measure errors against; by default a run with projection and DOP853(rtol=1e-12, atol=1e-13).
    outputs:
        As for `simulate`; by default 200 intervals.
    coordinates:
        "relative" or "absolute".
    """
    system = model if isinstance(model, System) else compile_model(model, coordinates)
    if not system.closures.rows:
        raise ValueError(f"model {system.model.name!r} has no closed loops and no constraints: nothing to compare")
    times = np.linspace(0.0, duration, 201) if outputs is None else outputs
    given = "the given result"
    if reference is None:
        reference, given = simulate(system, duration, times, REFERENCE), f"Projection, DOP853, rtol={REFERENCE.rtol:g}"
    chosen = all_constraint_methods() if methods is None else tuple(methods)
    runs = [_run(system, simulate(system, duration, times, solver, constraints=each), reference) for each in chosen]
    return ConstraintMethodComparison(system.model.name, float(duration), given, tuple(runs))


def _run(system: System, result: Result, reference: Result) -> ConstraintMethodRun:
    g, gdot = drift(system, result.t, result.q, result.v, result.z)
    n = min(len(result.t), len(reference.t))
    if reference.q.shape[1] != result.q.shape[1] or not np.allclose(
        result.t[: n - 1], reference.t[: n - 1], atol=1e-12
    ):
        raise ValueError("reference: give a result of the same model in the same coordinates and at the same outputs")
    error = np.full(len(result.t), np.nan)
    error[:n] = np.max(np.abs(result.q[:n] - reference.q[:n]), axis=1)
    return ConstraintMethodRun(result.constraints, result, g, gdot, result.energy.residual, error)
