"""An equation that the user writes, between positions or between velocities."""

from __future__ import annotations

from collections.abc import Sequence

from duoti.model.constraints.base import Constraint, ConstraintEquation
from duoti.model.element_id import Fault


class Equation(Constraint):
    """`expression` = 0, of joint coordinates, positions and axes of bodies and markers, velocities, and the time.

    Without velocities it holds positions: "hypot(tip.position.x, tip.position.z) - 0.5 - 0.1*t" keeps a point on a
    circle that grows. With velocities (of joints, bodies and markers, and angular ones), in which it must be linear, it
    holds these, and the positions themselves stay free: "A.rate*cos(B.angle) - 2*D.velocity" is nonholonomic if it
    is no derivative. The multiplier is the generalised force that keeps it; its work is multiplier times change of the
    expression, per time multiplier times the expression without its part at rest.
    """

    kind = "equation"

    def __init__(self, expression: float | str):
        self.expression = expression

    def rows(self) -> Sequence[ConstraintEquation]:
        """See `Constraint.rows`; whether it is one between velocities follows from the quantities in it."""
        return (ConstraintEquation("equation", expression=self.expression),)

    def faults(self) -> list[Fault]:
        """Why this is no text of an equation."""
        if isinstance(self.expression, str) and self.expression.strip():
            return []
        text = f'expression is {self.expression!r}; give a text such as "A.angle - 2*B.angle^2", which is to be zero'
        return [Fault(text, "expression")]
