"""Products with the transposed derivatives of inverse dynamics of a rigid tree, O(n).

For virtual rates mu, W_b = sum of S_i mu_i is a virtual twist of body b, and mu . (M a + h) = sum over the bodies of
W_b . F_b. With the names of `dynamics.derivatives.rnea`, (5) there, and U_j the virtual twist of the frame in which
delta_j takes place,

    d(mu . tau)/d delta_j = (U_j x S_j) . F + Psi2_j . sum of I_b W_b + Psi_j . sum of B_b^T W_b             (1)
    d(mu . tau)/dv_j      =                  Phi_j . sum of I_b W_b +   S_j . sum of B_b^T W_b               (2)

over all bodies outboard of j, F the sum of their wrenches: two wrenches are summed inward, and no matrix is formed.
B^T W has only a moment. Systems M mu = x are solved with what the articulated-body algorithm has eliminated (U and
1/D of each column, `dynamics.tree.aba`), whose outward half gives W. Everything is in the axes of each body, about its
origin, where that algorithm leaves poses, twists and accelerations.

mu . (M a + h) is linear in the ten numbers of each body, too: the gradient by these is that of W . (I A + V x* I V).
"""

from duoti.dynamics.derivatives.rnea import velocity_times_place
from duoti.kernel import helper, part
from duoti.spatial.algebra import (
    ZERO6,
    add,
    cross,
    cross_force,
    cross_motion,
    dot,
    force_to_parent,
    get3,
    get9,
    get_pose,
    get_spatial,
    mul,
    mulT,
    put3,
    put9,
    put_pose,
    put_spatial,
    scale,
    sub,
    to_child,
    vadd,
    vdot,
    vscale,
    vsub,
)
from duoti.spatial.inertia_algebra import get_rigid, inertia_times

S_, PSI, PSI2, PHI, ELIMINATED, INVERSE = 0, 6, 9, 15, 21, 27  # places in a row of `Sweep.columns`
COLUMN = 28
POSE, TWIST, ACCELERATION, WRENCH, Q_, MOMENTUM = 0, 12, 18, 24, 30, 39  # in a row of `Sweep.bodies`
BODY = 42


@helper
def _get(T, i, place):
    """A motion or wrench in a row of the tape."""
    return get3(T, i, place), get3(T, i, place + 3)


@helper
def _put(T, i, place, V):
    put3(T, i, place, V[0])
    put3(T, i, place + 3, V[1])


@part
def record_tree(tree, w, tan, s, at, v, a):
    """What the functions below need of a state, onto the tape. After `aba`; with loops, after `rnea.outward`."""
    T, B = s.columns[at], s.bodies[at]
    loops = s.multipliers.shape[1] > 0
    centre = get3(w.X_WB, 1, 9)
    for b in range(1, tree.nb):
        X = get_pose(w.X_PB, b)
        I, V, A = get_rigid(tree.inertia, b), get_spatial(w.V, b), get_spatial(w.A, b)
        if loops:  # the accelerations of bodies are those of the multipliers' equations, or of bodies at rest
            R, p = get_pose(w.X_WB, b)
            A = to_child((R, sub(p, centre)), get_spatial(tan.A_W, b))
        put_pose(B, b, X)
        _put(B, b, TWIST, V)
        _put(B, b, ACCELERATION, A)
        momentum = inertia_times(I, V)
        _put(B, b, WRENCH, vadd(inertia_times(I, A), cross_force(V, momentum)))
        put9(B, b, Q_, velocity_times_place(I, V))
        put3(B, b, MOMENTUM, momentum[1])
        i = tree.first[b]
        if tree.first[b + 1] == i + 1:
            S = get_spatial(w.H, i)
            V_P = vsub(V, vscale(v[i], S))
            psi = cross_motion(V_P, S)
            A_P = vsub(A, vadd(vscale(a[i], S), vscale(v[i], psi)))
            _put(T, i, S_, S)
            put3(T, i, PSI, psi[0])
            _put(T, i, PSI2, vadd(cross_motion(A_P, S), cross_motion(V_P, psi)))
            _put(T, i, PHI, vscale(2.0, psi))
        else:
            V_P, A_P = ZERO6, _get(w.A, 0, 0)
            if tree.parent[b] > 0:
                V_P, A_P = _get(B, tree.parent[b], TWIST), _get(B, tree.parent[b], ACCELERATION)
            _record_columns(tree, w, T, v, a, b, to_child(X, V_P), to_child(X, A_P))
        if not loops:
            for i in range(tree.first[b], tree.first[b + 1]):
                _put(T, i, ELIMINATED, get_spatial(w.U, i))
                T[i, INVERSE] = w.D[i]
    for b in range(tree.nb - 1, 0, -1):
        P = tree.parent[b]
        if P > 0:
            _put(B, P, WRENCH, vadd(_get(B, P, WRENCH), force_to_parent(get_pose(B, b), _get(B, b, WRENCH))))


