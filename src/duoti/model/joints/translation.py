"""Translation (平动铰): three shifts and no turn, as of a point mass or a gantry."""

from __future__ import annotations

import numpy as np

from duoti.kernel import helper
from duoti.model.joints.base import SAME_ATTITUDE, Array, Joint, position
from duoti.spatial.algebra import shift


@helper
def _translation(q, k, v, j, p, b, X_PF, H, c):
    return shift(X_PF, (q[k], q[k + 1], q[k + 2]))


class Translation(Joint):
    """Three degrees of freedom: moves along x, y and z, keeps its attitude.

    Coordinates: position [m] along the axes of the joint's frame on the parent (three numbers): of ground, or of a body
    in its reference configuration, the world's axes.
    """

    kind = "translation"
    coordinates = (position(3),)
    subspace = ((0, 0, 0, 1, 0, 0), (0, 0, 0, 0, 1, 0), (0, 0, 0, 0, 0, 1))
    law = staticmethod(_translation)
    closure = SAME_ATTITUDE

    def relative_coordinates(self, R_FM: Array, p_FM: Array) -> Array:
        return p_FM

    def relative_velocities(self, q: Array, omega: Array, velocity: Array) -> Array:
        return velocity

    @staticmethod
    def sample(rng: np.random.Generator) -> Translation:
        """There is only one."""
        return Translation()
