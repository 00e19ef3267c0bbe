"""Compliant contact: a force that grows with the penetration."""

from __future__ import annotations

from typing import ClassVar, Literal

from duoti.model.contacts.base import ContactLaw, range_faults
from duoti.model.element_id import Fault

DAMPINGS = ("linear", "hunt_crossley")
TENSIONS = ("none", "allowed")


class CompliantContact(ContactLaw):
    """A force that grows with the penetration d: stiffness d^exponent, with damping and regularised friction.

    exponent: 1 is a linear spring, 1.5 Hertz's law for curved surfaces (stiffness in N/m^exponent). damping: "linear"
    adds damping dd/dt [N s/m] while there is contact; "hunt_crossley" multiplies the spring force by 1 + damping dd/dt
    [s/m]: with damping = 1.5 (1 - e) / v it gives back about the share e of an approach speed v (Hunt & Crossley 1975),
    with damping = 0.75 (1 - e^2) / v it is the law of Lankarani & Nikravesh (1990). Surfaces do not pull at each other
    unless tension is "allowed": then a linear damper acts until the surfaces have parted. friction: Coulomb's
    coefficient, reached at slip speeds well above slip_speed [m/s]; viscous_friction [s/m]: a force of this times the
    normal force and the slip velocity.
    """

    kind = "compliant_contact"
    rigid = False
    units: ClassVar = {"stiffness": "N/m", "damping": "N s/m or s/m", "slip_speed": "m/s", "viscous_friction": "s/m"}

    def __init__(
        self,
        stiffness: float,
        exponent: float = 1.0,
        damping: float = 0.0,
        friction: float = 0.0,
        damping_law: Literal["linear", "hunt_crossley"] = "linear",
        slip_speed: float = 1e-3,
        viscous_friction: float = 0.0,
        tension: Literal["none", "allowed"] = "none",
    ):
        self.stiffness, self.exponent, self.damping, self.friction = stiffness, exponent, damping, friction
        self.damping_law: str = damping_law
        self.slip_speed, self.viscous_friction = slip_speed, viscous_friction
        self.tension: str = tension

    def faults(self) -> list[Fault]:
        """See `ContactLaw.faults`."""
        found = range_faults(self, "stiffness", "exponent", "damping", "friction", "slip_speed", "viscous_friction")
        for name, choices in (("damping_law", DAMPINGS), ("tension", TENSIONS)):
            if getattr(self, name) not in choices:
                found.append(Fault(f"{name}={getattr(self, name)!r}: choose one of {', '.join(choices)}", name))
        if found:
            return found
        if self.exponent < 1.0:
            found.append(Fault(f"exponent is {self.exponent}; it must be at least 1", "exponent"))
        if self.slip_speed == 0.0:
            found.append(Fault("slip_speed is zero; give a small speed, or use dt.RigidContact", "slip_speed"))
        return found
