"""An equation between positions that the user writes."""

from __future__ import annotations

from duoti.model.constraints.base import WrittenConstraint


class Equation(WrittenConstraint):
    """`expression` = 0, of joint coordinates, positions and axes of bodies and markers, and the time.

    "hypot(tip.position.x, tip.position.z) - 0.5 - 0.1*t" keeps a point on a circle that grows. The multiplier is the
    generalised force that keeps it: work = multiplier times change of the expression.
    """

    kind = "equation"
