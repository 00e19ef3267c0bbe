"""Viscous damping in all coordinates of a joint."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from duoti.kernel import helper
from duoti.model.element_id import Fault
from duoti.model.elements import JointElement, name_of
from duoti.model.forces.base import Compiler, Force, number_faults
from duoti.model.forces.channels import ForceChannel, in_joint

INTEGERS = ("first", "count")
FIRST, COUNT = range(len(INTEGERS))  # of the joint's rates
REALS = ("damping",)
(DAMPING,) = range(len(REALS))


@helper
def _joint_damping(f, t, q, v, loads, w):
    damping, first = loads.forces.reals[f, DAMPING], loads.forces.integers[f, FIRST]
    lost = 0.0 * w.tau[0]
    for j in range(first, first + loads.forces.integers[f, COUNT]):
        w.tau[j] -= damping * v[j]
        lost += damping * v[j] * v[j]
    return 0.0 * lost, 0.0 * lost, lost


@helper
def _joint_damping_tangent(f, t, q, v, tree, loads, w, tan, path):
    first = loads.forces.integers[f, FIRST]
    for j in range(first, first + loads.forces.integers[f, COUNT]):
        tan.C[j, j] += loads.forces.reals[f, DAMPING]


class JointDamping(Force):
    r"""Viscous damping in every coordinate of a joint.

    $$\tau_j = -c\, v_j$$

    Parameters
    ----------
    joint:
        The joint.
    damping:
        Damping coefficient $c$.
    """

    kind = "joint_damping"
    mirrored: ClassVar[Mapping[str, str]] = {"joint": "symmetric"}
    units: ClassVar = {"damping": "N m s/rad or N s/m"}
    INTEGERS, REALS = INTEGERS, REALS
    law = lanes_law = staticmethod(_joint_damping)
    tangent = staticmethod(_joint_damping_tangent)

    def __init__(self, joint: JointElement | str, damping: float):
        self.joint, self.damping = joint, damping

    def joints(self) -> Iterable[tuple[str, JointElement | str]]:
        """The joint."""
        return (("joint", self.joint),)

    def faults(self) -> list[Fault]:
        return number_faults(positive_damping=self.damping)

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        first, count = compiler.coordinates(self.joint)
        return {"first": first, "count": count}

    def channels(self, model: Any) -> Mapping[str, ForceChannel]:
        """The torques or forces."""
        return in_joint(model.joints.get(name_of(self.joint)))  # pyright: ignore[reportArgumentType]
