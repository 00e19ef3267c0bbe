"""Places for the elements of a graph in a drawing: junctions spread out, one-ports around them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from duoti.bond.graph import FlatGraph

Array = NDArray[np.float64]
LENGTH = 1.0  # of a bond
ITERATIONS = 400


def places(graph: FlatGraph) -> Array:
    """A point for each element: distances along the bonds first (stress majorisation, Gansner, Koren & North 2004).

    Distances in the graph are the distances wanted in the plane; what is left of overlaps is pushed apart.
    """
    n = len(graph.names)
    if n < 2:
        return np.zeros((n, 2))
    D = _distances(graph)
    x = _start(D)
    W = 1.0 / np.maximum(D, 1e-9) ** 2
    np.fill_diagonal(W, 0.0)
    total = W.sum(axis=1)
    for _ in range(ITERATIONS):
        d = x[:, None] - x[None]
        length = np.maximum(np.linalg.norm(d, axis=2), 1e-6)
        new = (W[:, :, None] * (x[None] + D[:, :, None] * d / length[:, :, None])).sum(axis=1) / total[:, None]
        if np.max(np.abs(new - x)) < 1e-4:
            break
        x = new
    return _upright(x)


def _distances(graph: FlatGraph) -> Array:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import shortest_path

    n = len(graph.names)
    a, b = (np.array(column, np.int64) for column in zip(*graph.owners, strict=True)) if graph.owners else ([], [])
    adjacent = csr_array((np.ones(len(a)), (a, b)), shape=(n, n))
    D = shortest_path(adjacent, directed=False, unweighted=True)
    far = np.max(D[np.isfinite(D)], initial=1.0) + 1.0
    return np.where(np.isfinite(D), D, far) * LENGTH


def _start(D: Array) -> Array:
    """Classical scaling: the two leading directions of the distances, with a little disorder for twins."""
    n = len(D)
    centred = np.eye(n) - 1.0 / n
    values, vectors = np.linalg.eigh(-0.5 * centred @ (D**2) @ centred)
    x = vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 1e-3))
    return x[:, ::-1] + 0.05 * np.random.default_rng(1).normal(size=(n, 2))


def _upright(x: Array) -> Array:
    """The longest extent along x."""
    x = x - x.mean(axis=0)
    _, _, axes = np.linalg.svd(x, full_matrices=False)
    return x @ axes.T
