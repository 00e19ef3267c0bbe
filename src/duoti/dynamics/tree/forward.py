"""Forward dynamics of a tree with its force elements, and inverse dynamics likewise."""

from duoti.dynamics.tree.aba import aba_inward, aba_outward
from duoti.dynamics.tree.body_laws import ELASTIC, call_bodies
from duoti.dynamics.tree.kinematics import calc_qdot, joint_sweep, poses_and_velocities, world_poses
from duoti.dynamics.tree.rnea import rnea_inward, rnea_outward, subtract_external
from duoti.dynamics.tree.states import ydot_beside_motion
from duoti.kernel import call_entry, entry, kernel, part, unpack
from duoti.spatial.algebra import ZERO6, put_spatial
from duoti.system.context import REAL_CONTEXT
from duoti.system.stages import need_poses, need_velocities

# Force elements: their wrenches on bodies, generalised forces in joints, energies and powers.


@kernel("tree loads work d d1 d1", "tree loads complex_work d D1 D1")
def force_state(tree, loads, w, t, q, v):
    """All force elements in a state, with the kinematics that they need."""
    poses_and_velocities(tree, w, q, v)
    call_forces(tree, loads, w, t, q, v)


@part
def call_forces(tree, loads, w, t, q, v):
    """All force elements in a state, through the entries of their types: F_ext, tau and powers.

    Needs world_poses and velocities. Without any element, tau and powers are zero, and F_ext is not touched.
    First-order states, if a law reads any, are those in w.y.
    """
    for i in range(tree.nv):
        w.tau[i] = 0.0
    for i in range(3):
        w.powers[i] = 0.0
    if loads.forces.count > 0:
        need_poses(w)
        need_velocities(w)
        for b in range(tree.nb):
            put_spatial(w.F_ext, b, ZERO6)
        w.clock[0] = t
        for i in range(tree.nq):
            w.y[i] = q[i]
        for i in range(tree.nv):
            w.y[tree.nq + i] = v[i]
        for g in range(w.types.force.shape[0]):
            call_entry(w.types.force[g], w.types.force_group[g])
    if tree.flexible > 0:
        call_bodies(tree, w, ELASTIC)


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
