"""Cut joints and constraints: their equations at position, velocity and acceleration level.

An equation is a row of some kind (`duoti.model.equations`, one file each): a residual g, less its value, which may
change with time; the rate dg/dt; d²g/dt² at zero accelerations; and what a unit multiplier does: a wrench on the second
body and the opposite one on the first, or slopes dg/dq of joint coordinates.

The acceleration level is G a = gamma with gamma = -(d²g/dt² at zero accelerations). Gravity, which the recursions add
to the acceleration of every body and of ground alike, drops out of all differences.
"""

from __future__ import annotations

import numpy as np

from duoti.dynamics.tree.kinematics import poses_and_velocities
from duoti.elements.laws import law_value
from duoti.elements.markers import marker_acceleration, marker_point, marker_rotation, marker_velocities
from duoti.kernel import call_entry, cold_kernel, entry, helper, part, unpack
from duoti.model.equations.base import SLOPE, TERM_Q, TERM_V, VELOCITY_TERM
from duoti.spatial.algebra import (
    ZERO3,
    cross,
    force_to_child,
    get3,
    get_pose,
    get_spatial,
    put_spatial,
    scale,
    sub,
    to_parent,
    vadd,
    vsub,
)
from duoti.system.arrays import (
    ACCELERATION,
    ALPHA_A,
    ALPHA_B,
    DISTANCE,
    OMEGA_A,
    OMEGA_B,
    POINT,
    ROTATION_A,
    ROTATION_B,
    VELOCITY,
    Reals,
    Work,
)
from duoti.system.context import REAL_CONTEXT
from duoti.system.stages import EQUATIONS, JACOBIAN, computed, need_equations, need_poses, need_velocities

RESIDUALS, VELOCITIES, ALL = np.arange(3)  # levels of `closures`; whole numbers of NumPy, so that it is compiled once


@helper
def _put3(array, row, first, x):
    array[row, first], array[row, first + 1], array[row, first + 2] = x


@part
def closure_frames(loads, closures, w, level):
    """Geometry of both frames of each closure, and their motion as far as the level needs it; the rest is zero."""
    centre = get3(w.X_WB, 1, 9)
    x = w.frames
    for closure in range(closures.count):
        m_a, m_b = closures.markers[closure, 0], closures.markers[closure, 1]
        R_A, R_B = marker_rotation(loads, w, m_a), marker_rotation(loads, w, m_b)
        p_a, arm_a = marker_point(loads, w, m_a)
        p_b, arm_b = marker_point(loads, w, m_b)
        omega_a = omega_b = v_a = v_b = alpha_a = alpha_b = acc_a = acc_b = ZERO3
        if level >= VELOCITIES:
            omega_a, v_a = marker_velocities(loads, w, m_a, arm_a)
            omega_b, v_b = marker_velocities(loads, w, m_b, arm_b)
        if level >= ALL:
            alpha_a, acc_a = marker_acceleration(loads, w, m_a, arm_a, omega_a, v_a)
            alpha_b, acc_b = marker_acceleration(loads, w, m_b, arm_b, omega_b, v_b)
        for i in range(9):
            x[closure, ROTATION_A + i], x[closure, ROTATION_B + i] = R_A[i], R_B[i]
        _put3(x, closure, DISTANCE, sub(p_b, p_a))
        _put3(x, closure, POINT, sub(p_b, centre))
        _put3(x, closure, OMEGA_A, omega_a)
        _put3(x, closure, OMEGA_B, omega_b)
        _put3(x, closure, VELOCITY, sub(v_b, v_a))
        _put3(x, closure, ALPHA_A, alpha_a)
        _put3(x, closure, ALPHA_B, alpha_b)
        _put3(x, closure, ACCELERATION, sub(acc_b, acc_a))


