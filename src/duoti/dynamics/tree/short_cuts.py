"""Short cuts for bodies on ground that nothing couples but force elements: in planes, points, and nothing that moves.

Bodies that move in planes, each by a planar joint or a hinge on ground (nodes of plane beams, discs):

Nothing is coupled but by force elements. In the axes of a body, whose z is the normal of its plane, with its mass m,
first moment (hx, hy), moment of inertia J about its origin, and its acceleration less gravity and bias (ax, ay, alpha),

    m ax - hy alpha = fx,   m ay + hx alpha = fy,   (J + rotor) alpha + hx ay - hy ax = n                        (1)

with the forces and torques of elements, joints and of what turns: omega² (hx, hy), and none about the origin, since
the bias is taken with the acceleration. The general recursions give the same at four times the cost a body.
"""

from __future__ import annotations

import numpy as np

from duoti.dynamics.tree.forward import call_forces
from duoti.dynamics.tree.kinematics import IDENTITY, calc_qdot, poses_and_velocities
from duoti.dynamics.tree.states import ydot_beside_motion
from duoti.kernel import entry, helper, unpack
from duoti.model.joints import LAW_CODE
from duoti.spatial.algebra import ZERO6, get_pose, mulT, put6, put_pose, put_spatial, rotate_z, shift, sincos
from duoti.system.arrays import Loads, Tree
from duoti.system.context import COMPLEX_CONTEXT, REAL_CONTEXT
from duoti.system.stages import BIASES, POSES, VELOCITIES, computed, new_state

PLANAR, REVOLUTE = LAW_CODE["planar"], LAW_CODE["revolute"]
ZZ = 9  # place of the moment of inertia about z among the numbers of a rigid body


def only_in_planes(tree: Tree) -> bool:
    """Whether the tree is nothing but bodies on ground by planar joints, without rotors of their shifts, and hinges."""
    if tree.nb < 2 or tree.flexible or tree.shared or tree.parent[1:].any() or tree.reverse.any():
        return False
    planar = tree.law[1:] == PLANAR
    if not planar.any() or not (planar | (tree.law[1:] == REVOLUTE)).all():
        return False
    first = np.asarray(tree.iv[1:])[planar]
    return not (np.asarray(tree.rotor)[first].any() or np.asarray(tree.rotor)[first + 1].any())


@helper
def _put_body(tree, w, b, q, v):
    """Pose, twist, bias and motion subspace of a body."""
    k, j, X_PF = tree.iq[b], tree.iv[b], get_pose(tree.X_PF, b)
    if tree.law[b] == PLANAR:
        s, o = sincos(q[k + 2])
        X_WB = rotate_z(shift(X_PF, (q[k], q[k + 1], 0.0)), s, o)
        turn, vx, vy = v[j + 2], o * v[j] + s * v[j + 1], o * v[j + 1] - s * v[j]
        put6(w.H, j, 0, (0.0, 0.0, 0.0, o, -s, 0.0))
        put6(w.H, j + 1, 0, (0.0, 0.0, 0.0, s, o, 0.0))
        put6(w.H, j + 2, 0, (0.0, 0.0, 1.0, 0.0, 0.0, 0.0))
        put6(w.V, b, 0, (0.0, 0.0, turn, vx, vy, 0.0))
        put6(w.c, b, 0, (0.0, 0.0, 0.0, turn * vy, -turn * vx, 0.0))
        put6(w.C, b, 0, (0.0, 0.0, 0.0, turn * vy, -turn * vx, 0.0))
    else:
        s, o = sincos(q[k])
        X_WB = rotate_z(X_PF, s, o)
        put6(w.V, b, 0, (0.0, 0.0, v[j], 0.0, 0.0, 0.0))
        put_spatial(w.C, b, ZERO6)
    put_pose(w.X_PB, b, X_WB)
    put_pose(w.X_WB, b, X_WB)


