"""Derivatives of cut joints and constraints, by the pairs of `duoti.model.pairs`.

A row r of a closure puts the wrench W of a unit multiplier on body b (`dynamics.closures`), and its rate is
dg/dt = W . (V_b - V_a) less the rate of its value. When b alone is moved by xi, W changes by D xi, one line for each
kind of row below; then

    d(dg/dt)/d delta_j = side_j ((D S_j) . (V_b - V_a) + W . y_j)                                           (1)

with y_j = S_j x (V_b - U_j), and d(G^T lambda)/d delta_j follows from the sum of the rows of a closure by (2) of that
module. Rolling and edge rows refer to ground, so that their frame a never moves. Rows between coordinates are constant
but for cams.

The acceleration of a row is d²g/dt² = W . A_rel + phi with phi = (D V_rel) . V_rel and A_rel = A_b - A_a - V_a x V_b,
the acceleration of b seen from a. When b alone is moved by xi, its twist by eta and its acceleration by zeta, this
changes by

    (D xi) . A_rel + W . (zeta - V_a x eta) + d phi(xi, eta)                                                (2)

and, with zeta_j of `dynamics.rnea_derivatives`, side_j times (2) is again the derivative by any rate on the path.
"""

from __future__ import annotations

from duoti.dynamics.closures import cam_lift, contact_arm
from duoti.dynamics.rnea_derivatives import PHI, PSI2
from duoti.kernel import entry, helper, part, unpack
from duoti.model.laws import marker_point
from duoti.model.pairs import add_pair, displacement, pair_ready, path_between, shift_of
from duoti.spatial.algebra import (
    ZERO3,
    ZERO6,
    add,
    cross,
    cross_motion,
    dot,
    get3,
    get9,
    get_column,
    get_spatial,
    matmul,
    put_spatial,
    scale,
    sqrt,
    sub,
    vadd,
    vdot,
    vscale,
    vsub,
)
from duoti.system.arrays import CAM_ROW, DISC_ROW, DISTANCE_ROW, DOT_ROW, EDGE_ROW, SPHERE_ROW
from duoti.system.context import REAL_CONTEXT, TANGENT_CONTEXT


@helper
def closure_frames(loads, closures, w, closure):
    """Frames R_A and R_B of a closure, its point on b from the common centre, and the vector from a to b."""
    m_a, m_b = closures.markers[closure, 0], closures.markers[closure, 1]
    R_A = matmul(get9(w.X_WB, loads.marker_body[m_a], 0), get9(loads.X_BM, m_a, 0))
    R_B = matmul(get9(w.X_WB, loads.marker_body[m_b], 0), get9(loads.X_BM, m_b, 0))
    p_a, _ = marker_point(loads, w, m_a)
    p_b, _ = marker_point(loads, w, m_b)
    return R_A, R_B, sub(p_b, get3(w.X_WB, 1, 9)), sub(p_b, p_a)


@helper
def row_change(closures, closure, r, R_A, R_B, p, d, xi):
    """D xi: how the wrench of row r on b changes when b, whose point is at p, is moved by xi."""
    kind, i, j = closures.row_kind[r], closures.row_axes[r, 0], closures.row_axes[r, 1]
    a = (R_A[i], R_A[3 + i], R_A[6 + i])
    b = (R_B[j], R_B[3 + j], R_B[6 + j])
    turned, moved = cross(xi[0], b), shift_of(xi, p)
    if kind == DOT_ROW:  # W = (b x a, 0)
        return cross(turned, a), ZERO3
    if kind == DISTANCE_ROW:  # W = (p x n, n), n = d / |d|
        length = sqrt(dot(d, d))
        n = scale(1.0 / length, d)
        across = scale(1.0 / length, sub(moved, scale(dot(n, moved), n)))
        return add(cross(moved, n), cross(p, across)), across
    if kind == EDGE_ROW:  # W = (p x b, b)
        return add(cross(moved, b), cross(p, turned)), turned
    if kind in (DISC_ROW, SPHERE_ROW):  # W = ((p + arm) x a, a)
        _, arm_change = contact_arm(kind, closures.parameter[closure], (R_A[2], R_A[5], R_A[8]), b, turned)
        moved = add(moved, arm_change)
    return cross(moved, a), ZERO3  # position and screw: W = (p x a, a) + constant


