"""Derivatives of forward dynamics of a tree, from those of inverse dynamics.

In tau = f(q, v, a) with a the accelerations that belong to tau, the total derivative of f is zero for a constant tau:

    da/d delta = -M^-1 K,  da/dv = -M^-1 C,  da/d tau = M^-1                                                (1)

(Carpentier & Mansard 2018). M = L^T L along the branches, see `dynamics.loops.constrained`; all columns are solved
together. With closures the derivative of G a = gamma has to be solved too, see `analyses.instant.derivatives`.
"""

from __future__ import annotations

import numpy as np

from duoti.dynamics.derivatives.displacements import tangent_kinematics
from duoti.dynamics.derivatives.rnea import inertial_derivatives
from duoti.dynamics.loops.factors import factor_tree
from duoti.dynamics.tree.aba import aba_inward, aba_outward
from duoti.dynamics.tree.kinematics import joint_sweep, world_poses
from duoti.kernel import helper, kernel, part
from duoti.system.arrays import Tree


@helper
def _subtract_row(X, i, factor, j):
    """X[i] -= factor X[j]."""
    for k in range(np.uint64(X.shape[1])):
        X[i, k] -= factor * X[j, k]


@helper
def _scale_row(X, i, factor):
    for k in range(np.uint64(X.shape[1])):
        X[i, k] *= factor


@part
def solve_columns(tree, L, X):
    """X := (L^T L)^-1 X."""
    for i in range(tree.nv - 1, -1, -1):
        row = tree.M_row[i]
        _scale_row(X, i, L[row + tree.depth[i]])  # the diagonal is stored as its inverse
        j = tree.parent_dof[i]
        while j >= 0:
            _subtract_row(X, j, L[row + tree.depth[j]], i)
            j = tree.parent_dof[j]
    for i in range(tree.nv):
        row = tree.M_row[i]
        j = tree.parent_dof[i]
        while j >= 0:
            _subtract_row(X, i, L[row + tree.depth[j]], j)
            j = tree.parent_dof[j]
        _scale_row(X, i, L[row + tree.depth[i]])


@part
def solve_derivatives(tree, tan, L, X):
    """X[nv, 3 nv] := (da/d delta, da/dv, da/d tau) from K, C and M; L: scratch (`factor_size`) for the factor of M."""
    nv = tree.nv
    for i in range(nv):
        for j in range(nv):
            X[i, j] = -tan.K[i, j]
            X[i, nv + j] = -tan.C[i, j]
            X[i, 2 * nv + j] = 0.0
        X[i, 2 * nv + i] = 1.0
        j = i
        while j >= 0:
            L[tree.M_row[i] + tree.depth[j]] = tan.M[i, j]
            j = tree.parent_dof[j]
    factor_tree(tree, L)
    solve_columns(tree, L, X)


def factor_size(tree: Tree) -> int:
    """Length of the packed factor of M."""
    return tree.nv + int(np.sum(tree.depth))


@kernel("tree work tangent d1 d1 d1 d1 d1 d2")
def aba_derivatives(tree, w, tan, q, v, tau, a, L, X):
    """Accelerations a for given generalised forces (gravity, no force elements) and X = (da/d delta, da/dv, M^-1)."""
    joint_sweep(tree, w, q, v)
    aba_outward(tree, w, v)
    aba_inward(tree, w, tau, a)
    world_poses(tree, w)
    tangent_kinematics(tree, w, tan, v)
    inertial_derivatives(tree, w, tan, v, a)
    solve_derivatives(tree, tan, L, X)
