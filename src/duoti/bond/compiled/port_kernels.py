"""Ports of a graph in a mechanism: what their flow is, what their effort does, and the derivatives of both.

The flow is a rate of a joint; the rate of the length between two markers; the angular velocity of marker b as seen from
marker a, or the velocity of b's point as seen from a's body, along an axis of a. The effort does its work on that flow.
"""

import numpy as np

from duoti.elements.body_pairs import add_pair, add_rank_one, displacement, path_between
from duoti.elements.markers import marker_point, marker_rotation, marker_velocities
from duoti.elements.wrenches import add_tension_tangent, apply_tension, apply_wrench, line_between
from duoti.kernel import helper, part
from duoti.spatial.algebra import (
    ZERO3,
    add,
    cross,
    dot,
    get3,
    get_spatial,
    put_spatial,
    scale,
    shift_of,
    sqrt,
    sub,
)

JOINT, LINE, TORQUE, FORCE = range(4)


@helper
def _axis(loads, w, a, c):
    R = marker_rotation(loads, w, a)
    return (R[c], R[3 + c], R[6 + c])


@helper
def _force_frame(loads, w, a, b, c):
    """Axis c of marker a; lever arms of b's point on both bodies; velocity of the point as seen from a's body."""
    p_a, arm_a = marker_point(loads, w, a)
    p_b, arm_b = marker_point(loads, w, b)
    omega, v_a = marker_velocities(loads, w, a, arm_a)
    _, v_b = marker_velocities(loads, w, b, arm_b)
    d = sub(p_b, p_a)
    return _axis(loads, w, a, c), add(arm_a, d), arm_b, sub(v_b, add(v_a, cross(omega, d)))


@part
def port_flow(loads, w, v, kind, a, b, c):
    """The flow of a port."""
    if kind == JOINT:
        return v[a] + 0.0
    if kind == LINE:
        _, speed, _, _, _ = line_between(loads, w, a, b)
        return speed
    if kind == TORQUE:
        _, arm_a = marker_point(loads, w, a)
        _, arm_b = marker_point(loads, w, b)
        omega_a, _ = marker_velocities(loads, w, a, arm_a)
        omega_b, _ = marker_velocities(loads, w, b, arm_b)
        return dot(_axis(loads, w, a, c), sub(omega_b, omega_a))
    n, _, _, velocity = _force_frame(loads, w, a, b, c)
    return dot(n, velocity)


@part
def apply_port(loads, w, kind, a, b, c, effort):
    """The effort on the mechanism."""
    if kind == JOINT:
        w.tau[a] += effort
    elif kind == LINE:
        _, _, n, arm_a, arm_b = line_between(loads, w, a, b)
        apply_tension(loads, w, a, b, arm_a, arm_b, n, -effort)
    elif kind == TORQUE:
        torque = scale(effort, _axis(loads, w, a, c))
        apply_wrench(loads, w, a, ZERO3, ZERO3, scale(-1.0, torque))
        apply_wrench(loads, w, b, ZERO3, ZERO3, torque)
    else:
        n, arm_a, arm_b, _ = _force_frame(loads, w, a, b, c)
        force = scale(effort, n)
        apply_wrench(loads, w, a, arm_a, scale(-1.0, force), ZERO3)
        apply_wrench(loads, w, b, arm_b, force, ZERO3)


@part
def port_flow_rows(tree, loads, w, tan, path, kind, a, b, c, row_q, row_v):
    """Add the derivatives of the flow to row 0 of row_q and row_v; needs tangent_kinematics."""
    if kind == JOINT:
        row_v[0, a] += 1.0
        return
    A, B = loads.markers.body[a], loads.markers.body[b]
    centre = get3(w.X_WB, 1, 9)
    p_a, _ = marker_point(loads, w, a)
    p_b, _ = marker_point(loads, w, b)
    r, d = sub(p_b, centre), sub(p_b, p_a)
    V_A, V_B = get_spatial(tan.V_W, A), get_spatial(tan.V_W, B)
    length = sqrt(dot(d, d) + 1e-300)
    n = scale(1.0 / length, d) if kind == LINE else _axis(loads, w, a, c)
    v_rel = sub(shift_of(V_B, r), shift_of(V_A, sub(p_a, centre)))
    # as seen from a frame that moves with a, a motion of a is the opposite motion of b: only b is displaced
    count = path_between(tree, path, A, B)
    for k in range(count):
        S_j, y_j = displacement(tan, path.column[k], V_B)
        side, j = path.side[k], path.rate[k]
        x = shift_of(S_j, r)
        if kind == LINE:
            across = sub(x, scale(dot(n, x), n))
            row_q[0, j] += side * (dot(across, v_rel) / length + dot(n, add(shift_of(y_j, r), cross(V_B[0], x))))
            row_v[0, j] += side * dot(n, x)
        elif kind == TORQUE:
            row_q[0, j] += side * dot(n, y_j[0])
            row_v[0, j] += side * dot(n, S_j[0])
        else:
            row_q[0, j] += side * dot(n, add(shift_of(y_j, r), cross(sub(V_B[0], V_A[0]), x)))
            row_v[0, j] += side * dot(n, x)


@part
def port_tangent(tree, loads, w, tan, path, kind, a, b, c, effort):
    """K, C, Z -= derivatives of what the effort does; those of the effort itself are in row_q, row_v, row_z of path."""
    if kind == JOINT:
        for j in range(tree.nv):
            tan.K[a, j] -= path.row_q[0, j]
            tan.C[a, j] -= path.row_v[0, j]
            path.row_q[0, j] = path.row_v[0, j] = 0.0
        for j in range(tree.nz):
            tan.Z[a, j] -= path.row_z[0, j]
            path.row_z[0, j] = 0.0
    elif kind == LINE:
        for j in range(tree.nv):
            path.row_q[0, j] = -path.row_q[0, j]
            path.row_v[0, j] = -path.row_v[0, j]
        for j in range(tree.nz):
            path.row_z[0, j] = -path.row_z[0, j]
        add_tension_tangent(tree, loads, w, tan, path, a, b, -effort, 0.0, 0.0, np.int64(1))
    else:
        A, B = loads.markers.body[a], loads.markers.body[b]
        p_b, _ = marker_point(loads, w, b)
        r = sub(p_b, get3(w.X_WB, 1, 9))
        n = _axis(loads, w, a, c)
        count = path_between(tree, path, A, B)
        W = (cross(r, n), n) if kind == FORCE else (n, scale(0.0, n))
        for k in range(count):  # the axis is fixed in a: if b alone is displaced, only the point moves
            S_j, _ = displacement(tan, path.column[k], get_spatial(tan.V_W, B))
            moved = cross(shift_of(S_j, r), scale(effort, n)) if kind == FORCE else scale(0.0, n)
            put_spatial(path.W_q, k, (moved, scale(0.0, n)))
        add_pair(tree, tan, path, count, (scale(effort, W[0]), scale(effort, W[1])), np.int64(0))
        add_rank_one(tree, tan, path, count, W)
