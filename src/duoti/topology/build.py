"""`topology(source)`: from a model, a graph or an edge list to a `Topology`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np

from duoti.topology.cheapest import cheapest
from duoti.topology.errors import TopologyError, did_you_mean
from duoti.topology.graph import Graph, JointEdge, ModelLike, as_graph
from duoti.topology.loops import label_tree
from duoti.topology.spanning import CutPreferences, Weights, impossible, span, span_absolute, span_forest
from duoti.topology.tree import Policy, Topology

SMALL = 300  # joints of a mechanism whose topology is kept


def topology(
    source: Graph | ModelLike | Iterable[JointEdge | Sequence[str]],
    *,
    cut: Policy = "weights",
    weights: Weights | Mapping[str, float] | None = None,
    force_cut: Iterable[str] = (),
    forbid_cut: Iterable[str] = (),
    want_reaction: Iterable[str] = (),
) -> Topology:
    """Find a spanning tree, cut the other joints, label bodies and joints regularly.

    See `duoti.analyses.instant.topology`, which has one more way to cut: as the simulation of a model does.
    """
    graph = as_graph(source)
    rules = weights if isinstance(weights, Weights) else Weights(kinds=weights or {})
    names = _names(force_cut), _names(forbid_cut), _names(want_reaction)
    if cut not in ("weights", "cheapest", "absolute"):
        raise ValueError(f'cut={cut!r} is unknown; choose "weights", "cheapest" or "absolute"')
    if len(graph.joints) > SMALL or rules.kinds or rules.joints:
        return _find(graph, cut, rules, *names)
    return _find_small(graph, cut, rules.ground, rules.actuated, rules.reaction, *names)


@lru_cache(maxsize=32)
def _find_small(
    graph: Graph, cut: Policy, ground: float, actuated: float, reaction: float, *names: frozenset[str]
) -> Topology:
    """Of small mechanisms, which are built again and again with other numbers."""
    return _find(graph, cut, Weights(ground=ground, actuated=actuated, reaction=reaction), *names)


def _find(
    graph: Graph, cut: Policy, rules: Weights, force: frozenset[str], forbid: frozenset[str], wanted: frozenset[str]
) -> Topology:
    faults = [*graph.faults, *rules.faults(graph)]
    for option, names in (("force_cut", force), ("forbid_cut", forbid), ("want_reaction", wanted)):
        faults += _unknown(graph, option, names)
    if cut == "cheapest":
        faults += graph.unspecified
    forced = {e.name for e in graph.joints if e.keep is False} | force
    kept = {e.name for e in graph.joints if e.keep is True} | forbid
    preferences = CutPreferences(
        np.array([e.name in forced for e in graph.joints], dtype=bool),
        np.array([e.name in kept for e in graph.joints], dtype=bool),
    )
    if not graph.faults and cut != "absolute":
        faults += impossible(graph, preferences)
    if faults:
        raise TopologyError(faults)

    prediction = None
    if cut == "absolute":
        spanning = span_absolute(graph)
    elif cut == "cheapest":
        spanning, prediction = cheapest(graph, rules.of(graph, wanted), preferences, wanted)
    else:
        spanning = span_forest(graph, preferences) or span(graph, rules.of(graph, wanted), preferences)

    virtual = _virtual_joints(graph, spanning.virtual)
    start, end = graph.ends
    added = np.array(spanning.virtual, dtype=np.int64)
    if added.size:
        start, end = np.concatenate((start, np.zeros_like(added))), np.concatenate((end, added))
    tree = np.concatenate((spanning.tree, np.arange(len(graph.joints), start.size)))
    labelling = label_tree(start, end, tree, len(graph.bodies) + 1)
    return Topology(
        graph=graph,
        edges=graph.joints + virtual,
        labelling=labelling,
        cut=spanning.cut,
        policy=cut,
        weights=rules,
        wanted=wanted,
        forced=frozenset(forced),
        kept=frozenset(kept),
        predicted=prediction,
    )


def _names(names: Iterable[str]) -> frozenset[str]:
    return frozenset((names,) if isinstance(names, str) else names)


def _unknown(graph: Graph, option: str, names: frozenset[str]) -> Iterator[str]:
    if names:
        known = [e.name for e in graph.joints]
        for name in sorted(names.difference(known)):
            yield f'{option}: there is no joint "{name}"{did_you_mean(name, known)}'


def _virtual_joints(graph: Graph, bodies: tuple[int, ...]) -> tuple[JointEdge, ...]:
    """Free joints from ground to these bodies, with names that are not taken."""
    taken = {e.name for e in graph.joints} if bodies else set[str]()
    joints: list[JointEdge] = []
    for b in bodies:
        body = graph.bodies[b - 1]
        name = f"{graph.ground}~{body}"
        while name in taken:
            name += "~"
        taken.add(name)
        joints.append(JointEdge(name, "free", graph.ground, body))
    return tuple(joints)
