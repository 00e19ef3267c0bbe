"""Natural modes of large structures."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.flexible.structure.supports import HeldStructure
from duoti.kernel import one_blas_thread

Array = NDArray[np.float64]

DENSE = 400
"""Below this many free rows, all modes are computed by dense algebra."""

ACCURATE = 1e-8
"""Largest residual of a mode, as a share of its compliance."""

MOST_VECTORS = 12
"""Largest number of vectors of a Krylov space for each mode."""


def natural_modes(held: HeldStructure, modes: int) -> tuple[Array, Array]:
    """The lowest angular frequencies [rad/s] and modes (rows, modes) of a held structure, of unit modal mass.

    Of a structure that floats without averages: its elastic modes, without the six rigid ones.
    """
    M = held.M
    lost = (0 if held.A is None else len(held.A)) + (6 if held.floats and held.A is None else 0)
    available = len(held.free) + (6 if held.floats else 0) - lost
    if modes > available:
        raise ValueError(
            f"{modes} modes are asked for, but only {available} motions are left at the supports; refine the mesh"
        )
    if modes == 0:
        return np.zeros(0), np.zeros((held.size, 0))
    with one_blas_thread():
        if len(held.free) <= DENSE or modes > available // 3:
            return _dense(held, modes)
        return _sparse(held, M, modes)


def _dense(held: HeldStructure, modes: int) -> tuple[Array, Array]:
    """As M x = K x / w² on the free motions: there K is definite, while M need not be."""
    from scipy.linalg import eigh

    M, count = held.M, len(held.free)
    basis = np.zeros((held.size, count))
    basis[held.free, np.arange(count)] = 1.0
    if held.floats:
        basis = np.hstack([basis, held.R])
        rows = held.against.T @ basis if held.A is None else held.A @ basis
        basis = basis @ _null(rows)
    elif held.A is not None:
        basis = basis @ _null(held.A @ basis)
    K, m = basis.T @ (held.K @ basis), basis.T @ (M @ basis)
    last = K.shape[0] - 1
    inverse, y = eigh(0.5 * (m + m.T), 0.5 * (K + K.T), subset_by_index=(last - modes + 1, last))
    inverse, y = inverse[::-1], y[:, ::-1]
    if inverse[-1] <= 1e-15 * inverse[0]:
        massive = int(np.count_nonzero(inverse > 1e-15 * inverse[0]))
        raise ValueError(f"{modes} modes are asked for, but only {massive} motions have mass")
    return 1.0 / np.sqrt(inverse), basis @ (y / np.sqrt(inverse))


def _null(rows: Array) -> Array:
    from scipy.linalg import null_space

    scale = np.linalg.norm(rows, axis=1, keepdims=True)
    return null_space(rows / np.where(scale > 0.0, scale, 1.0))


def _sparse(held: HeldStructure, M: Any, modes: int) -> tuple[Array, Array]:
    """By a block Krylov space of K^-1 M with full orthogonalisation: few solutions with many right sides, which are
    cheap.

    G. H. Golub and R. Underwood, The block Lanczos method for computing eigenvalues, Mathematical Software III
    (1977). A Ritz value is accepted when its residual is below ACCURATE of it: its error is then of the order of the
    square.
    """
    block = max(4, min(16, modes))
    capacity = MOST_VECTORS * (modes + 10) + block
    V, MV = (np.empty((held.size, capacity), order="F") for _ in range(2))
    start = np.random.default_rng(1).standard_normal((held.size, block))
    Q, MQ = _unit(held.inverse(M @ start), M)
    T = np.zeros((0, 0))
    size = 0
    while True:
        new = Q.shape[1]
        V[:, size : size + new], MV[:, size : size + new] = Q, MQ
        size += new
        W = held.inverse(MQ)
        coupling = MV[:, :size].T @ W
        T = _grown(T, coupling)
        W -= V[:, :size] @ coupling
        W -= V[:, :size] @ (MV[:, :size].T @ W)
        Q, MQ = _unit(W, M)
        theta, Y = np.linalg.eigh(T)
        theta, Y = theta[::-1], Y[:, ::-1]
        residual = np.linalg.norm((MQ.T @ W) @ Y[-new:], axis=0)
        good = residual <= ACCURATE * theta
        if len(theta) >= modes and good[:modes].all():
            return 1.0 / np.sqrt(theta[:modes]), V[:, :size] @ Y[:, :modes]
        if not Q.shape[1] or size + Q.shape[1] > capacity:
            raise ValueError(f"only {np.count_nonzero(good)} of {modes} modes could be found; ask for fewer")


def _grown(T: Array, coupling: Array) -> Array:
    """The projected operator with the columns of the last block added."""
    old, new = len(T), coupling.shape[1]
    out = np.zeros((old + new, old + new))
    out[:old, :old] = T
    out[:, old:], out[old:, :] = coupling, coupling.T
    last = coupling[old:]
    out[old:, old:] = 0.5 * (last + last.T)
    return out


def _unit(W: Array, M: Any) -> tuple[Array, Array]:
    """Vectors of the same span, orthonormal in M, and M times them; dependent ones are left out."""
    MW = M @ W
    for again in (True, False):
        values, vectors = np.linalg.eigh(W.T @ MW)
        keep = values > 1e-14 * values[-1] if values[-1] > 0.0 else np.zeros(len(values), dtype=bool)
        scaled = vectors[:, keep] / np.sqrt(values[keep])
        W = W @ scaled
        MW = M @ W if again else MW @ scaled
    return W, MW
