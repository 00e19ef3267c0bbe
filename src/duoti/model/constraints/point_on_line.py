"""A point on a line."""

from __future__ import annotations

from collections.abc import Sequence

from duoti.model.constraints.base import ConstraintEquation, MarkerConstraint
from duoti.model.element_id import Fault
from duoti.model.elements import Reference
from duoti.model.joints.base import axis_faults, frame_along
from duoti.spatial import Rotation
from duoti.spatial.axes import Axis


class PointOnLine(MarkerConstraint):
    """The origin of marker_b stays on the line through marker_a along `axis` (of marker_a)."""

    kind = "point_on_line"

    def __init__(self, marker_a: Reference, marker_b: Reference, axis: Axis = "x"):
        self.marker_a, self.marker_b = marker_a, marker_b
        self.axis = axis

    def rows(self) -> Sequence[ConstraintEquation]:
        return (ConstraintEquation("position", 0), ConstraintEquation("position", 1))

    def frames(self) -> tuple[Rotation, Rotation]:
        return frame_along(self.axis), Rotation.identity()

    def faults(self) -> list[Fault]:
        return axis_faults("axis", self.axis)


# A point in a plane.


class PointOnPlane(MarkerConstraint):
    """The origin of marker_b stays in the plane through marker_a with the `normal` (of marker_a)."""

    kind = "point_on_plane"

    def __init__(self, marker_a: Reference, marker_b: Reference, normal: Axis = "z"):
        self.marker_a, self.marker_b = marker_a, marker_b
        self.normal = normal

    def rows(self) -> Sequence[ConstraintEquation]:
        return (ConstraintEquation("position", 2),)

    def frames(self) -> tuple[Rotation, Rotation]:
        return frame_along(self.normal), Rotation.identity()

    def faults(self) -> list[Fault]:
        return axis_faults("normal", self.normal)
