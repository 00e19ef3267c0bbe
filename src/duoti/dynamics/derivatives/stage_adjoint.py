"""Rates of a state with the transposed product of their derivatives, by a row of the tape.

Rates satisfy, with the names of `analyses.states.linearised_equations`,

    M da - G^T dl = -(K delta + C dv + Z dz + r_p dp),   G da = -(Aq delta + Av dv + c_p dp)                (1)

so that for a given abar

    M mu + G^T nu = abar,  G mu = 0,    deltabar = -K^T mu - Aq^T nu,  vbar = -C^T mu - Av^T nu,  zbar = -Z^T mu     (2)

and the derivative by a parameter is -(mu . r_p + nu . c_p - zdotbar . f_p). Of rigid bodies, what inertia adds to K
and C is never formed (`tree_adjoint`); what forces, closures and laws add stands in lists of the places that they may
touch.

G M^-1 G^T may be singular (redundant equations): nu is that of least norm, by proximal iterations, as many as it takes.
How far they are from their end is seen from how fast they come nearer; where it is too far, `Sweep.left` says so.
"""

from duoti.dynamics.derivatives.displacements import tangent_kinematics
from duoti.dynamics.derivatives.linearise import clear, force_and_closure_derivatives
from duoti.dynamics.derivatives.rnea import outward
from duoti.dynamics.derivatives.tree_adjoint import (
    add_inertia_gradient,
    record_tree,
    solve_articulated,
    subtract_inertial,
    virtual_twists,
)
from duoti.dynamics.loops.factors import factor_tree, near_singular, solve_mass
from duoti.kernel import call_entry, helper, part

SHIFT = 1e-7  # of the scaled G M^-1 G^T, whose regular part has eigenvalues well above it
MOST_PROXIMAL = 200  # iterations: each leaves SHIFT / (SHIFT + eigenvalue) of the error
LEFT, SMALL = 1e-15, 1e-12  # relative size of what is left, and of a change, that ends them
ALLOWED = 1e-9  # relative error of accelerations that may be left
SINGULAR = 1e300  # stands for that error in a singular position


@helper
def _scaled_factor(s, at, D, rows, mixed, closures):
    """Factor of the scaled G M^-1 G^T with the shift, lower triangle, inverse diagonal.

    mixed: without nonholonomic equations.
    """
    for r in range(rows):
        for c in range(r + 1):
            x, scale = 0.0, s.scale[at, r] * s.scale[at, c]
            if scale != 0.0:
                for j in range(s.mu.shape[0]):
                    x += s.G[at, r, j] * s.B[at, c, j]
                x *= scale
            if mixed == 1 and closures.nonholonomic[r] + closures.nonholonomic[c] > 0:
                x = 0.0
            if r == c:
                x += SHIFT
            for k in range(c):
                x -= D[at, r, k] * D[at, c, k]
            if c < r:
                D[at, r, c] = x * D[at, c, c]
            else:
                D[at, r, r] = max(x, SHIFT * SHIFT) ** -0.5


@part
def _proximal(s, at, D, rows, energy):
    """s.nu := (G M^-1 G^T)^-1 s.right, of least norm. energy: mu . M mu of what s.right is made of.

    With the change x of an iteration and the last one y, the accelerations change by a size of SHIFT x . (y - x), its
    square; from two of them follows what all further iterations would change.
    """
    for r in range(rows):
        s.nu[r] = s.change[r] = 0.0
    last, left = 0.0, 0.0
    for iteration in range(MOST_PROXIMAL):
        for r in range(rows):
            x = s.scale[at, r] * s.right[r] + SHIFT * s.nu[r]
            for k in range(r):
                x -= D[at, r, k] * s.trial[k]
            s.trial[r] = x * D[at, r, r]
        for r in range(rows - 1, -1, -1):
            x = s.trial[r]
            for k in range(r + 1, rows):
                x -= D[at, k, r] * s.trial[k]
            s.trial[r] = x * D[at, r, r]
        size = 0.0
        for r in range(rows):
            x = s.trial[r] - s.nu[r]
            size += x * (s.change[r] - x)
            s.change[r] = x
            s.nu[r] = s.trial[r]
        if iteration == 0:
            continue
        size = abs(SHIFT * size)
        ratio = (size / last) ** 0.5 if last > 0.0 else 0.0
        left = size**0.5 * min(ratio / (1.0 - ratio), 1e3) if ratio < 1.0 else size**0.5
        if size <= SMALL * SMALL * energy or (iteration > 1 and left <= LEFT * energy**0.5):
            break
        last = size
    if left > ALLOWED * energy**0.5 and left > s.left[0] * energy**0.5:
        s.left[0], s.left[1] = left / energy**0.5, s.at[at]
    for r in range(rows):
        s.nu[r] *= s.scale[at, r]


