"""A marker whose position is prescribed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from duoti.model.constraints.base import MarkerConstraint, Row
from duoti.model.element_id import Fault
from duoti.model.elements import GROUND, Reference
from duoti.model.laws import Value


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

    def rows(self) -> Sequence[Row]:
        """See `Constraint.rows`."""
        return [Row("position", i, value=value) for i, value in enumerate(self.position) if value is not None]

    def faults(self) -> list[Fault]:
        """See `Constraint.faults`."""
        given: Any = self.position
        listed = isinstance(given, Sequence | np.ndarray) and not isinstance(given, str) and len(given) == 3
        if not listed or all(value is None for value in given):
            return [Fault(f"position is {given!r}; give (x, y, z), None for a component that is free", "position")]
        return []
