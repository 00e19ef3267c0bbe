"""Which joints should stay in the tree, and which are cut."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.model.beams.add_beam import with_needed_joints
from duoti.model.element_id import ElementId
from duoti.model.elements import name_of
from duoti.model.joint_friction import slots_of_limits
from duoti.model.laws.law import make_law
from duoti.model.laws.user_equations import equation_names
from duoti.model.mechanism.mobility import joint_screws
from duoti.model.mechanism.placement import Placement, place_bodies
from duoti.model.model import Model
from duoti.model.quantities import FEEDBACK, find_quantity, known_signal
from duoti.topology import Graph, Topology, Weights, topology

# Whether the mass matrix of a spanning tree is regular, and a tree of a model whose is.
#
# A body without inertia about some axis (a point mass, a thin rod, a massless block) may be held by a closed loop: the
# motion of the mechanism is determined. On a tree that ends at this body the mass matrix is singular all the same; on
# one that is cut elsewhere it is regular. The rank deficiency is counted in the reference configuration, by the
# pivots of the articulated-body algorithm (Featherstone 2008, section 7.3).


Array = NDArray[np.float64]
NONE = 1e-12  # part of the largest moment of a body, or of the largest pivot of a tree, that is round-off
MOST_TRIALS = 400  # trees that are looked at


def regular_tree(
    model: Model, topo: Topology, fixed: Collection[str], make: Callable[[Collection[str]], Topology]
) -> Topology:
    """The tree itself, or, if its mass matrix is singular, one that differs in few cuts and whose is regular, if any.

    fixed: joints that stay as they are, cut or in the tree. make: the tree for given cuts.
    """
    placement = place_bodies(model)
    inertias = _inertias(model, placement)
    given, trials = topo, 0
    lacking = _deficiency(model, topo, placement, inertias)
    while lacking:
        found: list[tuple[int, int, Topology]] = []
        for loop in topo.loops:
            others = sorted((j for j in loop.joints if j != loop.cut), key=topo.weight, reverse=True)
            for joint in (j for j in others if not {j, loop.cut} & set(fixed)):
                trials += 1
                if trials > MOST_TRIALS:
                    return given
                trial = make([joint if cut == loop.cut else cut for cut in topo.cut_joints])
                found.append((_deficiency(model, trial, placement, inertias), len(found), trial))
                if not found[-1][0]:
                    return trial
        best = min(found, default=None)
        if best is None or best[0] >= lacking:
            return given  # refused in the words of the tree that the user would expect
        lacking, topo = best[0], best[2]
    return topo


def has_thin_bodies(model: Model) -> bool:
    """Whether a body has no inertia about some axis; False if one has none at all, which `check` says."""
    given: list[Any] = [body.inertia for body in model.bodies.values()]
    if not given or any(inertia is None for inertia in given):
        return False
    moments = np.linalg.eigvalsh(np.array([inertia.matrix for inertia in given]))
    return bool(np.any(moments[:, 0] <= NONE * moments[:, 2]))


def _inertias(model: Model, placement: Placement) -> dict[str, Array]:
    """6 x 6 inertia of each body about the world's origin, in world axes."""
    found: dict[str, Array] = {}
    for name, body in model.bodies.items():
        inertia: Any = body.inertia
        pose = placement.bodies[name]
        R, c = pose.rotation.matrix, pose.position + pose.rotation.matrix @ inertia.com
        skew = np.array([[0.0, -c[2], c[1]], [c[2], 0.0, -c[0]], [-c[1], c[0], 0.0]])
        I = np.zeros((6, 6))
        I[:3, :3] = R @ inertia.matrix @ R.T - inertia.mass * skew @ skew
        I[:3, 3:], I[3:, :3] = inertia.mass * skew, -inertia.mass * skew
        I[3:, 3:] = inertia.mass * np.eye(3)
        found[name] = I
    return found


def bodies_without_inertia(model: Model, topo: Topology) -> list[str]:
    """Bodies whose joints in the tree accelerate nothing: those that make its mass matrix singular."""
    placement = place_bodies(model)
    return list(_singular(model, topo, placement, _inertias(model, placement)))


def _deficiency(model: Model, topo: Topology, placement: Placement, inertias: dict[str, Array]) -> int:
    """Rank deficiency of the tree's mass matrix."""
    return sum(_singular(model, topo, placement, inertias).values())


def _singular(model: Model, topo: Topology, placement: Placement, inertias: dict[str, Array]) -> dict[str, int]:
    """The same by the bodies whose joints have pivots that vanish."""
    articulated = {name: I.copy() for name, I in inertias.items()}
    pivots: list[Array] = []
    for arc in reversed(topo.tree):
        if arc.virtual:
            S, rotors = np.eye(6), np.zeros(6)
        else:
            element = model.joints[arc.name]
            X_WF = placement.bodies[element.parent] @ placement.on_parent[arc.name]
            S, rotors = joint_screws(element.joint, X_WF, np.zeros(3), 1.0), np.asarray(element.rotor_inertias)
        I = articulated[arc.outboard]
        values, vectors = np.linalg.eigh(S.T @ I @ S + np.diag(rotors))
        pivots.append(values)
        there = values > NONE * max(float(np.max(np.abs(values), initial=0.0)), float(np.trace(I)))
        if arc.inboard in articulated:
            U = I @ S @ vectors[:, there]
            articulated[arc.inboard] += I - (U / values[there]) @ U.T
    most = np.max(np.concatenate(pivots), initial=0.0)
    counts = [int(np.sum(each <= NONE * most)) for each in pivots]
    return {arc.outboard: count for arc, count in zip(reversed(topo.tree), counts, strict=True) if count}


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
        preferences = {**weights.joints, **{name: weights.joints.get(name, 0.0) + WANTED for name in cuts}}
        return topology(topo.graph, weights=Weights(joints=preferences), force_cut=force_cut, forbid_cut=forbid_cut)

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
        preferences = [name for name in model.joints if name in kept and name not in topo.cut_joints]
        return topology(graph, cut="cheapest", force_cut=force_cut, forbid_cut=[*forbid_cut, *preferences])
    return topo


def cut_weights(model: Model) -> Weights:
    """Joints whose coordinate is needed (force elements, given initial values) are kept in the tree where possible."""
    preferences: dict[str, float] = {}
    for name, element in model.joints.items():
        if element.q0 is not None or element.v0 is not None:
            preferences[name] = preferences.get(name, 0.0) - 60.0
        if element.kind == "composite":
            preferences[name] = preferences.get(name, 0.0) - 1000.0
    for name in needed_joints(model):
        preferences[name] = preferences.get(name, 0.0) - 200.0
    return Weights(joints=preferences)


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
        in_event = reader.kind == "event"
        known = known_signal(model, feedback=True, forces=in_event, contacts=in_event)
        for inside in make_law(value, known, model.named_values).inputs:
            if inside != "t" and (joint := _joint_of(model, inside)):
                needed.setdefault(joint, reader)
    return needed


def _joint_of(model: Model, name: str) -> str | None:
    quantity = find_quantity(model, name)
    return quantity.item if quantity.kind == "joint" and quantity.what not in FEEDBACK else None
