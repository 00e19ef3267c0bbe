"""Rigid contact: a set-valued law."""

from __future__ import annotations

from typing import ClassVar, Literal

from duoti.model.contacts.base import ContactLaw, SetValued, range_faults
from duoti.model.element_id import Fault

IMPACTS = ("newton", "poisson", "stronge")


class RigidContact(ContactLaw):
    r"""Rigid surfaces with Coulomb friction and restitution; set-valued, so that sticking is exact.

    $$0 \le g_N \perp \lambda_N \ge 0, \qquad |\lambda_T| \le \mu \lambda_N, \qquad
    \lambda_T = -\mu \lambda_N \frac{\xi_T}{|\xi_T|} \ \text{ for } \ \xi_T \ne 0$$

    $g_N$ is the gap, $\xi_T$ the slip velocity. At an impact the normal velocity follows Newton's law,

    $$\xi_N^+ = -e\, \xi_N^-$$

    or Poisson's or Stronge's hypothesis.

    Parameters
    ----------
    friction:
        Coefficient of sliding friction $\mu$.
    restitution:
        Coefficient of restitution $e$, from 0 (plastic) to 1.
    static_friction:
        Coefficient of static friction; by default the same.
    impact:
        What `restitution` is a ratio of: normal velocities ("newton"), normal impulses ("poisson"), or, as its square,
        the energies of compression and expansion ("stronge").
    rolling_friction:
        Arm of rolling resistance: the torque is at most this times the normal force.
    torsional_friction:
        Arm of torsional resistance about the normal, likewise.

    References
    ----------
    F. Pfeiffer, C. Glocker, Multibody Dynamics with Unilateral Contacts, Wiley 1996.
    """

    kind = "rigid_contact"
    rigid = True
    units: ClassVar = {"friction": "1", "restitution": "1", "static_friction": "1", "rolling_friction": "m",
                       "torsional_friction": "m"}  # fmt: skip

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
