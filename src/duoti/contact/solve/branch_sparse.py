"""Contacts between trees and what does not move, along the paths from the bodies to ground.

The row of such a point is zero but for the rates that carry its body: a path of the tree. With the factor A = L^T L of
the mass matrix along the branches (`loops.factors.factor_tree`), Z = G L^-1 is zero where G is, and for the
velocities v_f without contacts

    y = Z^T p,    u = G v_f + Z y,    v = v_f + L^-1 y                                                          (1)

so that the problem needs neither the inverse of A nor responses of all rates. While every point that is near is of
this kind, `PathCounts.active` is 1: W, b, p, u and mu of the `Problem` are used, its G, Y and v are not.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.dynamics.loops.factors import solve_L
from duoti.kernel import helper, part, record_dtype
from duoti.spatial.algebra import add, cross, dot, get3, get_pose, mulT, scale, sub
from duoti.system.arrays import Tree
from duoti.system.stages import need_columns, need_poses

PATH_COUNTS = record_dtype(
    "PathCounts",
    possible=int,  # 1 if the system has nothing that couples paths: closed loops, shared rates, implicit forces, ...
    active=int,  # 1 if all points that are near now are between a tree and what does not move
)


class BranchRows(NamedTuple):
    """Rows of blocks along paths, and scratch of `path_newton`. Rates of a path stand from the root on."""

    counts: Any  # [1] of type PATH_COUNTS
    length: Any  # [capacity] rates in the path of a block
    rates: Any  # [capacity, deep]
    G: Any  # [capacity, deep, 3] along n, t1, t2
    Z: Any  # [capacity, deep, 3]
    u: Any  # [capacity, 3] G v_f
    y: Any  # [nv]
    x: Any  # [nv]
    touched: Any  # [nv] 1 if the rate is in a path
    lower: Any  # [...] matrix of `path_newton`, packed like the mass matrix: row of a rate, columns of its carriers
    upper: Any  # [...] column of a rate, rows of its carriers
    T: Any  # [deep, 3]


def new_paths(capacity: int, nv: int, tree: Tree | None) -> BranchRows:
    """Arrays for that many blocks; without a tree: of no use but for their types."""
    deep = 0 if tree is None or not tree.nv else int(np.max(tree.depth)) + 1
    n = capacity if deep else 0
    packed = nv + int(np.sum(tree.depth)) if tree is not None and deep else 0
    return BranchRows(
        counts=np.zeros(1, PATH_COUNTS), length=np.zeros(n, np.int64), rates=np.zeros((n, deep), np.int64),
        G=np.zeros((n, deep, 3)), Z=np.zeros((n, deep, 3)), u=np.zeros((n, 3)), y=np.zeros(nv), x=np.zeros(nv),
        touched=np.zeros(nv, np.int64), lower=np.zeros(packed), upper=np.zeros(packed), T=np.zeros((deep, 3)),
    )  # fmt: skip


@helper
def _moving_side(contacts, s):
    """Body and sign of the one side of a slot that can move; body 0 if both sides can, or none."""
    pair = contacts.slot_pair[s]
    a = contacts.shape_body[contacts.pair_shapes[pair, 0]]
    b = contacts.shape_body[contacts.pair_shapes[pair, 1]]
    t_a, t_b = contacts.tree_of[a], contacts.tree_of[b]
    a_moves = contacts.tree_first[t_a + 1] > contacts.tree_first[t_a]
    b_moves = contacts.tree_first[t_b + 1] > contacts.tree_first[t_b]
    if a_moves == b_moves:
        return 0, 0.0
    return (a, -1.0) if a_moves else (b, 1.0)


@part
def begin_paths(contacts, cw, paths):
    """Say in `counts.active` whether the points that are near can be solved for along paths."""
    counts = paths.counts[0]
    counts.active = counts.possible
    for i in range(cw.counts[0].near):
        if counts.active == 1 and _moving_side(contacts, cw.near[i])[0] == 0:
            counts.active = 0
    for i in range(paths.touched.shape[0]):
        paths.touched[i] = 0


@part
def path_rows(tree, contacts, cw, w, paths, c, s, size, angular):
    """The path and G of block c, the point of slot s; angular = 1: of angular velocities.

    Needs the columns S_R (`crba.composite_bodies`).
    """
    need_poses(w)
    need_columns(w)
    here, sign = _moving_side(contacts, s)
    root, S, G, rates = here, w.S_R, paths.G[c], paths.rates[c]
    while tree.first[here] == tree.first[here + 1]:
        here = tree.parent[here]
    while tree.parent[root] > 0:
        root = tree.parent[root]
    R, origin = get_pose(w.X_WB, root)
    arm = mulT(R, sub(get3(cw.point, s, 0), origin))
    n = mulT(R, scale(sign, get3(cw.frame, s, 0)))
    t1, t2 = mulT(R, scale(sign, get3(cw.frame, s, 3))), mulT(R, scale(sign, get3(cw.frame, s, 6)))
    k = tree.first[here + 1] - 1
    paths.length[c] = tree.depth[k] + 1
    while k >= 0:
        d = tree.depth[k]
        velocity = (S[0, k], S[1, k], S[2, k])
        if angular == 0:
            velocity = add((S[3, k], S[4, k], S[5, k]), cross(velocity, arm))
        rates[d], G[d, 0], G[d, 1], G[d, 2] = k, dot(n, velocity), dot(t1, velocity), dot(t2, velocity)
        if size == 1:
            G[d, 1] = G[d, 2] = 0.0
        paths.touched[k] = 1
        k = tree.parent_dof[k]


@part
def path_responses(tree, L, paths, c):
    """Z of block c; returns the lower triangle of Z Z^T, row after row."""
    Z, G, rates, n = paths.Z[c], paths.G[c], paths.rates[c], paths.length[c]
    w00, w10, w11, w20, w21, w22 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for d in range(n):
        Z[d, 0], Z[d, 1], Z[d, 2] = G[d, 0], G[d, 1], G[d, 2]
    for d in range(n - 1, -1, -1):
        row = tree.M_row[rates[d]]
        f = L[row + d]
        z0, z1, z2 = f * Z[d, 0], f * Z[d, 1], f * Z[d, 2]
        Z[d, 0], Z[d, 1], Z[d, 2] = z0, z1, z2
        for e in range(d):
            f = L[row + e]
            Z[e, 0] -= f * z0
            Z[e, 1] -= f * z1
            Z[e, 2] -= f * z2
        w00, w10, w11 = w00 + z0 * z0, w10 + z1 * z0, w11 + z1 * z1
        w20, w21, w22 = w20 + z2 * z0, w21 + z2 * z1, w22 + z2 * z2
    return w00, w10, w11, w20, w21, w22


@helper
def along_path(paths, F, c, v):
    """F v of block c, F = G or Z."""
    A, rates = F[c], paths.rates[c]
    u0, u1, u2 = 0.0, 0.0, 0.0
    for d in range(paths.length[c]):
        x = v[rates[d]]
        u0, u1, u2 = u0 + A[d, 0] * x, u1 + A[d, 1] * x, u2 + A[d, 2] * x
    return u0, u1, u2


@helper
def add_along(paths, c, d0, d1, d2, y):
    """y += Z^T d of block c."""
    Z, rates = paths.Z[c], paths.rates[c]
    for d in range(paths.length[c]):
        y[rates[d]] += d0 * Z[d, 0] + d1 * Z[d, 1] + d2 * Z[d, 2]


@helper
def path_velocity(paths, c):
    """u of a block by (1)."""
    u0, u1, u2 = along_path(paths, paths.Z, c, paths.y)
    return u0 + paths.u[c, 0], u1 + paths.u[c, 1], u2 + paths.u[c, 2]


@part
def path_impulses(problem):
    """y of the impulses (1), without the errors of former iterations."""
    paths, p = problem.paths, problem.p
    for i in range(paths.y.shape[0]):
        paths.y[i] = 0.0
    for c in range(problem.counts[0].blocks):
        if p[c, 0] != 0.0 or p[c, 1] != 0.0 or p[c, 2] != 0.0:
            add_along(paths, c, p[c, 0], p[c, 1], p[c, 2], paths.y)


@part
def path_ends(tree, L, paths):
    """paths.x = L^-1 y: what the impulses change the rates by."""
    for i in range(tree.nv):
        paths.x[i] = paths.y[i]
    solve_L(tree, L, paths.x)
