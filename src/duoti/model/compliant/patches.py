"""Compliant contact of pairs whose points have shares (`model.pairs.patch`) as force elements.

The force in a point is that of the law, times its share. Convex hulls and triangles of meshes stand outside the
arrays of the system: an element knows where.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np

from duoti.contact.collide.hulls import Hull, Hulls, hull_of, pack_hulls
from duoti.contact.collide.surfaces import Surface, Surfaces, pack_surfaces, surface_of
from duoti.kernel import ContextType, address_of, helper, pack, part, unpack
from duoti.model.compliant import forces as contact_forces
from duoti.model.compliant.forces import SIZE_A, SIZE_B, ContactForce, element_type, size4
from duoti.model.contacts.base import CompliantLaw
from duoti.model.contacts.compliant_contact import CompliantContact
from duoti.model.force_blocks import BLOCK_HEADER, SCRATCH
from duoti.model.forces.base import Compiler
from duoti.model.pairs import ShapePair
from duoti.model.pairs.base import ENDLESS, NUMBERS, axis_of, is_of_triangles, reach_of, touching_kind
from duoti.model.pairs.facing import corner
from duoti.model.pairs.patch import WIDTH as POINT_WIDTH
from duoti.model.pairs.patch import SoftConvex, SoftPlaneMesh, room_of, stash
from duoti.model.pairs.soft_triangles import SoftTriangles
from duoti.model.pairs.supports import real3
from duoti.model.pairs.triangles import MARGIN
from duoti.spatial import Shape
from duoti.spatial.algebra import add, cross, dot, scale, sub

GEOMETRY, BLOCK = 2, 3  # integers: address of the hulls and triangles, and where the block with the scratch begins
REACH_A, REACH_B = len(contact_forces.REALS), len(contact_forces.REALS) + 1
REALS = (*contact_forces.REALS, "reach_a", "reach_b")
WORDS = 64
HULLED = ("mesh", "heightfield", "cone")  # kinds of shapes that touch with their convex hulls


def _nothing() -> tuple[Hulls, Surfaces]:
    return pack_hulls([]), pack_surfaces([])


SOFT_CONTEXT = ContextType(_nothing)


class _Kept(NamedTuple):
    """Hulls and triangles that elements point to, in memory that stays where it is while the program runs."""

    block: Any
    hulls: Hulls
    surfaces: Surfaces


_KEPT: dict[bytes, _Kept] = {}
"""By their contents."""
_LATEST: dict[tuple[int, ...], tuple[_Kept, Any]] = {}
"""The same of the meshes that were asked for last, by the places of their first arrays, which live as long."""
LATEST = 16


def _keep(hulls: list[Hull], surfaces: list[Surface]) -> _Kept:
    """These meshes, packed once for all elements."""
    arrays = (*(each.vertex for each in hulls), *(each.corner for each in surfaces))
    own = (len(hulls), *map(id, arrays))
    if own not in _LATEST:
        packed_hulls, packed_surfaces = pack_hulls(hulls), pack_surfaces(surfaces)
        digest = hashlib.sha256()
        for each in (*packed_hulls, *packed_surfaces):
            digest.update(np.ascontiguousarray(each).tobytes() + repr(np.shape(each)).encode())
        key = digest.digest()
        if key not in _KEPT:
            block = np.zeros(WORDS)
            pack(block, (packed_hulls, packed_surfaces), SOFT_CONTEXT)
            _KEPT[key] = _Kept(block, packed_hulls, packed_surfaces)
        if len(_LATEST) >= LATEST:
            _LATEST.pop(next(iter(_LATEST)))
        _LATEST[own] = _KEPT[key], arrays
    return _LATEST[own][0]


@helper
def _apart(reals, f, X_A, X_B):
    """A distance that the two shapes are apart at least."""
    d = sub(real3(X_B[1]), real3(X_A[1]))
    if reals[f, REACH_A].real >= ENDLESS:
        return dot(real3(axis_of(X_A[0], 2)), d) - reals[f, REACH_B].real
    return dot(d, d) ** 0.5 - reals[f, REACH_A].real - reals[f, REACH_B].real


def _of_hulls(manifold: Any) -> Any:
    """The points of two shapes, one of which may be the hull of a mesh."""

    def points_at(hulls, surfaces, X_A, X_B, s_a, s_b, out):
        return manifold(hulls, X_A, X_B, s_a, s_b, out)

    return helper(points_at)


def _of_triangles(manifold: Any) -> Any:
    """The points of a shape on the triangles of a mesh."""

    def points_at(hulls, surfaces, X_A, X_B, s_a, s_b, out):
        out[MARGIN] = 0.0
        return manifold(hulls, surfaces, X_A, X_B, s_a, s_b, out)

    return helper(points_at)


def _wrench(points_at: Any, point_force: Any) -> Any:
    """Torque about `centre` and force on b of all points, their potential energy and lost power."""

    def wrench(f, loads, X_A, X_B, V_A, V_B, centre, scratch):
        reals = loads.forces.reals
        zero = 0.0 * (V_B[1][0] + X_B[1][0] + X_A[1][0])
        torque, force, potential, lost = (zero, zero, zero), (zero, zero, zero), zero, zero
        if _apart(reals, f, X_A, X_B) > 0.0:
            return torque, force, potential, lost
        hulls, surfaces = unpack(loads.forces.integers[f, GEOMETRY], SOFT_CONTEXT)
        own = loads.forces.block_integers[loads.forces.integers[f, BLOCK] + SCRATCH]
        out, at = scratch[own:], stash(hulls)
        count = points_at(hulls, surfaces, X_A, X_B, size4(reals, f, SIZE_A), size4(reals, f, SIZE_B), out)
        for k in range(count):
            here = at + POINT_WIDTH * k
            gap, share = out[here], out[here + NUMBERS]
            if gap.real < 0.0 and share.real > 0.0:
                n = corner(out, here + 7)
                arm = sub(scale(0.5, add(corner(out, here + 1), corner(out, here + 4))), centre)
                u = sub(add(V_B[1], cross(V_B[0], arm)), add(V_A[1], cross(V_A[0], arm)))
                push, energy, power = point_force(reals, f, gap, u, n)
                push = scale(share, push)
                torque, force = add(torque, cross(arm, push)), add(force, push)
                potential, lost = potential + share * out[here + NUMBERS + 1] * energy, lost + share * power
        return torque, force, potential, lost

    return part(wrench)


def _key(shape: Shape) -> tuple[Any, ...]:
    """What the triangles of a mesh follow from, with the date of its file."""
    date = os.path.getmtime(shape.file) if os.path.exists(shape.file) else 0.0
    return shape.kind, shape.dimensions, shape.file, shape.profile, date


@lru_cache(maxsize=16)
def _hull(kind: str, dimensions: Any, file: str, profile: Any, date: float) -> Hull:
    del date
    return hull_of(Shape(kind, dimensions, file=file, profile=profile))


@lru_cache(maxsize=4)
def _surface(kind: str, dimensions: Any, file: str, profile: Any, date: float) -> Surface:
    del date
    return surface_of(Shape(kind, dimensions, file=file, profile=profile))


class SoftContactForce(ContactForce):
    """What the types below have in common."""

    REALS = REALS

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        found = dict(super().integers(compiler))
        hulls, surfaces = self._hulls_and_surfaces()
        kept = _keep(hulls, surfaces)
        found["geometry"] = address_of(kept.block)
        room, nothing = room_of(kept.hulls.corners), np.zeros(len(BLOCK_HEADER), np.int64)
        found["block"] = compiler.block(nothing, np.zeros(0), lambda nv, nz: room, shared=True)
        return found

    def reaches(self) -> tuple[float, float]:
        numbers = self.reals()
        return numbers["reach_a"], numbers["reach_b"]

    def _hulls_and_surfaces(self) -> tuple[list[Hull], list[Surface]]:
        hulls: list[Hull] = []
        surfaces: list[Surface] = []
        try:
            for shape in (self.shape_a, self.shape_b):
                if self.pair.surfaces and is_of_triangles(touching_kind(shape)):
                    surfaces.append(_surface(*_key(shape)))
                elif shape.kind in HULLED:
                    hulls.append(_hull(*_key(shape)))
        except ValueError as error:
            raise ValueError(f'contact "{self.contact}": {error}') from None
        return hulls, surfaces

    def reals(self) -> Mapping[str, float]:
        found = dict(super().reals())
        hulls, surfaces = self._hulls_and_surfaces()
        for side, shape in (("a", self.shape_a), ("b", self.shape_b)):
            non_convex = self.pair.surfaces and is_of_triangles(touching_kind(shape))
            if non_convex:
                found[f"size_{side}_0"] = 0.0  # number of the mesh
            found[f"reach_{side}"] = surfaces[0].reach if non_convex else reach_of(shape)
            if shape.kind in HULLED and not non_convex:
                number = 1 if side == "b" and len(hulls) == 2 else 0
                found[f"size_{side}_0"], found[f"reach_{side}"] = float(number), hulls[number].reach
        return found


@cache
def patch_type(pair: type[ShapePair], law: type[CompliantLaw]) -> type[SoftContactForce]:
    """The type of the elements of a pair with a law."""
    points_at = _of_triangles(pair.manifold) if pair.surfaces else _of_hulls(pair.manifold)
    return element_type(pair, law, _wrench(points_at, law.point_force), SoftContactForce, ("geometry", "block"))


PAIRS = (SoftConvex, SoftPlaneMesh, SoftTriangles)
TYPES = {pair: patch_type(pair, CompliantContact) for pair in PAIRS}
"""Element types of `CompliantContact` by their pairs."""
