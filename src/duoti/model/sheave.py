"""Sheaves, pulleys and drums of ropes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from duoti.model.element_id import Fault
from duoti.model.elements import Reference
from duoti.spatial.axes import Axis, is_finite_number
from duoti.strict import Strict


@dataclass(eq=False)
class Sheave(Strict):
    """A sheave, pulley or drum of a `Reeving`.

    Parameters
    ----------
    marker:
        Marker or body at its centre. If it has friction, it turns with this body.
    radius:
        Radius of the middle of the rope; 0 for an eye.
    friction:
        Coefficient of friction between rope and sheave; 0 for one that turns freely on its axle, without inertia.
    side:
        1 if the rope runs around it counter-clockwise about `axis`, from start to end, -1 if clockwise. If left out, it
        is the side to which the rope bends in the reference configuration.
    axis:
        Axis, in the axes of the marker or body.
    turns:
        Whole turns of the rope around it, beside the part of a turn that follows from where the rope comes from and
        goes to (between -90 and 270 degrees).
    """

    marker: Reference
    radius: float
    friction: float = 0.0
    side: int | None = None
    axis: Axis = "z"
    turns: int = 0

    units: ClassVar[Mapping[str, str]] = {"friction": "1"}

    def faults(self) -> list[Fault]:
        """What is wrong with its numbers, in words."""
        found = [
            Fault(f"{name} is {value!r}; give a number, 0 or more", "sheaves")
            for name, value in (("radius", self.radius), ("friction", self.friction))
            if not is_finite_number(value) or value < 0.0
        ]
        if found:
            return found
        if self.side not in (None, 1, -1):
            found.append(Fault(f"side is {self.side!r}; it is 1 (counter-clockwise about the axis) or -1", "sheaves"))
        turns: Any = self.turns
        if isinstance(turns, bool) or not isinstance(turns, int) or turns < 0:
            found.append(Fault(f"turns is {turns!r}; give a whole number, 0 or more", "sheaves"))
        if self.friction > 0.0 and self.radius == 0.0:
            found.append(Fault("an eye (radius 0) has no friction: give a radius", "sheaves"))
        return found


RopeEnd = Reference | Sheave | None
"""A marker or body, or a drum; nothing at a closed belt."""
