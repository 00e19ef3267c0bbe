"""Which joints should stay in the tree, and which are cut."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from duoti.model.beams.add_beam import with_needed_joints
from duoti.model.element_id import ElementId
from duoti.model.elements import name_of
from duoti.model.joint_friction import slots_of_limits
from duoti.model.laws.law import make_law
from duoti.model.laws.user_equations import equation_names
from duoti.model.mechanism.tree_inertia import bodies_without_inertia, has_thin_bodies, regular_tree
from duoti.model.model import Model
from duoti.model.quantities import FEEDBACK, find_quantity, known_signal
from duoti.topology import Graph, Topology, Weights, topology

MANY_LOOPS = 4  # from here on a shallow tree is worth the search for it

WANTED = 1e4  # weight by which a joint is cut rather than any other


def relative_tree(
    model: Model, cut: str = "auto", force_cut: Sequence[str] = (), forbid_cut: Sequence[str] = ()
) -> Topology:
    """The tree of a simulation: by weights, or, if there are many loops and no one chose, the cheapest one.

    If its mass matrix is singular, because it ends at a body without inertia about some axis, and another tree has a
    regular one, it is that: see `regular_tree`.
    """
    model = with_needed_joints(model)
    topo = _tree(model, cut, force_cut, forbid_cut)
    if not topo.loop_count or not has_thin_bodies(model):
        return topo
    given = {name for name, j in model.joints.items() if j.q0 is not None or j.v0 is not None or j.kind == "composite"}

    def make(cuts: Collection[str]) -> Topology:
        weights = cut_weights(model)
        wishes = {**weights.joints, **{name: weights.joints.get(name, 0.0) + WANTED for name in cuts}}
        return topology(topo.graph, weights=Weights(joints=wishes), force_cut=force_cut, forbid_cut=forbid_cut)

    found = regular_tree(model, topo, {*force_cut, *forbid_cut, *needed_joints(model), *given}, make)
    return found if found is topo else replace(found, weights=topo.weights, because=_why_exchanged(model, topo, found))


def _why_exchanged(model: Model, before: Topology, found: Topology) -> dict[str, str]:
    """Why other joints are cut than weights would cut."""
    left = [name for name in before.cut_joints if name not in found.cut_joints]
    thin = [f'"{name}"' for name in bodies_without_inertia(model, before)]
    bodies = f"body {thin[0]} has" if len(thin) == 1 else f"bodies {', '.join(thin)} have"
    why = (
        f"cut instead of {', '.join(left)}: {bodies} no inertia about some axis, and at the end of the tree the mass "
        "matrix would be singular"
    )
    return {name: why for name in found.cut_joints if name not in before.cut_joints}


def _tree(model: Model, cut: str, force_cut: Sequence[str], forbid_cut: Sequence[str]) -> Topology:
    """The same whatever its mass matrix."""
    graph = Graph.from_model(model)
    topo = topology(graph, weights=cut_weights(model), force_cut=force_cut, forbid_cut=forbid_cut)
    if cut == "cheapest" or (cut == "auto" and topo.loop_count >= MANY_LOOPS and not force_cut):
        kept = {name for name in needed_joints(model) if name not in topo.cut_joints}
        kept |= {name for name, element in model.joints.items() if element.q0 is not None or element.v0 is not None}
        kept |= {name for name, element in model.joints.items() if element.kind == "composite"}
        wishes = [name for name in model.joints if name in kept and name not in topo.cut_joints]
        return topology(graph, cut="cheapest", force_cut=force_cut, forbid_cut=[*forbid_cut, *wishes])
    return topo


def cut_weights(model: Model) -> Weights:
    """Joints whose coordinate is needed (force elements, given initial values) are kept in the tree where possible."""
    wishes: dict[str, float] = {}
    for name, element in model.joints.items():
        if element.q0 is not None or element.v0 is not None:
            wishes[name] = wishes.get(name, 0.0) - 60.0
        if element.kind == "composite":
            wishes[name] = wishes.get(name, 0.0) - 1000.0
    for name in needed_joints(model):
        wishes[name] = wishes.get(name, 0.0) - 200.0
    return Weights(joints=wishes)


def needed_joints(model: Model) -> dict[str, ElementId | None]:
    """Joints whose coordinates a force element, constraint, state or event reads, with the reader; None: its rotor."""
    needed: dict[str, ElementId | None] = {
        name: None for name, element in model.joints.items() if any(element.rotor_inertias)
    }
    for slot in slots_of_limits(model):
        needed.setdefault(slot.joint, ElementId("joint", slot.joint))
    for name, force in model.forces.items():
        for _, joint in force.joints():
            needed.setdefault(name_of(joint), ElementId("force", name))  # pyright: ignore[reportArgumentType]
        for _, value, own, outputs in force.values():
            for inside in make_law(value, known_signal(model, own, feedback=True), model.named_values, outputs).inputs:
                if inside not in own and inside != "t" and (joint := _joint_of(model, inside)):
                    needed.setdefault(joint, ElementId("force", name))
    for name, constraint in model.constraints.items():
        who = ElementId("constraint", name)
        for joint in constraint.joints():
            needed.setdefault(name_of(joint), who)  # pyright: ignore[reportArgumentType]
        for inside in (each for row in constraint.rows() for each in equation_names(model, row)):
            if joint := _joint_of(model, inside):
                needed.setdefault(joint, who)
    readers = [(ElementId("event", name), event.value) for name, event in model.events.items()]
    readers += [(ElementId("state", name), state.rate) for name, state in model.states.items()]
    readers += [(ElementId("event", n), v) for n, event in model.events.items() for _, v in event.assignments()]
    for reader, value in readers:
        known = known_signal(model, feedback=True, forces=reader.kind == "event")
        for inside in make_law(value, known, model.named_values).inputs:
            if inside != "t" and (joint := _joint_of(model, inside)):
                needed.setdefault(joint, reader)
    return needed


def _joint_of(model: Model, name: str) -> str | None:
    quantity = find_quantity(model, name)
    return quantity.item if quantity.kind == "joint" and quantity.what not in FEEDBACK else None
