"""Rates of a model in which nothing can move: first-order states, laws and bond graphs by themselves."""

from __future__ import annotations

import numpy as np

from duoti.dynamics.tree.applied_forces import call_forces
from duoti.dynamics.tree.kinematics import poses_and_velocities
from duoti.dynamics.tree.states import ydot_beside_motion
from duoti.kernel import entry, unpack
from duoti.system.arrays import Loads, Tree
from duoti.system.context import COMPLEX_CONTEXT, REAL_CONTEXT


def stands_still(tree: Tree) -> bool:
    """Whether all bodies are fixed to ground."""
    return tree.nv == 0 and not tree.flexible


def only_graph_states(loads: Loads) -> bool:
    """Whether all first-order states belong to bond graphs, which write their rates with their forces."""
    return not np.any(loads.laws.state_law >= 0)


@entry
def static_ydot_entry(context):
    """Entry: w.ydot, the derivatives of the state w.y at the time w.clock; leaves X_WB, V, F_ext and powers."""
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    q, v, last = w.y[:0], w.y[:0], tree.nb - 1
    if not w.X_WB[last, 0] ** 2 + w.X_WB[last, 1] ** 2 + w.X_WB[last, 2] ** 2 > 0.5:  # a new workspace: no rotation yet
        poses_and_velocities(tree, w, q, v)
    call_forces(tree, loads, w, w.clock[0], q, v)
    ydot_beside_motion(tree, w)


@entry
def no_states_entry(context):
    """Entry STATES of a system whose states all belong to bond graphs."""
    unpack(context, REAL_CONTEXT)


@entry
def complex_no_states_entry(context):
    """The same for complex-step derivatives."""
    unpack(context, COMPLEX_CONTEXT)
