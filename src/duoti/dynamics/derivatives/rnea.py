"""Derivatives of inverse dynamics tau = M a + h with respect to position, velocity and acceleration, O(n depth).

With the columns S and the twists U of `dynamics.derivatives.displacements`, I, V, A, F the inertia, twist,
acceleration (less gravity) and inertial wrench of a body, W_i = sum of S_k v_k over the rates that carry i, and A_j'
the acceleration of the frame in which delta_j takes place (the terms of A that j does not carry):

    dS_i/dt = W_i x S_i,  A_b = sum of (S_i a_i + dS_i/dt v_i) - gravity                                    (1)
    Psi_j  = U_j x S_j                       dV_b/d delta_j = S_j x V_b + Psi_j                             (2)
    Psi2_j = A_j' x S_j + U_j x Psi_j        dA_b/d delta_j = S_j x A_b + Psi_j x V_b + Psi2_j              (3)
    Phi_j  = dS_j/dt + Psi_j                 dA_b/dv_j      = S_j x V_b + Phi_j                             (4)

F = I A + V x* I V, and I itself moves along: dI/d delta_j = S_j x* I - I S_j x. Collecting terms (Jacobi's identity),

    dF_b/d delta_j = S_j x* F_b + I_b Psi2_j + B_b Psi_j,   dF_b/dv_j = I_b Phi_j + B_b S_j                 (5)
    B X = X x* I V + V x* I X - I (V x X)                                                                   (6)

linear in what belongs to rate j, so that the sums over all outboard bodies need only composite I, B and F (Singh, Russo
& Wensing 2022 for joints with constant axes; Carpentier & Mansard 2018). For a rigid body B is the moment of the
Coriolis accelerations: with u the velocity and r the place of a particle, p the momentum, Q = integral of u r^T dm,

    B (alpha, beta) = (2 (tr Q - Q) alpha, 2 alpha x p)                                                     (7)

so twelve numbers, Q and p, are summed instead of a matrix of 36, and the linear part of X does not matter.
"""

from duoti.dynamics.derivatives.displacements import frame_twist, tangent_kinematics
from duoti.dynamics.tree.body_laws import DERIVATIVES, OUTWARD, RIGID, call_bodies, call_body
from duoti.dynamics.tree.kinematics import joint_sweep, world_poses
from duoti.dynamics.tree.rnea import ground_acceleration
from duoti.kernel import helper, kernel, part
from duoti.spatial.algebra import (
    add,
    cross,
    cross_force,
    cross_motion,
    get3,
    get6,
    get9,
    get_column,
    get_pose,
    get_spatial,
    mul,
    mulT,
    put3,
    put6,
    put9,
    put_spatial,
    scale,
    sub,
    vadd,
    vdot,
    vscale,
)
from duoti.spatial.inertia_algebra import get_rigid, inertia_times, rigid_to_parent, sym_add
from duoti.system.stages import need_tangent
from duoti.system.tangent_arrays import PHI, PSI, PSI2, S_


@part
def inertial_derivatives(tree, w, tan, v, a):
    """K, C and M of M a + h, between rates of one branch; other entries are left alone. Needs tangent_kinematics."""
    need_tangent(w)
    outward(tree, w, tan, v, a)
    if tree.shared == 0:
        _inward(tree, tan, tan.K, tan.C, tan.M)
        for i in range(tree.nv):
            tan.M[i, i] += tree.rotor[i]
    else:
        _inward(tree, tan, tan.by_column[0], tan.by_column[1], tan.by_column[2])
        _sum_columns(tree, tan)
    if tree.flexible > 0:
        call_bodies(tree, w, DERIVATIVES)


@part
def _sum_columns(tree, tan):
    """K, C and M of the rates from those of their columns."""
    K, C, M = tan.by_column[0], tan.by_column[1], tan.by_column[2]
    for i in range(tree.nv):
        for j in range(tree.nv):
            tan.K[i, j] = tan.C[i, j] = tan.M[i, j] = 0.0
        tan.M[i, i] = tree.rotor[i]
    for k in range(tree.nc):
        for n in range(tree.nc):
            i, j = tree.rate[k], tree.rate[n]
            tan.K[i, j] += K[k, n]
            tan.C[i, j] += C[k, n]
            tan.M[i, j] += M[k, n]


@helper
def _put_row(T, i, k, V):
    """Store a motion in row i, from column k on."""
    put3(T, i, k, V[0])
    put3(T, i, k + 3, V[1])


