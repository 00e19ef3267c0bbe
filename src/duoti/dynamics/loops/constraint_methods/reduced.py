"""Motion in the directions N that the closures leave free, for `CoordinatePartitioning` and `NullSpace`:

    N^T M N du/dt = N^T (f - M a_p),   a = N du/dt + a_p,   G^T lambda = M a - f.                           (1)

Both use these entries; a positive `condition` among the settings of the constraint method tells the first one.
"""

from duoti.dynamics.loops.constrained import largest, solve_equations
from duoti.dynamics.loops.constraint_methods.coordinate_partitioning import (
    WITHIN_STEP,
    factor_partition,
    partition_growth,
    partition_multipliers,
    solve_partition,
)
from duoti.dynamics.loops.constraint_methods.null_space import (
    factor_null_space,
    null_space_basis,
    null_space_multipliers,
    solve_null_space,
)
from duoti.dynamics.loops.constraint_methods.scaled import (
    BASIS,
    FORCE,
    MASS,
    PARTICULAR,
    PRODUCT,
    REDUCED,
    UNIT,
    X,
    scale_equations,
)
from duoti.dynamics.loops.constraints import (
    RESIDUALS,
    VELOCITIES,
    add_closure_wrenches,
    call_values,
    closure_jacobian,
    evaluate_closures,
)
from duoti.dynamics.loops.dense import solve_positive
from duoti.dynamics.loops.factors import least_independence, near_singular
from duoti.dynamics.loops.projection import NEWTON_STEPS, leave_singular
from duoti.dynamics.tree.crba import packed_mass_matrix
from duoti.dynamics.tree.kinematics import calc_qdot, joint_sweep, unit_quaternions, velocities, world_poses
from duoti.dynamics.tree.states import ydot_beside_motion
from duoti.kernel import call_entry, entry, part, unpack
from duoti.system.context import DENSE_CONTEXT, REAL_CONTEXT

APPROACH = 0.05  # independence of the rows below which `NullSpace` closes positions too: open loops miss their motion


@part
def _factor(tree, closures, w, d):
    if w.method[0].condition > 0.0:
        factor_partition(tree, closures, w, d, WITHIN_STEP * w.method[0].condition)
    else:
        factor_null_space(tree, closures, w, d)


@part
def _solve(tree, closures, w, d, right, x):
    if w.method[0].condition > 0.0:
        solve_partition(tree, closures, w, d, right, x)
    else:
        solve_null_space(tree, closures, w, d, right, x)


@part
def _reduced_motion(tree, w, d, a):
    """(1): accelerations, and the forces of the closures in d.vectors[FORCE]. Needs N, M' and a_p."""
    nv = tree.nv
    n = nv - w.loops[0].rank
    M, N, MN, small = d.matrices[MASS], d.matrices[BASIS], d.matrices[PRODUCT], d.matrices[REDUCED]
    p, u, force, unit = d.vectors[PARTICULAR], d.vectors[X], d.vectors[FORCE], d.vectors[UNIT]
    for i in range(nv):
        p[i] /= unit[i]
        for j in range(n):
            MN[i, j] = 0.0
        for k in range(nv):
            if M[i, k] != 0.0:
                for j in range(n):
                    MN[i, j] += M[i, k] * N[k, j]
    for i in range(nv):
        s = unit[i] * w.a_free[i]
        for k in range(nv):
            s -= M[i, k] * p[k]
        force[i] = -s  # M a_p - f
    for i in range(n):
        u[i] = 0.0
        for k in range(nv):
            u[i] -= N[k, i] * force[k]
        for j in range(i + 1):
            s = 0.0
            for k in range(nv):
                s += N[k, i] * MN[k, j]
            small[i, j] = s
    solve_positive(small, n, u)
    for i in range(nv):
        s = p[i]
        for j in range(n):
            s += N[i, j] * u[j]
            force[i] += MN[i, j] * u[j]
        a[i] = unit[i] * s


