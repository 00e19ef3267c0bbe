"""Properties of any mechanism, on random graphs. All quantities are integers: comparisons are exact."""

from __future__ import annotations

from itertools import combinations, pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from duoti.topology import DOF, Graph, JointEdge, Topology, Weights, topology


@st.composite
def graphs(draw: st.DrawFn, bodies: int = 10, joints: int = 18, kinds: tuple[str, ...] = tuple(DOF)) -> Graph:
    """Any multigraph without self-loops: connected or not, with or without a joint at ground."""
    n = draw(st.integers(1, bodies))
    pair = st.tuples(st.integers(0, n), st.integers(0, n)).filter(lambda p: p[0] != p[1])
    count = draw(st.integers(0, joints))  # drawn by itself, so that large graphs are as likely as small ones
    pairs = draw(st.lists(pair, min_size=count, max_size=count))
    names = ["ground", *(f"b{i}" for i in range(1, n + 1))]
    edges = [
        JointEdge(f"j{k}", draw(st.sampled_from(kinds)), names[a], names[b], None, draw(st.integers(0, 5)) == 0)
        for k, (a, b) in enumerate(pairs)
    ]
    return Graph(tuple(names[1:]), tuple(edges))


def multigraph(edges: tuple[JointEdge, ...], bodies: tuple[str, ...]) -> nx.MultiGraph:
    g = nx.MultiGraph()
    g.add_nodes_from(bodies)
    g.add_edges_from((e.parent, e.child, e.name) for e in edges)
    return g


def check_tree(t: Topology) -> nx.Graph:
    """Tree and cut joints part the joints; the tree spans all bodies and contains no loop."""
    n, virtual = len(t.bodies) - 1, t.virtual_joints
    assert t.loop_count == len(t.cut_joints) == len(t.edges) - n
    assert sorted(t.joints) == sorted(e.name for e in t.edges)
    tree = nx.Graph()
    tree.add_nodes_from(t.bodies)
    tree.add_edges_from((e.parent, e.child, {"joint": e.name}) for e in map(t.edge, t.tree_joints))
    assert nx.is_tree(tree)
    whole = multigraph(t.graph.joints, t.bodies)
    assert len(virtual) == nx.number_connected_components(whole) - 1
    for name in virtual:  # the first declared body of each group that is not attached
        body = t.edge(name).child
        group = nx.node_connected_component(whole, body)
        assert "ground" not in group
        assert body == min(group, key=t.graph.number.__getitem__)
    whole.remove_node("ground")
    assert {frozenset(s) for s in t.subsystems} == {frozenset(c) for c in nx.connected_components(whole)}
    return tree


def check_labels(t: Topology, tree: nx.Graph) -> None:
    """The three rules of a regular labelling, depth-first order, and the directions."""
    depth = nx.single_source_shortest_path_length(tree, "ground")
    for row in t.tree:
        assert t.labels[row.outboard] == t.joint_labels[row.name] == row.label > t.labels[row.inboard]
        assert depth[row.outboard] == depth[row.inboard] + 1 == t.labelling.depth[row.label]
        edge = t.edge(row.name)
        ends = (row.outboard, row.inboard) if row.reversed else (row.inboard, row.outboard)
        assert (edge.parent, edge.child) == ends
        assert (row.name in t.reversed) == row.reversed
        assert t.inboard[row.label - 1] == t.i_plus(row.name) == t.labels[row.inboard]
        assert t.i_minus(row.label) == row.label
    declared = {e.name: k for k, e in enumerate(t.edges)}
    for body in t.bodies:
        carried = t.next_joints(body)
        assert list(carried) == sorted(carried, key=declared.__getitem__)
        out = t.outboard_bodies(body)
        assert set(out) == {b for b in t.bodies if body in nx.shortest_path(tree, "ground", b)} - {body}
        assert [t.labels[b] for b in out] == list(range(t.labels[body] + 1, t.labels[body] + 1 + len(out)))
        assert (body in t.terminal_bodies) == (not carried and body != "ground")
        assert (body in t.branching_bodies) == (len(carried) >= 2)
        assert t.inboard_bodies(body) == tuple(nx.shortest_path(tree, body, "ground")[1:])
        assert all(t.is_inboard(body, b) for b in out)
    for n in range(max(depth.values()) + 2):
        inward = [(*t.inboard_bodies(b), *["ground"] * (n + 1)) for b in t.bodies[1:]]
        expected = [t.labels[way[n - 1]] if n else j for j, way in enumerate(inward, 1)]
        assert t.inboard_power(n).tolist() == expected


