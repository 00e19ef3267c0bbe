"""A belt over two pulleys."""

from __future__ import annotations

from collections.abc import Sequence

from duoti.model.constraints.base import Constraint, Row, number_faults
from duoti.model.element_id import Fault
from duoti.model.elements import JointElement


class Belt(Constraint):
    """An inextensible belt over two pulleys: radius_a * angle_a = radius_b * angle_b, opposite if `crossed`."""

    kind = "belt"

    def __init__(
        self,
        joint_a: JointElement | str,
        joint_b: JointElement | str,
        radius_a: float,
        radius_b: float,
        crossed: bool = False,
    ):
        self.joint_a, self.joint_b, self.crossed = joint_a, joint_b, crossed
        self.radius_a, self.radius_b = radius_a, radius_b

    def rows(self) -> Sequence[Row]:
        """See `Constraint.rows`."""
        sign = 1.0 if self.crossed else -1.0
        return (Row("coupler", terms=((self.joint_a, 0, self.radius_a), (self.joint_b, 0, sign * self.radius_b))),)

    def faults(self) -> list[Fault]:
        """See `Constraint.faults`."""
        return number_faults("radius_a", self.radius_a, positive=True) + number_faults(
            "radius_b", self.radius_b, positive=True
        )
