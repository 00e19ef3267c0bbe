"""Who lies where in the tree: inboard and outboard bodies and joints, paths, terminal and branching bodies.

The terms are those of Qi (2008), section 1.2. "Inboard" (内侧) is everything on the path to body 0,
"outboard" (外侧) everything whose path leads through the body. Qi prints B_j in (B_0, B_i) for both; outboard
must read B_i in (B_0, B_j).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from duoti.topology.errors import did_you_mean
from duoti.topology.graph import Graph, JointEdge
from duoti.topology.loops import Path
from duoti.topology.regular_labels import Labelling


@dataclass(frozen=True, eq=False, repr=False)
class Relations:
    """The part of `Topology` that answers questions about bodies by name; its joints are tree joints."""

    graph: Graph
    edges: tuple[JointEdge, ...]  # the user's joints, then the virtual ones
    labelling: Labelling
    cut: np.ndarray  # indices of the cut joints among the edges

    @cached_property
    def bodies(self) -> tuple[str, ...]:
        """Body names by regular label, ground first."""
        names = (self.graph.ground, *self.graph.bodies)
        return tuple(names[i] for i in self.labelling.body.tolist())

    @cached_property
    def tree_joints(self) -> tuple[str, ...]:
        """Names of the tree joints by regular label 1..N; joint j leads to body j."""
        return tuple(self.edges[e].name for e in self.labelling.joint[1:].tolist())

    @cached_property
    def cut_joints(self) -> tuple[str, ...]:
        """Names of the cut joints in the order of declaration."""
        return tuple(self.edges[e].name for e in self.cut.tolist())

    @property
    def joints(self) -> tuple[str, ...]:
        """All joints by label: tree joints, then cut joints."""
        return self.tree_joints + self.cut_joints

    @cached_property
    def labels(self) -> Mapping[str, int]:
        """Body name -> regular label (规则标号); ground is 0."""
        return {name: i for i, name in enumerate(self.bodies)}

    @cached_property
    def joint_labels(self) -> Mapping[str, int]:
        """Joint name -> label: that of its outboard body for a tree joint, beyond N for a cut joint."""
        return {name: i for i, name in enumerate(self.joints, 1)}

    def inboard_body(self, body: str) -> str | None:
        """The adjacent body towards ground (内接物体); ``None`` for ground itself."""
        j = self._label(body)
        return self.bodies[self.labelling.parent[j]] if j else None

    def inboard_joint(self, body: str) -> str | None:
        """The tree joint that carries a body (内接铰); ``None`` for ground."""
        j = self._label(body)
        return self.tree_joints[j - 1] if j else None

    def next_bodies(self, body: str) -> tuple[str, ...]:
        """The adjacent bodies away from ground (外接物体)."""
        return tuple(self.bodies[k] for k in self._children(self._label(body)))

    def next_joints(self, body: str) -> tuple[str, ...]:
        """The tree joints that a body carries (外接铰)."""
        return tuple(self.tree_joints[k - 1] for k in self._children(self._label(body)))

    def inboard_bodies(self, body: str) -> tuple[str, ...]:
        """All bodies on the path to ground (内侧物体), nearest first, ground last."""
        return tuple(self.bodies[k] for k in self._way_in(self._label(body))[1:])

    def inboard_joints(self, body: str) -> tuple[str, ...]:
        """All joints on the path to ground, nearest first."""
        return tuple(self.tree_joints[k - 1] for k in self._way_in(self._label(body))[:-1])

    def outboard_bodies(self, body: str) -> tuple[str, ...]:
        """All bodies whose path to ground leads through this one (外侧物体), by label."""
        j = self._label(body)
        return self.bodies[j + 1 : int(self.labelling.last[j]) + 1]

    def outboard_joints(self, body: str) -> tuple[str, ...]:
        """All tree joints whose path to ground leads through this body, by label."""
        j = self._label(body)
        return self.tree_joints[j : int(self.labelling.last[j])]

    def is_inboard(self, a: str, b: str) -> bool:
        """Whether body ``a`` is on the path of another body ``b`` to ground (a < b)."""
        i, j = self._label(a), self._label(b)
        return i < j <= int(self.labelling.last[i])

    def path_between(self, a: str, b: str) -> Path:
        """The path (路) from body ``a`` to body ``b`` in the tree."""
        i, j, parent = self._label(a), self._label(b), self.labelling.parent
        inward, outward = [], []
        while i != j:  # the greater label cannot be inboard of the other: step in from there
            if i > j:
                inward.append(i)
                i = int(parent[i])
            else:
                outward.append(j)
                j = int(parent[j])
        joints = inward + outward[::-1]
        return Path(
            bodies=tuple(self.bodies[k] for k in [*inward, i, *outward[::-1]]),
            joints=tuple(self.tree_joints[k - 1] for k in joints),
            signs=(-1,) * len(inward) + (1,) * len(outward),
        )

    @cached_property
    def terminal_bodies(self) -> tuple[str, ...]:
        """Bodies that carry no other (末端物体): those that do not occur in L."""
        return tuple(self.bodies[k] for k in np.flatnonzero(self._carried == 0) if k)

    @cached_property
    def branching_bodies(self) -> tuple[str, ...]:
        """Bodies that carry two or more others (分叉物体): those that occur in L twice; ground may be one."""
        return tuple(self.bodies[k] for k in np.flatnonzero(self._carried >= 2))

    @cached_property
    def _carried(self) -> np.ndarray:
        parent = self.labelling.parent
        return np.bincount(parent[1:], minlength=parent.size)

    def _children(self, j: int) -> list[int]:
        """Labels of the bodies that body j carries: each follows the last one outboard of the other."""
        last, found = self.labelling.last, list[int]()
        k = j + 1
        while k <= last[j]:
            found.append(k)
            k = int(last[k]) + 1
        return found

    def _way_in(self, j: int) -> list[int]:
        way = [j]
        while j:
            j = int(self.labelling.parent[j])
            way.append(j)
        return way

    def _label(self, body: str) -> int:
        try:
            return self.labels[body]
        except KeyError:
            raise KeyError(f'there is no body "{body}"{did_you_mean(body, self.labels)}') from None

    def _joint_label(self, joint: int | str) -> int:
        if isinstance(joint, str):
            try:
                return self.joint_labels[joint]
            except KeyError:
                raise KeyError(f'there is no joint "{joint}"{did_you_mean(joint, self.joint_labels)}') from None
        if not 1 <= joint <= len(self.joint_labels):
            raise KeyError(f"there is no joint {joint}: labels run from 1 to {len(self.joint_labels)}")
        return joint
