"""Where a graph meets a mechanism, or another graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from duoti.bond.element import Element, End, Gives, wrong_count

if TYPE_CHECKING:
    from duoti.bond.equations.assembly import Assembly


class Port(Element):
    """Open end of a graph: for a joint or markers of a model, or for a graph that this one is part of.

    The mechanism takes the effort and gives the flow. With the arrow into the port, the effort acts on the joint; with
    the arrow out of it, its opposite.

    A port without a connection takes no part. Its flow is zero at a 0-junction, `C` or `Se`: an open terminal. Its
    effort is zero at any other element: a free shaft.

    Parameters
    ----------
    size:
        Number of bonds: 6 for a whole wrench.
    """

    kind = "Port"
    role = "port"
    ports = None

    def __init__(self, size: int = 1):
        self.size = size

    def faults(self, bonds: int) -> list[str]:
        return [] if bonds == self.size else [wrong_count(self.size, bonds)]

    def prefers(self, end: int) -> Gives:
        """A mechanism has inertia: it gives the flow."""
        return "flow"

    def equations(self, to: Assembly, name: str, ends: Sequence[End]) -> None:
        """f = rate of the mechanism."""
        for k, end in enumerate(ends):
            to.port(name, k, end)
