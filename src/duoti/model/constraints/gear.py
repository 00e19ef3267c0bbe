"""A pair of gears."""

from __future__ import annotations

from collections.abc import Sequence

from duoti.model.constraints.base import Constraint, ConstraintEquation, number_faults
from duoti.model.element_id import Fault
from duoti.model.elements import JointElement


class Gear(Constraint):
    """Two angles turn at a constant ratio: angle_b = ratio * angle_a; negative for outer toothing.

    The ratio is that of the numbers of teeth, z_a / z_b. Both angles are zero together."""

    kind = "gear"

    def __init__(self, joint_a: JointElement | str, joint_b: JointElement | str, ratio: float):
        self.joint_a, self.joint_b, self.ratio = joint_a, joint_b, ratio

    def rows(self) -> Sequence[ConstraintEquation]:
        return (ConstraintEquation("coupler", terms=((self.joint_b, 0, 1.0), (self.joint_a, 0, -self.ratio))),)

    def faults(self) -> list[Fault]:
        return number_faults("ratio", self.ratio)


# A belt over two pulleys.


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

    def rows(self) -> Sequence[ConstraintEquation]:
        sign = 1.0 if self.crossed else -1.0
        return (
            ConstraintEquation(
                "coupler", terms=((self.joint_a, 0, self.radius_a), (self.joint_b, 0, sign * self.radius_b))
            ),
        )

    def faults(self) -> list[Fault]:
        return number_faults("radius_a", self.radius_a, positive=True) + number_faults(
            "radius_b", self.radius_b, positive=True
        )


# A rack and its pinion.


class RackAndPinion(Constraint):
    """The rack moves by radius [m] times the angle of the pinion: position = radius * angle."""

    kind = "rack_and_pinion"

    def __init__(self, pinion: JointElement | str, rack: JointElement | str, radius: float):
        self.pinion, self.rack, self.radius = pinion, rack, radius

    def rows(self) -> Sequence[ConstraintEquation]:
        return (ConstraintEquation("coupler", terms=((self.rack, 0, 1.0), (self.pinion, 0, -self.radius))),)

    def faults(self) -> list[Fault]:
        return number_faults("radius", self.radius)
