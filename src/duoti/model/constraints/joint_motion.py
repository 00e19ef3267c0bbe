"""A joint coordinate, or its rate, that is prescribed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from duoti.model.constraints.base import Constraint, ConstraintEquation, law_text_faults, one_given
from duoti.model.element_id import Fault
from duoti.model.elements import JointElement, name_of
from duoti.model.laws.law import Value


class JointMotion(Constraint):
    r"""A joint coordinate, or its velocity, follows a prescribed function of time. The drive is a result channel.

    $$q = q(t) \qquad \text{or} \qquad v = v(t, q)$$

    With a velocity, the coordinate itself may start anywhere. The multiplier is the driving torque or force.

    Parameters
    ----------
    joint:
        The joint.
    value:
        Coordinate: a number, an expression of the time, or a function f(t) that returns value, rate and second
        derivative.
    coordinate:
        Number of the coordinate of a joint with several, from 0.
    velocity:
        Velocity in place of `value`: a number, or an expression of the time and of positions.
    """

    kind = "joint_motion"
    units: ClassVar = {"value": "rad or m", "velocity": "rad/s or m/s"}

    def __init__(
        self,
        joint: JointElement | str,
        value: Value | None = None,
        coordinate: int = 0,
        velocity: float | str | None = None,
    ):
        self.joint, self.value, self.coordinate, self.velocity = joint, value, coordinate, velocity

    def rows(self) -> Sequence[ConstraintEquation]:
        if self.velocity is None:
            value = 0.0 if self.value is None else self.value
            return (ConstraintEquation("coupler", value=value, terms=((self.joint, self.coordinate, 1.0),)),)
        rate = f"joint:{name_of(self.joint)}.v[{self.coordinate}]"  # pyright: ignore[reportArgumentType]
        return (ConstraintEquation("rate_equation", rates=((rate, 1.0),), expression=f"-({self.velocity})"),)

    def joints(self) -> Sequence[JointElement | str]:
        return (self.joint,)

    def faults(self) -> list[Fault]:
        found = one_given(self, "value", "velocity")
        if self.velocity is not None:
            found += law_text_faults("velocity", self.velocity)
            if isinstance(self.coordinate, int) and self.coordinate < 0:  # pyright: ignore[reportUnnecessaryIsInstance]
                found.append(Fault(f"coordinate is {self.coordinate}; they are counted from 0", "coordinate"))
        return found
