"""Where bodies are and how they move, in a state of a compiled system, through the code that results use."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import duoti as dt
from duoti.results.evaluate.observe import ACCELERATIONS, FRAMES, observe
from duoti.system.arrays import size_of_state


class Motion(NamedTuple):
    """In world axes, one row for each body or marker; a are the accelerations of all rates."""

    rotation: np.ndarray
    position: np.ndarray
    angular_velocity: np.ndarray
    velocity: np.ndarray
    angular_acceleration: np.ndarray
    acceleration: np.ndarray
    a: np.ndarray


def motion(system: dt.System, q, v, names: list[str] | None = None, t: float = 0.0) -> Motion:
    """Of the named bodies and markers; of all bodies if none are named."""
    names = list(system.model.bodies) if names is None else names
    y = np.zeros((1, size_of_state(system.tree)))
    y[0, : system.nq], y[0, system.nq : system.nq + system.nv] = q, v
    markers = [system.marker_index(name) for name in names]
    seen = observe(system, np.array([t]), y, FRAMES | ACCELERATIONS, markers)
    f, a = seen.frames[0], seen.frame_accelerations[0]
    return Motion(f[:, :9].reshape(-1, 3, 3), f[:, 9:12], f[:, 12:15], f[:, 15:18], a[:, :3], a[:, 3:], seen.a[0])
