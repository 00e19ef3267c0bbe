"""A joint along a curve: no sequence of elementary motions, although it claims to be one."""

from __future__ import annotations

import numpy as np

from duoti.kernel import helper
from duoti.model.joints.base import Joint, position
from duoti.spatial import Rotation
from duoti.spatial.algebra import put6, shift


@helper
def _parabola(q, k, v, j, p, b, X_PF, H, c):
    put6(H, j, 0, (0.0, 0.0, 0.0, 1.0, 2.0 * q[k], 0.0))
    put6(c, b, 0, (0.0, 0.0, 0.0, 0.0, 2.0 * v[j] * v[j], 0.0))
    return shift(X_PF, (q[k], q[k] * q[k], 0.0))


class Parabola(Joint):
    """Slides along y = x² without turning; the coordinate is x [m]."""

    kind = "parabola"
    coordinates = (position(),)
    law = staticmethod(_parabola)

    @property
    def subspace_at_zero(self) -> tuple[tuple[float, ...], ...]:
        """Along x."""
        return ((0.0, 0.0, 0.0, 1.0, 0.0, 0.0),)

    @property
    def moves(self) -> tuple[tuple[int, ...], ...]:
        """Not true of this joint: its direction changes with the coordinate, although S x S is zero."""
        return ((1,),)

    def faults(self) -> list[str]:
        """Nothing can be wrong."""
        return []

    def frame(self) -> Rotation:
        """The user's axes."""
        return Rotation.identity()

    @staticmethod
    def sample(rng: np.random.Generator) -> Parabola:
        """There is only one."""
        return Parabola()
