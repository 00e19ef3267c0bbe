"""Force elements: their wrenches on bodies, generalised forces in joints, energies and powers."""

from __future__ import annotations

from duoti.dynamics.kinematics import joint_sweep, velocities, world_poses
from duoti.kernel import call_entry, entry, kernel, part, unpack
from duoti.model.forces import apply_force
from duoti.spatial.algebra import ZERO6, put_spatial
from duoti.system.arrays import FORCES
from duoti.system.context import COMPLEX_CONTEXT, REAL_CONTEXT


@part
def apply_forces(tree, loads, w, t, q, v):
    """Evaluate all force elements; writes F_ext, tau, force_powers and powers. Needs world_poses and velocities."""
    for i in range(tree.nv):
        w.tau[i] = 0.0
    for i in range(3):
        w.powers[i] = 0.0
    for b in range(tree.nb):
        put_spatial(w.F_ext, b, ZERO6)
    for f in range(loads.count):
        potential, supplied, dissipated = apply_force(loads.kind[f], f, t, q, v, loads, w)
        w.force_powers[f, 0], w.force_powers[f, 1], w.force_powers[f, 2] = potential, supplied, dissipated
        w.powers[0] += potential
        w.powers[1] += supplied
        w.powers[2] += dissipated


@entry
def forces_entry(context):
    """Entry: the force elements in the state w.y at the time w.clock."""
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    apply_forces(tree, loads, w, w.clock[0], w.y[: tree.nq], w.y[tree.nq : tree.nq + tree.nv])


@entry
def complex_forces_entry(context):
    """The same for complex-step derivatives."""
    tree, loads, _, w = unpack(context, COMPLEX_CONTEXT)
    apply_forces(tree, loads, w, w.clock[0], w.y[: tree.nq], w.y[tree.nq : tree.nq + tree.nv])


@kernel
def force_state(tree, loads, w, t, q, v):
    """All force elements in a state, with the kinematics that they need."""
    joint_sweep(tree, w, q, v)
    velocities(tree, w, v)
    world_poses(tree, w)
    call_forces(tree, loads, w, t, q, v)


@part
def call_forces(tree, loads, w, t, q, v):
    """The force elements in a state, through their entry; without any, zero tau and powers (F_ext is not touched).

    First-order states, if a law reads any, are those in w.y.
    """
    if loads.count > 0:
        w.clock[0] = t
        for i in range(tree.nq):
            w.y[i] = q[i]
        for i in range(tree.nv):
            w.y[tree.nq + i] = v[i]
        call_entry(w.entries[FORCES], w.context[0])
    else:
        for i in range(tree.nv):
            w.tau[i] = 0.0
        for i in range(3):
            w.powers[i] = 0.0
