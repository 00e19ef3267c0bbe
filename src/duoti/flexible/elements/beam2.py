"""The spatial beam of two nodes with shear (Timoshenko): x along it, six displacements a node (u, then turns).

Between the nodes the element takes the exact static solution of a uniform beam with section forces (N, M) = C (gamma,
kappa):

    u' = gamma - e_x x theta,   theta' = kappa,   N' = 0,   M' = - e_x x N

which is a cubic, since the matrix of this system is nilpotent. So it does not lock in shear, takes sections whose
strains are coupled (shear centre off the axis, composites), and has as special cases Hermite's cubics (no shear) and
the functions of Friedman and Kosmatka, Comput. Struct. 47 (1993) 473. Stiffness, consistent mass with rotary inertia
and geometric stiffness are integrals of these functions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

GAUSS, WEIGHTS = (0.5 * (1.0 + np.polynomial.legendre.leggauss(4)[0]), 0.5 * np.polynomial.legendre.leggauss(4)[1])
"""Four points on 0..1: exact to degree 7, as the products of two cubics need."""

_ALONG = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
"""e_x~"""


class Fields(NamedTuple):
    """What the twelve displacements of the nodes cause at points of the element, (q, 3, 12) each."""

    displacement: Array
    slope: Array
    """Derivative of the displacement along x."""
    turn: Array
    force: Array
    """Section forces (q, 6, 12): N, Qy, Qz [N], Mx, My, Mz [N m]."""


def fields(C: Array, length: float, s: Array) -> Fields:
    """At s = x / length, of the section stiffness C (6, 6)."""
    A = _system(C)
    whole = _transfer(A, length)
    start = np.hstack([-np.linalg.solve(whole[:6, 6:], whole[:6, :6]), np.linalg.inv(whole[:6, 6:])])  # forces at x = 0
    state = np.vstack([np.hstack([np.eye(6), np.zeros((6, 6))]), start])
    along = np.stack([_transfer(A, length * each) @ state for each in s])
    return Fields(along[:, :3], (A @ along)[:, :3], along[:, 3:6], along[:, 6:])


def _system(C: Array) -> Array:
    """A of y' = A y with y = (u, theta, N, M)."""
    A = np.zeros((12, 12))
    A[:6, 6:] = np.linalg.inv(C)
    A[:3, 3:6] = A[9:, 6:9] = -_ALONG
    return A


def _transfer(A: Array, x: float) -> Array:
    """exp(A x), which ends with the third power."""
    Ax = A * x
    return np.eye(12) + Ax + Ax @ Ax / 2.0 + Ax @ Ax @ Ax / 6.0


def stiffness(C: Array, length: float) -> Array:
    """Stiffness matrix (12, 12): what the section forces of unit displacements do at both nodes."""
    force = fields(C, length, np.array([0.0, 1.0])).force
    K = np.vstack([-force[0], force[1]])
    return 0.5 * (K + K.T)


def mass(C: Array, mass_per_length: float, inertia: Array, length: float) -> Array:
    """Consistent mass matrix (12, 12); inertia (3, 3) of a unit of length [kg m]."""
    at = fields(C, length, GAUSS)
    w = WEIGHTS * length
    moving = np.einsum("q,qia,qib->ab", w * mass_per_length, at.displacement, at.displacement)
    return moving + np.einsum("q,ij,qia,qjb->ab", w, inertia, at.turn, at.turn)


def geometric(C: Array, tension: float, polar_radius: float, length: float) -> Array:
    """Geometric stiffness (12, 12) of an axial force [N]: integral of N (v'² + w'² + r² theta_x'²).

    polar_radius: r² = (Iy + Iz) / A [m²]: the lines of force of a section twist with it (Wagner's term).
    """
    at = fields(C, length, GAUSS)
    w = WEIGHTS * length * tension
    K = np.einsum("q,qia,qib->ab", w, at.slope[:, 1:], at.slope[:, 1:])
    twist = np.einsum("qij,qja->qia", np.broadcast_to(np.linalg.inv(C)[3:4], (len(w), 1, 6)), at.force)
    return K + polar_radius * np.einsum("q,qia,qib->ab", w, twist, twist)
