"""Derivatives of the equations by parameters, in many states of one run.

`equation_sensitivities.Family` says how each parameter enters the equations. Here everything that does not depend on
the state is prepared once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from duoti.analyses.sensitivity.equation_sensitivities import Family, Held, equations_at
from duoti.analyses.states.linearised_equations import Equations
from duoti.dynamics.derivatives.by_parameters import Slopes
from duoti.system.arrays import Reals

Prepared = Callable[[Held], Slopes]


class ParameterSlopes:
    """Slopes of the equations by every parameter of a family, prepared for many states."""

    def __init__(self, family: Family, first: Held):
        self.family = family
        self.errors = np.zeros(len(family.names))
        self._perturbed = family.perturbed(first)
        by_law = family.law_states() if self._perturbed else None
        self._of_laws = None if by_law is None else _LawParameters(*by_law)
        self.has_law_states = by_law is not None
        self.array_changes: list[dict[tuple[str, ...], Reals] | None] = [None] * len(family.names)
        self._parts = [self._prepared(k, name) for k, name in enumerate(family.names)]

    def __call__(self, held: Held) -> list[Slopes]:
        """For each parameter the derivatives of the equations in a state."""
        if self._perturbed is not None:
            self._perturbed.put(*held)
        if self._of_laws is not None:
            self._of_laws.put(held)
        return [part(held) for part in self._parts]

    def of(self, k: int, held: Held) -> Slopes:
        """The derivatives by one parameter, of those that are differenced."""
        return self._parts[k](held)

    def _prepared(self, k: int, name: str) -> Prepared:
        laws = self._of_laws
        if laws is not None and name in laws.names:
            j = laws.names.index(name)
            return lambda held: laws.slopes(j)
        changes = self.family.changes(k) if self._perturbed else None
        if self._perturbed is None or changes is None:
            return self._differences(k)
        arrays, self.errors[k] = changes
        self.array_changes[k] = arrays = {path: each for path, each in arrays.items() if np.any(each)}
        perturbed = self._perturbed
        if not arrays:
            none = Slopes(*(np.zeros_like(each) for each in perturbed.values()))
            return lambda held: none  # an initial value, which no equation contains
        return lambda held: perturbed.slopes(arrays)

    def _differences(self, k: int) -> Prepared:
        family = self.family
        sizes = np.cumsum([family.base.nv, *[family.base.closures.rows] * 3])

        def slopes(held: Held) -> Slopes:
            slope, error = family.slope(k, lambda system: np.concatenate(equations_at(system, held)))
            self.errors[k] = max(self.errors[k], error)
            return Slopes(*np.split(slope, sizes))

        return slopes


class _LawParameters:
    """Declared parameters that laws read, as first-order states: columns of Z and Fz."""

    def __init__(self, system: Any, names: list[str], values: Reals):
        self.names, self.values = names, values
        self.equations = Equations.of(system)
        self.first = system.nz - len(names)
        self.none = np.zeros(system.closures.rows)
        self.at: Any = None

    def put(self, held: Held) -> None:
        self.equations.put(held.q, held.v, np.concatenate([held.z, self.values]), held.t)
        self.at = self.equations.linearise(held.a, held.multipliers)

    def slopes(self, j: int) -> Slopes:
        first = self.first
        return Slopes(self.at.Z[:, first + j], self.none, self.none, self.none, self.at.Fz[:first, first + j])
