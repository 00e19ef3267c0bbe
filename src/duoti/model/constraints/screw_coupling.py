"""A spindle and its nut as two joints."""

from __future__ import annotations

import math
from collections.abc import Sequence

from duoti.model.constraints.base import Constraint, ConstraintEquation, number_faults
from duoti.model.element_id import Fault
from duoti.model.elements import JointElement


class ScrewCoupling(Constraint):
    r"""A slide advances in proportion to the angle of a hinge elsewhere: a spindle and its nut.

    $$x = \frac{p}{2\pi}\, q$$

    Parameters
    ----------
    turn:
        Joint with the angle $q$.
    slide:
        Joint with the position $x$.
    lead_per_turn:
        Advance $p$ with every turn.
    """

    kind = "screw_coupling"

    def __init__(self, turn: JointElement | str, slide: JointElement | str, lead_per_turn: float):
        self.turn, self.slide, self.lead_per_turn = turn, slide, lead_per_turn

    def rows(self) -> Sequence[ConstraintEquation]:
        per_radian = self.lead_per_turn / (2.0 * math.pi)
        return (ConstraintEquation("coupler", terms=((self.slide, 0, 1.0), (self.turn, 0, -per_radian))),)

    def faults(self) -> list[Fault]:
        return number_faults("lead_per_turn", self.lead_per_turn)
