"""A given angle between two axes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar

from duoti.model.constraints.base import AxesConstraint, ConstraintEquation, number_faults
from duoti.model.element_id import Fault
from duoti.model.elements import Reference
from duoti.spatial.axes import Axis


class Angle(AxesConstraint):
    r"""Two axes keep a given angle.

    $$a^T b = \cos\varphi(t)$$

    $a$ and $b$ are unit vectors, fixed in the two markers. Angles of 0 and $\pi$ are singular: use `Parallel`.

    Parameters
    ----------
    marker_a, marker_b:
        Markers or bodies with the axes.
    angle:
        Angle $\varphi$: a number, or an expression of the time.
    axis_a, axis_b:
        Axes in the frames of the markers: letters or vectors.
    """

    kind = "angle"
    mirrored: ClassVar[Mapping[str, str]] = {"axis_a": "vector", "axis_b": "vector"}

    def __init__(
        self,
        marker_a: Reference,
        marker_b: Reference,
        angle: float | str,
        axis_a: Axis = "z",
        axis_b: Axis = "z",
    ):
        self.marker_a, self.marker_b = marker_a, marker_b
        self.angle = angle
        self.axis_a, self.axis_b = axis_a, axis_b

    def rows(self) -> Sequence[ConstraintEquation]:
        return (ConstraintEquation("dot", 2, 2, value=f"cos({self.angle})"),)

    def faults(self) -> list[Fault]:
        faults = super().faults()
        if isinstance(self.angle, str):
            return faults
        wrong = number_faults("angle", self.angle)
        if not wrong and abs(math.sin(self.angle)) < 1e-6:
            wrong = [Fault(f"angle is {self.angle}; at 0 and pi the axes are parallel: use dt.Parallel", "angle")]
        return faults + wrong
