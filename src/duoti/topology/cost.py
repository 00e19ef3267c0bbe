"""What a tree will cost: coordinates, constraint rows and an estimate of the multiplications per evaluation.

Counted is the linear algebra that depends on the choice of the tree, with the mass matrix stored sparse along
the branches: the composite-rigid-body algorithm, the L^T L factorisation without fill-in and its solves
(Featherstone, Rigid Body Dynamics Algorithms, 2008, sections 6.3-6.5), the Jacobian G of the closed loops and
the dense matrix G M^-1 G^T of each subsystem. The sum ranks trees of one mechanism; it is no prediction of
seconds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from duoti.topology.labelling import Labelling

TRANSFORM = 30
"""Multiplications that carry a spatial force across one joint (two rotations and a cross product)."""

INNER = 6
"""Multiplications of the inner product of two spatial vectors."""


@dataclass(frozen=True)
class Prediction:
    """Size and estimated cost of the equations of motion on one tree."""

    coordinates: int
    """velocity coordinates of the tree joints, n"""
    constraint_rows: int
    """closing equations of the cut joints, m"""
    depth: int
    """joints between body 0 and the outermost body"""
    mass_entries: int
    """entries of one triangle of the mass matrix that are not zero by structure"""
    jacobian_entries: int
    """entries of the constraint Jacobian that are not zero by structure"""
    multiplications: int
    """the estimate that cut="cheapest" minimises"""
    trees_examined: int = 1
    """how many trees were compared to find this one"""
    exact: bool = False
    """whether those were all trees there are"""

    @property
    def gruebler(self) -> int:
        """Degrees of freedom by the Grübler count: exact when no constraint row is redundant."""
        return self.coordinates - self.constraint_rows

    def __str__(self) -> str:
        how = ""
        if self.exact:
            how = f"; the best of all {self.trees_examined} trees"
        elif self.trees_examined > 1:
            how = f"; the best of {self.trees_examined} trees tried"
        return (
            f"{self.coordinates} coordinates, {self.constraint_rows} constraint rows, depth {self.depth}, "
            f"about {self.multiplications} multiplications per evaluation{how}"
        )


def predict(
    lab: Labelling,
    dof: np.ndarray,
    cut_start: np.ndarray,
    cut_end: np.ndarray,
    rows: np.ndarray,
    part: np.ndarray,
) -> Prediction:
    """Prediction for a labelled tree.

    ``dof`` are coordinates by label (0 for body 0); the cut joints have the labels of their two bodies, their
    number of closing equations and the number of their subsystem.
    """
    n = dof.astype(np.float64)
    reach = lab.path_sum(n)  # coordinates from body 0 to and with this joint
    before = reach - n
    pairs = n * before + n * (n - 1) / 2  # pairs (coordinate, coordinate inboard of it)
    squares = n * before**2 + before * n * (n - 1) + n * (n - 1) * (2 * n - 1) / 6
    mass = pairs.sum() + n.sum()
    cost = INNER * mass + TRANSFORM * (n * lab.depth).sum()  # composite rigid bodies
    cost += (squares.sum() + 3 * pairs.sum()) / 2  # L^T L: d (d + 3) / 2 for a coordinate with d inboard of it
    cost += 2 * pairs.sum() + n.sum()  # one solve
    jacobian = 0.0
    if rows.size:
        r = rows.astype(np.float64)
        meet = lab.common(cut_start, cut_end)
        on_loop = reach[cut_start] + reach[cut_end] - 2 * reach[meet]
        to_ground = on_loop + reach[meet]  # a solve fills the columns down to body 0
        weight = lab.path_sum(pairs + n)
        solve = weight[cut_start] + weight[cut_end] - weight[meet]
        m = np.bincount(part, weights=r)
        jacobian = (r * on_loop).sum()
        cost += INNER * jacobian + (r * solve).sum() + (r * to_ground * (m[part] + 1)).sum() / 2 + (m**3).sum() / 6
    return Prediction(
        coordinates=int(n.sum()),
        constraint_rows=int(rows.sum()),
        depth=int(lab.depth.max()),
        mass_entries=int(mass),
        jacobian_entries=int(jacobian),
        multiplications=round(cost),
    )
