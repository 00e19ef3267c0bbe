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
    distance row   g = |d|                                                                                 (4)
    coupler row    g = sum of c q                                                                          (5)
    cam row        g = q_follower - table(q_driver)                                                        (6)
    rolling rows   dg/dt = a . (v + w_B x arm), v of the centre, arm from it to the contact point;         (7)
                   along the normal also g = a . (d + arm)
    edge row       dg/dt = b . v_B                                                                         (8)

each less its value, which may change with time.

The acceleration level is G a = gamma with gamma = -(d²g/dt² at zero rates of v). Gravity, which the recursions add to
the acceleration of every body and of ground alike, drops out of all differences.
"""

from __future__ import annotations

import math

from duoti.dynamics.kinematics import joint_sweep, velocities, world_poses
from duoti.kernel import call_entry, entry, helper, kernel, part, unpack
from duoti.model.laws import law_value, marker_point, marker_rates
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
    sqrt,
    sub,
    to_parent,
    vadd,
    vsub,
)
from duoti.system.arrays import (
    CAM_ROW,
    COUPLER_ROW,
    DISTANCE_ROW,
    DOT_ROW,
    EDGE_ROW,
    POSITION_ROW,
    SCREW_ROW,
    SPHERE_ROW,
    VALUES,
)
from duoti.system.context import REAL_CONTEXT

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
def evaluate_closures(loads, closures, w, q, v, level):
    """Residuals g (needs world_poses); from RATES on also rows and gdot (needs velocities); with ALL also gamma.

    gamma needs the accelerations w.A at zero rates of v. The values of rows that change with time must be up to date.
    """
    centre = get3(w.X_WB, 1, 9)
    for closure in range(closures.count):
        m_a, m_b = closures.markers[closure, 0], closures.markers[closure, 1]
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
        for r in range(closures.first[closure], closures.first[closure + 1]):
            kind, i, j = closures.row_kind[r], closures.row_axes[r, 0], closures.row_axes[r, 1]
            a = (R_A[i], R_A[3 + i], R_A[6 + i])
            b = (R_B[j], R_B[3 + j], R_B[6 + j])
            da, dda = cross(omega_a, a), _second(alpha_a, omega_a, a)
            db, ddb = cross(omega_b, b), _second(alpha_b, omega_b, b)
            value, rate, bias = 0.0, 0.0, 0.0  # g, dg/dt and d²g/dt² at zero rates of v
            torque, force = ZERO3, ZERO3
            if kind == DOT_ROW:  # (2)
                value, rate = dot(a, b), dot(da, b) + dot(a, db)
                bias = dot(dda, b) + 2.0 * dot(da, db) + dot(a, ddb)
                torque = cross(b, a)
            elif kind in (POSITION_ROW, SCREW_ROW):  # (1)
                value, rate = dot(a, d), dot(a, v_rel) + dot(da, d)
                bias = dot(a, acc_rel) + 2.0 * dot(da, v_rel) + dot(dda, d)
                torque, force = cross(from_centre, a), a
                if kind == SCREW_ROW:  # (3)
                    advance = closures.parameter[closure]
                    turn = _turn(R_A, R_B, value, advance)
                    spin = sub(omega_b, omega_a)
                    value -= advance * turn
                    rate -= advance * dot(a, spin)
                    bias -= advance * (dot(a, sub(alpha_b, alpha_a)) + dot(da, spin))
                    torque = sub(torque, scale(advance, a))
            elif kind == DISTANCE_ROW:  # (4)
                value = sqrt(dot(d, d))
                force = scale(1.0 / value, d)
                rate = dot(force, v_rel)
                bias = dot(force, acc_rel) + (dot(v_rel, v_rel) - rate * rate) / value
                torque = cross(from_centre, force)
            elif kind == COUPLER_ROW:  # (5)
                for k in range(closures.terms[r], closures.terms[r + 1]):
                    value += closures.term_c[k] * q[closures.term_q[k]]
                    rate += closures.term_c[k] * v[closures.term_v[k]]
            elif kind == CAM_ROW:  # (6)
                follower, driver = closures.terms[r], closures.terms[r] + 1
                lift, slope, curvature, _ = cam_lift(
                    loads, closures, r, q[closures.term_q[driver]], closures.parameter[closure]
                )
                speed = v[closures.term_v[driver]]
                value, rate = q[closures.term_q[follower]] - lift, v[closures.term_v[follower]] - slope * speed
                bias = -curvature * speed * speed
                torque = (1.0, -slope, 0.0)  # the coefficients of both rates
            elif kind == EDGE_ROW:  # (8)
                rate, bias = dot(b, v_rel), dot(b, acc_rel) + dot(db, v_rel)
                torque, force = cross(from_centre, b), b
            else:  # (7)
                normal = (R_A[2], R_A[5], R_A[8])
                arm, arm_rate = contact_arm(kind, closures.parameter[closure], normal, b, db)
                if i == 2:
                    value = dot(a, add(d, arm))
                rate = dot(a, add(v_rel, cross(omega_b, arm)))
                bias = dot(a, add(acc_rel, add(cross(alpha_b, arm), cross(omega_b, arm_rate))))
                torque, force = cross(add(from_centre, arm), a), a
            w.g[r] = value - w.values[r, 0]
            w.gdot[r] = rate - w.values[r, 1]
            w.gamma[r] = w.values[r, 2] - bias
            put_spatial(w.row_wrench, r, (torque, force))


@helper
def _turn(R_A, R_B, slide, advance):
    """Turn of B about z of A; whole turns from the advance."""
    x_b = (R_B[0], R_B[3], R_B[6])
    turn = atan2(dot((R_A[1], R_A[4], R_A[7]), x_b), dot((R_A[0], R_A[3], R_A[6]), x_b))
    if advance != 0.0:
        turn += 2.0 * math.pi * round((slide.real / advance - turn.real) / (2.0 * math.pi))
    return turn


@helper
def cam_lift(loads, closures, r, x, period):
    """Lift of a cam and its first three derivatives."""
    first, last = closures.table[r, 0], closures.table[r, 1]
    if period > 0.0:
        begin = loads.tables[first + 1, 0]
        x = x - period * math.floor((x.real - begin) / period)
    i = first
    while i + 1 < last and x.real >= loads.tables[i + 1, 0]:
        i += 1
    s = x - loads.tables[i, 0]
    c1, c2, c3 = loads.tables[i, 2], loads.tables[i, 3], loads.tables[i, 4]
    return (
        loads.tables[i, 1] + s * (c1 + s * (c2 + s * c3)),
        c1 + s * (2.0 * c2 + s * 3.0 * c3),
        2.0 * c2 + 6.0 * s * c3,
        6.0 * c3,
    )


@helper
def contact_arm(kind, radius, normal, axis, axis_rate):
    """From the centre of a rolling body to its contact point, and the rate of this vector."""
    if kind == SPHERE_ROW:
        return scale(-radius, normal), ZERO3
    # the lowest point of a disc is opposite to the part of the normal that lies in its plane
    tilt = dot(normal, axis)
    up = sub(normal, scale(tilt, axis))
    size = sqrt(dot(up, up))
    up = scale(1.0 / size, up)
    rate = sub(scale(-dot(normal, axis_rate), axis), scale(tilt, axis_rate))
    rate = scale(1.0 / size, sub(rate, scale(dot(up, rate), up)))
    return scale(-radius, up), scale(-radius, rate)


@part
def closure_jacobian(tree, loads, closures, w):
    """G from the rows: the wrench of each row on the columns of the joints between its two bodies. Needs closures."""
    centre = get3(w.X_WB, 1, 9)
    S, G = w.S_W, w.G
    for b in range(1, tree.nb):
        R, p = get_pose(w.X_WB, b)
        X = (R, sub(p, centre))
        for i in range(tree.iv[b], tree.iv[b] + tree.dof[b]):
            (S[0, i], S[1, i], S[2, i]), (S[3, i], S[4, i], S[5, i]) = to_parent(X, get_spatial(w.H, i))
    for closure in range(closures.count):
        for r in range(closures.first[closure], closures.first[closure + 1]):
            k = closures.support[r]
            if closures.terms[r + 1] > closures.terms[r]:
                for n in range(k, closures.support[r + 1]):
                    G[n] = 0.0
                for n in range(closures.terms[r], closures.terms[r + 1]):
                    G[closures.term_at[n]] += (
                        closures.term_c[n]
                        if closures.row_kind[r] == COUPLER_ROW
                        else w.row_wrench[r, n - closures.terms[r]]
                    )
                continue
            (n0, n1, n2), (f0, f1, f2) = get_spatial(w.row_wrench, r)
            a, b = loads.marker_body[closures.markers[closure, 0]], loads.marker_body[closures.markers[closure, 1]]
            while a != b:  # inward on both paths at once, the outermost first, as the rates of the row are listed
                here, sign = (a, -1.0) if a > b else (b, 1.0)
                for i in range(tree.iv[here] + tree.dof[here] - 1, tree.iv[here] - 1, -1):
                    G[k] = sign * (
                        S[0, i] * n0 + S[1, i] * n1 + S[2, i] * n2 + S[3, i] * f0 + S[4, i] * f1 + S[5, i] * f2
                    )
                    k += 1
                if a > b:
                    a = tree.parent[a]
                else:
                    b = tree.parent[b]


@part
def add_closure_wrenches(loads, closures, w):
    """F_ext and tau += what the multipliers do to bodies and coordinates; powers += what prescribed motions put in."""
    centre = get3(w.X_WB, 1, 9)
    for closure in range(closures.count):
        total = (ZERO3, ZERO3)
        for r in range(closures.first[closure], closures.first[closure + 1]):
            w.powers[1] += w.multipliers[r] * w.values[r, 1]  # what a prescribed motion puts in
            for k in range(closures.terms[r], closures.terms[r + 1]):
                w.tau[closures.term_v[k]] += w.G[closures.term_at[k]] * w.multipliers[r]
            if closures.terms[r + 1] > closures.terms[r]:
                continue
            n, f = get_spatial(w.row_wrench, r)
            total = vadd(total, (scale(w.multipliers[r], n), scale(w.multipliers[r], f)))
        for end in range(2):
            b = loads.marker_body[closures.markers[closure, end]]
            R, p = get_pose(w.X_WB, b)
            wrench = force_to_child((R, sub(p, centre)), total)
            if end == 1:
                put_spatial(w.F_ext, b, vadd(get_spatial(w.F_ext, b), wrench))
            else:
                put_spatial(w.F_ext, b, vsub(get_spatial(w.F_ext, b), wrench))


@entry
def values_entry(context):
    """Entry: values of the rows that change with time, and their derivatives, at the time w.clock."""
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    q, v = w.y[: tree.nq], w.y[tree.nq : tree.nq + tree.nv]
    for r in range(closures.rows):
        if closures.law[r, 0] >= 0:
            for k in range(3):
                w.values[r, k] = law_value(loads, w, closures.law[r, k], w.clock[0], q, v, 0.0, 0.0)


@part
def call_values(closures, w, t):
    """Bring the values of the rows up to date, through the entry."""
    if closures.timed == 1:
        w.clock[0] = t
        call_entry(w.entries[VALUES], w.context[0])


@kernel
def closure_state(tree, loads, closures, w, t, q, v):
    """Residuals, their rates and the Jacobian in a state, for use from Python."""
    joint_sweep(tree, w, q, v)
    velocities(tree, w, v)
    world_poses(tree, w)
    call_values(closures, w, t)
    evaluate_closures(loads, closures, w, q, v, RATES)
    closure_jacobian(tree, loads, closures, w)