@part
def add_closure_derivatives(tree, loads, closures, w, tan, path, q, v):
    """K -= d(G^T lambda)/d delta; Gq = d(dg/dt)/d delta. Needs closures (RATES), tangent_kinematics and multipliers."""
    for closure in range(closures.count):
        A, B = loads.marker_body[closures.markers[closure, 0]], loads.marker_body[closures.markers[closure, 1]]
        n = path_between(tree, path, A, B)
        R_A, R_B, p, d = closure_frames(loads, closures, w, closure)
        V_B = get_spatial(tan.V_W, B)
        V_rel = vsub(V_B, get_spatial(tan.V_W, A))
        total = ZERO6
        for k in range(n):
            put_spatial(path.W_q, k, ZERO6)
        for r in range(closures.first[closure], closures.first[closure + 1]):
            if closures.terms[r + 1] > closures.terms[r]:
                if closures.row_kind[r] == CAM_ROW:
                    driver = closures.terms[r] + 1
                    j = closures.term_v[driver]
                    _, _, curvature, _ = cam_lift(
                        loads, closures, r, q[closures.term_q[driver]], closures.parameter[closure]
                    )
                    tan.K[j, j] += w.multipliers[r] * curvature
                    tan.Gq[r, j] = -curvature * v[j]
                continue
            W = get_spatial(w.row_wrench, r)
            total = vadd(total, vscale(w.multipliers[r], W))
            for k in range(n):
                j = path.rate[k]
                S_j, y_j = displacement(tan, j, V_B)
                change = row_change(closures, closure, r, R_A, R_B, p, d, S_j)
                put_spatial(path.W_q, k, vadd(get_spatial(path.W_q, k), vscale(w.multipliers[r], change)))
                tan.Gq[r, j] = path.side[k] * (vdot(change, V_rel) + vdot(W, y_j))
        pair_ready(path, n, total, 0)
        add_pair(tree, tan, path)


# ------------------------------------------------------------------------------------------------------- accelerations


@helper
def _phi_change(closures, closure, r, R_A, R_B, p, d, V, xi, eta):
    """d phi when b is moved by xi and its relative twist V changes by eta."""
    kind, i, j = closures.row_kind[r], closures.row_axes[r, 0], closures.row_axes[r, 1]
    a = (R_A[i], R_A[3 + i], R_A[6 + i])
    b = (R_B[j], R_B[3 + j], R_B[6 + j])
    moved, turned = shift_of(xi, p), cross(xi[0], b)
    velocity, db = shift_of(V, p), cross(V[0], b)
    dv, ddb = add(shift_of(eta, p), cross(V[0], moved)), add(cross(eta[0], b), cross(V[0], turned))
    if kind == DOT_ROW:  # phi = (db x a) . omega
        return dot(cross(ddb, a), V[0]) + dot(cross(db, a), eta[0])
    if kind == EDGE_ROW:  # phi = 0
        return 0.0
    if kind == DISTANCE_ROW:  # phi = (v x n) . omega + (v . v - (n . v)²) / |d|
        length = sqrt(dot(d, d))
        n = scale(1.0 / length, d)
        dn = scale(1.0 / length, sub(moved, scale(dot(n, moved), n)))
        along = dot(n, velocity)
        turn = dot(add(cross(dv, n), cross(velocity, dn)), V[0]) + dot(cross(velocity, n), eta[0])
        stretch = 2.0 * (dot(velocity, dv) - along * (dot(dn, velocity) + dot(n, dv)))
        return turn + (stretch - (dot(velocity, velocity) - along * along) * dot(n, moved) / length) / length
    if kind == DISC_ROW:  # as a position row, but for the contact point
        normal, radius = (R_A[2], R_A[5], R_A[8]), closures.parameter[closure]
        _, arm_rate = contact_arm(kind, radius, normal, b, db)
        velocity = add(velocity, arm_rate)
        dv = add(dv, _arm_rate_change(radius, normal, b, db, turned, ddb))
    return dot(cross(dv, a), V[0]) + dot(cross(velocity, a), eta[0])  # phi = (v x a) . omega


