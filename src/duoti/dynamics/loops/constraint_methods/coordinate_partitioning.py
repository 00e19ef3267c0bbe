"""Coordinate partitioning: independent velocities decide, the dependent ones follow (Wehage & Haug 1982).

Column pivoting picks the dependent velocities: G = [G_d G_i], G_d well conditioned. Then

    N = [-G_d^-1 G_i; 1],   a_p = [G_d^-1 gamma; 0]                                                         (1)

with least squares where equations are redundant, in the units of `scaled`. To exchange the dependent rate i for the
independent rate j multiplies |det G_d| by |N_ij| (Gu & Eisenstat 1996): where no entry of N is large, no other choice
is much better, and a change of an independent rate makes no large change of a dependent one. The choice is made anew
at the ends of steps: the order of a method is that of one set of variables in all its stages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from duoti.dynamics.loops.constraint_methods.base import ConstraintMethod
from duoti.dynamics.loops.constraint_methods.scaled import (
    BASIS,
    BETA,
    FORCE,
    QR,
    UNIT,
    Y,
    pivot_tolerance,
    scale_jacobian,
)
from duoti.dynamics.loops.dense import factor_pivoted, solve_R, solve_RT, times_Q, times_QT
from duoti.kernel import part
from duoti.system.arrays import ConstraintSettings

WITHIN_STEP = 1e3  # times `condition` beyond which the choice is made anew although a step is not at its end


@dataclass(frozen=True)
class CoordinatePartitioning(ConstraintMethod):
    r"""Only independent coordinates are integrated; the dependent ones follow from the constraints at every stage.

    $$q = (u, w), \qquad g(u, w, t) = 0, \qquad \dot w = -G_w^{-1} (G_u \dot u + g_t)$$

    Only the errors of the independent coordinates $u$ control the steps. The coordinates are chosen anew when a
    dependent velocity changes more than `condition` times as much as an independent one. `result.stats.repartitions`
    counts this.

    Parameters
    ----------
    condition:
        Largest ratio of velocities before a new choice, in units of $1 / \sqrt{\mathrm{mass}}$.

    References
    ----------
    R. A. Wehage, E. J. Haug, Generalized coordinate partitioning for dimension reduction in analysis of constrained
    dynamic systems, Journal of Mechanical Design 104 (1982) 247-255.
    """

    units: ClassVar = {"condition": "1"}

    condition: float = 3.0

    dense: ClassVar[bool] = True

    def ydot_entry(self) -> Any:
        from duoti.dynamics.loops.constraint_methods.reduced import reduced_ydot_entry

        return reduced_ydot_entry

    def project_entry(self) -> Any:
        from duoti.dynamics.loops.constraint_methods.reduced import reduced_project_entry

        return reduced_project_entry

    def settings(self) -> ConstraintSettings:
        return ConstraintSettings(condition=self.condition)

    def faults(self) -> list[str]:
        if 1 < self.condition < float("inf"):
            return []
        return [f"condition={self.condition!r}: give a number above 1, e.g. 3"]


@part
def _partition_basis(tree, w, d):
    """N of (1) in d.matrices[BASIS]."""
    A, N, y, rank = d.matrices[QR], d.matrices[BASIS], d.vectors[Y], w.loops[0].rank
    for j in range(tree.nv - rank):
        for k in range(rank):
            y[k] = A[k, rank + j]
        solve_R(A, rank, y)
        for i in range(tree.nv):
            N[i, j] = 0.0
        for k in range(rank):
            N[d.order[k], j] = -y[k]
        N[d.order[rank + j], j] = 1.0


@part
def partition_growth(tree, w, d):
    """The largest entry of N in a dependent row: how much better another choice could be."""
    N, rank, largest = d.matrices[BASIS], w.loops[0].rank, 0.0
    for k in range(rank):
        for j in range(tree.nv - rank):
            largest = max(largest, abs(N[d.order[k], j]))
    return largest


@part
def factor_partition(tree, closures, w, d, limit):
    """Factors of G', dependent columns first, and N; chooses them if there are none yet or N grows beyond the limit."""
    A, rows, nv = d.matrices[QR], closures.rows, tree.nv
    tolerance = pivot_tolerance(w)
    before = w.loops[0].rank
    if before >= 0:
        scale_jacobian(tree, closures, w, d)
        rank = factor_pivoted(A, rows, nv, before, d.order, d.vectors[BETA], tolerance)
        if rank == before:
            _partition_basis(tree, w, d)
            if partition_growth(tree, w, d) <= limit:
                return
    weight = w.error_weights
    old = d.vectors[Y]
    for i in range(nv):
        old[i] = 0.0
    for k in range(before):
        old[d.order[k]] = 1.0
    for i in range(nv):  # from the same order always: the choice does not depend on the past
        d.order[i] = i
    scale_jacobian(tree, closures, w, d)
    rank = factor_pivoted(A, rows, nv, 0, d.order, d.vectors[BETA], tolerance)
    changed = rank != before
    for k in range(rank):
        changed = changed or old[d.order[k]] == 0.0
    if before >= 0 and changed:
        w.loops[0].changes += 1
    w.loops[0].rank = rank
    for i in range(nv):
        old[i] = 1.0
    for k in range(rank if rank < nv else 0):  # where nothing is independent, everything counts
        old[d.order[k]] = 0.0
    for k in range(tree.plain_q.shape[0]):
        weight[tree.plain_q[k]] = old[tree.plain_v[k]]
    for k in range(tree.quat_q.shape[0]):
        j = tree.quat_v[k]
        for i in range(4):
            weight[tree.quat_q[k] + i] = max(old[j], old[j + 1], old[j + 2])
    for i in range(nv):
        weight[tree.nq + i] = old[i]
    _partition_basis(tree, w, d)


@part
def solve_partition(tree, closures, w, d, right, x):
    """Dependent x with G x = right; the independent ones are zero."""
    y, rank = d.vectors[Y], w.loops[0].rank
    for r in range(closures.rows):
        y[r] = w.scaling[r] * right[r]
    times_QT(d.matrices[QR], closures.rows, rank, d.vectors[BETA], y)
    solve_R(d.matrices[QR], rank, y)
    for i in range(tree.nv):
        x[i] = 0.0
    for k in range(rank):
        x[d.order[k]] = y[k] * d.vectors[UNIT, d.order[k]]


@part
def partition_multipliers(closures, w, d):
    """Multipliers of least norm whose forces are d.vectors[FORCE] on the dependent velocities."""
    y, rank = d.vectors[Y], w.loops[0].rank
    for k in range(rank):
        y[k] = d.vectors[FORCE, d.order[k]]
    solve_RT(d.matrices[QR], rank, y)
    for r in range(rank, closures.rows):
        y[r] = 0.0
    times_Q(d.matrices[QR], closures.rows, rank, d.vectors[BETA], y)
    for r in range(closures.rows):
        w.multipliers[r] = w.scaling[r] * y[r]
