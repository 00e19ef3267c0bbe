"""Cylindrical joint (圆柱铰): a shift along and a turn about the same axis."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from duoti.kernel import helper
from duoti.model.joints.axial import AxialJoint
from duoti.model.joints.base import angle, position
from duoti.spatial.algebra import sincos, slide_z, turn_z


@helper
def _cylindrical(q, k, v, j, p, b, X_PF, H, c):
    sine, cosine = sincos(q[k + 1])
    return slide_z(turn_z(X_PF, sine, cosine), q[k])


class Cylindrical(AxialJoint):
    """Slides along and turns about `axis`. Coordinates: position [m], then angle [rad]."""

    kind = "cylindrical"
    coordinates = (position(), angle())
    subspace = ((0, 0, 0, 0, 0, 1), (0, 0, 1, 0, 0, 0))
    law = staticmethod(_cylindrical)

    def __init__(self, axis: str | ArrayLike):
        self.axis = axis

    @staticmethod
    def sample(rng: np.random.Generator) -> Cylindrical:
        """Random axis."""
        return Cylindrical(rng.normal(size=3))