@part
def evaluate(tree, closures, loads, w, tan, path, s, at, t):
    """Rates of the state s.Y[at], and what the products with their derivatives need, onto the tape."""
    nq, nv, nz, rows = tree.nq, tree.nv, tree.nz, closures.rows
    n = nq + nv + nz
    s.at[at] = w.clock[0] = t
    for j in range(n):
        w.y[j] = s.Y[at, j]
    call_entry(w.calls[0].ydot, s.system)
    for j in range(n):
        s.k[at, j] = w.ydot[j]
    for r in range(rows):
        s.multipliers[at, r] = w.multipliers[r]
        s.scale[at, r] = w.scaling[r]
    if rows > 0 and near_singular(w) and s.left[0] < SINGULAR:
        s.left[0], s.left[1] = SINGULAR, t  # accelerations are interpolated there, see `pass_singular_entry`
    q, v, a = w.y[:nq], w.y[nq : nq + nv], w.ydot[nq : nq + nv]
    L = s.L[at]
    if s.recursive == 1:
        if s.world == 1:
            tangent_kinematics(tree, w, tan, v)
        if rows > 0:
            outward(tree, w, tan, v, a)
            for k in range(L.shape[0]):
                L[k] = w.M[k]
        record_tree(tree, w, tan, s, at, v, a)
        clear(tree, tan)
        force_and_closure_derivatives(tree, loads, closures, w, tan, path, q, v)
    else:
        call_entry(w.calls[0].linearise, s.system)
        for i in range(nv):
            j = i
            while j >= 0:
                L[tree.M_row[i] + tree.depth[j]] = tan.M[i, j]
                j = tree.parent_dof[j]
        factor_tree(tree, L)
    for i in range(nv):
        for k in range(s.start[i], s.start[i + 1]):
            j = s.column[k]
            if j < nv:
                s.by_q[at, k] = tan.K[i, j]
                s.by_v[at, k] = tan.C[i, j]
            else:
                s.by_q[at, k] = tan.Z[i, j - nv]
    for i in range(nz):
        for k in range(s.start[nv + i], s.start[nv + i + 1]):
            j = s.column[k]
            if j < nv:
                s.by_q[at, k] = tan.Fq[i, j]
                s.by_v[at, k] = tan.Fv[i, j]
            else:
                s.by_q[at, k] = tan.Fz[i, j - nv]
    if rows > 0:
        call_entry(w.calls[0].acceleration_rows, s.system)
        _record_closures(tree, closures, w, tan, s, at)


@part
def _record_closures(tree, closures, w, tan, s, at):
    """G and its derivatives, G M^-1, and the factors of the scaled G M^-1 G^T."""
    nv, rows, L = tree.nv, closures.rows, s.L[at]
    mixed = 0
    for r in range(rows):
        mixed += closures.nonholonomic[r]
        if s.scale[at, r] == 0.0:
            continue  # it says nothing, its multiplier is zero
        for j in range(nv):
            s.G[at, r, j] = 0.0
            s.Gq[at, r, j] = tan.Gq[r, j]
            s.Aq[at, r, j] = tan.Aq[r, j]
            s.Av[at, r, j] = tan.Av[r, j]
        for k in range(closures.support[r], closures.support[r + 1]):
            s.G[at, r, closures.support_dofs[k]] = w.G[k]
        for j in range(nv):
            s.x[j] = s.G[at, r, j]
        solve_mass(tree, L, s.x)
        size = 0.0
        for j in range(nv):
            s.B[at, r, j] = s.x[j]
            size += s.x[j] * s.G[at, r, j]
        s.scale[at, r] = size**-0.5 if size > 0.0 else 0.0
    _scaled_factor(s, at, s.D, rows, 0, closures)
    if mixed > 0:
        _scaled_factor(s, at, s.Dh, rows, 1, closures)
    else:
        for r in range(rows):
            for k in range(r + 1):
                s.Dh[at, r, k] = s.D[at, r, k]


@part
def displace(tree, s, at, q_bar):
    """q_bar += T^T s.delta: displacements that belong to changes of coordinates."""
    for i in range(tree.plain_q.shape[0]):
        q_bar[tree.plain_q[i]] += s.delta[tree.plain_v[i]]
    for i in range(tree.quat_q.shape[0]):
        k, j = tree.quat_q[i], tree.quat_v[i]
        a, x, y, z = s.Y[at, k], s.Y[at, k + 1], s.Y[at, k + 2], s.Y[at, k + 3]
        d0, d1, d2 = s.delta[j], s.delta[j + 1], s.delta[j + 2]
        f = 2.0 / (a * a + x * x + y * y + z * z)
        q_bar[k] += f * (-x * d0 - y * d1 - z * d2)
        q_bar[k + 1] += f * (a * d0 - z * d1 + y * d2)
        q_bar[k + 2] += f * (z * d0 + a * d1 - x * d2)
        q_bar[k + 3] += f * (-y * d0 + x * d1 + a * d2)


