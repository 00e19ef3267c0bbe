"""Parameters with bounds, as `fit` and `minimise` take them, and models with other values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from duoti.analyses.sensitivity.equation_sensitivities import Build
from duoti.model.expand_bond_graphs import described
from duoti.model.model import Model
from duoti.model.parameters import find_all
from duoti.system.arrays import Reals
from duoti.system.parameters import with_values
from duoti.system.system import System


class Bounded:
    """Parameters of a model, or arguments of a function that builds one, between bounds."""

    def __init__(self, model: Model | System | Build, parameters: Mapping[str, Any]):
        if not isinstance(parameters, Mapping) or not parameters:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f'parameters={parameters!r}: give bounds by name, {{"spring.stiffness": (10.0, 100.0)}}')
        if isinstance(model, System):
            model = described(model.model)
        self.model = model
        self.names = tuple(map(str, parameters))
        bounds, starts, faults = list[tuple[float, float]](), list[float | None](), list[str]()
        for name, given in parameters.items():
            numbers = np.atleast_1d(np.asarray(given, dtype=float))
            if numbers.shape not in ((2,), (3,)) or np.any(np.isnan(numbers)) or not np.all(np.diff(numbers) >= 0.0):
                faults.append(f"{name}: {given!r}; give (low, high) or (low, start, high), in this order")
                continue
            bounds.append((float(numbers[0]), float(numbers[-1])))
            starts.append(float(numbers[1]) if len(numbers) == 3 else None)
        if faults:
            raise ValueError("parameters: " + "; ".join(faults))
        self.low, self.high = np.array(bounds).T
        if isinstance(model, Model):
            found = find_all(model, self.names)
            nominal = np.array([p.number(model) for p in found])
        elif callable(model):
            middle = 0.5 * (self.low + self.high)
            if not np.all(np.isfinite(middle)):
                raise ValueError("parameters: give (low, start, high) where a bound is infinite")
            nominal = middle
        else:
            raise TypeError(f"{model!r} is no model and builds none")
        given_starts = [n if s is None else s for s, n in zip(starts, nominal.tolist(), strict=True)]
        self.start = np.clip(np.array(given_starts), self.low, self.high)
        span = self.high - self.low
        self.scale = np.where(np.isfinite(span) & (span > 0.0), span, np.maximum(np.abs(self.start), 1e-3))

    def at(self, values: Reals, more: Mapping[str, float] | None = None) -> tuple[Any, Any]:
        """A model with these values and the parameters to differentiate by: arguments of `DiscreteRun`."""
        changes: Any = dict(zip(self.names, map(float, values), strict=True))
        if isinstance(self.model, Model):
            return with_values(self.model, {**changes, **(more or {})}), list(self.names)
        if more:
            raise ValueError("experiments with parameters of their own need a model, not a function that builds one")
        return self.model, changes

    def text(self, values: Reals) -> str:
        """Names with values."""
        return ", ".join(f"{name} = {x:.6g}" for name, x in zip(self.names, values, strict=True))
