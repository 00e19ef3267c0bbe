"""A linear coupling of joint coordinates."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from duoti.model.constraints.base import Constraint, Row


class Coupler(Constraint):
    """A linear combination of joint coordinates keeps a value: sum of coefficient * coordinate = value.

    `coefficients`: joint name (its first coordinate) or (joint name, coordinate) -> coefficient; `value`: a number or
    an expression of the time."""

    kind = "coupler"

    def __init__(self, coefficients: Mapping[str | tuple[str, int], float], value: float | str = 0.0):
        self.coefficients, self.value = coefficients, value

    def rows(self) -> Sequence[Row]:
        """See `Constraint.rows`."""
        terms = [(*((key, 0) if isinstance(key, str) else key), float(c)) for key, c in self.coefficients.items()]
        return (Row("coupler", value=self.value, terms=terms),)

    def faults(self) -> list[str]:
        """See `Constraint.faults`."""
        if self.coefficients and all(math.isfinite(c) for c in self.coefficients.values()):
            return []
        return ["it needs at least one joint, and finite coefficients"]
