"""Articulated-body algorithm: accelerations of a tree, O(n) (Featherstone 2008, section 7.3), in body frames.

Joints of several degrees of freedom are eliminated one direction at a time: the direction H with U = I H is eliminated,
and I - U U^T / (H^T U) is what the rest feels. So no joint needs a matrix of its own.

That needs a column for every rate and a rate for every column (`Tree.shared` = 0), and rigid bodies. Rates with several
columns cannot be eliminated one by one: such trees take the mass matrix (`dynamics.loops.constrained`), and flexible
bodies have an entry of their own (`dynamics.flexible.aba`).
"""

from duoti.dynamics.tree.kinematics import carried_acceleration, joint_sweep, velocity_and_bias
from duoti.dynamics.tree.rnea import ground_acceleration
from duoti.kernel import helper, kernel, part
from duoti.spatial.algebra import (
    ZERO6,
    add_rotation_z,
    cross_force,
    force_to_parent,
    get_pose,
    get_spatial,
    put_spatial,
    vadd,
    vdot,
    vscale,
)
from duoti.spatial.inertia_algebra import (
    art_add,
    art_downdate,
    art_of_rigid,
    art_times,
    art_times_rotation_z,
    art_to_parent,
    get_art,
    get_rigid,
    inertia_times,
    put_art,
)
from duoti.system.arrays import REVOLUTE_Z
from duoti.system.stages import ARTICULATED, BIASES, VELOCITIES, computed, need_articulated, need_sweep, used_up


@part
def aba_outward(tree, w, v):
    """Twists V, bias accelerations C, bias wrenches P and the bodies' own inertias Y. Needs joint_sweep."""
    need_sweep(w)
    put_spatial(w.V, 0, ZERO6)
    for b in range(1, tree.nb):
        V_B, C = velocity_and_bias(tree, w, v, b)
        I = get_rigid(tree.inertia, b)
        put_spatial(w.V, b, V_B)
        put_spatial(w.C, b, C)
        put_spatial(w.P, b, cross_force(V_B, inertia_times(I, V_B)))
        put_art(w.Y, b, art_of_rigid(I))
    computed(w, VELOCITIES)
    computed(w, BIASES)
    computed(w, ARTICULATED)


@helper
def eliminate_joint(w, i, I, p, U, d, u):
    """What is left of inertia and bias wrench when rate i is free to move; notes what its acceleration needs."""
    put_spatial(w.U, i, U)
    w.D[i], w.u[i] = d, u
    return art_downdate(I, U, d), vadd(p, vscale(d * u, U))


@part
def aba_inward(tree, w, tau, a):
    """Articulated inertias inward, then accelerations outward; writes a. Needs aba_outward."""
    need_articulated(w)
    used_up(w, ARTICULATED)
    for b in range(tree.nb - 1, 0, -1):
        I, p = get_art(w.Y, b), get_spatial(w.P, b)
        j, P = tree.first[b], tree.parent[b]
        if tree.motion[b] == REVOLUTE_Z and P == 0:  # ground does not feel what is left
            U = art_times_rotation_z(I)
            put_spatial(w.U, j, U)
            w.D[j], w.u[j] = 1.0 / (U[0][2] + tree.rotor[j]), tau[j] - p[0][2]
        elif tree.motion[b] == REVOLUTE_Z:
            U = art_times_rotation_z(I)
            I, p = eliminate_joint(w, j, I, p, U, 1.0 / (U[0][2] + tree.rotor[j]), tau[j] - p[0][2])
        else:
            for i in range(j, tree.first[b + 1]):
                H = get_spatial(w.H, i)
                U = art_times(I, H)
                I, p = eliminate_joint(w, i, I, p, U, 1.0 / (vdot(H, U) + tree.rotor[i]), tau[i] - vdot(H, p))
        if P > 0:
            X_PB = get_pose(w.X_PB, b)
            p = vadd(p, art_times(I, get_spatial(w.C, b)))
            put_art(w.Y, P, art_add(get_art(w.Y, P), art_to_parent(X_PB, I)))
            put_spatial(w.P, P, vadd(get_spatial(w.P, P), force_to_parent(X_PB, p)))
    put_spatial(w.A, 0, ground_acceleration(tree))
    for b in range(1, tree.nb):
        A_B = vadd(carried_acceleration(tree, w, b), get_spatial(w.C, b))
        for i in range(tree.first[b + 1] - 1, tree.first[b] - 1, -1):  # the last eliminated moves first
            a[i] = w.D[i] * (w.u[i] - vdot(get_spatial(w.U, i), A_B))
            if tree.motion[b] == REVOLUTE_Z:
                A_B = add_rotation_z(A_B, a[i])
            else:
                A_B = vadd(A_B, vscale(a[i], get_spatial(w.H, i)))
        put_spatial(w.A, b, A_B)


@kernel("tree work d1 d1 d1 d1", "tree complex_work D1 D1 D1 D1")
def aba(tree, w, q, v, tau, a):
    """Accelerations for given generalised forces under gravity, without force elements."""
    joint_sweep(tree, w, q, v)
    aba_outward(tree, w, v)
    aba_inward(tree, w, tau, a)
