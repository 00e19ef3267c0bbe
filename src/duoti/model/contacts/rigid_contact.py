"""Rigid contact: a set-valued law."""

from __future__ import annotations

from typing import ClassVar, Literal

from duoti.model.contacts.base import ContactLaw, SetValued, range_faults
from duoti.model.element_id import Fault

IMPACTS = ("newton", "poisson", "stronge")


class RigidContact(ContactLaw):
    """Surfaces that do not penetrate, with Coulomb friction; set-valued, so that sticking is exact.

    friction: coefficient of sliding friction. static_friction: of sticking; the same if left out. restitution: share of
    the approach that an impact gives back, 0 (plastic) to 1; `impact` says of what: of the normal velocity ("newton"),
    of the normal impulse ("poisson") or of the energy of compression, as its root ("stronge"). rolling_friction [m]:
    a torque against rolling of at most this arm times the normal force; torsional_friction [m]: the same about the
    normal.
    """

    kind = "rigid_contact"
    rigid = True
    units: ClassVar = {"rolling_friction": "m", "torsional_friction": "m"}

    def __init__(
        self,
        friction: float = 0.0,
        restitution: float = 0.0,
        static_friction: float | None = None,
        impact: Literal["newton", "poisson", "stronge"] = "newton",
        rolling_friction: float = 0.0,
        torsional_friction: float = 0.0,
    ):
        self.friction, self.restitution, self.static_friction = friction, restitution, static_friction
        self.impact: str = impact
        self.rolling_friction, self.torsional_friction = rolling_friction, torsional_friction

    def set_valued(self) -> SetValued:
        return SetValued(
            self.restitution, self.impact, self.static_friction, self.rolling_friction, self.torsional_friction
        )

    def faults(self) -> list[Fault]:
        names = ("friction", "static_friction", "rolling_friction", "torsional_friction")
        found = [*range_faults(self, *names), *range_faults(self, "restitution", most=1.0)]
        if self.impact not in IMPACTS:
            found.append(Fault(f"impact={self.impact!r}: choose one of {', '.join(IMPACTS)}", "impact"))
        if not found and self.static_friction is not None and self.static_friction < self.friction:
            text = f"static_friction is {self.static_friction}, less than friction, {self.friction}"
            found.append(Fault(f"{text}; sticking holds at least what sliding does", "static_friction"))
        return found
