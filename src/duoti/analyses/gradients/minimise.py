"""`minimise`: the least value of an objective of a run, with exact gradients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.analyses.gradients.gradient import Gradient, Objective, adjoints, objective_run
from duoti.analyses.gradients.search_progress import INTERRUPTED, SearchProgress
from duoti.analyses.gradients.values import Bounded, require_runs
from duoti.analyses.sensitivity.equation_sensitivities import Build
from duoti.model.errors import ModelError
from duoti.model.model import Model
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.system import System

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FEASIBLE = 1e-6  # part of its size by which a constraint may be missed: the tolerance of the optimiser


@dataclass(frozen=True, eq=False)
class Minimum:
    """Where an objective is least.

    Attributes
    ----------
    values:
        Parameters by name.
    value:
        The objective there.
    gradient:
        Its derivatives there.
    ok, reason:
        Whether the optimiser converged, and what it says.
    history:
        Values of the parameters and the objective of every run, in order.
    runs:
        Number of runs, each with its gradient.
    """

    values: dict[str, float]
    value: float
    gradient: Gradient
    ok: bool
    reason: str
    history: list[tuple[Reals, float]] = field(default_factory=list[tuple[Reals, float]])

    @property
    def runs(self) -> int:
        """Number of runs."""
        return len(self.history)

    def plot(self) -> Figure:
        """The objective over the runs."""
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(figsize=(6, 3.2), layout="constrained")
        values, at = np.array([value for _, value in self.history]), np.arange(1, self.runs + 1)
        axes.plot(at, values, "o", markersize=3, label="run")
        axes.step(at, np.minimum.accumulate(values), where="post", label="least so far")
        if np.all(values > 0.0) and np.max(values) > 100.0 * np.min(values):
            axes.set_yscale("log")
        axes.legend()
        axes.set(xlabel="run", ylabel="objective")
        axes.grid(alpha=0.3)
        return figure

    def __str__(self) -> str:
        wide = max(map(len, self.values), default=0)
        lines = [f"objective {self.value:.10g} after {self.runs} runs: {self.reason}"]
        return "\n".join([*lines, *(f"  {name.ljust(wide)} = {x:.8g}" for name, x in self.values.items())])


@explained
def minimise(
    model: Model | System | Build,
    objective: Objective,
    parameters: Mapping[str, Any],
    *,
    duration: float,
    constraints: Sequence[tuple[Objective, float, float]] = (),
    solver: Any = None,
    rtol: float | None = None,
    atol: float | None = None,
    starts: int = 1,
    seed: int = 0,
    tolerance: float = 1e-10,
    most_runs: int = 200,
    progress: bool | None = None,
) -> Minimum:
    r"""Find the parameters for which an objective of a run is least.

    $$\min_p J(p), \qquad p_{\min} \le p \le p_{\max}, \qquad c_{\min} \le c(p) \le c_{\max}$$

    Gradients come from `gradient`. SciPy's L-BFGS-B searches, or SLSQP where there are constraints.

    Parameters
    ----------
    model:
        A model; or a function that builds one from keyword arguments, for design variables that change its geometry.
    objective:
        What is minimised.
    parameters:
        Bounds by name: (low, high), or (low, start, high). The search starts from the model's values; with a function
        from the middle.
    duration:
        Time to simulate [s].
    constraints:
        (objective, low, high): other objectives of the same run that must stay between bounds; equal bounds make an
        equation, `numpy.inf` leaves one side open.
    solver, rtol, atol:
        As in `gradient`.
    starts, seed:
        Number of searches, further ones from random points between the bounds. The best one counts.
    tolerance:
        Relative tolerance of the optimiser.
    most_runs:
        Largest number of runs of each search.
    progress:
        Show the number of runs and the objective; by default in a terminal, for searches longer than a second. Ctrl-C
        ends a search and keeps the best values so far, with `ok` False.
    """
    from scipy.optimize import Bounds, NonlinearConstraint, minimize

    require_runs(most_runs)
    bounded = Bounded(model, parameters)
    limited = [_limited(each) for each in constraints]
    objectives = [objective, *(each for each, _, _ in limited)]
    if starts > 1 and not (np.all(np.isfinite(bounded.low)) and np.all(np.isfinite(bounded.high))):
        raise ValueError(f"starts={starts}: random starting points need finite bounds")
    search = _Search(bounded, objectives, duration, solver, {"rtol": rtol, "atol": atol}, most_runs, limited)
    rng, best = np.random.default_rng(seed), None
    scale = bounded.scale
    bounds: Any = Bounds
    box = bounds(bounded.low / scale, bounded.high / scale)
    limit: Any = NonlinearConstraint
    limits = [
        limit(lambda x, k=k: search(x)[k].value, low, high, jac=lambda x, k=k: search(x)[k].gradient * scale)
        for k, (_, low, high) in enumerate(limited, 1)
    ]
    with SearchProgress("minimise", progress) as search.progress:
        for n in range(starts):
            first = bounded.start if n == 0 else rng.uniform(bounded.low, bounded.high)
            search.begin()
            stopped = False
            try:
                found: Any = minimize(
                    lambda x: search(x)[0].value, first / scale, jac=lambda x: search(x)[0].gradient * scale,
                    bounds=box, constraints=limits, method="SLSQP" if limits else "L-BFGS-B",
                    options={"ftol": tolerance, "maxiter": most_runs} | ({} if limits else {"gtol": tolerance}),
                )  # fmt: skip
                x, ok, reason = np.clip(found.x, box.lb, box.ub), bool(found.success), str(found.message)
                at = search(x, counted=False)
            except _TooManyRunsError:
                x, at, ok, reason = search.best_x, search.best, False, f"no convergence within most_runs={most_runs}"
            except KeyboardInterrupt:
                stopped = True
                if not search.best:  # no run of this search has ended
                    if best is None:
                        raise
                    break
                x, at, ok, reason = search.best_x, search.best, False, INTERRUPTED
            missed = [
                f"constraint {k} is {at[k].value:.6g}, not between {low:g} and {high:g}"
                for k, (_, low, high) in enumerate(limited, 1)
                if max(low - at[k].value, at[k].value - high) > FEASIBLE * (1.0 + abs(at[k].value))
            ]
            if missed:
                ok, reason = False, f"{reason}; {'; '.join(missed)}"
            candidate = (bool(missed) or not (ok or stopped), at[0].value, x, at[0], reason, ok)
            if best is None or candidate[:2] < best[:2]:
                best = candidate
            if stopped:
                break
    assert best is not None
    _, value, x, at_best, reason, ok = best
    if stopped:  # pyright: ignore[reportPossiblyUnboundVariable]
        ok, reason = False, INTERRUPTED if reason == INTERRUPTED or ok else f"{reason}; {INTERRUPTED}"
    values = dict(zip(bounded.names, (x * scale).tolist(), strict=True))
    return Minimum(values, value, at_best, ok, reason, search.history)


def _limited(given: Any) -> tuple[Objective, float, float]:
    objective, low, high = given if isinstance(given, Sequence) and len(given) == 3 else (None, 0.0, 0.0)
    if not isinstance(objective, Objective) or not low <= high or (np.isinf(low) and np.isinf(high)):
        raise ValueError(f"constraints: {given!r}; give (dt.Objective(...), low, high) with low <= high")
    return objective, float(low), float(high)


class _TooManyRunsError(Exception):
    """The search is cut off."""


class _Search:
    """Objectives and gradients at scaled parameters; the last ones are kept, as optimisers ask for them one by one."""

    def __init__(
        self, bounded: Bounded, objectives: list[Objective], duration: float, solver: Any, options: dict[str, Any],
        most_runs: int, limited: list[tuple[Objective, float, float]],
    ):  # fmt: skip
        self.limited = limited
        self.progress = SearchProgress("minimise", False)
        self.bounded, self.objectives, self.duration, self.solver = bounded, objectives, duration, solver
        self.options, self.most_runs = options, most_runs
        self.history = list[tuple[Reals, float]]()
        self.begin()

    def begin(self) -> None:
        """A new search."""
        self.count, self.least = 0, (np.inf, np.inf)
        self.best = list[Gradient]()
        self.best_x = self.bounded.start / self.bounded.scale
        self.kept: tuple[bytes, list[Gradient]] = b"", []

    def __call__(self, x: Reals, counted: bool = True) -> list[Gradient]:
        key = np.asarray(x, dtype=float).tobytes()
        if key == self.kept[0]:
            return self.kept[1]
        if counted and self.count >= self.most_runs:
            raise _TooManyRunsError
        self.count += 1
        values = np.asarray(x) * self.bounded.scale
        try:
            model, names = self.bounded.at(values)
            run = objective_run(
                model, self.objectives, names, self.duration, self.solver, "dt.minimise", **self.options
            )
            found = adjoints(run, self.objectives)
        except (ValueError, ModelError) as error:
            error.add_note(f"at {self.bounded.text(values)}")
            raise
        self.history.append((values, found[0].value))
        self.progress.update(found[0].value)
        missed = sum(
            max(low - each.value, each.value - high, 0.0)
            for each, (_, low, high) in zip(found[1:], self.limited, strict=True)
        )
        if (missed, found[0].value) < self.least:
            self.least, self.best, self.best_x = (missed, found[0].value), found, np.array(x, dtype=float)
        self.kept = key, found
        return found
