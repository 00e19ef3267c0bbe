"""Force or torque in a joint, by any law."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from duoti.kernel import helper
from duoti.model.elements import JointElement, name_of
from duoti.model.forces.base import Compiler, JointElementForce, Row
from duoti.model.law_gradient import MATRICES, call_gradient
from duoti.model.laws import Value, law_value
from duoti.model.pairs import DONE


@helper
def _joint_torque(f, t, q, v, loads, w):
    j = loads.integers[f, 1]
    torque = law_value(loads, w, loads.integers[f, 2], t, q, v, 0.0 * v[j], 0.0 * v[j])
    w.tau[j] += torque
    return 0.0 * torque, torque * v[j], 0.0 * torque


@helper
def _joint_torque_tangent(f, t, q, v, tree, loads, w, tan, path):
    j, law = loads.integers[f, 1], loads.integers[f, 2]
    call_gradient(w, path, law, 0, 0.0, 0.0, -1.0, MATRICES, j)
    return DONE


class JointTorque(JointElementForce):
    """Torque [N m] (revolute, ...) or force [N] (prismatic, ...) of the parent on the child along a joint coordinate.

    The value is a number, an expression or a function of the time `t`, the joint's own coordinate `q` and rate `v`, or
    anything else.
    """

    kind = "joint_torque"
    units: ClassVar = {"value": "N m or N"}
    law = staticmethod(_joint_torque)
    tangent = staticmethod(_joint_torque_tangent)

    def __init__(self, joint: JointElement | str, value: Value, coordinate: int | None = None):
        self.joint, self.value, self.coordinate = joint, value, coordinate

    def driven_joints(self) -> Iterable[str]:
        """The joint."""
        return (name_of(self.joint),)  # pyright: ignore[reportArgumentType]

    def values(self) -> Iterable[tuple[str, Value, Mapping[str, Any], int]]:
        """The torque."""
        return (("value", self.value, self.own_quantities, 1),)

    def row(self, compiler: Compiler) -> Row:
        """See `Force.row`."""
        k, j = compiler.coordinate(self.joint, self.coordinate or 0)
        return Row([k, j, compiler.law(self.value, self.own_quantities)])
