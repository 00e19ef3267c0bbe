"""What the joints with one axis have in common: the axis, and a frame with z along it."""

from __future__ import annotations

from duoti.model.element_id import Fault
from duoti.model.joints.base import Joint, axis_faults, axis_remarks, frame_along
from duoti.spatial import Rotation
from duoti.spatial.axes import Axis


class AxialJoint(Joint):
    """A joint with one axis: a letter ("x", "-z") or a vector."""

    axis: Axis
    axis_name = "axis"

    def faults(self) -> list[Fault]:
        """See `Joint.faults`."""
        return axis_faults(self.axis_name, self.axis)

    def remarks(self) -> list[Fault]:
        """See `Joint.remarks`."""
        return axis_remarks(self.axis_name, self.axis)

    def frame(self) -> Rotation:
        """Z along the axis."""
        return frame_along(self.axis)
