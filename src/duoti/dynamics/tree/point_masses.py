"""Rates of a system of points: bodies that only translate, each on ground (nets, clouds of mass points).

Nothing is coupled but by force elements, and nothing turns: in the constant axes of each body's frame

    (m + rotor) a = f + tau + m g

for each of its three directions. The general recursions give the same at four times the cost a body.
"""

from __future__ import annotations

from duoti.dynamics.tree.applied_forces import call_forces
from duoti.dynamics.tree.kinematics import IDENTITY, calc_qdot
from duoti.dynamics.tree.states import ydot_beside_motion
from duoti.kernel import entry, unpack
from duoti.model.joints import LAW_CODE
from duoti.spatial.algebra import ZERO6, get_pose, mulT, put_pose, put_spatial, shift
from duoti.system.arrays import Tree
from duoti.system.context import REAL_CONTEXT
from duoti.system.stages import BIASES, POSES, VELOCITIES, computed, new_state


def only_points(tree: Tree) -> bool:
    """Whether the tree is nothing but points on ground."""
    law = LAW_CODE["translation"]
    if tree.nb < 2 or tree.flexible or tree.law[1] != law:
        return False
    return bool((tree.law[1:] == law).all() and not tree.parent[1:].any() and not tree.reverse.any())


@entry
def point_mass_ydot_entry(context):
    """Entry: w.ydot, the derivatives of the state w.y at the time w.clock; leaves X_PB, X_WB, V, C, A, tau, F_ext,
    powers.
    """
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    nq, nv = tree.nq, tree.nv
    q, v, a = w.y[:nq], w.y[nq : nq + nv], w.ydot[nq : nq + nv]
    new_state(w)
    put_pose(w.X_WB, 0, IDENTITY)
    for b in range(1, tree.nb):
        k, j = tree.iq[b], tree.iv[b]
        X_WB = shift(get_pose(tree.X_PF, b), (q[k], q[k + 1], q[k + 2]))
        put_pose(w.X_PB, b, X_WB)
        put_pose(w.X_WB, b, X_WB)
        w.V[b, 3], w.V[b, 4], w.V[b, 5] = v[j], v[j + 1], v[j + 2]
    computed(w, POSES)
    computed(w, VELOCITIES)
    computed(w, BIASES)
    if loads.forces.count == 0:
        for b in range(tree.nb):
            put_spatial(w.F_ext, b, ZERO6)
    call_forces(tree, loads, w, w.clock[0], q, v)
    for b in range(1, tree.nb):
        R, _ = get_pose(tree.X_PF, b)
        g = mulT(R, (tree.gravity[0], tree.gravity[1], tree.gravity[2]))
        j, m = tree.iv[b], tree.inertia[b, 0]
        for i in range(3):
            a[j + i] = (w.F_ext[b, 3 + i] + w.tau[j + i] + m * g[i]) / (m + tree.rotor[j + i])
            w.A[b, 3 + i] = a[j + i] - g[i]
    calc_qdot(tree, q, v, w.ydot[:nq])
    ydot_beside_motion(tree, w)
