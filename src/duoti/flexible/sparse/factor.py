"""Factors of sparse symmetric matrices.

Cholesky factor of a large sparse matrix, by fronts: small dense factors, so that BLAS does the work.

J. W. H. Liu, The multifrontal method for sparse matrix solution, SIAM Review 34 (1992) 82. A front holds the columns
of a supernode; what it leaves to the rows below is added into the front of its parent. Against SuperLU it has half of
the numbers (L alone), and BLAS on blocks in place of columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.flexible.sparse.symbolic import Supernode, analyse
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


SMALL = 2000
"""Rows below which SuperLU is as good."""


class SingularStructureError(ValueError):
    """A stiffness matrix that can move without force."""


class Factor:
    """Factor of a symmetric positive definite sparse matrix.

    With pymetis (extra `duoti[mesh]`) a Cholesky factor by fronts, ordered by nested dissection; without it, and of
    small matrices, that of SciPy's SuperLU. `block` rows that belong to one node stay together, which makes the
    ordering faster.
    """

    def __init__(self, K: Any, block: int = 1):
        self._of = K, block
        graph = _graph(K, block)
        order = None if graph is None else _dissection(graph)
        self._fronts: Multifrontal | None = None
        try:
            if order is not None:
                self._fronts = Multifrontal(K, graph, order, block)
                pivots, self.nnz = self._fronts.pivots**2, self._fronts.nnz
            else:
                self._lu, pivots = _superlu(K)
                self.nnz = int(self._lu.L.nnz)
        except (NotDefiniteError, RuntimeError) as error:
            raise SingularStructureError(_SINGULAR) from error
        if len(pivots) and not pivots.min() > 1e-14 * pivots.max():
            raise SingularStructureError(_SINGULAR)

    def __reduce__(self) -> tuple[type[Factor], tuple[Any, int]]:
        """A SuperLU object cannot be pickled: a copy factorises the matrix again."""
        return Factor, self._of

    def solve(self, f: Array) -> Array:
        """K^-1 f of a vector or of columns."""
        return self._fronts.solve(f) if self._fronts is not None else self._lu.solve(np.ascontiguousarray(f))


def _superlu(K: Any) -> tuple[Any, Array]:
    from scipy.sparse import csc_array
    from scipy.sparse.linalg import splu

    options: dict[str, Any] = {"SymmetricMode": True}
    lu = splu(csc_array(K), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)
    return lu, np.abs(lu.U.diagonal())


_SINGULAR = (
    "the stiffness matrix is singular: the structure, held at its supports or interfaces, can still move without "
    "force. "
    "Look for pieces that are not connected, for nodes without elements, and for interfaces whose nodes lie on a line"
)


def _graph(K: Any, block: int) -> Any:
    """Which nodes of `block` rows are connected; None of a small matrix."""
    if K.shape[0] < SMALL or K.shape[0] % block:
        return None
    from scipy.sparse import csr_array

    entries, nodes = K.tocoo(), K.shape[0] // block
    at = entries.coords[0] // block, entries.coords[1] // block
    graph = csr_array((np.ones(len(at[0])), at), shape=(nodes, nodes))
    graph.setdiag(0.0)
    graph.eliminate_zeros()
    graph.sort_indices()
    return graph


def _dissection(graph: Any) -> NDArray[np.int64] | None:
    """A nested-dissection order of the nodes, or None if pymetis is not installed."""
    try:
        import pymetis  # pyright: ignore[reportMissingImports]
    except ImportError:
        return None
    adjacency: Any = pymetis.CSRAdjacency(graph.indptr, graph.indices)  # pyright: ignore
    return np.asarray(pymetis.nested_dissection(adjacency=adjacency)[0], dtype=np.int64)
