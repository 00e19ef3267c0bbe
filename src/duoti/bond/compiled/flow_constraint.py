"""A flow that a graph decides, as a constraint of the mechanism."""

from __future__ import annotations

from collections.abc import Sequence

from duoti.model.constraints.base import Constraint, ConstraintEquation
from duoti.model.elements import JointElement

Rate = tuple[str, int]


class FlowConstraint(Constraint):
    """A sum of joint velocities follows an expression of the time and the mechanism: sum of coefficient * rate =
    value.
    """

    kind = "bond_graph_flow"

    def __init__(self, rates: Sequence[tuple[Rate, float]], value: str):
        self.rates, self.value = rates, value

    def rows(self) -> Sequence[ConstraintEquation]:
        rates = tuple((f"joint:{joint}.v[{k}]", coefficient) for (joint, k), coefficient in self.rates)
        return (ConstraintEquation("rate_equation", rates=rates, expression=f"-({self.value})"),)

    def joints(self) -> Sequence[JointElement | str]:
        return [joint for (joint, _), _ in self.rates]
