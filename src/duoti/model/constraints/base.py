"""What every constraint supplies.

A constraint is a list of scalar equations (约束元, constraint primitives) between two markers, or between joint
coordinates. The equations themselves, with their derivatives, are the kind of equation in `duoti.model.equations`; a
constraint type says which of them it is made of, in one file. With d the vector from marker a to marker b, and axes
of the markers' frames:

    position   d along axis i of a                          = value
    dot        axis i of a times axis j of b                = value
    distance   |d|                                          = value
    coupler    sum of coefficients times joint coordinates  = value
    cam        follower coordinate - table(driver)          = value
    disc, sphere   velocity of the contact point along axis i of a = 0; along the normal (i = 2) also its distance
    edge       velocity of marker b along its axis j        = 0
    equation, rate_equation   what the user wrote           = 0; an equation with velocities becomes a rate_equation

A value is a number or an expression of the time, or a function of it that returns value, rate and second derivative.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from duoti.model.element_id import Fault
from duoti.model.elements import GROUND, JointElement, Reference
from duoti.model.equations import EQUATION_KINDS
from duoti.model.joints.base import axis_faults, frame_along
from duoti.model.laws.law import Value
from duoti.spatial import Rotation
from duoti.spatial.axes import Axis, is_finite_number
from duoti.strict import Strict


@dataclass(frozen=True)
class ConstraintEquation:
    """One scalar equation; see the module's text. `terms`: (joint, coordinate, coefficient) of a coupler or cam.

    Of what the user wrote: `expression`, plus the sum of `rates`, (name, coefficient). "frame:tip.velocity.x" is that
    of a marker or body; `seen_from` another, if given, in whose axes.
    """

    kind: str
    i: int = 2
    j: int = 2
    value: Value = 0.0
    terms: Sequence[tuple[JointElement | str, int, float]] = ()
    expression: float | str = ""
    rates: Sequence[tuple[str, float]] = ()
    seen_from: str = ""

    @property
    def holonomic(self) -> bool:
        """False if it restricts velocities only."""
        return EQUATION_KINDS[self.kind].holonomic(self.i)


class Constraint(Strict):
    """A type of constraint; see the module's text."""

    kind: ClassVar[str]
    units: ClassVar[Mapping[str, str]] = {}
    """Units of parameters whose names alone do not say them: {"stiffness": "N m/rad or N/m"}; `constructor_schema`."""
    mirrored: ClassVar[Mapping[str, str]] = {}
    """How parameters of geometry change in a mirror image (`model.mirror`): "vector", "pseudovector", "vector and
    pseudovector" (six numbers), "matrix" (6 x 6), "same", of a joint "symmetric", of a marker "z axis". Types
    whose other parameters tell directions cannot be mirrored.
    """

    @abstractmethod
    def rows(self) -> Sequence[ConstraintEquation]:
        """Its equations."""

    def markers(self) -> tuple[Reference, Reference]:
        """Marker a and marker b; ground twice for constraints between coordinates."""
        return GROUND, GROUND

    def frames(self) -> tuple[Rotation, Rotation]:
        """Rotations from the markers' frames to those in which the equations count their axes."""
        return Rotation.identity(), Rotation.identity()

    def joints(self) -> Iterable[JointElement | str]:
        """Joints whose coordinates it couples."""
        return [joint for row in self.rows() for joint, _, _ in row.terms]

    def parameter(self) -> float:
        """A number that its equations need (a radius)."""
        return 0.0

    def table(self) -> Any:
        """Rows of a table that its equations need (a cam), or None."""
        return None

    def faults(self) -> list[Fault]:
        """What is wrong with its numbers, in words."""
        return []

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in vars(self).items())})"


def number_faults(what: str, value: Any, positive: bool = False, key: str = "") -> list[Fault]:
    """Why `value` is not a finite (positive) number; key: the parameter, if `what` is not its name."""
    if is_finite_number(value):
        return [Fault(f"{what} is {value}; it must be positive", key or what)] if positive and value <= 0 else []
    return [Fault(f"{what} is {value!r}; it must be a {'positive ' * positive}number", key or what)]


def law_text_faults(key: str, value: Any) -> list[Fault]:
    """Why this is neither a number nor a text."""
    if isinstance(value, str):
        return [] if value.strip() else [Fault(f"{key} is an empty text", key)]
    return number_faults(key, value)


def one_given(item: Any, first: str, second: str) -> list[Fault]:
    """A fault unless exactly one of two parameters is given."""
    given = [name for name in (first, second) if getattr(item, name) is not None]
    if len(given) == 1:
        return []
    if given:
        return [Fault(f"{first} and {second} are both given; give one of them", second)]
    return [Fault(f"nothing is prescribed; give {first} or {second}", first)]


class MarkerConstraint(Constraint):
    """A constraint between two markers."""

    marker_a: Reference
    marker_b: Reference

    def markers(self) -> tuple[Reference, Reference]:
        """Both."""
        return self.marker_a, self.marker_b


class AxesConstraint(MarkerConstraint):
    """A constraint between directions: `axis_a` of marker_a and `axis_b` of marker_b."""

    def __init__(self, marker_a: Reference, marker_b: Reference, axis_a: Axis = "z", axis_b: Axis = "z"):
        self.marker_a, self.marker_b = marker_a, marker_b
        self.axis_a, self.axis_b = axis_a, axis_b

    def frames(self) -> tuple[Rotation, Rotation]:
        return frame_along(self.axis_a), frame_along(self.axis_b)

    def faults(self) -> list[Fault]:
        return axis_faults("axis_a", self.axis_a) + axis_faults("axis_b", self.axis_b)
