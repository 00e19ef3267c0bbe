"""The tetrahedron of 10 nodes: quadratic displacements, linear strain; edges may be curved.

Nodes: the four corners, then the middles of the edges 01, 12, 02, 03, 13, 23 (Abaqus C3D10, VTK, meshio; gmsh's own
files have the last two the other way round, which meshio mends).
"""

from __future__ import annotations

import numpy as np

from duoti.flexible.elements.solid import (
    BARYCENTRIC_GRADIENTS,
    CORNERS,
    FOUR_POINTS,
    FOURTEEN_POINTS,
    TRIANGLE_GRADIENTS,
    Array,
    Face,
    SolidElement,
    barycentric,
    tetrahedra_in_brick,
)

EDGES = ((0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3))


def shapes(points: Array) -> tuple[Array, Array]:
    """N_i = L_i (2 L_i - 1) at corners, N_ij = 4 L_i L_j at mid-edges."""
    L, g = barycentric(points), BARYCENTRIC_GRADIENTS
    first, second = np.array(EDGES).T
    N = np.hstack([L * (2.0 * L - 1.0), 4.0 * L[:, first] * L[:, second]])
    corner = (4.0 * L - 1.0)[:, :, None] * g
    middle = 4.0 * (L[:, first, None] * g[second] + L[:, second, None] * g[first])
    return N, np.concatenate([corner, middle], axis=1)


def _face_shapes(points: Array) -> tuple[Array, Array]:
    x, y = points.T
    L, g = np.column_stack([1.0 - x - y, x, y]), TRIANGLE_GRADIENTS
    pairs = ((0, 1), (1, 2), (2, 0))
    N = np.hstack([L * (2.0 * L - 1.0), *(4.0 * L[:, [i]] * L[:, [j]] for i, j in pairs)])
    corners = (4.0 * L - 1.0)[:, :, None] * g
    middles = np.stack([4.0 * (L[:, i, None] * g[j] + L[:, j, None] * g[i]) for i, j in pairs], axis=1)
    return N, np.concatenate([corners, middles], axis=1)


_CUT = tetrahedra_in_brick()

TET10 = SolidElement(
    kind="tet10",
    corners=np.vstack([CORNERS, [0.5 * (CORNERS[i] + CORNERS[j]) for i, j in EDGES]]),
    shapes=shapes,
    stiffness_rule=FOUR_POINTS,
    mass_rule=FOURTEEN_POINTS,
    faces=((0, 2, 1, 6, 5, 4), (0, 1, 3, 4, 8, 7), (1, 2, 3, 5, 9, 8), (0, 3, 2, 7, 9, 6)),
    face=Face(3, _face_shapes, triangles=((0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5))),
    mirrored=(0, 2, 1, 3, 6, 5, 4, 7, 9, 8),
    meshio="tetra10",
    filling=np.concatenate([_CUT, np.stack([(_CUT[:, i] + _CUT[:, j]) // 2 for i, j in EDGES], axis=1)], axis=1),
)
