"""Source of flow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from duoti.bond.element import End
from duoti.bond.elements.source import Source

if TYPE_CHECKING:
    from duoti.bond.assembly import Assembly


class Sf(Source):
    """Flow by a law: a current [A], velocity [m/s], angular velocity [rad/s], volume flow [m³/s], heat flow [W].

    The value is as for `Se`. It is the flow of the bond, counted along its arrow.
    """

    kind = "Sf"
    gives = "flow"

    def equations(self, to: Assembly, name: str, ends: Sequence[End]) -> None:
        """f = value."""
        (end,) = ends
        to.equation(name, {to.flow(end): 1.0}, {to.source(name, self.value, to.effort(end), end): 1.0})
