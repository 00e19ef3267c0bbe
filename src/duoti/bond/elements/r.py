"""Resistor: what dissipates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.bond.element import Element, End, Gives
from duoti.bond.reading import names_in
from duoti.model.laws.law import Value

if TYPE_CHECKING:
    from duoti.bond.equations.assembly import Assembly


class R(Element):
    r"""Dissipation: a damper, an electric resistor, a throttle, a thermal resistance.

    $$e = R\, f$$

    Parameters
    ----------
    resistance:
        A number, an expression or a function; a matrix of constants makes a field with as many bonds.
    effort:
        In place of the resistance: the effort as a law of the element's own flow `f` and of any quantity. Where other
        elements decide the effort, Newton's method finds the flow.
    flow:
        Or the flow as a law of its own `effort`, as of an orifice: `k*sign(effort)*sqrt(abs(effort))`.
    """

    kind = "R"
    role = "resistor"
    ports = None

    def __init__(
        self,
        resistance: Any = None,
        effort: Value | None = None,
        flow: Value | None = None,
    ):
        self.resistance = resistance
        self.effort, self.flow = effort, flow

    @property
    def is_field(self) -> bool:
        """Whether it has a matrix."""
        given = self.resistance
        return given is not None and not isinstance(given, str) and not callable(given) and np.ndim(given) == 2

    def faults(self, bonds: int) -> list[str]:
        found: list[str] = []
        if sum(value is not None for value in (self.resistance, self.effort, self.flow)) != 1:
            found.append("give one of resistance, effort (a law of its flow f) and flow (a law of its effort)")
        for key, value, own in (("effort", self.effort, {"f", "flow"}), ("flow", self.flow, {"effort"})):
            if value is not None and not own & set(names_in(value, {})):
                words = " or ".join(sorted(own))
                euler = " (e is Euler's number)" if key == "flow" else ""
                found.append(f"its law of the {key}, {value!r}, does not read its own {words}{euler}")
        size = 1
        if self.is_field:
            matrix = np.asarray(self.resistance)
            size = len(matrix)
            if matrix.shape != (size, size):
                found.append(f"resistance has the shape {matrix.shape}; a field takes a square matrix")
        if bonds != size:
            found.append(f"it takes {size} bond{'s' * (size != 1)}, {bonds} {'is' if bonds == 1 else 'are'} there")
        return found

    def laws(self) -> Iterable[tuple[str, Any]]:
        """The one that is given."""
        given = (("resistance", self.resistance), ("effort", self.effort), ("flow", self.flow))
        return tuple((key, value) for key, value in given if value is not None and not self.is_field)

    def prefers(self, end: int) -> Gives | None:
        """A law decides what it is a law of."""
        return "flow" if self.flow is not None else "effort"

    def equations(self, to: Assembly, name: str, ends: Sequence[End]) -> None:
        """e = R f, or by a law."""
        if self.is_field:
            matrix = np.array([[to.constant(value) for value in row] for row in self.resistance], dtype=float)
            to.resistor_field(name, matrix, ends)
            return
        (end,) = ends
        e, f, sign = to.effort(end), to.flow(end), float(end.sign)
        own = {"f": (f, sign), "flow": (f, sign), "effort": (e, 1.0)}
        given = to.gives(name, 0)
        if self.effort is not None and given == "flow" and isinstance(self.effort, str):
            # others decide the effort: the flow whose law gives it, solved where it is evaluated
            column = to.law(name, "flow", f"f - (({self.effort}) - effort)", own=own, solves=(self.effort, "effort"))
            to.equation(name, {f: sign}, {column: 1.0})
        elif self.flow is not None and given == "effort" and isinstance(self.flow, str):
            column = to.law(name, "effort", f"effort - (({self.flow}) - f)", own=own, solves=(self.flow, "f"))
            to.equation(name, {e: 1.0}, {column: 1.0})
        elif self.effort is not None:
            column = to.law(name, "effort", self.effort, own={"f": (f, sign), "flow": (f, sign)})
            to.equation(name, {e: 1.0}, {column: 1.0})
        elif self.flow is not None:
            column = to.law(name, "flow", self.flow, own={"effort": (e, 1.0)})
            to.equation(name, {f: sign}, {column: 1.0})
        elif (number := to.number(self.resistance)) is not None:
            to.equation(name, {e: 1.0, f: -sign * number}, {})
        elif to.gives(name, 0) == "flow":
            to.equation(name, {f: sign}, {to.law(name, "resistance", self.resistance, over=(e, 1.0)): 1.0})
        else:
            to.equation(name, {e: 1.0}, {to.law(name, "resistance", self.resistance, times=(f, sign)): 1.0})
        to.dissipates(e, f, sign)
