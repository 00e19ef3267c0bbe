"""Memory of joint friction laws into workspaces."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from duoti.dynamics.stage_memory import add_memory, memory_at
from duoti.elements.joint_friction_memory import JOINT_FRICTION_BYTES, JOINT_FRICTION_CONTEXT, JointFrictionData
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.forces.joint_stop import JointStop
from duoti.model.joint_friction import slots_of
from duoti.system.arrays import Work
from duoti.system.system import System

_KNOWN: WeakKeyDictionary[System, bool] = WeakKeyDictionary()


def has_joint_friction(system: System) -> bool:
    """Whether a system has friction or rigid stops in joints."""
    if not any(issubclass(each, JointFriction | JointStop) for each in system.force_types):
        return False
    if system not in _KNOWN:
        _KNOWN[system] = bool(slots_of(system.model))
    return _KNOWN[system]


def joint_friction_of(work: Work) -> JointFrictionData:
    """The memory of the joint friction laws of a workspace."""
    found = memory_at(work, "joint_friction")
    assert found is not None
    return found


def add_joint_friction(system: System, work: Work) -> None:
    """Memory for the joint friction laws of a system, into a workspace."""
    from duoti.dynamics.joint_friction.slots import build_joint_friction

    jf = build_joint_friction(system)
    if jf is None:
        return
    add_memory(work, "joint_friction", jf, JOINT_FRICTION_CONTEXT, JOINT_FRICTION_BYTES)
