"""Spherical joint (球铰, ball): any turn about a point."""

from __future__ import annotations

import numpy as np

from duoti.kernel import helper
from duoti.model.joints.base import Array, Joint, attitude, positions, quaternions_of
from duoti.spatial.algebra import matmul, quaternion_matrix
from duoti.spatial.reflection import Reflection


@helper
def _spherical(q, k, v, j, p, b, X_PF, H, c):
    R_PF, p_PF = X_PF
    return matmul(R_PF, quaternion_matrix(q[k], q[k + 1], q[k + 2], q[k + 3])), p_PF


class Spherical(Joint):
    r"""Ball joint: the child turns freely about a point.

    $$R_{FM} = R(q), \qquad p_{FM} = 0, \qquad \dot q = \tfrac{1}{2}\, q \circ (0, \omega)$$

    The coordinates $q$ are a unit quaternion, scalar first. The velocity $\omega$ is the angular velocity of the child
    relative to the parent, in the axes of the child's joint frame $M$. See `Free` for how $M$ lies in the body.
    """

    kind = "spherical"
    coordinates = (attitude(),)
    subspace = ((1, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0), (0, 0, 1, 0, 0, 0))
    law = staticmethod(_spherical)
    closure = positions(0, 1, 2)

    def relative_coordinates(self, R_FM: Array, p_FM: Array) -> Array:
        return quaternions_of(R_FM)

    def relative_velocities(self, q: Array, omega: Array, velocity: Array) -> Array:
        return omega

    def mirrored(self, reflection: Reflection) -> tuple[Joint, tuple[float, ...], tuple[float, ...]]:
        """The quaternion turns about the mirrored axis."""
        return self, reflection.signs("quaternion"), reflection.signs("pseudovector")

    @staticmethod
    def sample(rng: np.random.Generator) -> Spherical:
        """There is only one."""
        return Spherical()
