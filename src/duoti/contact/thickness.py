"""How thick bodies are: what a pair of shapes may overlap by before the side on which they met is not known any more.

The shortest way out of each other leads back to where two convex bodies came from while they overlap by less than half
of what their thicknesses add up to. Half-spaces have no other side, and pairs with one are not listed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from duoti.contact.build import ContactSet
from duoti.model.pairs.base import HUGE
from duoti.model.pairs.supports import BALL, BOX, CAPSULE, CYLINDER, DISC, HULL, SMOOTH
from duoti.model.pairs.triangles import THROUGH
from duoti.model.pairs.two_meshes import DEEPEST
from duoti.model.shapes import SMOOTH_SHAPES
from duoti.system.arrays import Ints, Reals

SHORT = 0.1  # part of the edges of a mesh that are shorter than the length that counts


class Thick(NamedTuple):
    """Pairs of shapes with bounds, in order."""

    pair: Ints
    kind: Ints
    """Number of its kind in `ContactSet.kinds`."""
    thickness: Reals
    """[m] of both together"""
    convex: Ints
    """1: both are convex, so that a normal parts them."""


def thick_pairs(of: ContactSet) -> Thick:
    """All pairs of two bounded shapes that have a thickness between them."""
    c, found = of.contacts, [Thick(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0), np.zeros(0, np.int64))]
    widths: dict[int, float] = {}
    for k, kind in enumerate(of.kinds):
        pair = np.arange(c.kind[k], c.kind[k + 1])
        pair = pair[np.all(c.reach[c.pair_shapes[pair]] < HUGE, axis=1)]
        a, b = c.pair_shapes[pair].T
        two, one = kind.surfaces and kind.first == "triangles", kind.surfaces
        if two:
            edges = {int(shape): _edge(of, int(shape)) for shape in {*a, *b}}
            total = 2.0 * DEEPEST * np.array([min(edges[int(x)], edges[int(y)]) for x, y in zip(a, b, strict=True)])
        else:
            convex = np.unique(a if one else np.concatenate([a, b]))
            widths.update({int(shape): _width(of, int(shape)) for shape in convex if int(shape) not in widths})
            width = np.zeros(c.shapes)
            width[list(widths)] = list(widths.values())
            total = width[a] if one else width[a] + width[b]
            if one:  # discs and rods may be behind a triangle by a part of their size
                total = np.where(total > 0.0, total, 2.0 * THROUGH * c.reach[a])
        thick, count = total > 0.0, int(np.sum(total > 0.0))
        found.append(Thick(pair[thick], np.full(count, k), total[thick], np.full(count, int(not one))))
    return Thick(*(np.concatenate(column) for column in zip(*found, strict=True)))


def _width(of: ContactSet, shape: int) -> float:
    """The least distance of two parallel planes with a shape between them [m]; of hulls along normals of faces."""
    (x, y, z, code), hulls = of.contacts.size[shape], of.contacts.hulls
    if code == HULL:
        v, w, f, g = (int(each) for each in hulls.range[int(x), :4])
        heights = hulls.normal[f:g] @ hulls.vertex[v:w].T
        return float(np.min(np.ptp(heights, axis=1)))
    if code >= SMOOTH:
        kind = list(SMOOTH_SHAPES.values())[int(code) - SMOOTH]
        return 2.0 * float(kind.half_width((x, y, z)))
    halves = {BALL: x, CAPSULE: x, BOX: min(x, y, z), CYLINDER: min(x, y), DISC: 0.0}
    return 2.0 * float(halves[int(code)])


def _edge(of: ContactSet, shape: int) -> float:
    """Length of edges of a non-convex mesh, of which few are shorter [m]."""
    surfaces, number = of.contacts.surfaces, int(of.contacts.size[shape, 0])
    first = int(surfaces.root[number])
    last = int(surfaces.root[number + 1]) if number + 1 < len(surfaces.root) else len(surfaces.below)
    leaves = surfaces.below[first:last]
    leaves = leaves[leaves[:, 0] < 0]
    triangles = np.concatenate([np.arange(-1 - a, -1 - a + n) for a, n in leaves])
    corners = surfaces.corner[triangles].reshape(-1, 3, 3)
    return float(np.quantile(np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2), SHORT))
