"""Links of the compiled tree: bodies that are welded together, or what is between the parts of a joint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from duoti.flexible.body import Flexible
from duoti.model.checks.findings import Findings
from duoti.model.element_id import ElementId
from duoti.model.elements import GROUND
from duoti.model.errors import ModelError
from duoti.model.joints import LAW_CODE as JOINT_CODE
from duoti.model.joints import Joint
from duoti.model.joints.free import Free
from duoti.model.joints.planar import Planar
from duoti.model.mechanism.choose_tree import needed_joints
from duoti.model.mechanism.placement import Placement
from duoti.model.model import Model
from duoti.spatial import Inertia, Pose
from duoti.spatial.inertia import combined
from duoti.system.arrays import ANY_MOTION, FREELY, IN_PLANE, REVOLUTE_Z, Ints, Tree
from duoti.topology import Topology

LEAST_PARAMETERS = 2  # columns of the table of joint parameters; more if a joint has more
MOST_COLUMNS = 6  # of a simple joint
ABOUT_Z = ((0, 0, 1, 0, 0, 0),)
ON_GROUND = {Planar.kind: IN_PLANE, Free.kind: FREELY}


def _ints(*lists: Sequence[int]) -> Ints:
    """Lists of one length as the rows of one table: quicker than an array for each."""
    return np.array(lists, dtype=np.int64)


def _table(rows: Sequence[Sequence[float]], least: int, kind: type) -> np.ndarray:
    """Rows of different lengths as one table, filled up with zeros; `least` columns or more."""
    width = max([least, *map(len, rows)])
    return np.array([[*row, *(0,) * (width - len(row))] for row in rows], kind).reshape(-1, width)


def _motion(joint: Joint, parent: int) -> int:
    """The kind of motion (`arrays`) of a joint that the tree runs through in the user's direction."""
    if joint.subspace == ABOUT_Z:
        return REVOLUTE_Z
    return ON_GROUND.get(joint.kind, ANY_MOTION) if parent == 0 else ANY_MOTION


NO_PAIRS = np.zeros((2, 0), np.int64)


