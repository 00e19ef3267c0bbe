"""Articulated bodies with modes: accelerations of a tree with flexible bodies, each body's modes eliminated by itself.

Inward, an interface hands over what hangs on it, with articulated inertia I, bias p and acceleration bias C. With its
pose X on the body's row and the columns H_j of the modal velocities, the body has in (A, eta'')

    Y += X^T I X,   Z_j += X^T I H_j,   E_jk += H_j . I H_k,   P += X^T (p + I C),   p_j += H_j . (p + I C)      (1)

beside its own inertia in the present shape. E = L L^T, k = L^-1 Z, y = L^-1 p_eta leave for the row's joint

    Y - k^T k,   P - k^T y;     outward then   eta'' = -L^-T (y + k A)                                           (2)

(Qi, chapter 10: equivalent reduction of a flexible subtree; Wehage & Belczynski 1992.) Z, then k, stand in w.U, p_eta,
then y, in w.u, at the places of the modal velocities; L in flex.factor. This costs n^3/6 a body; the factorisation of
the mass matrix costs the square of all rates between a body and ground, for each of its rates.
"""

from duoti.dynamics.flexible.inertia_sums import body_wrench, coriolis, field_forces, shape_of
from duoti.dynamics.flexible.modal_fields import field_accelerations, lift_of, lifted_columns, lifted_rows
from duoti.dynamics.tree.aba import aba_outward, eliminate_joint
from duoti.dynamics.tree.forward import call_forces
from duoti.dynamics.tree.kinematics import calc_qdot, joint_sweep, world_poses
from duoti.dynamics.tree.rnea import ground_acceleration, subtract_external
from duoti.dynamics.tree.states import ydot_beside_motion
from duoti.kernel import entry, part, unpack
from duoti.spatial.algebra import (
    ZERO6,
    add,
    add_rotation_z,
    force_to_parent,
    get3,
    get_pose,
    get_spatial,
    put_spatial,
    scale,
    to_child,
    vadd,
    vdot,
    vscale,
    vsub,
)
from duoti.spatial.inertia_algebra import (
    art_add,
    art_downdate,
    art_of_rigid,
    art_times,
    art_times_rotation_z,
    art_to_parent,
    get_art,
    put_art,
)
from duoti.system.arrays import REVOLUTE_Z
from duoti.system.context import REAL_CONTEXT
from duoti.system.flexible_arrays import E_, FLEX_CONTEXT, FLEXIBLE_LAW, INTERFACE_LAW, W_


@part
def _own(tree, w, flex, f):
    """Inertia of a body in its present shape, and its bias: what it needs without accelerations. Needs aba_outward."""
    b, n, m, first, iv = flex.row[f], flex.n[f], flex.m[f], flex.fields[f], flex.iv[f]
    V = get_spatial(w.V, b)
    for j in range(n):
        w.ydot[tree.nq + iv + j] = 0.0
    field_accelerations(tree, w, flex, f)
    coriolis(flex, f)
    put_spatial(w.P, b, vadd(get_spatial(w.P, b), body_wrench(flex, f, V, ZERO6)))
    field_forces(flex, f, V, ZERO6)
    c, J = shape_of(flex, f)
    put_art(w.Y, b, art_add(get_art(w.Y, b), art_of_rigid((0.0, c, J))))
    lifted_columns(flex, f, flex.mass[flex.pairs[f] :], flex.square[0])
    lifted_rows(flex, f, flex.square[0], flex.factor[0, flex.squares[f] :])
    for j in range(n):
        W, E, bias = get3(flex.now, first + j, W_), get3(flex.now, first + j, E_), flex.force[first + j, 0]
        for a in range(m - n):
            lift = flex.lift[0, lift_of(flex, f, a, j)]
            W = add(W, scale(lift, get3(flex.now, first + n + a, W_)))
            E = add(E, scale(lift, get3(flex.now, first + n + a, E_)))
            bias += lift * flex.force[first + n + a, 0]
        put_spatial(w.U, iv + j, (W, E))
        w.u[iv + j] = bias


@part
def _hand_over(tree, w, flex, i, I, p):
    """(1): what hangs on the interface i, with the articulated inertia I and the bias p at the interface."""
    b, f = flex.interface_body[i], flex.face_body[i]
    n, iv, E, P = flex.n[f], flex.iv[f], flex.squares[f], tree.parent[b]
    X, first = get_pose(w.X_PB, b), tree.first[b]
    p = vadd(p, art_times(I, get_spatial(w.C, b)))
    put_art(w.Y, P, art_add(get_art(w.Y, P), art_to_parent(X, I)))
    put_spatial(w.P, P, vadd(get_spatial(w.P, P), force_to_parent(X, p)))
    for j in range(n):
        H = get_spatial(w.H, first + j)
        U = art_times(I, H)
        w.u[iv + j] += vdot(H, p)
        put_spatial(w.U, iv + j, vadd(get_spatial(w.U, iv + j), force_to_parent(X, U)))
        for k in range(j + 1):
            flex.factor[0, E + j * n + k] += vdot(get_spatial(w.H, first + k), U)


