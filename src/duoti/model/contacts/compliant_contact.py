"""Compliant contact: a force that grows with the penetration.

With the penetration d = -gap of a point, u the velocity of b less that of a there, and u_t its part along the surface:

    N = k d^m + c dd/dt, or k d^m (1 + c dd/dt) (Hunt & Crossley 1975);    F_t = -N (mu / sqrt(u_t² + s²) + c_t) u_t
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

import numpy as np

from duoti.kernel import helper
from duoti.model.contacts.base import CompliantLaw, Numbers, range_faults
from duoti.model.element_id import Fault
from duoti.spatial.algebra import add, dot, scale, sqrt, sub

DAMPINGS = ("linear", "hunt_crossley")
TENSIONS = ("none", "allowed")
FRICTION_LAWS = ("regularised", "lugre")
LUGRE_PAIRS = frozenset(
    ("plane_sphere", "plane_box", "plane_capsule", "plane_ellipsoid", "sphere_sphere", "sphere_box", "sphere_capsule",
     "sphere_cylinder", "sphere_disc")
)  # fmt: skip
"""Pairs of shapes whose points of contact stay the same ones, so that a bristle of each has a history."""


NUMBERS = ("stiffness", "exponent", "damping", "friction", "slip_speed", "viscous_friction", "hunt_crossley", "pulls")
K, M, C, MU, SLIP, VISCOUS, HUNT_CROSSLEY, PULLS = range(len(NUMBERS))


@helper
def point_force(reals, f, gap, u, n):
    """Force on b in a point that penetrates, its potential energy and the power that it dissipates."""
    d, u_n = -gap, dot(n, u)
    x, m = d.real, reals[f, M].real
    elastic = reals[f, K] * (x**m + m * x ** (m - 1.0) * (d - x))  # d^m; of a complex number, the power to first order
    viscous = -reals[f, C] * u_n
    normal = elastic * (1.0 + viscous) if reals[f, HUNT_CROSSLEY].real > 0.0 else elastic + viscous
    if normal.real < 0.0 and reals[f, PULLS].real == 0.0:
        normal = 0.0 * normal
    u_t = sub(u, scale(u_n, n))
    slip = reals[f, SLIP]
    rubbing = reals[f, MU] / sqrt(dot(u_t, u_t) + slip * slip) + reals[f, VISCOUS]
    along = scale(-normal * rubbing, u_t)
    return add(scale(normal, n), along), elastic * d / (m + 1.0), (elastic - normal) * u_n - dot(along, u_t)


class CompliantContact(CompliantLaw):
    r"""Contact force that grows with the penetration, with damping and regularised friction.

    $$F_N = k\, d^{\,n} + c\, \dot d \quad \text{(linear)}, \qquad F_N = k\, d^{\,n} (1 + c\, \dot d) \quad
    \text{(Hunt and Crossley)}$$

    $d$ is the penetration. $n = 1$ is a linear spring, $n = 1.5$ Hertz's law for curved surfaces. With Hunt and
    Crossley's law, $c = 1.5\, (1 - e) / v$ gives a restitution of about $e$ at the approach speed $v$. With $c = 0.75\,
    (1 - e^2) / v$ it is the law of Lankarani and Nikravesh.

    The regularised friction is a smooth function of the slip velocity and creeps at rest:

    $$F_T = -\mu F_N\, s(\xi_T / v_s) \frac{\xi_T}{|\xi_T|}$$

    With "lugre" bristles carry the friction and hold at rest. Their largest elastic presliding is friction /
    bristle_stiffness. They have states such as `floor.bristle_x`. They need pairs with a fixed set of points: spheres,
    boxes, capsules and ellipsoids on a plane; spheres on spheres, boxes, capsules, cylinders and discs.

    Parameters
    ----------
    stiffness:
        Stiffness $k$, in N/m^exponent.
    exponent:
        Exponent $n$ of the penetration.
    damping:
        Damping $c$; its unit is that of `damping_law`: N s/m (linear) or s/m (Hunt and Crossley).
    friction:
        Coefficient of friction $\mu$.
    damping_law:
        "linear" or "hunt_crossley".
    slip_speed:
        Slip speed $v_s$ of the regularised friction.
    viscous_friction:
        Friction force per normal force and slip velocity.
    tension:
        "none": surfaces never pull. "allowed": a linear damper acts until the surfaces have parted.
    friction_law:
        "regularised" or "lugre".
    bristle_stiffness:
        Stiffness of the LuGre bristles, relative to the normal force.
    bristle_damping:
        Damping of the LuGre bristles, relative to the normal force.
    static_friction:
        Coefficient of break-away friction; give it together with `stribeck_velocity`.
    stribeck_velocity:
        Slip velocity over which friction falls from static to sliding.

    References
    ----------
    K. H. Hunt, F. R. E. Crossley, Coefficient of restitution interpreted as damping in vibroimpact, Journal of Applied
    Mechanics 42 (1975) 440-445.

    H. M. Lankarani, P. E. Nikravesh, A contact force model with hysteresis damping for impact analysis of multibody
    systems, Journal of Mechanical Design 112 (1990) 369-376.

    C. Canudas de Wit, H. Olsson, K. J. Åström, P. Lischinsky, A new model for control of systems with friction, IEEE
    Transactions on Automatic Control 40 (1995) 419-425.
    """

    kind = "compliant_contact"
    NUMBERS = NUMBERS
    point_force = staticmethod(point_force)
    units: ClassVar = {"exponent": "1", "friction": "1", "static_friction": "1", "stiffness": "N/m",
                       "damping": "N s/m or s/m", "slip_speed": "m/s", "viscous_friction": "s/m",
                       "bristle_stiffness": "1/m", "bristle_damping": "s/m", "stribeck_velocity": "m/s"}  # fmt: skip

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
        friction_law: Literal["regularised", "lugre"] = "regularised",
        bristle_stiffness: float = 1e4,
        bristle_damping: float = 0.0,
        static_friction: float | None = None,
        stribeck_velocity: float | None = None,
    ):
        self.stiffness, self.exponent, self.damping, self.friction = stiffness, exponent, damping, friction
        self.damping_law: str = damping_law
        self.slip_speed, self.viscous_friction = slip_speed, viscous_friction
        self.tension: str = tension
        self.friction_law: str = friction_law
        self.bristle_stiffness, self.bristle_damping = bristle_stiffness, bristle_damping
        self.static_friction, self.stribeck_velocity = static_friction, stribeck_velocity

    def numbers(self) -> Sequence[float]:
        own = [float(getattr(self, name)) for name in NUMBERS[:HUNT_CROSSLEY]]
        return [*own, float(self.damping_law == "hunt_crossley"), float(self.tension == "allowed")]

    @property
    def lugre(self) -> bool:
        return self.friction_law == "lugre"

    @property
    def loses_unseen(self) -> bool:
        """See `CompliantLaw.loses_unseen`: a damper parts the surfaces."""
        return self.damping > 0.0 and self.tension == "none"

    def normal_force(self, penetration: Numbers, rate: Numbers) -> Numbers:
        elastic, damping = self.stiffness * penetration**self.exponent, self.damping * rate
        normal = elastic * (1.0 + damping) if self.damping_law == "hunt_crossley" else elastic + damping
        return np.maximum(normal, 0.0) if self.tension == "none" else normal

    def friction_force(self, normal: Numbers, slip: Numbers) -> Numbers:
        """See `CompliantLaw.friction_force`; without states."""
        speed = np.linalg.norm(slip, axis=-1)
        rubbing = self.friction / np.sqrt(speed**2 + self.slip_speed**2) + self.viscous_friction
        return -(normal * rubbing)[..., None] * slip

    @property
    def breakaway_friction(self) -> float:
        """The static friction, or that of sliding where none is given."""
        return self.friction if self.static_friction is None else self.static_friction

    def faults(self) -> list[Fault]:
        found = range_faults(self, "stiffness", "exponent", "damping", "friction", "slip_speed", "viscous_friction")
        found += range_faults(self, "bristle_stiffness", "bristle_damping", "static_friction", "stribeck_velocity")
        for name, choices in (("damping_law", DAMPINGS), ("tension", TENSIONS), ("friction_law", FRICTION_LAWS)):
            if getattr(self, name) not in choices:
                found.append(Fault(f"{name}={getattr(self, name)!r}: choose one of {', '.join(choices)}", name))
        if found:
            return found
        if self.exponent < 1.0:
            found.append(Fault(f"exponent is {self.exponent}; it must be at least 1", "exponent"))
        if self.slip_speed == 0.0:
            found.append(Fault("slip_speed is zero; give a small speed, or use dt.RigidContact", "slip_speed"))
        return found + self._lugre_faults()

    def _lugre_faults(self) -> list[Fault]:
        found: list[Fault] = []
        rest, speed = self.static_friction, self.stribeck_velocity
        if self.friction_law != "lugre":
            found += [
                Fault(f'{name} is for friction_law="lugre"; leave it out, or take that law', name)
                for name in ("static_friction", "stribeck_velocity")
                if getattr(self, name) is not None
            ]
            return found
        for name in ("friction", "bristle_stiffness"):
            if getattr(self, name) == 0.0:
                found.append(Fault(f"{name} is zero; bristles need a positive number", name))
        if (rest is None) != (speed is None):
            missing = "static_friction" if rest is None else "stribeck_velocity"
            found.append(Fault("static_friction and stribeck_velocity go together; give both or none", missing))
        if rest is not None and rest < self.friction:
            text = f"static_friction {rest} is below friction {self.friction}: at rest, friction is not less"
            found.append(Fault(text, "static_friction"))
        if speed == 0.0:
            found.append(Fault("stribeck_velocity is zero; give a positive speed", "stribeck_velocity"))
        return found
