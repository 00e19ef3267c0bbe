"""Force elements: their wrenches on bodies, generalised forces in joints, energies and powers."""

from __future__ import annotations

from duoti.dynamics.tree.body_laws import ELASTIC, call_bodies
from duoti.dynamics.tree.kinematics import poses_and_velocities
from duoti.kernel import call_entry, kernel, part
from duoti.spatial.algebra import ZERO6, put_spatial
from duoti.system.stages import need_poses, need_velocities


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
