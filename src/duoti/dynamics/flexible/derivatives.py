"""Derivatives of what a flexible body does, for `dynamics.derivatives.rnea`; notation as there and in `floating_frame`.

**Rates inward of the body** see it as a body with the inertia of its present shape, the moment Q = integral of u s^T dm
of its velocities u, those of its deformation included, and its wrench: sums over particles, so that (5) and (7) there
hold. What is left are the rows and columns of the modal coordinates. With Psi, Psi2 and Phi of an inward column,

    d tau_i/d delta = (W_i, E_i) . Psi2 + r_i . Psi,   d tau_i/dv = (W_i, E_i) . Phi + r_i . S                  (1)
    r_i = omega x W_i + 2 v x E_i - J_i omega + y_i

since tau_i changes with twist and acceleration of the row only, and its change with the velocity of the origin cancels;
wrench and tau_i themselves are polynomials in zeta and zeta', whose derivatives are written down. With eta in place of
zeta, P of `system.flexible_arrays`, and (0, B) for the derivative of P,

    dtau/d eta = P^T (dtau/d zeta P + dtau/d zeta' B eta' + I6 B eta'') + tau_a B_a                               (3)

**Columns of an interface.** A displacement by delta_j changes the twist of the interface, in its own axes, by
dV/d eta_j, and its acceleration by dA/d eta_j. In the world, Psi_j is the first of these, Psi2_j the second less
Psi_j x V, and Phi_j is dA/d eta_j' less S_j x V; by complex steps of some hundred operations (`_relative_motion`).

**Curvature.** Columns of an interface change with each other's coordinates, which no joint of the tree does that way:
the wrench F through it adds F . dS_i/d eta_j to K. With its force f and moment m about the interface, in body axes,

    F . dS_i/d eta_j = f . N_ij + T m . Q_ij + x_i . (d(T m)/d theta x_j - T (P_j x f))                          (2)
"""

from duoti.dynamics.derivatives.rnea import velocity_times_place
from duoti.dynamics.flexible.deformed_shape import face_bias, face_state
from duoti.dynamics.flexible.inertia_sums import body_wrench, coriolis, field_forces, field_sums, scale6, shape_of
from duoti.dynamics.flexible.modal_fields import field_accelerations, lift_of, lifted_columns, lifted_rows
from duoti.dynamics.flexible.rotation_vector import right_tangent, rotation_factors, tangent_matrix, tangent_rate
from duoti.dynamics.loops.constraints import add_closure_wrenches
from duoti.dynamics.tree.forward import call_forces
from duoti.kernel import helper, part
from duoti.spatial.algebra import (
    ZERO3,
    ZERO6,
    add,
    cross,
    cross_motion,
    dot,
    force_to_child,
    force_to_parent,
    get3,
    get6,
    get_column,
    get_pose,
    get_spatial,
    matmul,
    mul,
    mulT,
    put3,
    put6,
    put_column,
    put_spatial,
    scale,
    sub,
    to_child,
    to_parent,
    transpose,
    vadd,
    vdot,
    vscale,
    vsub,
)
from duoti.spatial.inertia_algebra import inertia_times, rigid_to_parent, sym_add, symmul
from duoti.system.flexible_arrays import E_, J_, W_
from duoti.system.tangent_arrays import PHI, PSI, PSI2, S_

STEP = 1e-30  # of complex steps: its square vanishes beside any number that matters


@helper
def _pose_at_centre(w, b):
    """Pose of a row in world axes, about the point that all derivatives use."""
    R, p = get_pose(w.X_WB, b)
    return R, sub(p, get3(w.X_WB, 1, 9))


