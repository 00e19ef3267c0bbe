"""How thick bodies are: what a pair of shapes may overlap by before the side on which they met is not known any more.

The shortest way out of each other leads back to where two convex bodies came from while they overlap by less than half
of what their thicknesses add up to. Half-spaces have no other side, and pairs with one have no thickness.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.contact.collide.hulls import Hulls
from duoti.contact.collide.pair_list import CONVEX, ON_TRIANGLES, TWO_MESHES
from duoti.contact.collide.surfaces import Surfaces
from duoti.model.pairs import ShapePair
from duoti.model.pairs.base import HUGE
from duoti.model.pairs.supports import BALL, BOX, CAPSULE, CYLINDER, DISC, HULL, SMOOTH
from duoti.model.pairs.triangles import THROUGH
from duoti.model.pairs.two_meshes import DEEPEST
from duoti.model.shapes import SMOOTH_SHAPES
from duoti.system.arrays import Ints, Reals

SHORT = 0.1  # part of the edges of a mesh that are shorter than the length that counts
MESH_DEPTH = 2.0 * DEEPEST  # part of the edges of two meshes


class ShapeThickness(NamedTuple):
    """Of all shapes [m]."""

    width: Reals
    """The least distance of two parallel planes with a convex shape between them; of hulls along normals of faces."""
    edge: Reals
    """Length of edges of a non-convex mesh, of which few are shorter."""
    through: Reals
    """Discs and rods may be behind a triangle by a part of their size."""


def rules_of(kinds: tuple[type[ShapePair], ...]) -> Ints:
    """How the thickness of pairs of each kind is found."""
    meshes = [TWO_MESHES if kind.first == "triangles" else ON_TRIANGLES for kind in kinds]
    return np.array([of if kind.surfaces else CONVEX for kind, of in zip(kinds, meshes, strict=True)], np.int64)


def shape_thickness(
    size: Reals, reach: Reals, hulls: Hulls, with_hull: Any, surfaces: Surfaces, meshes: Any
) -> ShapeThickness:
    """Of shapes with these numbers; with_hull, meshes: which of them are known by a hull, or are non-convex meshes."""
    width, edge = np.zeros(len(size)), np.zeros(len(size))
    for shape in np.flatnonzero(reach < HUGE).tolist():
        if shape in meshes:
            edge[shape] = _edge(surfaces, int(size[shape, 0]))
        elif shape in with_hull or size[shape, 3] != HULL:  # other such shapes meet only half-spaces
            width[shape] = _width(size[shape], hulls)
    return ShapeThickness(width, edge, np.where(reach < HUGE, 2.0 * THROUGH * reach, 0.0))


def pair_thickness(rule: Ints, shapes: Ints, reach: Reals, of: ShapeThickness) -> Reals:
    """Of pairs, by the rules of their kinds; as `contact.collide.pair_list` does it."""
    a, b = shapes.T
    on_triangles = np.where(of.width[a] > 0.0, of.width[a], of.through[a])
    found = np.select(
        [rule == CONVEX, rule == ON_TRIANGLES, rule == TWO_MESHES],
        [of.width[a] + of.width[b], on_triangles, MESH_DEPTH * np.minimum(of.edge[a], of.edge[b])],
    )
    return np.where(np.all(reach[shapes] < HUGE, axis=1), found, 0.0)


def _width(size: Reals, hulls: Hulls) -> float:
    x, y, z, code = (float(each) for each in size)
    if code == HULL:
        v, w, f, g = (int(each) for each in hulls.range[int(x), :4])
        if f == g:  # corners alone: only half-spaces meet them
            return 0.0
        heights = hulls.normal[f:g] @ hulls.vertex[v:w].T
        return float(np.min(np.ptp(heights, axis=1)))
    if code >= SMOOTH:
        kind = list(SMOOTH_SHAPES.values())[int(code) - SMOOTH]
        return 2.0 * float(kind.half_width((x, y, z)))
    halves = {BALL: x, CAPSULE: x, BOX: min(x, y, z), CYLINDER: min(x, y), DISC: 0.0}
    return 2.0 * float(halves.get(int(code), 0.0))  # of a torus: only half-spaces meet it


def _edge(surfaces: Surfaces, number: int) -> float:
    first = int(surfaces.root[number])
    last = int(surfaces.root[number + 1]) if number + 1 < len(surfaces.root) else len(surfaces.below)
    leaves = surfaces.below[first:last]
    leaves = leaves[leaves[:, 0] < 0]
    triangles = np.concatenate([np.arange(-1 - a, -1 - a + n) for a, n in leaves])
    corners = surfaces.corner[triangles].reshape(-1, 3, 3)
    return float(np.quantile(np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2), SHORT))
