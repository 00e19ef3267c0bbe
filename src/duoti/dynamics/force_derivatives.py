"""Derivatives of the force elements and of the rates of first-order states, by position, velocity and these states."""

from __future__ import annotations

from duoti.kernel import call_entry, entry, part, unpack
from duoti.model.forces import force_tangent
from duoti.model.forces.base import line_change
from duoti.model.law_gradient import STATE_RATES, call_gradient, ordered_gradient
from duoti.model.pairs import DONE, LINE, add_pair, add_rank_one
from duoti.spatial.algebra import ZERO6
from duoti.system.arrays import FORCE_TANGENTS
from duoti.system.context import REAL_CONTEXT, TANGENT_CONTEXT


@part
def add_force_derivatives(tree, loads, w, tan, path, t, q, v):
    """K, C, Z -= derivatives of what the force elements do. Needs world_poses, velocities and tangent_kinematics."""
    for f in range(loads.count):
        todo = force_tangent(loads.kind[f], f, t, q, v, tree, loads, w, tan, path)
        unit = ZERO6
        if todo == LINE:
            unit = line_change(tree, loads, w, tan, path)
        if todo != DONE:
            add_pair(tree, tan, path)
        if todo == LINE and path.order[2] == 1:
            add_rank_one(tree, tan, path, path.order[0], unit)


@part
def state_derivatives(tree, loads, w, tan, path):
    """Fq, Fv, Fz: derivatives of the rates of the first-order states. Needs the same."""
    for k in range(tree.nz):
        for i in range(tree.nv):
            tan.Fq[k, i] = tan.Fv[k, i] = 0.0
        for i in range(tree.nz):
            tan.Fz[k, i] = 0.0
        call_gradient(w, path, loads.state_law[k], 0, 0.0, 0.0, 1.0, STATE_RATES, k)


@entry
def force_tangents_entry(context):
    """Entry: the same in the state w.y at the time w.clock."""
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    tan, path = unpack(w.context[2], TANGENT_CONTEXT)
    q, v = w.y[: tree.nq], w.y[tree.nq : tree.nq + tree.nv]
    add_force_derivatives(tree, loads, w, tan, path, w.clock[0], q, v)
    state_derivatives(tree, loads, w, tan, path)


@entry
def law_gradient_entry(context):
    """Entry: derivatives of a law, as `duoti.model.law_gradient.call_gradient` wants them."""
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    tan, path = unpack(w.context[2], TANGENT_CONTEXT)
    ordered_gradient(tree, loads, w, tan, path, w.clock[0], w.y[: tree.nq], w.y[tree.nq : tree.nq + tree.nv])


@part
def call_force_derivatives(tree, loads, w):
    """The derivatives of force elements and states through their entry, in the state w.y at the time w.clock."""
    if loads.count > 0 or tree.nz > 0:
        call_entry(w.entries[FORCE_TANGENTS], w.context[0])
