"""A joint coordinate that is prescribed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from duoti.model.constraints.base import Constraint, Row
from duoti.model.elements import JointElement
from duoti.model.laws import Value


class JointMotion(Constraint):
    """A joint coordinate follows `value` [rad or m]: a number, an expression of the time, or a function f(t) that
    returns value, rate and second derivative.

    The multiplier is the driving torque or force."""

    kind = "joint_motion"
    units: ClassVar = {"value": "rad or m"}

    def __init__(self, joint: JointElement | str, value: Value, coordinate: int = 0):
        self.joint, self.value, self.coordinate = joint, value, coordinate

    def rows(self) -> Sequence[Row]:
        """See `Constraint.rows`."""
        return (Row("coupler", value=self.value, terms=((self.joint, self.coordinate, 1.0),)),)
