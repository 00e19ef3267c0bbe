"""`fit`: parameters for which a model moves as measured, by Gauss-Newton with exact Jacobians."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.analyses.gradients.expressions import Watched
from duoti.analyses.gradients.measured import Series, series_of
from duoti.analyses.gradients.runs import new_run
from duoti.analyses.gradients.search_progress import INTERRUPTED, SearchProgress
from duoti.analyses.gradients.sensitivities import forward
from duoti.analyses.gradients.values import Bounded, require_runs
from duoti.analyses.sensitivity.equation_sensitivities import Build
from duoti.analyses.states.warnings import SimulationWarning
from duoti.model.model import Model
from duoti.strict import explained, user_level
from duoti.system.arrays import Reals
from duoti.system.system import System

if TYPE_CHECKING:
    from matplotlib.figure import Figure

AT_BOUND = 1e-6  # part of the range of a parameter
UNLIKELY, UNEXPLAINED = 3.0, 0.5  # residuals by sigma, and part of the variance, that a right model does not leave
UNSEEN = 1e-7  # singular values below this part of the largest one belong to changes that the data do not show
SHARE = 0.1  # parts of such a change that are smaller than this are not named


@dataclass(frozen=True, eq=False)
class Experiment:
    """Measurements of one run.

    Parameters
    ----------
    data:
        For each channel (t, y) or (t, y, sigma): times [s], measured values, standard deviation of the noise.
    parameters:
        Values that hold in this experiment alone, such as {"A.q0": 0.3}.
    """

    data: Mapping[str, Any]
    parameters: Mapping[str, float] = field(default_factory=dict[str, float])


@dataclass(frozen=True, eq=False)
class Fit:
    """Parameters found from measurements.

    Attributes
    ----------
    values:
        Parameters by name.
    covariance:
        Of the parameters, in the order of `values`; infinite where they are not identifiable.
    combination_names, combinations, combination_deviations:
        What the data do tell: each row of `combinations` is a sum of numbers that is known, with its standard
        deviation. Of physical bodies the numbers are mass, first moment and inertia about the body's origin ("link.mx",
        "link.xx", as in `inertial_regressor`), in which rows do not depend on the values.
    deviations:
        Standard deviations by name.
    not_identifiable:
        Changes of parameters that the measurements do not show, as text; empty if there are none.
    ok, reason:
        Whether the search converged, and what it says.
    residuals:
        Model minus measurement over sigma, of all samples in order.
    runs:
        Number of runs, each with its sensitivities.
    validation:
        Weighted residuals of the data that were held back; empty without them.
    model:
        The model with these values; None if a function builds it.
    """

    values: dict[str, float]
    covariance: Reals
    combination_names: tuple[str, ...]
    combinations: Reals
    combination_deviations: Reals
    not_identifiable: tuple[str, ...]
    ok: bool
    reason: str
    residuals: Reals
    runs: int
    series: list[list[tuple[Series, Reals]]]
    validation: Reals
    validation_series: list[list[tuple[Series, Reals]]]
    model: Model | None

    @property
    def deviations(self) -> dict[str, float]:
        """Standard deviations of the parameters."""
        return dict(zip(self.values, np.sqrt(np.diag(self.covariance)).tolist(), strict=True))

    @property
    def rms(self) -> float:
        """Root mean square of the weighted residuals: about 1 where sigma is the noise and the model is right."""
        return float(np.sqrt(np.mean(self.residuals**2)))

    @property
    def validation_rms(self) -> float:
        """The same of the data that were held back; NaN without them."""
        return float(np.sqrt(np.mean(self.validation**2))) if len(self.validation) else float("nan")

    def intervals(self, level: float = 0.95) -> dict[str, tuple[float, float]]:
        """Confidence intervals by name, of a linear model with normal noise (Student's t)."""
        from scipy.stats import t

        freedom = max(len(self.residuals) - len(self.combinations), 1)
        wide = float(t.ppf(0.5 + 0.5 * level, freedom))
        return {name: (x - wide * self.deviations[name], x + wide * self.deviations[name])
                for name, x in self.values.items()}  # fmt: skip

    def __str__(self) -> str:
        wide = max(map(len, self.values), default=0)
        lines = [
            f"fit of {len(self.values)} parameters to {len(self.residuals)} samples, {self.runs} runs: {self.reason}"
        ]
        lines += [f"  {name.ljust(wide)} = {x:.8g} +- {self.deviations[name]:.2g}" for name, x in self.values.items()]
        if len(self.validation):
            lines.append(f"  weighted residual {self.rms:.4g}, of {len(self.validation)} samples held back "
                         f"{self.validation_rms:.4g}")  # fmt: skip
        return "\n".join([*lines, *(f"  not identifiable: {each}" for each in self.not_identifiable)])

    def plot(self) -> Figure:
        """Measurements and model over time."""
        import matplotlib.pyplot as plt

        columns = [("train", self.series), *([("validation", self.validation_series)] if len(self.validation) else [])]
        channels = list(dict.fromkeys(s.channel for _, group in columns for each in group for s, _ in each))
        figure, axes = plt.subplots(
            len(channels), len(columns), sharex="col", squeeze=False, layout="constrained",
            figsize=(7 if len(columns) == 1 else 11, 2.2 * len(channels) + 0.6),
        )  # fmt: skip
        for column, (title, group) in enumerate(columns):
            for ax, channel in zip(axes[:, column], channels, strict=True):
                for n, experiment in enumerate(group):
                    for s, y in experiment:
                        if s.channel == channel:
                            label = n == 0
                            dots = ax.plot(s.t, s.y, ".", markersize=3, alpha=0.6, label="measured" if label else None)
                            ax.plot(s.t, y, "-", color=dots[0].get_color(), label="model" if label else None)
                ax.set_ylabel(channel)
                ax.grid(alpha=0.3)
            if len(columns) > 1:
                axes[0, column].set_title(title)
            axes[-1, column].set_xlabel("time, s")
        axes[0, 0].legend()
        return figure

    def report(self, path: str | Path) -> Path:
        """Write values, deviations, correlations and plots into an HTML page; the path ends in .html."""
        target = Path(path)
        if target.suffix.lower() not in (".html", ".htm"):
            raise ValueError(f'report("{path}"): the report is an HTML page; let its name end in .html')
        import base64
        import io

        import matplotlib.pyplot as plt

        figure, picture = self.plot(), io.BytesIO()
        figure.savefig(picture, format="png", dpi=120)
        plt.close(figure)
        image = base64.b64encode(picture.getvalue()).decode()
        s = np.sqrt(np.diag(self.covariance))
        with np.errstate(invalid="ignore", divide="ignore"):
            correlation = self.covariance / np.outer(s, s)
        names = list(self.values)
        between = self.intervals()
        rows = "".join(
            f"<tr><td>{escape(name)}</td><td>{self.values[name]:.8g}</td><td>{d:.2g}</td>"
            f"<td>{between[name][0]:.6g} to {between[name][1]:.6g}</td></tr>"
            for name, d in zip(names, s, strict=True)
        )
        heads = "".join(f"<th>{escape(name)}</th>" for name in names)
        table = "".join(
            f"<tr><th>{escape(name)}</th>{''.join(f'<td>{x:.2f}</td>' for x in row)}</tr>"
            for name, row in zip(names, correlation, strict=True)
        )
        unseen = "".join(f"<li>{escape(each)}</li>" for each in self.not_identifiable)
        text = (
            '<!doctype html><html lang="en"><meta charset="utf-8"><title>Fit</title><style>body{font:15px sans-serif;'
            "max-width:60em;margin:2em auto}td,th{padding:.2em .8em;text-align:right;border-bottom:1px solid #ddd}"
            "img{max-width:100%}</style><h1>Fit</h1>"
            f"<p>{escape(self.reason)} {self.runs} runs, {len(self.residuals)} samples, weighted residual "
            f"{self.rms:.4g}"
            + (f"; {len(self.validation)} samples held back: {self.validation_rms:.4g}" if len(self.validation) else "")
            + ".</p><h2>Parameters</h2><table><tr><th>name</th><th>value</th><th>standard deviation</th>"
            f"<th>95 % interval</th></tr>{rows}</table>"
            + (f"<h2>Not identifiable</h2><ul>{unseen}</ul>" if unseen else "")
            + f"<h2>Correlations</h2><table><tr><th></th>{heads}</tr>{table}</table><h2>Model and measurements</h2>"
            f'<img alt="model and measurements" src="data:image/png;base64,{image}"></html>'
        )
        target.write_text(text, encoding="utf-8")
        return target


@explained
def fit(
    model: Model | System | Build,
    data: Mapping[str, Any] | Sequence[Experiment],
    parameters: Mapping[str, Any],
    *,
    physical: Sequence[str] = (),
    validation: Mapping[str, Any] | Sequence[Experiment] = (),
    solver: Any = None,
    rtol: float | None = None,
    atol: float | None = None,
    tolerance: float = 1e-10,
    most_runs: int = 100,
    progress: bool | None = None,
) -> Fit:
    r"""Find parameters for which a model moves as measured.

    $$\min_p \sum_i \left( \frac{y(t_i; p) - y_i}{\sigma_i} \right)^2$$

    Least squares with exact Jacobians from `sensitivities` and bounds (SciPy's trust-region reflective method).

    Parameters
    ----------
    model:
        A model; or a function that builds one from keyword arguments.
    data:
        {channel: (t, y)} or {channel: (t, y, sigma)}, or a list of `Experiment`. Times begin at the start of the run
        [s].
    parameters:
        Bounds by name: (low, high) or (low, start, high). Initial values such as "A.q0" may be among them.
    physical:
        Bodies whose ten inertial numbers are unknown, too. They begin from the model's and stay physical: a positive
        mass, and moments of a possible distribution of mass (log-Cholesky form of the pseudo-inertia).
    validation:
        Data that are not fitted: their residuals are computed with the values found.
    solver, rtol, atol:
        As in `sensitivities`.
    tolerance:
        Relative tolerance of the search.
    most_runs:
        Largest number of evaluations; each is one run for each experiment.
    progress:
        Show the number of runs and the weighted residual; by default in a terminal, for searches longer than a second.
        Ctrl-C ends the search and keeps the best values so far, with `ok` False.
    """
    from scipy.optimize import least_squares

    require_runs(most_runs)
    bounded = Bounded(model, parameters, physical)
    experiments = [Experiment(data)] if isinstance(data, Mapping) else list(data)
    series = [series_of(each.data, f"experiment {n}") for n, each in enumerate(experiments)]
    held_back = [Experiment(validation)] if isinstance(validation, Mapping) else list(validation)
    held_series = [series_of(each.data, f"validation {n}") for n, each in enumerate(held_back)]
    known, runs = any(np.any(s.sigma != 1.0) for each in series for s in each), 0
    kept: dict[bytes, tuple[Reals, Reals]] = {}
    best, shown = list[tuple[Reals, Reals, Reals]](), SearchProgress("fit", progress)

    def residuals(values: Reals, of: list[Experiment], series: list[list[Series]]) -> tuple[Reals, Reals]:
        options = {"rtol": rtol, "atol": atol}
        parts = [_residuals(bounded, values, e, s, solver, options) for e, s in zip(of, series, strict=True)]
        return np.concatenate([r for r, _ in parts]), np.vstack([j for _, j in parts])

    def evaluate(x: Reals) -> tuple[Reals, Reals]:
        nonlocal runs
        key = x.tobytes()
        if key not in kept:
            runs += 1
            kept.clear()
            kept[key] = residuals(bounded.numbers(x), experiments, series)
            size = float(np.sqrt(np.mean(kept[key][0] ** 2)))
            if size < shown.best:
                best[:] = [(x.copy(), *kept[key])]
            shown.update(size)
        return kept[key]

    search: Any = least_squares
    # logarithms of inertias change by at most about one in the first step: unknowns count from where they begin
    origin = bounded.first if physical else np.zeros(len(bounded.first))

    def slopes(x: Reals) -> Reals:
        J = evaluate(x + origin)[1] @ bounded.slopes(x + origin)[0]
        if not physical:
            return J
        U, s, Vt = np.linalg.svd(J, full_matrices=False)
        return (U * np.where(s > UNSEEN * s[0], s, 0.0)) @ Vt

    try:
        with shown:
            found = search(
                lambda x: evaluate(x + origin)[0], bounded.first - origin, jac=slopes,
                bounds=(bounded.box[0] - origin, bounded.box[1] - origin), ftol=tolerance, xtol=tolerance,
                gtol=tolerance, max_nfev=most_runs, x_scale=1.0 if physical else "jac",
            )  # fmt: skip
        unknowns, ok = found.x + origin, bool(found.success)
        r, J = evaluate(unknowns)
        reason = str(found.message) if ok else f"no convergence within most_runs={most_runs}"
    except KeyboardInterrupt:
        if not best:
            raise
        (unknowns, r, J), ok, reason = best[0], False, INTERRUPTED
    values = bounded.numbers(unknowns)
    reason += _doubts(bounded, values, series, r, known)
    seen = _Seen(J, r, bounded, unknowns, known)
    held = residuals(values, held_back, held_series)[0] if held_back else np.zeros(0)
    return Fit(
        dict(zip(bounded.names, values.tolist(), strict=True)), seen.covariance, bounded.moment_names,
        seen.combinations, seen.deviations, seen.unseen, ok, reason, r, runs, _modelled(series, r),
        held, _modelled(held_series, held), bounded.at(values)[0] if isinstance(bounded.model, Model) else None,
    )  # fmt: skip


def _doubts(bounded: Any, values: Reals, series: list[list[Series]], r: Reals, known: bool) -> str:
    """What a converged search leaves to doubt, in words: parameters at a bound, measurements that are not explained."""
    doubts = list[str]()
    limits = zip(bounded.low, bounded.high, strict=True) if len(bounded.low) == len(values) else []  # others: physical=
    for name, x, (low, high) in zip(bounded.names, values, limits, strict=False):
        room = AT_BOUND * (high - low if np.isfinite(high - low) else 1.0 + abs(x))
        if x - low <= room or high - x <= room:
            doubts.append(f"{name} is at a bound ({x:.6g})")
    spread = np.concatenate([(s.y - np.mean(s.y)) / s.sigma for each in series for s in each])
    unexplained = float(r @ r) / max(float(spread @ spread), 1e-300)
    if known and float(r @ r) > UNLIKELY**2 * len(r):
        doubts.append(f"the residuals are {float(np.sqrt(np.mean(r**2))):.3g} times the given sigma")
    elif not known and unexplained > UNEXPLAINED:
        doubts.append(f"{100 * min(unexplained, 1.0):.0f} % of the variance of the measurements is not explained")
    if not doubts:
        return ""
    text = "; ".join(doubts)
    warnings.warn(f"dt.fit: {text}", SimulationWarning, stacklevel=user_level())
    return f"; but {text}"


def _modelled(series: list[list[Series]], r: Reals) -> list[list[tuple[Series, Reals]]]:
    """Each series with the values of the model."""
    pieces, at = list[list[tuple[Series, Reals]]](), 0
    for each in series:
        pieces.append([])
        for s in each:
            pieces[-1].append((s, s.y + s.sigma * r[at : at + len(s.t)]))
            at += len(s.t)
    return pieces


def _residuals(
    bounded: Bounded, values: Reals, experiment: Experiment, series: list[Series], solver: Any, options: dict[str, Any]
) -> tuple[Reals, Reals]:
    """Weighted residuals of one experiment, and their Jacobian."""
    model, names = bounded.at(values, experiment.parameters)
    channels = [s.channel for s in series]
    times = np.unique(np.concatenate([s.t for s in series]))
    try:
        run = new_run(Watched(model, names, channels, "data"), float(times[-1]), solver, "dt.fit", options)
    except ValueError as error:
        error.add_note(f"at {bounded.text(values)}")
        raise
    s = forward(run, times)
    parts, slopes = list[Reals](), list[Reals]()
    for c, each in enumerate(series):
        rows = np.searchsorted(times, each.t)
        parts.append((s.values[rows, c] - each.y) / each.sigma)
        slopes.append(s.derivatives[rows, c] / each.sigma[:, None])
    return np.concatenate(parts), np.vstack(slopes)


class _Seen:
    """What the data tell of the numbers: their covariance, known combinations, and what is not identifiable.

    Without a given sigma the noise is estimated from the residuals.
    """

    def __init__(self, J: Reals, r: Reals, bounded: Bounded, x: Reals, known: bool):
        from scipy.linalg import qr

        _, by_moments, sizes = bounded.slopes(x)
        to_numbers = by_moments * sizes
        samples, count = J.shape
        _, s, Vt = np.linalg.svd(J @ to_numbers, full_matrices=True)
        s = np.concatenate([s, np.zeros(count - len(s))])
        seen = s > UNSEEN * max(float(s.max(initial=0.0)), 1e-300)
        noise = 1.0 if known else float(r @ r) / max(samples - int(seen.sum()), 1)
        to_seen = to_numbers @ Vt[seen].T / s[seen]
        self.covariance = to_seen @ to_seen.T * noise
        self.combinations, self.deviations = Vt[seen] / sizes, np.sqrt(noise) / s[seen]
        hidden = Vt[~seen]
        if len(hidden):  # directions with few numbers each
            solved: Any = qr(hidden, pivoting=True)
            hidden = np.linalg.solve(hidden[:, solved[2][: len(hidden)]], hidden)
            hidden /= np.linalg.norm(hidden, axis=1)[:, None]
        self.unseen = tuple(_text(direction, bounded.moment_names) for direction in hidden)
        scale = np.linalg.norm(to_numbers, axis=1)
        for direction in hidden:
            change = np.abs(to_numbers @ direction) / scale
            at = np.flatnonzero(change > SHARE * np.max(change))
            self.covariance[at, at] = np.inf


def _text(direction: Reals, names: Sequence[str]) -> str:
    parts = [(x, name) for x, name in zip(direction, names, strict=True) if abs(x) > SHARE]
    if len(parts) == 1:
        return parts[0][1]
    return "a change of " + ", ".join(f"{name} ({x:+.2f})" for x, name in parts)
