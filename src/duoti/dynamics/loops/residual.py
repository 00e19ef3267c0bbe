"""The equations of motion as residuals, for the implicit methods: nothing is solved, so nothing can be singular.

    r = M(q) a + h(q, v, t) - tau_forces - G^T lambda,    g(q, t),    dg/dt = G v + g_t,    dz/dt = f(...)

One pass of the recursive Newton-Euler algorithm with the wrenches of the force elements and of the closures.
"""

from duoti.dynamics.loops.constraints import (
    VELOCITIES,
    add_closure_wrenches,
    call_values,
    closure_jacobian,
    evaluate_closures,
)
from duoti.dynamics.tree.forward import call_forces
from duoti.dynamics.tree.kinematics import joint_sweep, world_poses
from duoti.dynamics.tree.rnea import rnea_inward, rnea_outward, subtract_external
from duoti.dynamics.tree.states import call_states
from duoti.kernel import entry, part, unpack
from duoti.spatial.algebra import ZERO6, put_spatial
from duoti.system.context import REAL_CONTEXT


@entry
def residual_entry(context):
    """Entry: residuals in the state w.y at the time w.clock, for w.ydot's rates of v and the multipliers w.multipliers.

    Writes r into w.free, w.g and w.gdot, the rates of z into w.ydot, w.G, and the powers of the force elements and of
    prescribed motions.
    """
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    put_loads(tree, loads, closures, w)
    balance(tree, w)


@part
def put_loads(tree, loads, closures, w):
    """Forces that keep each body moving as it does in w.F, those that act on it in w.F_ext and w.tau."""
    nq, nv = tree.nq, tree.nv
    q, v, a = w.y[:nq], w.y[nq : nq + nv], w.ydot[nq : nq + nv]
    joint_sweep(tree, w, q, v)
    rnea_outward(tree, w, v, a)
    world_poses(tree, w)
    if loads.forces.count == 0:  # others are cleared with the forces
        for b in range(tree.nb):
            put_spatial(w.F_ext, b, ZERO6)
    call_forces(tree, loads, w, w.clock[0], q, v)
    call_states(tree, w)
    if closures.rows > 0:
        call_values(closures, w, w.clock[0])
        evaluate_closures(loads, closures, w, q, v, VELOCITIES)
        closure_jacobian(tree, loads, closures, w)
        add_closure_wrenches(loads, closures, w)


@part
def balance(tree, w):
    """w.F, wrenches through the joints, and in w.a_free what is left over in each rate."""
    nq, nv = tree.nq, tree.nv
    subtract_external(tree, w, w.F)
    rnea_inward(tree, w, w.ydot[nq : nq + nv], w.a_free)
    for i in range(nv):
        w.a_free[i] -= w.tau[i]
