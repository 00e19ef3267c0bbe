"""Position, velocity and acceleration of all bodies, outward along the tree.

Notation as in `spatial.algebra`; P is the inboard (parent) body of B. Equations after Jain, Robot and Multibody
Dynamics, 2010, chapter 5, and Featherstone, 2008, chapter 5, with spatial vectors angular part first, in body frames.
"""

from duoti.dynamics.tree.body_laws import KINEMATICS, call_bodies, put_motion
from duoti.kernel import helper, kernel, part
from duoti.model.joints import joint_pose
from duoti.spatial.algebra import (
    ZERO3,
    ZERO6,
    add_rotation_z,
    compose,
    cross_motion,
    cross_rotation_z,
    get9,
    get_pose,
    get_spatial,
    mul,
    mulT,
    put_pose,
    put_spatial,
    quaternion_rate,
    scale,
    to_child,
    to_parent,
    transpose,
    vadd,
    vscale,
)
from duoti.system.arrays import REVOLUTE_Z
from duoti.system.stages import BIASES, POSES, VELOCITIES, computed, need_biases, need_sweep, new_state

IDENTITY = ((1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), ZERO3)


@part
def joint_sweep(tree, w, q, v):
    """Pose of every body in its parent, and motion subspaces that change: writes X_PB, H, c."""
    new_state(w)
    if tree.flexible > 0:
        put_motion(w.y[: tree.nq], q)
        put_motion(w.y[tree.nq : tree.nq + tree.nv], v)
    for b in range(1, tree.nb):
        X_PF = get_pose(tree.X_PF, b)
        if tree.reverse[b] == 1:
            X_PF = IDENTITY
        H = w.H
        if tree.first[b] != tree.iv[b]:  # laws number their columns like their rates
            H = w.H[tree.first[b] - tree.iv[b] :]
        X = joint_pose(tree.law[b], q, tree.iq[b], v, tree.iv[b], tree.joint_parameters, b, X_PF, H, w.c)
        if tree.reverse[b] == 0:
            put_pose(w.X_PB, b, X)
        else:
            _reverse_joint(tree, w, b, X)
    if tree.flexible > 0:
        call_bodies(tree, w, KINEMATICS)


@helper
def _reverse_joint(tree, w, b, X):
    """A joint that the tree runs through from the user's child to the user's parent; q keeps the user's meaning.

    With X = X_FM(q) of the joint as the user drew it: X_PB = X_PM X^-1, H = -Ad(X) H_user, c = -Ad(X) c_user.
    """
    R, p = X
    inverse = (transpose(R), scale(-1.0, mulT(R, p)))
    put_pose(w.X_PB, b, compose(get_pose(tree.X_PF, b), inverse))
    if tree.bias[b] == 1:
        for k in range(tree.first[b], tree.first[b + 1]):
            put_spatial(w.H, k, vscale(-1.0, to_parent(X, get_spatial(w.H, k))))
        put_spatial(w.c, b, vscale(-1.0, to_parent(X, get_spatial(w.c, b))))
    else:
        for k in range(tree.first[b], tree.first[b + 1]):
            put_spatial(w.H, k, vscale(-1.0, to_parent(X, get_spatial(tree.H0, k))))


@helper
def joint_velocity(tree, w, v, b):
    """V_J = H v of the joint of body b."""
    V_J = ZERO6
    for k in range(tree.first[b], tree.first[b + 1]):
        V_J = vadd(V_J, vscale(v[tree.rate[k]], get_spatial(w.H, k)))
    return V_J


@helper
def carried_acceleration(tree, w, b):
    """X A_P: the acceleration that b has from its parent."""
    return to_child(get_pose(w.X_PB, b), get_spatial(w.A, tree.parent[b]))


@helper
def carried_on_ground(w, b):
    """The same of a body on ground, whose acceleration is a shift. (Asked for each body it would slow all others.)"""
    A_W = get_spatial(w.A, 0)
    return A_W[0], mulT(get9(w.X_PB, b, 0), A_W[1])


