"""Prismatic joint (移动铰, slider): a shift along one axis."""

from __future__ import annotations

import numpy as np

from duoti.kernel import helper
from duoti.model.joints.base import SAME_ATTITUDE, Array, AxialJoint, Joint, position, positions
from duoti.spatial.algebra import slide_z
from duoti.spatial.axes import Axis
from duoti.spatial.reflection import Reflection


@helper
def _prismatic(q, k, v, j, p, b, X_PF, H, c):
    return slide_z(X_PF, q[k])


class Prismatic(AxialJoint):
    r"""Slider: the child moves along one axis and keeps its orientation relative to the parent.

    $$R_{FM} = 1, \qquad p_{FM} = q\, e_z, \qquad v = \dot q\, e_z$$

    The coordinate $q$ is the displacement from the reference configuration. $F$ is the joint frame on the parent, $M$
    that on the child, and $z$ the axis.

    Parameters
    ----------
    axis:
        Direction of sliding in world axes of the reference configuration: a letter such as "x" or "-z", or a vector.
    """

    kind = "prismatic"
    coordinates = (position(),)
    subspace = ((0, 0, 0, 0, 0, 1),)
    law = staticmethod(_prismatic)
    closure = positions(0, 1) + SAME_ATTITUDE

    def __init__(self, axis: Axis):
        self.axis = axis

    def relative_coordinates(self, R_FM: Array, p_FM: Array) -> Array:
        return p_FM[:, 2:]

    def relative_velocities(self, q: Array, omega: Array, velocity: Array) -> Array:
        return velocity[:, 2:]

    def mirrored(self, reflection: Reflection) -> tuple[Joint, tuple[float, ...], tuple[float, ...]]:
        """The axis is a vector."""
        return type(self)(reflection.vector_axis(self.axis)), (1.0,), (1.0,)

    @staticmethod
    def sample(rng: np.random.Generator) -> Prismatic:
        """Random axis."""
        return Prismatic(rng.normal(size=3))
