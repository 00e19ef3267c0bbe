"""Modulated gyrator."""

from __future__ import annotations

from duoti.bond.elements.two_port import TwoPort
from duoti.model.laws import Value


class MGY(TwoPort):
    """A gyrator, `GY`, whose ratio changes: with the time, with quantities of the graph or of the mechanism."""

    kind = "MGY"
    parameter, swaps, modulated = "r", True, True

    def __init__(self, r: Value):
        self.r = r
