"""Derivatives of cut joints and constraints, by the pairs of `duoti.elements.body_pairs`.

A row r of a closure puts the wrench W of a unit multiplier on body b (`dynamics.loops.constraints`), and its rate is
dg/dt = W . (V_b - V_a) less the rate of its value. When b alone is moved by xi, W changes by D xi, which the kind of
the row knows (`duoti.model.equations`); then

    d(dg/dt)/d delta_j = side_j ((D S_j) . (V_b - V_a) + W . y_j)                                           (1)

with y_j = S_j x V_b + Psi_j, and d(G^T lambda)/d delta_j follows from the sum of the rows of a closure by (2) of that
module. Rolling and edge rows refer to ground, so that their frame a never moves. Rows between coordinates are constant
but for cams.

The acceleration of a row is d²g/dt² = W . A_rel + phi with phi = (D V_rel) . V_rel and A_rel = A_b - A_a - V_a x V_b,
the acceleration of b seen from a. When b alone is moved by xi, its twist by eta and its acceleration by zeta, this
changes by

    (D xi) . A_rel + W . (zeta - V_a x eta) + d phi(xi, eta)                                                (2)

and, with zeta_j of `dynamics.derivatives.rnea`, side_j times (2) is again the derivative by any rate on the path.
"""

import numpy as np

from duoti.dynamics.derivatives.rnea import PHI, PSI2
from duoti.elements.body_pairs import add_pair, displacement, path_between
from duoti.kernel import call_entry, entry, part, unpack
from duoti.spatial.algebra import (
    ZERO6,
    cross_motion,
    get3,
    get_column,
    get_spatial,
    put_spatial,
    vadd,
    vdot,
    vscale,
    vsub,
)
from duoti.system.context import REAL_CONTEXT, TANGENT_CONTEXT
from duoti.system.stages import need_equations, need_tangent


@part
def add_closure_derivatives(tree, loads, closures, w, tan, path, q, v):
    """K -= d(G^T lambda)/d delta; Gq = d(dg/dt)/d delta. Needs closures (RATES), tangent_kinematics and multipliers."""
    need_equations(w)
    need_tangent(w)
    for k in range(w.types.equation_tangent.shape[0]):  # rows in coordinates are done by this
        call_entry(w.types.equation_tangent[k], w.types.equation_group[k])
    for closure in range(closures.count):
        A, B = loads.markers.body[closures.markers[closure, 0]], loads.markers.body[closures.markers[closure, 1]]
        n = path_between(tree, path, A, B)
        V_B = get_spatial(tan.V_W, B)
        V_rel = vsub(V_B, get_spatial(tan.V_W, A))
        total = ZERO6
        for k in range(n):
            put_spatial(path.W_q, k, ZERO6)
        for r in range(closures.first[closure], closures.first[closure + 1]):
            if closures.terms[r + 1] > closures.terms[r]:
                continue
            W = get_spatial(w.equation_wrench, r)
            total = vadd(total, vscale(w.multipliers[r], W))
            for k in range(n):
                tan.Gq[r, path.rate[k]] = 0.0
            for k in range(n):
                _, y_j = displacement(tan, path.column[k], V_B)
                change = get_spatial(tan.equation_change, closures.row_columns[r] + k)
                put_spatial(path.W_q, k, vadd(get_spatial(path.W_q, k), vscale(w.multipliers[r], change)))
                tan.Gq[r, path.rate[k]] += path.side[k] * (vdot(change, V_rel) + vdot(W, y_j))
        add_pair(tree, tan, path, n, total, np.int64(0))


# ------------------------------------------------------------------------------------------------------- accelerations


@part
def acceleration_derivatives(tree, loads, closures, w, tan, path, q, v, a):
    """Aq, Av: derivatives of G a - gamma. Needs closures (RATES) and inertial_derivatives in this state.

    q, v and a are the parts of w.y and w.ydot.
    """
    need_equations(w)
    need_tangent(w)
    for k in range(w.types.equation_acceleration.shape[0]):  # rows in coordinates are done by this
        call_entry(w.types.equation_acceleration[k], w.types.equation_group[k])
    for closure in range(closures.count):
        A, B = loads.markers.body[closures.markers[closure, 0]], loads.markers.body[closures.markers[closure, 1]]
        n = path_between(tree, path, A, B)
        V_A, V_B = get_spatial(tan.V_W, A), get_spatial(tan.V_W, B)
        A_B = get_spatial(tan.A_W, B)
        for r in range(closures.first[closure], closures.first[closure + 1]):
            if closures.terms[r + 1] > closures.terms[r]:
                continue
            W = get_spatial(w.equation_wrench, r)
            for k in range(n):
                tan.Aq[r, path.rate[k]] = tan.Av[r, path.rate[k]] = 0.0
            for k in range(n):
                j = path.column[k]
                S_j, y_j = displacement(tan, j, V_B)
                psi = get_column(tan.Psi, j)
                psi2 = (get3(tan.columns, j, PSI2), get3(tan.columns, j, PSI2 + 3))
                phi = (get3(tan.columns, j, PHI), get3(tan.columns, j, PHI + 3))
                zeta = vadd(vadd(cross_motion(S_j, A_B), cross_motion(psi, V_B)), psi2)
                at = closures.row_columns[r] + k
                change = tan.equation_bias[at, 0]
                change += vdot(W, vsub(zeta, cross_motion(V_A, y_j)))
                change += tan.equation_bias[at, 1]
                tan.Aq[r, path.rate[k]] += path.side[k] * change
                change = vdot(W, vsub(vadd(cross_motion(S_j, V_B), phi), cross_motion(V_A, S_j)))
                change += tan.equation_bias[at, 2]
                tan.Av[r, path.rate[k]] += path.side[k] * change


@entry
def acceleration_rows_entry(context):
    """Entry: Aq and Av for the accelerations in w.ydot, after linearise_entry in the same state."""
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    tan, path = unpack(w.at[0].tangent, TANGENT_CONTEXT)
    nq, nv = tree.nq, tree.nv
    q, v = w.y[:nq], w.y[nq : nq + nv]
    acceleration_derivatives(tree, loads, closures, w, tan, path, q, v, w.ydot[nq : nq + nv])