@part
def _record_columns(tree, w, T, v, a, b, V_P, A_P):
    """The columns of a joint with several degrees of freedom: as in `rnea.outward`, in the body's axes."""
    first, last = tree.first[b], tree.first[b + 1]
    for i in range(first, last):
        W_i, S_i = V_P, get_spatial(w.H, i)
        for k in range(first, last):
            if tree.moves[k, i - first] == 1:
                W_i = vadd(W_i, vscale(v[k], get_spatial(w.H, k)))
        _put(T, i, S_, S_i)
        _put(T, i, PHI, cross_motion(W_i, S_i))
    for j in range(first, last):
        A_j, U_j, S_j = A_P, V_P, _get(T, j, S_)
        for i in range(first, last):
            if tree.moves[j, i - first] == 0:
                S_i = _get(T, i, S_)
                U_j = vadd(U_j, vscale(v[i], S_i))
                A_j = vadd(A_j, vadd(vscale(a[i], S_i), vscale(v[i], _get(T, i, PHI))))
        psi = cross_motion(U_j, S_j)
        put3(T, j, PSI, psi[0])
        _put(T, j, PSI2, vadd(cross_motion(A_j, S_j), cross_motion(U_j, psi)))
        _put(T, j, ELIMINATED, psi)  # until all have read PHI
    for j in range(first, last):
        _put(T, j, PHI, vadd(_get(T, j, PHI), _get(T, j, ELIMINATED)))


@part
def solve_articulated(tree, s, at, x):
    """x := M^-1 x, and its virtual twists s.W."""
    T, B = s.columns[at], s.bodies[at]
    for b in range(1, tree.nb):
        put_spatial(s.P, b, ZERO6)
    for b in range(tree.nb - 1, 0, -1):
        F = get_spatial(s.P, b)
        for i in range(tree.first[b], tree.first[b + 1]):
            u = x[i] - vdot(_get(T, i, S_), F)
            s.u[i] = u
            F = vadd(F, vscale(T[i, INVERSE] * u, _get(T, i, ELIMINATED)))
        P = tree.parent[b]
        if P > 0:
            put_spatial(s.P, P, vadd(get_spatial(s.P, P), force_to_parent(get_pose(B, b), F)))
    put_spatial(s.W, 0, ZERO6)
    for b in range(1, tree.nb):
        W = to_child(get_pose(B, b), get_spatial(s.W, tree.parent[b]))
        for i in range(tree.first[b + 1] - 1, tree.first[b] - 1, -1):  # the last eliminated moves first
            x[i] = T[i, INVERSE] * (s.u[i] - vdot(_get(T, i, ELIMINATED), W))
            W = vadd(W, vscale(x[i], _get(T, i, S_)))
        put_spatial(s.W, b, W)


