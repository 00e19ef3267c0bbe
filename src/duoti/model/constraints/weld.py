"""Two markers welded together."""

from __future__ import annotations

from collections.abc import Sequence

from duoti.model.constraints.base import ConstraintEquation, MarkerConstraint
from duoti.model.elements import Reference


class Weld(MarkerConstraint):
    r"""Two markers coincide, in position and orientation.

    $$r_a = r_b, \qquad R_a = R_b$$

    It closes a loop where a `Fixed` joint would build the tree.

    Parameters
    ----------
    marker_a, marker_b:
        Markers or bodies whose frames coincide.
    """

    kind = "weld"

    def __init__(self, marker_a: Reference, marker_b: Reference):
        self.marker_a, self.marker_b = marker_a, marker_b

    def rows(self) -> Sequence[ConstraintEquation]:
        return (
            *(ConstraintEquation("position", i) for i in range(3)),
            ConstraintEquation("dot", 0, 1), ConstraintEquation("dot", 1, 2), ConstraintEquation("dot", 2, 0),
        )  # fmt: skip
