"""Storage of potential energy."""

from __future__ import annotations

from typing import Any

from duoti.bond.elements.storage import Storage
from duoti.model.laws import Value


class C(Storage):
    """displacement = C * effort: a spring (1/stiffness), capacitor [F], compressed volume, heated mass.

    Its state is the displacement, the integral of the flow: an elongation [m], charge [C], volume [m³], heat [J].

    Parameters
    ----------
    capacitance:
        A number or an expression of parameters; a symmetric matrix makes a field with as many bonds.
    effort:
        In place of the capacitance: the effort as a law of the displacement `q`, and of parameters.
    initial:
        Displacement at the start; a list for a field.
    energy:
        With `effort`: its integral over q [J]; left out, it is integrated numerically from q = 0.
    """

    kind = "C"
    gives = "effort"
    state, own, parameter, law_name = "displacement", "q", "capacitance", "effort"

    def __init__(
        self,
        capacitance: Any = None,
        effort: Value | None = None,
        initial: Any = 0.0,
        energy: Value | None = None,
    ):
        self.capacitance = capacitance
        self.effort, self.initial, self.energy = effort, initial, energy
