"""Forward dynamics of a tree with its force elements, and inverse dynamics likewise."""

from __future__ import annotations

from duoti.dynamics.tree.aba import aba_inward, aba_outward
from duoti.dynamics.tree.applied_forces import call_forces
from duoti.dynamics.tree.kinematics import calc_qdot, joint_sweep, world_poses
from duoti.dynamics.tree.rnea import rnea_inward, rnea_outward, subtract_external
from duoti.dynamics.tree.states import ydot_beside_motion
from duoti.kernel import entry, kernel, part, unpack
from duoti.system.context import REAL_CONTEXT


@part
def accelerate(tree, loads, w, t, q, v, a):
    """Accelerations at an instant; also leaves V, X_WB (with force elements or states), tau, F_ext and powers in w."""
    joint_sweep(tree, w, q, v)
    aba_outward(tree, w, v)
    if loads.forces.count > 0 or tree.nz > 0:
        world_poses(tree, w)
    call_forces(tree, loads, w, t, q, v)
    if loads.forces.count > 0:
        subtract_external(tree, w, w.P)
    aba_inward(tree, w, w.tau, a)


@kernel("tree loads work d d1 d1 d1", "tree loads complex_work d D1 D1 D1")
def forward_dynamics(tree, loads, w, t, q, v, a):
    """The same for callers in Python."""
    accelerate(tree, loads, w, t, q, v, a)


@kernel("tree loads work d d1 d1 d1 d1", "tree loads complex_work d D1 D1 D1 D1")
def inverse_dynamics(tree, loads, w, t, q, v, a, tau):
    """Generalised forces that must act beside the force elements for the accelerations a: tau = M a + h - tau_forces.

    Leaves in w.F the wrench through each inboard joint.
    """
    joint_sweep(tree, w, q, v)
    rnea_outward(tree, w, v, a)
    world_poses(tree, w)
    call_forces(tree, loads, w, t, q, v)
    if loads.forces.count > 0:
        subtract_external(tree, w, w.F)
    rnea_inward(tree, w, a, tau)
    for i in range(tree.nv):
        tau[i] -= w.tau[i]


@entry
def ydot_entry(context):
    """Entry: w.ydot, the derivatives of the state w.y at the time w.clock."""
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    nq, nv = tree.nq, tree.nv
    q, v = w.y[:nq], w.y[nq : nq + nv]
    accelerate(tree, loads, w, w.clock[0], q, v, w.ydot[nq : nq + nv])
    calc_qdot(tree, q, v, w.ydot[:nq])
    ydot_beside_motion(tree, w)