@part
def outward(tree, w, tan, v, a):
    """Accelerations, wrenches, inertias and momenta of the single bodies; S, Psi, Psi2 and Phi of all rates."""
    S, T = tan.S, tan.columns
    put_spatial(tan.A_W, 0, ground_acceleration(tree))
    for b in range(1, tree.nb):
        P = tree.parent[b]
        A_P = get_spatial(tan.A_W, P)
        A_B = A_P
        first, last = tree.first[b], tree.first[b + 1]
        V_P = get_spatial(tan.V_W, P)
        if last == first + 1:  # its axis stands still both in F and in M, so that U, W and A' may be the parent's
            S_i = get_column(S, first)
            psi = get_column(tan.Psi, first)
            rate = tree.rate[first]
            A_B = vadd(A_B, vadd(vscale(a[rate], S_i), vscale(v[rate], psi)))
            _put_row(T, first, S_, S_i)
            put3(T, first, PSI, psi[0])
            _put_row(T, first, PSI2, vadd(cross_motion(A_P, S_i), cross_motion(V_P, psi)))
            _put_row(T, first, PHI, vscale(2.0, psi))
        else:
            for i in range(first, last):
                W_i = V_P
                for k in range(first, last):
                    if tree.moves[k, i - first] == 1:
                        W_i = vadd(W_i, vscale(v[tree.rate[k]], get_column(S, k)))
                S_i = get_column(S, i)
                r, S_dot = tree.rate[i], cross_motion(W_i, S_i)
                A_B = vadd(A_B, vadd(vscale(a[r], S_i), vscale(v[r], S_dot)))
                _put_row(T, i, S_, S_i)
                _put_row(T, i, PHI, S_dot)
            for j in range(first, last):
                A_j, S_j, U_j = A_P, get_column(S, j), frame_twist(tree, S, v, j, first, last, V_P)
                for i in range(first, last):
                    if tree.moves[j, i - first] == 0:
                        r, S_dot = tree.rate[i], (get3(T, i, PHI), get3(T, i, PHI + 3))
                        A_j = vadd(A_j, vadd(vscale(a[r], get_column(S, i)), vscale(v[r], S_dot)))
                psi = get_column(tan.Psi, j)
                put3(T, j, PSI, psi[0])
                _put_row(T, j, PSI2, vadd(cross_motion(A_j, S_j), cross_motion(U_j, psi)))
            for j in range(first, last):
                S_dot = (get3(T, j, PHI), get3(T, j, PHI + 3))
                _put_row(T, j, PHI, vadd(S_dot, get_column(tan.Psi, j)))
        put_spatial(tan.A_W, b, A_B)
        R, p = get_pose(w.X_WB, b)
        I = rigid_to_parent((R, sub(p, get3(w.X_WB, 1, 9))), get_rigid(tree.inertia, b))
        V_B = get_spatial(tan.V_W, b)
        momentum = inertia_times(I, V_B)
        put_spatial(tan.F_W, b, vadd(inertia_times(I, A_B), cross_force(V_B, momentum)))
        tan.I_W[b, 0] = I[0]
        put3(tan.I_W, b, 1, I[1])
        put6(tan.I_W, b, 4, I[2])
        put9(tan.Q_W, b, 0, velocity_times_place(I, V_B))
        put3(tan.Q_W, b, 9, momentum[1])
        if tree.flexible > 0 and tree.body_law[b] != RIGID:
            call_body(w, b, OUTWARD)


@helper
def velocity_times_place(I, V):
    """Q = integral of u r^T dm, row by row: v h^T + [omega]x Sigma, with Sigma = tr(J)/2 - J."""
    _, h, J = I
    (x, y, z), v = V
    half = 0.5 * (J[0] + J[2] + J[5])
    xx, yy, zz, xy, xz, yz = half - J[0], half - J[2], half - J[5], -J[1], -J[3], -J[4]
    return (
        v[0] * h[0] + y * xz - z * xy, v[0] * h[1] + y * yz - z * yy, v[0] * h[2] + y * zz - z * yz,
        v[1] * h[0] + z * xx - x * xz, v[1] * h[1] + z * xy - x * yz, v[1] * h[2] + z * xz - x * zz,
        v[2] * h[0] + x * xy - y * xx, v[2] * h[1] + x * yy - y * xy, v[2] * h[2] + x * yz - y * xz,
    )  # fmt: skip


