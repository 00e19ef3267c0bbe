"""Friction from loads that redundant equations leave undetermined is refused: it would be any number."""

from __future__ import annotations

import numpy as np

from duoti.model.checks.findings import Findings
from duoti.model.element_id import ElementId
from duoti.model.errors import ModelError
from duoti.model.joint_friction import Slot, follows_load, slots_of
from duoti.model.mechanism.choose_tree import relative_tree
from duoti.model.mechanism.mobility import LoopGroup, lasting, mobility
from duoti.model.mechanism.placement import place_bodies
from duoti.system.arrays import Reals
from duoti.system.system import System

NONE = 1e-6  # part of a unit wrench that is round-off


def refuse_undetermined_loads(system: System) -> None:
    """Raise ModelError if friction of a joint depends on components of its reaction that are not unique."""
    model = system.model
    slots = [slot for slot in slots_of(model) if follows_load(model, slot)]
    if not slots or len(model.joints) <= len(model.bodies):  # a tree
        return
    topo = relative_tree(model)
    groups = [lasting(model, topo, group) for group in mobility(model, topo)]
    found, placement = Findings(), place_bodies(model)
    for slot in slots:
        for group in groups:
            if slot.joint not in group.stresses:
                continue
            element = model.joints[slot.joint]
            X_WU = placement.bodies[element.child] @ placement.on_child[slot.joint]
            frame = X_WU.rotation.matrix @ element.joint.frame().matrix
            lost = _undetermined(slot, group.stresses[slot.joint], frame)
            if lost:
                found.error(
                    "friction", (ElementId("force", slot.friction), ElementId("joint", slot.joint)),
                    f'force "{slot.friction}": {lost} in joint "{slot.joint}" is not unique, nor is its friction then',
                    f"the loop closed by {', '.join(group.loops)} has {group.redundancy} redundant equations: rigid "
                    "bodies do not tell how the load is shared",
                    _remedy(group) + "leave out the arms of these loads, or give friction that no load changes "
                    "(constant=)", "friction",
                )  # fmt: skip
    if found.found:
        raise ModelError(found.report(model.name, model.source_locations))


def _undetermined(slot: Slot, stresses: Reals, R_WM: Reals) -> str:
    """The loads in words that a slot counts and that self-stress (rows: torque, force, in world axes) may change."""
    axis = R_WM[:, 2] if slot.axis != 1 else R_WM[:, 0]  # the second axis of a universal joint is x
    torque, force = stresses[:, :3], stresses[:, 3:]
    axial, twist = np.abs(force @ axis).max(), np.abs(torque @ axis).max()
    radial = np.abs(force - np.outer(force @ axis, axis)).max()
    bending = np.abs(torque - np.outer(torque @ axis, axis)).max()
    arms = slot.arms
    parts = {
        "axial force": axial * (arms.axial + arms.whole + abs(arms.thread_axial)),
        "force across the axis": radial * (arms.radial + arms.whole),
        "bending moment": bending * arms.bending,
        "moment about the axis": twist * (arms.twisting + abs(arms.thread_twisting)),
    }
    return " and ".join(name for name, part in parts.items() if part > NONE * max(arms))


def _remedy(group: LoopGroup) -> str:
    changes = [f'make "{name}" {kind}' for name, kind in group.remedy.items()]
    return f"{' and '.join(changes)}; or " if changes else ""
