"""An impact, as the event-driven engine hands it to an impact law."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.contact.workspace import ContactPoint
from duoti.system.arrays import Reals

FIXED = 1e-9  # part of what an impulse would move without constraints: nothing


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

    def fixed(self, J: Reals) -> Any:
        """Which rows no impulse moves, since constraints or prescribed motions hold them."""
        moved = np.einsum("ij,ij->i", J @ self.inverse, J)
        return moved <= FIXED * np.einsum("ij,ji->i", J, np.linalg.solve(self.M, J.T))

    def response(self, J: Reals) -> Reals:
        """W of rows J, without the round-off of those that nothing moves."""
        free = np.where(self.fixed(J)[:, None], 0.0, J)
        return free @ self.inverse @ free.T