@part
def body_outward(tree, w, flex, tan, f, b):
    """What the body adds to inertia, moment of velocities, momentum and wrench of its row."""
    X = _pose_at_centre(w, b)
    R, p = X
    V_W = get_spatial(tan.V_W, b)
    field_accelerations(tree, w, flex, f)
    coriolis(flex, f)
    c, J = shape_of(flex, f)
    _, h, J_W = rigid_to_parent(X, (0.0, c, J))
    put3(tan.I_W, b, 1, add(get3(tan.I_W, b, 1), h))
    put6(tan.I_W, b, 4, sym_add(get6(tan.I_W, b, 4), J_W))
    E, W, J_dot = field_sums(flex, f, 1)
    E_W = mul(R, E)
    place = velocity_times_place((0.0, h, J_W), V_W)
    # integral of ds/dt s^T: its symmetric part is that of the inertia's rate, its skew part that of W
    t = 0.25 * (J_dot[0] + J_dot[2] + J_dot[5])
    D = (
        t - 0.5 * J_dot[0], -0.5 * (J_dot[1] + W[2]), -0.5 * (J_dot[3] - W[1]),
        -0.5 * (J_dot[1] - W[2]), t - 0.5 * J_dot[2], -0.5 * (J_dot[4] + W[0]),
        -0.5 * (J_dot[3] + W[1]), -0.5 * (J_dot[4] - W[0]), t - 0.5 * J_dot[5],
    )  # fmt: skip
    D = matmul(R, matmul(D, transpose(R)))
    for i in range(3):
        for k in range(3):
            tan.Q_W[b, 3 * i + k] += place[3 * i + k] + D[3 * i + k] + E_W[i] * p[k]
    momentum = inertia_times((0.0, h, J_W), V_W)
    put3(tan.Q_W, b, 9, add(get3(tan.Q_W, b, 9), add(momentum[1], E_W)))
    F = body_wrench(flex, f, to_child(X, V_W), to_child(X, get_spatial(tan.A_W, b)))
    put_spatial(tan.F_W, b, vadd(get_spatial(tan.F_W, b), force_to_parent(X, F)))


# ------------------------------------------------------------------------------------------------------- interfaces


@helper
def _relative_motion(place, rate, change, V_P, A_P):
    """Twist and acceleration of an interface in its own axes, from (p, theta) and its two time derivatives."""
    (p, theta), (p_dot, theta_dot), (p_2dot, theta_2dot) = place, rate, change
    (omega_P, v_P), (alpha_P, a_P) = V_P, A_P
    factors = rotation_factors(theta)
    R = tangent_matrix(theta, factors)
    Omega = right_tangent(theta, factors, theta_dot)
    Omega_dot = add(right_tangent(theta, factors, theta_2dot), tangent_rate(theta, factors, theta_dot))
    carried = mulT(R, omega_P)
    v = mulT(R, add(v_P, add(cross(omega_P, p), p_dot)))
    a = mulT(R, add(add(a_P, cross(alpha_P, p)), add(cross(omega_P, p_dot), p_2dot)))
    alpha = add(sub(mulT(R, alpha_P), cross(Omega, carried)), Omega_dot)
    return (add(carried, Omega), v), (alpha, sub(a, cross(Omega, v)))


@helper
def _step(X, dX):
    """X with a small imaginary part along dX."""
    return vadd(X, vscale(STEP * 1j, dX))


@helper
def _slope(x):
    """The derivative that a complex step found."""
    s = 1.0 / STEP
    (a, b, c), (d, e, f) = x
    return (s * a.imag, s * b.imag, s * c.imag), (s * d.imag, s * e.imag, s * f.imag)


@helper
def _put_row(T, i, k, V):
    put3(T, i, k, V[0])
    put3(T, i, k + 3, V[1])


