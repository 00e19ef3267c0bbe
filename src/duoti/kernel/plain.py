"""What `entries` offers, in plain Python (`DUOTI_JIT=0`)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from duoti.kernel.packing import CONTEXTS, ContextType

_ENTRIES: dict[int, Callable[..., Any]] = {}


def call_address(address: int, x: int, y: int) -> None:
    """Call a C function `void f(const double *x, double *y)` at an address; x and y are addresses too."""
    ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(int(address))(x, y)


def call_entry(address: int, context: int) -> None:
    """Call the entry at an address with a context."""
    _ENTRIES[int(address)](context)


run_entry = call_entry


def unpack(context: int, kind: ContextType) -> Any:
    """The arguments that were packed into a context, or the first ones, if `kind` has no more."""
    return CONTEXTS[int(context)][: kind.count]


def entry_address(entry: Any) -> int:
    """A number under which plain Python finds the entry."""
    _ENTRIES[id(entry)] = entry
    return id(entry)


def entry_caller(entry: Any, context: int) -> Callable[[], None]:
    """A function that calls an entry with this context."""
    return lambda: entry(context)


def prepare(wanted: Any) -> None:
    """Nothing is compiled in plain Python."""
