"""Parameters with bounds, as `fit` and `minimise` take them, and models with other values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from duoti.analyses.gradients.pseudo_inertia import MOMENTS, NUMBERS, log_cholesky, moments_of, numbers_of, slope
from duoti.analyses.sensitivity.equation_sensitivities import Build
from duoti.model.expand_bond_graphs import described
from duoti.model.model import Model
from duoti.model.parameters import find_all
from duoti.spatial import Inertia
from duoti.system.arrays import Reals
from duoti.system.parameters import with_values
from duoti.system.system import System


def require_runs(most_runs: Any) -> None:
    """Refuse what is no number of runs."""
    if isinstance(most_runs, bool) or not isinstance(most_runs, int | np.integer) or most_runs < 1:
        raise ValueError(f"most_runs={most_runs!r}: give a whole number, from 1")


class Bounded:
    """Parameters of a model, or arguments of a function that builds one, between bounds.

    Behind them come the ten inertial numbers of each physical body, whose unknowns are those of `pseudo_inertia`.
    """

    def __init__(self, model: Model | System | Build, parameters: Mapping[str, Any], physical: Sequence[str] = ()):
        if not isinstance(parameters, Mapping) or not (parameters or physical):  # pyright: ignore[reportUnnecessaryIsInstance]
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
            if numbers[0] == numbers[-1]:
                faults.append(f"{name}: {given!r} leaves nothing to search; leave {name} out, and set it in the model")
                continue
            bounds.append((float(numbers[0]), float(numbers[-1])))
            starts.append(float(numbers[1]) if len(numbers) == 3 else None)
        if faults:
            raise ValueError("parameters: " + "; ".join(faults))
        self.low, self.high = np.array(bounds).reshape(-1, 2).T
        if physical:
            self.model = model = _plain_inertias(model, physical, self.names)
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
        self.bodies = tuple(physical)
        self.plain = len(self.names)
        self.moment_names = (*self.names, *(f"{body}.{each}" for body in self.bodies for each in MOMENTS))
        self.names = (*self.names, *(f"{body}.{each}" for body in self.bodies for each in NUMBERS))
        if isinstance(model, Model):
            forms = [log_cholesky(_inertia_of(model, body)) for body in self.bodies]
            self.first = np.concatenate([self.start / self.scale, *forms])
        else:
            self.first = self.start / self.scale
        free = np.full(10 * len(self.bodies), np.inf)
        self.box = np.append(self.low / self.scale, -free), np.append(self.high / self.scale, free)

    def numbers(self, x: Reals) -> Reals:
        """Values of the names, from the unknowns of a search."""
        moments = self._moments(x)
        return np.concatenate([moments[: self.plain], *(numbers_of(each) for each in self._of_bodies(moments))])

    def slopes(self, x: Reals) -> tuple[Reals, Reals, Reals]:
        """Derivatives of the numbers by the unknowns, of the numbers by moments, and the sizes of the moments."""
        moments = self._moments(x)
        by_x, by_moments = np.diag(np.append(self.scale, np.ones(10 * len(self.bodies)))), np.eye(len(x))
        sizes = [self.scale]
        for k, (form, body) in enumerate(zip(self._of_bodies(x), self._of_bodies(moments), strict=True)):
            rows = slice(self.plain + 10 * k, self.plain + 10 * k + 10)
            by_moments[rows, rows] = slope(numbers_of, body)
            by_x[rows, rows] = by_moments[rows, rows] @ slope(moments_of, form)
            length = np.sqrt((body[4] + body[6] + body[9]) / body[0])
            sizes.append(body[0] * length ** np.repeat([0, 1, 2], [1, 3, 6]))
        return by_x, by_moments, np.concatenate(sizes)

    def _of_bodies(self, x: Reals) -> list[Reals]:
        return list(x[self.plain :].reshape(-1, 10))

    def _moments(self, x: Reals) -> Reals:
        return np.concatenate([x[: self.plain] * self.scale, *(moments_of(each) for each in self._of_bodies(x))])

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


def _plain_inertias(model: Any, bodies: Sequence[str], names: Sequence[str]) -> Model:
    """A model whose inertias are ten independent numbers, not those of a shape and its density."""
    if isinstance(bodies, str):
        raise TypeError(f'physical={bodies!r}: give a list of bodies such as ["{bodies}"]')
    if not isinstance(model, Model):
        raise ValueError("physical: bodies need a model, not a function that builds one")
    faults, made = list[str](), dict[str, Any]()
    for body in bodies:
        if body not in model.bodies:
            faults.append(f'there is no body "{body}"')
            continue
        inertia = model.bodies[body].inertia
        if not isinstance(inertia, Inertia):
            faults.append(f'"{body}" is a flexible body')
            continue
        if twice := [
            name
            for name in names
            if name.rsplit(":", 1)[-1].startswith((f"{body}.mass", f"{body}.com", f"{body}.inertia"))
        ]:
            faults.append(f"{', '.join(twice)} belong to a physical body, and to parameters, too")
        try:
            log_cholesky(inertia)
        except ValueError as error:
            faults.append(f'"{body}" {error}')
        made[f"{body}.inertia"] = Inertia(inertia.mass, com=inertia.com, matrix=inertia.matrix)
    if len(set(bodies)) < len(bodies):
        faults.append("a body is given twice")
    if faults:
        raise ValueError("physical: " + "; ".join(faults))
    return with_values(model, made)


def _inertia_of(model: Model, body: str) -> Inertia:
    inertia = model.bodies[body].inertia
    assert isinstance(inertia, Inertia)
    return inertia
