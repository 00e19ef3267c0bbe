"""The graph of a mechanism from plain data: bodies are vertices, joints are directed arcs.

Body 0 (零号物体) is the body whose motion is known: the ground, or one that moves as prescribed. Several
joints may join the same two bodies. Nothing physical is known here but a joint's kind and its number of
coordinates.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from duoti.spelling import with_article
from duoti.topology.errors import TopologyError, did_you_mean

GROUND = "ground"

UNSPECIFIED = "unspecified"
"""Kind of a joint of which only the two bodies are known; it has no number of coordinates."""

DOF: dict[str, int] = {
    "fixed": 0,
    "revolute": 1,
    "prismatic": 1,
    "screw": 1,
    "cylindrical": 2,
    "universal": 2,
    "spherical": 3,
    "planar": 3,
    "translation": 3,
    "free": 6,
}
"""Number of velocity coordinates of the kinds known by name; every other kind states its own."""


class JointEdge(NamedTuple):
    """One joint as a directed arc from parent to child.

    Parameters
    ----------
    name:
        Name of the joint.
    kind:
        Kind of the joint, such as "revolute".
    parent, child:
        Names of the bodies.
    dof:
        Degrees of freedom; by default those of the kind.
    actuated:
        Whether a force element drives the joint.
    keep:
        `True`: never cut it; `False`: always cut it; `None`: the program decides.
    """

    name: str
    kind: str
    parent: str
    child: str
    dof: int | None = None
    actuated: bool = False
    keep: bool | None = None

    @property
    def coordinates(self) -> int | None:
        """Number of velocity coordinates, ``None`` when the kind is unspecified."""
        return DOF.get(self.kind) if self.dof is None else self.dof


class JointLike(Protocol):
    """What `topology` reads of a model's joint."""

    @property
    def parent(self) -> str:
        """Name of the parent body."""
        ...

    @property
    def child(self) -> str:
        """Name of the child body."""
        ...

    @property
    def kind(self) -> str:
        """Type name in lower case."""
        ...

    @property
    def nv(self) -> int:
        """Number of velocity coordinates."""
        ...


@runtime_checkable
class ModelLike(Protocol):
    """What `topology` reads of a model; ``actuated_joints`` (names) is read too where it exists."""

    @property
    def bodies(self) -> Mapping[str, Any]:
        """Bodies by name, without the ground."""
        ...

    @property
    def joints(self) -> Mapping[str, Any]:
        """Joints by name, each a `JointLike`."""
        ...


