"""Whether the mass matrix of a spanning tree is regular, and a tree of a model whose is.

A body without inertia about some axis (a point mass, a thin rod, a massless block) may be held by a closed loop: the
motion of the mechanism is determined. On a tree that ends at this body the mass matrix is singular all the same; on
one that is cut elsewhere it is regular. The rank deficiency is counted in the reference configuration, by the pivots of
the articulated-body algorithm (Featherstone 2008, section 7.3).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.model.mechanism.mobility import joint_screws
from duoti.model.mechanism.placement import Placement, place_bodies
from duoti.model.model import Model
from duoti.topology import Topology

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
