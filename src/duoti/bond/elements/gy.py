"""Gyrator."""

from __future__ import annotations

from duoti.bond.elements.two_port import TwoPort


class GY(TwoPort):
    """e1 = r f2 and e2 = r f1, from its first bond to its second: a motor (torque constant), pump, voice coil.

    r is a number or an expression of parameters. First and second are the bonds in the order in which they were made.
    """

    kind = "GY"
    parameter, swaps = "r", True

    def __init__(self, r: float | str):
        self.r = r
