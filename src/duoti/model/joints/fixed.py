"""Fixed joint (固定铰, weld): no relative motion; its reaction is a full wrench."""

from __future__ import annotations

import numpy as np

from duoti.kernel import helper
from duoti.model.joints.base import SAME_ATTITUDE, Array, Joint, positions
from duoti.spatial.reflection import Reflection


@helper
def _fixed(q, k, v, j, p, b, X_PF, H, c):
    return X_PF


class Fixed(Joint):
    r"""Weld: the child does not move relative to the parent.

    $$R_{FM} = 1, \qquad p_{FM} = 0$$

    It has no coordinates. Its reaction is a full wrench.
    """

    kind = "fixed"
    coordinates = ()
    subspace = ()
    law = staticmethod(_fixed)
    closure = positions(0, 1, 2) + SAME_ATTITUDE

    def relative_coordinates(self, R_FM: Array, p_FM: Array) -> Array:
        return np.zeros((len(p_FM), 0))

    def relative_velocities(self, q: Array, omega: Array, velocity: Array) -> Array:
        return np.zeros((len(omega), 0))

    def mirrored(self, reflection: Reflection) -> tuple[Joint, tuple[float, ...], tuple[float, ...]]:
        """It has neither axes nor coordinates."""
        return self, (), ()

    @staticmethod
    def sample(rng: np.random.Generator) -> Fixed:
        """There is only one."""
        return Fixed()
