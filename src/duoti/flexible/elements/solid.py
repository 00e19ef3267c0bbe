"""What a solid element is: shape functions on a reference cell, quadrature, faces."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Shapes = Callable[[Array], tuple[Array, Array]]
"""From points (q, 3) to the values (q, n) of n functions and their gradients (q, n, 3), in reference coordinates."""


@dataclass(frozen=True)
class Rule:
    """A quadrature: points (q, 3) in reference coordinates, weights (q) that sum to the volume of the reference
    cell."""

    points: Array
    weights: Array


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
    """Nodes of each face, corners in a turn that is positive seen from outside, then mid-edge nodes."""
    face_triangles: tuple[tuple[int, int, int], ...]
    """How a face is drawn: triangles of its nodes (places in a face)."""
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
