"""A marker whose position is prescribed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from duoti.model.constraints.base import Constraint, ConstraintEquation, MarkerConstraint, law_text_faults
from duoti.model.element_id import Fault
from duoti.model.elements import GROUND, Reference, name_of
from duoti.model.laws.law import Value


class MarkerMotion(MarkerConstraint):
    """The origin of `marker` moves to (x, y, z) [m], numbers or expressions of the time, or functions f(t) that return
    value, rate and second derivative, seen from `reference`.

    None leaves a component free. The multipliers are the driving forces [N].
    """

    kind = "marker_motion"

    def __init__(self, marker: Reference, position: Sequence[Value | None], reference: Reference = GROUND):
        self.marker_a, self.marker_b, self.position = reference, marker, position

    @property
    def marker(self) -> Reference:
        """The marker that moves."""
        return self.marker_b

    @property
    def reference(self) -> Reference:
        """The frame from which the motion is seen."""
        return self.marker_a

    def rows(self) -> Sequence[ConstraintEquation]:
        """See `Constraint.rows`."""
        return [
            ConstraintEquation("position", i, value=value) for i, value in enumerate(self.position) if value is not None
        ]

    def faults(self) -> list[Fault]:
        """See `Constraint.faults`."""
        given: Any = self.position
        listed = isinstance(given, Sequence | np.ndarray) and not isinstance(given, str) and len(given) == 3
        if not listed or all(value is None for value in given):
            return [Fault(f"position is {given!r}; give (x, y, z), None for a component that is free", "position")]
        return []


# A marker whose velocity is prescribed.


class MarkerSpeed(Constraint):
    """The origin of `marker` has the velocity (x, y, z) [m/s] in the world: numbers, or expressions of time and place.

    None leaves a component free. The position is free to start anywhere. The multipliers are the driving forces [N].
    """

    kind = "marker_speed"

    def __init__(self, marker: Reference, velocity: Sequence[float | str | None]):
        self.marker, self.velocity = marker, velocity

    def rows(self) -> Sequence[ConstraintEquation]:
        """See `Constraint.rows`."""
        name = name_of(self.marker)
        return [
            ConstraintEquation(
                "rate_equation", rates=((f"frame:{name}.velocity.{axis}", 1.0),), expression=f"-({value})"
            )
            for axis, value in zip("xyz", self.velocity, strict=True)
            if value is not None
        ]

    def markers(self) -> tuple[Reference, Reference]:
        """See `Constraint.markers`."""
        return GROUND, self.marker

    def faults(self) -> list[Fault]:
        """See `Constraint.faults`."""
        given: Any = self.velocity
        listed = isinstance(given, Sequence | np.ndarray) and not isinstance(given, str) and len(given) == 3
        if not listed or all(value is None for value in given):
            return [Fault(f"velocity is {given!r}; give (x, y, z), None for a component that is free", "velocity")]
        return [fault for value in given if value is not None for fault in law_text_faults("velocity", value)]
