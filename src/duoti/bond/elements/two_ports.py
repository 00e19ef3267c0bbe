"""What transformers and gyrators have in common: two bonds, and power that goes through."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from duoti.bond.element import Element, End, Gives
from duoti.model.laws.law import Value

if TYPE_CHECKING:
    from duoti.bond.equations.assembly import Assembly

OTHER: Mapping[Gives, Gives] = {"effort": "flow", "flow": "effort"}


class TwoPort(Element):
    """Loses nothing: e1 f1 = e2 f2 along arrows that point through it."""

    role = "two-port"
    ports = 2
    modulated: ClassVar[bool] = False
    swaps: ClassVar[bool] = False
    """Whether effort and flow change places, as in a gyrator."""
    parameter: ClassVar[str]

    @property
    def modulus(self) -> Any:
        """The ratio."""
        return getattr(self, self.parameter)

    def laws(self) -> Iterable[tuple[str, Any]]:
        """The modulus."""
        return ((self.parameter, self.modulus),)

    def implied(self, given: Sequence[Gives | None]) -> Mapping[int, Gives] | None:
        """A transformer decides the effort of one bond and the flow of the other; a gyrator the same of both."""
        first, second = given
        if first is None and second is None:
            return {}
        if first is None:
            assert second is not None
            return {0: second if self.swaps else OTHER[second]}
        other = first if self.swaps else OTHER[first]
        return {1: other} if second in (None, other) else None

    def equations(self, to: Assembly, name: str, ends: Sequence[End]) -> None:
        """e1 = m e2, f2 = m f1 (transformer); e1 = r f2, e2 = r f1 (gyrator); arrows through, else one flow changes."""
        a, b = ends
        through = -float(a.sign * b.sign)  # 1 if one arrow points in and the other one out
        ea, eb, fa, fb = to.effort(a), to.effort(b), to.flow(a), to.flow(b)
        number = to.number(self.modulus)
        # left = m sign right
        pairs = ((ea, fb, through), (eb, fa, 1.0)) if self.swaps else ((ea, eb, 1.0), (fb, fa, through))
        forward = to.gives(name, 0) == "effort"  # it decides e1, and so what stands on the left sides
        for left, right, sign in pairs:
            if number is not None:
                to.equation(name, {left: 1.0, right: -number * sign}, {})
            elif forward:
                to.equation(name, {left: 1.0}, {to.law(name, self.parameter, self.modulus, times=(right, sign)): 1.0})
            else:
                to.equation(name, {right: 1.0}, {to.law(name, self.parameter, self.modulus, over=(left, sign)): 1.0})


class TF(TwoPort):
    r"""Transformer: a lever, gear, piston, electric transformer.

    $$e_1 = m\, e_2, \qquad f_2 = m\, f_1$$

    The first and second bonds are those in the order in which they were made.

    Parameters
    ----------
    m:
        Ratio: a number or an expression of parameters.
    """

    kind = "TF"
    parameter = "m"

    def __init__(self, m: float | str):
        self.m = m


class GY(TwoPort):
    r"""Gyrator: a motor, pump, voice coil.

    $$e_1 = r\, f_2, \qquad e_2 = r\, f_1$$

    The first and second bonds are those in the order in which they were made.

    Parameters
    ----------
    r:
        Ratio, such as the torque constant of a motor: a number or an expression of parameters.
    """

    kind = "GY"
    parameter, swaps = "r", True

    def __init__(self, r: float | str):
        self.r = r


class MGY(TwoPort):
    r"""Modulated gyrator: a `GY` whose ratio changes.

    $$e_1 = r(t, \dots)\, f_2, \qquad e_2 = r(t, \dots)\, f_1$$

    Parameters
    ----------
    r:
        Ratio: a number, expression or function of the time and of quantities of the graph or mechanism.
    """

    kind = "MGY"
    parameter, swaps, modulated = "r", True, True

    def __init__(self, r: Value):
        self.r = r


class MTF(TwoPort):
    r"""Modulated transformer: a `TF` whose ratio changes, or with a matrix one between several bonds.

    $$f_{\mathrm{out}} = T\, f_{\mathrm{in}}, \qquad e_{\mathrm{in}} = T^T e_{\mathrm{out}}$$

    The columns of $T$ belong to the bonds that point into it, the rows to those that point out, in the order in which
    they were made.

    Parameters
    ----------
    m:
        Ratio, or matrix $T$: numbers, expressions or functions of the time and of quantities of the graph or mechanism.
    """

    kind = "MTF"
    parameter, modulated = "m", True
    ports = None

    def __init__(self, m: Any):
        self.m = m

    @property
    def is_matrix(self) -> bool:
        """Whether it has a matrix."""
        return not isinstance(self.m, str) and not callable(self.m) and np.ndim(self.m) == 2

    def faults(self, bonds: int) -> list[str]:
        size = sum(np.shape(self.m)) if self.is_matrix else 2
        return [] if bonds == size else [f"it takes {size} bonds, {bonds} {'is' if bonds == 1 else 'are'} there"]

    def laws(self) -> Iterable[tuple[str, Any]]:
        """The ratios."""
        return (("m", self.m),) if not self.is_matrix else [("m", entry) for row in self.m for entry in row]

    def implied(self, given: Sequence[Gives | None]) -> Mapping[int, Gives] | None:
        """A matrix takes the flows of its inputs and the efforts of its outputs; see `sides` for which is which."""
        return super().implied(given) if not self.is_matrix else {}

    def implied_by_sides(self, ends: Sequence[End], given: Sequence[Gives | None]) -> Mapping[int, Gives] | None:
        """The same for a matrix."""
        wanted: list[Gives] = ["effort" if end.sign > 0 else "flow" for end in ends]
        rows, columns = np.shape(self.m)
        if any(g is not None and g != w for g, w in zip(given, wanted, strict=True)):
            if rows != columns:
                return None
            wanted = [OTHER[w] for w in wanted]
            if any(g is not None and g != w for g, w in zip(given, wanted, strict=True)):
                return None
        return dict(enumerate(wanted))

    def equations(self, to: Assembly, name: str, ends: Sequence[End]) -> None:
        """See `TwoPort.equations`; for a matrix f_out = T f_in and e_in = T^T e_out."""
        if not self.is_matrix:
            super().equations(to, name, ends)
            return
        inputs, outputs = [end for end in ends if end.sign > 0], [end for end in ends if end.sign < 0]
        entries = [[to.number(entry) for entry in row] for row in self.m]
        for i, row in enumerate(self.m):
            terms: dict[int, float] = {to.flow(outputs[i]): 1.0}
            laws: dict[int, float] = {}
            for k, entry in enumerate(row):
                self._term(to, name, entry, entries[i][k], to.flow(inputs[k]), terms, laws)
            to.equation(name, terms, laws)
        for k, end in enumerate(inputs):
            terms, laws = {to.effort(end): 1.0}, {}
            for i, row in enumerate(self.m):
                self._term(to, name, row[k], entries[i][k], to.effort(outputs[i]), terms, laws)
            to.equation(name, terms, laws)

    def _term(self, to: Assembly, name: str, entry: Any, number: float | None, variable: int,
              terms: dict[int, float], laws: dict[int, float]) -> None:  # fmt: skip
        if number is not None:
            if number:
                terms[variable] = terms.get(variable, 0.0) - number
        else:
            laws[to.law(name, "m", entry, times=(variable, 1.0))] = 1.0
