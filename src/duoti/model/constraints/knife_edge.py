"""A knife edge or skate: no sideways velocity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from duoti.model.constraints.base import ConstraintEquation, MarkerConstraint
from duoti.model.element_id import Fault
from duoti.model.elements import GROUND, Reference
from duoti.model.joints.base import axis_faults, frame_along
from duoti.spatial import Rotation
from duoti.spatial.axes import Axis


class KnifeEdge(MarkerConstraint):
    r"""A point has no velocity along one axis of its body: a skate, a blade, a wheel. Nonholonomic.

    $$a^T \dot r = 0$$

    The axis $a$ moves with the marker; the velocity is relative to ground.

    Parameters
    ----------
    marker:
        Marker or body at the edge.
    axis:
        Axis of the marker across the edge: a letter or a vector.
    """

    kind = "knife_edge"
    mirrored: ClassVar[Mapping[str, str]] = {"axis": "vector"}

    def __init__(self, marker: Reference, axis: Axis = "y"):
        self.marker_a, self.marker_b, self.axis = GROUND, marker, axis

    @property
    def marker(self) -> Reference:
        """Where the edge is."""
        return self.marker_b

    def rows(self) -> Sequence[ConstraintEquation]:
        return (ConstraintEquation("edge", 2, 2),)

    def frames(self) -> tuple[Rotation, Rotation]:
        return Rotation.identity(), frame_along(self.axis)

    def faults(self) -> list[Fault]:
        return axis_faults("axis", self.axis)
