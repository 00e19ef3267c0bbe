"""A rope through several eyes, and what all such ropes have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from duoti.elements.ropes import FIRST, LAST, add_rope_tangent, pull_rope, rope_length
from duoti.kernel import helper
from duoti.model.element_id import Fault
from duoti.model.elements import Reference
from duoti.model.forces.base import Compiler, Force, number_faults
from duoti.model.forces.channels import Array, ForceChannel, Seen

INTEGERS = ("first", "last")
REALS = ("stiffness", "damping", "rest_length")
STIFFNESS, DAMPING, REST_LENGTH = range(len(REALS))


class RopeElement(Force):
    """A force along a line through several markers, which slides through those between its ends without friction."""

    INTEGERS = INTEGERS
    repeats_bodies: ClassVar[bool] = True
    through: Sequence[Reference]

    def markers(self) -> Iterable[tuple[str, Reference]]:
        """All of them, in order."""
        return tuple(("through", each) for each in self.through)

    def faults(self) -> list[Fault]:
        """See `Force.faults`."""
        if isinstance(self.through, str) or not isinstance(self.through, Sequence) or len(self.through) < 2:  # pyright: ignore[reportUnnecessaryIsInstance]
            return [Fault("a rope goes through at least two markers: give a list such as ['a', 'eye', 'b']", "through")]
        return []

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        """See `Force.integers`."""
        rows = np.zeros((len(self.through), 6))
        rows[:, 0] = [compiler.marker(each) for each in self.through]
        first, last = compiler.table(rows)
        return {INTEGERS[FIRST]: first, INTEGERS[LAST]: last}

    def channels(self, model: Any) -> Mapping[str, ForceChannel]:
        """Length, speed and tension."""
        bodies = [model.body_name(each) for each in self.through]
        return {
            "length": ForceChannel("m", 1, lambda seen: _pieces(seen)[0].sum(axis=1, keepdims=True)),
            "speed": ForceChannel("m/s", 1, _speed),
            "tension": ForceChannel("N", 1, lambda seen: _tension(seen, bodies)),
        }


def _pieces(seen: Seen) -> tuple[Array, Array]:
    """Lengths and unit vectors of the pieces."""
    d = np.diff(seen.frames[:, :, 9:12], axis=1)
    length = np.linalg.norm(d, axis=2)
    return length, np.divide(d, length[:, :, None], out=np.zeros_like(d), where=length[:, :, None] > 0.0)


def _speed(seen: Seen) -> Array:
    return np.sum(_pieces(seen)[1] * np.diff(seen.frames[:, :, 15:], axis=1), axis=(1, 2))[:, None]


def _tension(seen: Seen, bodies: Sequence[str]) -> Array:
    """From the forces on the bodies, each of which is the tension times what the directions there sum up to."""
    n = _pieces(seen)[1]
    pull = np.zeros((len(n), len(bodies), 3))
    pull[:, :-1] += n
    pull[:, 1:] -= n
    product, square = np.zeros(len(n)), np.full(len(n), 1e-300)
    for body in dict.fromkeys(bodies):
        here = [k for k, each in enumerate(bodies) if each == body]
        whole = pull[:, here].sum(axis=1)
        product += np.sum(whole * seen.wrenches[:, here[0], 3:], axis=1)
        square += np.sum(whole * whole, axis=1)
    return (product / square)[:, None]


@helper
def _state(f, loads, w):
    """Stretch (zero if slack), speed, and how the tension follows both.

    Where the rope just stands still, half the damping belongs to small oscillations: it acts in half of each.
    """
    reals = loads.forces.reals
    length, speed = rope_length(f, loads, w)
    stretch = length - reals[f, REST_LENGTH]
    k, d = reals[f, STIFFNESS], reals[f, DAMPING]
    if stretch.real <= 0.0:
        k, d, stretch = 0.0 * k, 0.0 * d, 0.0 * stretch
    elif speed.real < 0.0:
        d = 0.0 * d
    elif speed.real == 0.0:
        d = 0.5 * d
    return stretch, speed, k, d


@helper
def _rope(f, t, q, v, loads, w):
    stretch, speed, k, d = _state(f, loads, w)
    pull_rope(f, loads, w, k * stretch + d * speed)
    return 0.5 * k * stretch * stretch, 0.0 * speed, d * speed * speed


@helper
def _rope_tangent(f, t, q, v, tree, loads, w, tan, path):
    stretch, speed, k, d = _state(f, loads, w)
    if k != 0.0:
        add_rope_tangent(f, tree, loads, w, tan, path, k * stretch + d * speed, k, d)


class Rope(RopeElement):
    """A rope from the first marker through eyes at the others to the last: it pulls when taut, and never pushes.

    Tension = stiffness * (length - rest_length) + damping * d(length)/dt, the same everywhere (no friction in the
    eyes, no mass); zero where the rope is shorter than rest_length. The damping acts while the rope lengthens, so that
    the tension is never negative. stiffness [N/m] is that of the whole rope, E A / rest_length; damping [N s/m],
    rest_length [m]. A marker may stand in the list more than once, and several of one body make a block.
    """

    kind = "rope"
    units: ClassVar = {"stiffness": "N/m", "damping": "N s/m", "rest_length": "m"}
    REALS = REALS
    law = staticmethod(_rope)
    tangent = staticmethod(_rope_tangent)

    def __init__(self, through: Sequence[Reference], stiffness: float, damping: float = 0.0, rest_length: float = 0.0):
        self.through = through
        self.stiffness, self.damping, self.rest_length = stiffness, damping, rest_length

    def faults(self) -> list[Fault]:
        """See `Force.faults`."""
        return super().faults() + number_faults(
            positive_stiffness=self.stiffness, positive_damping=self.damping, positive_rest_length=self.rest_length
        )
