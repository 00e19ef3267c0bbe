"""Force applied at a marker."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from duoti.elements.markers import marker_point, marker_rates
from duoti.elements.wrenches import apply_wrench
from duoti.kernel import helper
from duoti.model.forces.applied import MARKER, Applied, applied_tangent, applied_vector
from duoti.spatial.algebra import ZERO3, dot


@helper
def _applied_force(f, t, q, v, loads, w):
    m = loads.forces.integers[f, MARKER]
    force = applied_vector(f, t, q, v, loads, w)
    _, arm = marker_point(loads, w, m)
    _, velocity = marker_rates(loads, w, m, arm)
    apply_wrench(loads, w, m, arm, force, ZERO3)
    power = dot(force, velocity)
    return 0.0 * power, power, 0.0 * power


@helper
def _applied_force_tangent(f, t, q, v, tree, loads, w, tan, path):
    applied_tangent(f, t, q, v, tree, loads, w, tan, path, np.int64(1))


class AppliedForce(Applied):
    """Force (fx, fy, fz) [N] on the body of a marker, at the marker's origin.

    Each component is a number, an expression or a function; or one function returns all three. `frame="world"` keeps
    the direction in space, `frame="marker"` lets it follow the marker's axes.
    """

    kind = "applied_force"
    units: ClassVar = {"value": "N"}
    law = staticmethod(_applied_force)
    tangent = staticmethod(_applied_force_tangent)