@part
def evaluate_closures(loads, closures, w, q, v, level):
    """Residuals g (needs world_poses); from RATES on also rows and gdot (needs velocities); with ALL also gamma.

    gamma needs the accelerations w.A at zero accelerations. The values of rows that change with time must be up to
    date.
    """
    need_poses(w)
    if level >= VELOCITIES:
        need_velocities(w)
        computed(w, EQUATIONS)
    closure_frames(loads, closures, w, level)
    for n in range(closures.term_q.shape[0]):
        if closures.term_q[n] >= 0:
            w.terms[n, TERM_Q], w.terms[n, TERM_V] = q[closures.term_q[n]], v[closures.term_v[n]]
    for k in range(w.types.row.shape[0]):
        call_entry(w.types.row[k], w.types.equation_group[k])


@part
def closure_jacobian(tree, loads, closures, w):
    """G from the rows: the wrench of each row on the columns of the joints between its two bodies. Needs closures."""
    need_equations(w)
    computed(w, JACOBIAN)
    centre = get3(w.X_WB, 1, 9)
    S, G = w.S_W, w.G
    for b in range(1, tree.nb):
        R, p = get_pose(w.X_WB, b)
        X = (R, sub(p, centre))
        for i in range(tree.first[b], tree.first[b + 1]):
            (S[0, i], S[1, i], S[2, i]), (S[3, i], S[4, i], S[5, i]) = to_parent(X, get_spatial(w.H, i))
    for closure in range(closures.count):
        for r in range(closures.first[closure], closures.first[closure + 1]):
            k = closures.support[r]
            if closures.terms[r + 1] > closures.terms[r]:
                for n in range(k, closures.support[r + 1]):
                    G[n] = 0.0
                for n in range(closures.terms[r], closures.terms[r + 1]):
                    if closures.term_q[n] >= 0:
                        G[closures.term_at[n]] += w.terms[n, SLOPE]
                    else:
                        _velocity_term(tree, loads, closures, w, n, r)
                continue
            if tree.shared == 1:  # summed over the columns of each rate
                for n in range(k, closures.support[r + 1]):
                    w.dense_row[closures.support_dofs[n]] = 0.0
            (n0, n1, n2), (f0, f1, f2) = get_spatial(w.equation_wrench, r)
            a, b = loads.markers.body[closures.markers[closure, 0]], loads.markers.body[closures.markers[closure, 1]]
            while a != b:  # inward on both paths at once, the outermost first, as the rates of the row are listed
                here, sign = (a, -1.0) if a > b else (b, 1.0)
                for i in range(tree.first[here + 1] - 1, tree.first[here] - 1, -1):
                    x = sign * (S[0, i] * n0 + S[1, i] * n1 + S[2, i] * n2 + S[3, i] * f0 + S[4, i] * f1 + S[5, i] * f2)
                    if tree.shared == 0:
                        G[k] = x
                        k += 1
                    else:
                        w.dense_row[tree.rate[i]] += x
                if a > b:
                    a = tree.parent[a]
                else:
                    b = tree.parent[b]
            if tree.shared == 1:
                for n in range(k, closures.support[r + 1]):
                    G[n] = w.dense_row[closures.support_dofs[n]]


@helper
def _term_wrench(loads, w, m, component, size):
    """Wrench about the common centre of a force or torque of this size on marker m, along or about an axis."""
    axis = (1.0 * (component % 3 == 0), 1.0 * (component % 3 == 1), 1.0 * (component % 3 == 2))
    p, _ = marker_point(loads, w, m)
    vector = scale(size, axis)
    if component >= 3:
        return vector, scale(0.0, vector)
    return cross(sub(p, get3(w.X_WB, 1, 9)), vector), vector


