"""Newtonian attraction between two bodies."""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.element_id import Fault
from duoti.model.elements import Reference
from duoti.model.forces.base import Compiler, LineElement, Row, apply_tension, line_between, line_ready, number_faults


@helper
def _attraction(f, t, q, v, loads, w):
    a, b = loads.integers[f, 0], loads.integers[f, 1]
    strength = loads.reals[f, 0]
    length, speed, n, arm_a, arm_b = line_between(loads, w, a, b)
    apply_tension(loads, w, a, b, arm_a, arm_b, n, strength / (length * length))
    return -strength / length, 0.0 * speed, 0.0 * speed


@helper
def _attraction_tangent(f, t, q, v, tree, loads, w, tan, path):
    a, b = loads.integers[f, 0], loads.integers[f, 1]
    length, _, _, _, _ = line_between(loads, w, a, b)
    tension = loads.reals[f, 0] / (length * length)
    return line_ready(path, a, b, tension, -2.0 * tension / length, 0.0, 0)


class Attraction(LineElement):
    """Gravitation between two points: tension = strength / length², strength = G m₁ m₂ [N m²].

    Uniform gravity is a property of the model; this is for orbits.
    """

    kind = "attraction"
    law = staticmethod(_attraction)
    tangent = staticmethod(_attraction_tangent)

    def __init__(self, marker_a: Reference, marker_b: Reference, strength: float):
        self.marker_a, self.marker_b, self.strength = marker_a, marker_b, strength

    def faults(self) -> list[Fault]:
        """See `Force.faults`."""
        return number_faults(strength=self.strength)

    def row(self, compiler: Compiler) -> Row:
        """See `Force.row`."""
        return Row([compiler.marker(self.marker_a), compiler.marker(self.marker_b)], [self.strength])
