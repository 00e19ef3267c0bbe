"""A joint coordinate that is prescribed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from duoti.model.constraints.base import Constraint, ConstraintEquation, law_text_faults
from duoti.model.element_id import Fault
from duoti.model.elements import JointElement, name_of
from duoti.model.laws.law import Value


class JointMotion(Constraint):
    """A joint coordinate follows `value` [rad or m]: a number, an expression of the time, or a function f(t) that
    returns value, rate and second derivative.

    The multiplier is the driving torque or force."""

    kind = "joint_motion"
    units: ClassVar = {"value": "rad or m"}

    def __init__(self, joint: JointElement | str, value: Value, coordinate: int = 0):
        self.joint, self.value, self.coordinate = joint, value, coordinate

    def rows(self) -> Sequence[ConstraintEquation]:
        """See `Constraint.rows`."""
        return (ConstraintEquation("coupler", value=self.value, terms=((self.joint, self.coordinate, 1.0),)),)


# A joint rate that is prescribed.


class JointSpeed(Constraint):
    """A joint rate follows `value` [rad/s or m/s], a number or an expression of the time and of positions.

    The coordinate itself is free to start anywhere. The multiplier is the driving torque or force."""

    kind = "joint_speed"
    units: ClassVar = {"value": "rad/s or m/s"}

    def __init__(self, joint: JointElement | str, value: float | str, coordinate: int = 0):
        self.joint, self.value, self.coordinate = joint, value, coordinate

    def rows(self) -> Sequence[ConstraintEquation]:
        """See `Constraint.rows`."""
        rate = f"joint:{name_of(self.joint)}.v[{self.coordinate}]"  # pyright: ignore[reportArgumentType]
        return (ConstraintEquation("rate_equation", rates=((rate, 1.0),), expression=f"-({self.value})"),)

    def joints(self) -> Sequence[JointElement | str]:
        """See `Constraint.joints`."""
        return (self.joint,)

    def faults(self) -> list[Fault]:
        """See `Constraint.faults`."""
        found = law_text_faults("value", self.value)
        if isinstance(self.coordinate, int) and self.coordinate < 0:  # pyright: ignore[reportUnnecessaryIsInstance]
            found.append(Fault(f"coordinate is {self.coordinate}; they are counted from 0", "coordinate"))
        return found
