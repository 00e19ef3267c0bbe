"""Products with the transposed derivatives of inverse dynamics of a rigid tree, O(n).

For virtual rates mu, W_b = sum of S_i mu_i is a virtual twist of body b, and mu . (M a + h) = sum over the bodies of
W_b . F_b. With the names of `dynamics.derivatives.rnea`, (5) there, and U_j the virtual twist of the frame in which
delta_j takes place,

    d(mu . tau)/d delta_j = (U_j x S_j) . F + Psi2_j . sum of I_b W_b + Psi_j . sum of B_b^T W_b             (1)
    d(mu . tau)/dv_j      =                  Phi_j . sum of I_b W_b +   S_j . sum of B_b^T W_b               (2)

over all bodies outboard of j, F the sum of their wrenches: two wrenches are summed inward, and no matrix is formed.
B^T W has only a moment. Systems M mu = x are solved with what the articulated-body algorithm has eliminated (U and
1/D of each column, `dynamics.tree.aba`), here in world axes, where neither wrenches nor twists have to be transformed.
"""

from duoti.dynamics.derivatives.displacements import tangent_kinematics
from duoti.dynamics.derivatives.rnea import outward
from duoti.kernel import helper, part
from duoti.spatial.algebra import (
    ZERO6,
    add,
    cross,
    cross_motion,
    dot,
    force_to_parent,
    get3,
    get9,
    get_pose,
    get_spatial,
    mulT,
    put3,
    put_spatial,
    scale,
    sub,
    vadd,
    vdot,
    vscale,
)
from duoti.spatial.inertia_algebra import get_rigid, inertia_times
from duoti.system.tangent_arrays import PHI, PSI, PSI2, S_

OF_MOTION, ELIMINATED, INVERSE = 21, 21, 27  # places in a row of `Sweep.T`; what stands before is in `Tangent.columns`
COLUMN = 28
MOMENTS, WRENCH = 10, 22  # in a row of `Sweep.I`, behind the inertia: Q and p of `rnea`, F
BODY = 28


@part
def record_tree(tree, w, tan, s, at, v, a):
    """What the functions below need of a state, onto the tape. Needs poses, velocities and, without loops, `aba`."""
    tangent_kinematics(tree, w, tan, v)
    outward(tree, w, tan, v, a)
    T, I = s.T[at], s.I[at]
    for i in range(tree.nc):
        for k in range(OF_MOTION):
            T[i, k] = tan.columns[i, k]
    for b in range(1, tree.nb):
        for k in range(10):
            I[b, k] = tan.I_W[b, k]
        for k in range(12):
            I[b, MOMENTS + k] = tan.Q_W[b, k]
        for k in range(6):
            I[b, WRENCH + k] = tan.F_W[b, k]
    for b in range(tree.nb - 1, 0, -1):
        P = tree.parent[b]
        if P > 0:
            for k in range(WRENCH, BODY):
                I[P, k] += I[b, k]
    if s.multipliers.shape[1] > 0:
        return
    centre = get3(w.X_WB, 1, 9)
    for b in range(1, tree.nb):
        R, p = get_pose(w.X_WB, b)
        X = (R, sub(p, centre))
        for i in range(tree.first[b], tree.first[b + 1]):
            n, f = force_to_parent(X, get_spatial(w.U, i))
            put3(T, i, ELIMINATED, n)
            put3(T, i, ELIMINATED + 3, f)
            T[i, INVERSE] = w.D[i]


@helper
def _column(T, i, place):
    """A motion or wrench in a row of the tape."""
    return get3(T, i, place), get3(T, i, place + 3)


@part
def solve_articulated(tree, s, at, x):
    """x := M^-1 x, and its virtual twists s.W."""
    T = s.T[at]
    for b in range(1, tree.nb):
        put_spatial(s.P, b, ZERO6)
    for b in range(tree.nb - 1, 0, -1):
        F = get_spatial(s.P, b)
        for i in range(tree.first[b], tree.first[b + 1]):
            u = x[i] - vdot(_column(T, i, S_), F)
            s.u[i] = u
            F = vadd(F, vscale(T[i, INVERSE] * u, _column(T, i, ELIMINATED)))
        P = tree.parent[b]
        if P > 0:
            put_spatial(s.P, P, vadd(get_spatial(s.P, P), F))
    put_spatial(s.W, 0, ZERO6)
    for b in range(1, tree.nb):
        W = get_spatial(s.W, tree.parent[b])
        for i in range(tree.first[b + 1] - 1, tree.first[b] - 1, -1):  # the last eliminated moves first
            x[i] = T[i, INVERSE] * (s.u[i] - vdot(_column(T, i, ELIMINATED), W))
            W = vadd(W, vscale(x[i], _column(T, i, S_)))
        put_spatial(s.W, b, W)


@part
def virtual_twists(tree, s, at, mu):
    """s.W of the virtual rates mu."""
    T = s.T[at]
    put_spatial(s.W, 0, ZERO6)
    for b in range(1, tree.nb):
        W = get_spatial(s.W, tree.parent[b])
        for i in range(tree.first[b], tree.first[b + 1]):
            W = vadd(W, vscale(mu[i], _column(T, i, S_)))
        put_spatial(s.W, b, W)


@part
def subtract_inertial(tree, s, at, mu, delta, out, first):
    """delta and out[first:] -= (1) and (2). Needs s.W."""
    T, I = s.T[at], s.I[at]
    for b in range(1, tree.nb):
        for k in range(9):
            s.P[b, k] = 0.0
    for b in range(tree.nb - 1, 0, -1):
        W = get_spatial(s.W, b)
        n, f = inertia_times(get_rigid(I, b), W)
        Q, p = get9(I, b, MOMENTS), get3(I, b, MOMENTS + 9)
        r = scale(2.0, add(sub(scale(Q[0] + Q[4] + Q[8], W[0]), mulT(Q, W[0])), cross(p, W[1])))
        n, f, r = add(n, get3(s.P, b, 0)), add(f, get3(s.P, b, 3)), add(r, get3(s.P, b, 6))
        P = tree.parent[b]
        if P > 0:
            put3(s.P, P, 0, add(get3(s.P, P, 0), n))
            put3(s.P, P, 3, add(get3(s.P, P, 3), f))
            put3(s.P, P, 6, add(get3(s.P, P, 6), r))
        F = (get3(I, b, WRENCH), get3(I, b, WRENCH + 3))
        begin, end = tree.first[b], tree.first[b + 1]
        for j in range(begin, end):
            S_j, momentum = _column(T, j, S_), (n, f)
            carried = get_spatial(s.W, P)
            if end > begin + 1:
                for i in range(begin, end):
                    if tree.moves[j, i - begin] == 0:
                        carried = vadd(carried, vscale(mu[i], _column(T, i, S_)))
            x = vdot(cross_motion(carried, S_j), F) + dot(get3(T, j, PSI), r)
            delta[j] -= x + vdot(_column(T, j, PSI2), momentum)
            out[first + j] -= vdot(_column(T, j, PHI), momentum) + dot(S_j[0], r)
