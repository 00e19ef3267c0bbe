"""A rope through several eyes, pulled by any law: a winch, a muscle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from duoti.elements.laws import add_law_gradient, law_value
from duoti.elements.ropes import add_rope_tangent, pull_rope, rope_length
from duoti.kernel import helper
from duoti.model.elements import Reference
from duoti.model.forces.base import Compiler
from duoti.model.forces.line_force import OWN
from duoti.model.forces.rope import RopeElement
from duoti.model.laws.law import Value

INTEGERS = (*RopeElement.INTEGERS, "law")
LAW = len(RopeElement.INTEGERS)


@helper
def _rope_force(f, t, q, v, loads, w):
    length, speed = rope_length(f, loads, w)
    tension = law_value(loads, w, loads.forces.integers[f, LAW], t, q, v, length, speed)
    pull_rope(f, loads, w, tension)
    return 0.0 * tension, -tension * speed, 0.0 * tension


@helper
def _rope_force_tangent(f, t, q, v, tree, loads, w, tan, path):
    law = loads.forces.integers[f, LAW]
    length, speed = rope_length(f, loads, w)
    tension = law_value(loads, w, law, t, q, v, length, speed)
    by_length, by_speed = add_law_gradient(
        tree, loads, w, tan, path, law, np.int64(0), t, q, v, length, speed, 1.0, path.row_q, path.row_v, path.row_z,
        np.int64(0),
    )  # fmt: skip
    add_rope_tangent(f, tree, loads, w, tan, path, tension, by_length, by_speed)


class RopeForce(RopeElement):
    """Tension [N] by a law in a rope from the first marker through eyes at the others to the last.

    The law knows the time `t`, the `length` [m] of the whole rope, its `speed` d(length)/dt [m/s] and anything else.
    The tension is the same everywhere; a positive one makes the rope shorter.
    """

    kind = "rope_force"
    INTEGERS = INTEGERS
    law = staticmethod(_rope_force)
    tangent = staticmethod(_rope_force_tangent)

    def __init__(self, through: Sequence[Reference], tension: Value):
        self.through, self.tension = through, tension

    def values(self) -> Iterable[tuple[str, Value, Mapping[str, Any], int]]:
        """The tension."""
        return (("tension", self.tension, OWN, 1),)

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        """See `Force.integers`."""
        return {**super().integers(compiler), "law": compiler.law(self.tension, OWN)}
