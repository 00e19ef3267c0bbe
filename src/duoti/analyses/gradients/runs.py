"""The run that a solver makes of a model, to be differentiated."""

from __future__ import annotations

from typing import Any

from duoti.analyses.gradients.discrete_run import DiscreteRun
from duoti.analyses.gradients.expressions import Watched
from duoti.integrate.moreau.solver import Moreau


def new_run(watched: Watched, duration: float, solver: Any, what: str, options: dict[str, Any]) -> DiscreteRun:
    """A run of the solver; what: the function that asks, for messages."""
    from duoti.analyses.simulate.choose_solver import given_solver

    given: Any = None if solver is None else given_solver(solver, None, None)
    if isinstance(given, Moreau):
        from duoti.analyses.gradients.moreau_run import MoreauRun

        return MoreauRun(watched, duration, given, what, options)
    return DiscreteRun(watched, duration, solver, what, options)
