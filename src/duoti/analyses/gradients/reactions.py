"""Expressions that read reactions: functions of the state like others, but of an equation that has to be solved first.

They are differenced, with extrapolation, at single instants: at the end of a run and where data are. Integrals of them
would need that at every stage.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from duoti.analyses.gradients.expressions import PREFIX, Watched
from duoti.analyses.sensitivity.equation_sensitivities import Build, extrapolated
from duoti.dynamics.workspace import new_workspace
from duoti.kernel import run_entry
from duoti.model.laws.reaction_feedback import feedback_names, feedback_quantities
from duoti.model.model import Model
from duoti.system.arrays import Reals, Work
from duoti.system.compile.copy_model import own_copy
from duoti.system.system import System

SIZE = 0.1  # rad, m, rad/s, ..., of differences by the state


def reading_reactions(model: Any, parameters: Any, expressions: Sequence[str]) -> list[str]:
    """Those of the expressions that read reactions."""
    if isinstance(model, System):
        model = model.model
    first = model(**parameters) if callable(model) and isinstance(parameters, Mapping) else model
    found = list[str]()
    for text in expressions:
        if not isinstance(first, Model) or not isinstance(text, str) or "." not in text:  # pyright: ignore[reportUnnecessaryIsInstance]
            continue
        trial = own_copy(first)
        trial.add_state(f"{PREFIX}trial", text, 0.0)
        try:
            reads = feedback_quantities(trial)
        except Exception:  # the check of the model reports a faulty expression
            continue
        if reads:
            found.append(text)
    return found


class ReactionValues:
    """Values of such expressions in a state of a run, and their derivatives by it and by the parameters."""

    def __init__(
        self, model: Model | System | Build, parameters: Sequence[str] | Mapping[str, float], expressions: Sequence[str]
    ):
        self.watched = Watched(model, parameters, expressions, "dt.Objective")
        self.family, self.count = self.watched.family, len(expressions)
        system = self.family.base
        solved = {PREFIX + str(k) for k in range(self.watched.count)} | set(feedback_names(system.model))
        first = system.nq + system.nv
        names = list(system.state_names)
        self._own = np.array([*range(first), *(first + i for i, name in enumerate(names) if name not in solved)])
        self._places = np.array([first + names.index(f"{PREFIX}{k}") for k in range(self.count)])
        self._work: WeakKeyDictionary[System, Work] = WeakKeyDictionary()
        self.errors = np.zeros(len(self.family.names))

    def _values(self, system: System, t: float, y: Reals) -> Reals:
        if system not in self._work:
            self._work[system] = new_workspace(system, ydot=True)
        w = self._work[system]
        w.y[:] = 0.0
        w.y[self._own] = y
        w.clock[0] = t
        run_entry(w.calls[0].ydot, w.at[0].system)
        return w.ydot[self._places].copy()

    def __call__(self, t: float, y: Reals) -> tuple[Reals, Reals, Reals]:
        """Values, derivatives by the state, derivatives by the parameters with the state held."""
        base, family = self.family.base, self.family
        by_y, by_p = np.zeros((self.count, len(y))), np.zeros((self.count, len(family.names)))

        def at(x: float, j: int) -> Reals:
            moved = y.copy()
            moved[j] = x
            return self._values(base, t, moved)

        for j, place in enumerate(y.tolist()):
            by_y[:, j], _ = extrapolated(lambda x, j=j: at(x, j), place, SIZE)
        for k in range(len(family.names)):
            by_p[:, k], error = family.slope(k, lambda system: self._values(system, t, y))
            self.errors[k] = max(self.errors[k], error)
        return self._values(base, t, y), by_y, by_p
