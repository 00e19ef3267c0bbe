"""Memory of dry laws into workspaces."""

from __future__ import annotations

import weakref
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from duoti.elements.dry_memory import DRY_BYTES, DRY_CONTEXT, Dry
from duoti.kernel import address_of, pack
from duoti.model.dry import slots_of
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.forces.joint_stop import JointStop
from duoti.system.arrays import Work
from duoti.system.system import System

_LIVING: dict[int, Dry] = {}  # memory by address, as long as the workspace's own block lives


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
    return _LIVING[int(work.at[0].joint_friction)]


def add_dry(system: System, work: Work) -> None:
    """Memory for the dry laws of a system, into a workspace."""
    from duoti.dynamics.dry.slots import build_dry

    dry = build_dry(system)
    if dry is None:
        return
    memory = np.zeros(DRY_BYTES // 8)
    pack(memory, (dry,), DRY_CONTEXT)
    address = address_of(memory)
    work.at[0].joint_friction = address
    _LIVING[address] = dry

    def forget(address: int, kept: Any) -> None:
        del kept
        _LIVING.pop(address, None)

    weakref.finalize(work.block, forget, address, (memory, dry)).atexit = False