@part
def _correct(tree, loads, closures, w, d, q, v, positions):
    """Move positions (if asked) and then rates until the closures hold, with the factors at hand; 1 if they do."""
    closed = 1
    for step in range(NEWTON_STEPS + 1):
        joint_sweep(tree, w, q, v)
        world_poses(tree, w)
        if positions == 0:
            break
        evaluate_closures(loads, closures, w, q, v, RESIDUALS)
        if largest(w.g) <= closures.tolerance:
            break
        if step == NEWTON_STEPS:
            closed = 0
            break
        for r in range(closures.rows):
            w.rhs[r] = -w.g[r]
        _solve(tree, closures, w, d, w.rhs, w.a_free)
        calc_qdot(tree, q, w.a_free, w.ydot[: tree.nq])
        for i in range(tree.nq):
            q[i] += w.ydot[i]
        unit_quaternions(tree, q)
    for step in range(NEWTON_STEPS + 1):
        velocities(tree, w, v)
        evaluate_closures(loads, closures, w, q, v, VELOCITIES)
        if largest(w.gdot) <= closures.tolerance * max(largest(v), 1.0):
            break
        if step == NEWTON_STEPS:
            closed = 0
            break
        for r in range(closures.rows):
            w.rhs[r] = -w.gdot[r]
        _solve(tree, closures, w, d, w.rhs, w.a_free)
        for i in range(tree.nv):
            v[i] += w.a_free[i]
    return closed


@part
def _restore(tree, q, v, kept):
    for i in range(tree.nq):
        q[i] = kept[i]
    for i in range(tree.nv):
        v[i] = kept[tree.nq + i]


@part
def _complete(tree, loads, closures, w, d, q, v):
    """The same; with new factors if the old ones do not suffice. A state that does not close is left as it was."""
    positions = 1 if w.method[0].condition > 0.0 or least_independence(closures, w) < APPROACH else 0
    kept = w.kept
    for i in range(tree.nq):
        kept[i] = q[i]
    for i in range(tree.nv):
        kept[tree.nq + i] = v[i]
    if _correct(tree, loads, closures, w, d, q, v, positions) == 0:
        _restore(tree, q, v, kept)
        call_entry(w.calls[0].constraints, w.at[0].system)
        scale_equations(tree, loads, closures, w, d)
        if near_singular(w):
            leave_singular(tree, loads, closures, w, q, v)
            return
        _factor(tree, closures, w, d)
        if _correct(tree, loads, closures, w, d, q, v, positions) == 0:
            _restore(tree, q, v, kept)


@entry
def reduced_ydot_entry(context):
    """Entry: w.ydot, the derivatives of the state w.y at the time w.clock."""
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    (d,) = unpack(w.at[0].dense, DENSE_CONTEXT)
    nq, nv = tree.nq, tree.nv
    q, v, a = w.y[:nq], w.y[nq : nq + nv], w.ydot[nq : nq + nv]
    if w.method[0].condition > 0.0 and w.loops[0].rank >= 0 and not near_singular(w):
        call_values(closures, w, w.clock[0])
        _complete(tree, loads, closures, w, d, q, v)
    call_entry(w.calls[0].equations, context)
    scale_equations(tree, loads, closures, w, d)
    if near_singular(w):  # nothing is gained by directions that are about to change
        call_entry(w.calls[0].equations, context)
        solve_equations(tree, loads, closures, w, a)
        call_entry(w.calls[0].pass_singular, context)
        calc_qdot(tree, q, v, w.ydot[:nq])
        ydot_beside_motion(tree, w)
        return
    _factor(tree, closures, w, d)
    _solve(tree, closures, w, d, w.gamma, d.vectors[PARTICULAR])
    if w.method[0].condition > 0.0:
        _reduced_motion(tree, w, d, a)
        partition_multipliers(closures, w, d)
    else:
        null_space_basis(tree, w, d)
        _reduced_motion(tree, w, d, a)
        null_space_multipliers(tree, closures, w, d)
    add_closure_wrenches(loads, closures, w)
    calc_qdot(tree, q, v, w.ydot[:nq])
    ydot_beside_motion(tree, w)


@entry
def reduced_project_entry(context):
    """Entry: dependent positions and derivatives of the state w.y; for `NullSpace` only the rates."""
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    (d,) = unpack(w.at[0].dense, DENSE_CONTEXT)
    nq, nv = tree.nq, tree.nv
    q, v = w.y[:nq], w.y[nq : nq + nv]
    call_values(closures, w, w.clock[0])
    if near_singular(w):
        leave_singular(tree, loads, closures, w, q, v)
    elif w.loops[0].rank >= 0:
        _complete(tree, loads, closures, w, d, q, v)
        condition = w.method[0].condition
        if condition > 0.0 and partition_growth(tree, w, d) > condition:  # N of the last stage
            closure_jacobian(tree, loads, closures, w)
            packed_mass_matrix(tree, w)
            scale_equations(tree, loads, closures, w, d)
            if not near_singular(w):
                factor_partition(tree, closures, w, d, condition)
