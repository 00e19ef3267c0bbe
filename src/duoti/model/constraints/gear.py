"""A pair of gears."""

from __future__ import annotations

from collections.abc import Sequence

from duoti.model.constraints.base import Constraint, Row, number_faults
from duoti.model.element_id import Fault
from duoti.model.elements import JointElement


class Gear(Constraint):
    """Two angles turn at a constant ratio: angle_b = ratio * angle_a; negative for outer toothing.

    The ratio is that of the numbers of teeth, z_a / z_b. Both angles are zero together."""

    kind = "gear"

    def __init__(self, joint_a: JointElement | str, joint_b: JointElement | str, ratio: float):
        self.joint_a, self.joint_b, self.ratio = joint_a, joint_b, ratio

    def rows(self) -> Sequence[Row]:
        """See `Constraint.rows`."""
        return (Row("coupler", terms=((self.joint_b, 0, 1.0), (self.joint_a, 0, -self.ratio))),)

    def faults(self) -> list[Fault]:
        """See `Constraint.faults`."""
        return number_faults("ratio", self.ratio)
