"""Two perpendicular axes."""

from __future__ import annotations

from collections.abc import Sequence

from duoti.model.constraints.base import MarkerConstraint, Row
from duoti.model.element_id import Fault
from duoti.model.elements import Reference
from duoti.model.joints.base import axis_faults, frame_along
from duoti.spatial import Rotation
from duoti.spatial.axes import Axis


class Perpendicular(MarkerConstraint):
    """`axis_a` of marker_a and `axis_b` of marker_b stay perpendicular."""

    kind = "perpendicular"

    def __init__(self, marker_a: Reference, marker_b: Reference, axis_a: Axis = "z", axis_b: Axis = "z"):
        self.marker_a, self.marker_b = marker_a, marker_b
        self.axis_a, self.axis_b = axis_a, axis_b

    def rows(self) -> Sequence[Row]:
        """See `Constraint.rows`."""
        return (Row("dot", 2, 2),)

    def frames(self) -> tuple[Rotation, Rotation]:
        """See `Constraint.frames`."""
        return frame_along(self.axis_a), frame_along(self.axis_b)

    def faults(self) -> list[Fault]:
        """See `Constraint.faults`."""
        return axis_faults("axis_a", self.axis_a) + axis_faults("axis_b", self.axis_b)
