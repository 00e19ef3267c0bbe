"""An impact, as the event-driven engine hands it to an impact law."""

from __future__ import annotations

from typing import Any, NamedTuple

from duoti.contact.workspace import ContactPoint
from duoti.system.arrays import Reals


class ImpactProblem(NamedTuple):
    """An impact: points with their axes, rows J of these, friction, restitution."""

    t: float
    y: Reals
    M: Reals
    inverse: Reals
    points: list[ContactPoint]
    axes: list[Reals]
    J: Reals
    mu: Reals
    e: Reals
    law: Any

    @property
    def dimension(self) -> int:
        """Rows of each point."""
        return len(self.J) // max(len(self.points), 1) or 1
