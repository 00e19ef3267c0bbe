"""Memory of the stages around the bare system (joint friction, reaction feedback): by its address in a workspace."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from duoti.kernel import ContextType, address_of, pack
from duoti.system.arrays import Work

_MEMORY: dict[int, Any] = {}  # by address, as long as the block of the workspace lives


def add_memory(work: Work, name: str, memory: Any, kind: ContextType, size: int) -> None:
    """Pack the memory of a stage into a context of so many bytes; its address into a field of `CONTEXTS`."""
    block = np.zeros(size // 8)
    pack(block, (memory,), kind)
    address = address_of(block)
    work.at[name] = address
    _MEMORY[address] = memory

    def forget(address: int, kept: Any) -> None:
        del kept
        _MEMORY.pop(address, None)

    weakref.finalize(work.block, forget, address, (block, memory)).atexit = False


def memory_at(work: Work, name: str) -> Any:
    """The memory at a field of `CONTEXTS`; None if a workspace has none."""
    return _MEMORY.get(int(work.at[0][name]))