@part
def _eliminate(flex, w, f, tau, I, p):
    """(2): factorises E, and returns what is left of inertia and bias of the row."""
    n, iv, E, L = flex.n[f], flex.iv[f], flex.squares[f], flex.factor[0]
    for j in range(n):
        row = E + j * n
        k, y = get_spatial(w.U, iv + j), w.u[iv + j] - tau[iv + j]
        for c in range(j):
            s, other = L[row + c], E + c * n
            for i in range(c):
                s -= L[row + i] * L[other + i]
            s /= L[other + c]
            L[row + c] = s
            k = vsub(k, vscale(s, get_spatial(w.U, iv + c)))
            y -= s * w.u[iv + c]
        d = L[row + j]
        for c in range(j):
            d -= L[row + c] * L[row + c]
        d = d**0.5
        L[row + j] = d
        k, y = vscale(1.0 / d, k), y / d
        put_spatial(w.U, iv + j, k)
        w.u[iv + j], w.D[iv + j] = y, 1.0 / (d * d)
        I, p = art_downdate(I, k, 1.0), vsub(p, vscale(y, k))
    return I, p


@part
def _modal_accelerations(flex, w, f, A, a):
    """eta'' of (2), with the acceleration A of the row."""
    n, iv, E, L = flex.n[f], flex.iv[f], flex.squares[f], flex.factor[0]
    for j in range(n - 1, -1, -1):
        x = -(w.u[iv + j] + vdot(get_spatial(w.U, iv + j), A))
        for i in range(j + 1, n):
            x -= L[E + i * n + j] * a[iv + i]
        a[iv + j] = x / L[E + j * n + j]


@part
def _inward(tree, w, flex, tau, a):
    """Articulated inertias inward, then accelerations outward; writes a."""
    for b in range(tree.nb - 1, 0, -1):
        I, p, law, last = get_art(w.Y, b), get_spatial(w.P, b), tree.body_law[b], tree.first[b + 1]
        if law == INTERFACE_LAW:
            _hand_over(tree, w, flex, flex.number[b], I, p)
            continue
        if law == FLEXIBLE_LAW:
            I, p = _eliminate(flex, w, flex.number[b], tau, I, p)
            last -= flex.n[flex.number[b]]
        for k in range(tree.first[b], last):
            i = tree.rate[k]
            if tree.motion[b] == REVOLUTE_Z:
                U = art_times_rotation_z(I)
                I, p = eliminate_joint(w, i, I, p, U, 1.0 / (U[0][2] + tree.rotor[i]), tau[i] - p[0][2])
            else:
                H = get_spatial(w.H, k)
                U = art_times(I, H)
                I, p = eliminate_joint(w, i, I, p, U, 1.0 / (vdot(H, U) + tree.rotor[i]), tau[i] - vdot(H, p))
        P = tree.parent[b]
        if P > 0:
            X_PB = get_pose(w.X_PB, b)
            p = vadd(p, art_times(I, get_spatial(w.C, b)))
            put_art(w.Y, P, art_add(get_art(w.Y, P), art_to_parent(X_PB, I)))
            put_spatial(w.P, P, vadd(get_spatial(w.P, P), force_to_parent(X_PB, p)))
    put_spatial(w.A, 0, ground_acceleration(tree))
    for b in range(1, tree.nb):
        A_B = vadd(to_child(get_pose(w.X_PB, b), get_spatial(w.A, tree.parent[b])), get_spatial(w.C, b))
        law, last = tree.body_law[b], tree.first[b + 1]
        if law == INTERFACE_LAW:
            for k in range(tree.first[b], last):
                A_B = vadd(A_B, vscale(a[tree.rate[k]], get_spatial(w.H, k)))
        else:
            if law == FLEXIBLE_LAW:
                last -= flex.n[flex.number[b]]
            for k in range(last - 1, tree.first[b] - 1, -1):  # the last eliminated moves first
                i = tree.rate[k]
                a[i] = w.D[i] * (w.u[i] - vdot(get_spatial(w.U, i), A_B))
                if tree.motion[b] == REVOLUTE_Z:
                    A_B = add_rotation_z(A_B, a[i])
                else:
                    A_B = vadd(A_B, vscale(a[i], get_spatial(w.H, k)))
            if law == FLEXIBLE_LAW:
                _modal_accelerations(flex, w, flex.number[b], A_B, a)
        put_spatial(w.A, b, A_B)


@entry
def flexible_ydot_entry(context):
    """Entry: w.ydot, the derivatives of the state w.y at the time w.clock, of a tree with flexible bodies."""
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    (flex,) = unpack(w.at[0].flexible, FLEX_CONTEXT)
    nq, nv = tree.nq, tree.nv
    q, v = w.y[:nq], w.y[nq : nq + nv]
    joint_sweep(tree, w, q, v)
    aba_outward(tree, w, v)
    for f in range(flex.row.shape[0]):
        _own(tree, w, flex, f)
    world_poses(tree, w)
    call_forces(tree, loads, w, w.clock[0], q, v)
    if loads.forces.count > 0:
        subtract_external(tree, w, w.P)
    _inward(tree, w, flex, w.tau, w.ydot[nq : nq + nv])
    calc_qdot(tree, q, v, w.ydot[:nq])
    ydot_beside_motion(tree, w)
