"""A friction pyramid as a linear complementarity problem (Stewart & Trinkle 1996; Anitescu & Potra 1997)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from duoti.contact.solve.lcp import Reals

RANK = 1e-12


@dataclass(frozen=True)
class PyramidProblem:
    """The problem w = M z + q with z = (normal impulses, impulses along the directions, slip speeds)."""

    M: Reals
    q: Reals
    back: Reals
    """p = back z + offset, all rows."""
    offset: Reals

    def impulses(self, z: Reals) -> Reals:
        """Impulses of all rows, the bilateral ones too."""
        return self.back @ z + self.offset


def pyramid_problem(
    W: Reals, q: Reals, contacts: int, friction: Reals, dimension: int, directions: int
) -> PyramidProblem | None:
    """The linear problem; None if bilateral rows contradict each other.

    With p = D (p_n, beta) and slip speeds s:

        u_n = N^T (W D x + q) >= 0,     D_t^T (W D x + q) + E s >= 0,     mu p_n - E^T beta >= 0

    each complementary to p_n, beta, s. Bilateral rows are eliminated before: p_b = -W_bb^+ (W_bc p_c + q_b).
    """
    rows, n = dimension * contacts, len(q)
    Wcc, qc = W[:rows, :rows], q[:rows]
    to_bilateral, offset = np.zeros((n - rows, rows)), np.zeros(n - rows)
    if n > rows:
        inverse = np.linalg.pinv(W[rows:, rows:], rcond=RANK, hermitian=True)
        to_bilateral, offset = -inverse @ W[rows:, :rows], -inverse @ q[rows:]
        if np.max(np.abs(W[rows:, rows:] @ offset + q[rows:])) > 1e-9 * (1.0 + np.max(np.abs(q))):
            return None
        Wcc, qc = Wcc + W[:rows, rows:] @ to_bilateral, qc + W[:rows, rows:] @ offset
    D, owner = _directions(contacts, dimension, directions)
    k, sliding = D.shape[1], D.shape[1] > contacts
    slips = contacts if sliding else 0
    M = np.zeros((k + slips, k + slips))
    M[:k, :k] = D.T @ Wcc @ D
    for j in range(contacts, k):
        M[j, k + owner[j]] = 1.0
        M[k + owner[j], j] = -1.0
    for c in range(slips):
        M[k + c, c] = friction[c]
    right = np.concatenate([D.T @ qc, np.zeros(slips)])
    back = np.zeros((n, k + slips))
    back[:rows, :k] = D
    back[rows:, :k] = to_bilateral @ D
    return PyramidProblem(M, right, back, np.concatenate([np.zeros(rows), offset]))


def _directions(contacts: int, dimension: int, directions: int) -> tuple[Reals, Any]:
    """Columns: the normals of all contacts, then the directions of each; and the contact of each column."""
    if dimension == 1:
        return np.eye(contacts), np.arange(contacts)
    if dimension == 2:
        tangents = np.array([[1.0, -1.0]])
    else:
        angle = 2.0 * np.pi * np.arange(directions) / directions
        tangents = np.array([np.cos(angle), np.sin(angle)])
        tangents[np.abs(tangents) < 1e-16] = 0.0
    k = tangents.shape[1]
    D = np.zeros((dimension * contacts, contacts * (1 + k)))
    owner = np.zeros(contacts * (1 + k), np.int64)
    for c in range(contacts):
        D[dimension * c, c], owner[c] = 1.0, c
        first = contacts + k * c
        D[dimension * c + 1 : dimension * (c + 1), first : first + k] = tangents
        owner[first : first + k] = c
    return D, owner
