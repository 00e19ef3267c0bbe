"""Static solutions of a structure that is held: at nodes, through averages of nodes, or not at all."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.flexible.sparse.factor import Factor

Array = NDArray[np.float64]


class HeldStructure:
    """Solves K x = f with x = 0 at the `held` rows and A x = g, where A (m, rows) are averages such as those of RBE3.

    A structure without held rows floats: K is singular with the rigid motions R (rows, 6). It is then held for the
    factor at six rows that just determine it, whose forces vanish for loads in equilibrium, and moved by R
    afterwards; with

        x = K^+ (f - A^T lam) + R c,   A x = g,   R^T (f - A^T lam) = 0.

    Without averages, the load must be in equilibrium, and x is orthogonal to R in the mass M.
    """

    def __init__(self, K: Any, held: NDArray[np.int64], A: Array | None, R: Array, M: Any, width: int):
        self.K, self.M, self.R = K, M, R
        self.A = A if A is not None and len(A) else None
        self.floats = len(held) == 0
        self.size = K.shape[0]
        removed = _determinate(R) if self.floats else held
        keep = np.ones(self.size, dtype=bool)
        keep[removed] = False
        self.free = np.flatnonzero(keep)
        block = width if len(removed) % width == 0 and np.all(keep.reshape(-1, width).sum(axis=1) % width == 0) else 1
        self.factor = Factor(_square(K, self.free), block)
        self._prepare()

    def _prepare(self) -> None:
        R, A = self.R, self.A
        if A is None:
            if self.floats:
                self._prepare_floating()
            return
        self.X = self._base(A.T)
        small = A @ self.X
        if self.floats:
            AR = A @ R
            zero = np.zeros((6, 6))
            self.small = np.block([[small, -AR], [AR.T, zero]])
        else:
            self.small = small

    def _prepare_floating(self) -> None:
        """Rigid motions of unit mass, and what they are orthogonal by: mass, or, where a motion has none,
        themselves."""
        G = self.R.T @ (self.M @ self.R)
        size = np.sqrt(np.diag(G))
        size = np.where(size > 1e-12 * size.max(), size, size.max())
        values, vectors = np.linalg.eigh(G / np.outer(size, size))
        massive = values > 1e-14
        self.R = self.R @ (vectors / size[:, None])
        self.R /= np.where(massive, np.sqrt(np.where(massive, values, 1.0)), np.linalg.norm(self.R, axis=0))
        self.carried = np.where(massive, self.M @ self.R, 0.0)
        """M R of the motions that have mass."""
        self.against = np.where(massive, self.carried, self.R)

    def _base(self, f: Array) -> Array:
        x = np.zeros(f.shape)
        x[self.free] = self.factor.solve(f[self.free])
        return x

    def solve(self, f: Array, g: Array | None = None) -> Array:
        """x of loads f (rows) or (rows, k), and of the averages g (m) or (m, k)."""
        x = self._base(f)
        if self.A is None:
            if self.floats:
                x -= self.R @ (self.against.T @ x)
            return x
        right = self.A @ x - (0.0 if g is None else g)
        if self.floats:
            right = np.concatenate([right, self.R.T @ f])
        y = np.linalg.solve(self.small, right)
        m = len(self.A)
        x = x - self.X @ y[:m]
        return x + self.R @ y[m:] if self.floats else x

    def balanced(self, f: Array) -> Array:
        """The load less that of the rigid acceleration that it causes (inertia relief): f - M R (R^T M R)^-1 R^T f."""
        return f - self.carried @ (self.R.T @ f)

    def inverse(self, f: Array) -> Array:
        """What an eigenvalue solver needs as K^-1, on the motions that the supports leave."""
        if self.A is None and self.floats:
            return self.solve(self.balanced(f))
        return self.solve(f)


def _square(K: Any, rows: NDArray[np.int64]) -> Any:
    return K if len(rows) == K.shape[0] else K[rows][:, rows]


def _determinate(R: Array) -> NDArray[np.int64]:
    """Six rows that determine a rigid motion well: pivots of R^T."""
    from scipy.linalg import qr

    scale = np.abs(R).max(axis=0)
    _, triangle, order = qr((R / scale).T, mode="economic", pivoting=True)  # pyright: ignore
    if abs(triangle[5, 5]) < 1e-10 * abs(triangle[0, 0]):
        raise ValueError("all nodes of the structure lie on a line: it can turn about it")
    return np.sort(np.asarray(order[:6], dtype=np.int64))
