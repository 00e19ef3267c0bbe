"""Sources of effort and of flow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from duoti.bond.element import Element, End, Gives
from duoti.model.laws.law import Value

if TYPE_CHECKING:
    from duoti.bond.equations.assembly import Assembly


class Source(Element):
    """Decides one of the two quantities of its bond."""

    role = "source"
    gives: Gives

    def __init__(self, value: Value):
        self.value = value

    def laws(self) -> Iterable[tuple[str, Any]]:
        """The value."""
        return (("value", self.value),)

    def prefers(self, end: int) -> Gives:
        """What it gives."""
        return self.gives

    def implied(self, given: Sequence[Gives | None]) -> Mapping[int, Gives] | None:
        """Nothing else is possible."""
        return {0: self.gives} if given[0] in (None, self.gives) else None


class Se(Source):
    r"""Source of effort: a voltage, force, torque, pressure or temperature.

    $$e = e(t, \dots)$$

    It is the effort of the bond, wherever the arrow points.

    Parameters
    ----------
    value:
        A number, an expression or a function of the time `t` and of quantities of the graph (`C1.displacement`) or
        model.
    """

    kind = "Se"
    gives = "effort"

    def equations(self, to: Assembly, name: str, ends: Sequence[End]) -> None:
        """e = value."""
        (end,) = ends
        to.equation(name, {to.effort(end): 1.0}, {to.source(name, self.value, to.flow(end), end): 1.0})


class Sf(Source):
    r"""Source of flow: a current, velocity, angular velocity, volume flow or heat flow.

    $$f = f(t, \dots)$$

    It is the flow of the bond along its arrow.

    Parameters
    ----------
    value:
        A number, an expression or a function of the time `t` and of quantities of the graph (`C1.displacement`) or
        model.
    """

    kind = "Sf"
    gives = "flow"

    def equations(self, to: Assembly, name: str, ends: Sequence[End]) -> None:
        """f = value."""
        (end,) = ends
        to.equation(name, {to.flow(end): 1.0}, {to.source(name, self.value, to.effort(end), end): 1.0})
