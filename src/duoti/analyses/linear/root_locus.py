"""`root_locus`: eigenvalues over a parameter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duoti.analyses.equilibrium.equilibrium import equilibrium
from duoti.analyses.linear.linear_system import LinearSystem
from duoti.analyses.linear.linearise import linearise
from duoti.analyses.states.supported import as_model
from duoti.model.model import Model
from duoti.model.parameters import find
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.parameters import with_values
from duoti.system.system import System

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Complexes = NDArray[np.complex128]


@dataclass(frozen=True, eq=False)
class RootLocus:
    """Eigenvalues [values, eigenvalues] over the values of a parameter, each column one way of an eigenvalue."""

    parameter: str
    values: Reals
    eigenvalues: Complexes
    systems: tuple[LinearSystem, ...]
    model: str
    ok: bool = True

    @property
    def frequencies(self) -> Reals:
        """|Im| / 2 pi [Hz] of the ways that oscillate somewhere, one of each pair; not a number where they do not."""
        ways = [way for way in self.eigenvalues.T if np.any(way.imag > 1e-6 * np.max(np.abs(self.eigenvalues)))]
        found = np.array([np.where(way.imag > 0, way.imag, np.nan) for way in ways]).T / (2 * np.pi)
        return found.reshape(len(self.values), -1)

    @property
    def stable(self) -> NDArray[np.bool_]:
        """Where no small deviation grows: `LinearSystem.stable` at each value."""
        return np.array([linear.stable for linear in self.systems], dtype=bool)

    def plot(self) -> Figure:
        """The ways of the eigenvalues in the complex plane."""
        from duoti.analyses.linear.plot import plot_locus

        return plot_locus(self)

    def plot_campbell(self, orders: Sequence[float] = (1.0,), scale: float = 1.0 / (2.0 * np.pi)) -> Figure:
        """Frequencies over the parameter (Campbell diagram), with lines at multiples of it.

        scale: frequency [Hz] per unit of the parameter; for a rate in rad/s it is 1 / 2 pi.
        """
        from duoti.analyses.linear.plot import plot_campbell

        return plot_campbell(self, orders, scale)

    def __str__(self) -> str:
        changes = [
            f"{0.5 * (a + b):.5g}"
            for a, b, x, y in zip(self.values[:-1], self.values[1:], self.stable[:-1], self.stable[1:], strict=True)
            if x != y
        ]
        what = (
            f"stability changes near {self.parameter} = {', '.join(changes)}"
            if changes
            else ("stable throughout" if np.all(self.stable) else "not stable anywhere")
        )
        return f"root locus of {self.model!r} over {self.parameter}, {len(self.values)} values: {what}"


@explained
def root_locus(
    model: Model | System | Callable[[float], Any],
    parameter: str,
    values: ArrayLike,
    about: str = "equilibrium",
) -> RootLocus:
    r"""Eigenvalues of the linearised system over a parameter.

    $$\det\left( \lambda I - A(p) \right) = 0$$

    Parameters
    ----------
    model:
        A model, or a function of the value that returns one.
    parameter:
        Name of a number of the model ("k", "spring.stiffness", "rod.mass"); of a function, the label of its value.
    values:
        Values of the parameter.
    about:
        "equilibrium": find the equilibrium at each value first; "start": the initial state.
    """
    if about not in ("equilibrium", "start"):
        raise ValueError(f'about={about!r}: give "equilibrium" or "start"')
    numbers = np.asarray(values, dtype=float).reshape(-1)
    systems: list[LinearSystem] = []
    make = _maker(as_model(model), parameter) if isinstance(model, Model | System) else model
    for value in numbers:
        described = make(float(value))
        found: Any = None
        if about == "equilibrium":
            found = equilibrium(described)
            if not found.ok:
                raise ValueError(f"{parameter} = {value:.6g}: there is no equilibrium: {found.reason}")
        systems.append(linearise(described, found))
    name = systems[0].system.model.name if systems else "model"
    return RootLocus(parameter, numbers, _ways([lin.eigenvalues for lin in systems]), tuple(systems), name)


def _maker(model: Model, parameter: str) -> Callable[[float], Model]:
    number = find(model, parameter)
    return lambda value: with_values(model, {number: value})


def _ways(each: Sequence[Complexes]) -> Complexes:
    """Eigenvalues in an order in which those of neighbouring values belong together: the nearest, on the whole."""
    if not each:
        return np.zeros((0, 0), dtype=complex)
    found = [each[0]]
    for values in each[1:]:
        guess = found[-1] if len(found) < 2 else 2.0 * found[-1] - found[-2]
        from scipy.optimize import linear_sum_assignment

        rows, columns = linear_sum_assignment(np.abs(guess[:, None] - values[None, :]))
        ordered = np.empty_like(values)
        ordered[rows] = values[columns]
        found.append(ordered)
    return np.array(found)
