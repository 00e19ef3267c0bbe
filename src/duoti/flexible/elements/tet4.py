"""The tetrahedron of 4 nodes: constant strain. Too stiff in bending (it locks): for teaching, and for heat-like
fields."""

from __future__ import annotations

import numpy as np

from duoti.flexible.elements.solid import (
    BARYCENTRIC_GRADIENTS,
    CORNERS,
    FOUR_POINTS,
    ONE_POINT,
    TRIANGLE,
    Array,
    SolidElement,
    barycentric,
    tetrahedra_in_brick,
)


def shapes(points: Array) -> tuple[Array, Array]:
    """The barycentric coordinates."""
    return barycentric(points), np.broadcast_to(BARYCENTRIC_GRADIENTS, (len(points), 4, 3)).copy()


TET4 = SolidElement(
    kind="tet4",
    corners=CORNERS,
    shapes=shapes,
    stiffness_rule=ONE_POINT,
    mass_rule=FOUR_POINTS,
    faces=((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)),
    face=TRIANGLE,
    mirrored=(0, 2, 1, 3),
    meshio="tetra",
    filling=tetrahedra_in_brick(),
)