class TreeBodies:
    """Links of the tree: one for each simple joint, ground first."""

    def __init__(self) -> None:
        self.parent, self.law, self.iq, self.iv, self.dof = [0], [-1], [0], [0], [0]
        self.bias, self.reverse, self.composite, self.motion = [0], [0], [0], [ANY_MOTION]
        self.X_PF: list[Sequence[float]] = [[0.0] * 12]
        self.parameters: list[Sequence[float]] = [()]
        self.inertia: list[Sequence[float]] = [[0.0] * 10]
        self.H0: list[Sequence[float]] = []
        self.first, self.rate = [0, 0], list[int]()  # columns of each link, and the rate of each column
        self.rotor: list[float] = []
        self.turns: list[int] = []
        self.moves: list[list[int]] = []
        self.joint: list[Joint | None] = [None]  # None: the link moves otherwise, too
        self.plain: list[tuple[int, int]] = []
        self.quaternions: list[tuple[int, int]] = []
        self.nq = self.nv = 0

    def add(
        self,
        parent: int,
        joint: Joint,
        reverse: bool,
        composite: bool,
        X_PF: Pose,
        inertia: Sequence[float],
        rotor: Sequence[float] = (),
        dofs_of: int = -1,
    ) -> int:
        """Add the link of a simple joint and its outboard body; returns its number.

        dofs_of: a link inboard of it, whose coordinates and velocities move this link too instead of some of its own.
        """
        shares = dofs_of >= 0
        self._refuse_foreign_dofs(parent, joint, dofs_of)
        self.parent.append(parent)
        self.joint.append(joint)
        self.law.append(JOINT_CODE[joint.kind])
        self.iq.append(self.iq[dofs_of] if shares else self.nq)
        self.iv.append(self.iv[dofs_of] if shares else self.nv)
        self.dof.append(0 if shares else joint.nv)
        self.rate += range(self.iv[-1], self.iv[-1] + joint.nv)
        self.first.append(len(self.rate))
        self.bias.append(int(joint.subspace is None))
        self.reverse.append(int(reverse))
        self.composite.append(int(composite))
        self.motion.append(ANY_MOTION if reverse else _motion(joint, parent))
        self.X_PF.append(X_PF.twelve)
        self.parameters.append(joint.parameters())
        self.inertia.append(inertia)
        self.rotor += rotor
        self.H0 += [[0.0] * 6] * joint.nv if joint.subspace is None else joint.subspace
        # seen from the other side of the joint, what was carried stands still and the other way round
        for row in joint.moves:
            self.moves.append([x ^ reverse for x in row])
        if shares:
            return len(self.parent) - 1
        k, j = self.nq, self.nv
        for c in joint.coordinates:
            if c.quaternion:
                self.quaternions.append((k, j))
            else:
                self.plain += [(k + i, j + i) for i in range(c.size)]
            self.turns += [int(c.quaternion or c.unit == "rad")] * c.nv
            k, j = k + c.nq, j + c.nv
        self.nq, self.nv = k, j
        return len(self.parent) - 1

    def add_modes(self, link: int, count: int) -> None:
        """Coordinates of the body itself, for the link that was added last: its frame does not move with them."""
        self.plain += [(self.nq + i, self.nv + i) for i in range(count)]
        self.rate += range(self.nv, self.nv + count)
        self.nq, self.nv = self.nq + count, self.nv + count
        self.dof[link] += count
        self.first[-1] += count
        self.rotor += [0.0] * count
        self.turns += [0] * count
        self.motion[link] = ANY_MOTION
        self.joint[link] = None
        self._add_static_columns(count, self.dof[link])

    def add_interface(self, link: int, iv: int, count: int) -> int:
        """A massless link on a flexible body, with a column for each of its modal velocities, which begin at iv.

        The body's law writes its pose and its columns.
        """
        self.parent.append(link)
        self.joint.append(None)
        self.law.append(-1)
        self.iq.append(0)
        self.iv.append(iv)
        self.dof.append(0)
        self.rate += range(iv, iv + count)
        self.first.append(len(self.rate))
        self.bias.append(1)
        for flags in (self.reverse, self.composite, self.motion):
            flags.append(0)
        self.X_PF.append(Pose.identity().twelve)
        self.parameters.append(())
        self.inertia.append([0.0] * 10)
        self._add_static_columns(count, count)
        return len(self.parent) - 1

    def _add_static_columns(self, count: int, width: int) -> None:
        """Columns that are zero, or that a law writes; none carries another one of the link along."""
        self.H0 += [[0.0] * 6] * count
        self.moves += [[0] * width for _ in range(count)]

    def _refuse_foreign_dofs(self, parent: int, joint: Joint, dofs_of: int) -> None:
        """Rates that carry each other must follow each other along a branch: M and G are packed that way."""
        if dofs_of < 0:
            return
        path = parent
        while path > dofs_of:
            path = self.parent[path]
        if path != dofs_of or self.dof[dofs_of] != joint.nv:
            raise ValueError(
                f"a link on link {parent} cannot have the rates of link {dofs_of}: it must be inboard of it and own as "
                f"many rates as the link has columns ({joint.nv})"
            )

    def chains(self) -> tuple[list[int], list[int]]:
        """For each rate: the first of the consecutive rates that carry it, and the next carrying one above them."""
        chain_first, chain_parent = list(range(self.nv)), [-1] * self.nv
        last = [-1] * len(self.parent)  # the last rate on the path from ground to each body
        for b in range(1, len(self.parent)):
            parent_dof = last[self.parent[b]]
            for i in range(self.iv[b], self.iv[b] + self.dof[b]):
                if parent_dof == i - 1 and parent_dof >= 0:
                    chain_first[i], chain_parent[i] = chain_first[parent_dof], chain_parent[parent_dof]
                else:
                    chain_parent[i] = parent_dof
                parent_dof = i
            last[b] = parent_dof
        return chain_first, chain_parent

    def inner(self) -> list[int]:
        """For each column: the next one inward on the path to ground, -1 at the root."""
        found: list[int] = []
        last = [-1] * len(self.parent)  # the last column on the path from ground to each link
        for b in range(1, len(self.parent)):
            last[b] = last[self.parent[b]]
            for k in range(self.first[b], self.first[b + 1]):
                found.append(last[b])
                last[b] = k
        return found

    def tree(self, gravity: np.ndarray, rows: int, states: int, bodies: tuple[int, Ints] | None = None) -> Tree:
        """All links as arrays; `rows` counts the closure equations, `states` the first-order states.

        bodies: `flexible` and `body_law`, if some bodies are not rigid.
        """
        flexible, body_law = bodies or (0, np.zeros(len(self.parent), np.int64))
        chain_first, chain_parent = self.chains()
        parent_dof = [
            i - 1 if i > first else up for i, (first, up) in enumerate(zip(chain_first, chain_parent, strict=True))
        ]
        depth: list[int] = []
        for up in parent_dof:
            depth.append(depth[up] + 1 if up >= 0 else 0)
        q_of_v = [-1] * self.nv
        for k, j in self.plain:
            q_of_v[j] = k
        M_row = [*accumulate((d + 1 for d in depth), initial=0)][: self.nv]
        parent, law, iq, iv, dof, bias, reverse, composite, motion = _ints(
            self.parent, self.law, self.iq, self.iv, self.dof, self.bias, self.reverse, self.composite, self.motion
        )
        by_rate = _ints(self.turns, q_of_v, parent_dof, chain_first, chain_parent, depth, M_row)
        (first,), (rate, inner) = _ints(self.first), _ints(self.rate, self.inner())
        plain_q, plain_v = _ints(*zip(*self.plain, strict=True)) if self.plain else NO_PAIRS
        quat_q, quat_v = _ints(*zip(*self.quaternions, strict=True)) if self.quaternions else NO_PAIRS
        return Tree(
            nb=len(self.parent), nq=self.nq, nv=self.nv, nc=len(self.rate), shared=int(len(self.rate) > self.nv),
            nz=states, ng=rows, first=first, rate=rate, inner=inner, parent=parent, law=law, iq=iq, iv=iv, dof=dof,
            bias=bias, reverse=reverse, composite=composite, motion=motion, X_PF=np.array(self.X_PF),
            joint_parameters=_table(self.parameters, LEAST_PARAMETERS, float), inertia=np.array(self.inertia),
            flexible=flexible, body_law=body_law, rotor=np.array(self.rotor, dtype=float), gravity=gravity,
            H0=np.array(self.H0, dtype=float).reshape(-1, 6), angular=by_rate[0],
            plain_q=plain_q, plain_v=plain_v, quat_q=quat_q, quat_v=quat_v,
            q_of_v=by_rate[1], parent_dof=by_rate[2], chain_first=by_rate[3], chain_parent=by_rate[4],
            moves=_table(self.moves, MOST_COLUMNS, np.int64), depth=by_rate[5], M_row=by_rate[6],
        )  # fmt: skip


