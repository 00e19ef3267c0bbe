"""A rigid massless rod between two points."""

from __future__ import annotations

from collections.abc import Sequence

from duoti.model.constraints.base import ConstraintEquation, MarkerConstraint, number_faults
from duoti.model.element_id import Fault
from duoti.model.elements import Reference


class Distance(MarkerConstraint):
    r"""Two points keep a given distance: a massless rod with ball joints at both ends.

    $$|r_b - r_a| = \ell(t)$$

    Parameters
    ----------
    marker_a, marker_b:
        Markers or bodies whose origins are the points.
    length:
        Distance $\ell$: a positive number, or an expression of the time.
    """

    kind = "distance"

    def __init__(self, marker_a: Reference, marker_b: Reference, length: float | str):
        self.marker_a, self.marker_b = marker_a, marker_b
        self.length = length

    def rows(self) -> Sequence[ConstraintEquation]:
        return (ConstraintEquation("distance", value=self.length),)

    def faults(self) -> list[Fault]:
        if isinstance(self.length, str):
            return []
        remark = " (for zero distance use dt.Spherical or dt.Weld)"
        faults = number_faults("length", self.length, positive=True)
        return [Fault(fault.text + remark, fault.key) for fault in faults]
