"""A rope through several points: one tension along a line of straight pieces, and its derivatives.

The pieces between the markers m_0, m_1, ... have the lengths l_k and the unit vectors n_k. A rope that slides through
its eyes without friction has one tension T, which does the work -T dl on the bodies, l = sum of l_k: marker m_k is
pulled by T (n_{k+1} - n_k). The markers' numbers stand in the first column of a table of the force elements.
"""

import numpy as np

from duoti.elements.body_pairs import displacement, path_between
from duoti.elements.markers import marker_point
from duoti.elements.wrenches import add_tension_tangent, apply_tension, line_between
from duoti.kernel import helper, part
from duoti.spatial.algebra import add, cross, dot, get3, get_column, get_spatial, scale, shift_of, sub, vdot

FIRST, LAST = range(2)  # places of the table's rows in `integers`


@helper
def rope_length(f, loads, w):
    """Length of the rope and its rate."""
    integers, tables = loads.forces.integers, loads.forces.tables
    total, rate = 0.0 * w.powers[0], 0.0 * w.powers[0]
    for k in range(integers[f, FIRST], integers[f, LAST] - 1):
        length, speed, _, _, _ = line_between(loads, w, int(tables[k, 0].real), int(tables[k + 1, 0].real))
        total += length
        rate += speed
    return total, rate


@helper
def pull_rope(f, loads, w, tension):
    """Pull along all pieces."""
    integers, tables = loads.forces.integers, loads.forces.tables
    for k in range(integers[f, FIRST], integers[f, LAST] - 1):
        a, b = int(tables[k, 0].real), int(tables[k + 1, 0].real)
        _, _, n, arm_a, arm_b = line_between(loads, w, a, b)
        apply_tension(loads, w, a, b, arm_a, arm_b, n, tension)


@part
def add_rope_tangent(f, tree, loads, w, tan, path, tension, by_length, by_speed):
    """K, C, Z -= derivatives of `pull_rope`; by_length, by_speed: those of the tension.

    row_q, row_v and row_z of path may hold derivatives of the tension by the state; they become zero again. Each piece
    turns (at a constant tension) as any line does; the tension changes with the length of all of them.
    """
    integers, tables = loads.forces.integers, loads.forces.tables
    first, last = integers[f, FIRST], integers[f, LAST] - 1
    for k in range(first, last):
        a, b = int(tables[k, 0].real), int(tables[k + 1, 0].real)
        _add_rows(tree, loads, w, tan, path, a, b, by_length, by_speed)
    for k in range(first, last):
        a, b = int(tables[k, 0].real), int(tables[k + 1, 0].real)
        add_tension_tangent(tree, loads, w, tan, path, a, b, tension, 0.0, 0.0, np.int64(0))
        _add_product(tree, loads, w, tan, path, a, b)
    for j in range(tree.nv):
        path.row_q[0, j] = path.row_v[0, j] = 0.0
    for j in range(tree.nz):
        path.row_z[0, j] = 0.0


@part
def _add_rows(tree, loads, w, tan, path, a, b, by_length, by_speed):
    """row_q, row_v += by_length * d(length) + by_speed * d(speed) of the piece from a to b."""
    A, B = loads.markers.body[a], loads.markers.body[b]
    length, _, n, _, _ = line_between(loads, w, a, b)
    centre = get3(w.X_WB, 1, 9)
    p_a, _ = marker_point(loads, w, a)
    p_b, _ = marker_point(loads, w, b)
    r = sub(p_b, centre)
    V_B = get_spatial(tan.V_W, B)
    v_rel = sub(shift_of(V_B, r), shift_of(get_spatial(tan.V_W, A), sub(p_a, centre)))
    for k in range(path_between(tree, path, A, B)):
        S_j, y_j = displacement(tan, path.column[k], V_B)
        x = shift_of(S_j, r)
        along = dot(n, x)
        across = sub(x, scale(along, n))
        faster = dot(across, v_rel) / length + dot(n, add(shift_of(y_j, r), cross(V_B[0], x)))
        path.row_q[0, path.rate[k]] += path.side[k] * (by_length * along + by_speed * faster)
        path.row_v[0, path.rate[k]] += path.side[k] * by_speed * along


@part
def _add_product(tree, loads, w, tan, path, a, b):
    """K, C, Z -= what a unit tension in the piece from a to b does, times the rows of path."""
    _, _, n, _, _ = line_between(loads, w, a, b)
    p_b, _ = marker_point(loads, w, b)
    unit = (scale(-1.0, cross(sub(p_b, get3(w.X_WB, 1, 9)), n)), scale(-1.0, n))
    for k in range(path_between(tree, path, loads.markers.body[a], loads.markers.body[b])):
        i = path.rate[k]
        effect = path.side[k] * vdot(get_column(tan.S, path.column[k]), unit)
        for j in range(tree.nv):
            if path.row_q[0, j] != 0.0 or path.row_v[0, j] != 0.0:
                tan.K[i, j] -= effect * path.row_q[0, j]
                tan.C[i, j] -= effect * path.row_v[0, j]
        for j in range(tree.nz):
            tan.Z[i, j] -= effect * path.row_z[0, j]
