"""Loops (回路) as closed sequences of joints, one for each cut joint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, overload

import numpy as np

if TYPE_CHECKING:
    from duoti.topology.tree import Topology


@dataclass(frozen=True)
class Path:
    """The way from one body to another over tree joints, first to last.

    ``signs`` are +1 for a joint passed away from body 0 (in its regular direction), -1 towards body 0.
    """

    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    signs: tuple[int, ...]


@dataclass(frozen=True)
class Loop(Sequence[str]):
    """The loop that one cut joint closes; as a sequence it is the sequence of its joints.

    It starts at the first body of the cut joint, runs over tree joints to its second body, and returns against the cut
    joint. `joints[i]` leads from `bodies[i]` to the next body. `signs` are the column of the loop matrix U, and -1 for
    the cut joint itself.
    """

    cut: str
    joints: tuple[str, ...]
    signs: tuple[int, ...]
    bodies: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.joints)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        return self.joints[index]

    def __str__(self) -> str:
        steps = [
            f"{body} ─{joint}{'→' if sign > 0 else '←'}"
            for body, joint, sign in zip(self.bodies, self.joints, self.signs, strict=True)
        ]
        return " ".join([*steps, self.bodies[0]])


class Loops(Sequence[Loop]):
    """The loops in the order of their cut joints, each built when asked for, by number or by cut joint."""

    def __init__(self, topology: Topology) -> None:
        self._topology = topology

    def __len__(self) -> int:
        return len(self._topology.cut_joints)

    @overload
    def __getitem__(self, index: int | str) -> Loop: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Loop, ...]: ...
    def __getitem__(self, index: int | str | slice) -> Loop | tuple[Loop, ...]:
        if isinstance(index, slice):
            return tuple(self[k] for k in range(*index.indices(len(self))))
        t = self._topology
        k = t.cut_joints.index(index) if isinstance(index, str) else range(len(self))[index]
        labels = len(t.tree_joints) + k
        path = t.path_between(t.bodies[t.start[labels]], t.bodies[t.end[labels]])
        cut = t.cut_joints[k]
        return Loop(cut, (*path.joints, cut), (*path.signs, -1), path.bodies)

    def __iter__(self) -> Iterator[Loop]:
        return (self[k] for k in range(len(self)))

    def __repr__(self) -> str:
        shown = ", ".join("(" + " ".join(loop.joints) + ")" for loop in self[:10])
        return f"<{len(self)} loops: {shown}{', ...' if len(self) > 10 else ''}>"


# Regular labels (规则标号) of a tree, and what can be read off them at once.
#
# A labelling is regular when (Qi 2008, section 1.2) a body and its inboard joint have the same number, that
# number is greater than the inboard body's, and every joint points away from body 0. Among the regular
# labellings this one is in depth-first order: body j and all bodies outboard of it are the labels j, j + 1,
# ..., last[j]. So a chain has consecutive labels, "is k outboard of j" is two comparisons, and sums along paths
# are one cumulative sum.


@dataclass(frozen=True, eq=False)
class Labelling:
    """Arrays over the labels 0..N; entry 0 belongs to body 0. Cut joints have no part in it."""

    body: np.ndarray  # declared number of the body with this label
    joint: np.ndarray  # index of the body's inboard joint among the edges; -1 for body 0
    parent: np.ndarray  # label of the inboard body, L(j); L(0) = 0, so that powers of L end there
    last: np.ndarray  # greatest label outboard of this body, or its own
    depth: np.ndarray  # number of joints between this body and body 0

    @cached_property
    def label(self) -> np.ndarray:
        """Label of each body by its declared number."""
        label = np.empty_like(self.body)
        label[self.body] = np.arange(self.body.size)
        return label

    def by_label(self, values: np.ndarray) -> np.ndarray:
        """Values of the edges, arranged by the label of the body they carry; 0 for body 0."""
        arranged = np.zeros(self.body.size, dtype=values.dtype)
        arranged[1:] = values[self.joint[1:]]
        return arranged

    def path_sum(self, x: np.ndarray) -> np.ndarray:
        """For each body the sum of ``x`` over the bodies on its path from body 0, itself included.

        x counts for the labels j..last[j], so it enters at j and leaves after last[j]: one cumulative sum.
        """
        leave = np.bincount(self.last + 1, weights=x, minlength=x.size + 1)[: x.size]
        return np.cumsum(x - leave)

    def common(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """The outermost body inboard of (or equal to) both a[k] and b[k].

        In depth-first order it is a itself when b is outboard of a; otherwise the parent of the shallowest
        body with a label in a+1..b, found as the minimum over a range from a table of minima over 2^s labels.
        """
        low, high = np.minimum(a, b), np.maximum(a, b)
        answer = low.copy()
        apart = np.flatnonzero(high > self.last[low])
        if not apart.size:
            return answer
        first, final = low[apart] + 1, high[apart]
        level = np.frexp((final - first + 1).astype(np.float64))[1] - 1  # floor(log2(length))
        shallow = np.empty_like(first)
        table = self.parent  # in depth-first order the shallowest body of a range has the smallest parent
        for s in range(int(level.max()) + 1):
            here = np.flatnonzero(level == s)
            shallow[here] = np.minimum(table[first[here]], table[final[here] - (1 << s) + 1])
            table = np.minimum(table[: -(1 << s)], table[(1 << s) :])
        answer[apart] = shallow
        return answer


def label_tree(start: np.ndarray, end: np.ndarray, tree: np.ndarray, bodies: int) -> Labelling:
    """Label ``bodies`` bodies (body 0 among them) joined by the edges with indices ``tree``.

    Depth first from body 0; the joints of a body are followed in the order of ``tree``, that is, of
    declaration.
    """
    beside: list[list[tuple[int, int]]] = [[] for _ in range(bodies)]  # for each body, the others and their joints
    for j, a, b in zip(tree.tolist(), start[tree].tolist(), end[tree].tolist(), strict=True):
        beside[a].append((b, j))
        beside[b].append((a, j))

    body, joint, parent, depth = [0], [-1], [0], [0]
    stack = [(b, j, 0, 1) for b, j in reversed(beside[0])]  # last declared first: it is a stack
    push = stack.append
    while stack:
        b, j, p, d = stack.pop()
        here = len(body)
        body.append(b)
        joint.append(j)
        parent.append(p)
        depth.append(d)
        d += 1
        for other, through in reversed(beside[b]):
            if through != j:
                push((other, through, here, d))
    if len(body) != bodies:
        raise AssertionError("label_tree() was given edges that do not span all bodies")

    last = list(range(bodies))
    for k in range(bodies - 1, 0, -1):
        p = parent[k]
        if last[k] > last[p]:
            last[p] = last[k]
    return Labelling(np.array(body), np.array(joint), np.array(parent), np.array(last), np.array(depth))
