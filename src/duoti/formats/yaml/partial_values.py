"""What could be read of a mapping that has faults, and which faults the rest of it has.

A fault must not hide others. What a mapping lacks is made up for by stand-ins, and what is found then counts as far as
it does not depend on them: a constructor's refusal that is the same for all of them, and what a check says about keys
that were read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from duoti.model.beams.beam_section import Beam
from duoti.model.constructor_schema import Field
from duoti.model.elements import GROUND
from duoti.spatial import Inertia
from duoti.spelling import nearest

NUMBERS = (1e-3, 1.0, 1e3)
STAND_INS: dict[str, tuple[Any, ...]] = {
    "number": NUMBERS,
    "law": NUMBERS,
    "whole number": (1, 2, 5),
    "axis": ("x", "z", "y"),
    "marker or body": (GROUND,) * 3,
    "body": (GROUND,) * 3,
    "inertia": (Inertia.point(1.0),) * 3,
    "beam": (Beam.from_stiffness(1e6, 1e6, 1e6, 1.0, 1.0, 1.0, 1.0, (1e-3, 1e-3, 1e-3)),) * 3,
    "two bodies or markers": ((GROUND, GROUND),) * 3,
    "two sides": ((GROUND, GROUND),) * 3,
}
"""By kind: three values that may stand for one that could not be read; the one in the middle makes an element."""
MIDDLE = 1


@dataclass
class Given:
    """The values of a mapping by key, and what is wrong with others."""

    fields: dict[str, Field]
    """All keys that there may be."""
    values: dict[str, Any] = field(default_factory=dict[str, Any])
    """Those that could be read."""
    faulty: set[str] = field(default_factory=set[str])
    """Keys that are missing, or could not be read."""
    unknown: list[str] = field(default_factory=list[str])
    guessed: bool = False
    """True if the type was misspelt."""

    @property
    def sound(self) -> bool:
        """True if nothing is wrong."""
        return not (self.faulty or self.unknown or self.guessed)

    def parted(self, keys: Iterable[str]) -> tuple[Given, Given]:
        """What is given but for some keys, and what of these; unknown keys count for the first."""
        few = set(keys)
        first, second = Given({}, unknown=self.unknown, guessed=self.guessed), Given({})
        for key, each in self.fields.items():
            part = second if key in few else first
            part.fields[key] = each
            if key in self.values:
                part.values[key] = self.values[key]
            if key in self.faulty:
                part.faulty.add(key)
        return first, second

    def completed(self, which: int = MIDDLE) -> dict[str, Any] | None:
        """The values with stand-ins for those that are needed; None if there is none of a kind."""
        needed = [key for key in self.faulty if self.fields[key].required]
        if any(self.fields[key].kind not in STAND_INS for key in needed):
            return None
        return {**self.values, **{key: STAND_INS[self.fields[key].kind][which] for key in needed}}

    def variants(self) -> Iterable[dict[str, Any]]:
        """Values with several stand-ins for what is open: what could not be read, and what may have been misspelt."""
        meant = {near for key in self.unknown for near in nearest(key, self.fields) if near not in self.values}
        for which in range(len(NUMBERS)):
            found = self.completed(which)
            if found is not None:
                others = (self.faulty | meant) - found.keys()
                known = {key: self.fields[key].kind for key in others if self.fields[key].kind in STAND_INS}
                yield {**found, **{key: STAND_INS[kind][which] for key, kind in known.items()}}
        if meant and (found := self.completed()) is not None:
            yield found


def refusal(maker: Callable[..., Any], given: Given) -> str:
    """What a constructor says against the values, whatever those are that could not be read; empty if nothing."""
    texts: set[str] = set()
    for values in given.variants():
        try:
            with np.errstate(all="ignore"):
                maker(**values)
        except (TypeError, ValueError, ArithmeticError) as error:
            texts.add(str(error))
        else:
            return ""
    return texts.pop() if len(texts) == 1 else ""


def made_of(maker: Callable[..., Any], given: Given) -> Any:
    """What a constructor makes of the values and stand-ins; None if it refuses them, or there are none."""
    values = given.completed()
    try:
        return None if values is None else maker(**values)
    except (TypeError, ValueError, ArithmeticError):
        return None