@part
def _inward(tree, tan, K, C, M):
    """Composite bodies, from the outermost inward; entries of K, C and M of each column with those further inward."""
    I_W, Q_W, F_W, T = tan.I_W, tan.Q_W, tan.F_W, tan.columns
    for b in range(tree.nb - 1, 0, -1):
        P = tree.parent[b]
        if P > 0:
            I_W[P, 0] += I_W[b, 0]
            put3(I_W, P, 1, add(get3(I_W, P, 1), get3(I_W, b, 1)))
            put6(I_W, P, 4, sym_add(get6(I_W, P, 4), get6(I_W, b, 4)))
            for k in range(12):
                Q_W[P, k] += Q_W[b, k]
            put_spatial(F_W, P, vadd(get_spatial(F_W, P), get_spatial(F_W, b)))
        I, F = get_rigid(I_W, b), get_spatial(F_W, b)
        Q, p = get9(Q_W, b, 0), get3(Q_W, b, 9)
        trace = Q[0] + Q[4] + Q[8]
        first = tree.first[b]
        for i in range(first, tree.first[b + 1]):
            S_i = (get3(T, i, S_), get3(T, i, S_ + 3))
            psi = get3(T, i, PSI)
            psi2 = (get3(T, i, PSI2), get3(T, i, PSI2 + 3))
            phi = (get3(T, i, PHI), get3(T, i, PHI + 3))
            # the wrench of all outboard bodies changes by k with delta_i, by c with v_i, see (5) and (7)
            k0 = vadd(cross_force(S_i, F), inertia_times(I, psi2))
            k1 = scale(2.0, sub(scale(trace, psi), mul(Q, psi)))
            c0 = inertia_times(I, phi)
            c1 = scale(2.0, sub(scale(trace, S_i[0]), mul(Q, S_i[0])))
            (k0x, k0y, k0z), (k1x, k1y, k1z) = add(k0[0], k1), add(k0[1], scale(2.0, cross(psi, p)))
            (c0x, c0y, c0z), (c1x, c1y, c1z) = add(c0[0], c1), add(c0[1], scale(2.0, cross(S_i[0], p)))
            # and the row of rate i in I and B
            (n0, n1, n2), (f0, f1, f2) = inertia_times(I, S_i)
            r0, r1, r2 = scale(2.0, add(sub(scale(trace, S_i[0]), mulT(Q, S_i[0])), cross(p, S_i[1])))
            j = i
            while j >= 0:
                s0, s1, s2, s3, s4, s5 = get6(T, j, S_)
                K[j, i] = s0 * k0x + s1 * k0y + s2 * k0z + s3 * k1x + s4 * k1y + s5 * k1z
                C[j, i] = s0 * c0x + s1 * c0y + s2 * c0z + s3 * c1x + s4 * c1y + s5 * c1z
                m = s0 * n0 + s1 * n1 + s2 * n2 + s3 * f0 + s4 * f1 + s5 * f2
                M[j, i] = m
                M[i, j] = m
                K[i, j] = (
                    T[j, PSI2] * n0 + T[j, PSI2 + 1] * n1 + T[j, PSI2 + 2] * n2
                    + T[j, PSI2 + 3] * f0 + T[j, PSI2 + 4] * f1 + T[j, PSI2 + 5] * f2
                    + T[j, PSI] * r0 + T[j, PSI + 1] * r1 + T[j, PSI + 2] * r2
                )  # fmt: skip
                C[i, j] = (
                    T[j, PHI] * n0 + T[j, PHI + 1] * n1 + T[j, PHI + 2] * n2
                    + T[j, PHI + 3] * f0 + T[j, PHI + 4] * f1 + T[j, PHI + 5] * f2
                    + s0 * r0 + s1 * r1 + s2 * r2
                )  # fmt: skip
                j = tree.inner[j]
            for j in range(first, i):  # within a joint, S_i x* F cancels where the axis j is carried along
                S_j = (get3(T, j, S_), get3(T, j, S_ + 3))
                turned = vdot(cross_motion(S_i, S_j), F)
                if tree.moves[i, j - first] == 1:
                    K[j, i] += turned
                if tree.moves[j, i - first] == 0:
                    K[i, j] += turned


@kernel("tree work tangent d1 d1 d1")
def rnea_derivatives(tree, w, tan, q, v, a):
    """K = d tau/d delta, C = d tau/dv and M = d tau/da of tau = M a + h (gravity, no force elements)."""
    joint_sweep(tree, w, q, v)
    world_poses(tree, w)
    tangent_kinematics(tree, w, tan, v)
    inertial_derivatives(tree, w, tan, v, a)
