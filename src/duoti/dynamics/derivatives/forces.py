"""Derivatives of the force elements and of the rates of first-order states, by position, velocity and these states."""

import numpy as np

from duoti.elements.laws import add_law_gradient
from duoti.kernel import call_entry, entry, part, unpack
from duoti.system.context import REAL_CONTEXT, TANGENT_CONTEXT
from duoti.system.stages import need_tangent, need_velocities


@part
def call_force_derivatives(tree, loads, w):
    """K, C, Z -= derivatives of what the force elements do; Fq, Fv, Fz, those of the rates of first-order states.

    Through the entries of the types, in the state w.y at the time w.clock. Needs world_poses, velocities and
    tangent_kinematics.
    """
    if loads.forces.count > 0:
        need_velocities(w)
        need_tangent(w)
        for g in range(w.types.force_tangent.shape[0]):
            call_entry(w.types.force_tangent[g], w.types.force_group[g])
    if tree.nz > 0:
        call_entry(w.calls[0].state_tangents, w.at[0].system)


@part
def state_tangents(tree, loads, w, tan, path):
    """Fq, Fv, Fz in the state w.y at the time w.clock."""
    t, q, v = w.clock[0], w.y[: tree.nq], w.y[tree.nq : tree.nq + tree.nv]
    for k in range(tree.nz):
        if loads.laws.state_law[k] < 0:
            continue  # of a bond graph, written with the derivatives of its forces
        for i in range(tree.nv):
            tan.Fq[k, i] = tan.Fv[k, i] = 0.0
        for i in range(tree.nz):
            tan.Fz[k, i] = 0.0
        law = loads.laws.state_law[k]
        add_law_gradient(tree, loads, w, tan, path, law, np.int64(0), t, q, v, 0.0, 0.0, 1.0, tan.Fq, tan.Fv, tan.Fz, k)


@entry
def state_tangents_entry(context):
    """Entry: the same."""
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    tan, path = unpack(w.at[0].tangent, TANGENT_CONTEXT)
    state_tangents(tree, loads, w, tan, path)
