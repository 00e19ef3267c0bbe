"""Force or torque in a joint, by any law."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import numpy as np

from duoti.elements.laws import add_law_gradient, arithmetic_law_value, law_value
from duoti.kernel import helper
from duoti.model.elements import JointElement, name_of
from duoti.model.forces.base import V_INDEX, Compiler, JointElementForce
from duoti.model.laws.law import Value

INTEGERS = (*JointElementForce.INTEGERS, "law")
LAW = len(JointElementForce.INTEGERS)


@helper
def _joint_torque(f, t, q, v, loads, w):
    j = loads.forces.integers[f, V_INDEX]
    torque = law_value(loads, w, loads.forces.integers[f, LAW], t, q, v, 0.0 * v[j], 0.0 * v[j])
    w.tau[j] += torque
    return 0.0 * torque, torque * v[j], 0.0 * torque


@helper
def _joint_torque_of_lanes(f, t, q, v, loads, w):
    j = loads.forces.integers[f, V_INDEX]
    torque = arithmetic_law_value(loads, w, loads.forces.integers[f, LAW], q, v)
    w.tau[j] += torque
    return 0.0 * torque, torque * v[j], 0.0 * torque


@helper
def _joint_torque_tangent(f, t, q, v, tree, loads, w, tan, path):
    j, law = loads.forces.integers[f, V_INDEX], loads.forces.integers[f, LAW]
    add_law_gradient(tree, loads, w, tan, path, law, np.int64(0), t, q, v, 0.0, 0.0, -1.0, tan.K, tan.C, tan.Z, j)


class JointTorque(JointElementForce):
    r"""Torque or force of the parent on the child along a joint coordinate, by a law.

    $$\tau = \tau(t, q, v, \dots)$$

    It is a torque for an angle and a force for a position. The law depends on the time `t`, the joint's own coordinate
    `q` and velocity `v`, and on any quantity of the model.

    Parameters
    ----------
    joint:
        The joint.
    value:
        A number, an expression or a function.
    coordinate:
        Number of the coordinate of a joint with several, from 0.
    """

    kind = "joint_torque"
    units: ClassVar = {"value": "N m or N"}
    INTEGERS = INTEGERS
    law = staticmethod(_joint_torque)
    lanes_law = staticmethod(_joint_torque_of_lanes)
    lanes_laws = (LAW,)
    tangent = staticmethod(_joint_torque_tangent)

    def __init__(self, joint: JointElement | str, value: Value, coordinate: int | None = None):
        self.joint, self.value, self.coordinate = joint, value, coordinate

    def driven_joints(self) -> Iterable[str]:
        """The joint."""
        return (name_of(self.joint),)  # pyright: ignore[reportArgumentType]

    def values(self) -> Iterable[tuple[str, Value, Mapping[str, Any], int]]:
        """The torque."""
        return (("value", self.value, self.own_quantities, 1),)

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        return {**super().integers(compiler), "law": compiler.law(self.value, self.own_quantities)}
