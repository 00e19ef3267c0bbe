"""What a checked kernel reports (`DUOTI_CHECK=1`), and the error that Python raises for it.

A kernel that finds an index out of bounds writes the index, the extent and the place into `RECORD` and returns at once;
so does each caller, which adds its own place. Python looks at the record after every call of a kernel or an entry.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, NamedTuple

SYMBOL = "duoti_fault"  # the name under which checked machine code finds the record
MOST_PLACES = 28
INDEX, EXTENT, FIRST_PLACE = 1, 2, 3
FAILED, STALE = -1, -2
"""In place of an extent: a function returned an error of Numba; a quantity was not computed for the present state."""

RECORD = (ctypes.c_int64 * (FIRST_PLACE + MOST_PLACES))()
"""How many places are noted (0: no fault), the index, the extent, addresses of the texts of places (`Place`)."""


class FaultPlace(NamedTuple):
    """Where a fault was noted: in the function itself, then in each caller."""

    function: str
    what: str  # "the array a" or "axis 1 of the array a"; of a caller, what it called
    file: str
    line: str

    @property
    def text(self) -> str:
        """As it stands in the machine code."""
        return "\n".join(self)


class KernelError(RuntimeError):
    """A kernel of the checked build failed: `places` says where, the innermost function first."""

    def __init__(self, message: str, places: Sequence[FaultPlace] = ()):
        lines = [f"  {each.file}:{each.line}, in {each.function}" for each in places]
        super().__init__("\n".join([message, *lines]))
        self.places = list(places)


class KernelIndexError(KernelError, IndexError):
    """A kernel used an index outside the bounds of an array."""


class KernelStageError(KernelError):
    """A kernel used a quantity that was not computed for the present state."""


def address() -> int:
    """Address of the record."""
    return ctypes.addressof(RECORD)


def look() -> None:
    """Raise the fault that the last call left, if it left one."""
    if RECORD[0]:
        raise _taken()


def _taken() -> KernelError:
    """The fault of the record, which is then empty again."""
    count, index, extent, *addresses = RECORD
    RECORD[0] = 0
    places = [FaultPlace(*ctypes.string_at(each).decode().split("\n")) for each in addresses[:count]]
    places = [each for each in places if each.file != "<string>"] or places  # calls that were generated
    first = places[0]
    if extent == FAILED:
        return KernelError(f"{places[-1].function} failed: {first.function}: {first.what}", places)
    if extent == STALE:
        return KernelStageError(f"{places[1].function}: {first.what}", places[1:])  # the first one only compares
    message = f"{first.function}: index {index} is out of bounds for {first.what} of size {extent}"
    return KernelIndexError(message, places)


def looking(call: Any) -> Any:
    """A function that calls machine code, with a look at the record after each call."""

    def checked(*arguments: Any) -> Any:
        result = call(*arguments)
        look()
        return result

    return checked
