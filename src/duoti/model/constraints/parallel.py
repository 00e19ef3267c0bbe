"""Two parallel axes."""

from __future__ import annotations

from collections.abc import Sequence

from duoti.model.constraints.base import AxesConstraint, ConstraintEquation


class Parallel(AxesConstraint):
    """`axis_a` of marker_a and `axis_b` of marker_b stay parallel."""

    kind = "parallel"

    def rows(self) -> Sequence[ConstraintEquation]:
        return (ConstraintEquation("dot", 0, 2), ConstraintEquation("dot", 1, 2))


# Two perpendicular axes.


class Perpendicular(AxesConstraint):
    """`axis_a` of marker_a and `axis_b` of marker_b stay perpendicular."""

    kind = "perpendicular"

    def rows(self) -> Sequence[ConstraintEquation]:
        return (ConstraintEquation("dot", 2, 2),)
