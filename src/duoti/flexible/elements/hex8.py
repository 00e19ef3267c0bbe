"""The brick of 8 nodes with incompatible modes, against locking in bending.

Trilinear displacements bend only by shearing, which is far too stiff. Three quadratic "bubbles" 1 - ξ², 1 - η², 1 -
ζ² for each component are added inside each element and eliminated there (Wilson, Taylor, Doherty and Ghaboussi 1973);
their gradients are taken with the Jacobian of the middle of the element, scaled by its determinant (Taylor, Beresford
and Wilson 1976), so that distorted elements pass the patch test, too.
"""

from __future__ import annotations

import itertools

import numpy as np

from duoti.flexible.elements.solid import QUADRILATERAL, Array, Rule, SolidElement

CORNERS = np.array(
    [[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1], [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]], dtype=float
)


def shapes(points: Array) -> tuple[Array, Array]:
    """The trilinear functions (1 ± ξ)(1 ± η)(1 ± ζ) / 8."""
    f = 1.0 + CORNERS[None] * points[:, None]
    N = f.prod(axis=2) / 8.0
    dN = np.stack([CORNERS[None, :, i] * np.delete(f, i, axis=2).prod(axis=2) / 8.0 for i in range(3)], axis=2)
    return N, dN


def bubbles(points: Array) -> tuple[Array, Array]:
    """1 - ξ², 1 - η², 1 - ζ²."""
    return 1.0 - points**2, np.stack([np.diag(-2.0 * point) for point in points])


def _gauss(n: int) -> Rule:
    x, w = np.polynomial.legendre.leggauss(n)
    points = np.array(list(itertools.product(x, x, x)))
    return Rule(points, np.array([a * b * c for a, b, c in itertools.product(w, w, w)]))


HEX8 = SolidElement(
    kind="hex8",
    corners=CORNERS,
    shapes=shapes,
    stiffness_rule=_gauss(2),
    mass_rule=_gauss(3),
    faces=((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)),
    face=QUADRILATERAL,
    mirrored=(0, 3, 2, 1, 4, 7, 6, 5),
    meshio="hexahedron",
    filling=(CORNERS[None] + 1.0).astype(np.int64),
    bubbles=bubbles,
)
