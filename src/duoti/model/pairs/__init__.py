"""Pairs of shapes that can touch: one file each, discovered, so that a new one is a new file and nothing else."""

from __future__ import annotations

from duoti.model.discovery import discover
from duoti.model.pairs.base import ALIASES, ShapePair

SHAPE_PAIRS: dict[str, type[ShapePair]] = discover(__name__, __path__, ShapePair)
"""All pairs by name."""

THIN = {("point", "disc"), ("disc", "point"), ("rod", "disc"), ("disc", "rod")}
"""Shapes without thickness on both sides, which pass through each other unnoticed."""

_BY_SHAPES = {(pair.first, pair.second): pair for pair in SHAPE_PAIRS.values()}


def find_pair(kind_a: str, kind_b: str) -> tuple[type[ShapePair] | None, bool]:
    """The pair for two kinds of shapes, and whether they change places in it; None if they cannot be treated."""
    if (kind_a, kind_b) in THIN:
        return None, False
    a, b = ALIASES.get(kind_a, kind_a), ALIASES.get(kind_b, kind_b)
    if (a, b) in _BY_SHAPES:
        return _BY_SHAPES[a, b], False
    return _BY_SHAPES.get((b, a)), True


__all__ = ["SHAPE_PAIRS", "ShapePair", "find_pair"]
