"""`Topology`: a mechanism's derived tree, regular labels, matrices and loops. `build.topology` makes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from duoti.topology.cheapest import Prediction, predict
from duoti.topology.errors import TopologyError, did_you_mean
from duoti.topology.graph import Graph, JointEdge
from duoti.topology.loops import Labelling, Loops, Path
from duoti.topology.matrices import NamedMatrix, incidence_matrix, loop_entries, path_entries, without_ground
from duoti.topology.spanning import Weights, subsystems

# Who lies where in the tree: inboard and outboard bodies and joints, paths, terminal and branching bodies.
#
# The terms are those of Qi (2008), section 1.2. "Inboard" (内侧) is everything on the path to body 0,
# "outboard" (外侧) everything whose path leads through the body. Qi prints B_j in (B_0, B_i) for both; outboard
# must read B_i in (B_0, B_j).


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


SHOWN = 8
"""Joints of a loop that a sentence names; of a longer loop it gives the length."""


def balance(edge: JointEdge) -> str:
    """What cutting a joint costs and saves."""
    f = edge.coordinates
    if f is None:
        return "its kind is unspecified"
    return f"adds {6 - f} constraint rows, removes {f} coordinate{'' if f == 1 else 's'}"


class Reasons(Mapping[str, str]):
    """Cut joint -> why it was cut."""

    def __init__(self, topology: Topology) -> None:
        self._topology = topology

    def __len__(self) -> int:
        return len(self._topology.cut_joints)

    def __iter__(self) -> Iterator[str]:
        return iter(self._topology.cut_joints)

    def __getitem__(self, joint: str) -> str:
        t = self._topology
        loop = t.loops[self._place(joint)]
        edge = t.edge(joint)
        if len(loop) <= SHOWN:
            where = f"closes the loop {', '.join(loop.joints)}"
        else:
            where = f"closes a loop of {len(loop)} joints"
        if t.policy == "absolute":
            return "absolute coordinates cut every joint"
        if joint in t.forced:
            bridge = any(j in t.virtual_joints for j in loop.joints)
            lone = "; bodies were left unattached and got a virtual joint" if bridge else ""
            return f"forced by the user; {where}{lone}; {balance(edge)}"
        if joint in t.because:
            return f"{where}; {t.because[joint]}; {balance(edge)}"
        if t.policy == "cheapest":
            all_ = "all" if t.prediction.exact else "the"
            trees = f"{all_} {t.prediction.trees_examined} trees compared"
            return f"{where}; part of the tree with the lowest predicted cost of {trees}; {balance(edge)}"
        return f"{where}; {self._weight(joint, loop.joints[:-1])}; {balance(edge)}"

    def _place(self, joint: str) -> int:
        number = self._topology.joint_labels.get(joint, 0) - len(self._topology.tree_joints) - 1
        if number < 0:
            raise KeyError(f'joint "{joint}" is not cut')
        return number

    def _weight(self, joint: str, others: tuple[str, ...]) -> str:
        t = self._topology
        terms = t.weights.terms(t.edge(joint), t.graph.ground, joint in t.wanted)
        weight = t.weight(joint)
        parts = " ".join([f"{terms[0][1]} {terms[0][0]:g}", *(f"{why} {w:+g}" for w, why in terms[1:])])
        equal = [j for j in others if t.weight(j) == weight and j not in t.kept]
        higher = [j for j in others if t.weight(j) > weight]
        text = f"weight {weight:g} ({parts})"
        if higher:
            return f"{text} is the highest that may be cut"
        if equal:
            same = f"{', '.join(equal[:3])}{', ...' if len(equal) > 3 else ''}"
            return f"{text} is the highest of the loop, equal with {same} and declared later"
        return f"{text} is the highest of the loop"


Policy = Literal["weights", "cheapest", "absolute"]


class TreeJoint(NamedTuple):
    """One row of `Topology.tree`: a tree joint as a compiler of equations wants it."""

    label: int  # of the joint and of its outboard body
    name: str
    kind: str
    inboard: str  # body nearer to ground
    outboard: str
    reversed: bool  # the user's parent is the outboard body; the joint coordinate keeps the user's meaning
    virtual: bool  # added by the program


class Matrices(NamedTuple):
    """The matrices of Qi (2008), section 1.3, in one numbering; ``S_tree``, ``S_cut`` are without row 0."""

    S: NamedMatrix
    S_tree: NamedMatrix
    S_cut: NamedMatrix
    T: NamedMatrix
    U: NamedMatrix


@dataclass(frozen=True, eq=False, repr=False)
class Topology(Relations):
    """Spanning tree, cut joints, regular labels and loops of a mechanism; `topology` makes one.

    Bodies and joints are in the order of their regular labels: `bodies[j]` has the inboard joint `tree_joints[j - 1]`.
    Cut joints follow with the labels N + 1, N + 2, ... in the order of declaration.
    """

    policy: Policy
    weights: Weights
    wanted: frozenset[str]  # joints whose reaction is wanted
    forced: frozenset[str]  # joints the user had cut
    kept: frozenset[str]  # joints the user forbade to cut
    predicted: Prediction | None = None
    because: Mapping[str, str] = field(default_factory=dict[str, str])  # why joints are cut that weights would not cut

    # ------------------------------------------------------------------------------------ names and labels

    @cached_property
    def virtual_joints(self) -> tuple[str, ...]:
        """Free joints (虚铰) that the program added between ground and bodies attached to nothing."""
        return tuple(e.name for e in self.edges[len(self.graph.joints) :])

    @cached_property
    def tree(self) -> tuple[TreeJoint, ...]:
        """All tree joints by label, each with its inboard and outboard body."""
        names, real = self.bodies, len(self.graph.joints)
        indices, parents = self.labelling.joint[1:].tolist(), self.labelling.parent[1:].tolist()
        rows = zip(indices, (self.edges[e] for e in indices), parents, strict=True)
        return tuple(
            TreeJoint(k, edge.name, edge.kind, names[p], names[k], edge.child == names[p], e >= real)
            for k, (e, edge, p) in enumerate(rows, 1)
        )

    @cached_property
    def reversed(self) -> frozenset[str]:
        """Tree joints that point to ground as declared, and away from it in the regular labelling.

        Only the direction of the arc differs: the joint's coordinate keeps the meaning that the user gave it.
        """
        return frozenset(self.tree_joints[k] for k in np.flatnonzero(self._backward))

    def edge(self, joint: str) -> JointEdge:
        """A joint as declared."""
        return self.edges[self._edge_index[joint]]

    def weight(self, joint: str) -> float:
        """The weight by which Kruskal's algorithm judged a joint: the greater, the sooner it is cut."""
        terms = self.weights.terms(self.edge(joint), self.graph.ground, joint in self.wanted)
        return float(sum(w for w, _ in terms))

    # ------------------------------------------------------------------------------------ arrays of labels

    @cached_property
    def inboard(self) -> np.ndarray:
        """Inboard-body array (内接物体数组): element j - 1 is L(j), label of the body inboard of body j."""
        return _frozen(self.labelling.parent[1:])

    def inboard_power(self, n: int) -> np.ndarray:
        """L^n(j) for j = 1..N by eqs. (1.5), (1.6); it stays at 0 once the path has reached ground."""
        if n < 0:
            raise ValueError(f"inboard_power({n}): the power must not be negative")
        parent = self.labelling.parent
        result, square = np.arange(parent.size), parent
        n = min(n, int(self.labelling.depth.max()))
        while n:  # by repeated squaring: powers of one map commute
            if n & 1:
                result = square[result]
            square = square[square]
            n >>= 1
        return result[1:]

    @cached_property
    def start(self) -> np.ndarray:
        """i+(j) for all joints by label (element j - 1): the body where the joint starts."""
        return _frozen(np.concatenate((self.labelling.parent[1:], self._cut_ends[0])))

    @cached_property
    def end(self) -> np.ndarray:
        """i-(j) for all joints by label (element j - 1): the body where the joint ends; j in the tree."""
        return _frozen(np.concatenate((np.arange(1, self.labelling.body.size), self._cut_ends[1])))

    def i_plus(self, joint: int | str) -> int:
        """Incidence function i+(j): label of the body where joint ``j`` (label or name) starts."""
        return int(self.start[self._joint_label(joint) - 1])

    def i_minus(self, joint: int | str) -> int:
        """Incidence function i-(j): label of the body where joint ``j`` (label or name) ends."""
        return int(self.end[self._joint_label(joint) - 1])

    # ------------------------------------------------------------------------------------- matrices, loops

    @cached_property
    def incidence(self) -> NamedMatrix:
        """Incidence matrix S (关联矩阵), bodies with ground x all joints, in regular labels (eq. 1.1)."""
        return incidence_matrix(self.bodies, self.joints, self.start, self.end)

    @cached_property
    def path(self) -> NamedMatrix:
        """Path matrix T (通路矩阵), tree joints x bodies without ground, in regular labels (eq. 1.2)."""
        joint, body = path_entries(self.labelling)
        value = np.full(joint.size, -1, dtype=np.int64)
        return NamedMatrix(self.tree_joints, self.bodies[1:], joint - 1, body - 1, value)

    @cached_property
    def loop_matrix(self) -> NamedMatrix:
        """Loop matrix U = T S^c (回路矩阵), tree joints x cut joints, in regular labels (eq. 1.7)."""
        joint, loop, sign = loop_entries(self.labelling, *self._cut_ends)
        return NamedMatrix(self.tree_joints, self.cut_joints, joint - 1, loop, sign)

    def matrices(self, numbering: Literal["regular", "declared"] = "regular") -> Matrices:
        """S, T and U in regular labels, or in the user's order of bodies and joints and their directions."""
        n = len(self.bodies) - 1
        path, loop = self.path, self.loop_matrix
        if numbering == "regular":
            S_tree = incidence_matrix(self.bodies, self.tree_joints, self.start[:n], self.end[:n])
            S_cut = incidence_matrix(self.bodies, self.cut_joints, self.start[n:], self.end[n:])
            return Matrices(self.incidence, without_ground(S_tree), without_ground(S_cut), path, loop)
        body = (self.graph.ground, *self.graph.bodies)
        order = np.sort(self.labelling.joint[1:])
        row = np.searchsorted(order, self.labelling.joint[1:])  # label - 1 -> place among the tree joints as declared
        sign = np.where(self._backward, -1, 1)
        tree = tuple(self.edges[e].name for e in order)
        start, end = self._ends
        S = incidence_matrix(body, tuple(e.name for e in self.edges), start, end)
        tree_part = incidence_matrix(body, tree, start[order], end[order])
        cut_part = incidence_matrix(body, self.cut_joints, start[self.cut], end[self.cut])
        T = NamedMatrix(tree, body[1:], row[path.i], self.labelling.body[path.j + 1] - 1, path.value * sign[path.i])
        U = NamedMatrix(tree, self.cut_joints, row[loop.i], loop.j, loop.value * sign[loop.i])
        return Matrices(S, without_ground(tree_part), without_ground(cut_part), T, U)

    @property
    def loops(self) -> Loops:
        """The independent loops, one for each cut joint, as closed sequences of joints."""
        return Loops(self)

    @property
    def loop_count(self) -> int:
        """Number of independent loops, J - N."""
        return self.cut.size

    @cached_property
    def loop_lengths(self) -> np.ndarray:
        """Number of joints of each loop, its cut joint included."""
        (a, b), depth = self._cut_ends, self.labelling.depth
        return _frozen(depth[a] + depth[b] - 2 * depth[self.labelling.common(a, b)] + 1)

    # --------------------------------------------------------------------------- subsystems, cost, reasons

    @cached_property
    def subsystems(self) -> tuple[tuple[str, ...], ...]:
        """Groups of bodies that are connected without passing through ground, each by label.

        Different groups influence each other through forces only.
        """
        part = subsystems(*self._ends, self.labelling.body.size)[self.labelling.body].tolist()
        groups: dict[int, list[str]] = {}
        for name, p in zip(self.bodies[1:], part[1:], strict=True):
            groups.setdefault(p, []).append(name)
        return tuple(tuple(group) for group in groups.values())

    @cached_property
    def rooted(self) -> bool:
        """Whether a joint other than a free one attaches a body to ground (有根系统), or none (无根系统)."""
        return any(self.graph.ground in (e.parent, e.child) and e.kind != "free" for e in self.graph.joints)

    @cached_property
    def prediction(self) -> Prediction:
        """Size and estimated cost of the equations of motion on this tree."""
        if self.predicted is not None:
            return self.predicted
        if self.graph.unspecified:
            raise TopologyError(self.graph.unspecified)
        dof = np.array([e.coordinates for e in self.edges], dtype=np.int64)
        lab = self.labelling
        part = subsystems(*self._ends, lab.body.size)
        cut_part = np.maximum(*(part[end[self.cut]] for end in self._ends))
        return predict(lab, lab.by_label(dof), *self._cut_ends, 6 - dof[self.cut], cut_part)

    @property
    def why_cut(self) -> Reasons:
        """Cut joint -> why it was cut, in words."""
        return Reasons(self)

    # ----------------------------------------------------------------------------------------------- shown

    def __repr__(self) -> str:
        real = len(self.graph.joints)
        return f"<Topology: {len(self.bodies) - 1} bodies, {real} joints, {self.loop_count} cut>"

    def __str__(self) -> str:
        from duoti.topology.text import as_text

        return as_text(self)

    def svg(self) -> str:
        """A drawing: tree joints as solid lines, cut joints dashed, loops in colours."""
        from duoti.topology.drawing import as_svg

        return as_svg(self)

    def _repr_svg_(self) -> str | None:
        return self.svg() if len(self.bodies) <= 300 else None

    def _repr_html_(self) -> str:
        from duoti.topology.drawing import as_html

        return as_html(self)

    # --------------------------------------------------------------------------------------------- private

    @cached_property
    def _edge_index(self) -> dict[str, int]:
        return {e.name: k for k, e in enumerate(self.edges)}

    @cached_property
    def _ends(self) -> tuple[np.ndarray, np.ndarray]:
        """Start and end of all edges in the declared numbering, the virtual ones included."""
        start, end = self.graph.ends
        added = self.edges[len(self.graph.joints) :]
        to = np.array([self.graph.number[e.child] for e in added], dtype=np.int64)
        return np.concatenate((start, np.zeros_like(to))), np.concatenate((end, to))

    @cached_property
    def _cut_ends(self) -> tuple[np.ndarray, np.ndarray]:
        start, end = self._ends
        return self.labelling.label[start[self.cut]], self.labelling.label[end[self.cut]]

    @cached_property
    def _backward(self) -> np.ndarray:
        """By tree joint: whether the user's child is the inboard body."""
        return self.labelling.label[self._ends[1][self.labelling.joint[1:]]] == self.labelling.parent[1:]


def _frozen(a: np.ndarray) -> np.ndarray:
    a = a.copy()
    a.setflags(write=False)
    return a
