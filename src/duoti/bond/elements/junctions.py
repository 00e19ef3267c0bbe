"""Junctions of common effort (0) and of common flow (1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from duoti.bond.element import Element, End, Gives
from duoti.bond.elements.two_ports import OTHER

if TYPE_CHECKING:
    from duoti.bond.equations.assembly import Assembly


class Junction(Element):
    """One quantity is common to all its bonds, the other one sums up to zero along the arrows."""

    role = "junction"
    ports = None
    common: Gives

    def __init__(self) -> None:
        pass

    def faults(self, bonds: int) -> list[str]:
        """A junction of one bond would make the other quantity zero: allowed. Of none: forgotten."""
        return [] if bonds else ["no bond leads to it"]

    def implied(self, given: Sequence[Gives | None]) -> Mapping[int, Gives] | None:
        """One bond, the strong one, brings the common quantity; the junction hands it on to all others."""
        strong = [k for k, g in enumerate(given) if g is not None and g != self.common]
        if len(strong) > 1:
            return None
        if strong:
            return {k: self.common for k in range(len(given)) if k != strong[0]}
        open_ends = [k for k, g in enumerate(given) if g is None]
        if not open_ends:
            return None
        return {open_ends[0]: OTHER[self.common]} if len(open_ends) == 1 else {}

    def equations(self, to: Assembly, name: str, ends: Sequence[End]) -> None:
        """The common quantity of all, and the sum of the other one."""
        first = ends[0]
        for end in ends[1:]:
            pair = (to.effort(first), to.effort(end)) if self.common == "effort" else (to.flow(first), to.flow(end))
            to.equation(name, {pair[0]: 1.0, pair[1]: -1.0}, {})
        total: dict[int, float] = {}
        for end in ends:
            total[to.flow(end) if self.common == "effort" else to.effort(end)] = float(end.sign)
        to.equation(name, total, {})


class Zero(Junction):
    r"""0-junction: all bonds have the same effort, and the flows sum to zero.

    $$e_1 = e_2 = \dots, \qquad \sum_i \pm f_i = 0$$

    A node of a circuit, a pressure, forces in series.
    """

    kind = "0"
    common = "effort"


class One(Junction):
    r"""1-junction: all bonds have the same flow, and the efforts sum to zero.

    $$f_1 = f_2 = \dots, \qquad \sum_i \pm e_i = 0$$

    A mesh of a circuit, a velocity with its forces.
    """

    kind = "1"
    common = "flow"