@part
def interface_outward(tree, w, flex, tan, i, b):
    """Acceleration of the row of an interface, and Psi, Psi2 and Phi of its columns."""
    f, T = flex.face_body[i], tan.columns
    n, at, pairs, iv = flex.n[f], flex.face_modes[i], flex.face_pairs[i], tree.nq + flex.iv[f]
    X_P, X = _pose_at_centre(w, tree.parent[b]), _pose_at_centre(w, b)
    V_P, A_P = to_child(X_P, get_spatial(tan.V_W, tree.parent[b])), to_child(X_P, get_spatial(tan.A_W, tree.parent[b]))
    V_W = get_spatial(tan.V_W, b)
    place, rate = face_state(tree, w, flex, i)
    place = (add(get3(flex.place, i, 0), place[0]), place[1])
    change = face_bias(tree, w, flex, i)
    for j in range(n):
        change = vadd(change, vscale(w.ydot[iv + j], get_spatial(flex.column, at + j)))
    _, A = _relative_motion(place, rate, change, V_P, A_P)
    put_spatial(tan.A_W, b, to_parent(X, A))
    for j in range(n):
        column = get_spatial(flex.column, at + j)
        faster, further = ZERO6, ZERO6
        if flex.curved[i] == 1:
            for k in range(n):
                twice = get_spatial(flex.bend, pairs + j * n + k)
                faster = vadd(faster, vscale(w.y[iv + k], twice))
                further = vadd(further, vscale(w.ydot[iv + k], twice))
        V_j, A_j = _relative_motion(_step(place, column), _step(rate, faster), _step(change, further), V_P, A_P)
        psi = to_parent(X, _slope(V_j))
        psi2 = vsub(to_parent(X, _slope(A_j)), cross_motion(psi, V_W))
        _, A_j = _relative_motion(
            _step(place, ZERO6), _step(rate, column), _step(change, vscale(2.0, faster)), V_P, A_P
        )
        k = tree.first[b] + j
        S_j = get_column(tan.S, k)
        put_column(tan.Psi, k, psi)
        _put_row(T, k, S_, S_j)
        put3(T, k, PSI, psi[0])
        _put_row(T, k, PSI2, psi2)
        _put_row(T, k, PHI, vsub(to_parent(X, _slope(A_j)), cross_motion(S_j, V_W)))


@part
def add_curvature(tree, w, flex, tan, i, F, sign):
    """K += sign (2) for the wrench F through an interface, in world axes about the centre."""
    b, f = flex.interface_body[i], flex.face_body[i]
    n, at, pairs, iv = flex.n[f], flex.face_modes[i], flex.face_pairs[i], flex.iv[f]
    (_, theta), _ = face_state(tree, w, flex, i)
    factors = rotation_factors(theta)
    m, force = force_to_child(_pose_at_centre(w, tree.parent[b]), F)
    m = sub(m, cross(get3(w.X_PB, b, 9), force))
    T_m = right_tangent(theta, factors, m)
    for j in range(n):
        P, x = get_spatial(flex.column, at + j)
        _, turned = _step((ZERO3, theta), (ZERO3, x))
        turned = right_tangent(turned, rotation_factors(turned), m)
        turned, _ = _slope((turned, turned))
        z = sub(turned, right_tangent(theta, factors, cross(P, force)))
        for k in range(n):
            _, x = get_spatial(flex.column, at + k)
            twice = get_spatial(flex.bend, pairs + k * n + j)
            tan.K[iv + k, iv + j] += sign * (dot(x, z) + dot(force, twice[0]) + dot(T_m, twice[1]))


# --------------------------------------------------------------------------------------------------- modal coordinates


MOMENTUM_, BY_Q, BY_V, R_ = 0, 6, 12, 18  # places in flex.change


