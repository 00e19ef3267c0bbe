"""Pairs of shapes that can touch: discovered (a new one is a new file and nothing else) or a line of a table."""

from __future__ import annotations

from duoti.model.discovery import discover
from duoti.model.pairs.base import ALIASES, AS_HULLS, AS_TRIANGLES, ShapePair
from duoti.model.pairs.general_pairs import GENERAL_PAIRS
from duoti.model.pairs.patch import SoftConvex, SoftPair, SoftPlaneMesh
from duoti.model.pairs.soft_triangles import SoftTriangles

_FOUND = {pair.kind: pair for pair in GENERAL_PAIRS} | discover(__name__, __path__, ShapePair)
SHAPE_PAIRS = {kind: pair for kind, pair in sorted(_FOUND.items()) if not issubclass(pair, SoftPair)}
"""All pairs by name."""

_THIN = (
    ("point", "disc"), ("rod", "disc"), ("point", "triangles"), ("point", "point"), ("point", "rod"), ("rod", "rod"),
)  # fmt: skip
THIN = {*_THIN, *((b, a) for a, b in _THIN)}
"""Shapes without thickness on both sides, which pass through each other unnoticed; triangles are thin, too."""

_BY_SHAPES = {(pair.first, pair.second): pair for pair in SHAPE_PAIRS.values()}


def find_pair(kind_a: str, kind_b: str) -> tuple[type[ShapePair] | None, bool]:
    """The pair for two kinds of shapes, and whether they change places in it; None if they cannot be treated."""
    if (kind_a, kind_b) in THIN:
        return None, False
    a, b = ALIASES.get(kind_a, kind_a), ALIASES.get(kind_b, kind_b)
    if (a, b) in _BY_SHAPES:
        return _BY_SHAPES[a, b], False
    if (b, a) not in _BY_SHAPES and (a in AS_HULLS or b in AS_HULLS):
        return find_pair(AS_HULLS.get(a, a), AS_HULLS.get(b, b))
    if (b, a) not in _BY_SHAPES and (a in AS_TRIANGLES or b in AS_TRIANGLES):
        return find_pair(*("triangles" if each in AS_TRIANGLES else kind for each, kind in ((a, kind_a), (b, kind_b))))
    return _BY_SHAPES.get((b, a)), True


def find_compliant_pair(kind_a: str, kind_b: str) -> tuple[type[ShapePair] | None, bool]:
    """The same for a compliant contact: of pairs without a closed form, the one whose points have shares (`patch`).

    None for two non-convex meshes.
    """
    pair, swapped = find_pair(kind_a, kind_b)
    if pair is None or pair.law is not None:
        return pair, swapped
    if pair.first == "triangles":
        return None, False
    return SoftTriangles if pair.surfaces else SoftPlaneMesh if pair.first == "plane" else SoftConvex, swapped


__all__ = ["SHAPE_PAIRS", "ShapePair", "find_compliant_pair", "find_pair"]
