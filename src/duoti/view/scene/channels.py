"""A channel as the page wants it, and how its columns are called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.model.joints.base import Joint
from duoti.model.mechanism.joint_motions import letters_of

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


def page_letters(joint: Joint, what: str) -> tuple[str, ...]:
    """Letters for the columns of a joint's coordinate or rate, as results read them; none if one has none."""
    found = letters_of(joint, what)
    return found if all(found) and len(found) > 1 else ()


def coordinate_labels(joint: Joint) -> list[str]:
    """A name for each number in a joint's q: "angle", "position.x", ..., as those of the channels."""
    names = [c.name for c in joint.coordinates for _ in range(c.nq)]
    ends = {name: iter(column_ends(page_letters(joint, name), names.count(name))) for name in dict.fromkeys(names)}
    return [name + next(ends[name]) for name in names]
