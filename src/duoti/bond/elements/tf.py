"""Transformer."""

from __future__ import annotations

from duoti.bond.elements.two_port import TwoPort


class TF(TwoPort):
    """e1 = m e2 and f2 = m f1, from its first bond to its second: a lever, gear, piston, electric transformer.

    m is a number or an expression of parameters. First and second are the bonds in the order in which they were made.
    """

    kind = "TF"
    parameter = "m"

    def __init__(self, m: float | str):
        self.m = m
