"""Motor in a joint with a straight torque-speed line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import numpy as np

from duoti.elements.laws import add_law_gradient, law_value
from duoti.kernel import helper
from duoti.model.element_id import Fault
from duoti.model.elements import JointElement, name_of
from duoti.model.forces.base import V_INDEX, Compiler, JointElementForce, number_faults
from duoti.model.laws.law import Value

INTEGERS = (*JointElementForce.INTEGERS, "law")
LAW = len(JointElementForce.INTEGERS)
REALS = ("stall_torque", "no_load_speed")
STALL_TORQUE, NO_LOAD_SPEED = range(len(REALS))


@helper
def _joint_motor(f, t, q, v, loads, w):
    j = loads.forces.integers[f, V_INDEX]
    stall, no_load = loads.forces.reals[f, STALL_TORQUE], loads.forces.reals[f, NO_LOAD_SPEED]
    command = law_value(loads, w, loads.forces.integers[f, LAW], t, q, v, 0.0 * v[j], 0.0 * v[j])
    torque = stall * (command - v[j] / no_load)
    w.tau[j] += torque
    return 0.0 * torque, torque * v[j], 0.0 * torque


@helper
def _joint_motor_tangent(f, t, q, v, tree, loads, w, tan, path):
    j, law = loads.forces.integers[f, V_INDEX], loads.forces.integers[f, LAW]
    stall, no_load = loads.forces.reals[f, STALL_TORQUE], loads.forces.reals[f, NO_LOAD_SPEED]
    tan.C[j, j] += stall / no_load
    add_law_gradient(tree, loads, w, tan, path, law, np.int64(0), t, q, v, 0.0, 0.0, -stall, tan.K, tan.C, tan.Z, j)


class JointMotor(JointElementForce):
    r"""Direct-current motor at constant voltage, acting in a joint coordinate.

    $$\tau = \tau_s \left( u - \frac{v}{v_0} \right)$$

    Parameters
    ----------
    joint:
        The joint.
    stall_torque:
        Torque or force $\tau_s$ at rest and full voltage.
    no_load_speed:
        Velocity $v_0$ without load at full voltage.
    command:
        Fraction $u$ of the full voltage, from -1 to 1: a number, or a law of `t`, `q`, `v` or any quantity of the
        model.
    coordinate:
        Number of the coordinate of a joint with several, from 0.
    """

    kind = "joint_motor"
    units: ClassVar = {"stall_torque": "N m or N", "no_load_speed": "rad/s or m/s", "command": "1"}
    INTEGERS, REALS = INTEGERS, REALS
    law = staticmethod(_joint_motor)
    tangent = staticmethod(_joint_motor_tangent)

    def __init__(
        self,
        joint: JointElement | str,
        stall_torque: float,
        no_load_speed: float,
        command: Value = 1.0,
        coordinate: int | None = None,
    ):
        self.joint, self.coordinate, self.command = joint, coordinate, command
        self.stall_torque, self.no_load_speed = stall_torque, no_load_speed

    def driven_joints(self) -> Iterable[str]:
        """The joint."""
        return (name_of(self.joint),)  # pyright: ignore[reportArgumentType]

    def faults(self) -> list[Fault]:
        found = number_faults(positive_stall_torque=self.stall_torque, positive_no_load_speed=self.no_load_speed)
        if not found and self.no_load_speed == 0.0:
            found.append(Fault("no_load_speed is 0; give the speed at which the torque vanishes", "no_load_speed"))
        return found

    def values(self) -> Iterable[tuple[str, Value, Mapping[str, Any], int]]:
        """The command."""
        return (("command", self.command, self.own_quantities, 1),)

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        return {**super().integers(compiler), "law": compiler.law(self.command, self.own_quantities)}
