"""Two perpendicular axes."""

from __future__ import annotations

from collections.abc import Sequence

from duoti.model.constraints.base import AxesConstraint, Row


class Perpendicular(AxesConstraint):
    """`axis_a` of marker_a and `axis_b` of marker_b stay perpendicular."""

    kind = "perpendicular"

    def rows(self) -> Sequence[Row]:
        """See `Constraint.rows`."""
        return (Row("dot", 2, 2),)
