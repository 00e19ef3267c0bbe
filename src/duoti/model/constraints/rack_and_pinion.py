"""A rack and its pinion."""

from __future__ import annotations

from collections.abc import Sequence

from duoti.model.constraints.base import Constraint, Row, number_faults
from duoti.model.element_id import Fault
from duoti.model.elements import JointElement


class RackAndPinion(Constraint):
    """The rack moves by radius [m] times the angle of the pinion: position = radius * angle."""

    kind = "rack_and_pinion"

    def __init__(self, pinion: JointElement | str, rack: JointElement | str, radius: float):
        self.pinion, self.rack, self.radius = pinion, rack, radius

    def rows(self) -> Sequence[Row]:
        """See `Constraint.rows`."""
        return (Row("coupler", terms=((self.rack, 0, 1.0), (self.pinion, 0, -self.radius))),)

    def faults(self) -> list[Fault]:
        """See `Constraint.faults`."""
        return number_faults("radius", self.radius)
