"""`gradient`: the derivative of one number by many parameters, by the discrete adjoint of a run.

With bars for derivatives of the objective, steps and stages are passed backward (Hager 2000; theory, chapter 14):

    l = dP^T ybar,   kbar_i = h b_i l + h sum_{j > i} a_ji Ybar_j,   Ybar_i = f_y^T kbar_i + h b_i L_y              (1)
    ybar := l + sum_i Ybar_i,   pbar += f_p^T kbar_i + h b_i L_p                                                    (2)

for J = integral of L + phi(end), the integral by the quadrature of the method itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from duoti.analyses.gradients.adjoint_sweep import AdjointSweep
from duoti.analyses.gradients.discrete_run import DiscreteRun
from duoti.analyses.gradients.expressions import Watched
from duoti.analyses.gradients.jumps import end_by_event
from duoti.analyses.gradients.measured import Bars, Series, series_of
from duoti.analyses.gradients.moreau_run import MoreauRun
from duoti.analyses.gradients.moreau_sweeps import gradient_columns
from duoti.analyses.gradients.reactions import ReactionValues, reading_reactions
from duoti.analyses.gradients.runs import new_run
from duoti.analyses.gradients.switches import warn_of_jumps
from duoti.analyses.sensitivity.equation_sensitivities import Build
from duoti.model.model import Model
from duoti.results.result import Result
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.system import System


@dataclass(frozen=True)
class Objective:
    r"""A number that a run has: the integral of an expression, plus one at the end, plus its distance from data.

    $$J = \int_0^T L\, dt + \varphi(T) + \sum_{c,\,i} \left(\frac{c(t_i) - y_i}{\sigma_i}\right)^2$$

    Each part may be left out. Sums of expressions are one expression: "A.angle^2 + 0.1*B.angle^2".

    Parameters
    ----------
    integral:
        Expression that is integrated over the run, such as "A.angle^2".
    final:
        Expression at the end of the run, such as "tip.position.z".
    data:
        Measured values by expression: `{"A.angle": (t, y)}`, or `(t, y, sigma)` with standard deviations, as in `fit`.
    """

    integral: str | None = None
    final: str | None = None
    data: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        if self.integral is None and self.final is None and not self.data:
            raise ValueError('dt.Objective(): give integral="...", final="...", data={...}, or several of them')
        self.series()

    def series(self) -> list[Series]:
        """The data, ready to be compared."""
        return series_of(self.data, "dt.Objective: data") if self.data else []

    def expressions(self) -> list[str]:
        """All that a run has to know: integral, final value, channels of the data."""
        return [text for text in (self.integral, self.final) if text is not None] + list(self.data or ())


@dataclass(frozen=True, eq=False)
class Gradient:
    """An objective and its derivatives.

    Attributes
    ----------
    value:
        The objective.
    gradient:
        Its derivatives, one for each name.
    names, values:
        The parameters, and the values that they have.
    errors:
        Estimated relative errors where something was differenced; otherwise 0.
    result:
        The run, with outputs at the solver's steps.
    """

    value: float
    gradient: Reals
    names: tuple[str, ...]
    values: Reals
    errors: Reals
    result: Result

    def __getitem__(self, name: str) -> float:
        if name not in self.names:
            raise KeyError(f'"{name}" is not among the parameters: {", ".join(self.names)}')
        return float(self.gradient[self.names.index(name)])

    def __str__(self) -> str:
        wide = max(map(len, self.names), default=0)
        lines = [f"objective {self.value:.10g}, derivatives by {len(self.names)} parameters"]
        lines += [
            f"  {name.ljust(wide)} = {x:<12.6g} {g:+.10g}"
            for name, x, g in zip(self.names, self.values, self.gradient, strict=True)
        ]
        return "\n".join(lines)


@explained
def gradient(
    model: Model | System | Build,
    objective: Objective,
    parameters: Sequence[str] | Mapping[str, float],
    *,
    duration: float,
    solver: Any = None,
    rtol: float | None = None,
    atol: float | None = None,
) -> Gradient:
    r"""Derivatives of an objective of a whole run by parameters and initial values.

    $$J = \int_0^T L\, dt + \varphi(T), \qquad \frac{dJ}{dp}$$

    The discrete adjoint gives the exact derivative of the computed run with its steps held, at a cost that hardly
    depends on the number of parameters.

    Parameters
    ----------
    model:
        A model; or a function that builds one from keyword arguments, for parameters such as lengths that stand in
        several places.
    objective:
        What is differentiated.
    parameters:
        Names, as in `parameter_derivatives`: "rod.mass", "A.q0", "k". Of a function: its arguments with their values.
    duration:
        Time to simulate [s].
    solver:
        An explicit Runge-Kutta method, by default `DOPRI5`. For stiff models `Radau`, and for trees `GeneralisedAlpha`
        or `HHT` with a constant step. `Moreau` for rigid contacts, dry friction and stops.
    rtol, atol:
        Tolerances in place of the solver's own.
    """
    run = objective_run(model, [objective], parameters, duration, solver, "dt.gradient", rtol=rtol, atol=atol)
    return adjoints(run, [objective])[0]


def objective_run(
    model: Model | System | Build,
    objectives: Sequence[Objective],
    parameters: Sequence[str] | Mapping[str, float],
    duration: float,
    solver: Any,
    what: str,
    **options: Any,
) -> DiscreteRun:
    """A run that evaluates the expressions of some objectives."""
    for each in objectives:
        if not isinstance(each, Objective):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f'objective={each!r}: give dt.Objective(integral="...", final="...", data={{...}})')
    expressions = list(dict.fromkeys(text for each in objectives for text in each.expressions()))
    reading = reading_reactions(model, parameters, expressions)
    if integrated := [each.integral for each in objectives if each.integral in reading]:
        raise ValueError(
            f"{what}: the integral of {integrated[0]} reads reactions. Its value at the end, and data of it, are "
            "differentiated, integrals are not: give samples as data, or write the force as a law"
        )
    if solver is not None and (reading or any(each.data for each in objectives)):
        from duoti.analyses.simulate.choose_solver import given_solver

        if given_solver(solver, None, None).treats_contacts:
            whose = f"objectives that read {', '.join(reading)}" if reading else "objectives with data"
            raise NotImplementedError(
                f"{what}: {whose} are not differentiated for time stepping; take dt.sensitivities at the times of the "
                "data, or dt.fit"
            )
    plain = [text for text in expressions if text not in reading]
    run = new_run(Watched(model, parameters, plain or ["0*t"], "dt.Objective"), duration, solver, what, options)
    run.reactions = ReactionValues(model, parameters, reading) if reading else None
    run.columns = {text: k for k, text in enumerate(plain)} | {text: run.extra + k for k, text in enumerate(reading)}
    integrals = [("the integral of the objective", each.integral) for each in objectives if each.integral is not None]
    warn_of_jumps(what, integrals, run.system.model, run.watched.family.names)
    return run


def adjoints(run: DiscreteRun, objectives: Sequence[Objective]) -> list[Gradient]:
    """Values and gradients of objectives of one run, by one backward sweep."""
    integrals, finals = np.zeros((2, len(objectives), run.extra))
    if isinstance(run, MoreauRun):
        for o, each in enumerate(objectives):
            for rows, text in ((integrals, each.integral), (finals, each.final)):
                if text is not None:
                    rows[o, run.columns[text]] += 1.0
        value, slope, errors = gradient_columns(run, integrals, finals)
        family = run.whole
    else:
        value, slope, errors = _swept(run, objectives, integrals, finals)
        family = run.family
    if undefined := [repr(each) for each, x in zip(objectives, value, strict=True) if not np.isfinite(x)]:
        raise ValueError(f"{'; '.join(undefined)}: the value is infinite or undefined for this run; so is its gradient")
    names, values = family.names, family.values
    return [Gradient(float(x), g, names, values, errors, run.result) for x, g in zip(value, slope, strict=True)]


def _swept(
    run: DiscreteRun, objectives: Sequence[Objective], integrals: Reals, finals: Reals
) -> tuple[Reals, Reals, Reals]:
    """Values, gradients and errors by the backward sweep."""
    bars = Bars(run, len(objectives), run.reactions)
    for o, each in enumerate(objectives):
        if each.integral is not None:
            integrals[o, run.columns[each.integral]] += 1.0
        if each.final is not None:
            if (column := run.columns[each.final]) < run.extra:
                finals[o, column] += 1.0
            elif end_by_event(run) is None:
                bars.add_final(o, column)
            else:
                raise ValueError(
                    f"{each.final} at an event that ends the run: it reads reactions, whose derivative by time is not "
                    "known. Give the run a fixed duration"
                )
        for series in each.series():
            bars.add(o, run.columns[series.channel], series)
    data = bars.made()
    sweep = AdjointSweep(run, integrals, finals, data.by_y)
    start, errors = run.start_by_parameters()
    value = integrals @ sweep.integrals + finals @ sweep.ends + data.value
    slope = sweep.p_bar + data.p_bar + sweep.at_start @ start
    errors = np.maximum(errors, run.slopes.errors)
    if run.reactions is not None:
        errors = np.maximum(errors, run.reactions.errors)
    return value, slope, errors
