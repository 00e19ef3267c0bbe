"""Recursive Newton-Euler: inverse dynamics of a tree, O(n).

Outward: velocities and accelerations; inward: wrenches (Luh, Walker & Paul 1980; Featherstone 2008, table 5.1).
Gravity enters as an upward acceleration of ground.
"""

from duoti.dynamics.tree.body_laws import WRENCH, call_bodies, put_motion
from duoti.dynamics.tree.kinematics import carried_acceleration, carried_on_ground, joint_sweep, velocity_and_bias
from duoti.kernel import helper, kernel, part
from duoti.spatial.algebra import (
    ZERO3,
    ZERO6,
    add_rotation_z,
    cross,
    cross_force,
    dot,
    force_to_parent,
    get3,
    get_pose,
    get_spatial,
    mulT,
    put_spatial,
    sub,
    vadd,
    vdot,
    vscale,
    vsub,
)
from duoti.spatial.inertia_algebra import get_rigid, inertia_times
from duoti.system.arrays import FREELY, IN_PLANE, REVOLUTE_Z
from duoti.system.stages import REACTIONS, VELOCITIES, WRENCHES, computed, need_sweep, need_wrenches, used_up


@helper
def ground_acceleration(tree):
    """Acceleration of ground that stands for gravity."""
    return ZERO3, (-tree.gravity[0], -tree.gravity[1], -tree.gravity[2])


@helper
def planar_motion(tree, w, v, a, b, I):
    """V_B, A_B and F_B = I A + V x* I V of a body on a planar joint on ground, without the products with zeros."""
    i = tree.first[b]
    x, y, turn = tree.rate[i], tree.rate[i + 1], tree.rate[i + 2]
    o, s, omega = w.H[i, 3], w.H[i + 1, 3], v[turn]
    v1, v2 = o * v[x] + s * v[y], o * v[y] - s * v[x]
    (alpha, beta, gamma), (g1, g2, g3) = carried_on_ground(w, b)
    a1, a2 = o * a[x] + s * a[y] + omega * v2, o * a[y] - s * a[x] - omega * v1
    A_B = (alpha, beta, gamma + a[turn]), (g1 + a1, g2 + a2, g3)
    m, (hx, hy, hz), (_, _, _, xz, yz, _) = I
    p1, p2 = m * v1 - hy * omega, m * v2 + hx * omega  # momentum, and below its moment
    n1, n2 = xz * omega - hz * v2, yz * omega + hz * v1
    n, f = inertia_times(I, A_B)
    F_B = (n[0] - omega * n2, n[1] + omega * n1, n[2] + v1 * p2 - v2 * p1), (f[0] - omega * p2, f[1] + omega * p1, f[2])
    zero = 0.0 * omega
    return ((zero, zero, omega), (v1, v2, zero)), A_B, F_B


@helper
def free_motion(tree, w, v, a, b, I):
    """The same of a body on a free joint on ground: of its columns only the axes of its shifts are read."""
    i = tree.first[b]
    R_FM = get3(w.H, i, 3) + get3(w.H, i + 1, 3) + get3(w.H, i + 2, 3)
    x, y, z, p, q, r = (
        tree.rate[i], tree.rate[i + 1], tree.rate[i + 2], tree.rate[i + 3], tree.rate[i + 4], tree.rate[i + 5]
    )  # fmt: skip
    omega, velocity = (v[p], v[q], v[r]), mulT(R_FM, (v[x], v[y], v[z]))
    V_B = omega, velocity
    alpha, shifted = (a[p], a[q], a[r]), sub(mulT(R_FM, (a[x], a[y], a[z])), cross(omega, velocity))
    A_B = vadd(carried_on_ground(w, b), (alpha, shifted))
    return V_B, A_B, vadd(inertia_times(I, A_B), cross_force(V_B, inertia_times(I, V_B)))


@part
def _alone_on_ground(tree, w, v, a):
    """As `rnea_outward`, of bodies that move on ground in a plane or freely. (Beside the others they slow these.)"""
    for b in range(1, tree.nb):
        if tree.motion[b] < IN_PLANE:
            continue
        I = get_rigid(tree.inertia, b)
        if tree.motion[b] == FREELY:
            V_B, A_B, F_B = free_motion(tree, w, v, a, b, I)
        else:
            V_B, A_B, F_B = planar_motion(tree, w, v, a, b, I)
        put_spatial(w.F, b, F_B)
        put_spatial(w.V, b, V_B)
        put_spatial(w.A, b, A_B)


