"""`sensitivities`: series of derivatives of channels by parameters, carried along with a run.

The columns S = dy/dp obey the derivatives of (1) in `discrete_run`:

    dk_i = f_y (S + h sum_j a_ij dk_j) + f_p,    S := dP (S + h sum_i b_i dk_i)                                     (1)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.gradients.alpha_columns import AlphaColumns
from duoti.analyses.gradients.discrete_run import DiscreteRun
from duoti.analyses.gradients.expressions import Watched
from duoti.analyses.gradients.moreau_run import MoreauRun
from duoti.analyses.gradients.moreau_sweeps import forward_columns
from duoti.analyses.gradients.reactions import reading_reactions
from duoti.analyses.gradients.runs import new_run
from duoti.analyses.sensitivity.equation_sensitivities import Build
from duoti.analyses.simulate.outputs import output_times
from duoti.model.model import Model
from duoti.results.result import Result
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.system import System


@dataclass(frozen=True, eq=False)
class Sensitivities:
    """Series of channels and of their derivatives by parameters.

    `s["A.angle"]` is a channel over `s.t`, `s["A.angle", "spring.stiffness"]` its derivative.

    Attributes
    ----------
    t:
        Times [s].
    channels, names:
        Expressions and parameters.
    values:
        [times, channels].
    derivatives:
        [times, channels, parameters].
    errors:
        Estimated relative errors where something was differenced; otherwise 0.
    result:
        The run, with outputs at the solver's steps.
    """

    t: Reals
    channels: tuple[str, ...]
    names: tuple[str, ...]
    values: Reals
    derivatives: Reals
    errors: Reals
    result: Result

    def __repr__(self) -> str:
        times = f"{len(self.t)} times from {self.t[0]:g} to {self.t[-1]:g} s"
        return f"<sensitivities of {', '.join(self.channels)} by {', '.join(self.names)}: {times}>"

    def __getitem__(self, key: str | tuple[str, str]) -> Reals:
        channel, name = key if isinstance(key, tuple) else (key, None)
        if channel not in self.channels:
            raise KeyError(f'"{channel}" is not among the channels: {", ".join(self.channels)}')
        c = self.channels.index(channel)
        if name is None:
            return self.values[:, c]
        if name not in self.names:
            raise KeyError(f'"{name}" is not among the parameters: {", ".join(self.names)}')
        return self.derivatives[:, c, self.names.index(name)]


@explained
def sensitivities(
    model: Model | System | Build,
    channels: Sequence[str],
    parameters: Sequence[str] | Mapping[str, float],
    *,
    duration: float,
    outputs: ArrayLike | None = None,
    solver: Any = None,
    rtol: float | None = None,
    atol: float | None = None,
) -> Sensitivities:
    r"""Derivatives of channels over time by parameters and initial values.

    $$\dot S = \frac{\partial f}{\partial y} S + \frac{\partial f}{\partial p}, \qquad S(0) = \frac{dy_0}{dp}$$

    Each step is differentiated as it is computed, with its length held.

    Parameters
    ----------
    model:
        A model; or a function that builds one from keyword arguments.
    channels:
        Expressions of the model's quantities, such as "A.angle", "tip.position.z" or "A.angle - B.angle".
    parameters:
        Names, as in `parameter_derivatives`; of a function: its arguments with their values.
    duration:
        Time to simulate [s].
    outputs:
        Times [s] or a step [s]; by default the solver's own steps. Between steps the solver's interpolation is used.
    solver:
        An explicit Runge-Kutta method, by default `DOPRI5`. For stiff models `Radau`, and for trees `GeneralisedAlpha`
        or `HHT` with a constant step. `Moreau` for rigid contacts, dry friction and stops.
    rtol, atol:
        Tolerances in place of the solver's own.
    """
    if isinstance(channels, str):
        raise TypeError(f'channels={channels!r}: give a list such as ["{channels}"]')
    if reading := reading_reactions(model, parameters, channels):
        raise NotImplementedError(
            f"dt.sensitivities: {', '.join(reading)} read reactions, whose series are not differentiated. dt.gradient "
            "differentiates their values at the end of a run, and data of them"
        )
    watched = Watched(model, parameters, channels, "channels")
    run = new_run(watched, duration, solver, "dt.sensitivities", {"rtol": rtol, "atol": atol})
    times = None if outputs is None else output_times(duration, outputs, 0.0)
    return forward(run, None if times is None else times.between(0, times.count))


def forward(run: DiscreteRun, times: Reals | None) -> Sensitivities:
    """The forward sweep, with outputs at given times or at all steps."""
    if isinstance(run, MoreauRun):
        t, values, slopes, errors = forward_columns(run, times)
        return Sensitivities(t, run.watched.expressions, run.whole.names, values, slopes, errors, run.result)
    start, errors = run.start_by_parameters()
    wanted = run.t if times is None else times
    count = len(run.family.names)
    values, slopes = np.zeros((len(wanted), run.visible)), np.zeros((len(wanted), run.visible, count))

    def note(row: int, t: float, y: Reals, S: Reals) -> None:
        at = run.derivatives(t, y)
        slope = at.values_by_y @ S + at.values_by_p
        values[row], slopes[row] = at.values[: run.visible], slope[: run.visible]

    S, row = start, 0
    alpha = AlphaColumns(run, S) if run.alpha else None
    while row < len(wanted) and wanted[row] <= run.t[0]:
        note(row, float(run.t[0]), run.y[0], S)
        row += 1
    for step in range(len(run.t) - 1):
        if step in run.jumps.found:
            jump = run.jumps.found[step]
            S = jump.by_y @ S + jump.by_p
            if row > 0 and wanted[row - 1] == run.t[step]:  # of several states at a time, the last
                note(row - 1, float(run.t[step]), run.y[step + 1], S)
            continue
        begin, h = float(run.t[step]), float(run.t[step + 1] - run.t[step])
        if alpha is not None:
            S_new = alpha.step(step, S)
            dense: Any = alpha.within
        else:
            here = StepColumns(run, step, S)
            S_new, dense = here.end, None
        while row < len(wanted) and wanted[row] < run.t[step + 1]:
            if dense is None:
                dense = here.within()  # pyright: ignore[reportPossiblyUnboundVariable]
            note(row, float(wanted[row]), *dense((float(wanted[row]) - begin) / h))
            row += 1
        S = S_new
        while row < len(wanted) and wanted[row] <= run.t[step + 1]:
            note(row, float(run.t[step + 1]), run.y[step + 1], S)
            row += 1
    return Sensitivities(
        wanted.copy(), run.watched.expressions, run.family.names, values, slopes,
        np.maximum(errors, run.slopes.errors), run.result,
    )  # fmt: skip


class StepColumns:
    """Derivatives S of the state, column by column, over a step: S at its beginning, `end` at its end.

    The first `free` columns are no derivatives by parameters.
    """

    def __init__(self, run: DiscreteRun, step: int, S: Reals, free: int = 0):
        self.run, self.step, self.S, self.free = run, step, S, free
        h = float(run.t[step + 1] - run.t[step])
        self.k, self.dk = self._stages(h)
        b = run.method.A[run.method.stages, : run.method.stages]
        self.end: Reals = S + h * sum((w * d for w, d in zip(b, self.dk, strict=True)), np.zeros_like(S))
        if (closure := run.closure(step)) is not None:
            self.end = closure.by_y @ self.end + self.of_parameters(closure.by_p)

    def of_parameters(self, by_p: Reals) -> Reals:
        """Derivatives by the parameters, for all columns."""
        return np.hstack([np.zeros((len(by_p), self.free)), by_p])

    def _stages(self, h: float) -> tuple[list[Reals], list[Reals]]:
        """Rates of the stages, and their derivatives."""
        run, S, m = self.run, self.S, self.run.method
        k, dk = list[Reals](), list[Reals]()
        if run.implicit:
            at = [run.derivatives(*each) for each in run.stages(self.step)]
            right = np.array([each.by_y @ S + self.of_parameters(each.by_p) for each in at])
            return [each.k for each in at], list(run.coupled(self.step, [each.by_y for each in at], right))
        for i, (t, state) in enumerate(run.stages(self.step)):
            here = run.derivatives(t, state)
            moved = S + h * sum((m.A[i, j] * dk[j] for j in range(i) if m.A[i, j] != 0.0), np.zeros_like(S))
            k.append(here.k)
            dk.append(here.by_y @ moved + self.of_parameters(here.by_p))
        return k, dk

    def within(self) -> _Dense:
        """The same within the step."""
        return _Dense(self)


class _Dense:
    """The method's polynomial through a step, and its derivative."""

    def __init__(self, of: StepColumns):
        run, step, S, S_new = of.run, of.step, of.S, of.end
        m, self.y, self.S = run.method, run.y[step], S
        h = float(run.t[step + 1] - run.t[step])
        k, dk, begin = list(of.k), list(of.dk), float(run.t[step])
        for i in range(m.stages, 0 if run.implicit else m.A.shape[0]):
            if i == m.stages:
                t, state, moved = float(run.t[step + 1]), run.y[step + 1], S_new
            else:
                t = begin + m.c[i] * h
                state = self.y + h * sum((m.A[i, j] * k[j] for j in range(i)), np.zeros(run.n))
                moved = S + h * sum((m.A[i, j] * dk[j] for j in range(i)), np.zeros_like(S))
            at = run.derivatives(t, state)
            k.append(at.k)
            dk.append(at.by_y @ moved + of.of_parameters(at.by_p))
        self.Q: list[Any] = [h * sum(m.P[j, d] * k[j] for j in range(len(k))) for d in range(m.P.shape[1])]
        self.dQ: list[Any] = [h * sum(m.P[j, d] * dk[j] for j in range(len(k))) for d in range(m.P.shape[1])]
        self.Q[0] = self.Q[0] + run.y[step + 1] - (self.y + sum(self.Q))
        self.dQ[0] = self.dQ[0] + S_new - (S + sum(self.dQ))

    def __call__(self, theta: float) -> tuple[Reals, Reals]:
        y, S = self.y.copy(), self.S.copy()
        for d, (Q, dQ) in enumerate(zip(self.Q, self.dQ, strict=True)):
            y, S = y + theta ** (d + 1) * Q, S + theta ** (d + 1) * dQ
        return y, S
