"""Spherical joint (球铰, ball): any turn about a point."""

from __future__ import annotations

import numpy as np

from duoti.kernel import helper
from duoti.model.joints.base import Array, Joint, attitude, positions, quaternions_of
from duoti.spatial.algebra import matmul, quaternion_matrix


@helper
def _spherical(q, k, v, j, p, b, X_PF, H, c):
    R_PF, p_PF = X_PF
    return matmul(R_PF, quaternion_matrix(q[k], q[k + 1], q[k + 2], q[k + 3])), p_PF


class Spherical(Joint):
    """Turns freely about its point.

    Coordinates: rotation (unit quaternion of the child's joint frame in the parent's, scalar first); the rate is the
    angular velocity of the child relative to the parent [rad/s], in the axes of M, the child's joint frame, which need
    not be those of the body: see `Free`.
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

    @staticmethod
    def sample(rng: np.random.Generator) -> Spherical:
        """There is only one."""
        return Spherical()
