"""Derivatives of what acts between two bodies.

A force element, cut joint or constraint puts a wrench W on body b and the opposite one on body a (ground for forces
applied from outside). All is in world axes about one fixed point. On the generalised force of a rate i with the column
S_i this is

    tau_i = side_i S_i . W                                                                                  (1)

with side_i = 1 on the way from the bodies' common ancestor to b, -1 on the way to a; other rates feel nothing. Where a
displacement delta_j moves the axis of rate i along ("j carries i"), S_i changes by S_j x S_i:

    d tau_i/d delta_j = side_i ((S_j x S_i) . W if j carries i + S_i . dW_j)                                (2)

What acts between two bodies knows only their relative motion. So it suffices to know by how much W changes when b alone
is displaced by a small motion xi and its twist by eta, a linear function f(xi, eta): with y_j = S_j x (V_b - U_j) from
the kinematics of derivatives,

    dW_j = f(S_j, y_j) on b's side;   dW_j = S_j x* W - f(S_j, y_j) on a's;   dW/dv_j = side_j f(0, S_j)    (3)

because a motion of a has the effect of the opposite motion of b, as seen from a frame that moves with a. Rates inboard
of the common ancestor move both bodies alike and do not matter.
"""

from __future__ import annotations

from duoti.kernel import helper, part
from duoti.spatial.algebra import (
    add,
    cross,
    cross_force,
    cross_motion,
    get_spatial,
    vadd,
    vdot,
    vscale,
    vsub,
)


@helper
def get_column(S, i):
    """Motion kept as column i of a (6, n) array."""
    return (S[0, i], S[1, i], S[2, i]), (S[3, i], S[4, i], S[5, i])


@helper
def shift_of(V, r):
    """What the motion V does to the point r."""
    return add(V[1], cross(V[0], r))


@helper
def displacement(tan, j, V_b):
    """S_j and y_j, the motion of body b (twist V_b) by delta_j and the change of its twist."""
    S_j = get_column(tan.S, j)
    return S_j, cross_motion(S_j, vsub(V_b, get_column(tan.U, j)))


@part
def way_between(tree, way, a, b):
    """List the rates between bodies a and b; returns how many they are."""
    end_a, end_b = a, b
    while end_a != end_b:  # a body has a higher number than the one that carries it
        if end_a > end_b:
            end_a = tree.parent[end_a]
        else:
            end_b = tree.parent[end_b]
    n = 0
    for end in range(2):
        body = b if end == 0 else a
        while body != end_a:
            first = n
            for i in range(tree.iv[body], tree.iv[body] + tree.dof[body]):
                way.rate[n] = i
                way.side[n] = 1.0 - 2.0 * end
                way.first[n] = first
                n += 1
            body = tree.parent[body]
    return n


@helper
def carries(tree, way, k, m):
    """1 if the rate at place k of the way carries the one at place m."""
    if way.first[m] == way.first[k]:
        return tree.carries[way.rate[k], m - way.first[m]]
    return 1 if m < way.first[k] and way.side[m] == way.side[k] else 0


@part
def add_pair(tree, tan, way, n, W, with_rates):
    """K, C -= derivatives (2) of what the wrench W on b does, with f(S_j, y_j) in way.by_q, f(0, S_j) in way.by_v."""
    for k in range(n):
        j, side = way.rate[k], way.side[k]
        turned = cross_force(get_column(tan.S, j), W)
        other = vscale(-side, get_spatial(way.by_q, k))
        if side > 0.0:
            carried = vadd(other, turned)
        else:
            carried, other = other, vsub(other, turned)
        for m in range(n):
            i = way.rate[m]
            change = carried if carries(tree, way, k, m) == 1 else other
            tan.K[i, j] += way.side[m] * vdot(get_column(tan.S, i), change)
        if with_rates == 1:
            change = vscale(-side, get_spatial(way.by_v, k))
            for m in range(n):
                i = way.rate[m]
                tan.C[i, j] += way.side[m] * vdot(get_column(tan.S, i), change)


@part
def add_rank_one(tree, tan, way, n, W):
    """K, C, Z -= (what the wrench W on b does) times the rows of way, which become zero again."""
    for m in range(n):
        i = way.rate[m]
        effect = way.side[m] * vdot(get_column(tan.S, i), W)
        for j in range(tree.nv):
            tan.K[i, j] -= effect * way.row_q[0, j]
            tan.C[i, j] -= effect * way.row_v[0, j]
        for j in range(tree.nz):
            tan.Z[i, j] -= effect * way.row_z[0, j]
    for j in range(tree.nv):
        way.row_q[0, j] = way.row_v[0, j] = 0.0
    for j in range(tree.nz):
        way.row_z[0, j] = 0.0
