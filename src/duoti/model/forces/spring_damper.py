"""Spring and damper along the line between two points."""

from __future__ import annotations

from typing import ClassVar

from duoti.kernel import helper
from duoti.model.element_id import Fault
from duoti.model.elements import Reference
from duoti.model.forces.base import Compiler, LineElement, Row, apply_tension, line_between, line_ready, number_faults


@helper
def _spring_damper(f, t, q, v, loads, w):
    a, b = loads.integers[f, 0], loads.integers[f, 1]
    k, d, rest = loads.reals[f, 0], loads.reals[f, 1], loads.reals[f, 2]
    length, speed, n, arm_a, arm_b = line_between(loads, w, a, b)
    stretch = length - rest
    apply_tension(loads, w, a, b, arm_a, arm_b, n, k * stretch + d * speed)
    return 0.5 * k * stretch * stretch, 0.0 * speed, d * speed * speed


@helper
def _spring_damper_tangent(f, t, q, v, tree, loads, w, tan, path):
    a, b = loads.integers[f, 0], loads.integers[f, 1]
    k, d, rest = loads.reals[f, 0], loads.reals[f, 1], loads.reals[f, 2]
    length, speed, _, _, _ = line_between(loads, w, a, b)
    return line_ready(path, a, b, k * (length - rest) + d * speed, k, d, 0)


class SpringDamper(LineElement):
    """Tension = stiffness * (length - rest_length) + damping * d(length)/dt between the origins of two markers.

    stiffness [N/m], damping [N s/m], rest_length [m]. At zero length there is no direction and the force is zero.
    """

    kind = "spring_damper"
    units: ClassVar = {"stiffness": "N/m", "damping": "N s/m", "rest_length": "m"}
    law = staticmethod(_spring_damper)
    tangent = staticmethod(_spring_damper_tangent)

    def __init__(
        self,
        marker_a: Reference,
        marker_b: Reference,
        stiffness: float = 0.0,
        damping: float = 0.0,
        rest_length: float = 0.0,
    ):
        self.marker_a, self.marker_b = marker_a, marker_b
        self.stiffness, self.damping, self.rest_length = stiffness, damping, rest_length

    def faults(self) -> list[Fault]:
        """See `Force.faults`."""
        return number_faults(
            stiffness=self.stiffness, positive_damping=self.damping, positive_rest_length=self.rest_length
        )

    def row(self, compiler: Compiler) -> Row:
        """See `Force.row`."""
        return Row(
            [compiler.marker(self.marker_a), compiler.marker(self.marker_b)],
            [self.stiffness, self.damping, self.rest_length],
        )
