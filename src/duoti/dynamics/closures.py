"""Cut joints: their equations at position, velocity and acceleration level.

Between frame A on the parent and frame B on the child of a cut joint, with axes a of A and b of B, points p_A, p_B and
d = p_B - p_A, all in world axes:

    position row   g = a . d                                                                               (1)
                   dg/dt = a . (v_B - v_A) + (w_A x a) . d
                   wrench of a unit multiplier on B: the force a at p_B; on A the opposite wrench
    dot row        g = a . b                                                                               (2)
                   dg/dt = (w_A x a) . b + a . (w_B x b)
                   wrench on B: the torque b x a; on A the opposite
    screw row      g = z . d - advance * theta, theta the turn of B about z, whole turns from the advance  (3)

The acceleration level is G a = gamma with gamma = -(d²g/dt² at zero rates of v). Gravity, which the recursions add to
the acceleration of every body and of ground alike, drops out of all differences.
"""

from __future__ import annotations

import math

from duoti.dynamics.kinematics import joint_sweep, velocities, world_poses
from duoti.kernel import helper, kernel, part
from duoti.model.laws import marker_point, marker_rates
from duoti.spatial.algebra import (
    ZERO3,
    add,
    atan2,
    cross,
    dot,
    force_to_child,
    get3,
    get9,
    get_pose,
    get_spatial,
    matmul,
    mul,
    put_spatial,
    scale,
    sub,
    to_parent,
    vadd,
    vsub,
)
from duoti.system.arrays import DOT_ROW, POSITION_ROW

RESIDUALS, RATES, ALL = range(3)  # levels of `closures`


@helper
def _marker_acceleration(loads, w, m, arm, omega, velocity):
    """Angular acceleration of marker m and acceleration of its point, at zero rates of v."""
    b = loads.marker_body[m]
    R_WB = get9(w.X_WB, b, 0)
    alpha, spatial = mul(R_WB, get3(w.A, b, 0)), mul(R_WB, get3(w.A, b, 3))
    return alpha, add(add(spatial, cross(alpha, arm)), cross(omega, velocity))


@helper
def _second(alpha, omega, axis):
    """Second derivative of an axis that turns with omega, alpha."""
    return add(cross(alpha, axis), cross(omega, cross(omega, axis)))


@part
def closures(loads, links, w, level):
    """Residuals g (needs world_poses); from RATES on also rows and gdot (needs velocities); with ALL also gamma.

    gamma needs the accelerations w.A at zero rates of v.
    """
    centre = get3(w.X_WB, 1, 9)
    for link in range(links.count):
        m_a, m_b = links.markers[link, 0], links.markers[link, 1]
        R_A = matmul(get9(w.X_WB, loads.marker_body[m_a], 0), get9(loads.X_BM, m_a, 0))
        R_B = matmul(get9(w.X_WB, loads.marker_body[m_b], 0), get9(loads.X_BM, m_b, 0))
        p_a, arm_a = marker_point(loads, w, m_a)
        p_b, arm_b = marker_point(loads, w, m_b)
        d, from_centre = sub(p_b, p_a), sub(p_b, centre)
        omega_a = omega_b = v_a = v_b = alpha_a = alpha_b = acc_a = acc_b = ZERO3
        if level >= RATES:
            omega_a, v_a = marker_rates(loads, w, m_a, arm_a)
            omega_b, v_b = marker_rates(loads, w, m_b, arm_b)
        if level >= ALL:
            alpha_a, acc_a = _marker_acceleration(loads, w, m_a, arm_a, omega_a, v_a)
            alpha_b, acc_b = _marker_acceleration(loads, w, m_b, arm_b, omega_b, v_b)
        v_rel, acc_rel = sub(v_b, v_a), sub(acc_b, acc_a)
        for r in range(links.first[link], links.first[link + 1]):
            i, j = links.row_axes[r, 0], links.row_axes[r, 1]
            a = (R_A[i], R_A[3 + i], R_A[6 + i])
            b = (R_B[j], R_B[3 + j], R_B[6 + j])
            da, dda = cross(omega_a, a), _second(alpha_a, omega_a, a)
            if links.row_kind[r] == DOT_ROW:
                db, ddb = cross(omega_b, b), _second(alpha_b, omega_b, b)
                w.g[r] = dot(a, b)
                w.gdot[r] = dot(da, b) + dot(a, db)
                w.gamma[r] = -(dot(dda, b) + 2.0 * dot(da, db) + dot(a, ddb))
                put_spatial(w.row, r, (cross(b, a), ZERO3))
                continue
            w.g[r] = dot(a, d)
            w.gdot[r] = dot(a, v_rel) + dot(da, d)
            w.gamma[r] = -(dot(a, acc_rel) + 2.0 * dot(da, v_rel) + dot(dda, d))
            torque = cross(from_centre, a)
            if links.row_kind[r] != POSITION_ROW:
                advance = links.advance[link]
                x_b = (R_B[0], R_B[3], R_B[6])
                turn = atan2(dot((R_A[1], R_A[4], R_A[7]), x_b), dot((R_A[0], R_A[3], R_A[6]), x_b))
                if advance != 0.0:
                    turn += 2.0 * math.pi * round((w.g[r] / advance - turn) / (2.0 * math.pi))
                spin = sub(omega_b, omega_a)
                w.g[r] -= advance * turn
                w.gdot[r] -= advance * dot(a, spin)
                w.gamma[r] += advance * (dot(a, sub(alpha_b, alpha_a)) + dot(da, spin))
                torque = sub(torque, scale(advance, a))
            put_spatial(w.row, r, (torque, a))


