"""`fit`: parameters for which a model moves as measured, by Gauss-Newton with exact Jacobians."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.analyses.gradients.discrete_run import DiscreteRun
from duoti.analyses.gradients.expressions import Watched
from duoti.analyses.gradients.sensitivities import forward
from duoti.analyses.gradients.values import Bounded
from duoti.analyses.sensitivity.equation_sensitivities import Build
from duoti.model.model import Model
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.system import System

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
class _Series:
    channel: str
    t: Reals
    y: Reals
    sigma: Reals


@dataclass(frozen=True, eq=False)
class Fit:
    """Parameters found from measurements.

    Attributes
    ----------
    values:
        Parameters by name.
    covariance:
        Of the parameters, in the order of `values`; infinite where they are not identifiable.
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
    """

    values: dict[str, float]
    covariance: Reals
    not_identifiable: tuple[str, ...]
    ok: bool
    reason: str
    residuals: Reals
    runs: int
    series: list[list[tuple[_Series, Reals]]]

    @property
    def deviations(self) -> dict[str, float]:
        """Standard deviations of the parameters."""
        return dict(zip(self.values, np.sqrt(np.diag(self.covariance)).tolist(), strict=True))

    @property
    def rms(self) -> float:
        """Root mean square of the weighted residuals: about 1 where sigma is the noise and the model is right."""
        return float(np.sqrt(np.mean(self.residuals**2)))

    def __str__(self) -> str:
        wide = max(map(len, self.values), default=0)
        lines = [
            f"fit of {len(self.values)} parameters to {len(self.residuals)} samples, {self.runs} runs: {self.reason}"
        ]
        lines += [f"  {name.ljust(wide)} = {x:.8g} +- {self.deviations[name]:.2g}" for name, x in self.values.items()]
        return "\n".join([*lines, *(f"  not identifiable: {each}" for each in self.not_identifiable)])

    def plot(self) -> Figure:
        """Measurements and model over time."""
        import matplotlib.pyplot as plt

        channels = list(dict.fromkeys(s.channel for each in self.series for s, _ in each))
        figure, axes = plt.subplots(
            len(channels), 1, sharex=True, squeeze=False, layout="constrained", figsize=(7, 2.2 * len(channels) + 0.6)
        )
        for ax, channel in zip(axes[:, 0], channels, strict=True):
            for n, experiment in enumerate(self.series):
                for s, y in experiment:
                    if s.channel == channel:
                        dots = ax.plot(s.t, s.y, ".", markersize=3, alpha=0.6, label="measured" if n == 0 else None)
                        ax.plot(s.t, y, "-", color=dots[0].get_color(), label="model" if n == 0 else None)
            ax.set_ylabel(channel)
            ax.grid(alpha=0.3)
        axes[0, 0].legend()
        axes[-1, 0].set_xlabel("time, s")
        return figure

    def report(self, path: str | Path) -> Path:
        """Write values, deviations, correlations and plots into an HTML page."""
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
        rows = "".join(
            f"<tr><td>{escape(name)}</td><td>{self.values[name]:.8g}</td><td>{d:.2g}</td></tr>"
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
            f"{self.rms:.4g}.</p><h2>Parameters</h2><table><tr><th>name</th><th>value</th><th>standard deviation</th>"
            f"</tr>{rows}</table>"
            + (f"<h2>Not identifiable</h2><ul>{unseen}</ul>" if unseen else "")
            + f"<h2>Correlations</h2><table><tr><th></th>{heads}</tr>{table}</table><h2>Model and measurements</h2>"
            f'<img alt="model and measurements" src="data:image/png;base64,{image}"></html>'
        )
        target = Path(path)
        target.write_text(text, encoding="utf-8")
        return target


@explained
def fit(
    model: Model | System | Build,
    data: Mapping[str, Any] | Sequence[Experiment],
    parameters: Mapping[str, Any],
    *,
    solver: Any = None,
    rtol: float | None = None,
    atol: float | None = None,
    tolerance: float = 1e-10,
    most_runs: int = 100,
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
    solver, rtol, atol:
        As in `sensitivities`.
    tolerance:
        Relative tolerance of the search.
    most_runs:
        Largest number of evaluations; each is one run for each experiment.
    """
    from scipy.optimize import least_squares

    bounded = Bounded(model, parameters)
    experiments = [Experiment(data)] if isinstance(data, Mapping) else list(data)
    series = [_series(each, n) for n, each in enumerate(experiments)]
    known, runs = any(np.any(s.sigma != 1.0) for each in series for s in each), 0
    kept: dict[bytes, tuple[Reals, Reals]] = {}

    def evaluate(x: Reals) -> tuple[Reals, Reals]:
        nonlocal runs
        key = x.tobytes()
        if key not in kept:
            runs += 1
            parts = [
                _residuals(bounded, x * bounded.scale, e, s, solver, {"rtol": rtol, "atol": atol})
                for e, s in zip(experiments, series, strict=True)
            ]
            kept.clear()
            kept[key] = np.concatenate([r for r, _ in parts]), np.vstack([j for _, j in parts]) * bounded.scale
        return kept[key]

    search: Any = least_squares
    found = search(
        lambda x: evaluate(x)[0], bounded.start / bounded.scale, jac=lambda x: evaluate(x)[1],
        bounds=(bounded.low / bounded.scale, bounded.high / bounded.scale), ftol=tolerance, xtol=tolerance,
        gtol=tolerance, max_nfev=most_runs, x_scale="jac",
    )  # fmt: skip
    r, J = evaluate(found.x)
    values = found.x * bounded.scale
    covariance, unseen = _covariance(J, r, bounded, known)
    pieces, at = list[list[tuple[_Series, Reals]]](), 0
    for each in series:
        pieces.append([])
        for s in each:
            pieces[-1].append((s, s.y + s.sigma * r[at : at + len(s.t)]))
            at += len(s.t)
    reason = str(found.message) if found.success else f"no convergence within most_runs={most_runs}"
    return Fit(
        dict(zip(bounded.names, values.tolist(), strict=True)), covariance, unseen, bool(found.success), reason, r,
        runs, pieces,
    )  # fmt: skip


