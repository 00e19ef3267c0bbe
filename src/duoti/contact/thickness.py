"""How thick bodies are: what a pair of shapes may overlap by before the side on which they met is not known any more.

The shortest way out of each other leads back to where two convex bodies came from while they overlap by less than half
of what their thicknesses add up to. Half-spaces have no other side, and pairs with one are not listed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from duoti.contact.build import ContactSet
from duoti.model.pairs.base import HUGE
from duoti.model.pairs.supports import BALL, BOX, CAPSULE, CYLINDER, DISC, ELLIPSOID, HULL
from duoti.model.pairs.triangles import THROUGH
from duoti.model.pairs.two_meshes import DEEPEST
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
    c = of.contacts
    known: dict[tuple[int, bool], float] = {}
    rows: list[tuple[int, int, float, int]] = []
    for k, kind in enumerate(of.kinds):
        hollow = (False, kind.surfaces) if kind.first != "triangles" else (kind.surfaces, kind.surfaces)
        for pair in range(int(c.kind[k]), int(c.kind[k + 1])):
            shapes = [int(each) for each in c.pair_shapes[pair]]
            if np.any(c.reach[shapes] >= HUGE):
                continue
            widths: list[float] = []
            for shape, is_hollow in zip(shapes, hollow, strict=True):
                key = (shape, is_hollow)
                if key not in known:
                    known[key] = 0.0 if is_hollow else _width(of, shape)
                widths.append(known[key])
            total = sum(widths)
            if all(hollow):
                total = 2.0 * DEEPEST * min(_edge(of, shape) for shape in shapes)
            elif total == 0.0 and any(hollow):  # a disc or a rod, which may be behind a triangle by a part of its size
                total = 2.0 * THROUGH * float(c.reach[shapes[hollow.index(False)]])
            if total > 0.0:
                rows.append((pair, k, total, int(not any(hollow))))
    columns = list(zip(*rows, strict=True)) or [(), (), (), ()]
    pair, kind, thickness, convex = columns
    whole = np.int64
    return Thick(np.array(pair, whole), np.array(kind, whole), np.array(thickness, float), np.array(convex, whole))


def _width(of: ContactSet, shape: int) -> float:
    """The least distance of two parallel planes with a shape between them [m]; of hulls along normals of faces."""
    (x, y, z, code), hulls = of.contacts.size[shape], of.contacts.hulls
    if code == HULL:
        v, w, f, g = (int(each) for each in hulls.range[int(x), :4])
        heights = hulls.normal[f:g] @ hulls.vertex[v:w].T
        return float(np.min(np.ptp(heights, axis=1)))
    halves = {BALL: x, CAPSULE: x, BOX: min(x, y, z), CYLINDER: min(x, y), DISC: 0.0, ELLIPSOID: min(x, y, z)}
    return 2.0 * float(halves[int(code)])


def _edge(of: ContactSet, shape: int) -> float:
    """Length of edges of a mesh with hollows, of which few are shorter [m]."""
    surfaces, number = of.contacts.surfaces, int(of.contacts.size[shape, 0])
    first = int(surfaces.root[number])
    last = int(surfaces.root[number + 1]) if number + 1 < len(surfaces.root) else len(surfaces.below)
    leaves = surfaces.below[first:last]
    leaves = leaves[leaves[:, 0] < 0]
    triangles = np.concatenate([np.arange(-1 - a, -1 - a + n) for a, n in leaves])
    corners = surfaces.corner[triangles].reshape(-1, 3, 3)
    return float(np.quantile(np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2), SHORT))
