"""Cylindrical joint (圆柱铰): a shift along and a turn about the same axis."""

from __future__ import annotations

import numpy as np

from duoti.kernel import helper
from duoti.model.joints.base import PARALLEL_Z, Array, AxialJoint, Joint, angle, position, positions, rotation_about_z
from duoti.spatial.algebra import rotate_z, sincos, slide_z
from duoti.spatial.axes import Axis
from duoti.spatial.reflection import Reflection


@helper
def _cylindrical(q, k, v, j, p, b, X_PF, H, c):
    sine, cosine = sincos(q[k + 1])
    return slide_z(rotate_z(X_PF, sine, cosine), q[k])


class Cylindrical(AxialJoint):
    r"""The child slides along an axis and turns about it, independently.

    $$R_{FM} = R_z(q_2), \qquad p_{FM} = q_1 e_z, \qquad v = \dot q_1 e_z, \qquad \omega = \dot q_2 e_z$$

    Coordinates: the position $q_1$, then the angle $q_2$. $F$ is the joint frame on the parent, $M$ that on the child,
    and $z$ the axis.

    Parameters
    ----------
    axis:
        Common axis in world axes of the reference configuration: a letter such as "x" or "-z", or a vector.
    """

    kind = "cylindrical"
    coordinates = (position(), angle())
    subspace = ((0, 0, 0, 0, 0, 1), (0, 0, 1, 0, 0, 0))
    law = staticmethod(_cylindrical)
    closure = positions(0, 1) + PARALLEL_Z

    def __init__(self, axis: Axis):
        self.axis = axis

    def relative_coordinates(self, R_FM: Array, p_FM: Array) -> Array:
        return np.column_stack([p_FM[:, 2], rotation_about_z(R_FM)])

    def relative_velocities(self, q: Array, omega: Array, velocity: Array) -> Array:
        return np.column_stack([velocity[:, 2], omega[:, 2]])

    def mirrored(self, reflection: Reflection) -> tuple[Joint, tuple[float, ...], tuple[float, ...]]:
        """The axis as one of rotation: the angle stays, the displacement is counted the other way."""
        return type(self)(reflection.pseudovector_axis(self.axis)), (-1.0, 1.0), (-1.0, 1.0)

    @staticmethod
    def sample(rng: np.random.Generator) -> Cylindrical:
        """Random axis."""
        return Cylindrical(rng.normal(size=3))
