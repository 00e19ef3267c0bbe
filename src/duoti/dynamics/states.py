"""First-order states z of controllers, motors, ...: their rates dz/dt = f(t, q, v, z), by the laws of the user."""

from __future__ import annotations

from duoti.elements.laws import law_value
from duoti.kernel import call_entry, entry, part, unpack
from duoti.system.arrays import STATES
from duoti.system.context import COMPLEX_CONTEXT, REAL_CONTEXT


@part
def evaluate_states(tree, loads, w):
    """Write the rates of z into w.ydot, in the state w.y at the time w.clock. Needs world_poses and velocities."""
    n = tree.nq + tree.nv
    q, v = w.y[: tree.nq], w.y[tree.nq : n]
    for i in range(tree.nz):
        w.ydot[n + i] = law_value(loads, w, loads.laws.state_law[i], w.clock[0], q, v, 0.0, 0.0)


@entry
def states_entry(context):
    """Entry: the rates of z in w.ydot, in the state w.y at the time w.clock; needs world_poses and velocities."""
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    evaluate_states(tree, loads, w)


@entry
def complex_states_entry(context):
    """The same for complex-step derivatives."""
    tree, loads, _, w = unpack(context, COMPLEX_CONTEXT)
    evaluate_states(tree, loads, w)


@part
def call_states(tree, w):
    """The rates of z, through their entry."""
    if tree.nz > 0:
        call_entry(w.entries[STATES], w.context[0])


@part
def rates_beside_motion(tree, w):
    """What w.ydot has behind the rates of q and v: those of z, and the powers whose integrals are the works."""
    call_states(tree, w)
    n = tree.nq + tree.nv + tree.nz
    w.ydot[n], w.ydot[n + 1] = w.powers[1], w.powers[2]