@dataclass(frozen=True)
class Graph:
    """Bodies and joints of a mechanism, in the order of their declaration, without physics.

    Parameters
    ----------
    bodies:
        Names of the bodies, without ground.
    joints:
        The joints, each a `JointEdge`.
    ground:
        Name of ground.
    """

    bodies: tuple[str, ...]
    joints: tuple[JointEdge, ...]
    ground: str = GROUND

    @classmethod
    def from_edges(
        cls, edges: Iterable[JointEdge | Sequence[str]], *, bodies: Iterable[str] = (), ground: str = GROUND
    ) -> Graph:
        """From `JointEdge`, ``(name, kind, parent, child)`` or ``(name, parent, child)``.

        Bodies are numbered as listed in ``bodies``, then in the order in which the joints mention them. When
        ``bodies`` is given it must be complete: another name in a joint is a fault, not a new body.
        """
        joints: list[JointEdge] = []
        faults: list[str] = []
        for k, edge in enumerate(edges):
            if isinstance(edge, JointEdge):
                joints.append(edge)
            elif len(edge) == 4:
                joints.append(JointEdge(edge[0], edge[1], edge[2], edge[3]))
            elif len(edge) == 3:
                joints.append(JointEdge(edge[0], UNSPECIFIED, edge[1], edge[2]))
            else:
                faults.append(
                    f"edge {k} has {len(edge)} entries; give name, kind, parent, child or name, parent, child"
                )
        if faults:
            raise TopologyError(faults)
        names = tuple(bodies)
        if not names:
            seen = dict.fromkeys(name for e in joints for name in (e.parent, e.child))
            seen.pop(ground, None)
            names = tuple(seen)
        return cls(names, tuple(joints), ground)

    @classmethod
    def from_model(cls, model: ModelLike) -> Graph:
        """From a model: any object with ``bodies`` and ``joints`` (see `ModelLike`)."""
        actuated: Collection[str] = getattr(model, "actuated_joints", ())
        joints = tuple(
            JointEdge(name, j.kind, j.parent, j.child, j.nv, name in actuated) for name, j in model.joints.items()
        )
        return cls(tuple(model.bodies), joints)

    @classmethod
    def from_incidence(
        cls,
        S: Any,
        *,
        bodies: Sequence[str] | None = None,
        joints: Sequence[str] | None = None,
        kinds: Sequence[str] | None = None,
        ground: str = GROUND,
    ) -> Graph:
        """The system of an incidence matrix with row 0 = body 0 (Qi, eq. 1.1 and example 1.3)."""
        s = np.asarray(S)
        starts, ends = (s == 1).sum(axis=0), (s == -1).sum(axis=0)
        bad = np.flatnonzero((starts != 1) | (ends != 1) | ((s != 0).sum(axis=0) != 2))
        if bad.size:
            raise TopologyError(
                [f"column {j + 1} of the incidence matrix must hold one +1, one -1 and zeros" for j in bad]
            )
        body = [ground, *(bodies or [f"B{i}" for i in range(1, s.shape[0])])]
        joint = joints or [f"H{j}" for j in range(1, s.shape[1] + 1)]
        kind = kinds or [UNSPECIFIED] * s.shape[1]
        edges = (
            JointEdge(joint[j], kind[j], body[int(np.argmax(s[:, j]))], body[int(np.argmin(s[:, j]))])
            for j in range(s.shape[1])
        )
        return cls(tuple(body[1:]), tuple(edges), ground)

    def __repr__(self) -> str:
        return f"<Graph: {len(self.bodies)} bodies, {len(self.joints)} joints, body 0 is {self.ground!r}>"

    @cached_property
    def faults(self) -> tuple[str, ...]:
        """Everything that keeps this from being a graph, one sentence each; empty when all is well."""
        return tuple(_faults(self))

    @cached_property
    def unspecified(self) -> tuple[str, ...]:
        """One sentence for each joint without a number of coordinates: costs cannot be predicted with it."""
        return tuple(
            f'joint "{e.name}": its kind is unspecified, so its cost is unknown; give its kind'
            for e in self.joints
            if e.coordinates is None
        )

    @cached_property
    def number(self) -> Mapping[str, int]:
        """Body name -> number in the order of declaration, body 0 first."""
        return {name: i for i, name in enumerate((self.ground, *self.bodies))}

    @cached_property
    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """Incidence functions i+(j), i-(j) in the declared numbering: where each joint starts and ends."""
        if self.faults:
            raise TopologyError(self.faults)
        number, count = self.number, len(self.joints)
        start = np.fromiter((number[e.parent] for e in self.joints), np.int64, count)
        end = np.fromiter((number[e.child] for e in self.joints), np.int64, count)
        return start, end


def as_graph(source: Any) -> Graph:
    """The graph of a `Graph`, of a model or of an edge list."""
    if isinstance(source, Graph):
        return source
    if isinstance(source, ModelLike):
        return Graph.from_model(source)
    if isinstance(source, Iterable) and not isinstance(source, str | bytes | Mapping):
        return Graph.from_edges(source)
    raise TypeError(
        f"topology() needs a model, a Graph or a list of (name, kind, parent, child), not {type(source).__name__}"
    )


def _faults(graph: Graph) -> Iterable[str]:
    known = {graph.ground}
    for name in graph.bodies:
        if not name:
            yield f"a body has the name {name!r}; give it a non-empty string"
        elif name == graph.ground:
            yield f'body "{name}" has the name of body 0, which exists already; rename it'
        elif name in known:
            yield f'body "{name}" is declared twice; names must differ'
        known.add(name)
    names = (graph.ground, *graph.bodies)
    hints = 20  # looking for similar names is slow: enough for a reader, not for 100 000 wrong joints
    taken: set[str] = set()
    for e in graph.joints:
        if not e.name:
            yield f"a joint of {e.parent!r} and {e.child!r} has the name {e.name!r}; give a non-empty string"
        elif e.name in taken:
            yield f'joint "{e.name}" is declared twice; names must differ'
        taken.add(e.name)
        for role, body in (("parent", e.parent), ("child", e.child)):
            if body not in known:
                hint = did_you_mean(body, names) if hints > 0 else ""
                hints -= 1
                yield f'joint "{e.name}": {role} "{body}" is not a body{hint}'
        if e.parent == e.child:
            yield f'joint "{e.name}" joins body "{e.parent}" with itself; a joint needs two bodies'
        fixed = DOF.get(e.kind)
        if e.dof is None:
            if fixed is None and e.kind != UNSPECIFIED:
                hint = did_you_mean(e.kind, DOF)
                yield f'joint "{e.name}": kind "{e.kind}" is not known, so state its dof (0 to 6){hint}'
        elif fixed is not None and e.dof != fixed:
            yield f'joint "{e.name}": {with_article(e.kind)} joint has {fixed} coordinates, not {e.dof}'
        elif not 0 <= e.dof <= 6:
            yield f'joint "{e.name}": dof = {e.dof}, but a joint has 0 to 6 coordinates'
