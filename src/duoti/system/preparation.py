"""What is done to a model before it is compiled: a copy of its own, and the choice of the tree."""

from __future__ import annotations

import copy
from collections.abc import Sequence

from duoti.model.cuts import cut_weights, needed_joints
from duoti.model.model import Model
from duoti.topology import Topology, topology

MANY_LOOPS = 4  # from here on a shallow tree is worth the search for it


def own_copy(model: Model) -> Model:
    """A copy, so that what the user changes later does not reach the system; functions stay the user's own."""
    values = [value for force in model.forces.values() for _, value, _, _ in force.values()]
    values += [event.value for event in model.events.values()] + [state.rate for state in model.states.values()]
    values += [row.value for constraint in model.constraints.values() for row in constraint.rows()]
    keep = {id(x): x for value in values for x in (value, getattr(value, "function", None)) if callable(x)}
    return copy.deepcopy(model, keep)


def relative_tree(model: Model, cut: str, force_cut: Sequence[str], forbid_cut: Sequence[str]) -> Topology:
    """The tree by weights, or, if there are many loops and the user did not choose, the cheapest one."""
    topo = topology(model, weights=cut_weights(model), force_cut=force_cut, forbid_cut=forbid_cut)
    if cut == "cheapest" or (cut == "auto" and topo.loop_count >= MANY_LOOPS and not force_cut):
        kept = {name for name in needed_joints(model) if name not in topo.cut_joints}
        kept |= {name for name, element in model.joints.items() if element.q0 is not None or element.v0 is not None}
        kept |= {name for name, element in model.joints.items() if element.kind == "composite"}
        wishes = [name for name in model.joints if name in kept and name not in topo.cut_joints]
        return topology(model, cut="cheapest", force_cut=force_cut, forbid_cut=[*forbid_cut, *wishes])
    return topo