def check_matrices(t: Topology, tree: nx.Graph) -> None:
    """T S = S T = E, U = T S^c and S U = S^c, in regular labels and as declared; T by its definition."""
    n = len(t.bodies) - 1
    for numbering in ("regular", "declared"):
        m = t.matrices(numbering)
        S, S_cut, T, U = (np.asarray(x) for x in (m.S_tree, m.S_cut, m.T, m.U))
        E = np.eye(n, dtype=int)
        assert np.array_equal(T @ S, E)
        assert np.array_equal(S @ T, E)
        assert np.array_equal(U, T @ S_cut)
        assert np.array_equal(S @ U, S_cut)
        assert (m.S.array.sum(axis=0) == 0).all()
        assert np.array_equal(np.abs(m.S.array).sum(axis=0), np.full(len(t.edges), 2))
        assert m.T.rows == m.S_tree.columns
        assert m.T.columns == m.S.rows[1:]
        for body in t.bodies[1:]:
            way = nx.shortest_path(tree, body, "ground")
            on_way = {tree.edges[a, b]["joint"]: a for a, b in pairwise(way)}
            for joint in t.tree_joints:
                sign = 0
                if joint in on_way:
                    regular = numbering == "regular" or joint not in t.reversed
                    sign = -1 if regular else 1  # -1 points away from ground
                assert m.T[joint, body] == sign
    T, S = t.path.array, t.matrices().S_tree.array
    assert np.array_equal(T, np.triu(T))
    assert np.array_equal(S, np.triu(S))
    assert (np.diag(S) == -1).all()
    assert set(np.unique(T)) <= {0, -1}
    assert np.array_equal(t.path.sparse.toarray(), T)


def check_loops(t: Topology, tree: nx.Graph) -> None:
    assert t.loop_lengths.tolist() == [len(loop) for loop in t.loops]
    for k, loop in enumerate(t.loops):
        cut = t.edge(loop.cut)
        assert loop.joints[-1] == loop.cut == t.cut_joints[k]
        assert loop.signs[-1] == -1
        assert (loop.bodies[0], loop.bodies[-1]) == (cut.parent, cut.child)
        assert list(loop.bodies) == nx.shortest_path(tree, cut.parent, cut.child)
        column = dict.fromkeys(t.tree_joints, 0)
        for a, b, joint, sign in zip(loop.bodies, loop.bodies[1:], loop.joints, loop.signs, strict=False):
            row = t.tree[t.joint_labels[joint] - 1]
            assert (a, b) == ((row.inboard, row.outboard) if sign > 0 else (row.outboard, row.inboard))
            column[joint] = sign
        assert list(column.values()) == t.loop_matrix.array[:, k].tolist()
        assert t.why_cut[loop.cut]


def check_weight(t: Topology) -> None:
    """The total weight of the kept joints is that of networkx's minimum spanning forest."""
    g = nx.MultiGraph()
    g.add_nodes_from(t.bodies)
    g.add_edges_from((e.parent, e.child, e.name, {"weight": t.weight(e.name)}) for e in t.graph.joints)
    best = sum(data["weight"] for *_, data in nx.minimum_spanning_edges(g, data=True))
    assert sum(t.weight(name) for name in t.tree_joints if name not in t.virtual_joints) == best


def check_prediction(t: Topology) -> None:
    """Counts of the prediction against the dense patterns of mass matrix and Jacobian."""
    dof = [t.edge(name).coordinates for name in t.tree_joints]
    rows = [6 - t.edge(name).coordinates for name in t.cut_joints]
    on_path = np.repeat(np.abs(t.path.array), dof, axis=0)  # coordinates x bodies
    pattern = np.repeat(on_path, dof, axis=1)  # coordinates x coordinates: inboard of or equal
    pattern = np.triu(pattern)
    p = t.prediction
    assert (p.coordinates, p.constraint_rows) == (sum(dof), sum(rows))
    assert p.mass_entries == pattern.sum()
    assert p.jacobian_entries == np.array(dof) @ np.abs(t.loop_matrix.array) @ np.array(rows, dtype=int)
    assert p.gruebler == sum(dof) - sum(rows)


def check_everything(graph: Graph) -> None:
    t = topology(graph)
    tree = check_tree(t)
    check_labels(t, tree)
    check_matrices(t, tree)
    check_loops(t, tree)
    check_weight(t)
    check_prediction(t)
    again = topology(graph)
    assert (again.bodies, again.joints) == (t.bodies, t.joints)
    assert str(t)


RELAXED = [HealthCheck.too_slow, HealthCheck.filter_too_much]


