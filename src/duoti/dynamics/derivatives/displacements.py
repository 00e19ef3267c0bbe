"""How bodies and axes move with a displacement of the position: the kinematics of all derivatives.

Everything is in world axes about one fixed point, where the origin of the first body is at the moment. S_i is the
column (motion subspace) of rate i there, and "j carries i" says that a motion of rate j moves the axis of rate i along:
every rate does so with those of joints further out; within a joint its type knows (`Joint.moves`). Then

    dS_i/d delta_j = S_j x S_i if j carries i, otherwise 0                                                  (1)
    V_b = sum of S_i v_i over the rates between ground and body b                                           (2)
    dV_b/d delta_j = S_j x V_b + Psi_j for bodies b outboard of j                                           (3)
    Psi_j = U_j x S_j, U_j = sum of S_i v_i, i not carried by j                                             (4)

U_j is the twist of the frame in which the displacement delta_j takes place. Columns of the interfaces of flexible
bodies move otherwise than (1) says: there (3) defines Psi_j, which the body's law knows (`dynamics.tree.body_laws`,
OUTWARD). Where a rate has several columns (`Tree.shared`), i and j number columns, and what belongs to a rate is the
sum over its columns.
"""

from duoti.kernel import helper, part
from duoti.spatial.algebra import (
    ZERO6,
    cross,
    cross_motion,
    get3,
    get_column,
    get_pose,
    get_spatial,
    put_column,
    put_spatial,
    sub,
    to_parent,
    vadd,
    vscale,
)
from duoti.system.arrays import REVOLUTE_Z
from duoti.system.stages import TANGENT, computed, need_poses


@helper
def frame_twist(tree, S, v, j, first, last, V_P):
    """U_j of a column of the row with columns first ... last - 1, on a body with the twist V_P."""
    U_j = V_P
    for i in range(first, last):
        if tree.moves[j, i - first] == 0:
            U_j = vadd(U_j, vscale(v[tree.rate[i]], get_column(S, i)))
    return U_j


@part
def tangent_kinematics(tree, w, tan, v):
    """Columns S, their Psi, and twists V_W. Needs joint_sweep and world_poses."""
    need_poses(w)
    computed(w, TANGENT)
    S = tan.S
    put_spatial(tan.V_W, 0, ZERO6)
    for b in range(1, tree.nb):
        R, p = get_pose(w.X_WB, b)
        X = (R, sub(p, get3(w.X_WB, 1, 9)))
        V_P = get_spatial(tan.V_W, tree.parent[b])
        V_B = V_P
        first = tree.first[b]
        if tree.motion[b] == REVOLUTE_Z:
            axis = (R[2], R[5], R[8])
            S_i = (axis, cross(X[1], axis))
            put_column(S, first, S_i)
            put_column(tan.Psi, first, cross_motion(V_P, S_i))
            V_B = vadd(V_B, vscale(v[tree.rate[first]], S_i))
        else:
            last = tree.first[b + 1]
            for i in range(first, last):
                S_i = to_parent(X, get_spatial(w.H, i))
                put_column(S, i, S_i)
                V_B = vadd(V_B, vscale(v[tree.rate[i]], S_i))
            for j in range(first, last):
                put_column(tan.Psi, j, cross_motion(frame_twist(tree, S, v, j, first, last, V_P), get_column(S, j)))
        put_spatial(tan.V_W, b, V_B)
