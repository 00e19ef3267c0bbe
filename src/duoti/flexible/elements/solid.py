"""What a solid element is: shape functions on a reference cell, quadrature, faces."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Shapes = Callable[[Array], tuple[Array, Array]]
"""From points (q, d) to the values (q, n) of n functions and their gradients (q, n, d), in reference coordinates."""
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Rule:
    """A quadrature: points (q, 3) in reference coordinates, weights (q) that sum to the volume of the reference
    cell."""

    points: Array
    weights: Array


@dataclass(frozen=True, eq=False)
class Face:
    """What the faces of an element have in common: they must all be of one type."""

    corners: int
    """How many nodes of a face are corners, 3 or 4; they come first."""
    shapes: Shapes
    """In two reference coordinates: of the triangle (0, 0), (1, 0), (0, 1) or the square from -1 to 1."""
    triangles: tuple[tuple[int, int, int], ...]
    """How a face is drawn: triangles of its nodes (places in the face)."""

    @functools.cached_property
    def rule(self) -> tuple[Array, Array]:
        """Points (q, 2) and weights (q), exact to degree 5 on the square, 4 on the triangle (collapsed square)."""
        x, w = np.polynomial.legendre.leggauss(3)
        X, Y = (each.ravel() for each in np.meshgrid(x, x, indexing="ij"))
        W = np.outer(w, w).ravel()
        if self.corners == 4:
            return np.column_stack([X, Y]), W
        a, b = 0.5 * (1.0 + X), 0.5 * (1.0 + Y)
        return np.column_stack([a, b * (1.0 - a)]), W * (1.0 - a) / 4.0


@dataclass(frozen=True, eq=False)
class SolidElement:
    """An isoparametric element of three displacements a node."""

    kind: str
    corners: Array
    """Reference coordinates of the nodes (n, 3)."""
    shapes: Shapes
    stiffness_rule: Rule
    mass_rule: Rule
    faces: tuple[tuple[int, ...], ...]
    """Nodes of each face, corners in a turn that is positive seen from outside, then the others, as in `face`."""
    face: Face
    mirrored: tuple[int, ...]
    """The nodes of a mirrored element in the order that makes it an element again: how an inverted cell is mended."""
    meshio: str
    """Name of such cells in meshio; their nodes must be in the order of meshio."""
    filling: Integers
    """Elements (e, n, 3) that fill the brick 0..2: places of their nodes, integers, for the built-in meshes.

    Neighbouring bricks must fit together.
    """
    bubbles: Shapes | None = None
    """Incompatible modes; their amplitudes are eliminated inside the element."""

    @property
    def nodes(self) -> int:
        """Nodes of the element."""
        return len(self.corners)

    @functools.cached_property
    def stiffness_tables(self) -> tuple[Array, Array, Array]:
        """Gradients (q, n, 3), weights (q), gradients of the bubbles (q, b, 3), for the stiffness."""
        rule = self.stiffness_rule
        return self._gradients(rule.points), rule.weights, self.bubble_gradients(rule.points)

    @functools.cached_property
    def mass_tables(self) -> tuple[Array, Array, Array]:
        """Values (q, n), gradients (q, n, 3), weights (q), for the mass."""
        N, dN = self.shapes(self.mass_rule.points)
        return np.ascontiguousarray(N), np.ascontiguousarray(dN), self.mass_rule.weights

    @functools.cached_property
    def nodal_tables(self) -> tuple[Array, Array]:
        """Gradients (n, n, 3) and those of the bubbles at the nodes, for stresses."""
        return self._gradients(self.corners), self.bubble_gradients(self.corners)

    @functools.cached_property
    def centre_tables(self) -> Array:
        """Gradients (1, n, 3) in the middle of the element."""
        return self._gradients(self.corners.mean(axis=0)[None])

    def _gradients(self, points: Array) -> Array:
        return np.ascontiguousarray(self.shapes(points)[1])

    def bubble_gradients(self, points: Array) -> Array:
        """Gradients of the bubbles (q, b, 3) in reference coordinates."""
        if self.bubbles is None:
            return np.zeros((len(points), 0, 3))
        return np.ascontiguousarray(self.bubbles(points)[1])


# Faces of elements with straight edges.


def _quadrilateral(points: Array) -> tuple[Array, Array]:
    corners = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    f = 1.0 + corners[None] * points[:, None]
    dN = np.stack([corners[:, 0] * f[:, :, 1], corners[:, 1] * f[:, :, 0]], axis=2) / 4.0
    return f.prod(axis=2) / 4.0, dN


def _triangle(points: Array) -> tuple[Array, Array]:
    L = np.column_stack([1.0 - points[:, 0] - points[:, 1], points])
    return L, np.broadcast_to(TRIANGLE_GRADIENTS, (len(points), 3, 2))


TRIANGLE_GRADIENTS = np.array([[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]])
TRIANGLE = Face(3, _triangle, triangles=((0, 1, 2),))
QUADRILATERAL = Face(4, _quadrilateral, triangles=((0, 1, 2), (0, 2, 3)))


# What the tetrahedra share: the reference cell, barycentric coordinates, quadrature.


CORNERS = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
"""The reference tetrahedron, of volume 1/6."""

BARYCENTRIC_GRADIENTS = np.array([[-1.0, -1.0, -1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])


def barycentric(points: Array) -> Array:
    """Barycentric coordinates (q, 4) of points."""
    return np.column_stack([1.0 - points.sum(axis=1), points])


def tetrahedra_in_brick() -> Integers:
    """The six tetrahedra of the brick 0..2 (6, 4, 3): paths from one corner to the opposite one along edges.

    All bricks are cut along the same diagonal (Kuhn's triangulation of the cube), so that neighbours fit.
    """
    found: list[list[Integers]] = []
    for order in itertools.permutations(range(3)):
        corners = [np.zeros(3, dtype=np.int64)]
        for axis in order:
            corners.append(corners[-1] + 2 * np.eye(3, dtype=np.int64)[axis])
        if np.linalg.det(np.array(corners[1:])) < 0.0:
            corners[1], corners[2] = corners[2], corners[1]
        found.append(corners)
    return np.array(found)


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
