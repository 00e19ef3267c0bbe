"""An equation between positions that the user writes."""

from __future__ import annotations

from duoti.model.constraints.base import WrittenConstraint


class Equation(WrittenConstraint):
    """`expression` = 0, of joint coordinates, positions and axes of bodies and markers, and the time.

    "hypot(tip.position.x, tip.position.z) - 0.5 - 0.1*t" keeps a point on a circle that grows. The multiplier is the
    generalised force that keeps it: work = multiplier times change of the expression.
    """

    kind = "equation"


# An equation between velocities that the user writes.


class RateEquation(WrittenConstraint):
    """`expression` = 0, linear in joint velocities, velocities and angular velocities; nonholonomic if it is no
    derivative.

    Positions and the time may stand in it anyhow: "A.rate*cos(B.angle) - 2*D.velocity". The positions themselves stay
    free. Work of the multiplier per time: multiplier times the expression without its part at rest.
    """

    kind = "rate_equation"
