"""A flexible body in the recursions, by its nine invariants (floating frame of reference).

With the twist (omega, v) of the row's frame, its acceleration (alpha, a) less gravity, rates zeta' of the amplitudes of
its fields, E_i, W_i, J_i of `flexible_arrays`, c, J the first moment and inertia less those of the shape of reference
(which the row's ten numbers have), the kinetic energy beyond that of the rigid shape is

    T = omega . J omega / 2 + omega . (c x v) + omega . W_i zeta_i' + v . E_i zeta_i' + zeta' I6 zeta' / 2     (1)

and Lagrange's equations in these velocities (Boltzmann-Hamel) give, with y_i = (dW_i/d zeta_k - dW_k/d zeta_i) zeta_k',

    force  = alpha x c + E_i zeta_i'' + 2 omega x E_i zeta_i' + omega x (omega x c)
    torque = J alpha + c x (a + omega x v) + W_i zeta_i'' + J' omega + omega x J omega + omega x W_i zeta_i'
    tau_i  = W_i . alpha + E_i . (a + omega x v) + I6 zeta'' + omega . y_i - omega . J_i omega / 2             (2)

(Shabana, Dynamics of Multibody Systems, 4th ed., chapter 5; Wallrapp 1994.) The force of a modal coordinate is P^T tau
with P of `flexible_arrays`: so dynamic stiffening comes out of the kinematics, and energy and momentum are kept.
The row of an interface is a frame without mass.
"""

from duoti.dynamics.flexible.deformed_shape import place_interface, present_shape
from duoti.dynamics.flexible.derivatives import (
    body_derivatives,
    body_outward,
    external_derivatives,
    interface_outward,
)
from duoti.dynamics.flexible.inertia_sums import body_wrench, coriolis, field_forces, field_sums, shape_of
from duoti.dynamics.flexible.modal_fields import amplitudes, field_accelerations, lift_of, lifted_columns, lifted_rows
from duoti.dynamics.tree.body_laws import (
    DERIVATIVES,
    ELASTIC,
    ENERGY,
    EXTERNAL,
    GRAVITY,
    INERTIA,
    KINEMATICS,
    MASS_MATRIX,
    MOMENTUM,
    OUTWARD,
    WRENCH,
)
from duoti.kernel import entry, part, unpack
from duoti.spatial.algebra import (
    add,
    cross,
    dot,
    force_to_parent,
    get3,
    get6,
    get_pose,
    get_spatial,
    mul,
    put3,
    put6,
    put_spatial,
    scale,
    vadd,
)
from duoti.spatial.inertia_algebra import rigid_to_parent, sym_add, symmul
from duoti.system.context import COMPLEX_CONTEXT, PERTURBED_CONTEXT, REAL_CONTEXT, TANGENT_CONTEXT
from duoti.system.flexible_arrays import COMPLEX_FLEX_CONTEXT, E_, FLEX_CONTEXT, FLEXIBLE_LAW, INTERFACE_LAW, W_


@part
def _state_tasks(tree, w, flex, f, b, task):
    """Tasks of a flexible body that need no derivatives."""
    n, m, first, iv = flex.n[f], flex.m[f], flex.fields[f], flex.iv[f]
    if task == KINEMATICS:
        amplitudes(tree, w, flex, f)
        present_shape(flex, f)
        for i in range(flex.faces[f], flex.faces[f + 1]):
            place_interface(tree, w, flex, i)
    elif task == ELASTIC:
        _elastic(tree, w, flex, f)
    elif task == WRENCH:
        V, A = get_spatial(w.V, b), get_spatial(w.A, b)
        field_accelerations(tree, w, flex, f)
        coriolis(flex, f)
        put_spatial(w.F, b, vadd(get_spatial(w.F, b), body_wrench(flex, f, V, A)))
        field_forces(flex, f, V, A)
        for j in range(n):
            tau = flex.force[first + j, 0]
            for a in range(m - n):
                tau += flex.lift[0, lift_of(flex, f, a, j)] * flex.force[first + n + a, 0]
            w.body_tau[iv + j] += tau
    elif task == INERTIA:
        c, J = shape_of(flex, f)
        _, h, J = rigid_to_parent(get_pose(w.X_RB, b), (0.0 * c[0], c, J))
        put3(w.I_R, b, 1, add(get3(w.I_R, b, 1), h))
        put6(w.I_R, b, 4, sym_add(get6(w.I_R, b, 4), J))
    elif task == MASS_MATRIX:
        _mass_matrix(tree, w, flex, f, b)
    elif task == GRAVITY:
        R, _ = get_pose(w.X_WB, b)
        h, g = mul(R, get3(flex.shape, f, 0)), tree.gravity
        w.body_sums[1] -= g[0] * h[0] + g[1] * h[1] + g[2] * h[2]
    else:
        omega, v = get_spatial(w.V, b)
        c, J = shape_of(flex, f)
        E, W, _ = field_sums(flex, f, 1)
        if task == ENERGY:
            T = 0.5 * dot(omega, symmul(J, omega)) + dot(omega, add(cross(c, v), W)) + dot(v, E)
            for i in range(m):
                for k in range(m):
                    rates = flex.zeta[1, first + i] * flex.zeta[1, first + k]
                    T += 0.5 * flex.mass[flex.pairs[f] + i * m + k] * rates
            w.body_sums[0] += T
        elif task == MOMENTUM:
            X_WB = get_pose(w.X_WB, b)
            L, p = force_to_parent(X_WB, (add(symmul(J, omega), add(cross(c, v), W)), add(cross(omega, c), E)))
            h = mul(X_WB[0], c)
            for k in range(3):
                w.body_sums[2 + k] += L[k]
                w.body_sums[5 + k] += p[k]
                w.body_sums[9 + k] += h[k]


