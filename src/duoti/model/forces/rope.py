"""A rope through several eyes: elastic, or pulled by any law, as by a winch or a muscle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from duoti.elements.laws import add_law_gradient, law_value
from duoti.elements.ropes import FIRST, LAST, add_rope_tangent, pull_rope, rope_length
from duoti.kernel import helper
from duoti.model.element_id import Fault
from duoti.model.elements import Reference
from duoti.model.forces.base import Compiler, Force, number_faults
from duoti.model.forces.channels import Array, ForceChannel, Seen
from duoti.model.forces.line_force import OWN
from duoti.model.laws.law import Value

INTEGERS = ("first", "last", "law")
LAW = INTEGERS.index("law")  # -1 for an elastic rope
REALS = ("stiffness", "damping", "rest_length")
STIFFNESS, DAMPING, REST_LENGTH = range(len(REALS))


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
    law = loads.forces.integers[f, LAW]
    if law >= 0:
        length, speed = rope_length(f, loads, w)
        tension = law_value(loads, w, law, t, q, v, length, speed)
        pull_rope(f, loads, w, tension)
        return 0.0 * tension, -tension * speed, 0.0 * tension
    stretch, speed, k, d = _state(f, loads, w)
    pull_rope(f, loads, w, k * stretch + d * speed)
    return 0.5 * k * stretch * stretch, 0.0 * speed, d * speed * speed


@helper
def _rope_tangent(f, t, q, v, tree, loads, w, tan, path):
    law = loads.forces.integers[f, LAW]
    if law >= 0:
        length, speed = rope_length(f, loads, w)
        tension = law_value(loads, w, law, t, q, v, length, speed)
        by_length, by_speed = add_law_gradient(
            tree, loads, w, tan, path, law, np.int64(0), t, q, v, length, speed, 1.0, path.row_q, path.row_v,
            path.row_z, np.int64(0),
        )  # fmt: skip
        add_rope_tangent(f, tree, loads, w, tan, path, tension, by_length, by_speed)
        return
    stretch, speed, k, d = _state(f, loads, w)
    if k != 0.0:
        add_rope_tangent(f, tree, loads, w, tan, path, k * stretch + d * speed, k, d)


class Rope(Force):
    r"""Rope from the first marker through eyes at the others to the last: elastic, or with a tension by a law.

    $$T = \max\left(0,\; k\,(\ell - \ell_0) + c\,\dot\ell\right) \quad \text{for} \quad \ell > \ell_0$$

    The tension $T$ is the same everywhere: the rope has no mass, and the eyes no friction. It is zero where the rope is
    shorter than $\ell_0$. The damping acts only while the rope lengthens, so the tension is never negative.

    Give `tension` in place of these numbers for a law of the time `t`, the `length` $\ell$, the `speed` $\dot\ell$ and
    any quantity of the model. A marker may stand in the list more than once; several markers of one body make a block.

    Parameters
    ----------
    through:
        Markers or bodies: the first end, the eyes, the last end.
    stiffness:
        Stiffness $k$ of the whole rope, $E A / \ell_0$.
    damping:
        Damping coefficient $c$.
    rest_length:
        Length $\ell_0$ without tension.
    tension:
        Tension by a law, in place of the three numbers; a positive one shortens the rope.
    """

    kind = "rope"
    units: ClassVar = {"stiffness": "N/m", "damping": "N s/m", "rest_length": "m"}
    INTEGERS = INTEGERS
    REALS = REALS
    repeats_bodies: ClassVar[bool] = True
    law = staticmethod(_rope)
    tangent = staticmethod(_rope_tangent)

    def __init__(
        self,
        through: Sequence[Reference],
        stiffness: float | None = None,
        damping: float = 0.0,
        rest_length: float = 0.0,
        tension: Value | None = None,
    ):
        self.through = through
        self.stiffness, self.damping, self.rest_length = stiffness, damping, rest_length
        self.tension = tension

    def markers(self) -> Iterable[tuple[str, Reference]]:
        """All of them, in order."""
        return tuple(("through", each) for each in self.through)

    def values(self) -> Iterable[tuple[str, Value, Mapping[str, Any], int]]:
        """The tension, if a law gives it."""
        return () if self.tension is None else (("tension", self.tension, OWN, 1),)

    def left_out(self) -> Iterable[str]:
        return () if self.tension is None else REALS

    def faults(self) -> list[Fault]:
        found: list[Fault] = []
        if isinstance(self.through, str) or not isinstance(self.through, Sequence) or len(self.through) < 2:  # pyright: ignore[reportUnnecessaryIsInstance]
            text = "a rope goes through at least two markers: give a list such as ['a', 'eye', 'b']"
            found.append(Fault(text, "through"))
        if self.tension is None and self.stiffness is None:
            found.append(Fault("give its stiffness, or its tension as a law", "stiffness"))
            return found
        if self.tension is None:
            return found + number_faults(
                positive_stiffness=self.stiffness, positive_damping=self.damping, positive_rest_length=self.rest_length
            )
        elastic = [
            name for name, left_out in zip(REALS, (None, 0.0, 0.0), strict=True) if getattr(self, name) != left_out
        ]
        if elastic:
            text = f"tension and {' and '.join(elastic)} are given: give a law of the tension, or the numbers of an "
            found.append(Fault(f"{text}elastic rope (stiffness, damping, rest_length), not both", "tension"))
        return found

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        rows = np.zeros((len(self.through), 6))
        rows[:, 0] = [compiler.marker(each) for each in self.through]
        first, last = compiler.table(rows)
        law = -1 if self.tension is None else compiler.law(self.tension, OWN)
        return {INTEGERS[FIRST]: first, INTEGERS[LAST]: last, INTEGERS[LAW]: law}

    def reals(self) -> Mapping[str, float]:
        return {"stiffness": self.stiffness or 0.0, "damping": self.damping, "rest_length": self.rest_length}

    def channels(self, model: Any) -> Mapping[str, ForceChannel]:
        """Length, speed and tension."""
        bodies = [model.body_name(each) for each in self.through]
        return {
            "length": ForceChannel("m", 1, lambda seen: _pieces(seen)[0].sum(axis=1, keepdims=True)),
            "speed": ForceChannel("m/s", 1, _speed),
            "tension": ForceChannel("N", 1, lambda seen: _tension(seen, bodies)),
        }
