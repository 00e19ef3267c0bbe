"""Cut joints that keep their coordinates: not the joint is cut open, but a body beside it.

A body at the joint is split in two that share its inertia. One half stays where it is in the tree; the other hangs on
the joint, which so becomes a joint of the tree like any other, with coordinates, velocities, motors, springs, rotors.
The
*seam*, a weld of six equations, holds the two halves together. Nothing about the motion is approximated: both halves
move as the one body did, and what passes through the joint is what passed through it before. (Drake's spanning forest
opens loops the same way and calls such halves shadow links.)

The half on the joint takes a share J of the inertia of all that is welded to the body, and J is taken from the body
itself: so the reactions of welds beside it are right, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from duoti.flexible.body import Flexible
from duoti.model.checks.findings import Findings
from duoti.model.element_id import ElementId
from duoti.model.elements import GROUND
from duoti.model.errors import ModelError
from duoti.model.mechanism.choose_tree import needed_joints
from duoti.model.mechanism.placement import Placement
from duoti.model.model import Model
from duoti.spatial import Inertia, Pose
from duoti.spatial.inertia import combined
from duoti.topology import Topology

ROUND_OFF = 1e-12  # a principal moment below this part of the largest is none


@dataclass(frozen=True)
class Seam:
    """A joint whose far body is split: that body, whether it is the joint's parent, and the inertia of the new half."""

    body: str
    reverse: bool
    inertia: Inertia


def find_seams(model: Model, topo: Topology, placement: Placement) -> dict[str, Seam]:
    """The cut joints whose coordinates are needed, or that have no equations of their own; ModelError if one cannot."""
    if not topo.cut_joints:
        return {}
    needed = needed_joints(model)
    cut = [name for name in topo.cut_joints if name in needed or len(model.joints[name].joint.parts) > 1]
    if not cut:
        return {}
    group = _welded(model, topo)
    whole = {body: _whole(model, placement, group, body) for name in cut for body in _ends(model, name)}
    side = {name: max(_ends(model, name), key=lambda body: _quality(whole[body])) for name in cut}
    _refuse_massless(model, {name: whole[body] for name, body in side.items()}, needed)
    halves = {root: 1 + sum(group[body] == root for body in side.values()) for root in set(group.values())}
    return {
        name: Seam(body, body == model.joints[name].parent, _share(whole[body], 1.0 / halves[group[body]]))
        for name, body in side.items()
    }  # pyright: ignore[reportReturnType]


def without(inertia: Inertia, halves: list[Inertia], X_BU: Pose) -> Sequence[float]:
    """What is left of an inertia, as the ten numbers of a row at a pose: not always that of a body (see above)."""
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


def _refuse_massless(model: Model, chosen: dict[str, Inertia | None], needed: dict[str, ElementId | None]) -> None:
    found = Findings()
    for name, inertia in chosen.items():
        if _quality(inertia) == 0:
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
