"""Entries of the matrices of a linear system that are round-off, and its eigenvectors in sensible units.

A direction of a cosine of 6e-17 leaves entries of 1e-13, their products entries of 1e-30 and 1e-80. They move no
eigenvalue, but LAPACK balances a matrix before it solves for eigenvalues: it scales such entries up until rows and
columns are of equal size, and what is round-off in the scaled eigenvectors becomes the largest part of the true ones.

Rows and columns have different units. So entries are compared in coordinates in which every mass is one,
x_i sqrt(M_ii), where the stiffness is in 1/s² and the damping in 1/s. There, entries below the round-off of the largest
one in their row or column are set to zero. Of a pair of directions, one stiff (k), one soft, that changes the soft
square by (eps k)² / k = eps² k at most. Eigenvectors are found in the same coordinates, with rates in units of the
fastest rate in their row, and without balancing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from duoti.system.arrays import Reals

SLOW = 1e-6  # rate of directions that nothing pulls back, as part of the fastest
SWEEPS = 3
ROUND_OFF = 8.0 * np.finfo(float).eps  # entries are sums of a few products of a few factors


def scales(mass: Reals) -> Reals:
    """Deviations of unit kinetic energy (twice), for the diagonal of a mass matrix."""
    diagonal = np.diag(mass)
    return 1.0 / np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0))


def clean_stiffness(K: Reals, mass: Reals) -> Reals:
    """A stiffness (or damping) without entries that are round-off."""
    s = scales(mass)
    return _cleaned(K, s[:, None] * np.abs(K) * s) if K.shape == mass.shape else K


def clean_state_matrix(A: Reals, mass_y: Reals, mass_u: Reals) -> Reals:
    """A of dx/dt = A x, x = (y, u, z), without entries that are round-off.

    Units of first-order states z are their own: entries in their columns are compared with others in these, entries in
    their rows with others in these.
    """
    s, t = scales(mass_y), scales(mass_u)
    ny, nu = len(s), len(t)
    units = np.concatenate([s, t, np.ones(len(A) - ny - nu)])
    size = np.abs(A) * units / units[:, None]
    y, u, z = slice(0, ny), slice(ny, ny + nu), slice(ny + nu, len(A))
    made = A.copy()
    stiff = np.sqrt(np.max(size[u, y], axis=1, initial=0.0))  # [1/s] of each direction
    for rows, columns in ((y, y), (y, u), (u, y)):
        made[rows, columns] = _cleaned(A[rows, columns], size[rows, columns])
    made[u, u] = _cleaned(A[u, u], size[u, u], stiff)
    made[u, z] = np.where(size[u, z] <= ROUND_OFF * np.max(size[u, z], axis=0, initial=0.0), 0.0, A[u, z])
    for columns in (y, u):
        largest = np.max(size[z, columns], axis=1, initial=0.0, keepdims=True)
        made[z, columns] = np.where(size[z, columns] <= ROUND_OFF * largest, 0.0, A[z, columns])
    return made


def _cleaned(X: Reals, size: Reals, least: Any = 0.0) -> Reals:
    """Without entries whose size is round-off of that of their row or column, or of `least` of either, or round-off
    squared of the largest.
    """
    if not X.size:
        return X
    rows = np.maximum(np.max(size, axis=1), least)
    columns = np.maximum(np.max(size, axis=0), least)
    beside = np.maximum(rows[:, None], columns[None, :])
    return np.where((size <= ROUND_OFF * beside) | (size <= ROUND_OFF**2 * np.max(beside)), 0.0, X)


def sensible_units(A: Reals, mass_y: Reals, mass_u: Reals) -> Reals:
    """Units of x = (y, u, z) in which entries of A are rates of the motions that they belong to."""
    s, t = scales(mass_y), scales(mass_u)
    ny, nu = len(s), len(t)
    units = np.concatenate([s, t, np.ones(len(A) - ny - nu)])
    y, u = slice(0, ny), slice(ny, ny + nu)
    size = np.abs(A) * units / units[:, None]
    fast = np.maximum(np.sqrt(np.max(size[u, y], axis=1, initial=0.0)), np.max(size[u, u], axis=1, initial=0.0))
    fastest = float(np.max(fast, initial=0.0)) or 1.0
    units[u] *= np.maximum(fast, SLOW * fastest)
    size = np.abs(A) * units / units[:, None]
    np.fill_diagonal(size, 0.0)
    for _ in range(SWEEPS):  # first-order states have units of their own: rows and columns of equal size (Osborne 1960)
        for k in range(ny + nu, len(A)):
            row, column = float(np.linalg.norm(size[k])), float(np.linalg.norm(size[:, k]))
            if row > 0.0 and column > 0.0:
                factor = float(np.sqrt(row / column))
                units[k] *= factor
                size[k] /= factor
                size[:, k] *= factor
    return units


def eigenpairs(A: Reals, units: Reals) -> tuple[Any, Any, Any]:
    """Eigenvalues, right and left eigenvectors of A in columns, solved for in the given units.

    The QZ method (of A and 1) takes them as they are, where LAPACK's solver for A alone would balance.
    """
    from scipy.linalg import eig

    if not len(A):
        return np.zeros(0, complex), np.zeros((0, 0), complex), np.zeros((0, 0), complex)
    solved: Any = eig(A * units / units[:, None], np.eye(len(A)), left=True)
    values, left, right = solved
    upper = np.flatnonzero(values.imag > 0.0)
    values[upper + 1] = values[upper].conj()  # pairs stand together, and are equal but for round-off
    right, left = right * units[:, None], left / units[:, None]
    return values.astype(complex), (right / np.linalg.norm(right, axis=0)).astype(complex), left.astype(complex)
