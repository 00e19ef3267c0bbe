"""Pairs with meshes that keep their hollows (`triangles`): all convex shapes; one kernel for all of them."""

from __future__ import annotations

from duoti.model.pairs.base import ShapePair
from duoti.model.pairs.hull_kernels import POINTS as CORNERS
from duoti.model.pairs.hull_kernels import plane_hull
from duoti.model.pairs.triangles import POINTS, convex_triangles


class TrianglePair(ShapePair):
    """What these pairs have in common."""

    hulls, rates, surfaces = ("mesh",), False, True
    manifold = staticmethod(convex_triangles)


class SphereTriangles(TrianglePair):
    """A sphere, or a point."""

    kind, first, second, points = "sphere_triangles", "sphere", "triangles", POINTS


class CapsuleTriangles(TrianglePair):
    """A capsule, or a rod."""

    kind, first, second, points = "capsule_triangles", "capsule", "triangles", POINTS


class BoxTriangles(TrianglePair):
    """A box."""

    kind, first, second, points = "box_triangles", "box", "triangles", POINTS


class CylinderTriangles(TrianglePair):
    """A cylinder."""

    kind, first, second, points = "cylinder_triangles", "cylinder", "triangles", POINTS


class DiscTriangles(TrianglePair):
    """A disc."""

    kind, first, second, points = "disc_triangles", "disc", "triangles", POINTS


class EllipsoidTriangles(TrianglePair):
    """An ellipsoid."""

    kind, first, second, points = "ellipsoid_triangles", "ellipsoid", "triangles", POINTS


class MeshTriangles(TrianglePair):
    """The hull of a mesh."""

    kind, first, second, points = "mesh_triangles", "mesh", "triangles", POINTS


class PlaneTriangles(ShapePair):
    """On a half-space a mesh stands on corners of its hull, whatever its hollows."""

    kind, first, second, points = "plane_triangles", "plane", "triangles", CORNERS
    hulls, rates = ("mesh", "triangles"), False
    manifold = staticmethod(plane_hull)
