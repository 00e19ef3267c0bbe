"""The equations of motion and of the closures in a state, as entries: compiled once for all that solve them.

    M a = f + G^T lambda,   G a = gamma,   g = 0,   dg/dt = 0

Constraint methods, event-driven contact, joint friction and the projection onto closed loops each solve them in their
own way. They call these entries by address, so that none of them contains the equations again.
"""

from duoti.dynamics.loops.constraints import ALL, VELOCITIES, call_values, closure_jacobian, evaluate_closures
from duoti.dynamics.tree.crba import packed_mass_matrix
from duoti.dynamics.tree.forward import call_forces
from duoti.dynamics.tree.kinematics import joint_sweep, poses_and_velocities, world_poses
from duoti.dynamics.tree.rnea import rnea_inward, rnea_outward, subtract_external
from duoti.kernel import call_entry, entry, helper, unpack
from duoti.spatial.algebra import ZERO6, put_spatial
from duoti.system.context import REAL_CONTEXT


@helper
def call_equations(context):
    """The entry below, from another one: before `unpack`, so that nothing has to be kept across the call."""
    _, _, _, w = unpack(context, REAL_CONTEXT)
    call_entry(w.calls[0].equations, context)


@entry
def equations_entry(context):
    """Entry: M, f (in w.a_free), G, gamma, g and dg/dt of the state w.y at the time w.clock.

    w.F_ext then holds the wrenches of the force elements; accelerations in w.ydot are zero.
    """
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    nq, nv, t = tree.nq, tree.nv, w.clock[0]
    q, v, a = w.y[:nq], w.y[nq : nq + nv], w.ydot[nq : nq + nv]
    joint_sweep(tree, w, q, v)
    for i in range(nv):
        a[i] = 0.0
    rnea_outward(tree, w, v, a)
    world_poses(tree, w)
    for b in range(tree.nb):
        put_spatial(w.F_ext, b, ZERO6)
    call_forces(tree, loads, w, t, q, v)
    if loads.forces.count > 0:
        subtract_external(tree, w, w.F)
    rnea_inward(tree, w, a, w.a_free)
    call_values(closures, w, t)
    evaluate_closures(loads, closures, w, q, v, ALL)
    closure_jacobian(tree, loads, closures, w)
    packed_mass_matrix(tree, w)
    for i in range(nv):
        w.a_free[i] = w.tau[i] - w.a_free[i]


@entry
def constraints_entry(context):
    """Entry: M, G, g and dg/dt of the state w.y, with the values of rows as they are; no forces, no accelerations."""
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    q, v = w.y[: tree.nq], w.y[tree.nq : tree.nq + tree.nv]
    poses_and_velocities(tree, w, q, v)
    evaluate_closures(loads, closures, w, q, v, VELOCITIES)
    closure_jacobian(tree, loads, closures, w)
    packed_mass_matrix(tree, w)
