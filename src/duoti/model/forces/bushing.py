"""Bushing: springs and dampers in all six directions between two markers, coupled or not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duoti.elements.body_pairs import add_pair, displacement, path_between
from duoti.elements.markers import marker_point, marker_rotation, marker_velocities
from duoti.elements.matrices import matrix_times
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

SIX = range(6)
REALS = (
    *(f"{what}_{i}_{j}" for what in ("stiffness", "damping") for i in SIX for j in SIX),
    *(f"offset_{i}" for i in SIX),
)
STIFFNESS, DAMPING, OFFSET = 0, 36, 72
SYMMETRIC = 1e-9  # part of the largest entry by which a matrix may differ from its transpose


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
    place, theta, xdot, omega = deflections(loads, w, a, b)
    x, turn = sub(place, get3(r, f, OFFSET)), sub(theta, get3(r, f, OFFSET + 3))
    spring, gradient = matrix_times(r, f, STIFFNESS, x, turn)
    damper, drag = matrix_times(r, f, DAMPING, xdot, omega)
    apply_between(loads, w, a, b, add(spring, damper), add(torque_of_gradient(theta, gradient), drag))
    lost = dot(damper, xdot) + dot(drag, omega)
    return 0.5 * (dot(spring, x) + dot(gradient, turn)), 0.0 * lost, lost


@helper
def _bushing_tangent(f, t, q, v, tree, loads, w, tan, path):
    """Column by column.

    A small turn phi of b changes theta by d = J^-1 phi = phi - theta x phi / 2 + k theta x (theta x phi).
    """
    a, b = loads.forces.integers[f, MARKER_A], loads.forces.integers[f, MARKER_B]
    r = loads.forces.reals
    A, B = loads.markers.body[a], loads.markers.body[b]
    R = marker_rotation(loads, w, a)
    theta = rotation_vector(matmul(transpose(R), marker_rotation(loads, w, b)))
    centre = get3(w.X_WB, 1, 9)
    p_a, _ = marker_point(loads, w, a)
    p_b, _ = marker_point(loads, w, b)
    c, gap = sub(p_b, centre), sub(p_b, p_a)
    V_A, V_B = get_spatial(tan.V_W, A), get_spatial(tan.V_W, B)
    spin = sub(V_B[0], V_A[0])
    drift = sub(shift_of(V_B, c), shift_of(V_A, c))  # velocity of b's point seen from a
    x0, turn = sub(mulT(R, gap), get3(r, f, OFFSET)), sub(theta, get3(r, f, OFFSET + 3))
    spring, g = matrix_times(r, f, STIFFNESS, x0, turn)
    damper, drag = matrix_times(r, f, DAMPING, mulT(R, drift), mulT(R, spin))
    force = mul(R, add(spring, damper))
    torque = mul(R, add(torque_of_gradient(theta, g), drag))
    k2, slope, _ = cotangent_coefficients(dot(theta, theta))
    first = cross(theta, g)
    second = cross(theta, first)
    n = path_between(tree, path, A, B)
    for k in range(n):
        S_j, y_j = displacement(tan, path.column[k], V_B)
        x = shift_of(S_j, c)
        phi = mulT(R, S_j[0])
        bent = cross(theta, phi)
        d = add(sub(phi, scale(0.5, bent)), scale(k2, cross(theta, bent)))
        d_spring, dg = matrix_times(r, f, STIFFNESS, mulT(R, x), d)
        d_first = add(cross(d, g), cross(theta, dg))
        d_second = add(cross(d, first), cross(theta, d_first))
        d_torque = add(
            add(dg, scale(0.5, d_first)), add(scale(k2, d_second), scale(2.0 * slope * dot(theta, d), second))
        )
        faster = add(shift_of(y_j, c), cross(spin, x))
        d_damper, d_drag = matrix_times(r, f, DAMPING, mulT(R, faster), mulT(R, y_j[0]))
        df = mul(R, add(d_spring, d_damper))
        dn = add(mul(R, add(d_torque, d_drag)), add(cross(x, force), cross(c, df)))
        put_spatial(path.W_q, k, (scale(-1.0, dn), scale(-1.0, df)))
        d_damper, d_drag = matrix_times(r, f, DAMPING, mulT(R, x), phi)
        df = mul(R, d_damper)
        dn = add(mul(R, d_drag), cross(c, df))
        put_spatial(path.W_v, k, (scale(-1.0, dn), scale(-1.0, df)))
    W = (scale(-1.0, add(torque, cross(c, force))), scale(-1.0, force))
    add_pair(tree, tan, path, n, W, np.int64(1))


class Bushing(LineElement):
    r"""Elastic and viscous connection of two markers in six directions, along and about the axes of marker_a.

    $$f = -K (d - d_0) - D\, \dot d, \qquad d = (x, y, z, \theta_x, \theta_y, \theta_z)$$

    The deflections $d$ are the position of marker_b in marker_a and the rotation vector from a to b, which must stay
    below half a turn. The elastic forces derive from the potential $\tfrac12 (d - d_0)^T K (d - d_0)$ for any
    deflection.

    Parameters
    ----------
    marker_a, marker_b:
        Ends of the bushing; the directions are the axes of marker_a.
    stiffness:
        Stiffness $K$: six numbers (kx, ky, kz, kxx, kyy, kzz), or a symmetric 6x6 matrix.
    damping:
        Damping $D$, likewise; without negative eigenvalues.
    offset:
        Deflection $d_0$ without force: three displacements and three angles.
    """

    kind = "bushing"
    mirrored: ClassVar[Mapping[str, str]] = {
        "stiffness": "matrix",
        "damping": "matrix",
        "offset": "vector and pseudovector",
    }
    units: ClassVar = {"offset": "m or rad"}
    REALS = REALS
    law = staticmethod(_bushing)
    tangent = staticmethod(_bushing_tangent)

    def __init__(
        self,
        marker_a: Reference,
        marker_b: Reference,
        stiffness: ArrayLike,
        damping: ArrayLike = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        offset: ArrayLike = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    ):
        self.marker_a, self.marker_b = marker_a, marker_b
        self.stiffness, self.damping, self.offset = stiffness, damping, offset

    def channels(self, model: Any) -> Mapping[str, ForceChannel]:
        """Force and torque on the body of marker_b."""
        return {"force": FORCE, "torque": TORQUE}

    def faults(self) -> list[Fault]:
        found: list[Fault] = []
        for name in ("stiffness", "damping"):
            given = _numbers(getattr(self, name))
            matrix = None if given is None else _matrix(given)
            if given is None:
                found.append(Fault(f"{name} has numbers that are not finite: {getattr(self, name)!r}", name))
            elif matrix is None:
                text = (
                    f"{name} takes six numbers, along x, y, z and about x, y, z, or a 6x6 matrix; {_size(given)} given"
                )
                found.append(Fault(text, name))
            elif np.max(np.abs(matrix - matrix.T)) > SYMMETRIC * np.max(np.abs(matrix), initial=1e-300):
                found.append(Fault(f"{name} is not symmetric: no energy belongs to it", name))
            elif name == "damping" and given.ndim == 1 and np.any(given < 0):
                found.append(Fault(f"damping must not be negative: {given.tolist()}", name))
            elif name == "damping" and np.linalg.eigvalsh(matrix)[0] < -SYMMETRIC * np.max(np.abs(matrix)):
                found.append(Fault("damping has a negative eigenvalue: it would drive", name))
        offset = _numbers(self.offset)
        if offset is None or offset.shape != (6,):
            found.append(Fault("offset takes six finite numbers, along x, y, z and about x, y, z", "offset"))
        return found

    def reals(self) -> Mapping[str, float]:
        K, D, offset = (np.asarray(each, dtype=float) for each in (self.stiffness, self.damping, self.offset))
        numbers = np.concatenate([_matrix(K).ravel(), _matrix(D).ravel(), offset])  # pyright: ignore[reportOptionalMemberAccess]
        return dict(zip(REALS, numbers.tolist(), strict=True))


def _numbers(given: Any) -> NDArray[np.float64] | None:
    try:
        values = np.asarray(given, dtype=float)
    except (TypeError, ValueError, OverflowError):
        return None
    return values if np.all(np.isfinite(values)) else None


def _matrix(given: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """The 6x6 matrix that is meant."""
    if given.shape == (6,):
        return np.diag(given)
    return given if given.shape == (6, 6) else None


def _size(given: NDArray[np.float64]) -> str:
    return "x".join(map(str, given.shape)) if given.ndim > 1 else str(given.size)
