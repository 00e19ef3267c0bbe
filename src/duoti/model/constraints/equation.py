"""An equation that the user writes, between positions or between velocities."""

from __future__ import annotations

from collections.abc import Sequence

from duoti.model.constraints.base import Constraint, ConstraintEquation
from duoti.model.element_id import Fault


class Equation(Constraint):
    r"""An equation between quantities of the model, written as an expression that is zero.

    $$g(q, t) = 0 \qquad \text{or} \qquad G(q, t)\, v + g_t(q, t) = 0$$

    Without velocities the expression holds positions: "hypot(tip.position.x, tip.position.z) - 0.5 - 0.1*t" keeps a
    point on a circle that grows. With velocities, in which it must be linear, it holds these: "A.rate*cos(B.angle) -
    2*D.velocity" is nonholonomic. The multiplier is the generalised force that keeps the equation.

    Parameters
    ----------
    expression:
        Expression of joint coordinates, positions and axes of bodies and markers, velocities, and the time.
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
