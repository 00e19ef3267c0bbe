"""Revolute joint (转动铰, hinge): a turn about one axis."""

from __future__ import annotations

import numpy as np

from duoti.kernel import helper
from duoti.model.joints.base import PARALLEL_Z, Array, AxialJoint, Joint, angle, positions, rotation_about_z
from duoti.spatial.algebra import rotate_z, sincos
from duoti.spatial.axes import Axis
from duoti.spatial.reflection import Reflection


@helper
def _revolute(q, k, v, j, p, b, X_PF, H, c):
    sine, cosine = sincos(q[k])
    return rotate_z(X_PF, sine, cosine)


class Revolute(AxialJoint):
    r"""Hinge: the child turns about one axis.

    $$R_{FM} = R_z(q), \qquad p_{FM} = 0, \qquad \omega = \dot q\, e_z$$

    The coordinate $q$ is the angle from the reference configuration, positive by the right-hand rule. It counts whole
    turns. $F$ is the joint frame on the parent, $M$ that on the child, and $z$ the axis.

    Parameters
    ----------
    axis:
        Axis of rotation in world axes of the reference configuration: a letter such as "y" or "-z", or a vector.
    """

    kind = "revolute"
    coordinates = (angle(),)
    subspace = ((0, 0, 1, 0, 0, 0),)
    law = staticmethod(_revolute)
    closure = positions(0, 1, 2) + PARALLEL_Z

    def __init__(self, axis: Axis):
        self.axis = axis

    def relative_coordinates(self, R_FM: Array, p_FM: Array) -> Array:
        return rotation_about_z(R_FM)[:, None]

    def relative_velocities(self, q: Array, omega: Array, velocity: Array) -> Array:
        return omega[:, 2:]

    def mirrored(self, reflection: Reflection) -> tuple[Joint, tuple[float, ...], tuple[float, ...]]:
        """The axis is a pseudovector."""
        return type(self)(reflection.pseudovector_axis(self.axis)), (1.0,), (1.0,)

    @staticmethod
    def sample(rng: np.random.Generator) -> Revolute:
        """Random axis."""
        return Revolute(rng.normal(size=3))
