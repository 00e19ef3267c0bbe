"""Pairs that one general algorithm serves: polyhedra (`hull_kernels`), convex shapes (`convex`), `triangles` of a mesh.

A type for each pair, since it says how many points there may be; what is compiled is one kernel for each algorithm.
"""

from __future__ import annotations

from typing import Any

from duoti.kernel import helper
from duoti.model.pairs.base import ShapePair, axis_of
from duoti.model.pairs.convex import POINTS, convex_convex
from duoti.model.pairs.hull_kernels import POINTS as CORNERS
from duoti.model.pairs.hull_kernels import capsule_hull, plane_hull, sphere_hull
from duoti.model.pairs.triangles import POINTS as ON_TRIANGLES
from duoti.model.pairs.triangles import convex_triangles
from duoti.model.shapes import SMOOTH_SHAPES
from duoti.spatial.algebra import add, dot, mul, mulT, scale, sub


class HullPair(ShapePair):
    """A mesh is its convex hull here. Points come and go, so nothing is said about their accelerations.

    The least gap is a distance: that of an end of a capsule, of a place where it crosses an edge, or of a corner.
    """

    hulls, rates, distance = ("box", "mesh", "cone"), False, True


class ConvexPair(ShapePair):
    """Curved convex shapes and their edges, ends and rims; the faces of a hull likewise."""

    hulls, distance = ("mesh", "cone"), True
    manifold = staticmethod(convex_convex)


class TrianglePair(ShapePair):
    """A convex shape on the triangles of a mesh that is not convex, or of a height field."""

    hulls, rates, surfaces = ("mesh", "cone"), False, True
    manifold = staticmethod(convex_triangles)


def _type(base: type[ShapePair], first: str, second: str, points: int, **attributes: object) -> type[ShapePair]:
    name = f"{first}_{second}".title().replace("_", "")
    given = {"kind": f"{first}_{second}", "first": first, "second": second, "points": points, **attributes}
    return type(name, (base,), given)


_HULLS = {
    ("plane", "mesh"): (CORNERS, plane_hull),  # the lowest corners
    ("sphere", "mesh"): (1, sphere_hull),
    ("capsule", "mesh"): (4, capsule_hull),  # both ends, and where it crosses edges
    ("capsule", "box"): (4, capsule_hull),
}
_CONVEX = {  # several points where flat sides or straight lines lie on each other
    ("capsule", "cylinder"): POINTS, ("capsule", "disc"): POINTS, ("box", "cylinder"): POINTS, ("box", "disc"): POINTS,
    ("cylinder", "cylinder"): POINTS, ("cylinder", "disc"): POINTS, ("cylinder", "mesh"): POINTS,
    ("disc", "mesh"): POINTS,
}  # fmt: skip
_POLYHEDRA = (("box", "mesh"), ("mesh", "mesh"))  # convex, too; their points come and go
_SMOOTH = tuple(SMOOTH_SHAPES)
_CONVEX |= {(each, kind): 1 for kind in _SMOOTH for each in ("sphere", "capsule", "box", "cylinder", "disc")}
_CONVEX |= {(kind, other): 1 for i, kind in enumerate(_SMOOTH) for other in (*_SMOOTH[i:], "mesh")}
_ON_TRIANGLES = ("sphere", "capsule", "box", "cylinder", "disc", *_SMOOTH, "mesh")


def _on_plane(point: Any) -> Any:
    """The law of a half-space and a smooth shape: the lowest point, whose normal is that of the plane."""

    def law(X_A, X_B, s_a, s_b, k):
        (R, p), n = X_B, axis_of(X_A[0], 2)
        m = mulT(R, n)
        p_b = add(p, mul(R, point(s_b, (-m[0], -m[1], -m[2]))))
        gap = dot(n, sub(p_b, X_A[1]))
        return gap, sub(p_b, scale(gap, n)), p_b, n

    return helper(law)


GENERAL_PAIRS: tuple[type[ShapePair], ...] = (
    *(
        _type(ShapePair, "plane", kind, 1, law=staticmethod(_on_plane(cls.point)))
        for kind, cls in SMOOTH_SHAPES.items()
        if kind != "ellipsoid"
    ),  # which has a form of its own
    *(
        _type(HullPair, a, b, points, manifold=staticmethod(law), exact_hulls=a == "plane")
        for (a, b), (points, law) in _HULLS.items()
    ),
    *(_type(ConvexPair, a, b, points) for (a, b), points in _CONVEX.items()),
    *(_type(ConvexPair, a, b, POINTS, rates=False) for a, b in _POLYHEDRA),
    *(_type(TrianglePair, a, "triangles", ON_TRIANGLES) for a in _ON_TRIANGLES),
    # on a half-space a mesh stands on corners of its hull, convex or not
    _type(
        HullPair,
        "plane",
        "triangles",
        CORNERS,
        hulls=("mesh", "triangles"),
        manifold=staticmethod(plane_hull),
        exact_hulls=True,
    ),
)
