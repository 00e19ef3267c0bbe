"""An order of the nodes of a graph that keeps the band of its matrix narrow: reverse Cuthill-McKee.

E. Cuthill, J. McKee, Reducing the bandwidth of sparse symmetric matrices, 1969; reversed by A. George, 1971. The order
is that of `scipy.sparse.csgraph.reverse_cuthill_mckee`, ties included, without the time that the import of SciPy takes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def reverse_cuthill_mckee(neighbours: Sequence[Sequence[int]]) -> list[int]:
    """Nodes in an order in which neighbours are near each other.

    neighbours[i] are the nodes that are coupled with node i, i itself included if its diagonal entry is not zero.
    Nodes with few neighbours come first: each part of the graph begins at one of them, then come the neighbours of
    those that are in the order already, level by level; at the end all is reversed.
    """
    degree = [len(row) + (i in row) for i, row in enumerate(neighbours)]  # as SciPy counts
    order: list[int] = []
    known = [False] * len(neighbours)
    for seed in np.argsort(np.array(degree, dtype=np.int32)).tolist():
        if known[seed]:
            continue
        known[seed] = True
        at = len(order)
        order.append(seed)
        while at < len(order):
            fresh = [j for j in neighbours[order[at]] if not known[j]]
            for j in fresh:
                known[j] = True
            order += sorted(fresh, key=degree.__getitem__)
            at += 1
    return order[::-1]
