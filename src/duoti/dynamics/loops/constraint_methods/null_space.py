"""Null space, or orthogonal complement: accelerations in the directions that the closures leave free.

Complete orthogonal factors of the closures' matrix, G = Q T^T V^T, rank by column pivoting (Golub & Van Loan 2013,
5.4.7), give the shortest a_p = V T^-T Q^T gamma and the multipliers of least norm. A basis of the null space is what
the last basis leaves when its part along V is taken away: it turns as little as it can (Kim & Vanderploeg 1986).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from duoti.dynamics.loops.constraint_methods.base import ConstraintMethod
from duoti.dynamics.loops.constraint_methods.scaled import (
    BASIS,
    BETA,
    BETA2,
    FORCE,
    QR,
    QR2,
    UNIT,
    X,
    Y,
    pivot_tolerance,
    scale_jacobian,
)
from duoti.dynamics.loops.dense import factor_pivoted, factor_plain, solve_R, solve_RT, times_Q, times_QT
from duoti.kernel import helper, part

ALIGNED = 0.5  # part of a direction that must be left, or the basis is made anew


@dataclass(frozen=True)
class NullSpace(ConstraintMethod):
    r"""The equations of motion are projected onto the directions that the constraints leave free.

    $$N^T M N\, \dot u = N^T (f - M a_p), \qquad a = N \dot u + a_p, \qquad G N = 0$$

    After each step velocities return to the null space, so velocity errors stay at round-off. Positions drift with the
    error of integration; they are corrected only near singular positions.

    References
    ----------
    S. S. Kim, M. J. Vanderploeg, QR decomposition for state space representation of constrained mechanical dynamic
    systems, Journal of Mechanisms, Transmissions, and Automation in Design 108 (1986) 183-188.
    """

    dense: ClassVar[bool] = True

    def ydot_entry(self) -> Any:
        from duoti.dynamics.loops.constraint_methods.reduced import reduced_ydot_entry

        return reduced_ydot_entry

    def project_entry(self) -> Any:
        from duoti.dynamics.loops.constraint_methods.reduced import reduced_project_entry

        return reduced_project_entry

    def faults(self) -> list[str]:
        """Nothing can be wrong."""
        return []


@part
def factor_null_space(tree, closures, w, d):
    """Complete orthogonal factors of G'."""
    A, V, nv = d.matrices[QR], d.matrices[QR2], tree.nv
    for i in range(nv):
        d.order[i] = i
    scale_jacobian(tree, closures, w, d)
    rank = factor_pivoted(A, closures.rows, nv, 0, d.order, d.vectors[BETA], pivot_tolerance(w))
    for k in range(rank):
        for j in range(nv):
            V[d.order[j], k] = A[k, j] if j >= k else 0.0
    factor_plain(V, nv, rank, d.vectors[BETA2])
    if rank != w.loops[0].rank:
        w.loops[0].rank = rank
        _new_basis(tree, w, d, rank)


@part
def _new_basis(tree, w, d, rank):
    N, x, nv = d.matrices[BASIS], d.vectors[X], tree.nv
    for j in range(nv - rank):
        for i in range(nv):
            x[i] = 0.0
        x[rank + j] = 1.0
        times_Q(d.matrices[QR2], nv, rank, d.vectors[BETA2], x)
        for i in range(nv):
            N[i, j] = x[i]


@part
def null_space_basis(tree, w, d):
    """N in d.matrices[BASIS] from the N that was there."""
    N, x, nv, rank = d.matrices[BASIS], d.vectors[X], tree.nv, w.loops[0].rank
    for j in range(nv - rank):
        for i in range(nv):
            x[i] = N[i, j]
        times_QT(d.matrices[QR2], nv, rank, d.vectors[BETA2], x)
        for k in range(rank):
            x[k] = 0.0
        times_Q(d.matrices[QR2], nv, rank, d.vectors[BETA2], x)
        left = 1.0
        for _ in range(2):  # Gram-Schmidt, twice is enough
            for k in range(j):
                s = 0.0
                for i in range(nv):
                    s += N[i, k] * x[i]
                for i in range(nv):
                    x[i] -= s * N[i, k]
            left = _unit(x, nv) * left
        if not (left > ALIGNED):
            _new_basis(tree, w, d, rank)
            return
        for i in range(nv):
            N[i, j] = x[i]


@helper
def _unit(x, n):
    norm = 0.0
    for i in range(n):
        norm += x[i] * x[i]
    norm = norm**0.5
    if norm > 0.0:
        for i in range(n):
            x[i] /= norm
    return norm


@part
def solve_null_space(tree, closures, w, d, right, x):
    """The shortest x (in units of the masses) with G x = right."""
    y, z, rank = d.vectors[Y], d.vectors[X], w.loops[0].rank
    for r in range(closures.rows):
        y[r] = w.scaling[r] * right[r]
    times_QT(d.matrices[QR], closures.rows, rank, d.vectors[BETA], y)
    solve_RT(d.matrices[QR2], rank, y)
    for i in range(tree.nv):
        z[i] = y[i] if i < rank else 0.0
    times_Q(d.matrices[QR2], tree.nv, rank, d.vectors[BETA2], z)
    for i in range(tree.nv):
        x[i] = z[i] * d.vectors[UNIT, i]


@part
def null_space_multipliers(tree, closures, w, d):
    """Multipliers of least norm whose forces are d.vectors[FORCE]."""
    y, z, rank = d.vectors[Y], d.vectors[X], w.loops[0].rank
    for i in range(tree.nv):
        z[i] = d.vectors[FORCE, i]
    times_QT(d.matrices[QR2], tree.nv, rank, d.vectors[BETA2], z)
    solve_R(d.matrices[QR2], rank, z)
    for r in range(closures.rows):
        y[r] = z[r] if r < rank else 0.0
    times_Q(d.matrices[QR], closures.rows, rank, d.vectors[BETA], y)
    for r in range(closures.rows):
        w.multipliers[r] = w.scaling[r] * y[r]
