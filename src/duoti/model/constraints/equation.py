"""An equation between positions that the user writes."""

from __future__ import annotations

from collections.abc import Sequence

from duoti.model.constraints.base import Constraint, Row, expression_faults
from duoti.model.element_id import Fault


class Equation(Constraint):
    """`expression` = 0, of joint coordinates, positions and axes of bodies and markers, and the time.

    "hypot(tip.position.x, tip.position.z) - 0.5 - 0.1*t" keeps a point on a circle that grows. The multiplier is the
    generalised force that keeps it: work = multiplier times change of the expression.
    """

    kind = "equation"

    def __init__(self, expression: float | str):
        self.expression = expression

    def rows(self) -> Sequence[Row]:
        """See `Constraint.rows`."""
        return (Row("equation", expression=self.expression),)

    def faults(self) -> list[Fault]:
        """See `Constraint.faults`."""
        return expression_faults(self.expression)