@part
def _mass_matrix(tree, w, flex, f, b):
    """The rows of the modal velocities in w.M."""
    n, m, first, iv = flex.n[f], flex.m[f], flex.fields[f], flex.iv[f]
    S, X_RB = w.S_R, get_pose(w.X_RB, b)
    half, whole = flex.square[0], flex.square[1]
    lifted_columns(flex, f, flex.mass[flex.pairs[f] :], half)
    lifted_rows(flex, f, half, whole)
    for j in range(n):
        row = tree.M_row[iv + j]
        for k in range(j + 1):
            w.M[row + tree.depth[iv + k]] += whole[j * n + k]
        W, E = get3(flex.now, first + j, W_), get3(flex.now, first + j, E_)
        for a in range(m - n):
            lift = flex.lift[0, lift_of(flex, f, a, j)]
            W = add(W, scale(lift, get3(flex.now, first + n + a, W_)))
            E = add(E, scale(lift, get3(flex.now, first + n + a, E_)))
        (n0, n1, n2), (f0, f1, f2) = force_to_parent(X_RB, (W, E))
        k = tree.inner[tree.first[b + 1] - n]
        while k >= 0:
            x = S[0, k] * n0 + S[1, k] * n1 + S[2, k] * n2 + S[3, k] * f0 + S[4, k] * f1 + S[5, k] * f2
            w.M[row + tree.depth[tree.rate[k]]] += x
            k = tree.inner[k]


@part
def _elastic(tree, w, flex, f):
    """Forces of elasticity and damping on the modal coordinates; stored energy and dissipated power."""
    n, iq, iv, squares = flex.n[f], flex.iq[f], flex.iv[f], flex.squares[f]
    for j in range(n):
        elastic = damping = 0.0 * w.y[iq]
        for k in range(n):
            elastic += flex.stiffness[squares + j * n + k] * w.y[iq + k]
            damping += flex.damping[squares + j * n + k] * w.y[tree.nq + iv + k]
        w.tau[iv + j] -= elastic + damping
        w.powers[0] += 0.5 * elastic * w.y[iq + j]
        w.powers[2] += damping * w.y[tree.nq + iv + j]


@entry
def flexible_entry(context):
    """Entry of `dynamics.tree.body_laws`, for flexible bodies and the rows of their interfaces."""
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    (flex,) = unpack(w.at[0].flexible, FLEX_CONTEXT)
    b, task = w.body_task[0], w.body_task[1]
    f = flex.number[b]
    if task < OUTWARD:
        if tree.body_law[b] == FLEXIBLE_LAW:
            _state_tasks(tree, w, flex, f, b, task)
        return
    tan, _ = unpack(w.at[0].tangent, TANGENT_CONTEXT)
    if tree.body_law[b] == INTERFACE_LAW:
        if task == OUTWARD:
            interface_outward(tree, w, flex, tan, f, b)
    elif task == OUTWARD:
        body_outward(tree, w, flex, tan, f, b)
    elif task == DERIVATIVES:
        body_derivatives(tree, w, flex, tan, f, b)
    elif task == EXTERNAL:
        external_derivatives(tree, loads, closures, w, flex, tan, f)


@entry
def complex_flexible_entry(context):
    """The same in complex numbers, without derivatives."""
    tree, _, _, w = unpack(context, COMPLEX_CONTEXT)
    (flex,) = unpack(w.at[0].flexible, COMPLEX_FLEX_CONTEXT)
    b, task = w.body_task[0], w.body_task[1]
    if task < OUTWARD and tree.body_law[b] == FLEXIBLE_LAW:
        _state_tasks(tree, w, flex, flex.number[b], b, task)


@entry
def perturbed_flexible_entry(context):
    """The same where the numbers of the model are complex, too (`dynamics.derivatives.by_parameters`)."""
    tree, _, _, w = unpack(context, PERTURBED_CONTEXT)
    (flex,) = unpack(w.at[0].flexible, COMPLEX_FLEX_CONTEXT)
    b, task = w.body_task[0], w.body_task[1]
    if task < OUTWARD and tree.body_law[b] == FLEXIBLE_LAW:
        _state_tasks(tree, w, flex, flex.number[b], b, task)
