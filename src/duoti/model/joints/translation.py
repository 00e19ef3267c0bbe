"""Translation (平动铰): three shifts and no turn, as of a point mass or a gantry."""

from __future__ import annotations

import numpy as np

from duoti.kernel import helper
from duoti.model.joints.base import SAME_ATTITUDE, Array, Joint, position
from duoti.spatial.algebra import shift
from duoti.spatial.reflection import Reflection


@helper
def _translation(q, k, v, j, p, b, X_PF, H, c):
    return shift(X_PF, (q[k], q[k + 1], q[k + 2]))


class Translation(Joint):
    r"""The child moves along three axes of the parent and keeps its orientation.

    $$p_{FM} = q_1 e_x + q_2 e_y + q_3 e_z, \qquad R_{FM} = 1$$

    Coordinates: three positions along the axes of the joint frame $F$ on the parent. Without a marker, these are the
    world axes of the reference configuration.
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

    def mirrored(self, reflection: Reflection) -> tuple[Joint, tuple[float, ...], tuple[float, ...]]:
        """Components of a vector."""
        return self, reflection.signs("vector"), reflection.signs("vector")

    @staticmethod
    def sample(rng: np.random.Generator) -> Translation:
        """There is only one."""
        return Translation()