@part
def _field_changes(flex, f, V, A):
    """flex.change of each field, and matrices over fields: dtau/d zeta in square[0], dtau/d zeta' in square[1]."""
    (omega, v), (alpha, a) = V, A
    a = add(a, cross(omega, v))
    m, first, pairs = flex.m[f], flex.fields[f], flex.pairs[f]
    for i in range(m):
        at = first + i
        E, W, J = get3(flex.now, at, E_), get3(flex.now, at, W_), get6(flex.now, at, J_)
        J_omega, turning = symmul(J, omega), cross(omega, W)
        W_v = W_a = both = ZERO3
        J_v = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for k in range(m):
            rate, pair = flex.zeta[1, first + k], pairs + i * m + k
            inner, outer = get3(flex.slope, pairs + k * m + i, W_), get3(flex.slope, pair, W_)
            J2 = get6(flex.slope, pair, J_)
            W_v, W_a = add(W_v, scale(rate, inner)), add(W_a, scale(flex.zeta[2, first + k], inner))
            both = add(both, scale(rate, add(inner, outer)))
            J_v = sym_add(J_v, scale6(rate, J2))
            flex.square[0, i * m + k] = dot(outer, alpha) - 0.5 * dot(omega, symmul(J2, omega))
            flex.square[1, i * m + k] = dot(omega, sub(outer, inner))
        put3(flex.change, at, MOMENTUM_, W)
        put3(flex.change, at, MOMENTUM_ + 3, E)
        torque = add(add(symmul(J, alpha), cross(E, a)), add(W_a, cross(omega, add(J_omega, W_v))))
        put3(flex.change, at, BY_Q, add(torque, symmul(J_v, omega)))
        put3(flex.change, at, BY_Q + 3, add(cross(alpha, E), cross(omega, cross(omega, E))))
        put3(flex.change, at, BY_V, add(both, add(J_omega, turning)))
        put3(flex.change, at, BY_V + 3, scale(2.0, cross(omega, E)))
        r = sub(add(turning, scale(2.0, cross(v, E))), sub(J_omega, get3(flex.coriolis, at, 0)))
        put3(flex.change, at, R_, r)


@helper
def _wrench_of(flex, at, place):
    return get3(flex.change, at, place), get3(flex.change, at, place + 3)


@part
def _add_modal_block(tan, flex, f):
    """K, C and M between the modal coordinates: P^T (K P + C B eta' + I6 B eta'') + tau_a B_a, and so on, by (3)."""
    n, m, first, iv, pairs = flex.n[f], flex.m[f], flex.fields[f], flex.iv[f], flex.pairs[f]
    mass, left = flex.mass[pairs:], flex.square[2]
    lifted_columns(flex, f, flex.square[0], left)
    for i in range(m):
        for j in range(n):
            for a in range(m - n):
                at, lift = i * m + n + a, lift_of(flex, f, a, j)
                left[i * n + j] += flex.square[1, at] * flex.lift[1, lift] + mass[at] * flex.lift[2, lift]
    lifted_rows(flex, f, left, flex.square[0])
    for j in range(n):
        for k in range(n):
            x = flex.square[0, j * n + k]
            for a in range(m - n):
                x += flex.force[first + n + a, 0] * flex.second[flex.quadratic[f] + (a * n + j) * n + k]
            tan.K[iv + j, iv + k] += x
    lifted_columns(flex, f, flex.square[1], left)
    for i in range(m):
        for j in range(n):
            for a in range(m - n):
                left[i * n + j] += 2.0 * mass[i * m + n + a] * flex.lift[1, lift_of(flex, f, a, j)]
    lifted_rows(flex, f, left, flex.square[0])
    for j in range(n):
        for k in range(n):
            tan.C[iv + j, iv + k] += flex.square[0, j * n + k]
    lifted_columns(flex, f, mass, left)
    lifted_rows(flex, f, left, flex.square[0])
    for j in range(n):
        for k in range(n):
            tan.M[iv + j, iv + k] += flex.square[0, j * n + k]


