"""Factors of sparse symmetric matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.flexible.multifrontal import Multifrontal, NotDefiniteError

Array = NDArray[np.float64]

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