# Cut joints that keep their coordinates: not the joint is cut open, but a body beside it.
#
# A body at the joint is split in two that share its inertia. One half stays where it is in the tree; the other hangs on
# the joint, which so becomes a joint of the tree like any other, with coordinates, velocities, motors, springs, rotors.
# The
# *shadow weld*, a weld of six equations, holds the two halves together. Nothing about the motion is approximated: both
# halves move as the one body did, and what passes through the joint is what passed through it before. (Drake's spanning
# forest opens loops the same way and calls such halves shadow links.)
#
# The half on the joint takes a share J of the inertia of all that is welded to the body, and J is taken from the body
# itself: so the reactions of welds beside it are right, too.


ROUND_OFF = 1e-12  # a principal moment below this part of the largest is none


@dataclass(frozen=True)
class ShadowBody:
    """A joint whose far body is split: that body, whether it is the joint's parent, and the inertia of the new half."""

    body: str
    reverse: bool
    inertia: Inertia


def joints_with_shadows(model: Model, topo: Topology) -> list[str]:
    """The cut joints whose coordinates are needed, or that have no equations of their own."""
    if not topo.cut_joints:
        return []
    needed = needed_joints(model)
    return [name for name in topo.cut_joints if name in needed or len(model.joints[name].joint.parts) > 1]


