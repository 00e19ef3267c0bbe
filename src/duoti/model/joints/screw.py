"""Screw joint (螺旋铰): a turn that advances along its own axis."""

from __future__ import annotations

import math

import numpy as np

from duoti.kernel import helper
from duoti.model.element_id import Fault
from duoti.model.joints.base import (
    PARALLEL_Z,
    Array,
    AxialJoint,
    Joint,
    JointEquation,
    angle,
    positions,
    rotation_about_z,
)
from duoti.spatial.algebra import rotate_z, sincos, slide_z
from duoti.spatial.axes import Axis, is_finite_number
from duoti.spatial.reflection import Reflection


@helper
def _screw(q, k, v, j, p, b, X_PF, H, c):
    advance = p[b, 0]  # per radian
    sine, cosine = sincos(q[k])
    return slide_z(rotate_z(X_PF, sine, cosine), advance * q[k])


class Screw(AxialJoint):
    r"""The child turns about an axis and advances along it in proportion.

    $$R_{FM} = R_z(q), \qquad p_{FM} = \frac{p}{2\pi}\, q\, e_z$$

    The coordinate $q$ is the angle, $p$ the lead per turn. $F$ is the joint frame on the parent, $M$ that on the child,
    and $z$ the axis.

    Parameters
    ----------
    axis:
        Axis of the screw in world axes of the reference configuration: a letter such as "x" or "-z", or a vector.
    lead_per_turn:
        Advance along the axis with every turn. Positive: a right-handed thread.
    """

    kind = "screw"
    coordinates = (angle(),)
    law = staticmethod(_screw)
    closure = positions(0, 1) + PARALLEL_Z + (JointEquation("screw"),)

    def __init__(self, axis: Axis, lead_per_turn: float):
        self.axis = axis
        self.lead_per_turn = lead_per_turn

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not is_finite_number(self.lead_per_turn):
            text = f"lead_per_turn is {self.lead_per_turn}; give the advance per turn in metres"
            found.append(Fault(text, "lead_per_turn"))
        return found

    @property
    def subspace(self) -> tuple[tuple[float, ...], ...]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """One row that depends on the lead."""
        return ((0.0, 0.0, 1.0, 0.0, 0.0, *self.parameters()),)

    def parameters(self) -> tuple[float, ...]:
        """Advance per radian [m]."""
        return (self.lead_per_turn / (2.0 * math.pi),)

    def relative_coordinates(self, R_FM: Array, p_FM: Array) -> Array:
        return rotation_about_z(R_FM)[:, None]

    def relative_velocities(self, q: Array, omega: Array, velocity: Array) -> Array:
        return omega[:, 2:]

    def mirrored(self, reflection: Reflection) -> tuple[Joint, tuple[float, ...], tuple[float, ...]]:
        """A right-handed screw becomes a left-handed one."""
        return type(self)(reflection.pseudovector_axis(self.axis), -self.lead_per_turn), (1.0,), (1.0,)

    @staticmethod
    def sample(rng: np.random.Generator) -> Screw:
        """Random axis and lead."""
        return Screw(rng.normal(size=3), lead_per_turn=rng.uniform(-0.5, 0.5))
