"""Pairs of convex shapes that one general algorithm serves (`convex`): curved ones and their edges, ends and rims.

A type for each, since a pair says how many points it may have; what is compiled is one kernel for all of them.
"""

from __future__ import annotations

from duoti.model.pairs.base import ShapePair
from duoti.model.pairs.convex import POINTS, convex_convex


class ConvexPair(ShapePair):
    """What these pairs have in common."""

    hulls = ("mesh",)
    manifold = staticmethod(convex_convex)


class CapsuleCylinder(ConvexPair):
    """A capsule and a cylinder: one point, or two where they lie along each other or on an end."""

    kind, first, second, points = "capsule_cylinder", "capsule", "cylinder", POINTS


class CapsuleDisc(ConvexPair):
    """A capsule and a disc: one point, or two on its flat side."""

    kind, first, second, points = "capsule_disc", "capsule", "disc", POINTS


class CapsuleEllipsoid(ConvexPair):
    """A capsule and an ellipsoid: one point."""

    kind, first, second, points = "capsule_ellipsoid", "capsule", "ellipsoid", 1


class BoxCylinder(ConvexPair):
    """A box and a cylinder: two points on its side, up to eight on an end, one where edges or rims meet."""

    kind, first, second, points = "box_cylinder", "box", "cylinder", POINTS


class BoxDisc(ConvexPair):
    """A box and a disc: its rim, or up to eight points where it lies flat."""

    kind, first, second, points = "box_disc", "box", "disc", POINTS


class BoxEllipsoid(ConvexPair):
    """A box and an ellipsoid: one point."""

    kind, first, second, points = "box_ellipsoid", "box", "ellipsoid", 1


class CylinderCylinder(ConvexPair):
    """Two cylinders: one point where they cross, two along each other, up to eight on ends."""

    kind, first, second, points = "cylinder_cylinder", "cylinder", "cylinder", POINTS


class CylinderDisc(ConvexPair):
    """A cylinder and a disc."""

    kind, first, second, points = "cylinder_disc", "cylinder", "disc", POINTS


class CylinderEllipsoid(ConvexPair):
    """A cylinder and an ellipsoid: one point."""

    kind, first, second, points = "cylinder_ellipsoid", "cylinder", "ellipsoid", 1


class CylinderMesh(ConvexPair):
    """A cylinder and the hull of a mesh."""

    kind, first, second, points = "cylinder_mesh", "cylinder", "mesh", POINTS


class DiscEllipsoid(ConvexPair):
    """A disc and an ellipsoid: one point."""

    kind, first, second, points = "disc_ellipsoid", "disc", "ellipsoid", 1


class DiscMesh(ConvexPair):
    """A disc and the hull of a mesh."""

    kind, first, second, points = "disc_mesh", "disc", "mesh", POINTS


class EllipsoidEllipsoid(ConvexPair):
    """Two ellipsoids: one point."""

    kind, first, second, points = "ellipsoid_ellipsoid", "ellipsoid", "ellipsoid", 1


class EllipsoidMesh(ConvexPair):
    """An ellipsoid and the hull of a mesh: one point."""

    kind, first, second, points = "ellipsoid_mesh", "ellipsoid", "mesh", 1


class SphereEllipsoid(ConvexPair):
    """A sphere, or a point, and an ellipsoid: one point."""

    kind, first, second, points = "sphere_ellipsoid", "sphere", "ellipsoid", 1
