"""Equations beside those of motion in linearly implicit steps: what `contact.event_driven.derivatives` writes and an
integrator reads.

    M a = f + F^T lambda,   G a + bias = 0

The derivatives of F^T lambda at constant lambda belong to K and C; those of the rows at constant a stand here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.kernel import part, record_dtype

COUNTS = record_dtype("BorderCounts", rows=int, redundant=int)


class Border(NamedTuple):
    """Rows and scratch for their elimination; n: unknowns of the step without them."""

    counts: Any  # [1] of type COUNTS: rows in use; 1 if they depend on each other
    entry: Any  # [2] addresses: an entry that calls LINEARISE and writes rows, and its context; 0: LINEARISE alone
    G: Any  # [rows, nv]
    F: Any  # [rows, nv] generalised forces of unit multipliers
    Aq: Any  # [rows, nv] d(G a + bias)/d delta
    Av: Any  # [rows, nv] d(G a + bias)/dv
    R: Any  # [rows, nv] the rows on the unknowns of the step
    Y: Any  # [rows, n] what unit multipliers make of these
    D: Any  # [rows, rows] R Y^T
    LU: Any  # [rows, rows]
    pivot: Any  # [rows]
    scale: Any  # [rows]
    vectors: Any  # [4, rows]


def new_border(rows: int, nv: int, n: int) -> Border:
    """Room for so many rows."""
    square, wide = (rows, rows), (rows, nv)
    return Border(
        counts=np.zeros(1, COUNTS), entry=np.zeros(2, np.int64), G=np.zeros(wide), F=np.zeros(wide),
        Aq=np.zeros(wide), Av=np.zeros(wide), R=np.zeros(wide), Y=np.zeros((rows, n)), D=np.zeros(square),
        LU=np.zeros(square), pivot=np.zeros(rows, np.int64), scale=np.zeros(rows), vectors=np.zeros((4, rows)),
    )  # fmt: skip


@part
def put_closure_rows(tree, closures, w, tan, border):
    """The rows of closed loops, first of all. Needs w.G, and tan.Aq and tan.Av of the entry ACCELERATION_ROWS."""
    border.counts[0].rows = closures.rows
    for r in range(closures.rows):
        for i in range(tree.nv):
            border.G[r, i] = 0.0
            border.Aq[r, i], border.Av[r, i] = tan.Aq[r, i], tan.Av[r, i]
        for k in range(closures.support[r], closures.support[r + 1]):
            border.G[r, closures.support_dofs[k]] = w.G[k]
        for i in range(tree.nv):
            border.F[r, i] = border.G[r, i]
