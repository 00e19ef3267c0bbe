"""Memory of dry laws into workspaces."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from duoti.dynamics.stage_memory import add_memory, memory_at
from duoti.elements.joint_friction_memory import DRY_BYTES, DRY_CONTEXT, Dry
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.forces.joint_stop import JointStop
from duoti.model.joint_friction import slots_of
from duoti.system.arrays import Work
from duoti.system.system import System

_KNOWN: WeakKeyDictionary[System, bool] = WeakKeyDictionary()


def is_dry(system: System) -> bool:
    """Whether a system has friction or rigid stops in joints."""
    if not any(issubclass(each, JointFriction | JointStop) for each in system.force_types):
        return False
    if system not in _KNOWN:
        _KNOWN[system] = bool(slots_of(system.model))
    return _KNOWN[system]


def dry_of(work: Work) -> Dry:
    """The memory of the dry laws of a workspace."""
    found = memory_at(work, "joint_friction")
    assert found is not None
    return found


def add_dry(system: System, work: Work) -> None:
    """Memory for the dry laws of a system, into a workspace."""
    from duoti.dynamics.joint_friction.slots import build_dry

    dry = build_dry(system)
    if dry is None:
        return
    add_memory(work, "joint_friction", dry, DRY_CONTEXT, DRY_BYTES)
