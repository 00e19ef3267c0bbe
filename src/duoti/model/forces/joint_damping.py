"""Viscous damping in all coordinates of a joint."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from duoti.kernel import helper
from duoti.model.element_id import Fault
from duoti.model.elements import JointElement
from duoti.model.forces.base import Compiler, Force, Row, number_faults
from duoti.model.pairs import DONE


@helper
def _joint_damping(f, t, q, v, loads, w):
    damping = loads.reals[f, 0]
    lost = 0.0 * w.tau[0]
    for j in range(loads.integers[f, 0], loads.integers[f, 0] + loads.integers[f, 1]):
        w.tau[j] -= damping * v[j]
        lost += damping * v[j] * v[j]
    return 0.0 * lost, 0.0 * lost, lost


@helper
def _joint_damping_tangent(f, t, q, v, tree, loads, w, tan, path):
    for j in range(loads.integers[f, 0], loads.integers[f, 0] + loads.integers[f, 1]):
        tan.C[j, j] += loads.reals[f, 0]
    return DONE


class JointDamping(Force):
    """Torque (force) = -damping * v in every coordinate of a joint; damping [N m s/rad or N s/m]."""

    kind = "joint_damping"
    units: ClassVar = {"damping": "N m s/rad or N s/m"}
    law = staticmethod(_joint_damping)
    tangent = staticmethod(_joint_damping_tangent)

    def __init__(self, joint: JointElement | str, damping: float):
        self.joint, self.damping = joint, damping

    def joints(self) -> Iterable[tuple[str, JointElement | str]]:
        """The joint."""
        return (("joint", self.joint),)

    def faults(self) -> list[Fault]:
        """See `Force.faults`."""
        return number_faults(positive_damping=self.damping)

    def row(self, compiler: Compiler) -> Row:
        """See `Force.row`."""
        first, count = compiler.coordinates(self.joint)
        return Row([first, count], [self.damping])
