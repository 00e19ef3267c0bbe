"""Forward dynamics of a tree with its force elements, and inverse dynamics likewise."""

from __future__ import annotations

from duoti.dynamics.aba import aba_inward, aba_outward
from duoti.dynamics.kinematics import joint_sweep, world_poses
from duoti.dynamics.loads import apply_forces
from duoti.dynamics.rnea import rnea_inward, rnea_outward, subtract_external
from duoti.kernel import kernel


@kernel
def forward_dynamics(tree, loads, w, t, q, v, a):
    """Accelerations at an instant; also leaves V, X_WB (with force elements), tau, F_ext and powers in w."""
    joint_sweep(tree, w, q, v)
    aba_outward(tree, w, v)
    if loads.count > 0:
        world_poses(tree, w)
        apply_forces(tree, loads, w, t, q, v)
        subtract_external(tree, w, w.P)
    else:
        for i in range(tree.nv):
            w.tau[i] = 0.0
        for i in range(3):
            w.powers[i] = 0.0
    aba_inward(tree, w, w.tau, a)


@kernel
def inverse_dynamics(tree, loads, w, t, q, v, a, tau):
    """Generalised forces that must act beside the force elements for the accelerations a: tau = M a + h - tau_forces.

    Leaves in w.F the wrench through each inboard joint.
    """
    joint_sweep(tree, w, q, v)
    rnea_outward(tree, w, v, a)
    world_poses(tree, w)
    apply_forces(tree, loads, w, t, q, v)
    subtract_external(tree, w, w.F)
    rnea_inward(tree, w, tau)
    for i in range(tree.nv):
        tau[i] -= w.tau[i]
