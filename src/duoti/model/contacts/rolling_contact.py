"""Rolling contact: a wheel that is pressed on its rail, with creep forces."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar, Literal

from duoti.model.contacts.base import ContactLaw, SetValued, range_faults
from duoti.model.element_id import Fault

SATURATIONS = ("tanh", "vermeulen_johnson")
KINEMATICS = ("spatial", "track")
NUMBERS = ("shear_modulus", "poisson_ratio", "friction", "c11", "c22", "c23", "axis_ratio", "saturation", "kinematics",
           "slow_speed")  # fmt: skip
SHEAR_MODULUS, POISSON, FRICTION, C11, C22, C23, AXIS_RATIO, SATURATION, BY_TRACK, SLOW_SPEED = range(len(NUMBERS))
NO_CREEP = (0.0,) * len(NUMBERS)
CREEP_NUMBERS = 18  # of each point, in the workspace of contacts (`contact.creep`)


class RollingContact(ContactLaw):
    """A wheel (a surface of revolution, b) that rolls on a rail or plane: nothing penetrates, friction is creep.

    Where elastic bodies roll on each other, a force comes from small relative velocities, the creepages (Kalker 1967).
    With the speed of rolling V, the velocity of the wheel at the point of contact less that of the rail (v_x along the
    rolling, v_y across) and its turning about the normal, omega_n:

        F_x = -G c² c11 v_x / V,      F_y = -G c² c22 v_y / V - G c³ c23 omega_n / V

    G: shear_modulus [Pa] of both. `kalker`: the coefficients (c11, c22, c23) of Kalker's tables, for the ratio of the
    ellipse's axes and poisson_ratio. c = sqrt(a b), the mean radius of the ellipse of contact, follows from the normal
    force of the same instant and the curvatures of both surfaces where they touch (Hertz); axis_ratio: b / a of the
    ellipse, the smaller by the larger; left out, it follows from the curvatures, too. Forces stay below friction times
    the normal force: saturation "tanh" takes mu N tanh(F / mu N) of each component and shortens the sum to mu N;
    "vermeulen_johnson" makes their sum F = mu N (e - e²/3 + e³/27), e = F/mu N, until it slides at e = 3.

    kinematics: "spatial" takes velocities in the plane of contact. "track" measures as the wheelset of the Test Set for
    IVP Solvers does: yaw theta against the track, divided by cos delta of the angle of contact delta against the
    track's plane, and the spin from delta and the rates of yaw and of the wheel's own rotation. Below slow_speed
    [m/s] of rolling creepages fade out: what stands gives way by this speed times a creepage. The moment about the
    normal is left out. Event-driven impacts are without friction, with the restitution given; in time stepping impulses
    count as forces over the step.
    """

    kind = "rolling_contact"
    rigid = True
    units: ClassVar = {"shear_modulus": "Pa", "slow_speed": "m/s", "kalker": "1", "poisson_ratio": "1"}

    def __init__(
        self,
        friction: float,
        shear_modulus: float,
        poisson_ratio: float,
        kalker: Sequence[float],
        axis_ratio: float | None = None,
        saturation: Literal["tanh", "vermeulen_johnson"] = "tanh",
        kinematics: Literal["spatial", "track"] = "spatial",
        slow_speed: float = 1e-3,
        restitution: float = 0.0,
    ):
        self.friction, self.shear_modulus, self.poisson_ratio = friction, shear_modulus, poisson_ratio
        self.kalker, self.axis_ratio = kalker, axis_ratio
        self.saturation: str = saturation
        self.kinematics: str = kinematics
        self.slow_speed, self.restitution = slow_speed, restitution

    def set_valued(self) -> SetValued:
        return SetValued(self.restitution)

    def faults(self) -> list[Fault]:
        found = range_faults(self, "friction", "shear_modulus", "slow_speed")
        found += range_faults(self, "restitution", "axis_ratio", most=1.0)
        found += range_faults(self, "poisson_ratio", most=0.5)
        for name, choices in (("saturation", SATURATIONS), ("kinematics", KINEMATICS)):
            if getattr(self, name) not in choices:
                found.append(Fault(f"{name}={getattr(self, name)!r}: choose one of {', '.join(choices)}", name))
        try:
            sound = len(self.kalker) == 3 and all(math.isfinite(c) and c >= 0.0 for c in self.kalker)
        except TypeError:
            sound = False
        if not sound:
            text = f"kalker is {self.kalker!r}; give the three coefficients (c11, c22, c23) of Kalker's tables"
            found.append(Fault(text, "kalker"))
        if found:
            return found
        for name in ("friction", "shear_modulus", "slow_speed", "axis_ratio"):
            if getattr(self, name) == 0.0:
                found.append(Fault(f"{name} is zero; give a positive number", name))
        return found

    def creep_numbers(self) -> tuple[float, ...]:
        """What kernels need to know, in the order of `NUMBERS`."""
        c11, c22, c23 = self.kalker
        choices = (SATURATIONS.index(self.saturation), KINEMATICS.index(self.kinematics))
        return (self.shear_modulus, self.poisson_ratio, self.friction, c11, c22, c23, self.axis_ratio or 0.0,
                *map(float, choices), self.slow_speed)  # fmt: skip
