"""A point on a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from duoti.model.constraints.base import ConstraintEquation, MarkerConstraint
from duoti.model.element_id import Fault
from duoti.model.elements import Reference
from duoti.model.joints.base import axis_faults, frame_along
from duoti.spatial import Rotation
from duoti.spatial.axes import Axis


class PointOnLine(MarkerConstraint):
    r"""A point stays on a straight line.

    $$a_1^T (r_b - r_a) = 0, \qquad a_2^T (r_b - r_a) = 0$$

    $a_1$ and $a_2$ are perpendicular to the line and fixed in marker_a.

    Parameters
    ----------
    marker_a:
        Marker or body that carries the line, through its origin.
    marker_b:
        Marker or body whose origin stays on the line.
    axis:
        Direction of the line in the frame of marker_a: a letter or a vector.
    """

    kind = "point_on_line"
    mirrored: ClassVar[Mapping[str, str]] = {"axis": "vector"}

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
    """A point stays in a plane.

    $$n^T (r_b - r_a) = 0$$

    Parameters
    ----------
    marker_a:
        Marker or body that carries the plane, through its origin.
    marker_b:
        Marker or body whose origin stays in the plane.
    normal:
        Normal $n$ in the frame of marker_a: a letter or a vector.
    """

    kind = "point_on_plane"
    mirrored: ClassVar[Mapping[str, str]] = {"normal": "vector"}

    def __init__(self, marker_a: Reference, marker_b: Reference, normal: Axis = "z"):
        self.marker_a, self.marker_b = marker_a, marker_b
        self.normal = normal

    def rows(self) -> Sequence[ConstraintEquation]:
        return (ConstraintEquation("position", 2),)

    def frames(self) -> tuple[Rotation, Rotation]:
        return frame_along(self.normal), Rotation.identity()

    def faults(self) -> list[Fault]:
        return axis_faults("normal", self.normal)
