"""Spring and damper along the line between two points."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from duoti.elements.wrenches import add_tension_tangent, apply_tension, line_between
from duoti.kernel import helper
from duoti.model.element_id import Fault
from duoti.model.elements import Reference
from duoti.model.forces.base import MARKER_A, MARKER_B, LineElement, number_faults

REALS = ("stiffness", "damping", "rest_length")
STIFFNESS, DAMPING, REST_LENGTH = range(len(REALS))


@helper
def _spring_damper(f, t, q, v, loads, w):
    a, b = loads.forces.integers[f, MARKER_A], loads.forces.integers[f, MARKER_B]
    reals = loads.forces.reals
    k, d, rest = reals[f, STIFFNESS], reals[f, DAMPING], reals[f, REST_LENGTH]
    length, speed, n, arm_a, arm_b = line_between(loads, w, a, b)
    stretch = length - rest
    apply_tension(loads, w, a, b, arm_a, arm_b, n, k * stretch + d * speed)
    return 0.5 * k * stretch * stretch, 0.0 * speed, d * speed * speed


@helper
def _spring_damper_tangent(f, t, q, v, tree, loads, w, tan, path):
    a, b = loads.forces.integers[f, MARKER_A], loads.forces.integers[f, MARKER_B]
    reals = loads.forces.reals
    k, d, rest = reals[f, STIFFNESS], reals[f, DAMPING], reals[f, REST_LENGTH]
    length, speed, _, _, _ = line_between(loads, w, a, b)
    add_tension_tangent(tree, loads, w, tan, path, a, b, k * (length - rest) + d * speed, k, d, np.int64(0))


class SpringDamper(LineElement):
    r"""Spring and damper along the line between the origins of two markers.

    $$T = k\,(\ell - \ell_0) + c\,\dot\ell, \qquad f_b = -T\, e, \qquad f_a = T\, e, \qquad e = \frac{r_b - r_a}{\ell}$$

    A positive tension $T$ pulls the markers together. At zero length there is no direction, and the force is zero.

    Parameters
    ----------
    marker_a, marker_b:
        Ends of the spring.
    stiffness:
        Stiffness $k$.
    damping:
        Damping coefficient $c$.
    rest_length:
        Length $\ell_0$ without spring force.
    """

    kind = "spring_damper"
    units: ClassVar = {"stiffness": "N/m", "damping": "N s/m", "rest_length": "m"}
    REALS = REALS
    law = lanes_law = staticmethod(_spring_damper)
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
        return number_faults(
            stiffness=self.stiffness, positive_damping=self.damping, positive_rest_length=self.rest_length
        )