@pytest.mark.full
@settings(max_examples=1000, deadline=None, suppress_health_check=RELAXED)
@given(graphs())
def test_random_graphs(graph: Graph):
    check_everything(graph)


@pytest.mark.campaign
def test_ten_thousand_random_graphs():
    run = settings(max_examples=10_000, deadline=None, suppress_health_check=RELAXED)
    run(given(graphs(bodies=14, joints=26))(check_everything))()


@settings(max_examples=100, deadline=None, suppress_health_check=RELAXED)
@given(graphs(bodies=8, joints=14))
def test_absolute_cuts_everything(graph: Graph):
    t = topology(graph, cut="absolute")
    assert t.loop_count == len(t.edges) - len(graph.bodies)
    assert (t.inboard == 0).all()
    assert all(row.kind == "free" for row in t.tree)
    m = t.matrices("declared")
    assert np.array_equal(m.T.array @ m.S_tree.array, np.eye(len(graph.bodies)))
    assert np.array_equal(m.U.array, m.T.array @ m.S_cut.array)


@settings(max_examples=80, deadline=None, suppress_health_check=RELAXED)
@given(graphs(bodies=5, joints=8))
def test_cheapest_is_the_best_of_all_trees(graph: Graph):
    """All trees again, by trying every set of cuts; same first criterion (actuated joints), then cost."""
    best = topology(graph, cut="cheapest")
    names = [e.name for e in graph.joints]
    actuated = {e.name for e in graph.joints if e.actuated}
    found = []
    for cut in combinations(names, best.loop_count):
        trial = topology(graph, force_cut=cut)
        if len(trial.virtual_joints) == len(best.virtual_joints):
            found.append((len(actuated & set(cut)), trial.prediction.multiplications))
    assert best.prediction.exact
    assert best.prediction.trees_examined == len(found)
    assert (len(actuated & set(best.cut_joints)), best.prediction.multiplications) == min(found)


@settings(max_examples=60, deadline=None, suppress_health_check=RELAXED)
@given(graphs(bodies=8, joints=16), st.integers(0, 2**16 - 1), st.integers(0, 2**16 - 1))
def test_preferences_are_obeyed(graph: Graph, force: int, forbid: int):
    """Wherever the preferences are possible, both policies obey them, and still give a spanning tree."""
    names = [e.name for e in graph.joints]
    forced = [name for k, name in enumerate(names) if force >> k & 1]
    kept, loose = [], nx.MultiGraph()
    loose.add_nodes_from(["ground", *graph.bodies])
    for k, e in enumerate(graph.joints):  # forbid only what closes no loop
        if forbid >> k & 1 and e.name not in forced and not nx.has_path(loose, e.parent, e.child):
            loose.add_edge(e.parent, e.child)
            kept.append(e.name)
    for policy in ("weights", "cheapest"):
        t = topology(graph, cut=policy, force_cut=forced, forbid_cut=kept)
        assert set(forced) <= set(t.cut_joints)
        assert not set(kept) & set(t.cut_joints)
        assert t.loop_count == len(t.edges) - len(graph.bodies)
        m = t.matrices()
        assert np.array_equal(m.T.array @ m.S_tree.array, np.eye(len(graph.bodies)))
        assert all(t.why_cut[name] for name in t.cut_joints)


@settings(max_examples=60, deadline=None, suppress_health_check=RELAXED)
@given(graphs(bodies=7, joints=14))
def test_numbering_does_not_change_the_mechanism(graph: Graph):
    """Bodies in another order and joints the other way round change no total weight."""
    turned = Graph(graph.bodies[::-1], tuple(e._replace(parent=e.child, child=e.parent) for e in graph.joints))
    a, b = topology(graph), topology(turned)
    assert sum(map(a.weight, a.cut_joints)) == sum(map(b.weight, b.cut_joints))
    if not a.virtual_joints:
        assert a.reversed | b.reversed == set(a.tree_joints)
        assert not a.reversed & b.reversed


def test_large_cycle_space_uses_exchange():
    """Too many trees to compare: the search must not be worse than the weights, and repeat itself."""
    joints = [JointEdge(f"j{a}_{b}", "revolute", f"b{a}", f"b{b}") for a, b in combinations(range(1, 9), 2)]
    joints += [JointEdge(f"g{a}", "revolute", "ground", f"b{a}") for a in range(1, 9, 3)]
    graph = Graph.from_edges(joints)
    best, plain = topology(graph, cut="cheapest"), topology(graph, weights=Weights(ground=0))
    assert not best.prediction.exact
    assert best.prediction.multiplications <= plain.prediction.multiplications
    assert topology(graph, cut="cheapest").cut_joints == best.cut_joints
