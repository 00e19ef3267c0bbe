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
    Array,
    SolidElement,
    barycentric,
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


TET10 = SolidElement(
    kind="tet10",
    corners=np.vstack([CORNERS, [0.5 * (CORNERS[i] + CORNERS[j]) for i, j in EDGES]]),
    shapes=shapes,
    stiffness_rule=FOUR_POINTS,
    mass_rule=FOURTEEN_POINTS,
    faces=((0, 2, 1, 6, 5, 4), (0, 1, 3, 4, 8, 7), (1, 2, 3, 5, 9, 8), (0, 3, 2, 7, 9, 6)),
    face_triangles=((0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5)),
)
