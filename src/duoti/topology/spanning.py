"""The derived tree (派生树) by cutting joints: Kruskal's algorithm, virtual joints, the user's wishes.

Of the joints taken in the order of growing weight, one is kept unless it would close a loop with those kept
before (Yuan et al. 2000, section 4). What is left over are the cut joints; their total weight is the greatest
possible. Joints of equal weight are taken in the order of declaration, so that of several equal ones the last
is cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from duoti.topology.graph import Graph


class Wishes(NamedTuple):
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


def span_forest(graph: Graph, wishes: Wishes) -> Spanning | None:
    """All joints, if none closes a loop and none must be cut: then nothing has to be weighed. Otherwise None."""
    start, end = graph.ends
    groups = Groups(len(graph.bodies) + 1)
    if wishes.forced.any() or not all(map(groups.join, start.tolist(), end.tolist())):
        return None
    return Spanning(np.arange(start.size), np.zeros(0, np.int64), tuple(r for r in groups.roots() if r != 0))


def span(graph: Graph, weights: np.ndarray, wishes: Wishes, ties: np.ndarray | None = None) -> Spanning:
    """The spanning tree of smallest total weight; ``ties`` decides between equal weights before the order.

    The wishes must be possible, see `impossible`. A group of bodies that no kept joint connects with body 0
    gets a virtual joint to its first declared body.
    """
    start, end = graph.ends
    index = np.arange(start.size)
    keys = (index, weights) if ties is None else (index, ties, weights)
    order = np.lexsort((*keys, ~wishes.kept))
    groups = Groups(len(graph.bodies) + 1)
    kept, closing = take(start.tolist(), end.tolist(), order[~wishes.forced[order]].tolist(), groups)
    cut = np.concatenate((np.array(closing, dtype=np.int64), np.flatnonzero(wishes.forced)))
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


def impossible(graph: Graph, wishes: Wishes) -> Iterable[str]:
    """Contradictions in the wishes: joints both forced and forbidden, loops of which no joint may be cut."""
    if not wishes.kept.any():
        return
    for k in np.flatnonzero(wishes.forced & wishes.kept):
        yield f'joint "{graph.joints[k].name}" is both forced and forbidden to be cut; decide for one'
    start, end = (a.tolist() for a in graph.ends)
    groups = Groups(len(graph.bodies) + 1)
    kept, closing = take(start, end, np.flatnonzero(wishes.kept & ~wishes.forced).tolist(), groups)
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
