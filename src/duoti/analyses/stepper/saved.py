"""The state of a stepper as a copy: all that further steps depend on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from duoti.system.arrays import Reals


@dataclass(frozen=True, eq=False)
class StepperState:
    """What `Stepper.state` gives and `Stepper.restore` takes, also in another process.

    Attributes
    ----------
    t:
        Time [s].
    q, v, z:
        Coordinates, rates and first-order states.
    """

    t: float
    q: Reals
    v: Reals
    z: Reals
    solver: str = field(repr=False)
    numbers: dict[str, Any] = field(repr=False)
    """What decides which system it is (`HeldNumbers.state_dict`)."""
    shapes: tuple[tuple[str, tuple[int, ...]], ...] = field(repr=False)
    data: bytes = field(repr=False)
    """The arrays of the loop, one after the other."""
    memory: dict[str, Any] = field(repr=False)
    """What else is remembered."""


class Arrays:
    """A list of arrays that are copied together."""

    def __init__(self, arrays: list[Any]):
        self.given = arrays
        self.arrays = list({id(each): each for each in arrays if each.size}.values())
        self.shapes = tuple((each.dtype.str, each.shape) for each in self.arrays)
        self._flat = [each.reshape(-1).view(np.uint8) for each in self.arrays]
        self._bounds = np.cumsum([0, *map(len, self._flat)]).tolist()

    def copy(self) -> bytes:
        """All of them, one after the other."""
        return np.concatenate(self._flat).tobytes() if self._flat else b""

    def fill(self, data: bytes) -> None:
        """Put a copy back."""
        whole = np.frombuffer(data, np.uint8)
        for k, each in enumerate(self._flat):
            each[:] = whole[self._bounds[k] : self._bounds[k + 1]]