def find_shadow_bodies(model: Model, topo: Topology, placement: Placement, cut: Sequence[str]) -> dict[str, ShadowBody]:
    """The bodies that are split at these joints (`joints_with_shadows`); ModelError if one cannot."""
    if not cut:
        return {}
    group = _welded(model, topo)
    whole = {body: _whole(model, placement, group, body) for name in cut for body in _ends(model, name)}
    side = {name: max(_ends(model, name), key=lambda body: _quality(whole[body])) for name in cut}
    _refuse_massless(model, {name: whole[body] for name, body in side.items()})
    halves = {root: 1 + sum(group[body] == root for body in side.values()) for root in set(group.values())}
    return {
        name: ShadowBody(body, body == model.joints[name].parent, _share(whole[body], 1.0 / halves[group[body]]))
        for name, body in side.items()
    }  # pyright: ignore[reportReturnType]


def without(inertia: Inertia, halves: list[Inertia], X_BU: Pose) -> Sequence[float]:
    """What is left of an inertia, as the ten numbers of a link at a pose: not always that of a body (see above)."""
    R, p = X_BU.rotation.nine, X_BU.point
    whole = inertia.spatial_at(R, p)
    for half in halves:
        whole = tuple(a - b for a, b in zip(whole, half.spatial_at(R, p), strict=True))
    return whole


def _ends(model: Model, joint: str) -> tuple[str, str]:
    """Child and parent: of equals the first is split."""
    return model.joints[joint].child, model.joints[joint].parent


def _welded(model: Model, topo: Topology) -> dict[str, str]:
    """For each body the innermost one that it is welded to by joints of the tree, itself if there is none."""
    root = {GROUND: GROUND}
    for arc in topo.tree:
        fixed = not arc.virtual and model.joints[arc.name].kind == "fixed"
        root[arc.outboard] = root[arc.inboard] if fixed else arc.outboard
    return root


def _whole(model: Model, placement: Placement, group: dict[str, str], body: str) -> Inertia | None:
    """Inertia of all that is welded to a body, in its frame; None if ground is."""
    if group[body] == GROUND:
        return None
    X_BW = placement.bodies[body].inverse()
    members = [name for name, root in group.items() if root == group[body]]
    if any(isinstance(model.bodies[name].inertia, Flexible) for name in members):
        return None  # a body that deforms has no halves
    parts: list[tuple[Inertia | None, Pose]] = [
        (model.bodies[name].inertia, X_BW @ placement.bodies[name]) for name in members
    ]  # pyright: ignore[reportAssignmentType]
    return combined([inertia.moved(X) for inertia, X in parts if inertia is not None])


def _quality(inertia: Inertia | None) -> int:
    """Whether a half of it resists all motions, some (thin rods, points), or none."""
    if inertia is None or inertia.mass <= 0.0:
        return 0
    moments = inertia.principal().moments
    return 2 if moments[0] > ROUND_OFF * moments[2] else 1


def _share(whole: Inertia | None, part: float) -> Inertia:
    assert whole is not None
    return Inertia.as_given(part * whole.mass, whole.com, part * whole.matrix)


def _refuse_massless(model: Model, chosen: dict[str, Inertia | None]) -> None:
    massless = [name for name, inertia in chosen.items() if _quality(inertia) == 0]
    if not massless:
        return
    found, needed = Findings(), needed_joints(model)
    for name in massless:
        who, (child, parent) = ElementId("joint", name), _ends(model, name)
        reader = (needed[name] or "its rotor inertia") if name in needed else "a composite joint"
        found.error(
                "massless-cut", (who,), f'{who} is cut between "{parent}" and "{child}", neither of which has a mass',
                f"{reader} needs its coordinates: then one of the two is split into halves that share its mass",
                'cut another joint of its loop (forbid_cut), give one of the bodies a mass, or, where '
                'coordinates="absolute" cuts every joint, use coordinates="relative"',
            )  # fmt: skip
    if found.found:
        raise ModelError(found.report(model.name, model.source_locations))
