"""What the tetrahedra share: the reference cell, barycentric coordinates, quadrature."""

from __future__ import annotations

import itertools
import math

import numpy as np

from duoti.flexible.elements.solid import Array, Rule

CORNERS = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
"""The reference tetrahedron, of volume 1/6."""

BARYCENTRIC_GRADIENTS = np.array([[-1.0, -1.0, -1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])


def barycentric(points: Array) -> Array:
    """Barycentric coordinates (q, 4) of points."""
    return np.column_stack([1.0 - points.sum(axis=1), points])


def _rule(*orbits: tuple[float, tuple[float, float, float, float]]) -> Rule:
    """All permutations of each set of barycentric coordinates, with its weight as a share of the volume."""
    points: list[tuple[float, ...]] = []
    weights: list[float] = []
    for weight, coordinates in orbits:
        turned = sorted(set(itertools.permutations(coordinates)))
        points += [place[1:] for place in turned]
        weights += [weight / 6.0] * len(turned)
    return Rule(np.array(points), np.array(weights))


def _inner(a: float) -> tuple[float, float, float, float]:
    return a, a, a, 1.0 - 3.0 * a


ONE_POINT = _rule((1.0, (0.25, 0.25, 0.25, 0.25)))

FOUR_POINTS = _rule((0.25, _inner((5.0 - math.sqrt(5.0)) / 20.0)))
"""Exact for polynomials of degree 2."""

_EDGE = 0.0455037041256496494918805262793394
FOURTEEN_POINTS = _rule(
    (0.112687925718015850799185652333280, _inner(0.310885919263300609797345733763457)),
    (0.073493043116361949543710205486327, _inner(0.0927352503108912264023239137370306)),
    (0.042546020777081466438069428120257, (_EDGE, _EDGE, 0.5 - _EDGE, 0.5 - _EDGE)),
)
"""Exact for polynomials of degree 5: P. Keast, Moderate-degree tetrahedral quadrature formulas, Comput. Meth. Appl.
Mech. Eng. 55 (1986); a test integrates all monomials."""