@part
def _velocity_term(tree, loads, closures, w, n, r):
    """G of row r += slope times what each rate does to the velocity of a marker, term n."""
    code = -1 - closures.term_q[n]
    m = code // VELOCITY_TERM
    (n0, n1, n2), (f0, f1, f2) = _term_wrench(loads, w, m, code % VELOCITY_TERM, w.terms[n, SLOPE])
    S, k = w.S_W, closures.support[r]
    b = loads.markers.body[m]
    while b > 0:  # outermost first, as the rates of the row are listed
        for i in range(tree.first[b + 1] - 1, tree.first[b] - 1, -1):
            if tree.shared == 1:
                k = closures.support[r]
            while closures.support_dofs[k] != tree.rate[i]:
                k += 1
            w.G[k] += S[0, i] * n0 + S[1, i] * n1 + S[2, i] * n2 + S[3, i] * f0 + S[4, i] * f1 + S[5, i] * f2
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
                if closures.term_q[k] >= 0:
                    w.tau[closures.term_v[k]] += w.terms[k, SLOPE] * w.multipliers[r]
                    continue
                code, size = -1 - closures.term_q[k], w.terms[k, SLOPE] * w.multipliers[r]
                m = code // VELOCITY_TERM
                b = loads.markers.body[m]
                R, p = get_pose(w.X_WB, b)
                pushed = _term_wrench(loads, w, m, code % VELOCITY_TERM, size)
                wrench = force_to_child((R, sub(p, centre)), pushed)
                put_spatial(w.F_ext, b, vadd(get_spatial(w.F_ext, b), wrench))
            if closures.terms[r + 1] > closures.terms[r]:
                continue
            n, f = get_spatial(w.equation_wrench, r)
            total = vadd(total, (scale(w.multipliers[r], n), scale(w.multipliers[r], f)))
        for end in range(2):
            b = loads.markers.body[closures.markers[closure, end]]
            R, p = get_pose(w.X_WB, b)
            wrench = force_to_child((R, sub(p, centre)), total)
            if end == 1:
                put_spatial(w.F_ext, b, vadd(get_spatial(w.F_ext, b), wrench))
            else:
                put_spatial(w.F_ext, b, vsub(get_spatial(w.F_ext, b), wrench))


@part
def evaluate_values(tree, loads, closures, w):
    """Values of the rows that change with time, and their derivatives, at the time w.clock."""
    q, v = w.y[: tree.nq], w.y[tree.nq : tree.nq + tree.nv]
    for r in range(closures.rows):
        if closures.law[r, 0] >= 0:
            for k in range(3):
                if closures.law[r, k] >= 0:
                    w.values[r, k] = law_value(loads, w, closures.law[r, k], w.clock[0], q, v, 0.0, 0.0)
                else:  # a function that gave all three
                    w.values[r, k] = w.law_out[k]


@entry
def values_entry(context):
    """Entry: the same."""
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    evaluate_values(tree, loads, closures, w)


@part
def call_values(closures, w, t):
    """Bring the values of the rows up to date, through the entry."""
    if closures.timed == 1:
        w.clock[0] = t
        call_entry(w.calls[0].values, w.at[0].system)


@part
def closures_at(tree, loads, closures, w, t, q, v):
    """Residuals, their rates and the Jacobian in a state."""
    for i in range(tree.nq):  # laws of equations read the state from there
        w.y[i] = q[i]
    for i in range(tree.nv):
        w.y[tree.nq + i] = v[i]
    poses_and_velocities(tree, w, q, v)
    call_values(closures, w, t)
    evaluate_closures(loads, closures, w, q, v, VELOCITIES)
    closure_jacobian(tree, loads, closures, w)


@cold_kernel("i d d1 d1")
def closure_state_kernel(context, t, q, v):
    """The same of a packed workspace."""
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    closures_at(tree, loads, closures, w, t, q, v)


def closure_state(work: Work, t: float, q: Reals, v: Reals) -> None:
    """Residuals, their rates and the Jacobian in a state into `work.g`, `work.gdot` and `work.G`, from Python.

    Constraints that first-order states switch read these from `work.y`.
    """
    closure_state_kernel(work.at[0].system, float(t), q, v)
