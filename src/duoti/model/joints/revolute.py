"""Revolute joint (转动铰, hinge): a turn about one axis."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from duoti.kernel import helper
from duoti.model.joints.axial import AxialJoint
from duoti.model.joints.base import angle
from duoti.spatial.algebra import sincos, turn_z


@helper
def _revolute(q, k, v, j, p, b, X_PF, H, c):
    sine, cosine = sincos(q[k])
    return turn_z(X_PF, sine, cosine)


class Revolute(AxialJoint):
    """Turns about `axis`. Coordinate: angle [rad], rate [rad/s]."""

    kind = "revolute"
    coordinates = (angle(),)
    subspace = ((0, 0, 1, 0, 0, 0),)
    law = staticmethod(_revolute)

    def __init__(self, axis: str | ArrayLike):
        self.axis = axis

    @staticmethod
    def sample(rng: np.random.Generator) -> Revolute:
        """Random axis."""
        return Revolute(rng.normal(size=3))
