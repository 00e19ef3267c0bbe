"""Torque applied to the body of a marker."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from duoti.elements.markers import marker_rates
from duoti.elements.wrenches import apply_wrench
from duoti.kernel import helper
from duoti.model.forces.applied import MARKER, Applied, applied_tangent, applied_vector
from duoti.spatial.algebra import ZERO3, dot


@helper
def _applied_torque(f, t, q, v, loads, w):
    m = loads.forces.integers[f, MARKER]
    torque = applied_vector(f, t, q, v, loads, w)
    omega, _ = marker_rates(loads, w, m, ZERO3)
    apply_wrench(loads, w, m, ZERO3, ZERO3, torque)
    power = dot(torque, omega)
    return 0.0 * power, power, 0.0 * power


@helper
def _applied_torque_tangent(f, t, q, v, tree, loads, w, tan, path):
    applied_tangent(f, t, q, v, tree, loads, w, tan, path, np.int64(0))


class AppliedTorque(Applied):
    """Torque (tx, ty, tz) [N m] on the body of a marker; components and frame as in `AppliedForce`."""

    kind = "applied_torque"
    units: ClassVar = {"value": "N m"}
    law = staticmethod(_applied_torque)
    tangent = staticmethod(_applied_torque_tangent)
