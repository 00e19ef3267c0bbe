"""What rolling bodies have in common: a contact point that does not slip on a plane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from duoti.model.constraints.base import ConstraintEquation, MarkerConstraint, number_faults
from duoti.model.element_id import Fault
from duoti.model.elements import GROUND, Reference


class Rolling(MarkerConstraint):
    """Rolls without slipping on the plane through marker `plane` (its z is the normal), on ground or on a body.

    One equation of position keeps contact, two of velocity forbid slip (nonholonomic).
    """

    shape: ClassVar[str]

    def __init__(self, marker: Reference, radius: float, plane: Reference = GROUND):
        self.marker_a, self.marker_b, self.radius = plane, marker, radius

    @property
    def marker(self) -> Reference:
        """The centre of what rolls."""
        return self.marker_b

    @property
    def plane(self) -> Reference:
        """What it rolls on."""
        return self.marker_a

    def rows(self) -> Sequence[ConstraintEquation]:
        return (
            ConstraintEquation(self.shape, 2),
            ConstraintEquation(self.shape, 0),
            ConstraintEquation(self.shape, 1),
        )

    def parameter(self) -> float:
        """The radius."""
        return float(self.radius)

    def faults(self) -> list[Fault]:
        return number_faults("radius", self.radius, positive=True)


# A thin disc, coin or wheel that rolls on a plane.


class RollingDisc(Rolling):
    """A thin disc with its axis along z of `marker`, which is at its centre, rolls without slipping on a plane.

    radius [m]; `plane`: a marker, on ground or on a body, whose z is the normal (default: the plane z = 0).
    """

    kind = "rolling_disc"
    shape = "disc"


# A sphere that rolls on a plane.


class RollingSphere(Rolling):
    """A sphere with its centre at `marker` rolls without slipping on a plane.

    radius [m]; `plane`: a marker, on ground or on a body, whose z is the normal (default: the plane z = 0).
    """

    kind = "rolling_sphere"
    shape = "sphere"
