"""Measured data of channels: what `fit` and objectives with data compare a run with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from duoti.system.arrays import Reals

if TYPE_CHECKING:
    from duoti.analyses.gradients.discrete_run import DiscreteRun
    from duoti.analyses.gradients.reactions import ReactionValues


SAME_TIME = 1e-9  # part of a step within which data belong to its end


class Series(NamedTuple):
    """Measured values of a channel."""

    channel: str
    t: Reals
    y: Reals
    sigma: Reals


def series_of(data: Mapping[str, Any], what: str) -> list[Series]:
    """The series of `{channel: (t, y) or (t, y, sigma)}`; raises ValueError with all faults."""
    found, faults = list[Series](), list[str]()
    for channel, given in data.items():
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
            found.append(Series(channel, t, y, sigma))
    if faults or not found:
        raise ValueError(f"{what}: " + ("; ".join(faults) or "no data"))
    return found


class Bars:
    """Sums of squares of series, and their derivatives by the states that steps of a run begin with.

    Between steps the solver's polynomial is differentiated by the state at the beginning of the step, so that an
    adjoint sweep has only to add `by_y` where it arrives there.
    """

    def __init__(self, run: DiscreteRun, sums: int, reactions: ReactionValues | None = None):
        self.run, self.value = run, np.zeros(sums)
        self._wanted = dict[int, list[tuple[float, int, int, float, float]]]()
        self._reactions = reactions
        self.by_y = dict[int, Reals]()
        self.p_bar = np.zeros((sums, len(run.family.names)))

    def add(self, o: int, column: int, series: Series) -> None:
        """Add ((value - y)/sigma)^2 of an expression to objective o; those of reactions stand behind all others."""
        t, last = self.run.t, len(self.run.t) - 1
        for when, y, sigma in zip(series.t.tolist(), series.y.tolist(), series.sigma.tolist(), strict=True):
            if when > t[-1] * (1.0 + SAME_TIME):
                raise ValueError(f"data of {series.channel} at t = {when:.6g} s: the run ends at {t[-1]:.6g} s")
            row = min(int(np.searchsorted(t, when, side="right")) - 1, last)
            if row < last and t[row + 1] - when <= SAME_TIME * (t[row + 1] - t[row]):
                row += 1
            if self.run.alpha and when - t[row] > SAME_TIME * (t[1] - t[0]):
                raise ValueError(
                    f"data of {series.channel} at t = {when:.6g} s: generalised-alpha runs are compared with data at "
                    f"their steps alone, which are {t[1] - t[0]:.6g} s long; choose a step that divides the times, or "
                    "dt.Radau()"
                )
            self._wanted.setdefault(row, []).append((when, o, column, y, sigma))

    def made(self) -> Bars:
        """With everything that was added."""
        for row, wanted in self._wanted.items():
            self.by_y.setdefault(row, np.zeros((len(self.value), self.run.n)))
            self._of_row(row, wanted)
        return self

    def _of_row(self, row: int, wanted: list[tuple[float, int, int, float, float]]) -> None:
        from duoti.analyses.gradients.sensitivities import StepColumns

        run, n, dense = self.run, self.run.n, None
        begin, h = float(run.t[row]), float(run.t[min(row + 1, len(run.t) - 1)] - run.t[row])
        S = np.eye(n, n + len(run.family.names))
        for when in sorted({each[0] for each in wanted}):
            y, here = run.y[row], S
            if when - begin > SAME_TIME * h:
                dense = dense or StepColumns(run, row, S, free=n).within()
                y, here = dense((when - begin) / h)
            columns = [each for each in wanted if each[0] == when]
            values, slopes = self._values(when, y, here, any(each[2] >= run.extra for each in columns))
            for _, o, column, data, sigma in columns:
                off = (values[column] - data) / sigma
                self.value[o] += off * off
                self.by_y[row][o] += 2.0 * off / sigma * slopes[column, :n]
                self.p_bar[o] += 2.0 * off / sigma * slopes[column, n:]

    def _values(self, t: float, y: Reals, here: Reals, reactions: bool) -> tuple[Reals, Reals]:
        """Values of all expressions, and their derivatives by what `here` are derivatives by, and the parameters."""
        at, n = self.run.derivatives(t, y), self.run.n
        values, by_y, by_p = at.values, at.values_by_y, at.values_by_p
        if reactions:
            assert self._reactions is not None
            more = self._reactions(t, y)
            values = np.concatenate([values, more[0]])
            by_y, by_p = np.vstack([by_y, more[1]]), np.vstack([by_p, more[2]])
        slopes = by_y @ here
        slopes[:, n:] += by_p
        return values, slopes

    def add_final(self, o: int, column: int) -> None:
        """Add the last value of an expression of reactions to objective o."""
        assert self._reactions is not None
        run, row = self.run, len(self.run.t) - 1
        values, by_y, by_p = self._reactions(float(run.t[row]), run.y[row])
        self.by_y.setdefault(row, np.zeros((len(self.value), run.n)))[o] += by_y[column - run.extra]
        self.value[o] += values[column - run.extra]
        self.p_bar[o] += by_p[column - run.extra]
