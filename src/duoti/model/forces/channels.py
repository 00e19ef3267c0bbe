"""What can be seen of a force element over time: tensions, lengths, forces and torques, as channels of results.

A type says which channels it has and how each follows from what the element alone does (`Seen`); nothing else need
know about it. Energies and powers are there for all types.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from duoti.model.joints.base import Joint

Array = NDArray[np.float64]


class Seen(NamedTuple):
    """A force element by itself, one row per time; world axes."""

    frames: Array
    """[time, marker, 18] of its markers: rotation matrix, position, angular velocity, velocity."""
    wrenches: Array
    """[time, marker, 6]: torque about the marker and force of the element on the marker's body."""
    joint_forces: Array
    """[time, rate]: generalised forces in its joints, in the order of their rates."""
    bounds: Array | None = None
    """[time, slot, 3] of friction in a joint: load times its arms, bounds of sliding and of static friction."""
    written: Any = None
    """[time, number] what its law left in its scratch (`Force.written`)."""

    @property
    def line(self) -> Array:
        """Unit vectors from the first marker to the second; zero where they coincide."""
        d = self.frames[:, 1, 9:12] - self.frames[:, 0, 9:12]
        length = np.linalg.norm(d, axis=1, keepdims=True)
        return np.divide(d, length, out=np.zeros_like(d), where=length > 0.0)


class ForceChannel(NamedTuple):
    """A channel: its unit, how many numbers it has, and how it follows from what was seen: an array [time, size]."""

    unit: str
    size: int
    read: Callable[[Seen], Array]


def _length(seen: Seen) -> Array:
    return np.linalg.norm(seen.frames[:, 1, 9:12] - seen.frames[:, 0, 9:12], axis=1, keepdims=True)


def _speed(seen: Seen) -> Array:
    return np.sum(seen.line * (seen.frames[:, 1, 15:] - seen.frames[:, 0, 15:]), axis=1, keepdims=True)


def _tension(seen: Seen) -> Array:
    return -np.sum(seen.line * seen.wrenches[:, 1, 3:], axis=1, keepdims=True)


LINE: Mapping[str, ForceChannel] = {
    "length": ForceChannel("m", 1, _length),
    "speed": ForceChannel("m/s", 1, _speed),
    "tension": ForceChannel("N", 1, _tension),
}
"""Of an element along the line between two markers; a tension pulls them together, a speed lengthens the line."""

FORCE = ForceChannel("N", 3, lambda seen: seen.wrenches[:, -1, 3:])
TORQUE = ForceChannel("N m", 3, lambda seen: seen.wrenches[:, -1, :3])
"""Of the element on the body of its last marker, about that marker."""


def in_joint(element: Any, coordinate: Any = None) -> Mapping[str, ForceChannel]:
    """Of an element that acts on a coordinate of a joint, or, without one, on all of them: "torque" or "force"."""
    if element is None or not isinstance(element.joint, Joint) or not isinstance(coordinate, int | None):
        return {}
    units = ["N m" if c.rate_unit == "rad/s" else "N" for c in element.joint.coordinates for _ in range(c.nv)]
    columns = range(len(units)) if coordinate is None else [coordinate]
    if not columns or not 0 <= min(columns) <= max(columns) < len(units):
        return {}
    kinds = {units[k] for k in columns}
    unit = kinds.pop() if len(kinds) == 1 else "mixed"
    name = {"N m": "torque", "N": "force"}.get(unit, "joint_force")
    return {name: ForceChannel(unit, len(columns), lambda seen: seen.joint_forces[:, list(columns)])}