@helper
def velocity_and_bias(tree, w, v, b):
    """V_B = X V_P + H v   (1)   and the acceleration of the joint at rest of v,   C = c + V_B x V_J   (2)."""
    V_B = to_child(get_pose(w.X_PB, b), get_spatial(w.V, tree.parent[b]))
    if tree.motion[b] == REVOLUTE_Z:
        rate = v[tree.rate[tree.first[b]]]
        V_B = add_rotation_z(V_B, rate)
        return V_B, cross_rotation_z(V_B, rate)
    V_J = joint_velocity(tree, w, v, b)
    V_B = vadd(V_B, V_J)
    C = cross_motion(V_B, V_J)
    if tree.bias[b] == 1:
        C = vadd(C, get_spatial(w.c, b))
    return V_B, C


@part
def velocities(tree, w, v):
    """Twist of every body in its own frame; writes V and C. Needs joint_sweep."""
    need_sweep(w)
    put_spatial(w.V, 0, ZERO6)
    for b in range(1, tree.nb):
        V_B, C = velocity_and_bias(tree, w, v, b)
        put_spatial(w.V, b, V_B)
        put_spatial(w.C, b, C)
    computed(w, VELOCITIES)
    computed(w, BIASES)


@part
def world_poses(tree, w):
    """Pose of every body in the world; writes X_WB. Needs joint_sweep."""
    need_sweep(w)
    put_pose(w.X_WB, 0, IDENTITY)
    for b in range(1, tree.nb):
        P, X_PB = tree.parent[b], get_pose(w.X_PB, b)
        put_pose(w.X_WB, b, compose(get_pose(w.X_WB, P), X_PB) if P > 0 else X_PB)
    computed(w, POSES)


@part
def poses_and_velocities(tree, w, q, v):
    """The three sweeps above: what laws and force elements may ask for."""
    joint_sweep(tree, w, q, v)
    velocities(tree, w, v)
    world_poses(tree, w)


@part
def calc_qdot(tree, q, v, qdot):
    """Rate of q: the velocities themselves, but for quaternions."""
    for i in range(tree.plain_q.shape[0]):
        qdot[tree.plain_q[i]] = v[tree.plain_v[i]]
    for i in range(tree.quat_q.shape[0]):
        k, j = tree.quat_q[i], tree.quat_v[i]
        rate = quaternion_rate(q[k], q[k + 1], q[k + 2], q[k + 3], (v[j], v[j + 1], v[j + 2]))
        qdot[k], qdot[k + 1], qdot[k + 2], qdot[k + 3] = rate


@part
def unit_quaternions(tree, q):
    """Bring the quaternions in q back to unit length."""
    for i in range(tree.quat_q.shape[0]):
        k = tree.quat_q[i]
        s = 1.0 / (q[k] ** 2 + q[k + 1] ** 2 + q[k + 2] ** 2 + q[k + 3] ** 2) ** 0.5
        for n in range(k, k + 4):
            q[n] = s * q[n]


@kernel("tree loads work d1 d1 i d2", "tree loads complex_work D1 D1 i D2")
def marker_jacobian(tree, loads, w, q, v, m, J):
    """Columns of J (zero before): angular velocity and velocity of marker m in world axes, per unit of each rate."""
    joint_sweep(tree, w, q, v)
    world_poses(tree, w)
    b = loads.markers.body[m]
    p = mul(get9(w.X_WB, b, 0), (loads.markers.X_BM[m, 9], loads.markers.X_BM[m, 10], loads.markers.X_BM[m, 11]))
    point = (w.X_WB[b, 9] + p[0], w.X_WB[b, 10] + p[1], w.X_WB[b, 11] + p[2])
    while b > 0:
        R, o = get_pose(w.X_WB, b)
        X_MB = (R, (o[0] - point[0], o[1] - point[1], o[2] - point[2]))  # body seen from a world-parallel frame at m
        for k in range(tree.first[b], tree.first[b + 1]):
            i, column = tree.rate[k], to_parent(X_MB, get_spatial(w.H, k))
            for r in range(3):
                J[r, i] += column[0][r]
                J[r + 3, i] += column[1][r]
        b = tree.parent[b]


@part
def accelerations(tree, w, a):
    """True spatial acceleration of every body (gravity not subtracted) for given rates of v; writes A, needs V, C."""
    need_biases(w)
    put_spatial(w.A, 0, ZERO6)
    for b in range(1, tree.nb):
        A_B = vadd(carried_acceleration(tree, w, b), get_spatial(w.C, b))
        for k in range(tree.first[b], tree.first[b + 1]):
            A_B = vadd(A_B, vscale(a[tree.rate[k]], get_spatial(w.H, k)))
        put_spatial(w.A, b, A_B)
