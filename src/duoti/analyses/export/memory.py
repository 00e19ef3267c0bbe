"""The arrays of a compiled model as one block of words, with the places of all addresses in it.

Kernels find their arguments and each other by addresses in memory: of arrays, contexts and entries. Here the arrays
are put one behind the other, and each word that holds an address becomes an offset (of an array) or a number (of a
kernel). Who loads the block adds its own address to the first and fills in the second.
"""

from __future__ import annotations

import bisect
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from duoti.kernel import address_of
from duoti.system.arrays import Ints

LINE = 8  # words: arrays begin at a line of the processor's cache
LOWEST, HIGHEST = 1 << 24, 1 << 47
"""Where addresses of a process lie. Sizes and indices are smaller; as a real number it would be below 1e-300."""


class UnknownAddressError(Exception):
    """An address that is not known."""


def owner_of(array: Any) -> Any:
    """The array that owns the memory of a view."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def arrays_in(thing: Any) -> list[Any]:
    """All arrays in a tuple, and in the tuples inside it."""
    if isinstance(thing, np.ndarray):
        return [thing]
    if isinstance(thing, tuple):
        return [array for each in thing for array in arrays_in(each)]  # pyright: ignore[reportUnknownVariableType]
    return []


@dataclass
class MemoryImage:
    """The words, and what stands where."""

    words: Any
    pointers: Ints
    """Places of words that hold the offset of another word [bytes]."""
    calls: list[tuple[int, int]]
    """Places of words that hold the address of a kernel, and its number."""
    kernels: list[int]
    """Addresses of these kernels in this process."""
    _begins: list[int] = field(default_factory=list[int])
    _ends: list[int] = field(default_factory=list[int])
    _places: list[int] = field(default_factory=list[int])

    def place(self, address: int) -> int:
        """Where the number at an address of this process is [words]."""
        k = bisect.bisect_right(self._begins, address) - 1
        if k < 0 or address > self._ends[k] or (address - self._begins[k]) % 8:
            raise UnknownAddressError(f"nothing of the model is at the address {address:#x}")
        return self._places[k] + (address - self._begins[k]) // 8

    def place_of(self, array: Any) -> int:
        """Where an array begins [words]."""
        return self.place(address_of(array))


def gather(things: Iterable[Any], kernels: Collection[int]) -> MemoryImage:
    """The block of all arrays in some tuples; kernels: addresses of all that there are."""
    owners: dict[int, Any] = {}
    for array in arrays_in(tuple(things)):
        owner = owner_of(array)
        owners[address_of(owner)] = owner
    begins = sorted(owners)
    ends, places, here = list[int](), list[int](), 0
    for address in begins:
        ends.append(address + owners[address].nbytes)
        places.append(here)
        here += -(-max(1, owners[address].nbytes // 8) // LINE) * LINE
    words = np.zeros(here, np.int64)
    block = MemoryImage(words, np.zeros(0, np.int64), [], [], begins, ends, places)
    for address, place in zip(begins, places, strict=True):
        owner = owners[address]
        flat = np.frombuffer(np.ascontiguousarray(owner).tobytes(), np.int64)
        words[place : place + len(flat)] = flat
    numbers: dict[int, int] = {}
    pointers = list[int]()
    for place in np.flatnonzero((words > LOWEST) & (words < HIGHEST)).tolist():
        value = int(words[place])
        if value in kernels:
            block.calls.append((place, numbers.setdefault(value, len(numbers))))
            words[place] = 0
        else:
            words[place] = 8 * block.place(value)
            pointers.append(place)
    block.pointers = np.array(pointers, np.int64)
    block.kernels = list(numbers)
    return block