@part
def virtual_twists(tree, s, at, mu):
    """s.W of the virtual rates mu."""
    T, B = s.columns[at], s.bodies[at]
    put_spatial(s.W, 0, ZERO6)
    for b in range(1, tree.nb):
        W = to_child(get_pose(B, b), get_spatial(s.W, tree.parent[b]))
        for i in range(tree.first[b], tree.first[b + 1]):
            W = vadd(W, vscale(mu[i], _get(T, i, S_)))
        put_spatial(s.W, b, W)


@part
def subtract_inertial(tree, s, at, mu, delta, out, first):
    """delta and out[first:] -= (1) and (2). Needs s.W."""
    T, B = s.columns[at], s.bodies[at]
    for b in range(1, tree.nb):
        for k in range(9):
            s.P[b, k] = 0.0
    for b in range(tree.nb - 1, 0, -1):
        W = get_spatial(s.W, b)
        n, f = vadd(inertia_times(get_rigid(tree.inertia, b), W), get_spatial(s.P, b))
        Q, p = get9(B, b, Q_), get3(B, b, MOMENTUM)
        r = scale(2.0, add(sub(scale(Q[0] + Q[4] + Q[8], W[0]), mulT(Q, W[0])), cross(p, W[1])))
        r = add(r, get3(s.P, b, 6))
        momentum, F = (n, f), _get(B, b, WRENCH)
        begin, end, P = tree.first[b], tree.first[b + 1], tree.parent[b]
        for j in range(begin, end):
            S_j, carried = _get(T, j, S_), W
            if end > begin + 1:  # what j carries along does not count; of a single column, S_j x S_j is zero
                for i in range(begin, end):
                    if tree.moves[j, i - begin] == 1:
                        carried = vsub(carried, vscale(mu[i], _get(T, i, S_)))
            x = vdot(cross_motion(carried, S_j), F) + dot(get3(T, j, PSI), r)
            delta[j] -= x + vdot(_get(T, j, PSI2), momentum)
            out[first + j] -= vdot(_get(T, j, PHI), momentum) + dot(S_j[0], r)
        if P > 0:
            R, place = get_pose(B, b)
            put_spatial(s.P, P, vadd(get_spatial(s.P, P), force_to_parent((R, place), momentum)))
            put3(s.P, P, 6, add(get3(s.P, P, 6), mul(R, r)))


@part
def add_inertia_gradient(tree, s, at, o):
    """s.by_inertia[o] += the gradient of sum of W . (I A + V x* I V) by the ten numbers of each body."""
    B, bar = s.bodies[at], s.by_inertia[o]
    for b in range(1, tree.nb):
        inertia_gradient(get_spatial(s.W, b), _get(B, b, TWIST), _get(B, b, ACCELERATION), bar, b)


@helper
def inertia_gradient(W, V, A, bar, b):
    """bar[b] += the gradient of W . (I A + V x* I V) by I."""
    wa, wl = W
    omega, u = V
    alpha, a = A
    f = add(a, cross(omega, u))
    bar[b, 0] += wl[0] * f[0] + wl[1] * f[1] + wl[2] * f[2]
    turned = cross(wa, omega)
    h = add(add(cross(a, wa), cross(u, turned)), add(cross(cross(wa, u), omega), cross(wl, alpha)))
    h = add(h, cross(cross(wl, omega), omega))
    bar[b, 1] += h[0]
    bar[b, 2] += h[1]
    bar[b, 3] += h[2]
    (x0, x1, x2), (y0, y1, y2) = wa, turned
    bar[b, 4] += x0 * alpha[0] + y0 * omega[0]
    bar[b, 5] += x0 * alpha[1] + x1 * alpha[0] + y0 * omega[1] + y1 * omega[0]
    bar[b, 6] += x1 * alpha[1] + y1 * omega[1]
    bar[b, 7] += x0 * alpha[2] + x2 * alpha[0] + y0 * omega[2] + y2 * omega[0]
    bar[b, 8] += x1 * alpha[2] + x2 * alpha[1] + y1 * omega[2] + y2 * omega[1]
    bar[b, 9] += x2 * alpha[2] + y2 * omega[2]
