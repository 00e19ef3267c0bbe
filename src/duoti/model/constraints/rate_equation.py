"""An equation between velocities that the user writes."""

from __future__ import annotations

from collections.abc import Sequence

from duoti.model.constraints.base import Constraint, Row, expression_faults
from duoti.model.element_id import Fault


class RateEquation(Constraint):
    """`expression` = 0, linear in joint rates, velocities and angular velocities; nonholonomic if it is no derivative.

    Positions and the time may stand in it anyhow: "A.rate*cos(B.angle) - 2*D.velocity". The positions themselves stay
    free. Work of the multiplier per time: multiplier times the expression without its part at rest.
    """

    kind = "rate_equation"

    def __init__(self, expression: float | str):
        self.expression = expression

    def rows(self) -> Sequence[Row]:
        """See `Constraint.rows`."""
        return (Row("rate_equation", expression=self.expression),)

    def faults(self) -> list[Fault]:
        """See `Constraint.faults`."""
        return expression_faults(self.expression)
