"""Derivatives of what acts between two bodies.

A force element, cut joint or constraint puts a wrench W on body b and the opposite one on body a (ground for forces
applied from outside). All is in world axes about one fixed point. On the generalised force of a rate i with the column
S_i this is

    tau_i = side_i S_i . W                                                                                  (1)

with side_i = 1 on the path from the bodies' common ancestor to b, -1 on the path to a; other rates feel nothing. Where
a displacement delta_j moves the axis of rate i along ("j moves i"), S_i changes by S_j x S_i:

    d tau_i/d delta_j = side_i ((S_j x S_i) . W if j moves i + S_i . dW_j)                                (2)

What acts between two bodies knows only their relative motion. So it suffices to know by how much W changes when b alone
is displaced by a small motion xi and its twist by eta, a linear function f(xi, eta): with y_j = S_j x V_b + Psi_j from
the kinematics of derivatives,

    dW_j = f(S_j, y_j) on b's side;   dW_j = S_j x* W - f(S_j, y_j) on a's;   dW/dv_j = side_j f(0, S_j)    (3)

because a motion of a has the effect of the opposite motion of b, as seen from a frame that moves with a. Rates inboard
of the common ancestor move both bodies alike and do not matter.
"""

from duoti.kernel import helper, part
from duoti.spatial.algebra import (
    ZERO6,
    cross_force,
    cross_motion,
    get6,
    get_column,
    get_spatial,
    put_spatial,
    vadd,
    vdot,
    vscale,
    vsub,
)


@helper
def displacement(tan, j, V_b):
    """S_j and y_j of column j: the motion of body b (twist V_b) by delta_j and the change of its twist."""
    S_j = get_column(tan.S, j)
    return S_j, vadd(cross_motion(S_j, V_b), get_column(tan.Psi, j))


@part
def path_between(tree, path, a, b):
    """List the columns between bodies a and b; returns how many they are."""
    end_a, end_b = a, b
    while end_a != end_b:  # a body has a higher number than the one that moves it
        if end_a > end_b:
            end_a = tree.parent[end_a]
        else:
            end_b = tree.parent[end_b]
    n = 0
    for end in range(2):
        body = b if end == 0 else a
        while body != end_a:
            first = n
            for i in range(tree.first[body], tree.first[body + 1]):
                path.column[n] = i
                path.rate[n] = tree.rate[i]
                path.side[n] = 1.0 - 2.0 * end
                path.first[n] = first
                n += 1
            body = tree.parent[body]
    return n


@part
def add_pair(tree, tan, path, n, W, with_rates):
    """K, C -= derivatives (2) of what the wrench W on b does, for the n columns of path.

    f(S_j, y_j) are in path.W_q and, with_rates = 1, f(0, S_j) in path.W_v; else they are zero.
    """
    b_side = 0  # how many columns are on b's side; they come first
    for m in range(n):
        put_spatial(path.columns, m, vscale(path.side[m], get_column(tan.S, path.column[m])))
        b_side += path.side[m] > 0.0
    for k in range(n):
        j, side, first = path.column[k], path.side[k], path.first[k]
        turned = cross_force(get_column(tan.S, j), W)
        other = vscale(-side, get_spatial(path.W_q, k))
        faster = ZERO6
        if with_rates == 1:
            faster = vscale(-side, get_spatial(path.W_v, k))
        outermost = 0
        if side > 0.0:
            carried = vadd(other, turned)
        else:
            carried, other = other, vsub(other, turned)
            outermost = b_side
        last = first
        while last < n and path.first[last] == first:
            change = carried if tree.moves[j, last - first] == 1 else other
            _add_column(tan, path, k, last, last + 1, change, faster, with_rates)  # columns of the same row
            last += 1
        _add_column(tan, path, k, 0, outermost, other, faster, with_rates)  # of the other side
        _add_column(tan, path, k, outermost, first, carried, faster, with_rates)  # of joints further out
        _add_column(tan, path, k, last, n, other, faster, with_rates)  # of joints further in, and of the other side


@helper
def _add_column(tan, path, k, begin, end, W_q, W_v, with_rates):
    """Add the change of the wrench, times the columns in these places, to K and C, in the column of the k-th rate."""
    j = path.rate[k]
    (n0, n1, n2), (f0, f1, f2) = W_q
    (u0, u1, u2), (w0, w1, w2) = W_v
    for m in range(begin, end):
        i = path.rate[m]
        s0, s1, s2, s3, s4, s5 = get6(path.columns, m, 0)
        tan.K[i, j] += s0 * n0 + s1 * n1 + s2 * n2 + s3 * f0 + s4 * f1 + s5 * f2
        if with_rates == 1:
            tan.C[i, j] += s0 * u0 + s1 * u1 + s2 * u2 + s3 * w0 + s4 * w1 + s5 * w2


@part
def add_rank_one(tree, tan, path, n, W):
    """K, C, Z -= (what the wrench W on b does) times the rows of path, which become zero again."""
    for m in range(n):
        i = path.rate[m]
        effect = path.side[m] * vdot(get_column(tan.S, path.column[m]), W)
        for j in range(tree.nv):
            tan.K[i, j] -= effect * path.row_q[0, j]
            tan.C[i, j] -= effect * path.row_v[0, j]
        for j in range(tree.nz):
            tan.Z[i, j] -= effect * path.row_z[0, j]
    for j in range(tree.nv):
        path.row_q[0, j] = path.row_v[0, j] = 0.0
    for j in range(tree.nz):
        path.row_z[0, j] = 0.0
