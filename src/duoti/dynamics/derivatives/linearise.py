"""All derivatives of the equations of motion at an instant.

    r(q, v, a, lambda, z, t) = M a + h - (what the force elements do) - G^T lambda
    K = dr/d delta,  C = dr/dv,  M = dr/da,  Z = dr/dz,  -G^T = dr/d lambda,  Gq = d(G v + dg/dt at rest)/d delta,
    Fq, Fv, Fz = d(dz/dt)/d(delta, v, z)

Positions are displaced by tangent vectors delta, which have the meaning of a velocity (`system.tangent_arrays`).
"""

from duoti.dynamics.derivatives.constraints import add_closure_derivatives
from duoti.dynamics.derivatives.displacements import tangent_kinematics
from duoti.dynamics.derivatives.forces import call_force_derivatives
from duoti.dynamics.derivatives.rnea import inertial_derivatives
from duoti.dynamics.loops.constraints import VELOCITIES, call_values, closure_jacobian, evaluate_closures
from duoti.dynamics.tree.body_laws import EXTERNAL, call_bodies
from duoti.dynamics.tree.kinematics import poses_and_velocities
from duoti.kernel import entry, part, unpack
from duoti.system.context import REAL_CONTEXT, TANGENT_CONTEXT


@part
def clear(tree, tan):
    """Zeros where recursions write nothing but force elements and closures add: in K, C and Z."""
    for i in range(tree.nv):
        if tan.column.shape[0] > 0:
            for k in range(tan.start[i], tan.start[i + 1]):
                tan.K[i, tan.column[k]] = tan.C[i, tan.column[k]] = 0.0
        else:
            for j in range(tree.nv):
                tan.K[i, j] = tan.C[i, j] = 0.0
        for j in range(tree.nz):
            tan.Z[i, j] = 0.0


@part
def force_and_closure_derivatives(tree, loads, closures, w, tan, path, q, v):
    """Add what force elements and closures do, at the time w.clock. Needs tangent_kinematics and equations of w."""
    call_force_derivatives(tree, loads, w)
    if closures.rows > 0:
        add_closure_derivatives(tree, loads, closures, w, tan, path, q, v)


@part
def linearise(tree, loads, closures, w, tan, path, t, q, v, a):
    """K, C, M, Z, Gq and w.G for the multipliers w.multipliers. q and v are the parts of w.y, t is w.clock[0]."""
    poses_and_velocities(tree, w, q, v)
    tangent_kinematics(tree, w, tan, v)
    clear(tree, tan)
    inertial_derivatives(tree, w, tan, v, a)
    if closures.rows > 0:
        call_values(closures, w, t)
        evaluate_closures(loads, closures, w, q, v, VELOCITIES)
        closure_jacobian(tree, loads, closures, w)
    force_and_closure_derivatives(tree, loads, closures, w, tan, path, q, v)
    if tree.flexible > 0:
        call_bodies(tree, w, EXTERNAL)


@entry
def linearise_entry(context):
    """Entry: K, C, M, Z, Gq and w.G in the state w.y at the time w.clock.

    Accelerations are in w.ydot[nq : nq + nv], multipliers in w.multipliers.
    """
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    tan, path = unpack(w.at[0].tangent, TANGENT_CONTEXT)
    nq, nv = tree.nq, tree.nv
    q, v = w.y[:nq], w.y[nq : nq + nv]
    linearise(tree, loads, closures, w, tan, path, w.clock[0], q, v, w.ydot[nq : nq + nv])