@helper
def _arm_rate_change(radius, normal, b, db, turned, ddb):
    """Change of the rate of a disc's arm (`contact_arm`) when its axis b changes by turned and its rate db by ddb."""
    tilt = dot(normal, b)
    part = sub(normal, scale(tilt, b))  # of the normal in the disc's plane
    size = sqrt(dot(part, part))
    up = scale(1.0 / size, part)
    rate = scale(-1.0, add(scale(dot(normal, db), b), scale(tilt, db)))
    change = scale(-1.0, add(scale(dot(normal, turned), b), scale(tilt, turned)))
    rate_change = scale(
        -1.0,
        add(
            add(scale(dot(normal, ddb), b), scale(dot(normal, db), turned)),
            add(scale(dot(normal, turned), db), scale(tilt, ddb)),
        ),
    )
    up_rate = scale(1.0 / size, sub(rate, scale(dot(up, rate), up)))
    up_change = scale(1.0 / size, sub(change, scale(dot(up, change), up)))
    along = add(scale(dot(up, rate), up_change), scale(dot(up_change, rate) + dot(up, rate_change), up))
    return scale(-radius / size, sub(sub(rate_change, along), scale(dot(up, change), up_rate)))


@part
def acceleration_derivatives(tree, loads, closures, w, tan, path, q, v, a):
    """Aq, Av: derivatives of G a - gamma. Needs closures (RATES) and inertial_derivatives in this state."""
    for closure in range(closures.count):
        A, B = loads.marker_body[closures.markers[closure, 0]], loads.marker_body[closures.markers[closure, 1]]
        n = path_between(tree, path, A, B)
        R_A, R_B, p, d = closure_frames(loads, closures, w, closure)
        V_A, V_B = get_spatial(tan.V_W, A), get_spatial(tan.V_W, B)
        A_B = get_spatial(tan.A_W, B)
        V_rel = vsub(V_B, V_A)
        A_rel = vsub(vsub(A_B, get_spatial(tan.A_W, A)), cross_motion(V_A, V_B))
        for r in range(closures.first[closure], closures.first[closure + 1]):
            if closures.terms[r + 1] > closures.terms[r]:
                if closures.row_kind[r] == CAM_ROW:
                    driver = closures.terms[r] + 1
                    j = closures.term_v[driver]
                    _, _, curvature, third = cam_lift(
                        loads, closures, r, q[closures.term_q[driver]], closures.parameter[closure]
                    )
                    tan.Aq[r, j] = -curvature * a[j] - third * v[j] * v[j]
                    tan.Av[r, j] = -2.0 * curvature * v[j]
                continue
            W = get_spatial(w.row_wrench, r)
            for k in range(n):
                j = path.rate[k]
                S_j, y_j = displacement(tan, j, V_B)
                psi = cross_motion(get_column(tan.U, j), S_j)
                psi2 = (get3(tan.columns, j, PSI2), get3(tan.columns, j, PSI2 + 3))
                phi = (get3(tan.columns, j, PHI), get3(tan.columns, j, PHI + 3))
                zeta = vadd(vadd(cross_motion(S_j, A_B), cross_motion(psi, V_B)), psi2)
                change = vdot(row_change(closures, closure, r, R_A, R_B, p, d, S_j), A_rel)
                change += vdot(W, vsub(zeta, cross_motion(V_A, y_j)))
                change += _phi_change(closures, closure, r, R_A, R_B, p, d, V_rel, S_j, y_j)
                tan.Aq[r, j] = path.side[k] * change
                change = vdot(W, vsub(vadd(cross_motion(S_j, V_B), phi), cross_motion(V_A, S_j)))
                change += _phi_change(closures, closure, r, R_A, R_B, p, d, V_rel, ZERO6, S_j)
                tan.Av[r, j] = path.side[k] * change


@entry
def acceleration_rows_entry(context):
    """Entry: Aq and Av for the accelerations in w.ydot, after linearise_entry in the same state."""
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    tan, path = unpack(w.context[2], TANGENT_CONTEXT)
    nq, nv = tree.nq, tree.nv
    q, v = w.y[:nq], w.y[nq : nq + nv]
    acceleration_derivatives(tree, loads, closures, w, tan, path, q, v, w.ydot[nq : nq + nv])
