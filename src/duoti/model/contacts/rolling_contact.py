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
    r"""Wheel on rail: rigid in the normal direction, creep forces by Kalker's linear theory in the tangential plane.

    $$F_x = -G\, c^2 c_{11} \frac{v_x}{V}, \qquad
    F_y = -G\, c^2 c_{22} \frac{v_y}{V} - G\, c^3 c_{23} \frac{\omega_n}{V}$$

    $V$ is the speed of rolling, $v_x$ and $v_y$ the velocity of the wheel relative to the rail, $\omega_n$ the spin.
    The mean radius $c = \sqrt{a b}$ of the contact ellipse follows from the normal force and the curvatures (Hertz).
    The wheel is body b, a surface of revolution.

    Saturation keeps the force below friction times the normal force. "tanh" applies $\mu N \tanh(F / \mu N)$ to each
    component. "vermeulen_johnson" uses $F = \mu N (\epsilon - \epsilon^2/3 + \epsilon^3/27)$ until it slides at
    $\epsilon = 3$.

    Below `slow_speed` creepages fade out. The moment about the normal is neglected. Located impacts are without
    friction.

    Parameters
    ----------
    friction:
        Coefficient of friction $\mu$.
    shear_modulus:
        Shear modulus $G$ of both bodies.
    poisson_ratio:
        Poisson's ratio of both bodies.
    kalker:
        Kalker's coefficients $(c_{11}, c_{22}, c_{23})$ for the ratio of axes and Poisson's ratio.
    axis_ratio:
        Smaller over larger axis of the contact ellipse; by default from the curvatures.
    saturation:
        "tanh" or "vermeulen_johnson".
    kinematics:
        "spatial" takes velocities in the plane of contact; "track" those of the wheelset of the IVP test set.
    slow_speed:
        Speed of rolling below which creepages fade out.
    restitution:
        Coefficient of restitution of impacts.

    References
    ----------
    J. J. Kalker, On the rolling contact of two elastic bodies in the presence of dry friction, thesis, TH Delft 1967.

    P. J. Vermeulen, K. L. Johnson, Contact of nonspherical elastic bodies transmitting tangential forces, Journal of
    Applied Mechanics 31 (1964) 338-340.
    """

    kind = "rolling_contact"
    rigid = True
    units: ClassVar = {"shear_modulus": "Pa", "slow_speed": "m/s", "kalker": "1", "poisson_ratio": "1", "friction": "1",
                       "axis_ratio": "1", "restitution": "1"}  # fmt: skip

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