@part
def multipliers(tree, closures, s, at, D, x, of_positions):
    """s.mu := M^-1 x of the rates in x, and s.nu that make G (mu - M^-1 G^T nu) zero.

    Without loops, s.W are the virtual twists of s.mu. of_positions: 1 for equations of positions alone, with D = s.Dh.
    """
    for j in range(tree.nv):
        s.mu[j] = x[j]
    if s.recursive == 1 and closures.rows == 0:
        solve_articulated(tree, s, at, s.mu)
        return
    solve_mass(tree, s.L[at], s.mu)
    energy = 0.0
    for j in range(tree.nv):
        energy += x[j] * s.mu[j]
    for r in range(closures.rows):
        s.right[r] = 0.0
        if s.scale[at, r] != 0.0 and (of_positions == 0 or closures.nonholonomic[r] == 0):
            for j in range(tree.nv):
                s.right[r] += s.G[at, r, j] * s.mu[j]
    if closures.rows > 0:
        _proximal(s, at, D, closures.rows, energy)


@part
def product(tree, closures, s, at, out):
    """out += (dk/dy)^T s.kbar at a row of the tape; leaves s.mu and s.nu."""
    nq, nv, nz, rows = tree.nq, tree.nv, tree.nz, closures.rows
    multipliers(tree, closures, s, at, s.D, s.kbar[nq : nq + nv], 0)
    for r in range(rows):
        if s.nu[r] != 0.0:
            for j in range(nv):
                s.mu[j] -= s.B[at, r, j] * s.nu[r]
    for j in range(nv):
        s.delta[j] = 0.0
    if s.recursive == 1:
        if rows > 0:
            virtual_twists(tree, s, at, s.mu)
        subtract_inertial(tree, s, at, s.mu, s.delta, out, nq)
    for i in range(nv + nz):
        m = -s.mu[i] if i < nv else s.kbar[nq + i]
        if m == 0.0:
            continue
        for k in range(s.start[i], s.start[i + 1]):
            j = s.column[k]
            if j < nv:
                s.delta[j] += s.by_q[at, k] * m
                out[nq + j] += s.by_v[at, k] * m
            else:
                out[nq + j] += s.by_q[at, k] * m
    for r in range(rows):
        m = s.nu[r]
        if m == 0.0:
            continue
        for j in range(nv):
            s.delta[j] -= s.Aq[at, r, j] * m
            out[nq + j] -= s.Av[at, r, j] * m
    displace(tree, s, at, out)
    pull_rates(tree, s, at, s.kbar, out, nq)
    for i in range(tree.quat_q.shape[0]):
        k, j = tree.quat_q[i], nq + tree.quat_v[i]
        a, b, c = s.Y[at, j], s.Y[at, j + 1], s.Y[at, j + 2]
        p0, p1, p2, p3 = 0.5 * s.kbar[k], 0.5 * s.kbar[k + 1], 0.5 * s.kbar[k + 2], 0.5 * s.kbar[k + 3]
        out[k] += a * p1 + b * p2 + c * p3
        out[k + 1] += -a * p0 - c * p2 + b * p3
        out[k + 2] += -b * p0 + c * p1 - a * p3
        out[k + 3] += -c * p0 - b * p1 + a * p2


@part
def pull_rates(tree, s, at, q_bar, out, first):
    """out[first:] += N^T q_bar, with dq/dt = N v."""
    for i in range(tree.plain_q.shape[0]):
        out[first + tree.plain_v[i]] += q_bar[tree.plain_q[i]]
    for i in range(tree.quat_q.shape[0]):
        k, j = tree.quat_q[i], first + tree.quat_v[i]
        e, x, y, z = s.Y[at, k], s.Y[at, k + 1], s.Y[at, k + 2], s.Y[at, k + 3]
        p0, p1, p2, p3 = 0.5 * q_bar[k], 0.5 * q_bar[k + 1], 0.5 * q_bar[k + 2], 0.5 * q_bar[k + 3]
        out[j] += -x * p0 + e * p1 + z * p2 - y * p3
        out[j + 1] += -y * p0 - z * p1 + e * p2 + x * p3
        out[j + 2] += -z * p0 + y * p1 - x * p2 + e * p3


@part
def weights(tree, closures, s, at, o, record):
    """The weights of a record: those of the stage that was passed last, at a row of the tape."""
    z = tree.nq + tree.nv
    for j in range(tree.nv):
        s.w_r[record, o, j] += s.mu[j]
    for r in range(closures.rows):
        s.w_c[record, o, r] += s.nu[r]
    for k in range(tree.nz):
        s.w_z[record, o, k] += s.kbar[z + k]
    if s.by_inertia.shape[0] > 0:
        add_inertia_gradient(tree, s, at, o)
