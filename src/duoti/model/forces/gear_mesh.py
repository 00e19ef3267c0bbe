"""Teeth of two wheels: elastic, with backlash."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import numpy as np

from duoti.kernel import helper
from duoti.model.element_id import Fault
from duoti.model.elements import JointElement, name_of
from duoti.model.force_blocks import BLOCK_HEADER, SCRATCH
from duoti.model.forces.base import Compiler, Force, number_faults
from duoti.model.forces.channels import ForceChannel

INTEGERS = ("q_a", "v_a", "q_b", "v_b", "block")
Q_A, V_A, Q_B, V_B, BLOCK = range(len(INTEGERS))
REALS = ("radius_a", "arm_b", "stiffness", "damping", "backlash")
RADIUS_A, ARM_B, STIFFNESS, DAMPING, BACKLASH = range(len(REALS))


@helper
def _flank(f, q, v, loads):
    """Play x and its rate, deflection of the flank that touches (0 if none does), and its side."""
    ints, reals = loads.forces.integers, loads.forces.reals
    a, b, half = reals[f, RADIUS_A], reals[f, ARM_B], 0.5 * reals[f, BACKLASH]
    x = a * q[ints[f, Q_A]] + b * q[ints[f, Q_B]]
    speed = a * v[ints[f, V_A]] + b * v[ints[f, V_B]]
    if x.real > half.real:
        return x, speed, x - half, 1.0
    if x.real < -half.real:
        return x, speed, -x - half, -1.0
    return x, speed, 0.0 * x, 0.0


@helper
def _pressing(f, loads, depth, rate):
    """Force of a flank that is pressed by `depth`; zero where damping would make it pull."""
    reals = loads.forces.reals
    force = reals[f, STIFFNESS] * depth * (1.0 + reals[f, DAMPING] * rate)
    return 0.0 * force if force.real < 0.0 else force


@helper
def _gear_mesh(f, t, q, v, loads, w):
    ints, reals = loads.forces.integers, loads.forces.reals
    x, speed, depth, side = _flank(f, q, v, loads)
    force = side * _pressing(f, loads, depth, side * speed)
    w.tau[ints[f, V_A]] -= reals[f, RADIUS_A] * force
    w.tau[ints[f, V_B]] -= reals[f, ARM_B] * force
    at = loads.forces.block_integers[ints[f, BLOCK] + SCRATCH]
    w.block_scratch[at], w.block_scratch[at + 1] = x, force
    k = reals[f, STIFFNESS]
    return 0.5 * k * depth * depth, 0.0 * speed, (force - side * k * depth) * speed


@helper
def _gear_mesh_tangent(f, t, q, v, tree, loads, w, tan, path):
    ints, reals = loads.forces.integers, loads.forces.reals
    _, speed, depth, side = _flank(f, q, v, loads)
    rate = side * speed
    if side == 0.0 or _pressing(f, loads, depth, rate) == 0.0:
        return
    by_x = reals[f, STIFFNESS] * (1.0 + reals[f, DAMPING] * rate)
    by_speed = reals[f, STIFFNESS] * reals[f, DAMPING] * depth
    i, j, a, b = ints[f, V_A], ints[f, V_B], reals[f, RADIUS_A], reals[f, ARM_B]
    for m, c, n, d in ((i, a, i, a), (i, a, j, b), (j, b, i, a), (j, b, j, b)):
        tan.K[m, n] += c * d * by_x
        tan.C[m, n] += c * d * by_speed


def _coordinate(compiler: Compiler, joint: JointElement | str) -> tuple[int, int]:
    try:
        found = compiler.coordinate(joint, 0)
    except IndexError:
        found = (-1, -1)
    if found[0] < 0:
        who = name_of(joint)  # pyright: ignore[reportArgumentType]
        raise ValueError(
            f'gear mesh: the first coordinate of joint "{who}" is no angle or position: give a revolute joint'
        )
    return found


class GearMesh(Force):
    r"""Teeth of two wheels in mesh: elastic, with backlash; the wheels rattle or drive each other on either flank.

    $$x = r_a q_a \pm r_b q_b, \qquad F = k\,\delta\,(1 + c\,\dot\delta) \ge 0, \qquad \delta = |x| - b/2$$

    The flanks touch where $|x|$ is more than half the backlash $b$. The force acts along the pitch circles: it puts the
    torques $-r_a F$ and $\mp r_b F$ on the joints. The force that the teeth put on the bearings is not part of it.

    Parameters
    ----------
    joint_a, joint_b:
        Joints of the wheels, on the same carrier; a prismatic joint is a rack.
    radius_a, radius_b:
        Radii of the pitch circles; 1 for a rack.
    stiffness:
        Stiffness $k$ of the teeth in mesh, along the pitch circle.
    damping:
        Damping $c$, as a part of the elastic force for each unit of speed.
    backlash:
        Play $b$ along the pitch circle.
    internal:
        Whether one wheel runs inside the other, so that both turn the same way.
    """

    kind = "gear_mesh"
    units: ClassVar = {
        "radius_a": "m or 1", "radius_b": "m or 1", "stiffness": "N/m", "damping": "s/m", "backlash": "m",
    }  # fmt: skip
    INTEGERS = INTEGERS
    REALS = REALS
    complex_numbers: ClassVar[bool] = False  # its numbers are not its parameters one by one
    law = staticmethod(_gear_mesh)
    tangent = staticmethod(_gear_mesh_tangent)

    def __init__(
        self,
        joint_a: JointElement | str,
        joint_b: JointElement | str,
        radius_a: float,
        radius_b: float,
        stiffness: float,
        damping: float = 0.0,
        backlash: float = 0.0,
        internal: bool = False,
    ):
        self.joint_a, self.joint_b = joint_a, joint_b
        self.radius_a, self.radius_b = radius_a, radius_b
        self.stiffness, self.damping, self.backlash, self.internal = stiffness, damping, backlash, internal

    def joints(self) -> Iterable[tuple[str, JointElement | str]]:
        """Both."""
        return (("joint_a", self.joint_a), ("joint_b", self.joint_b))

    def faults(self) -> list[Fault]:
        found = number_faults(
            positive_radius_a=self.radius_a, positive_radius_b=self.radius_b, positive_stiffness=self.stiffness,
            positive_damping=self.damping, positive_backlash=self.backlash,
        )  # fmt: skip
        if not found:
            for name in ("radius_a", "radius_b", "stiffness"):
                if getattr(self, name) == 0.0:
                    found.append(Fault(f"{name} is 0; give a positive number", name))
        return found

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        (q_a, v_a), (q_b, v_b) = (_coordinate(compiler, joint) for joint in (self.joint_a, self.joint_b))
        block = compiler.block(np.zeros(len(BLOCK_HEADER), np.int64), np.zeros(0), lambda nv, nz: 2)
        return {"q_a": q_a, "v_a": v_a, "q_b": q_b, "v_b": v_b, "block": block}

    def reals(self) -> Mapping[str, float]:
        arm_b = -self.radius_b if self.internal else self.radius_b
        return {"radius_a": self.radius_a, "arm_b": arm_b, "stiffness": self.stiffness, "damping": self.damping,
                "backlash": self.backlash}  # fmt: skip

    def written(self, integers: Any, blocks: Any) -> tuple[int, int]:
        """See `Force.written`."""
        return int(blocks[integers[BLOCK] + SCRATCH]), 2

    def channels(self, model: Any) -> Mapping[str, ForceChannel]:
        """Play and force."""
        return {
            "play": ForceChannel("m", 1, lambda seen: seen.written[:, :1]),
            "force": ForceChannel("N", 1, lambda seen: seen.written[:, 1:]),
        }
