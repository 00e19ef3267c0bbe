"""A marker whose position or velocity is prescribed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from duoti.model.constraints.base import ConstraintEquation, MarkerConstraint, law_text_faults, one_given
from duoti.model.element_id import Fault
from duoti.model.elements import GROUND, Reference, name_of
from duoti.model.laws.law import Value


class MarkerMotion(MarkerConstraint):
    r"""The origin of a marker, or its velocity, follows prescribed functions of time.

    $$r = (x(t), y(t), z(t)) \qquad \text{or} \qquad \dot r = (u, v, w)(t, r)$$

    With a velocity, the position may start anywhere. `None` leaves a component free. The multipliers are the driving
    forces.

    Parameters
    ----------
    marker:
        Marker or body that moves.
    position:
        Three components: numbers, expressions of the time, or functions f(t) that return value, rate and second
        derivative.
    reference:
        Marker or body from which the motion is seen.
    velocity:
        Three components of the velocity in place of `position`: numbers, or expressions of time and place.
    """

    kind = "marker_motion"
    mirrored: ClassVar[Mapping[str, str]] = {"position": "vector", "velocity": "vector"}
    units: ClassVar = {"position": "m", "velocity": "m/s"}

    def __init__(
        self,
        marker: Reference,
        position: Sequence[Value | None] | None = None,
        reference: Reference = GROUND,
        velocity: Sequence[float | str | None] | None = None,
    ):
        self.marker_a, self.marker_b, self.position, self.velocity = reference, marker, position, velocity

    @property
    def marker(self) -> Reference:
        """The marker that moves."""
        return self.marker_b

    @property
    def reference(self) -> Reference:
        """The frame from which the motion is seen."""
        return self.marker_a

    def rows(self) -> Sequence[ConstraintEquation]:
        if self.velocity is None:
            return [
                ConstraintEquation("position", i, value=value)
                for i, value in enumerate(self.position or ())
                if value is not None
            ]
        name, seen_from = name_of(self.marker), name_of(self.reference)
        return [
            ConstraintEquation(
                "rate_equation",
                rates=((f"frame:{name}.velocity.{axis}", 1.0),),
                expression=f"-({value})",
                seen_from="" if seen_from == GROUND else seen_from,
            )
            for axis, value in zip("xyz", self.velocity, strict=True)
            if value is not None
        ]

    def faults(self) -> list[Fault]:
        if found := one_given(self, "position", "velocity"):
            return found
        key = "position" if self.velocity is None else "velocity"
        given: Any = getattr(self, key)
        listed = isinstance(given, Sequence | np.ndarray) and not isinstance(given, str) and len(given) == 3
        if not listed or all(value is None for value in given):
            return [Fault(f"{key} is {given!r}; give (x, y, z), None for a component that is free", key)]
        if key == "position":
            return []
        return [fault for value in given if value is not None for fault in law_text_faults(key, value)]
