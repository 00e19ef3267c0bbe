"""Storages of potential and of kinetic energy: a state for each port, and a law from it to the effort or flow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from duoti.bond.element import Element, End, Gives, wrong_count
from duoti.model.laws.law import Value

if TYPE_CHECKING:
    from duoti.bond.equations.assembly import Assembly


class Storage(Element):
    """Keeps energy; its state is the integral of what the bond brings."""

    role = "storage"
    ports = None
    gives: Gives
    state: ClassVar[str]
    """Name of its state."""
    own: ClassVar[str]
    """Short name of the state in the element's own law."""
    parameter: ClassVar[str]
    law_name: ClassVar[str]
    initial: Any
    energy: Any

    @property
    def constant(self) -> Any:
        """The constant, or the matrix of a field; None if there is a law instead."""
        return getattr(self, self.parameter)

    @property
    def law(self) -> Any:
        """The law, if there is one."""
        return getattr(self, self.law_name)

    @property
    def is_field(self) -> bool:
        """Whether it has a matrix."""
        given = self.constant
        return given is not None and not isinstance(given, str | float | int) and np.ndim(given) == 2

    def faults(self, bonds: int) -> list[str]:
        plain = (type(self.constant) is float or type(self.constant) is int) and type(self.initial) is float
        if plain and self.law is None and self.energy is None and bonds == 1:
            return []
        found: list[str] = []
        if (self.constant is None) == (self.law is None):
            found.append(f"give either {self.parameter} or {self.law_name}, a law of its {self.state} {self.own}")
        size = 1
        if self.is_field:
            matrix = np.asarray(self.constant)
            size = len(matrix)
            if matrix.shape != (size, size):
                found.append(f"{self.parameter} has the shape {matrix.shape}; a field takes a square matrix")
            elif (
                matrix.dtype != object and np.issubdtype(matrix.dtype, np.number) and not np.allclose(matrix, matrix.T)
            ):
                found.append(f"{self.parameter} is not symmetric: no energy belongs to it")
        elif self.constant is not None and not isinstance(self.constant, str | float | int):
            found.append(
                f"{self.parameter} is {self.constant!r}; give a number, an expression of parameters, or a matrix"
            )
        if bonds != size:
            found.append(wrong_count(size, bonds))
        if np.size(self.initial) not in (1, size):
            found.append(f"initial has {np.size(self.initial)} numbers, it has {size} states")
        if self.energy is not None and self.law is None:
            found.append("energy is given, but with a constant the energy is known; leave it out")
        return found

    def laws(self) -> Iterable[tuple[str, Any]]:
        """Its law and its energy."""
        return tuple((key, getattr(self, key)) for key in (self.law_name, "energy") if getattr(self, key) is not None)

    def prefers(self, end: int) -> Gives:
        """Integral causality: its state gives what it decides."""
        return self.gives

    def state_names(self, name: str, ends: int) -> list[str]:
        """Names of its states."""
        return [f"{name}.{self.state}"] if ends == 1 else [f"{name}.{self.state}{k + 1}" for k in range(ends)]

    def equations(self, to: Assembly, name: str, ends: Sequence[End]) -> None:
        """What the state gives equals what the bond has; the rate of the state is the other quantity."""
        names = self.state_names(name, len(ends))
        first = self.initial
        initial = (
            [first] * len(ends)
            if type(first) is float
            else np.broadcast_to(np.asarray(first, float), (len(ends),)).tolist()
        )
        effort = self.gives == "effort"
        inputs = to.storage(
            name, names, self.matrix(to) if self.law is None else None, initial,
            [(to.flow(end), float(end.sign)) if effort else (to.effort(end), 1.0) for end in ends],
            [(to.effort(end), 1.0) if effort else (to.flow(end), float(end.sign)) for end in ends],
        )  # fmt: skip
        for end, column in zip(ends, inputs, strict=True):
            derivative = to.is_derivative(column)
            quantity = (to.flow(end), float(end.sign)) if derivative == effort else (to.effort(end), 1.0)
            to.equation(name, {quantity[0]: quantity[1]}, {column: 1.0})
        if self.law is not None:
            to.storage_law(name, inputs[0], self.law, self.energy, self.own)

    def matrix(self, to: Assembly) -> Any:
        """The constant as a matrix of numbers."""
        if not self.is_field:
            return np.full((1, 1), to.constant(self.constant))
        given: Any = self.constant
        return np.array([[to.constant(value) for value in row] for row in given], dtype=float)


class C(Storage):
    r"""Storage of displacement: a spring, a capacitor, a compressed volume, a heated mass.

    $$q = C\, e, \qquad \dot q = f$$

    Its state is the displacement: an elongation [m], charge [C], volume [m³] or heat [J]. The capacitance of a spring
    is one over its stiffness.

    Parameters
    ----------
    capacitance:
        A number or an expression of parameters; a symmetric matrix makes a field with as many bonds.
    effort:
        In place of the capacitance: the effort as a law of the displacement `q`, and of parameters.
    initial:
        Displacement at the start; a list for a field.
    energy:
        With `effort`: its integral over q [J]; by default it is integrated numerically from q = 0.
    """

    kind = "C"
    gives = "effort"
    state, own, parameter, law_name = "displacement", "q", "capacitance", "effort"

    def __init__(
        self,
        capacitance: Any = None,
        effort: Value | None = None,
        initial: Any = 0.0,
        energy: Value | None = None,
    ):
        self.capacitance = capacitance
        self.effort, self.initial, self.energy = effort, initial, energy


class I(Storage):  # noqa: E742  (the letter of bond graphs)
    r"""Storage of momentum: a mass, a moment of inertia, an inductance, a fluid inertia.

    $$p = I\, f, \qquad \dot p = e$$

    Its state is the momentum: [N s], [N m s], flux linkage [V s] or pressure momentum [Pa s].

    Parameters
    ----------
    inertia:
        A number or an expression of parameters; a symmetric matrix makes a field with as many bonds.
    flow:
        In place of the inertia: the flow as a law of the momentum `p`, and of parameters.
    initial:
        Momentum at the start; a list for a field.
    energy:
        With `flow`: its integral over p [J]; by default it is integrated numerically from p = 0.
    """

    kind = "I"
    gives = "flow"
    state, own, parameter, law_name = "momentum", "p", "inertia", "flow"

    def __init__(
        self,
        inertia: Any = None,
        flow: Value | None = None,
        initial: Any = 0.0,
        energy: Value | None = None,
    ):
        self.inertia = inertia
        self.flow, self.initial, self.energy = flow, initial, energy
