"""Cholesky factor of a large sparse matrix, by fronts: small dense factors, so that BLAS does the work.

J. W. H. Liu, The multifrontal method for sparse matrix solution, SIAM Review 34 (1992) 82. A front holds the columns
of a supernode; what it leaves to the rows below is added into the front of its parent. Against SuperLU it has half of
the numbers (L alone), and BLAS on blocks in place of columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.flexible.symbolic import Supernode, analyse
from duoti.kernel import kernel

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


class NotDefiniteError(ValueError):
    """The matrix is not positive definite."""


@kernel("d2 d2 d2 l1 i")
def _extend_add(panel, update, child, places, width):
    """Add the lower part of a child's update to a front: its first columns in `panel`, the rest in `update`."""
    for i in range(places.shape[0]):
        row = places[i]
        for j in range(i + 1):
            column = places[j]
            if column < width:
                panel[row, column] += child[i, j]
            else:
                update[row - width, column - width] += child[i, j]


@kernel("d2 l1 l1 d1 i i l1")
def _scatter(panel, indptr, indices, data, first, last, place):
    """Put the lower part of columns first to last of the matrix into the panel; place: where a row stands in the
    front."""
    for column in range(first, last):
        for p in range(indptr[column], indptr[column + 1]):
            row = indices[p]
            if row >= column:
                panel[place[row], column - first] += data[p]


class Multifrontal:
    """P K P^T = L L^T of a symmetric positive definite K; `order` is a first order of its nodes of `block` rows
    each."""

    def __init__(self, K: Any, pattern: Any, order: Integers, block: int):
        nodes, supernodes = analyse(pattern, order)
        self.order: Integers = (nodes[:, None] * block + np.arange(block)).ravel()
        self.columns = [(block * each.first, block * each.last) for each in supernodes]
        self.rows: list[Integers] = [(each.rows[:, None] * block + np.arange(block)).ravel() for each in supernodes]
        ordered = K[self.order][:, self.order].tocsc()
        ordered.sort_indices()
        self.panels = self._factorise(ordered, supernodes)
        self.nnz = sum(panel.size for panel in self.panels)

    def _factorise(self, K: Any, supernodes: list[Supernode]) -> list[Array]:
        from scipy.linalg.blas import dsyrk, dtrsm  # pyright: ignore
        from scipy.linalg.lapack import dpotrf  # pyright: ignore

        indptr, indices, data = K.indptr.astype(np.int64), K.indices.astype(np.int64), K.data
        place = np.empty(K.shape[0], dtype=np.int64)
        waiting: list[list[tuple[Array, Integers]]] = [[] for _ in supernodes]
        panels: list[Array] = []
        for s, (first, last) in enumerate(self.columns):
            rows, width = self.rows[s], last - first
            place[first:last] = np.arange(width)
            place[rows] = np.arange(width, width + len(rows))
            panel, update = np.zeros((width + len(rows), width)), np.zeros((len(rows), len(rows)))
            _scatter(panel, indptr, indices, data, first, last, place)
            for child, theirs in waiting[s]:
                _extend_add(panel, update, child, place[theirs], width)
            waiting[s] = []
            # rows of a panel are columns of its transpose, which is what Fortran sees
            _, info = dpotrf(panel[:width].T, lower=0, clean=0, overwrite_a=1)
            if info != 0:
                raise NotDefiniteError(f"pivot {first + info} is not positive")
            if len(rows):
                dtrsm(1.0, panel[:width].T, panel[width:].T, side=0, lower=0, trans_a=1, overwrite_b=1)
                dsyrk(-1.0, panel[width:].T, beta=1.0, c=update.T, trans=1, lower=0, overwrite_c=1)
                waiting[supernodes[s].parent].append((update, rows))
            panels.append(panel)
        return panels

    @property
    def pivots(self) -> Array:
        """The diagonal of L."""
        return np.concatenate([np.diagonal(p)[: b - a] for p, (a, b) in zip(self.panels, self.columns, strict=True)])

    def solve(self, f: Array) -> Array:
        """K^-1 f of a vector or of columns."""
        from scipy.linalg.blas import dtrsm  # pyright: ignore

        x = np.ascontiguousarray(f[self.order].reshape(len(f), -1))
        for panel, rows, (a, b) in zip(self.panels, self.rows, self.columns, strict=True):
            width = b - a
            dtrsm(1.0, panel[:width].T, x[a:b].T, side=1, lower=0, overwrite_b=1)
            if len(rows):
                x[rows] -= panel[width:] @ x[a:b]
        for s in range(len(self.panels) - 1, -1, -1):
            panel, rows, (a, b) = self.panels[s], self.rows[s], self.columns[s]
            width = b - a
            if len(rows):
                x[a:b] -= panel[width:].T @ x[rows]
            dtrsm(1.0, panel[:width].T, x[a:b].T, side=1, lower=0, trans_a=1, overwrite_b=1)
        out = np.empty_like(x)
        out[self.order] = x
        return out.reshape(f.shape)
