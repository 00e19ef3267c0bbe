"""A channel as the page wants it, and how its columns are called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.model.joints.base import Joint
from duoti.model.motions import SAME, motions_of

FRAME_LETTERS = {3: ("x", "y", "z"), 4: ("w", "x", "y", "z")}


@dataclass
class Channel:
    """Columns over time under one name."""

    name: str
    unit: str
    of: str  # "joint", "body", "marker", "state", "energy", "force", "contact", "graph"
    item: str
    what: str
    values: NDArray[np.float64]  # (times, columns)
    letters: tuple[str, ...] = ()

    @property
    def head(self) -> dict[str, Any]:
        """All but the numbers."""
        return {"name": self.name, "unit": self.unit, "of": self.of, "item": self.item, "what": self.what,
                "letters": list(self.letters), "size": self.values.shape[1]}  # fmt: skip


def column_ends(letters: Sequence[str], size: int) -> list[str]:
    """What follows the name of a channel in those of its columns, as results read them: ".x", or "[0]"."""
    if size == 1:
        return [""]
    return [f".{c}" for c in letters] or [f"[{k}]" for k in range(size)]


def letters_of(joint: Joint, what: str) -> tuple[str, ...]:
    """Letters for the columns of a joint's coordinate or rate; none where they are not those of its axes.

    Attitudes and angular velocities have components. Other columns are called x, y, z if they shift along, or turn
    about, x, y, z in this order, so that `result["A.position.x"]` is the column that the page calls so; the plane of
    `Planar("y")` has other axes, and keeps numbers.
    """
    columns: list[int] = []
    at = 0
    for c in joint.coordinates:
        if what in (c.name, c.rate):
            if c.quaternion:
                return FRAME_LETTERS[c.nq if what == c.name else c.nv]
            columns += range(at, at + c.nq)
        at += c.nq
    motions = {motion.at: motion for motion in motions_of(joint) or ()}
    if not 1 < len(columns) <= 3:
        return ()
    for k, column in enumerate(columns):
        motion = motions.get(column)
        if motion is None or not (motion.slides or motion.turns) or abs(motion.axis[k] - 1.0) > SAME:
            return ()
    return FRAME_LETTERS[3][: len(columns)]


def coordinate_labels(joint: Joint) -> list[str]:
    """A name for each number in a joint's q: "angle", "position.x", ..., as those of the channels."""
    names = [c.name for c in joint.coordinates for _ in range(c.nq)]
    ends = {name: iter(column_ends(letters_of(joint, name), names.count(name))) for name in dict.fromkeys(names)}
    return [name + next(ends[name]) for name in names]