@helper
def _accelerate(tree, w, b, a):
    """(1), solved for the accelerations of the joint."""
    j, (R, _) = tree.iv[b], get_pose(w.X_WB, b)
    g = mulT(R, (tree.gravity[0], tree.gravity[1], tree.gravity[2]))
    m, hx, hy, J = tree.inertia[b, 0], tree.inertia[b, 1], tree.inertia[b, 2], tree.inertia[b, ZZ]
    turn, vx, vy = w.V[b, 2], w.V[b, 3], w.V[b, 4]
    if tree.law[b] == PLANAR:
        o, s = w.H[j, 3], -w.H[j, 4]
        px, py = m * vx - hy * turn, m * vy + hx * turn  # momentum
        fx = w.F_ext[b, 3] + o * w.tau[j] + s * w.tau[j + 1] + turn * py
        fy = w.F_ext[b, 4] + o * w.tau[j + 1] - s * w.tau[j] - turn * px
        n = w.F_ext[b, 2] + w.tau[j + 2] - turn * (vx * hx + vy * hy)
        alpha = (n - (hx * fy - hy * fx) / m) / (J + tree.rotor[j + 2] - (hx * hx + hy * hy) / m)
        ax, ay = (fx + hy * alpha) / m, (fy - hx * alpha) / m
        ux, uy = ax - w.C[b, 3] + g[0], ay - w.C[b, 4] + g[1]
        a[j], a[j + 1], a[j + 2] = o * ux - s * uy, s * ux + o * uy, alpha
    else:
        ax, ay = -g[0], -g[1]
        alpha = (w.F_ext[b, 2] + w.tau[j] - hx * ay + hy * ax) / (J + tree.rotor[j])
        a[j] = alpha
    put6(w.A, b, 0, (0.0, 0.0, alpha, ax, ay, -g[2]))


@entry
def planar_ydot_entry(context):
    """Entry: w.ydot, the derivatives of the state w.y at the time w.clock; leaves what `ydot_entry` leaves."""
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    nq, nv = tree.nq, tree.nv
    q, v, a = w.y[:nq], w.y[nq : nq + nv], w.ydot[nq : nq + nv]
    new_state(w)
    put_pose(w.X_WB, 0, IDENTITY)
    put_spatial(w.V, 0, ZERO6)
    for b in range(1, tree.nb):
        _put_body(tree, w, b, q, v)
    computed(w, POSES)
    computed(w, VELOCITIES)
    computed(w, BIASES)
    if loads.forces.count == 0:
        for b in range(tree.nb):
            put_spatial(w.F_ext, b, ZERO6)
    call_forces(tree, loads, w, w.clock[0], q, v)
    for b in range(1, tree.nb):
        _accelerate(tree, w, b, a)
    calc_qdot(tree, q, v, w.ydot[:nq])
    ydot_beside_motion(tree, w)


# Rates of a system of points: bodies that only translate, each on ground (nets, clouds of mass points).
#
# Nothing is coupled but by force elements, and nothing turns: in the constant axes of each body's frame
#
#     (m + rotor) a = f + tau + m g
#
# for each of its three directions. The general recursions give the same at four times the cost a body.


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


# Rates of a model in which nothing can move: first-order states, laws and bond graphs by themselves.


def is_static(tree: Tree) -> bool:
    """Whether all bodies are fixed to ground."""
    return tree.nv == 0 and not tree.flexible


def only_graph_states(loads: Loads) -> bool:
    """Whether all first-order states belong to bond graphs, which write their rates with their forces."""
    return not np.any(loads.laws.state_law >= 0)


@entry
def static_ydot_entry(context):
    """Entry: w.ydot, the derivatives of the state w.y at the time w.clock; leaves X_WB, V, F_ext and powers."""
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    q, v, last = w.y[:0], w.y[:0], tree.nb - 1
    if not w.X_WB[last, 0] ** 2 + w.X_WB[last, 1] ** 2 + w.X_WB[last, 2] ** 2 > 0.5:  # a new workspace: no rotation yet
        poses_and_velocities(tree, w, q, v)
    call_forces(tree, loads, w, w.clock[0], q, v)
    ydot_beside_motion(tree, w)


@entry
def no_states_entry(context):
    """Entry STATES of a system whose states all belong to bond graphs."""
    unpack(context, REAL_CONTEXT)


@entry
def complex_no_states_entry(context):
    """The same for complex-step derivatives."""
    unpack(context, COMPLEX_CONTEXT)
