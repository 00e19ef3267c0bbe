"""``cut="cheapest"``: the tree with the smallest predicted cost, over all trees where these are few.

A mechanism with few loops has few spanning trees; their number is known beforehand from the matrix-tree
theorem. Up to `EXACT_LIMIT` all are compared. Beyond it, the better of two trees from Kruskal's algorithm
(equal weights by declaration, or those near body 0 kept first, which makes shallow trees) is improved by
exchanging a cut joint with a tree joint of its loop as long as that helps enough. Trees compare first by the
preferences (fewest actuated joints cut, most wanted reactions cut), then by cost, then by the indices of the cut
joints, so that the answer is always the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from duoti.topology.graph import Graph
from duoti.topology.loops import Labelling, label_tree
from duoti.topology.spanning import CutPreferences, Groups, Spanning, span, subsystems, take

# What a tree will cost: coordinates, constraint rows and an estimate of the multiplications per evaluation.
#
# Counted is the linear algebra that depends on the choice of the tree, with the mass matrix stored sparse along
# the branches: the composite-rigid-body algorithm, the L^T L factorisation without fill-in and its solves
# (Featherstone, Rigid Body Dynamics Algorithms, 2008, sections 6.3-6.5), the Jacobian G of the closed loops and
# the dense matrix G M^-1 G^T of each subsystem. The sum ranks trees of one mechanism; it is no prediction of
# seconds.


TRANSFORM = 30
"""Multiplications that carry a spatial force across one joint (two rotations and a cross product)."""

INNER = 6
"""Multiplications of the inner product of two spatial vectors."""


@dataclass(frozen=True)
class Prediction:
    """Size and estimated cost of the equations of motion on one tree."""

    coordinates: int
    """velocity coordinates of the tree joints, n"""
    constraint_rows: int
    """closing equations of the cut joints, m"""
    depth: int
    """joints between body 0 and the outermost body"""
    mass_entries: int
    """entries of one triangle of the mass matrix that are not zero by structure"""
    jacobian_entries: int
    """entries of the constraint Jacobian that are not zero by structure"""
    multiplications: int
    """the estimate that cut="cheapest" minimises"""
    trees_examined: int = 1
    """how many trees were compared to find this one"""
    exact: bool = False
    """whether those were all trees there are"""

    @property
    def gruebler(self) -> int:
        """Degrees of freedom by the Grübler count: exact when no constraint row is redundant."""
        return self.coordinates - self.constraint_rows

    def __str__(self) -> str:
        how = ""
        if self.exact:
            how = f"; the best of all {self.trees_examined} trees"
        elif self.trees_examined > 1:
            how = f"; the best of {self.trees_examined} trees tried"
        return (
            f"{self.coordinates} coordinates, {self.constraint_rows} constraint rows, depth {self.depth}, "
            f"about {self.multiplications} multiplications per evaluation{how}"
        )


def predict(
    lab: Labelling,
    dof: np.ndarray,
    cut_start: np.ndarray,
    cut_end: np.ndarray,
    rows: np.ndarray,
    part: np.ndarray,
) -> Prediction:
    """Prediction for a labelled tree.

    ``dof`` are coordinates by label (0 for body 0); the cut joints have the labels of their two bodies, their
    number of closing equations and the number of their subsystem.
    """
    n = dof.astype(np.float64)
    reach = lab.path_sum(n)  # coordinates from body 0 to and with this joint
    before = reach - n
    pairs = n * before + n * (n - 1) / 2  # pairs (coordinate, coordinate inboard of it)
    squares = n * before**2 + before * n * (n - 1) + n * (n - 1) * (2 * n - 1) / 6
    mass = pairs.sum() + n.sum()
    cost = INNER * mass + TRANSFORM * (n * lab.depth).sum()  # composite rigid bodies
    cost += (squares.sum() + 3 * pairs.sum()) / 2  # L^T L: d (d + 3) / 2 for a coordinate with d inboard of it
    cost += 2 * pairs.sum() + n.sum()  # one solve
    jacobian = 0.0
    if rows.size:
        r = rows.astype(np.float64)
        meet = lab.common(cut_start, cut_end)
        on_loop = reach[cut_start] + reach[cut_end] - 2 * reach[meet]
        to_ground = on_loop + reach[meet]  # a solve fills the columns down to body 0
        weight = lab.path_sum(pairs + n)
        solve = weight[cut_start] + weight[cut_end] - weight[meet]
        m = np.bincount(part, weights=r)
        jacobian = (r * on_loop).sum()
        cost += INNER * jacobian + (r * solve).sum() + (r * to_ground * (m[part] + 1)).sum() / 2 + (m**3).sum() / 6
    return Prediction(
        coordinates=int(n.sum()),
        constraint_rows=int(rows.sum()),
        depth=int(lab.depth.max()),
        mass_entries=int(mass),
        jacobian_entries=int(jacobian),
        multiplications=round(cost),
    )


EXACT_LIMIT = 2000
"""Compare all trees when there are no more than this: below a second for a mechanism of 20 joints."""

WORK_LIMIT = 2_000_000
"""Budget of the exchange search: trees tried times joints. A count: the answer must not depend on time."""

PATIENCE = 20_000
"""Trees times joints that may be tried without a gain of `WORTHWHILE`: in lattices of hundreds of joints the shallow
tree is within a few per cent of the best, and the search would take longer than it saves."""

WORTHWHILE = 0.01

Rank = tuple[int, int, tuple[int, ...]]


class _Judge:
    """Ranks spanning trees of one graph; the virtual joints are the same for all."""

    def __init__(self, graph: Graph, wanted: frozenset[str], virtual: tuple[int, ...]) -> None:
        start, end = graph.ends
        joints, free = graph.joints, np.array(virtual, dtype=np.int64)
        self.count = start.size
        self.bodies = len(graph.bodies) + 1
        self.start = np.concatenate((start, np.zeros_like(free)))
        self.end = np.concatenate((end, free))
        self.dof = np.array([e.coordinates for e in joints] + [6] * free.size, dtype=np.int64)
        self.bonus = np.array([int(e.actuated) - int(e.name in wanted) for e in joints], dtype=np.int64)
        part = subsystems(start, end, self.bodies)
        self.part = np.maximum(part[start], part[end])
        self.examined = 0

    def label(self, cut: np.ndarray) -> Labelling:
        tree = np.ones(self.start.size, dtype=bool)
        tree[cut] = False
        return label_tree(self.start, self.end, np.flatnonzero(tree), self.bodies)

    def __call__(self, cut: np.ndarray) -> tuple[Rank, Prediction]:
        self.examined += 1
        lab = self.label(cut)
        ends = lab.label[self.start[cut]], lab.label[self.end[cut]]
        p = predict(lab, lab.by_label(self.dof), *ends, 6 - self.dof[cut], self.part[cut])
        return (int(self.bonus[cut].sum()), p.multiplications, tuple(cut.tolist())), p


def cheapest(
    graph: Graph, weights: np.ndarray, preferences: CutPreferences, want_reaction: frozenset[str] = frozenset()
) -> tuple[Spanning, Prediction]:
    """The spanning tree of lowest predicted cost that obeys the preferences, and its prediction."""
    first = span(graph, weights, preferences)
    judge = _Judge(graph, want_reaction, first.virtual)
    if _tree_count(graph, preferences, first) <= EXACT_LIMIT:
        best, prediction = _best_of_all(graph, preferences, first, judge)
        prediction = replace(prediction, trees_examined=judge.examined, exact=True)
    else:
        shallow = span(graph, weights, preferences, ties=_distance(judge))
        best, prediction = _exchange(first.cut, shallow.cut, judge, preferences)
        prediction = replace(prediction, trees_examined=judge.examined)
    tree = np.setdiff1d(np.arange(judge.count), best)
    return Spanning(tree, best, first.virtual), prediction


def _free_to_choose(graph: Graph, preferences: CutPreferences, first: Spanning) -> tuple[Groups, list[int]]:
    """Bodies united along joints that every tree keeps, and the joints that are left to choose from.

    A joint in no loop of one tree is in no loop at all, so every tree keeps it.
    """
    start, end = graph.ends
    on_loop = np.zeros(start.size, dtype=bool)
    ends = np.array(first.virtual, dtype=np.int64)
    lab = label_tree(
        np.concatenate((start, np.zeros_like(ends))),
        np.concatenate((end, ends)),
        np.concatenate((first.tree, start.size + np.arange(ends.size))),
        len(graph.bodies) + 1,
    )
    cut = np.setdiff1d(first.cut, np.flatnonzero(preferences.forced))
    a, b = lab.label[start[cut]], lab.label[end[cut]]
    # +1 at both ends of a loop, -2 where they meet: the sum outboard of joint j counts the loops through j
    marks = np.bincount(a, minlength=lab.body.size) + np.bincount(b, minlength=lab.body.size)
    total = np.cumsum(marks - 2 * np.bincount(lab.common(a, b), minlength=lab.body.size))
    below = total[lab.last] - np.concatenate(([0], total[:-1]))
    real = (lab.joint >= 0) & (lab.joint < start.size)
    on_loop[lab.joint[real & (below > 0)]] = True
    on_loop[cut] = True
    groups = Groups(len(graph.bodies) + 1)
    always = np.flatnonzero(~preferences.forced & (preferences.kept | ~on_loop))
    take(start.tolist(), end.tolist(), always.tolist(), groups)
    for body in first.virtual:
        groups.join(0, body)
    choice = np.flatnonzero(on_loop & ~preferences.kept & ~preferences.forced).tolist()
    return groups, [e for e in choice if groups.find(int(start[e])) != groups.find(int(end[e]))]


def _tree_count(graph: Graph, preferences: CutPreferences, first: Spanning) -> float:
    """Number of spanning trees that obey the preferences: a cofactor of the Laplacian matrix (Kirchhoff 1847)."""
    if len(graph.joints) > 2000 or first.cut.size > 60:
        return np.inf  # certainly too many to build, or not worth counting
    groups, choice = _free_to_choose(graph, preferences, first)
    start, end = graph.ends
    pairs = [(groups.find(int(start[e])), groups.find(int(end[e]))) for e in choice]
    number = {body: k for k, body in enumerate(dict.fromkeys(b for pair in pairs for b in pair))}
    laplacian = np.zeros((len(number), len(number)))
    for a, b in pairs:
        i, j = number[a], number[b]
        laplacian[[i, j], [i, j]] += 1
        laplacian[[i, j], [j, i]] -= 1
    whole = Groups(len(number))  # loops of separate subsystems are separate blocks: one row out of each
    for a, b in pairs:
        whole.join(number[a], number[b])
    inner = np.setdiff1d(np.arange(len(number)), whole.roots())
    return float(np.exp(np.linalg.slogdet(laplacian[inner[:, None], inner])[1])) * (1 - 1e-9)


def _all_cuts(graph: Graph, preferences: CutPreferences, first: Spanning) -> Iterator[list[int]]:
    """The cut joints of every spanning tree: each joint is kept or cut, and no choice is a dead end."""
    groups, choice = _free_to_choose(graph, preferences, first)
    start, end = (a.tolist() for a in graph.ends)
    always_cut = [
        e for e in first.cut.tolist() if preferences.forced[e] or groups.find(start[e]) == groups.find(end[e])
    ]

    def needed(k: int, root: list[int]) -> bool:
        """Whether the joints after ``k`` fail to join its two bodies."""
        trial = Groups(0)
        trial.root = root.copy()
        take(start, end, choice[k + 1 :], trial)
        return trial.find(start[choice[k]]) != trial.find(end[choice[k]])

    stack: list[tuple[int, list[int], list[int]]] = [(0, groups.root, always_cut)]
    while stack:
        k, root, cut = stack.pop()
        if k == len(choice):
            yield sorted(cut)
            continue
        here, e = Groups(0), choice[k]
        here.root = root.copy()
        joins = here.join(start[e], end[e])
        if not joins or not needed(k, root):
            stack.append((k + 1, root, [*cut, e]))
        if joins:
            stack.append((k + 1, here.root, cut))


def _best_of_all(
    graph: Graph, preferences: CutPreferences, first: Spanning, judge: _Judge
) -> tuple[np.ndarray, Prediction]:
    found = (judge(np.array(cut, dtype=np.int64)) for cut in _all_cuts(graph, preferences, first))
    rank, prediction = min(found, key=lambda pair: pair[0])
    return np.array(rank[2], dtype=np.int64), prediction


def _exchange(
    a: np.ndarray, b: np.ndarray, judge: _Judge, preferences: CutPreferences
) -> tuple[np.ndarray, Prediction]:
    """Start from the better of two trees; exchange cut and tree joint of a loop while the rank improves."""
    rank, prediction = min((judge(a), judge(b)), key=lambda pair: pair[0])
    budget = max(4, WORK_LIMIT // max(judge.count, 1))
    patience, looked, then = max(32, PATIENCE // max(judge.count, 1)), judge.examined, rank
    improved = True
    while improved:
        improved = False
        for k in rank[2]:
            if preferences.forced[k] or k not in rank[2]:
                continue
            lab = judge.label(np.array(rank[2]))
            for j in _loop_joints(lab, int(judge.start[k]), int(judge.end[k])):
                if j >= judge.count or preferences.kept[j]:
                    continue
                if judge.examined - looked >= patience:
                    if rank[0] == then[0] and rank[1] > (1.0 - WORTHWHILE) * then[1]:
                        return np.array(rank[2], dtype=np.int64), prediction
                    looked, then = judge.examined, rank
                if judge.examined >= budget:
                    return np.array(rank[2], dtype=np.int64), prediction
                trial = judge(np.array(sorted({*rank[2], j} - {k})))
                if trial[0] < rank:
                    (rank, prediction), improved = trial, True
                    break
    return np.array(rank[2], dtype=np.int64), prediction


def _loop_joints(lab: Labelling, start: int, end: int) -> list[int]:
    a, b = int(lab.label[start]), int(lab.label[end])
    joints: list[int] = []
    while a != b:
        if a > b:
            joints.append(int(lab.joint[a]))
            a = int(lab.parent[a])
        else:
            joints.append(int(lab.joint[b]))
            b = int(lab.parent[b])
    return joints


def _distance(judge: _Judge) -> np.ndarray:
    """How far from body 0 each joint is, over the whole graph: the sum over its two bodies."""
    near: list[list[int]] = [[] for _ in range(judge.bodies)]
    for a, b in zip(judge.start.tolist(), judge.end.tolist(), strict=True):
        near[a].append(b)
        near[b].append(a)
    distance = [-1] * judge.bodies
    distance[0] = 0
    front = [0]
    while front:
        reached: list[int] = []
        for a in front:
            for b in near[a]:
                if distance[b] < 0:
                    distance[b] = distance[a] + 1
                    reached.append(b)
        front = reached
    far = np.array(distance)
    return far[judge.start[: judge.count]] + far[judge.end[: judge.count]]
