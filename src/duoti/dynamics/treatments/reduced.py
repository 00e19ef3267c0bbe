"""Motion in the directions N that the closures leave free, for `CoordinatePartitioning` and `NullSpace`:

    N^T M N du/dt = N^T (f - M a_p),   a = N du/dt + a_p,   G^T lambda = M a - f.                           (1)

Both use these entries; a positive CONDITION among the numbers of the treatment tells the first one.
"""

from __future__ import annotations

from duoti.dynamics.closures import RATES, RESIDUALS, add_closure_wrenches, call_values, closure_jacobian, closures
from duoti.dynamics.constrained import NEWTON_STEPS, constrained_dynamics, largest
from duoti.dynamics.dense import solve_positive
from duoti.dynamics.kinematics import joint_sweep, position_rates, unit_quaternions, velocities, world_poses
from duoti.dynamics.states import rates_beside_motion
from duoti.dynamics.treatments.coordinate_partitioning import (
    factor_partition,
    partition_basis,
    partition_multipliers,
    solve_partition,
)
from duoti.dynamics.treatments.null_space import (
    factor_null_space,
    null_space_basis,
    null_space_multipliers,
    solve_null_space,
)
from duoti.dynamics.treatments.scaled import (
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
from duoti.kernel import entry, part, unpack
from duoti.system.arrays import CONDITION, RANK
from duoti.system.context import DENSE_CONTEXT, REAL_CONTEXT


@part
def _factor(tree, links, w, d):
    if w.treatment[CONDITION] > 0.0:
        factor_partition(tree, links, w, d)
    else:
        factor_null_space(tree, links, w, d)


@part
def _solve(tree, links, w, d, right, x):
    if w.treatment[CONDITION] > 0.0:
        solve_partition(tree, links, w, d, right, x)
    else:
        solve_null_space(tree, links, w, d, right, x)


@part
def _reduced_motion(tree, w, d, a):
    """(1): accelerations, and the forces of the closures in d.vectors[FORCE]. Needs N, M' and a_p."""
    nv = tree.nv
    n = nv - int(w.treatment[RANK])
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
        s = unit[i] * w.free[i]
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
def _correct(tree, loads, links, w, d, q, v, positions):
    """Move positions (if asked) and then rates until the closures hold, with the factors at hand; 1 if they do."""
    closed = 1
    for step in range(NEWTON_STEPS + 1):
        joint_sweep(tree, w, q, v)
        world_poses(tree, w)
        if positions == 0:
            break
        closures(loads, links, w, q, v, RESIDUALS)
        if largest(w.g) <= links.tolerance:
            break
        if step == NEWTON_STEPS:
            closed = 0
            break
        for r in range(links.rows):
            w.right[r] = -w.g[r]
        _solve(tree, links, w, d, w.right, w.free)
        position_rates(tree, q, w.free, w.ydot[: tree.nq])
        for i in range(tree.nq):
            q[i] += w.ydot[i]
        unit_quaternions(tree, q)
    for step in range(NEWTON_STEPS + 1):
        velocities(tree, w, v)
        closures(loads, links, w, q, v, RATES)
        if largest(w.gdot) <= links.tolerance * max(largest(v), 1.0):
            break
        if step == NEWTON_STEPS:
            closed = 0
            break
        for r in range(links.rows):
            w.right[r] = -w.gdot[r]
        _solve(tree, links, w, d, w.right, w.free)
        for i in range(tree.nv):
            v[i] += w.free[i]
    return closed


@part
def _complete(tree, loads, links, w, d, q, v):
    """The same; with new factors if the old ones do not suffice."""
    positions = 1 if w.treatment[CONDITION] > 0.0 else 0
    if _correct(tree, loads, links, w, d, q, v, positions) == 0:
        closure_jacobian(tree, loads, links, w)
        _factor(tree, links, w, d)
        _correct(tree, loads, links, w, d, q, v, positions)


@entry
def reduced_rates_entry(context):
    """Entry: w.ydot, the rates of the state w.y at the time w.clock."""
    tree, loads, links, w = unpack(context, REAL_CONTEXT)
    (d,) = unpack(w.context[1], DENSE_CONTEXT)
    nq, nv = tree.nq, tree.nv
    q, v, a = w.y[:nq], w.y[nq : nq + nv], w.ydot[nq : nq + nv]
    if w.treatment[CONDITION] > 0.0 and w.treatment[RANK] >= 0.0:
        call_values(links, w, w.clock[0])
        _complete(tree, loads, links, w, d, q, v)
    constrained_dynamics(tree, loads, links, w, w.clock[0], q, v, a, 0)
    scale_equations(tree, loads, links, w, d)
    _factor(tree, links, w, d)
    _solve(tree, links, w, d, w.gamma, d.vectors[PARTICULAR])
    if w.treatment[CONDITION] > 0.0:
        partition_basis(tree, w, d)
        _reduced_motion(tree, w, d, a)
        partition_multipliers(links, w, d)
    else:
        null_space_basis(tree, w, d)
        _reduced_motion(tree, w, d, a)
        null_space_multipliers(tree, links, w, d)
    add_closure_wrenches(loads, links, w)
    position_rates(tree, q, v, w.ydot[:nq])
    rates_beside_motion(tree, w)


@entry
def reduced_project_entry(context):
    """Entry: dependent positions and rates of the state w.y; for `NullSpace` only the rates."""
    tree, loads, links, w = unpack(context, REAL_CONTEXT)
    (d,) = unpack(w.context[1], DENSE_CONTEXT)
    nq, nv = tree.nq, tree.nv
    call_values(links, w, w.clock[0])
    _complete(tree, loads, links, w, d, w.y[:nq], w.y[nq : nq + nv])
