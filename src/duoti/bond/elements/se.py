"""Source of effort."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from duoti.bond.element import End
from duoti.bond.elements.source import Source

if TYPE_CHECKING:
    from duoti.bond.assembly import Assembly


class Se(Source):
    """Effort by a law: a voltage [V], force [N], torque [N m], pressure [Pa], temperature [K].

    The value is a number, an expression or a function of the time `t`, of quantities of the graph (`C1.displacement`,
    `R1.flow`) and, in a model, of those of the mechanism. It is the effort of the bond, wherever its arrow points.
    """

    kind = "Se"
    gives = "effort"

    def equations(self, to: Assembly, name: str, ends: Sequence[End]) -> None:
        """e = value."""
        (end,) = ends
        to.equation(name, {to.effort(end): 1.0}, {to.source(name, self.value, to.flow(end), end): 1.0})
