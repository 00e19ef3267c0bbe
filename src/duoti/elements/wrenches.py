"""Forces and torques at markers, and along the line between two of them, with their derivatives."""

import numpy as np

from duoti.elements.body_pairs import add_pair, add_rank_one, displacement, path_between
from duoti.elements.markers import marker_point, marker_velocities
from duoti.kernel import helper, part
from duoti.spatial.algebra import (
    ZERO3,
    add,
    cross,
    dot,
    get3,
    get9,
    get_spatial,
    mulT,
    put_spatial,
    scale,
    shift_of,
    sqrt,
    sub,
    vscale,
)

TINY = 1e-300  # keeps a length that vanishes from dividing zero by zero


@helper
def apply_wrench(loads, w, m, arm, force, torque):
    """Add a force at marker m (lever arm `arm` from its body's origin) and a torque, all in world axes, to its body."""
    b = loads.markers.body[m]
    R_WB = get9(w.X_WB, b, 0)
    n = mulT(R_WB, add(torque, cross(arm, force)))
    f = mulT(R_WB, force)
    w.F_ext[b, 0] += n[0]
    w.F_ext[b, 1] += n[1]
    w.F_ext[b, 2] += n[2]
    w.F_ext[b, 3] += f[0]
    w.F_ext[b, 4] += f[1]
    w.F_ext[b, 5] += f[2]


@helper
def line_between(loads, w, a, b):
    """Length, rate of length and unit vector of the line from marker a to marker b, and the markers' lever arms."""
    p_a, arm_a = marker_point(loads, w, a)
    p_b, arm_b = marker_point(loads, w, b)
    _, v_a = marker_velocities(loads, w, a, arm_a)
    _, v_b = marker_velocities(loads, w, b, arm_b)
    d = sub(p_b, p_a)
    length = sqrt(dot(d, d) + TINY)
    n = scale(1.0 / length, d)
    return length, dot(n, sub(v_b, v_a)), n, arm_a, arm_b


@helper
def apply_tension(loads, w, a, b, arm_a, arm_b, n, tension):
    """Pull markers a and b together along the unit vector n from a to b."""
    f = scale(tension, n)
    apply_wrench(loads, w, a, arm_a, f, ZERO3)
    apply_wrench(loads, w, b, arm_b, scale(-1.0, f), ZERO3)


@part
def add_tension_tangent(tree, loads, w, tan, path, a, b, tension, by_length, by_speed, has_rows):
    """K, C, Z -= derivatives of `apply_tension`; by_length, by_speed: those of the tension.

    has_rows = 1 if row_q, row_v and row_z of path hold derivatives of the tension by the state; they become zero again.
    When the point of b moves by x, the length changes by n . x and n by the part of x across the line over the length.
    """
    A, B = loads.markers.body[a], loads.markers.body[b]
    centre = get3(w.X_WB, 1, 9)
    p_a, _ = marker_point(loads, w, a)
    p_b, _ = marker_point(loads, w, b)
    r, d = sub(p_b, centre), sub(p_b, p_a)
    length = sqrt(dot(d, d) + TINY)
    n = scale(1.0 / length, d)
    V_B = get_spatial(tan.V_W, B)
    v_rel = sub(shift_of(V_B, r), shift_of(get_spatial(tan.V_W, A), sub(p_a, centre)))
    count = path_between(tree, path, A, B)
    for k in range(count):
        S_j, y_j = displacement(tan, path.column[k], V_B)
        x = shift_of(S_j, r)
        along = dot(n, x)
        across = sub(x, scale(along, n))
        accelerated = add(shift_of(y_j, r), cross(V_B[0], x))
        faster = dot(across, v_rel) / length + dot(n, accelerated)
        f = add(scale(by_length * along + by_speed * faster, n), scale(tension / length, across))
        put_spatial(path.W_q, k, (scale(-1.0, add(cross(r, f), scale(tension, cross(x, n)))), scale(-1.0, f)))
        f = scale(-by_speed * along, n)
        put_spatial(path.W_v, k, (cross(r, f), f))
    unit = (scale(-1.0, cross(r, n)), scale(-1.0, n))
    add_pair(tree, tan, path, count, vscale(tension, unit), np.int64(1))
    if has_rows == 1:
        add_rank_one(tree, tan, path, count, unit)
