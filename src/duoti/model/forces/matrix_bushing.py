"""Bushing with full matrices and an offset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duoti.elements.body_pairs import add_pair, displacement, path_between
from duoti.elements.markers import marker_point, marker_rotation
from duoti.elements.matrices import matrix_times
from duoti.kernel import helper
from duoti.model.element_id import Fault
from duoti.model.elements import Reference
from duoti.model.forces.base import MARKER_A, MARKER_B, LineElement
from duoti.model.forces.bushing import (
    apply_between,
    deflections,
    torque_of_gradient,
)
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
def _matrix_bushing(f, t, q, v, loads, w):
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
def _matrix_bushing_tangent(f, t, q, v, tree, loads, w, tan, path):
    """As that of `Bushing`, column by column: a turn phi of b changes theta by d = J^-1 phi (see there)."""
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


class MatrixBushing(LineElement):
    """Elastic and viscous connection of two markers by full 6x6 matrices, in the axes of marker_a.

    The deflections are (x, y, z of marker_b in marker_a, rotation vector from a to b), less `offset` (six numbers [m,
    rad]), the deflection without force. stiffness and damping: symmetric 6x6 matrices [N/m, N/rad, N m/rad; the same
    times s], or six numbers for diagonal ones; damping without negative eigenvalues. The rotation must stay below half
    a turn. The forces derive from half the deflections times stiffness times deflections.
    """

    kind = "matrix_bushing"
    REALS = REALS
    law = staticmethod(_matrix_bushing)
    tangent = staticmethod(_matrix_bushing_tangent)

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
        """See `Force.faults`."""
        found: list[Fault] = []
        for name in ("stiffness", "damping"):
            matrix = _matrix(getattr(self, name))
            if matrix is None:
                found.append(Fault(f"{name} takes a 6x6 matrix or six numbers, all finite", name))
            elif np.max(np.abs(matrix - matrix.T)) > SYMMETRIC * np.max(np.abs(matrix), initial=1e-300):
                found.append(Fault(f"{name} is not symmetric: no energy belongs to it", name))
            elif name == "damping" and np.linalg.eigvalsh(matrix)[0] < -SYMMETRIC * np.max(np.abs(matrix)):
                found.append(Fault("damping has a negative eigenvalue: it would drive", name))
        offset = _numbers(self.offset)
        if offset is None or offset.shape != (6,):
            found.append(Fault("offset takes six finite numbers, along x, y, z and about x, y, z", "offset"))
        return found

    def reals(self) -> Mapping[str, float]:
        """See `Force.reals`."""
        K, D = _matrix(self.stiffness), _matrix(self.damping)
        assert K is not None
        assert D is not None
        return dict(
            zip(REALS, np.concatenate([K.ravel(), D.ravel(), np.asarray(self.offset, float)]).tolist(), strict=True)
        )


def _numbers(given: Any) -> NDArray[np.float64] | None:
    try:
        values = np.asarray(given, dtype=float)
    except (TypeError, ValueError, OverflowError):
        return None
    return values if np.all(np.isfinite(values)) else None


def _matrix(given: Any) -> NDArray[np.float64] | None:
    values = _numbers(given)
    if values is not None and values.shape == (6,):
        values = np.diag(values)
    return values if values is not None and values.shape == (6, 6) else None
