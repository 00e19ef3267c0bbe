"""Ropes over sheaves and through eyes as lines for flat pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

ARC = 24  # pieces of an arc
ROUNDS = 60  # of the search for a tangent: it halves its error at least, unless sheaves nearly touch


class Rim(NamedTuple):
    """A point of a rope in the world: the rim of its sheave, or an eye (radius 0)."""

    centre: Array
    ex: Array
    ey: Array
    radius: float
    side: int

    def at(self, angle: Any) -> Array:
        """Points (..., 3) at angles [rad]."""
        angle = np.asarray(angle)[..., None]
        return self.centre + self.radius * (np.cos(angle) * self.ex + np.sin(angle) * self.ey)

    def towards(self, target: Array, turn: int) -> float:
        """Angle [rad] at which a tangent leaves to a target."""
        x, y = (target - self.centre) @ self.ex, (target - self.centre) @ self.ey
        return float(np.arctan2(y, x) - turn * np.arccos(min(1.0, self.radius / max(np.hypot(x, y), 1e-300))))


def tangent(a: Rim, b: Rim) -> tuple[float, float]:
    """Angles [rad] at which the rope leaves a and reaches b."""
    out, into, q = 0.0, 0.0, b.centre
    for _ in range(ROUNDS):
        if a.radius > 0:
            out = a.towards(q, a.side)
        if b.radius > 0:
            into = b.towards(a.at(out), -b.side)
        following = b.at(into)
        if np.linalg.norm(following - q) < 1e-9 * (1 + np.linalg.norm(following)):
            break
        q = following
    return out, into


def rope_line(rims: Sequence[Rim], closed: bool) -> Array:
    """The rope as points (n, 3) of a line: straight between sheaves, round on them (less than a turn is drawn)."""
    pairs = list(zip(rims, [*rims[1:], *(rims[:1] if closed else [])], strict=False))
    angles = [tangent(a, b) for a, b in pairs]
    line: list[Array] = []
    for k, rim in enumerate(rims):
        out = angles[k][0] if k < len(angles) else None
        into = angles[k - 1][1] if k or closed else None
        if rim.radius == 0 or out is None or into is None:
            line.append(rim.at([next((each for each in (out, into) if each is not None), 0.0)]))
            continue
        arc = (rim.side * (out - into) + np.pi / 2) % (2 * np.pi) - np.pi / 2
        line.append(rim.at(into + rim.side * arc * np.linspace(0.0, 1.0, ARC + 1)))
    return np.concatenate([*line, line[0][: int(closed)]])
