"""Composite rigid bodies: the mass matrix of a tree (Walker & Orin 1982; Featherstone 2008, section 6.2).

Everything is expressed in the frame of the first body of each tree: near enough to keep all digits however far from the
world's origin the mechanism is, and common to all bodies, so that a row of M is a product of one momentum with the
columns of all carrying joints. Consecutive carrying rates are done in one vectorised run. Where a rate has several
columns (`Tree.shared`), M[i, j] is the sum over all pairs of columns of the two rates on a way to ground.
"""

import numpy as np

from duoti.dynamics.tree.body_laws import INERTIA, MASS_MATRIX, call_bodies
from duoti.dynamics.tree.kinematics import IDENTITY, joint_sweep
from duoti.kernel import helper, kernel, part
from duoti.spatial.algebra import add, compose, get3, get6, get_pose, get_spatial, put3, put6, put_pose, to_parent
from duoti.spatial.inertia_algebra import get_rigid, inertia_times, rigid_to_parent, sym_add
from duoti.system.stages import COLUMNS, MASS, computed, need_sweep


@kernel("tree work d1 d1 d2", "tree complex_work D1 D1 D2")
def crba(tree, w, q, v, M):
    """Lower triangle of the mass matrix: entries M[i, j] where j = i or j carries i; others are not touched."""
    joint_sweep(tree, w, q, v)
    if tree.shared == 1 or tree.flexible > 0:
        packed_mass_matrix(tree, w)
        for i in range(tree.nv):
            j = i
            while j >= 0:
                M[i, j] = w.M[tree.M_row[i] + tree.depth[j]]
                j = tree.parent_dof[j]
        return
    composite_bodies(tree, w)
    for b in range(tree.nb - 1, 0, -1):
        I = get_rigid(w.I_R, b)
        for i in range(tree.first[b], tree.first[b + 1]):
            momentum, row, last = _momentum(w.S_R, I, i), M[i], i
            while last >= 0:
                _products(w.S_R, momentum, tree.chain_first[last], last, row, 0)
                last = tree.chain_parent[last]
            row[i] += tree.rotor[i]


@part
def packed_mass_matrix(tree, w):
    """The same after joint_sweep, packed into w.M: only the entries that are not zero for all positions."""
    computed(w, MASS)
    composite_bodies(tree, w)
    if tree.shared == 1:
        _shared_mass_matrix(tree, w)
        if tree.flexible > 0:
            call_bodies(tree, w, MASS_MATRIX)
        return
    for b in range(tree.nb - 1, 0, -1):
        I = get_rigid(w.I_R, b)
        for i in range(tree.first[b], tree.first[b + 1]):
            momentum, last = _momentum(w.S_R, I, i), i
            while last >= 0:
                _products(w.S_R, momentum, tree.chain_first[last], last, w.M, tree.M_row[i] + tree.depth[last] - last)
                last = tree.chain_parent[last]
            w.M[tree.M_row[i] + tree.depth[i]] += tree.rotor[i]
    if tree.flexible > 0:
        call_bodies(tree, w, MASS_MATRIX)


@part
def _shared_mass_matrix(tree, w):
    """The packed mass matrix where rates have several columns; needs composite_bodies."""
    M, S = w.M, w.S_R
    for n in range(M.shape[0]):
        M[n] = 0.0
    for b in range(tree.nb - 1, 0, -1):
        I = get_rigid(w.I_R, b)
        for k in range(tree.first[b], tree.first[b + 1]):
            (n0, n1, n2), (f0, f1, f2) = _momentum(S, I, k)
            i, n = tree.rate[k], k
            while n >= 0:
                j = tree.rate[n]
                x = S[0, n] * n0 + S[1, n] * n1 + S[2, n] * n2 + S[3, n] * f0 + S[4, n] * f1 + S[5, n] * f2
                if i == j and n != k:  # the pair counts twice: (k, n) and (n, k)
                    x *= 2.0
                M[tree.M_row[max(i, j)] + tree.depth[min(i, j)]] += x
                n = tree.inner[n]
    for i in range(tree.nv):
        M[tree.M_row[i] + tree.depth[i]] += tree.rotor[i]


@helper
def _momentum(S, I, i):
    return inertia_times(I, ((S[0, i], S[1, i], S[2, i]), (S[3, i], S[4, i], S[5, i])))


@helper
def _products(S, momentum, first, last, row, shift):
    """row[shift + j] = momentum . S_j for consecutive rates."""
    (n0, n1, n2), (f0, f1, f2) = momentum
    begin = np.uint64(shift)
    for j in range(np.uint64(first), np.uint64(last + 1)):  # unsigned, no index counts from the end: vectorised
        row[begin + j] = S[0, j] * n0 + S[1, j] * n1 + S[2, j] * n2 + S[3, j] * f0 + S[4, j] * f1 + S[5, j] * f2


@part
def composite_bodies(tree, w):
    """Composite inertias I_R and subspaces S_R; needs joint_sweep."""
    need_sweep(w)
    computed(w, COLUMNS)
    S, I_R = w.S_R, w.I_R
    for b in range(1, tree.nb):
        P = tree.parent[b]
        X_RB = IDENTITY
        if P > 0:
            X_RB = compose(get_pose(w.X_RB, P), get_pose(w.X_PB, b))
        put_pose(w.X_RB, b, X_RB)
        mass, h, J = rigid_to_parent(X_RB, get_rigid(tree.inertia, b))
        I_R[b, 0] = mass
        put3(I_R, b, 1, h)
        put6(I_R, b, 4, J)
        for k in range(tree.first[b], tree.first[b + 1]):
            (S[0, k], S[1, k], S[2, k]), (S[3, k], S[4, k], S[5, k]) = to_parent(X_RB, get_spatial(w.H, k))
    if tree.flexible > 0:
        call_bodies(tree, w, INERTIA)
    for b in range(tree.nb - 1, 0, -1):
        P = tree.parent[b]
        if P > 0:
            I_R[P, 0] += I_R[b, 0]
            put3(I_R, P, 1, add(get3(I_R, P, 1), get3(I_R, b, 1)))
            put6(I_R, P, 4, sym_add(get6(I_R, P, 4), get6(I_R, b, 4)))
