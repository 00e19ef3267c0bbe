"""The numbers of a compiled model (lengths, inertias, stiffnesses, constants of laws, ...) in one array, a pool.

All else is its structure: whatever has the same one differs from it by numbers that can be written into the pool. The
arrays of a system over a pool are parts of it.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from duoti.kernel.lanes import LANES, lanes_like
from duoti.system.arrays import Reals
from duoti.system.context import IN_LANES, PERTURBED
from duoti.system.system import System

Path = tuple[str, ...]
PARTS = ("tree", "loads", "closures")


def numbers_of(system: System) -> dict[Path, Reals]:
    """The arrays of numbers of a system, by where they stand."""
    return {path: value for path, value in _all_of(system) if path[-1] in PERTURBED}


def structure_of(system: System) -> list[Any]:
    """All other arrays and counts, but for addresses of functions."""
    return [value for path, value in _all_of(system) if path[-1] not in PERTURBED and path[-1] != "law_address"]


def _all_of(system: System) -> list[tuple[Path, Any]]:
    found: list[tuple[Path, Any]] = []
    waiting: list[tuple[Path, Any]] = [((part,), getattr(system, part)) for part in reversed(PARTS)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, tuple):
            inside: Any = value
            waiting += [((*path, name), each) for name, each in reversed(inside._asdict().items())]
        else:
            found.append((path, value))
    return found


def with_numbers(part: Any, path: Path, numbers: dict[Path, Any]) -> Any:
    """A part of a system (tree, loads, closures) with other arrays of numbers."""
    changed: dict[str, Any] = {}
    for name, value in part._asdict().items():
        here = (*path, name)
        if isinstance(value, tuple):
            changed[name] = with_numbers(value, here, numbers)
        elif here in numbers:
            changed[name] = numbers[here]
    return part._replace(**changed)


class NumberPool:
    """Where the numbers of a system stand in a pool: first those that have a number for each lane (`IN_LANES`).

    Attributes
    ----------
    first:
        Place of the first number of each array.
    start:
        Those of the system itself.
    size, in_lanes:
        How many numbers there are, and how many of them have one for each lane.
    """

    def __init__(self, system: System):
        self.system = system
        found = numbers_of(system)
        paths = sorted(found, key=lambda path: path[-1] not in IN_LANES)
        self.shapes = {path: found[path].shape for path in paths}
        self.first: dict[Path, int] = {}
        self.size = self.in_lanes = 0
        for path, shape in self.shapes.items():
            self.first[path] = self.size
            self.size += math.prod(shape)
            if path[-1] in IN_LANES:
                self.in_lanes = self.size
        self.structure = structure_of(system)
        self.start = self.numbers(system)

    def numbers(self, system: System) -> Reals:
        """Those of a system of the same structure; ValueError if it has another one."""
        found = numbers_of(system)
        if {path: each.shape for path, each in found.items()} != self.shapes:
            raise ValueError("arrays of the model have other sizes")
        pairs = zip(self.structure, structure_of(system), strict=True)
        if any(mine is not other and not np.array_equal(mine, other) for mine, other in pairs):
            raise ValueError("more than numbers of the model has changed")
        return np.concatenate([found[path].ravel() for path in self.shapes])

    def system_over(self, pool: Any) -> System:
        """The system whose numbers are parts of a pool [size]."""
        tree, loads, closures = self._over(pool)
        return replace(self.system, tree=tree, loads=loads, closures=closures)

    def lanes(self) -> tuple[Any, Any, Any, Any]:
        """A pool [in_lanes] of lanes, and tree, loads and closures over it."""
        pool = lanes_like(self.start[: self.in_lanes])
        return pool, *self._over(pool)

    def _over(self, pool: Any) -> Any:
        parts: dict[Path, Any] = {}
        for path, shape in self.shapes.items():
            if path[-1] in IN_LANES or pool.dtype != LANES:
                first = self.first[path]
                parts[path] = pool[first : first + math.prod(shape)].reshape(shape)
        return tuple(with_numbers(getattr(self.system, part), (part,), parts) for part in PARTS)
