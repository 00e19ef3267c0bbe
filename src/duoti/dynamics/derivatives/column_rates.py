"""Rates of change of the columns, and what follows from them: Jacobian rates, Coriolis matrix, centroidal momentum.

Columns S_i, twists V_b and inertias I_b are in world axes about one fixed point (`dynamics.derivatives.displacements`).
With W_i the twist of the frame that carries the axis of column i,

    dS_i/dt = W_i x S_i,   V_b = sum of S_i v_i,   A_b = sum of (S_i a_i + dS_i/dt v_i)                     (1)

The Coriolis matrix is that of Echeandia & Wensing 2021 (J. Comput. Nonlinear Dyn. 16, 091004), a sum over the bodies:

    C = sum of J^T (I dJ/dt + B J),   B X = (V x* I X + X x* I V - I (V x X)) / 2                           (2)

so that C v are the centrifugal and Coriolis forces and dM/dt = C + C^T. With Q and p of `dynamics.derivatives.rnea`,
(7), B (alpha, beta) = ((tr Q - Q) alpha, alpha x p): twelve numbers of a body, which are summed inward.
"""

from duoti.dynamics.derivatives.displacements import tangent_kinematics
from duoti.dynamics.derivatives.rnea import velocity_times_place
from duoti.dynamics.tree.kinematics import joint_sweep, world_poses
from duoti.elements.markers import marker_point, marker_rotation
from duoti.kernel import helper, part
from duoti.spatial.algebra import (
    ZERO3,
    ZERO6,
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
    vscale,
)
from duoti.spatial.inertia_algebra import get_rigid, inertia_times, rigid_to_parent, sym_add
from duoti.system.stages import need_tangent
from duoti.system.tangent_arrays import PHI


@helper
def column_rate(tan, i):
    """dS/dt of column i. Needs column_rates."""
    return get3(tan.columns, i, PHI), get3(tan.columns, i, PHI + 3)


@helper
def world_origin(tree, w):
    """The fixed point that columns and twists are about."""
    return get3(w.X_WB, 1, 9) if tree.nb > 1 else ZERO3


@part
def column_rates(tree, w, tan, q, v):
    """Poses, columns, twists and the rates dS/dt of all columns, of rigid bodies: all that the following need."""
    joint_sweep(tree, w, q, v)
    world_poses(tree, w)
    tangent_kinematics(tree, w, tan, v)
    for b in range(1, tree.nb):
        V_P = get_spatial(tan.V_W, tree.parent[b])
        first, last = tree.first[b], tree.first[b + 1]
        for i in range(first, last):
            W_i = V_P
            if last > first + 1:  # the axis of a single column stands still in the parent
                for k in range(first, last):
                    if tree.moves[k, i - first] == 1:
                        W_i = vadd(W_i, vscale(v[tree.rate[k]], get_column(tan.S, k)))
            S_dot = cross_motion(W_i, get_column(tan.S, i))
            put3(tan.columns, i, PHI, S_dot[0])
            put3(tan.columns, i, PHI + 3, S_dot[1])


@helper
def _add_rows(J, i, column):
    for r in range(3):
        J[r, i] += column[0][r]
        J[r + 3, i] += column[1][r]


@part
def point_jacobian(tree, loads, w, tan, m, offset, local, J, J_dot):
    """J and dJ/dt (zero before) of the point `offset` of marker m, in world axes or, local = 1, in those of the marker.

    Needs column_rates.
    """
    need_tangent(w)
    b = loads.markers.body[m]
    R = marker_rotation(loads, w, m)
    point, _ = marker_point(loads, w, m)
    r = sub(add(point, mul(R, offset)), world_origin(tree, w))
    omega, velocity = ZERO6
    if b > 0:
        V = get_spatial(tan.V_W, b)
        omega, velocity = V[0], add(V[1], cross(V[0], r))
    while b > 0:
        for k in range(tree.first[b], tree.first[b + 1]):
            S, S_dot = get_column(tan.S, k), column_rate(tan, k)
            turn, shift = S[0], add(S[1], cross(S[0], r))
            turn_rate = S_dot[0]
            shift_rate = add(add(S_dot[1], cross(S_dot[0], r)), cross(S[0], velocity))
            if local == 1:
                turn_rate = mulT(R, sub(turn_rate, cross(omega, turn)))
                shift_rate = mulT(R, sub(shift_rate, cross(omega, shift)))
                turn, shift = mulT(R, turn), mulT(R, shift)
            _add_rows(J, tree.rate[k], (turn, shift))
            _add_rows(J_dot, tree.rate[k], (turn_rate, shift_rate))
        b = tree.parent[b]


@helper
def _world_inertia(tree, w, b):
    """Inertia of a body about the fixed point, in world axes."""
    R, p = get_pose(w.X_WB, b)
    return rigid_to_parent((R, sub(p, world_origin(tree, w))), get_rigid(tree.inertia, b))


