"""The derived tree (派生树) by cutting joints: Kruskal's algorithm, virtual joints, the user's preferences.

Of the joints taken in the order of growing weight, one is kept unless it would close a loop with those kept
before (Yuan et al. 2000, section 4). What is left over are the cut joints; their total weight is the greatest
possible. Joints of equal weight are taken in the order of declaration, so that of several equal ones the last
is cut.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from duoti.topology.errors import did_you_mean
from duoti.topology.graph import DOF, UNSPECIFIED, Graph, JointEdge


class CutPreferences(NamedTuple):
    """What may happen to each joint, in the order of declaration."""

    forced: np.ndarray  # must be cut
    kept: np.ndarray  # must not be cut


class Spanning(NamedTuple):
    """A spanning tree of the graph, completed by virtual joints (虚铰) between body 0 and ``virtual``."""

    tree: np.ndarray  # indices of the kept joints, growing
    cut: np.ndarray  # indices of the cut joints, growing
    virtual: tuple[int, ...]  # declared numbers of the bodies that get a virtual free joint


class Groups:
    """Disjoint sets of 0..count-1 with union by linking to the smaller root: the root is the first member."""

    def __init__(self, count: int) -> None:
        self.root = list(range(count))

    def find(self, i: int) -> int:
        """First member of the set that holds ``i``; halves the way there for the next call."""
        root = self.root
        while root[i] != i:
            root[i] = root[root[i]]
            i = root[i]
        return i

    def join(self, i: int, j: int) -> bool:
        """Unite two sets; ``False`` when they were one already."""
        a, b = self.find(i), self.find(j)
        if a == b:
            return False
        if a < b:
            self.root[b] = a
        else:
            self.root[a] = b
        return True

    def roots(self) -> list[int]:
        """The first member of each set."""
        return [i for i, r in enumerate(self.root) if r == i]


def take(
    starts: Sequence[int], ends: Sequence[int], order: Iterable[int], groups: Groups
) -> tuple[list[int], list[int]]:
    """Walk through edges in ``order``: those that join two groups, and those that would close a loop."""
    kept: list[int] = []
    closing: list[int] = []
    join = groups.join
    for e in order:
        (kept if join(starts[e], ends[e]) else closing).append(e)
    return kept, closing


def span_forest(graph: Graph, preferences: CutPreferences) -> Spanning | None:
    """All joints, if none closes a loop and none must be cut: then nothing has to be weighed. Otherwise None."""
    start, end = graph.ends
    groups = Groups(len(graph.bodies) + 1)
    if preferences.forced.any() or not all(map(groups.join, start.tolist(), end.tolist())):
        return None
    return Spanning(np.arange(start.size), np.zeros(0, np.int64), tuple(r for r in groups.roots() if r != 0))


def span(graph: Graph, weights: np.ndarray, preferences: CutPreferences, ties: np.ndarray | None = None) -> Spanning:
    """The spanning tree of smallest total weight; ``ties`` decides between equal weights before the order.

    The preferences must be possible, see `impossible`. A group of bodies that no kept joint connects with body 0
    gets a virtual joint to its first declared body.
    """
    start, end = graph.ends
    index = np.arange(start.size)
    keys = (index, weights) if ties is None else (index, ties, weights)
    order = np.lexsort((*keys, ~preferences.kept))
    groups = Groups(len(graph.bodies) + 1)
    kept, closing = take(start.tolist(), end.tolist(), order[~preferences.forced[order]].tolist(), groups)
    cut = np.concatenate((np.array(closing, dtype=np.int64), np.flatnonzero(preferences.forced)))
    virtual = tuple(r for r in groups.roots() if r != 0)
    return Spanning(np.sort(np.array(kept, dtype=np.int64)), np.sort(cut), virtual)


def span_absolute(graph: Graph) -> Spanning:
    """Every joint cut and every body on a virtual joint: absolute coordinates are this tree.

    A joint of the kind "free" at body 0 is such a joint already and stays (the first one of its body).
    """
    start, end = graph.ends
    tree: dict[int, int] = {}
    for k, e in enumerate(graph.joints):
        if e.kind == "free" and 0 in (start[k], end[k]):
            tree.setdefault(int(max(start[k], end[k])), k)
    kept = np.array(sorted(tree.values()), dtype=np.int64)
    cut = np.setdiff1d(np.arange(start.size), kept)
    return Spanning(kept, cut, tuple(b for b in range(1, len(graph.bodies) + 1) if b not in tree))


def impossible(graph: Graph, preferences: CutPreferences) -> Iterable[str]:
    """Contradictions in the preferences: joints both forced and forbidden, loops of which no joint may be cut."""
    if not preferences.kept.any():
        return
    for k in np.flatnonzero(preferences.forced & preferences.kept):
        yield f'joint "{graph.joints[k].name}" is both forced and forbidden to be cut; decide for one'
    start, end = (a.tolist() for a in graph.ends)
    groups = Groups(len(graph.bodies) + 1)
    kept, closing = take(start, end, np.flatnonzero(preferences.kept & ~preferences.forced).tolist(), groups)
    for k in closing:
        path = _path(start, end, kept, start[k], end[k])
        names = ", ".join(f'"{graph.joints[j].name}"' for j in [*path, k])
        yield f"no joint of the loop {names} may be cut, but one must be; take one of them out of forbid_cut"


def subsystems(start: np.ndarray, end: np.ndarray, bodies: int) -> np.ndarray:
    """For each body the first body of its subsystem; body 0 joins nothing because its motion is known."""
    groups = Groups(bodies)
    inner = np.flatnonzero((start != 0) & (end != 0))
    take(start.tolist(), end.tolist(), inner.tolist(), groups)
    return np.array([groups.find(b) for b in range(bodies)])


def _path(start: list[int], end: list[int], edges: list[int], a: int, b: int) -> list[int]:
    """The edges from a to b in a forest."""
    near: dict[int, list[tuple[int, int]]] = {}
    for e in edges:
        near.setdefault(start[e], []).append((end[e], e))
        near.setdefault(end[e], []).append((start[e], e))
    came: dict[int, tuple[int, int]] = {a: (a, -1)}
    stack = [a]
    while stack and b not in came:
        here = stack.pop()
        for there, e in near.get(here, ()):
            if there not in came:
                came[there] = (here, e)
                stack.append(there)
    path: list[int] = []
    while b != a:
        b, e = came[b]
        path.append(e)
    return path[::-1]


# Weights that say which joint of a loop is best cut: the greater, the sooner (Yuan et al. 2000, section 3).
#
# Cutting a joint with f coordinates removes f coordinates from the tree and returns 6 - f constraint equations.
# Both counts favour many coordinates, so a weight is 10 f and a few units for what the count leaves undecided:
#
# ===========  ======  =============================================================================
# kind         weight  reason
# ===========  ======  =============================================================================
# free         60      no equation at all: in a loop it constrains nothing
# spherical    32      three equations of position only
# planar       30      one of position, two of orientation
# translation  28      three of orientation
# universal    22      four: three of position, one of orientation
# cylindrical  20      four: two of position, two of orientation
# revolute     12      five: three of position
# prismatic    10      five, three of them of orientation
# screw        8       five, and the number of turns cannot be read off the relative pose
# fixed        0       six equations and no coordinate removed
# other        10 f
# ===========  ======  =============================================================================
#
# This extends the order S > U > C > R > T of Yuan et al. A joint at body 0 weighs 5 more, because its closing
# equations are simpler: it decides between joints with equally many coordinates. Yuan et al., section 4, go
# further and look for cuts among the joints at ground first; `Weights.ground_first` does that. An actuated
# joint weighs 100 less: its coordinate should stay in the state. One whose reaction is wanted as a multiplier
# weighs 100 more.


KIND_WEIGHTS: dict[str, float] = {
    "free": 60,
    "spherical": 32,
    "planar": 30,
    "translation": 28,
    "universal": 22,
    "cylindrical": 20,
    "revolute": 12,
    "prismatic": 10,
    "screw": 8,
    "fixed": 0,
    UNSPECIFIED: 10,
}


@dataclass(frozen=True)
class Weights:
    """How readily each joint is cut: joints with larger weights are cut first.

    Parameters
    ----------
    kinds:
        Weights of some kinds of joints, in place of the default ones.
    joints:
        Numbers added to the weights of single joints by name.
    ground:
        Number added for joints on ground.
    actuated:
        Number added for actuated joints.
    reaction:
        Number added for joints whose reaction is wanted.
    """

    kinds: Mapping[str, float] = field(default_factory=dict[str, float])
    joints: Mapping[str, float] = field(default_factory=dict[str, float])
    ground: float = 5
    actuated: float = -100
    reaction: float = 100

    @classmethod
    def ground_first(cls) -> Weights:
        """Cut at body 0 wherever a loop passes through it, whatever the kinds (Yuan et al., section 4)."""
        return cls(ground=1000)

    def terms(self, edge: JointEdge, ground: str, wanted: bool) -> list[tuple[float, str]]:
        """The summands of one joint's weight, each with its reason."""
        kind = self.kinds.get(edge.kind, KIND_WEIGHTS.get(edge.kind, 10 * (edge.coordinates or 0)))
        found = [(kind, edge.kind)]
        if ground in (edge.parent, edge.child):
            found.append((self.ground, f"at {ground}"))
        if edge.actuated:
            found.append((self.actuated, "actuated"))
        if wanted:
            found.append((self.reaction, "reaction wanted"))
        if edge.name in self.joints:
            found.append((self.joints[edge.name], "by name"))
        return found

    def of(self, graph: Graph, want_reaction: Collection[str] = ()) -> np.ndarray:
        """Weight of every joint of a graph, in the order of declaration."""
        wanted, ground = frozenset(want_reaction), graph.ground
        return np.array(
            [sum(w for w, _ in self.terms(e, ground, e.name in wanted)) for e in graph.joints],
            dtype=np.float64,
        )

    def faults(self, graph: Graph) -> Iterator[str]:
        """Weights that concern nothing in the graph, or are no numbers."""
        if not self.kinds and not self.joints:
            return
        kinds = {e.kind for e in graph.joints} | set(DOF) | {UNSPECIFIED}
        names = {e.name for e in graph.joints}
        for kind, value in self.kinds.items():
            if kind not in kinds:
                yield f'weights: no joint is of the kind "{kind}"{did_you_mean(kind, sorted(kinds))}'
            elif not np.isfinite(value):
                yield f'weights: the weight of "{kind}" is {value}; force_cut and forbid_cut are strict'
        for name, value in self.joints.items():
            if name not in names:
                yield f'weights: there is no joint "{name}"{did_you_mean(name, sorted(names))}'
            elif not np.isfinite(value):
                yield f'weights: the weight of joint "{name}" is {value}; force_cut and forbid_cut are strict'
