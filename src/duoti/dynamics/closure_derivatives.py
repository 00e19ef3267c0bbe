"""Derivatives of cut joints and constraints, by the pairs of `duoti.model.pairs`.

A row r of a link puts the wrench W of a unit multiplier on body b (`dynamics.closures`), and its rate is
dg/dt = W . (V_b - V_a) less the rate of its value. When b alone is moved by xi, W changes by D xi, one line for each
kind of row below; then

    d(dg/dt)/d delta_j = side_j ((D S_j) . (V_b - V_a) + W . y_j)                                           (1)

with y_j = S_j x (V_b - U_j), and d(G^T lambda)/d delta_j follows from the sum of the rows of a link by (2) of that
module. Rolling and edge rows refer to ground, so that their frame a never moves. Rows between coordinates are constant
but for cams.
"""

from __future__ import annotations

from duoti.dynamics.closures import cam_lift, contact_arm
from duoti.kernel import helper, part
from duoti.model.laws import marker_point
from duoti.model.pairs import add_pair, displacement, pair_ready, shift_of, way_between
from duoti.spatial.algebra import (
    ZERO3,
    ZERO6,
    add,
    cross,
    dot,
    get3,
    get9,
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


@helper
def link_frames(loads, links, w, link):
    """Frames R_A and R_B of a link, its point on b from the common centre, and the vector from a to b."""
    m_a, m_b = links.markers[link, 0], links.markers[link, 1]
    R_A = matmul(get9(w.X_WB, loads.marker_body[m_a], 0), get9(loads.X_BM, m_a, 0))
    R_B = matmul(get9(w.X_WB, loads.marker_body[m_b], 0), get9(loads.X_BM, m_b, 0))
    p_a, _ = marker_point(loads, w, m_a)
    p_b, _ = marker_point(loads, w, m_b)
    return R_A, R_B, sub(p_b, get3(w.X_WB, 1, 9)), sub(p_b, p_a)


@helper
def row_change(links, link, r, R_A, R_B, p, d, xi):
    """D xi: how the wrench of row r on b changes when b, whose point is at p, is moved by xi."""
    kind, i, j = links.row_kind[r], links.row_axes[r, 0], links.row_axes[r, 1]
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
        _, arm_change = contact_arm(kind, links.parameter[link], (R_A[2], R_A[5], R_A[8]), b, turned)
        moved = add(moved, arm_change)
    return cross(moved, a), ZERO3  # position and screw: W = (p x a, a) + constant


@part
def add_closure_derivatives(tree, loads, links, w, tan, way, q, v):
    """K -= d(G^T lambda)/d delta; Gq = d(dg/dt)/d delta. Needs closures (RATES), tangent_kinematics and multipliers."""
    for link in range(links.count):
        A, B = loads.marker_body[links.markers[link, 0]], loads.marker_body[links.markers[link, 1]]
        n = way_between(tree, way, A, B)
        R_A, R_B, p, d = link_frames(loads, links, w, link)
        V_B = get_spatial(tan.V_W, B)
        V_rel = vsub(V_B, get_spatial(tan.V_W, A))
        total = ZERO6
        for k in range(n):
            put_spatial(way.by_q, k, ZERO6)
        for r in range(links.first[link], links.first[link + 1]):
            if links.terms[r + 1] > links.terms[r]:
                if links.row_kind[r] == CAM_ROW:
                    driver = links.terms[r] + 1
                    j = links.term_v[driver]
                    _, _, curvature = cam_lift(loads, links, r, q[links.term_q[driver]], links.parameter[link])
                    tan.K[j, j] += w.multipliers[r] * curvature
                    tan.Gq[r, j] = -curvature * v[j]
                continue
            W = get_spatial(w.row, r)
            total = vadd(total, vscale(w.multipliers[r], W))
            for k in range(n):
                j = way.rate[k]
                S_j, y_j = displacement(tan, j, V_B)
                change = row_change(links, link, r, R_A, R_B, p, d, S_j)
                put_spatial(way.by_q, k, vadd(get_spatial(way.by_q, k), vscale(w.multipliers[r], change)))
                tan.Gq[r, j] = way.side[k] * (vdot(change, V_rel) + vdot(W, y_j))
        pair_ready(way, n, total, 0)
        add_pair(tree, tan, way)
