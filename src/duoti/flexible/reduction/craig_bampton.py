"""Craig-Bampton reduction of any structure that is given by its matrices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duoti.flexible.structure.eigen import natural_modes
from duoti.flexible.structure.supports import HeldStructure
from duoti.strict import explained

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CraigBampton:
    """A structure reduced to its boundary coordinates and some fixed-interface modes.

    Reduced coordinates are first those of the boundary, in the order given, then the amplitudes of the modes.
    """

    M: Array
    """Reduced mass."""
    K: Array
    """Reduced stiffness: the statically condensed boundary stiffness, then the squares of `omega`."""
    basis: Array
    """(rows, reduced): displacements of unit reduced coordinates: constraint modes, then normal modes."""
    boundary: NDArray[np.int64]
    omega: Array
    """Angular frequencies of the fixed-interface modes [rad/s]."""

    @property
    def modes(self) -> int:
        """Number of fixed-interface modes."""
        return len(self.omega)

    def frequencies(self, fixed: ArrayLike = ()) -> Array:
        """Angular frequencies [rad/s] of the reduced structure, ascending, with some boundary rows (their places)
        held."""
        from scipy.linalg import eigh

        keep = np.setdiff1d(np.arange(len(self.K)), np.asarray(fixed, dtype=int))
        squares = eigh(self.K[np.ix_(keep, keep)], self.M[np.ix_(keep, keep)], eigvals_only=True)  # pyright: ignore
        return np.sqrt(np.maximum(squares, 0.0))

    def effective_mass(self, motion: ArrayLike) -> Array:
        """Share of each fixed-interface mode in the mass that a motion (rows) of the boundary as a whole moves.

        motion: displacements of all rows, such as all ones along x. The shares of all modes together tend to one less
        the share that moves with the boundary itself.
        """
        d = np.asarray(motion, dtype=float)
        reduced = np.linalg.lstsq(self.basis, d, rcond=None)[0]
        boundary = len(self.boundary)
        part = self.M[boundary:, :boundary] @ d[self.boundary]
        return part**2 / float(reduced @ self.M @ reduced)


@explained
def craig_bampton(M: Any, K: Any, boundary: ArrayLike, modes: int) -> CraigBampton:
    r"""Reduce a structure to its boundary and the lowest modes with the boundary held.

    $$M \ddot x + K x = f, \qquad x = \Psi\, x_b + \Phi\, \eta, \qquad \Psi = -K_{ii}^{-1} K_{ib}$$

    Parameters
    ----------
    M, K:
        Mass and stiffness matrix: dense or sparse, symmetric.
    boundary:
        Numbers of the boundary rows, from 0.
    modes:
        Number of modes with the boundary held.

    References
    ----------
    R. R. Craig, M. C. C. Bampton, Coupling of substructures for dynamic analyses, AIAA Journal 6 (1968) 1313-1319.
    """
    K, M = symmetric_matrix(K, "K"), symmetric_matrix(M, "M")
    if K.shape != M.shape:
        raise ValueError(f"M has shape {M.shape}, but K {K.shape}")
    rows = np.asarray(boundary)
    if rows.size == 0:
        rows = rows.astype(np.int64)
    if rows.ndim != 1 or not np.issubdtype(rows.dtype, np.integer) or len(np.unique(rows)) != len(rows):
        raise ValueError(f"boundary: different numbers of rows are needed, not {boundary!r}")
    if len(rows) and (rows.min() < 0 or rows.max() >= K.shape[0]):
        raise ValueError(f"boundary: rows are numbered 0 to {K.shape[0] - 1}; {rows.min()} to {rows.max()} given")
    if not len(rows):
        raise ValueError(
            "boundary is empty: without one there are only normal modes; "
            "dt.flexible.Structure.from_matrices finds these"
        )
    rows = rows.astype(np.int64)
    interior = np.setdiff1d(np.arange(K.shape[0]), rows)
    if modes < 0 or modes > len(interior):
        raise ValueError(f"modes = {modes}, but there are {len(interior)} rows that are not of the boundary")
    B = np.zeros((K.shape[0], len(rows) + modes))
    B[rows, np.arange(len(rows))] = 1.0
    omega = np.zeros(0)
    if len(interior):
        held = HeldStructure(K, rows, None, np.zeros((K.shape[0], 6)), M, 1)
        coupling = K[:, rows]
        coupling = coupling.toarray() if hasattr(coupling, "toarray") else coupling
        B[:, : len(rows)] -= held.solve(coupling)
        omega, shapes = natural_modes(held, modes)
        B[:, len(rows) :] = shapes
    Kr, Mr = B.T @ (K @ B), B.T @ (M @ B)
    n = len(rows)
    Kr[:n, n:], Kr[n:, :n] = 0.0, 0.0  # constraint modes need no force on the interior: zero but for round-off
    Kr[n:, n:], Mr[n:, n:] = np.diag(omega**2), np.eye(modes)
    return CraigBampton(0.5 * (Mr + Mr.T), 0.5 * (Kr + Kr.T), B, rows, omega)


def symmetric_matrix(given: Any, name: str) -> Any:
    """A dense or sparse matrix as rows of a sparse one; refused if it is not square, finite and symmetric."""
    from scipy.sparse import csr_array, issparse

    A: Any = csr_array(given) if issparse(given) else csr_array(np.asarray(given, dtype=float))
    if A.shape[0] != A.shape[1]:
        raise ValueError(f"{name} has shape {A.shape}; a square matrix is needed")
    if not np.isfinite(A.data).all():
        raise ValueError(f"{name} holds NaN or infinity")
    largest = np.abs(A.data).max() if A.nnz else 0.0
    if abs(A - A.T).max() > 1e-8 * largest:
        raise ValueError(f"{name} is not symmetric")
    return A
