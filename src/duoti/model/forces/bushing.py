"""Bushing: springs and dampers in all six directions between two markers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from duoti.kernel import helper
from duoti.model.elements import Reference
from duoti.model.forces.base import TINY, Compiler, LineElement, Row, push
from duoti.model.laws import marker_point, marker_rates
from duoti.spatial.algebra import (
    add,
    atan2,
    cross,
    dot,
    get9,
    matmul,
    mul,
    mulT,
    scale,
    sqrt,
    sub,
    transpose,
)


@helper
def _rotation_vector(R):
    """Rotation vector of a rotation matrix by less than half a turn, where the direction is lost (it stays finite)."""
    s = (R[7] - R[5], R[2] - R[6], R[3] - R[1])  # 2 sin(angle) times the axis; the trace is 1 + 2 cos(angle)
    n = sqrt(dot(s, s) + TINY)
    return scale(atan2(n, R[0] + R[4] + R[8] - 1.0) / n, s)


@helper
def _torque_of_gradient(theta, g):
    """The torque, in the first frame's axes, that does the work g . d(theta)/dt for a rotation vector theta.

    d(theta)/dt = J^-1 omega, so the torque is J^-T g = g + theta x g / 2 + k theta x (theta x g) with the left Jacobian
    J of SO(3) and k = (1 - x cot x) / (4 x²), x = |theta| / 2 (Barfoot 2017, section 7.1.3). The continued fraction
    x cot x = 1 - x² / (3 - x² / (5 - ...)) gives k without a case for small angles, to round-off below half a turn.
    """
    x2 = 0.25 * dot(theta, theta)
    tail = 25.0 + 0.0 * x2
    for i in range(11, 0, -1):
        tail = (2.0 * i + 1.0) - x2 / tail
    a = cross(theta, g)
    return add(add(g, scale(0.5, a)), scale(0.25 / tail, cross(theta, a)))


@helper
def _bushing(f, t, q, v, loads, w):
    a, b = loads.integers[f, 0], loads.integers[f, 1]
    r = loads.reals
    R_WA = matmul(get9(w.X_WB, loads.marker_body[a], 0), get9(loads.X_BM, a, 0))
    R_WB = matmul(get9(w.X_WB, loads.marker_body[b], 0), get9(loads.X_BM, b, 0))
    p_a, arm_a = marker_point(loads, w, a)
    p_b, arm_b = marker_point(loads, w, b)
    omega_a, v_a = marker_rates(loads, w, a, arm_a)
    omega_b, v_b = marker_rates(loads, w, b, arm_b)
    gap = sub(p_b, p_a)
    x = mulT(R_WA, gap)
    xdot = mulT(R_WA, sub(sub(v_b, v_a), cross(omega_a, gap)))
    theta = _rotation_vector(matmul(transpose(R_WA), R_WB))
    omega = mulT(R_WA, sub(omega_b, omega_a))
    spring = (r[f, 0] * x[0], r[f, 1] * x[1], r[f, 2] * x[2])
    gradient = (r[f, 3] * theta[0], r[f, 4] * theta[1], r[f, 5] * theta[2])
    damper = (r[f, 6] * xdot[0], r[f, 7] * xdot[1], r[f, 8] * xdot[2])
    drag = (r[f, 9] * omega[0], r[f, 10] * omega[1], r[f, 11] * omega[2])
    force = mul(R_WA, add(spring, damper))  # on a, at b's point, in world axes
    torque = mul(R_WA, add(_torque_of_gradient(theta, gradient), drag))
    push(loads, w, b, arm_b, scale(-1.0, force), scale(-1.0, torque))
    push(loads, w, a, add(arm_a, gap), force, torque)
    potential = 0.5 * (dot(spring, x) + dot(gradient, theta))
    lost = dot(damper, xdot) + dot(drag, omega)
    return potential, 0.0 * lost, lost


class Bushing(LineElement):
    """Elastic and viscous connection of two markers in six directions, along and about the axes of marker_a.

    stiffness: (kx, ky, kz [N/m], kxx, kyy, kzz [N m/rad]); damping likewise [N s/m, N m s/rad]. The deflections are the
    position of marker_b in marker_a and the rotation vector from a to b, which must stay below half a turn. The forces
    derive from the potential (kx x² + ... + kzz θz²)/2 for any deflection.
    """

    kind = "bushing"
    law = staticmethod(_bushing)

    def __init__(
        self,
        marker_a: Reference,
        marker_b: Reference,
        stiffness: Sequence[float],
        damping: Sequence[float] = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    ):
        self.marker_a, self.marker_b = marker_a, marker_b
        self.stiffness, self.damping = stiffness, damping

    def markers(self) -> Iterable[tuple[str, Reference]]:
        """Both ends."""
        return (("marker_a", self.marker_a), ("marker_b", self.marker_b))

    def faults(self) -> list[str]:
        """See `Force.faults`."""
        found: list[str] = []
        for name, numbers in (("stiffness", self.stiffness), ("damping", self.damping)):
            values = np.asarray(numbers, dtype=float)
            if values.shape != (6,):
                found.append(f"{name} takes six numbers, along x, y, z and about x, y, z; {values.size} given")
            elif not np.all(np.isfinite(values)):
                found.append(f"{name} has numbers that are not finite: {values.tolist()}")
            elif name == "damping" and np.any(values < 0):
                found.append(f"damping must not be negative: {values.tolist()}")
        return found

    def row(self, compiler: Compiler) -> Row:
        """See `Force.row`."""
        return Row([compiler.marker(self.marker_a), compiler.marker(self.marker_b)], [*self.stiffness, *self.damping])
