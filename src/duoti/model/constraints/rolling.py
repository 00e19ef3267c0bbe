"""What rolling bodies have in common: a contact point that does not slip on a plane."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    r"""A thin disc rolls on a plane without slipping.

    $$n^T (c - p) = 0, \qquad \dot r + \omega \times (c - r) = 0$$

    $r$ is the centre of the disc, $c$ its lowest point, $p$ a point of the plane and $n$ the normal. The first equation
    holds positions, the others velocities relative to the plane: nonholonomic.

    Parameters
    ----------
    marker:
        Marker or body at the centre; its z axis is the axis of the disc.
    radius:
        Radius of the disc.
    plane:
        Marker whose z axis is the normal, on ground or on a body; by default the plane z = 0.
    """

    kind = "rolling_disc"
    mirrored: ClassVar[Mapping[str, str]] = {"plane": "z axis"}
    shape = "disc"


# A sphere that rolls on a plane.


class RollingSphere(Rolling):
    r"""A sphere rolls on a plane without slipping.

    $$n^T (r - p) = R, \qquad \dot r - R\, \omega \times n = 0$$

    $r$ is the centre, $p$ a point of the plane, $n$ the normal and $R$ the radius. The first equation holds positions,
    the others velocities relative to the plane: nonholonomic.

    Parameters
    ----------
    marker:
        Marker or body at the centre.
    radius:
        Radius of the sphere.
    plane:
        Marker whose z axis is the normal, on ground or on a body; by default the plane z = 0.
    """

    kind = "rolling_sphere"
    mirrored: ClassVar[Mapping[str, str]] = {"plane": "z axis"}
    shape = "sphere"
