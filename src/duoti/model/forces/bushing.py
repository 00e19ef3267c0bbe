"""Bushing: springs and dampers in all six directions between two markers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from duoti.elements.body_pairs import add_pair, displacement, path_between
from duoti.elements.markers import marker_point, marker_rotation, marker_velocities
from duoti.elements.wrenches import apply_wrench
from duoti.kernel import helper
from duoti.model.element_id import Fault
from duoti.model.elements import Reference
from duoti.model.forces.base import MARKER_A, MARKER_B, LineElement
from duoti.model.forces.channels import FORCE, TORQUE, ForceChannel
from duoti.spatial.algebra import (
    add,
    cross,
    dot,
    get3,
    get_spatial,
    matmul,
    mul,
    mulT,
    put_spatial,
    scale,
    shift_of,
    sub,
    transpose,
)
from duoti.spatial.se3 import cotangent_coefficients, rotation_vector

REALS = tuple(f"{what}_{axis}" for what in ("stiffness", "damping") for axis in ("x", "y", "z", "xx", "yy", "zz"))
STIFFNESS, ROTATIONAL_STIFFNESS, DAMPING, ROTATIONAL_DAMPING = range(0, len(REALS), 3)  # each of three axes


@helper
def _times(r, f, first, x):
    """The three numbers from place `first` on of element f, each times one of x."""
    return r[f, first] * x[0], r[f, first + 1] * x[1], r[f, first + 2] * x[2]


@helper
def torque_of_gradient(theta, g):
    """The torque, in the first frame's axes, that does the work g . d(theta)/dt for a rotation vector theta.

    d(theta)/dt = J^-1 omega, so the torque is J^-T g = g + theta x g / 2 + k theta x (theta x g) with the left Jacobian
    J of SO(3) and k = (1 - x cot x) / (4 x²), x = |theta| / 2 (Barfoot 2017, section 7.1.3).
    """
    k, _, _ = cotangent_coefficients(dot(theta, theta))
    a = cross(theta, g)
    return add(add(g, scale(0.5, a)), scale(k, cross(theta, a)))


@helper
def _torque_stiffness(theta, r, f):
    """Matrix of d(torque of the rotational springs) by a small turn of b, both in a's axes.

    A small turn phi changes theta by J^-1 phi = phi - theta x phi / 2 + k theta x (theta x phi).
    """
    k, slope, _ = cotangent_coefficients(dot(theta, theta))
    g = _times(r, f, ROTATIONAL_STIFFNESS, theta)
    a = cross(theta, g)
    b = cross(theta, a)
    c0 = _stiffness_column(theta, r, f, k, slope, g, a, b, (1.0, 0.0, 0.0))
    c1 = _stiffness_column(theta, r, f, k, slope, g, a, b, (0.0, 1.0, 0.0))
    c2 = _stiffness_column(theta, r, f, k, slope, g, a, b, (0.0, 0.0, 1.0))
    return c0[0], c1[0], c2[0], c0[1], c1[1], c2[1], c0[2], c1[2], c2[2]


@helper
def _stiffness_column(theta, r, f, k, slope, g, a, b, phi):
    """Derivative of g + a / 2 + k b, with a = theta x g and b = theta x a, by the small turn phi."""
    x = cross(theta, phi)
    d = add(sub(phi, scale(0.5, x)), scale(k, cross(theta, x)))  # of theta
    dg = _times(r, f, ROTATIONAL_STIFFNESS, d)
    da = add(cross(d, g), cross(theta, dg))
    db = add(cross(d, a), cross(theta, da))
    return add(add(dg, scale(0.5, da)), add(scale(k, db), scale(2.0 * slope * dot(theta, d), b)))


@helper
def deflections(loads, w, a, b):
    """Position and rotation vector of marker b in marker a, and their rates (the turn's as an angular velocity)."""
    R_WA, R_WB = marker_rotation(loads, w, a), marker_rotation(loads, w, b)
    p_a, arm_a = marker_point(loads, w, a)
    p_b, arm_b = marker_point(loads, w, b)
    omega_a, v_a = marker_velocities(loads, w, a, arm_a)
    omega_b, v_b = marker_velocities(loads, w, b, arm_b)
    gap = sub(p_b, p_a)
    x = mulT(R_WA, gap)
    xdot = mulT(R_WA, sub(sub(v_b, v_a), cross(omega_a, gap)))
    theta = rotation_vector(matmul(transpose(R_WA), R_WB))
    return x, theta, xdot, mulT(R_WA, sub(omega_b, omega_a))


@helper
def apply_between(loads, w, a, b, force_A, torque_A):
    """A force and a torque on marker a at b's point, in a's axes, and the opposite on b."""
    R_WA = marker_rotation(loads, w, a)
    p_a, arm_a = marker_point(loads, w, a)
    p_b, arm_b = marker_point(loads, w, b)
    force, torque = mul(R_WA, force_A), mul(R_WA, torque_A)
    apply_wrench(loads, w, b, arm_b, scale(-1.0, force), scale(-1.0, torque))
    apply_wrench(loads, w, a, add(arm_a, sub(p_b, p_a)), force, torque)


@helper
def _bushing(f, t, q, v, loads, w):
    a, b = loads.forces.integers[f, MARKER_A], loads.forces.integers[f, MARKER_B]
    r = loads.forces.reals
    x, theta, xdot, omega = deflections(loads, w, a, b)
    spring = _times(r, f, STIFFNESS, x)
    gradient = _times(r, f, ROTATIONAL_STIFFNESS, theta)
    damper = _times(r, f, DAMPING, xdot)
    drag = _times(r, f, ROTATIONAL_DAMPING, omega)
    apply_between(loads, w, a, b, add(spring, damper), add(torque_of_gradient(theta, gradient), drag))
    potential = 0.5 * (dot(spring, x) + dot(gradient, theta))
    lost = dot(damper, xdot) + dot(drag, omega)
    return potential, 0.0 * lost, lost


@helper
def _in_world(R, A):
    """Matrix A of frame R in world axes."""
    return matmul(matmul(R, A), transpose(R))


@helper
def _diagonal_in_world(R, x, y, z):
    """R diag(x, y, z) R^T."""
    A = (x * R[0], y * R[1], z * R[2], x * R[3], y * R[4], z * R[5], x * R[6], y * R[7], z * R[8])
    return matmul(A, transpose(R))


@helper
def _bushing_tangent(f, t, q, v, tree, loads, w, tan, path):
    a, b = loads.forces.integers[f, MARKER_A], loads.forces.integers[f, MARKER_B]
    r = loads.forces.reals
    A, B = loads.markers.body[a], loads.markers.body[b]
    R_WA, R_WB = marker_rotation(loads, w, a), marker_rotation(loads, w, b)
    theta = rotation_vector(matmul(transpose(R_WA), R_WB))
    centre = get3(w.X_WB, 1, 9)
    p_a, _ = marker_point(loads, w, a)
    p_b, _ = marker_point(loads, w, b)
    c, gap = sub(p_b, centre), sub(p_b, p_a)
    V_A, V_B = get_spatial(tan.V_W, A), get_spatial(tan.V_W, B)
    spin = sub(V_B[0], V_A[0])
    drift = sub(shift_of(V_B, c), shift_of(V_A, c))  # velocity of b's point seen from a
    # matrices in world axes: forces by displacement and by velocity, torques by turn and by angular velocity
    k_force = _diagonal_in_world(R_WA, r[f, STIFFNESS], r[f, STIFFNESS + 1], r[f, STIFFNESS + 2])
    c_force = _diagonal_in_world(R_WA, r[f, DAMPING], r[f, DAMPING + 1], r[f, DAMPING + 2])
    k_torque = _in_world(R_WA, _torque_stiffness(theta, r, f))
    c_torque = _diagonal_in_world(
        R_WA, r[f, ROTATIONAL_DAMPING], r[f, ROTATIONAL_DAMPING + 1], r[f, ROTATIONAL_DAMPING + 2]
    )
    gradient = _times(r, f, ROTATIONAL_STIFFNESS, theta)
    force = add(mul(k_force, gap), mul(c_force, drift))  # on a
    torque = add(mul(R_WA, torque_of_gradient(theta, gradient)), mul(c_torque, spin))
    n = path_between(tree, path, A, B)
    for k in range(n):
        S_j, y_j = displacement(tan, path.column[k], V_B)
        x = shift_of(S_j, c)
        faster = add(shift_of(y_j, c), cross(spin, x))
        df = add(mul(k_force, x), mul(c_force, faster))
        dn = add(add(mul(k_torque, S_j[0]), mul(c_torque, y_j[0])), add(cross(x, force), cross(c, df)))
        put_spatial(path.W_q, k, (scale(-1.0, dn), scale(-1.0, df)))
        df = mul(c_force, x)
        dn = add(mul(c_torque, S_j[0]), cross(c, df))
        put_spatial(path.W_v, k, (scale(-1.0, dn), scale(-1.0, df)))
    W = (scale(-1.0, add(torque, cross(c, force))), scale(-1.0, force))
    add_pair(tree, tan, path, n, W, np.int64(1))


class Bushing(LineElement):
    """Elastic and viscous connection of two markers in six directions, along and about the axes of marker_a.

    stiffness: (kx, ky, kz [N/m], kxx, kyy, kzz [N m/rad]); damping likewise [N s/m, N m s/rad]. The deflections are the
    position of marker_b in marker_a and the rotation vector from a to b, which must stay below half a turn. The forces
    derive from the potential (kx x² + ... + kzz θz²)/2 for any deflection.
    """

    kind = "bushing"
    REALS = REALS
    law = staticmethod(_bushing)
    tangent = staticmethod(_bushing_tangent)

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

    def channels(self, model: Any) -> Mapping[str, ForceChannel]:
        """Force and torque on the body of marker_b."""
        return {"force": FORCE, "torque": TORQUE}

    def faults(self) -> list[Fault]:
        """See `Force.faults`."""
        found: list[Fault] = []
        for name, numbers in (("stiffness", self.stiffness), ("damping", self.damping)):
            values = np.asarray(numbers, dtype=float)
            if values.shape != (6,):
                text = f"{name} takes six numbers, along x, y, z and about x, y, z; {values.size} given"
                found.append(Fault(text, name))
            elif not np.all(np.isfinite(values)):
                found.append(Fault(f"{name} has numbers that are not finite: {values.tolist()}", name))
            elif name == "damping" and np.any(values < 0):
                found.append(Fault(f"damping must not be negative: {values.tolist()}", name))
        return found

    def reals(self) -> Mapping[str, float]:
        """See `Force.reals`."""
        return dict(zip(self.REALS, (*self.stiffness, *self.damping), strict=True))
