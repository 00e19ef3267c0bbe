"""A linear coupling of joint coordinates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from duoti.model.constraints.base import Constraint, ConstraintEquation, number_faults
from duoti.model.element_id import Fault
from duoti.model.elements import JointElement
from duoti.model.laws.law import Value

Joint = JointElement | str


class Coupler(Constraint):
    r"""Linear equation between joint coordinates.

    $$\sum_j c_j q_j = b(t)$$

    Parameters
    ----------
    coefficients:
        Joint (its first coordinate) or (joint, coordinate) → coefficient $c_j$.
    value:
        Right-hand side $b$: a number, or an expression of the time.
    """

    kind = "coupler"
    units: ClassVar = {"value": "rad or m"}

    def __init__(self, coefficients: Mapping[Joint | tuple[Joint, int], float], value: Value = 0.0):
        self.coefficients, self.value = coefficients, value

    def rows(self) -> Sequence[ConstraintEquation]:
        terms = [(*(key if isinstance(key, tuple) else (key, 0)), float(c)) for key, c in self.coefficients.items()]
        return (ConstraintEquation("coupler", value=self.value, terms=terms),)

    def faults(self) -> list[Fault]:
        if not isinstance(self.coefficients, Mapping) or not self.coefficients:  # pyright: ignore[reportUnnecessaryIsInstance]
            text = f"coefficients are {self.coefficients!r}; give a mapping such as {{'A': 1.0, 'B': -2.0}}"
            return [Fault(text, "coefficients")]
        faults: list[Fault] = []
        for key, c in self.coefficients.items():
            if isinstance(key, tuple) and (len(key) != 2 or not isinstance(key[1], int)):  # pyright: ignore[reportUnnecessaryIsInstance]
                text = f"{key!r} is not (joint, coordinate), the coordinate a whole number from 0"
                faults.append(Fault(text, "coefficients"))
            faults += number_faults(f"the coefficient of {key!r}", c, key="coefficients")
        return faults
