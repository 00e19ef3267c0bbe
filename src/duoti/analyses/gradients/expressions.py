"""Expressions of a model's quantities whose derivatives by the state are wanted.

Each expression becomes the rate of a further first-order state, at the end of z: its value is that rate, its gradient
a row of Fq, Fv and Fz, and its derivative by a parameter one of the slopes of dz/dt. Nothing in the model reads these
states, so that the motion is that of the model without them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any

from duoti.analyses.sensitivity.equation_sensitivities import Build, Family
from duoti.model.checks.structure import checked_model
from duoti.model.errors import ModelError
from duoti.model.event import SampleEvent
from duoti.model.expand_bond_graphs import described
from duoti.model.model import Model
from duoti.model.quantities import law_fault
from duoti.system.compile.copy_model import own_copy
from duoti.system.system import System

PREFIX = "watched_"


class Watched:
    """A family of systems with expressions as their last first-order states, and behind them the values of events."""

    def __init__(
        self,
        model: Model | System | Build,
        parameters: Sequence[str] | Mapping[str, float],
        expressions: Sequence[str],
        what: str,
    ):
        if isinstance(model, System):
            model = described(model.model)
        self.expressions = tuple(expressions)
        first = model(**parameters) if callable(model) and isinstance(parameters, Mapping) else model
        if callable(model) and first is not model and not isinstance(first, Model):
            raise TypeError(f"the function returned {first!r}, which is no dt.Model")
        if isinstance(first, Model):
            report = checked_model(own_copy(first)).report
            if not report.ok:
                raise ModelError(report)
            _try(first, self.expressions, what)
        self.events = _changing(first) if isinstance(first, Model) else ()
        values = [first.events[name].value for name in self.events] if isinstance(first, Model) else []
        all_values = (*self.expressions, *values)
        watched: Any = _adding(model, all_values) if callable(model) else _add(own_copy(model), all_values)
        self.given = watched, parameters
        self.family = Family(watched, parameters)
        self.count = len(all_values)

    @property
    def system(self) -> System:
        """The system with the expressions."""
        return self.family.base


def _changing(model: Model) -> tuple[str, ...]:
    """Events that do more than to be recorded: their values are watched, too."""
    found = [name for name, e in model.events.items() if e.jump is not None or e.sets or e.terminal]
    return tuple(name for name in found if not isinstance(model.events[name], SampleEvent))


def _add(model: Model, expressions: Sequence[Any]) -> Model:
    for k, expression in enumerate(expressions):
        model.add_state(f"{PREFIX}{k}", expression, 0.0)
    return model


def _adding(build: Build, expressions: Sequence[Any]) -> Callable[..., Model]:
    @wraps(build)
    def made(**arguments: float) -> Model:
        return _add(build(**arguments), expressions)

    return made


def _try(model: Model, expressions: Sequence[str], what: str) -> None:
    """Raise ValueError with all expressions that the model does not understand."""
    faults = list[str]()
    for expression in expressions:
        if not isinstance(expression, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            faults.append(f'{expression!r}: give an expression such as "A.angle"')
            continue
        trial = _add(own_copy(model), [expression])
        if fault := law_fault(trial, expression):
            faults.append(f'"{expression}": {fault.text}')
            continue
        faults += [f'"{expression}": {error.what}' for error in checked_model(trial).report.errors]
    if faults:
        raise ValueError(f"{what}:\n" + "\n".join(faults))