@part
def closure_jacobian(tree, loads, links, w):
    """G from the rows: the wrench of each row on the columns of the joints between its two bodies. Needs closures."""
    centre = get3(w.X_WB, 1, 9)
    S, G = w.S_W, w.G
    for b in range(1, tree.nb):
        R, p = get_pose(w.X_WB, b)
        X = (R, sub(p, centre))
        for i in range(tree.iv[b], tree.iv[b] + tree.dof[b]):
            (S[0, i], S[1, i], S[2, i]), (S[3, i], S[4, i], S[5, i]) = to_parent(X, get_spatial(w.H, i))
    for link in range(links.count):
        for r in range(links.first[link], links.first[link + 1]):
            for i in range(tree.nv):
                G[r, i] = 0.0
            (n0, n1, n2), (f0, f1, f2) = get_spatial(w.row, r)
            for end in range(2):
                sign = 2.0 * end - 1.0
                b = loads.marker_body[links.markers[link, end]]
                while b != links.common[link]:
                    for i in range(tree.iv[b], tree.iv[b] + tree.dof[b]):
                        G[r, i] = sign * (
                            S[0, i] * n0 + S[1, i] * n1 + S[2, i] * n2 + S[3, i] * f0 + S[4, i] * f1 + S[5, i] * f2
                        )
                    b = tree.parent[b]


@part
def add_closure_wrenches(loads, links, w):
    """F_ext += wrenches of the multipliers on the bodies."""
    centre = get3(w.X_WB, 1, 9)
    for link in range(links.count):
        total = (ZERO3, ZERO3)
        for r in range(links.first[link], links.first[link + 1]):
            n, f = get_spatial(w.row, r)
            total = vadd(total, (scale(w.multipliers[r], n), scale(w.multipliers[r], f)))
        for end in range(2):
            b = loads.marker_body[links.markers[link, end]]
            R, p = get_pose(w.X_WB, b)
            wrench = force_to_child((R, sub(p, centre)), total)
            if end == 1:
                put_spatial(w.F_ext, b, vadd(get_spatial(w.F_ext, b), wrench))
            else:
                put_spatial(w.F_ext, b, vsub(get_spatial(w.F_ext, b), wrench))


@kernel
def closure_state(tree, loads, links, w, q, v):
    """Residuals, their rates and the Jacobian in a state, for use from Python."""
    joint_sweep(tree, w, q, v)
    velocities(tree, w, v)
    world_poses(tree, w)
    closures(loads, links, w, RATES)
    closure_jacobian(tree, loads, links, w)
