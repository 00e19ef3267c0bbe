"""Rows that the user wrote as expressions (`duoti.model.laws.user_equations`), as entries; see
`duoti.elements.equation_types`.

With the terms' rates r_n (joint velocities, velocities and angular velocities of markers) and their slopes s_n, the row
is

    dg/dt = R(x, r, t) with s_n = dR/dr_n,    d²g/dt² = bias + sum of s_n dr_n/dt,                          (1)

and a multiplier puts the force lambda s_n on each term. R, its bias and the slopes are laws, which read the state by
themselves and whose derivatives `law_gradient` knows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from duoti.elements.body_pairs import add_pair, add_rank_one, displacement, path_between
from duoti.elements.force_types import equation_is_off
from duoti.elements.laws import add_law_gradient, law_value
from duoti.elements.markers import marker_acceleration, marker_point, marker_velocities
from duoti.kernel import ContextType, entry, helper, part, unpack
from duoti.model.equations.base import AT_REST_LAW, BIAS_LAW, FIRST_SLOPE_LAW, RATE_LAW, SLOPE, VALUE_LAW, VELOCITY_TERM
from duoti.spatial.algebra import (
    ZERO3,
    ZERO6,
    add,
    cross,
    cross_motion,
    get3,
    get_column,
    get_spatial,
    put_spatial,
    scale,
    shift_of,
    sub,
    vadd,
    vsub,
)
from duoti.system.context import GROUP_CONTEXT
from duoti.system.tangent_arrays import PHI, PSI2


def expression_equations(name: str, CONTEXT: ContextType) -> Any:
    """Residual, rate, right-hand side and slopes of each row."""

    def rows(context):
        (group,) = unpack(context, GROUP_CONTEXT)
        tree, loads, closures, w = unpack(group.system, CONTEXT)
        t, q, v = w.clock[0], w.y[: tree.nq], w.y[tree.nq : tree.nq + tree.nv]
        zero = 0.0 * w.X_WB[0, 0]
        for k in range(group.first, group.last):
            r = closures.kind_equations[k]
            law, first = closures.table[r, 0], closures.terms[r]
            if equation_is_off(closures, w, r):
                w.g[r] = w.gdot[r] = w.gamma[r] = 0.0
                put_spatial(w.equation_wrench, r, ZERO6)
                for n in range(first, closures.terms[r + 1]):
                    w.terms[n, SLOPE] = 0.0
                continue
            bias = zero
            for i in range(closures.terms[r + 1] - first + FIRST_SLOPE_LAW):  # in a loop: one call in the code
                value = law_value(loads, w, law + i, t, q, v, zero, zero)
                if i == VALUE_LAW:
                    w.g[r] = value
                elif i == AT_REST_LAW:
                    w.values[r, 1] = -value  # what a motion prescribed by time puts in
                elif i == RATE_LAW:
                    w.gdot[r] = value
                elif i == BIAS_LAW:
                    bias = value
                else:
                    n = first + i - FIRST_SLOPE_LAW
                    w.terms[n, SLOPE] = value
                    if closures.term_q[n] < 0:
                        bias += value * _bias_acceleration(loads, w, -1 - closures.term_q[n])
            w.gamma[r] = -bias
            put_spatial(w.equation_wrench, r, ZERO6)

    return entry(rows, name)


@helper
def _bias_acceleration(loads, w, code):
    """Rate of the velocity of a marker that a term is, at zero accelerations."""
    m, component = code // VELOCITY_TERM, code % VELOCITY_TERM
    _, arm = marker_point(loads, w, m)
    omega, velocity = marker_velocities(loads, w, m, arm)
    alpha, acceleration = marker_acceleration(loads, w, m, arm, omega, velocity)
    if component >= 3:
        return alpha[component - 3]
    return acceleration[component] - w.A[0, 3 + component]  # gravity is in both


@helper
def _axis(component):
    c = component % 3
    return 1.0 * (c == 0), 1.0 * (c == 1), 1.0 * (c == 2)


@part
def _gradient(tree, loads, w, tan, path, law, t, q, v):
    """Derivatives of a law into path.row_q and path.row_v."""
    add_law_gradient(
        tree, loads, w, tan, path, law, np.int64(0), t, q, v, 0.0, 0.0, 1.0, path.row_q, path.row_v, path.row_z,
        np.int64(0),
    )  # fmt: skip


@part
def _clear(tree, path):
    for j in range(tree.nv):
        path.row_q[0, j] = path.row_v[0, j] = 0.0


def expression_tangents(name: str, CONTEXT: ContextType, TANGENTS: ContextType) -> Any:
    """K -= d(lambda s_n on each term)/d delta, Gq = dR/d delta."""

    def tangents(context):
        (group,) = unpack(context, GROUP_CONTEXT)
        tree, loads, closures, w = unpack(group.system, CONTEXT)
        tan, path = unpack(w.at[0].tangent, TANGENTS)
        t, q, v = w.clock[0], w.y[: tree.nq], w.y[tree.nq : tree.nq + tree.nv]
        for k in range(group.first, group.last):
            r = closures.kind_equations[k]
            law, first = closures.table[r, 0], closures.terms[r]
            if equation_is_off(closures, w, r):
                for i in range(closures.support[r], closures.support[r + 1]):
                    tan.Gq[r, closures.support_dofs[i]] = 0.0
                continue
            _gradient(tree, loads, w, tan, path, law + RATE_LAW, t, q, v)
            for i in range(closures.support[r], closures.support[r + 1]):
                tan.Gq[r, closures.support_dofs[i]] = path.row_q[0, closures.support_dofs[i]]
            _clear(tree, path)
            for n in range(first, closures.terms[r + 1]):
                _gradient(tree, loads, w, tan, path, law + FIRST_SLOPE_LAW + n - first, t, q, v)
                if closures.term_q[n] < 0:
                    _marker_term_tangent(
                        tree, loads, w, tan, path, -1 - closures.term_q[n], w.multipliers[r], w.terms[n, SLOPE]
                    )
                    continue
                for j in range(tree.nv):
                    tan.K[closures.term_v[n], j] -= w.multipliers[r] * path.row_q[0, j]
                _clear(tree, path)

    return entry(tangents, name)


@part
def _marker_term_tangent(tree, loads, w, tan, path, code, multiplier, slope):
    """K -= derivatives of the force (torque) multiplier * slope on a marker; those of slope are in path.row_q."""
    m, component = code // VELOCITY_TERM, code % VELOCITY_TERM
    p, _ = marker_point(loads, w, m)
    point = sub(p, get3(w.X_WB, 1, 9))
    axis = _axis(component)
    is_force = component < 3
    unit = (cross(point, axis), axis) if is_force else (axis, ZERO3)
    count = path_between(tree, path, 0, loads.markers.body[m])
    add_rank_one(tree, tan, path, count, (scale(multiplier, unit[0]), scale(multiplier, unit[1])))
    size = multiplier * slope
    for k in range(count):
        change = ZERO6
        if is_force:
            change = (scale(size, cross(shift_of(get_column(tan.S, path.column[k]), point), axis)), ZERO3)
        put_spatial(path.W_q, k, change)
    add_pair(tree, tan, path, count, (scale(size, unit[0]), scale(size, unit[1])), np.int64(0))


def expression_accelerations(name: str, CONTEXT: ContextType, TANGENTS: ContextType) -> Any:
    """Aq = d(d²g/dt²)/d delta and Av, with the accelerations in w.ydot."""

    def accelerations(context):
        (group,) = unpack(context, GROUP_CONTEXT)
        tree, loads, closures, w = unpack(group.system, CONTEXT)
        tan, path = unpack(w.at[0].tangent, TANGENTS)
        t, q, v = w.clock[0], w.y[: tree.nq], w.y[tree.nq : tree.nq + tree.nv]
        for k in range(group.first, group.last):
            r = closures.kind_equations[k]
            law, first = closures.table[r, 0], closures.terms[r]
            if equation_is_off(closures, w, r):
                for i in range(closures.support[r], closures.support[r + 1]):
                    tan.Aq[r, closures.support_dofs[i]] = tan.Av[r, closures.support_dofs[i]] = 0.0
                continue
            _gradient(tree, loads, w, tan, path, law + BIAS_LAW, t, q, v)
            for i in range(closures.support[r], closures.support[r + 1]):
                j = closures.support_dofs[i]
                tan.Aq[r, j], tan.Av[r, j] = path.row_q[0, j], path.row_v[0, j]
            _clear(tree, path)
            for n in range(first, closures.terms[r + 1]):
                code = -1 - closures.term_q[n]
                if code >= 0:
                    acceleration = _add_point_acceleration(tree, loads, w, tan, code, w.terms[n, SLOPE], r)
                else:
                    acceleration = w.ydot[tree.nq + closures.term_v[n]]
                _gradient(tree, loads, w, tan, path, law + FIRST_SLOPE_LAW + n - first, t, q, v)
                for i in range(closures.support[r], closures.support[r + 1]):
                    j = closures.support_dofs[i]
                    tan.Aq[r, j] += acceleration * path.row_q[0, j]
                _clear(tree, path)

    return entry(accelerations, name)


@part
def _add_point_acceleration(tree, loads, w, tan, code, slope, r):
    """Acceleration of a marker that a term is; its derivatives times the slope are added to Aq and Av.

    With the twist V and the acceleration A of the body about a fixed point, the point at r moves by
    v = V + omega x r and a = A + alpha x r + omega x v.
    """
    m, c = code // VELOCITY_TERM, code % VELOCITY_TERM
    p, _ = marker_point(loads, w, m)
    point = sub(p, get3(w.X_WB, 1, 9))
    b = loads.markers.body[m]
    V_b, A_b = get_spatial(tan.V_W, b), get_spatial(tan.A_W, b)
    A_true = vsub(A_b, get_spatial(tan.A_W, 0))
    velocity = shift_of(V_b, point)
    value = A_true[0][c - 3] if c >= 3 else add(shift_of(A_true, point), cross(V_b[0], velocity))[c]
    while b > 0:
        for k in range(tree.first[b], tree.first[b + 1]):
            j = tree.rate[k]
            S_j, y_j = displacement(tan, k, V_b)
            moved = shift_of(S_j, point)
            psi = get_column(tan.Psi, k)
            psi2 = (get3(tan.columns, k, PSI2), get3(tan.columns, k, PSI2 + 3))
            phi = (get3(tan.columns, k, PHI), get3(tan.columns, k, PHI + 3))
            zeta = vadd(vadd(cross_motion(S_j, A_b), cross_motion(psi, V_b)), psi2)
            faster = vadd(cross_motion(S_j, V_b), phi)
            if c >= 3:
                tan.Aq[r, j] += slope * zeta[0][c - 3]
                tan.Av[r, j] += slope * faster[0][c - 3]
                continue
            dv = add(shift_of(y_j, point), cross(V_b[0], moved))
            change = add(
                add(shift_of(zeta, point), cross(A_b[0], moved)), add(cross(y_j[0], velocity), cross(V_b[0], dv))
            )
            tan.Aq[r, j] += slope * change[c]
            change = add(shift_of(faster, point), add(cross(S_j[0], velocity), cross(V_b[0], moved)))
            tan.Av[r, j] += slope * change[c]
        b = tree.parent[b]
    return value
