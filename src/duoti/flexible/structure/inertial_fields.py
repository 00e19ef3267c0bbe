"""Accelerations that a unit motion of the frame gives to the points of a body."""

from __future__ import annotations

import numpy as np

from duoti.spatial.axes import Array, skew


def inertial_fields() -> list[tuple[Array, Array]]:
    """a and A of the accelerations a + A r, in the order of `reduced.INERTIAL_LOADS`.

    Three accelerations, three angular accelerations, six products of angular velocities.
    """
    e = [skew(each) for each in np.eye(3)]
    none, zero = np.zeros((3, 3)), np.zeros(3)
    found = [(each, none) for each in np.eye(3)] + [(zero, each) for each in e]
    found += [(zero, each @ each) for each in e]
    found += [(zero, e[i] @ e[j] + e[j] @ e[i]) for i, j in ((0, 1), (0, 2), (1, 2))]
    return found
