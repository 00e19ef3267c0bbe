"""Storage of kinetic energy."""

from __future__ import annotations

from typing import Any

from duoti.bond.elements.storage import Storage
from duoti.model.laws import Value


class I(Storage):  # noqa: E742  (the letter of bond graphs)
    """momentum = I * flow: a mass [kg], moment of inertia [kg m²], inductance [H], fluid inertia.

    Its state is the momentum, the integral of the effort: [N s], [N m s], flux linkage [V s], pressure momentum [Pa s].

    Parameters
    ----------
    inertia:
        A number or an expression of parameters; a symmetric matrix makes a field with as many bonds.
    flow:
        In place of the inertia: the flow as a law of the momentum `p`, and of parameters.
    initial:
        Momentum at the start; a list for a field.
    energy:
        With `flow`: its integral over p [J]; left out, it is integrated numerically from p = 0.
    """

    kind = "I"
    gives = "flow"
    state, own, parameter, law_name = "momentum", "p", "inertia", "flow"

    def __init__(
        self,
        inertia: Any = None,
        flow: Value | None = None,
        initial: Any = 0.0,
        energy: Value | None = None,
    ):
        self.inertia = inertia
        self.flow, self.initial, self.energy = flow, initial, energy
