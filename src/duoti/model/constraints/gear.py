"""A pair of gears."""

from __future__ import annotations

from collections.abc import Sequence

from duoti.model.constraints.base import Constraint, ConstraintEquation, number_faults
from duoti.model.element_id import Fault
from duoti.model.elements import JointElement


class Gear(Constraint):
    r"""Two angles turn at a constant ratio.

    $$q_b = i\, q_a$$

    For a pair of external gears the ratio is negative, $i = -z_a / z_b$, with the numbers of teeth $z$. Both angles are
    zero together.

    Parameters
    ----------
    joint_a, joint_b:
        Revolute joints of the wheels.
    ratio:
        Ratio $i$ of the angles; negative if the wheels turn in opposite directions.
    """

    kind = "gear"

    def __init__(self, joint_a: JointElement | str, joint_b: JointElement | str, ratio: float):
        self.joint_a, self.joint_b, self.ratio = joint_a, joint_b, ratio

    def rows(self) -> Sequence[ConstraintEquation]:
        return (ConstraintEquation("coupler", terms=((self.joint_b, 0, 1.0), (self.joint_a, 0, -self.ratio))),)

    def faults(self) -> list[Fault]:
        return number_faults("ratio", self.ratio)


# A belt over two pulleys.


class Belt(Constraint):
    r"""Inextensible belt over two pulleys.

    $$r_a\, q_a = \pm\, r_b\, q_b$$

    The sign is positive for an open belt and negative for a crossed one. Both angles are zero together.

    Parameters
    ----------
    joint_a, joint_b:
        Revolute joints of the pulleys.
    radius_a, radius_b:
        Radii of the pulleys.
    crossed:
        Whether the belt is crossed, so that the pulleys turn in opposite directions.
    """

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
    r"""A rack moves in proportion to the angle of a pinion.

    $$x = r\, q$$

    Parameters
    ----------
    pinion:
        Revolute joint of the pinion, with the angle $q$.
    rack:
        Prismatic joint of the rack, with the position $x$.
    radius:
        Pitch radius $r$; negative to reverse the direction.
    """

    kind = "rack_and_pinion"

    def __init__(self, pinion: JointElement | str, rack: JointElement | str, radius: float):
        self.pinion, self.rack, self.radius = pinion, rack, radius

    def rows(self) -> Sequence[ConstraintEquation]:
        return (ConstraintEquation("coupler", terms=((self.rack, 0, 1.0), (self.pinion, 0, -self.radius))),)

    def faults(self) -> list[Fault]:
        return number_faults("radius", self.radius)