@part
def rnea_outward(tree, w, v, a):
    """Twists V, accelerations A and wrenches F = I A + V x* I V that move each body. Needs joint_sweep."""
    need_sweep(w)
    used_up(w, REACTIONS)
    put_spatial(w.V, 0, ZERO6)
    put_spatial(w.A, 0, ground_acceleration(tree))
    _alone_on_ground(tree, w, v, a)
    for b in range(1, tree.nb):
        if tree.motion[b] >= IN_PLANE:
            continue
        V_B, C = velocity_and_bias(tree, w, v, b)
        A_B = vadd(carried_acceleration(tree, w, b), C)
        if tree.motion[b] == REVOLUTE_Z:
            A_B = add_rotation_z(A_B, a[tree.rate[tree.first[b]]])
        else:
            for k in range(tree.first[b], tree.first[b + 1]):
                A_B = vadd(A_B, vscale(a[tree.rate[k]], get_spatial(w.H, k)))
        I = get_rigid(tree.inertia, b)
        put_spatial(w.F, b, vadd(inertia_times(I, A_B), cross_force(V_B, inertia_times(I, V_B))))
        put_spatial(w.V, b, V_B)
        put_spatial(w.A, b, A_B)
    if tree.flexible > 0:
        put_motion(w.ydot[tree.nq : tree.nq + tree.nv], a)
        for i in range(tree.nv):
            w.body_tau[i] = 0.0
        call_bodies(tree, w, WRENCH)
    computed(w, VELOCITIES)
    computed(w, WRENCHES)


@part
def subtract_external(tree, w, F):
    """F -= wrenches of the force elements."""
    for b in range(1, tree.nb):
        put_spatial(F, b, vsub(get_spatial(F, b), get_spatial(w.F_ext, b)))


@part
def rnea_inward(tree, w, a, tau):
    """Sum the wrenches inward: F becomes the wrench through each inboard joint, tau = H^T F + rotor a."""
    need_wrenches(w)
    used_up(w, WRENCHES)
    if tree.shared == 1:  # then a rate feels the wrenches of several rows
        for i in range(tree.nv):
            tau[i] = tree.rotor[i] * a[i]
    for b in range(tree.nb - 1, 0, -1):
        F_B = get_spatial(w.F, b)
        if tree.shared == 1:
            for k in range(tree.first[b], tree.first[b + 1]):
                tau[tree.rate[k]] += vdot(get_spatial(w.H, k), F_B)
        elif tree.motion[b] == REVOLUTE_Z:
            j = tree.first[b]
            tau[j] = F_B[0][2] + tree.rotor[j] * a[j]
        elif tree.motion[b] == FREELY:
            j = tree.first[b]
            for i in range(3):
                tau[j + i] = dot(get3(w.H, j + i, 3), F_B[1]) + tree.rotor[j + i] * a[j + i]
            tau[j + 3] = F_B[0][0] + tree.rotor[j + 3] * a[j + 3]
            tau[j + 4] = F_B[0][1] + tree.rotor[j + 4] * a[j + 4]
            tau[j + 5] = F_B[0][2] + tree.rotor[j + 5] * a[j + 5]
        else:
            for i in range(tree.first[b], tree.first[b + 1]):
                tau[i] = vdot(get_spatial(w.H, i), F_B) + tree.rotor[i] * a[i]
        P = tree.parent[b]
        if P > 0:
            put_spatial(w.F, P, vadd(get_spatial(w.F, P), force_to_parent(get_pose(w.X_PB, b), F_B)))
    if tree.flexible > 0:
        for i in range(tree.nv):
            tau[i] += w.body_tau[i]
    computed(w, REACTIONS)


@kernel("tree work d1 d1 d1 d1", "tree complex_work D1 D1 D1 D1")
def rnea(tree, w, q, v, a, tau):
    """Generalised forces for the accelerations a under gravity, without force elements: tau = M a + h."""
    joint_sweep(tree, w, q, v)
    rnea_outward(tree, w, v, a)
    rnea_inward(tree, w, a, tau)