@part
def body_derivatives(tree, w, flex, tan, f, b):
    """K, C and M of inertial forces: rows and columns of the modal coordinates; curvature of the interfaces."""
    n, m, first, iv = flex.n[f], flex.m[f], flex.fields[f], flex.iv[f]
    T, X = tan.columns, _pose_at_centre(w, b)
    V, A = to_child(X, get_spatial(tan.V_W, b)), to_child(X, get_spatial(tan.A_W, b))
    field_forces(flex, f, V, A)
    _field_changes(flex, f, V, A)
    for j in range(n):
        i, at = iv + j, first + j
        momentum, by_q, by_v = _wrench_of(flex, at, MOMENTUM_), _wrench_of(flex, at, BY_Q), _wrench_of(flex, at, BY_V)
        r = get3(flex.change, at, R_)
        for a in range(m - n):
            field, lift = first + n + a, lift_of(flex, f, a, j)
            p, by_rate, by_acceleration = flex.lift[0, lift], flex.lift[1, lift], flex.lift[2, lift]
            own, faster = _wrench_of(flex, field, MOMENTUM_), _wrench_of(flex, field, BY_V)
            momentum = vadd(momentum, vscale(p, own))
            by_q = vadd(by_q, vscale(p, _wrench_of(flex, field, BY_Q)))
            by_q = vadd(by_q, vadd(vscale(by_rate, faster), vscale(by_acceleration, own)))
            by_v = vadd(by_v, vadd(vscale(p, faster), vscale(2.0 * by_rate, own)))
            r = add(r, scale(p, get3(flex.change, field, R_)))
        momentum, by_q, by_v = force_to_parent(X, momentum), force_to_parent(X, by_q), force_to_parent(X, by_v)
        r = mul(X[0], r)
        k = tree.inner[tree.first[b + 1] - n]
        while k >= 0:
            column = tree.rate[k]
            S = (get3(T, k, S_), get3(T, k, S_ + 3))
            inertia = vdot(S, momentum)
            tan.M[i, column] += inertia
            tan.M[column, i] += inertia
            tan.K[column, i] += vdot(S, by_q)
            tan.C[column, i] += vdot(S, by_v)
            tan.K[i, column] += vdot((get3(T, k, PSI2), get3(T, k, PSI2 + 3)), momentum) + dot(get3(T, k, PSI), r)
            tan.C[i, column] += vdot((get3(T, k, PHI), get3(T, k, PHI + 3)), momentum) + dot(S[0], r)
            k = tree.inner[k]
    _add_modal_block(tan, flex, f)
    for i in range(flex.faces[f], flex.faces[f + 1]):
        add_curvature(tree, w, flex, tan, i, get_spatial(tan.F_W, flex.interface_body[i]), 1.0)


@part
def external_derivatives(tree, loads, closures, w, flex, tan, f):
    """K and C of elasticity and damping; once for all bodies, the curvature by what acts on bodies from outside."""
    n, iv, squares = flex.n[f], flex.iv[f], flex.squares[f]
    for j in range(n):
        for k in range(n):
            tan.K[iv + j, iv + k] += flex.stiffness[squares + j * n + k]
            tan.C[iv + j, iv + k] += flex.damping[squares + j * n + k]
    if f > 0 or (loads.forces.count == 0 and closures.rows == 0):
        return
    for b in range(tree.nb):
        put_spatial(w.F_ext, b, ZERO6)
    call_forces(tree, loads, w, w.clock[0], w.y[: tree.nq], w.y[tree.nq : tree.nq + tree.nv])
    if closures.rows > 0:
        add_closure_wrenches(loads, closures, w)
    for b in range(tree.nb):
        put_spatial(w.P, b, get_spatial(w.F_ext, b))
    for b in range(tree.nb - 1, 0, -1):
        P = tree.parent[b]
        put_spatial(w.P, P, vadd(get_spatial(w.P, P), force_to_parent(get_pose(w.X_PB, b), get_spatial(w.P, b))))
    for i in range(flex.interface_body.shape[0]):
        b = flex.interface_body[i]
        F = force_to_parent(_pose_at_centre(w, b), get_spatial(w.P, b))
        add_curvature(tree, w, flex, tan, i, F, -1.0)
