"""Newtonian gravitation between two bodies."""

from __future__ import annotations

import numpy as np

from duoti.elements.wrenches import add_tension_tangent, apply_tension, line_between
from duoti.kernel import helper
from duoti.model.element_id import Fault
from duoti.model.elements import Reference
from duoti.model.forces.base import MARKER_A, MARKER_B, LineElement, number_faults

REALS = ("strength",)
(STRENGTH,) = range(len(REALS))


@helper
def _point_gravity(f, t, q, v, loads, w):
    a, b = loads.forces.integers[f, MARKER_A], loads.forces.integers[f, MARKER_B]
    strength = loads.forces.reals[f, STRENGTH]
    length, speed, n, arm_a, arm_b = line_between(loads, w, a, b)
    apply_tension(loads, w, a, b, arm_a, arm_b, n, strength / (length * length))
    return -strength / length, 0.0 * speed, 0.0 * speed


@helper
def _point_gravity_tangent(f, t, q, v, tree, loads, w, tan, path):
    a, b = loads.forces.integers[f, MARKER_A], loads.forces.integers[f, MARKER_B]
    length, _, _, _, _ = line_between(loads, w, a, b)
    tension = loads.forces.reals[f, STRENGTH] / (length * length)
    add_tension_tangent(tree, loads, w, tan, path, a, b, tension, -2.0 * tension / length, 0.0, np.int64(0))


class PointGravity(LineElement):
    r"""Gravitation between two points, for orbits. Uniform gravity is a property of the model.

    $$T = \frac{G\, m_1 m_2}{\ell^2}$$

    Parameters
    ----------
    marker_a, marker_b:
        Markers or bodies at the points.
    strength:
        The product $G\, m_1 m_2$.
    """

    kind = "point_gravity"
    REALS = REALS
    law = lanes_law = staticmethod(_point_gravity)
    tangent = staticmethod(_point_gravity_tangent)

    def __init__(self, marker_a: Reference, marker_b: Reference, strength: float):
        self.marker_a, self.marker_b, self.strength = marker_a, marker_b, strength

    def faults(self) -> list[Fault]:
        return number_faults(strength=self.strength)
