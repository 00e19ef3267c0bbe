"""Where a graph meets a mechanism, or another graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from duoti.bond.element import Element, End, Gives, wrong_count

if TYPE_CHECKING:
    from duoti.bond.equations.assembly import Assembly


class Port(Element):
    """An open end: for a joint or markers of a model (`model.add_bond_graph`), or for a graph that this one is part of.

    The mechanism takes the effort and gives the flow: that of the port is the joint's rate. With the arrow into the
    port, the effort acts on the joint; with the arrow out of it, its opposite. `size` is the number of bonds: 6 for
    a whole wrench. A port that nothing is connected to takes no part: its flow is zero at a 0-junction, `C` or `Se` (an
    open terminal, a closed pipe), its effort at any other element (a free shaft).
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
