"""Spring and damper in a joint coordinate (torsional for a hinge)."""

from __future__ import annotations

from typing import ClassVar

from duoti.kernel import helper
from duoti.model.element_id import Fault
from duoti.model.elements import JointElement
from duoti.model.forces.base import Q_INDEX, V_INDEX, JointElementForce, number_faults

REALS = ("stiffness", "damping", "rest")
STIFFNESS, DAMPING, REST = range(len(REALS))


@helper
def _joint_spring(f, t, q, v, loads, w):
    k, j, reals = loads.forces.integers[f, Q_INDEX], loads.forces.integers[f, V_INDEX], loads.forces.reals
    stiffness, damping, rest = reals[f, STIFFNESS], reals[f, DAMPING], reals[f, REST]
    stretch = q[k] - rest
    w.tau[j] -= stiffness * stretch + damping * v[j]
    return 0.5 * stiffness * stretch * stretch, 0.0 * v[j], damping * v[j] * v[j]


@helper
def _joint_spring_tangent(f, t, q, v, tree, loads, w, tan, path):
    j = loads.forces.integers[f, V_INDEX]
    tan.K[j, j] += loads.forces.reals[f, STIFFNESS]
    tan.C[j, j] += loads.forces.reals[f, DAMPING]


class JointSpring(JointElementForce):
    r"""Spring and damper in one coordinate of a joint.

    $$\tau = -k\,(q - q_0) - c\, v$$

    Parameters
    ----------
    joint:
        The joint.
    stiffness:
        Stiffness $k$.
    damping:
        Damping coefficient $c$.
    rest:
        Coordinate $q_0$ without force.
    coordinate:
        Number of the coordinate of a joint with several, from 0.
    """

    kind = "joint_spring"
    units: ClassVar = {"stiffness": "N m/rad or N/m", "damping": "N m s/rad or N s/m", "rest": "rad or m"}
    REALS = REALS
    reads_position = True
    law = lanes_law = staticmethod(_joint_spring)
    tangent = staticmethod(_joint_spring_tangent)

    def __init__(
        self,
        joint: JointElement | str,
        stiffness: float = 0.0,
        damping: float = 0.0,
        rest: float = 0.0,
        coordinate: int | None = None,
    ):
        self.joint, self.coordinate = joint, coordinate
        self.stiffness, self.damping, self.rest = stiffness, damping, rest

    def faults(self) -> list[Fault]:
        return number_faults(stiffness=self.stiffness, positive_damping=self.damping, rest=self.rest)