@helper
def _put_inertia(tan, b, I):
    tan.I_W[b, 0] = I[0]
    put3(tan.I_W, b, 1, I[1])
    put6(tan.I_W, b, 4, I[2])


@helper
def _add_inertia(tan, b, I):
    _put_inertia(tan, b, (tan.I_W[b, 0] + I[0], add(get3(tan.I_W, b, 1), I[1]), sym_add(get6(tan.I_W, b, 4), I[2])))


@part
def coriolis_matrix(tree, w, tan, C):
    """C of (2), of the rates; zero between rates of different branches. Needs column_rates."""
    need_tangent(w)
    for i in range(tree.nv):
        for j in range(tree.nv):
            C[i, j] = 0.0
    for b in range(1, tree.nb):
        I, V = _world_inertia(tree, w, b), get_spatial(tan.V_W, b)
        _put_inertia(tan, b, I)
        put9(tan.Q_W, b, 0, velocity_times_place(I, V))
        put3(tan.Q_W, b, 9, inertia_times(I, V)[1])
    for b in range(tree.nb - 1, 0, -1):
        P, I = tree.parent[b], get_rigid(tan.I_W, b)
        if P > 0:
            _add_inertia(tan, P, I)
            for k in range(12):
                tan.Q_W[P, k] += tan.Q_W[b, k]
        Q, p = get9(tan.Q_W, b, 0), get3(tan.Q_W, b, 9)
        trace = Q[0] + Q[4] + Q[8]
        for i in range(tree.first[b], tree.first[b + 1]):
            S_i = get_column(tan.S, i)
            # the wrench I dS/dt + B S of all outboard bodies, and the rows S^T I and S^T B
            n, f = inertia_times(I, column_rate(tan, i))
            n = add(n, sub(scale(trace, S_i[0]), mul(Q, S_i[0])))
            f = add(f, cross(S_i[0], p))
            row_n, row_f = inertia_times(I, S_i)
            turned = add(sub(scale(trace, S_i[0]), mulT(Q, S_i[0])), cross(p, S_i[1]))
            row = tree.rate[i]
            j = i
            while j >= 0:
                S_j, S_dot, column = get_column(tan.S, j), column_rate(tan, j), tree.rate[j]
                C[column, row] += (
                    S_j[0][0] * n[0] + S_j[0][1] * n[1] + S_j[0][2] * n[2]
                    + S_j[1][0] * f[0] + S_j[1][1] * f[1] + S_j[1][2] * f[2]
                )  # fmt: skip
                if j != i:
                    C[row, column] += (
                        S_dot[0][0] * row_n[0] + S_dot[0][1] * row_n[1] + S_dot[0][2] * row_n[2]
                        + S_dot[1][0] * row_f[0] + S_dot[1][1] * row_f[1] + S_dot[1][2] * row_f[2]
                        + S_j[0][0] * turned[0] + S_j[0][1] * turned[1] + S_j[0][2] * turned[2]
                    )  # fmt: skip
                j = tree.inner[j]


@helper
def _about(centre, F):
    """A wrench about another point."""
    return sub(F[0], cross(centre, F[1])), F[1]


@part
def centroidal_momentum(tree, w, tan, v, A, bias):
    """A (6 x nv, zero before): momentum about the mass centre per unit of each rate, angular first, in world axes.

    bias[10]: dA/dt v, mass, mass centre. What is welded to ground counts in mass and mass centre. Needs column_rates.
    """
    need_tangent(w)
    o = world_origin(tree, w)
    I = _world_inertia(tree, w, 0)
    mass, moment, F = I[0], I[1], ZERO6
    put_spatial(tan.A_W, 0, ZERO6)
    for b in range(1, tree.nb):
        I, V = _world_inertia(tree, w, b), get_spatial(tan.V_W, b)
        _put_inertia(tan, b, I)
        mass, moment = mass + I[0], add(moment, I[1])
        A_B = get_spatial(tan.A_W, tree.parent[b])
        for i in range(tree.first[b], tree.first[b + 1]):
            A_B = vadd(A_B, vscale(v[tree.rate[i]], column_rate(tan, i)))
        put_spatial(tan.A_W, b, A_B)
        F = vadd(F, vadd(inertia_times(I, A_B), cross_force(V, inertia_times(I, V))))
    centre = scale(1.0 / mass, moment)
    for b in range(tree.nb - 1, 0, -1):
        I = get_rigid(tan.I_W, b)
        if tree.parent[b] > 0:
            _add_inertia(tan, tree.parent[b], I)
        for i in range(tree.first[b], tree.first[b + 1]):
            _add_rows(A, tree.rate[i], _about(centre, inertia_times(I, get_column(tan.S, i))))
    F = _about(centre, F)
    for k in range(3):
        bias[k], bias[3 + k], bias[7 + k] = F[0][k], F[1][k], centre[k] + o[k]
    bias[6] = mass
