"""A one-way clutch in a joint: free in one direction, locked in the other up to its torque capacity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from duoti.elements.joint_friction import add_friction
from duoti.elements.joint_friction_memory import JOINT_FRICTION_CONTEXT
from duoti.kernel import helper, unpack
from duoti.model.element_id import Fault
from duoti.model.elements import JointElement, name_of
from duoti.model.forces.base import number_faults
from duoti.model.forces.channels import ForceChannel, in_joint
from duoti.model.forces.joint_friction import SLOT, SLOTS, STEADY, JointFriction, joint_friction_tangent

KINDS = ("revolute", "prismatic")


@helper
def _one_way_clutch(f, t, q, v, loads, w):
    first, steady = loads.forces.integers[f, SLOT], loads.forces.reals[f, STEADY]
    lost = add_friction(loads, w, v, f, first, loads.forces.integers[f, SLOTS])
    if w.at[0].joint_friction != 0:
        (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
        j = jf.first[first]
        w.tau[j] += steady
        lost -= steady * v[j]
    return 0.0 * lost, 0.0 * lost, lost


class OneWayClutch(JointFriction):
    r"""A one-way clutch (freewheel, backstop) in a joint: free in one direction, locked in the other.

    $$\omega > 0: \tau = 0, \qquad \omega = 0: 0 \le \tau \le T, \qquad \omega < 0: \tau = T$$

    $\omega$ is the rate of the joint, the speed of the child relative to the parent, and $\tau$ the torque on the
    child. The law is set-valued: a clutch that is locked does not creep. Above its capacity $T$ it slips, as real ones
    do. It is solved for as friction of $T/2$ beside a steady torque of $T/2$. In event-driven runs it locks and lets go
    at events; in time stepping it is one block of the problem.

    Parameters
    ----------
    joint:
        A revolute or prismatic joint.
    capacity:
        Largest torque $T$ (a force in a prismatic joint) that the clutch holds.
    direction:
        1: the rate may be positive, not negative; -1: the other way round.

    References
    ----------
    F. Pfeiffer, C. Glocker, Multibody Dynamics with Unilateral Contacts, Wiley 1996.
    """

    kind = "one_way_clutch"
    units: ClassVar = {"capacity": "N m or N"}
    law = staticmethod(_one_way_clutch)
    tangent = staticmethod(joint_friction_tangent)

    def __init__(self, joint: JointElement | str, capacity: float, direction: int = 1):
        super().__init__(joint, constant=0.5 * capacity)
        self.capacity, self.direction = capacity, direction

    @property
    def constant(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Torque of friction; it follows a capacity that is changed."""
        return 0.5 * self.capacity

    @constant.setter
    def constant(self, value: float) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        self.capacity = 2.0 * value

    @property
    def steady(self) -> float:
        """Torque beside that of friction."""
        return 0.5 * self.capacity * self.direction

    def faults(self) -> list[Fault]:
        found = number_faults(positive_capacity=self.capacity)
        if not found and self.capacity == 0.0:
            found.append(Fault("capacity is 0: it holds nothing; give the largest torque that it bears", "capacity"))
        if self.direction not in (1, -1):
            found.append(Fault(f"direction is {self.direction!r}; it is 1 or -1", "direction"))
        return found

    def channels(self, model: Any) -> Mapping[str, ForceChannel]:
        """The torque or force of the clutch."""
        steady = self.steady
        return {
            name: ForceChannel(each.unit, each.size, lambda seen, each=each: each.read(seen) + steady)
            for name, each in in_joint(model.joints.get(name_of(self.joint))).items()  # pyright: ignore[reportArgumentType]
        }