def _series(experiment: Experiment, n: int) -> list[_Series]:
    found, faults = list[_Series](), list[str]()
    for channel, given in experiment.data.items():
        parts = [np.asarray(each, dtype=float) for each in given] if isinstance(given, Sequence) else []
        if len(parts) not in (2, 3) or parts[0].ndim != 1 or parts[0].shape != parts[1].shape:
            faults.append(f"{channel}: give (t, y) or (t, y, sigma) with as many times as values")
            continue
        t, y = parts[:2]
        sigma = np.broadcast_to(parts[2] if len(parts) == 3 else np.ones(()), t.shape)
        if not len(t) or not all(np.all(np.isfinite(each)) for each in (t, y, sigma)):
            faults.append(f"{channel}: times, values and sigma must be finite numbers, at least one")
        elif np.any(np.diff(t) < 0.0) or t[0] < 0.0 or t[-1] <= 0.0:
            faults.append(f"{channel}: times must not decrease, and begin at 0 or later")
        elif np.any(sigma <= 0.0):
            faults.append(f"{channel}: sigma must be positive")
        else:
            found.append(_Series(channel, t, y, sigma))
    if faults or not found:
        raise ValueError(f"experiment {n}: " + ("; ".join(faults) or "no data"))
    return found


def _residuals(
    bounded: Bounded, values: Reals, experiment: Experiment, series: list[_Series], solver: Any, options: dict[str, Any]
) -> tuple[Reals, Reals]:
    """Weighted residuals of one experiment, and their Jacobian."""
    model, names = bounded.at(values, experiment.parameters)
    channels = [s.channel for s in series]
    times = np.unique(np.concatenate([s.t for s in series]))
    try:
        run = DiscreteRun(Watched(model, names, channels, "data"), float(times[-1]), solver, "dt.fit", options)
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


def _covariance(J: Reals, r: Reals, bounded: Bounded, known: bool) -> tuple[Reals, tuple[str, ...]]:
    """Covariance of the parameters, and what the data do not show.

    Without a given sigma the noise is estimated from the residuals.
    """
    samples, count = J.shape
    _, s, Vt = np.linalg.svd(J, full_matrices=True)
    s = np.concatenate([s, np.zeros(count - len(s))])
    seen = s > UNSEEN * max(float(s.max(initial=0.0)), 1e-300)
    noise = 1.0 if known else float(r @ r) / max(samples - int(seen.sum()), 1)
    unseen = list[str]()
    for direction in Vt[~seen]:
        parts = [(x, name) for x, name in zip(direction, bounded.names, strict=True) if abs(x) > SHARE]
        unseen.append(
            parts[0][1] if len(parts) == 1 else "a change of " + ", ".join(f"{name} ({x:+.2f})" for x, name in parts)
        )
    inverse = Vt[seen].T @ np.diag(1.0 / s[seen] ** 2) @ Vt[seen] * noise
    covariance = inverse * np.outer(bounded.scale, bounded.scale)
    for direction in Vt[~seen]:
        hidden = np.abs(direction) > SHARE
        covariance[hidden, hidden] = np.inf
    return covariance, tuple(unseen)
