"""What a pair of shapes supplies: where two surfaces are nearest to each other, or deepest in each other.

A pair is one file with a kernel. The law of most pairs is a pure function of two poses, for one point of contact:

    law(X_A, X_B, s_a, s_b, k) -> (gap, p_a, p_b, n)

X_A, X_B: poses of the shapes' frames in the world, (rotation, position); s_a, s_b: four numbers each (`sizes_of`); k:
the number of the point, below `points`. gap: signed distance, negative if the shapes overlap; p_a, p_b: the points of
the two surfaces; n: unit normal from a to b, all in world axes, so that p_b - p_a = gap n. A point that is none (there
are fewer) has the gap `FAR`. Laws are generic in the number type: they branch on real parts, so that a complex step
differentiates them. A pair whose points have to be found together gives a `manifold` instead, which writes all of them:

    manifold(X_A, X_B, s_a, s_b, out)     out[10 k + 0] = gap, 1..3 p_a, 4..6 p_b, 7..9 n

Laws of pairs with a profile (`profiles`) take the table of knots first: `profile_kernels`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from duoti.kernel import helper
from duoti.model.pairs.profiles import VARIABLES, X, outline, profile_rows, table_rows
from duoti.model.pairs.supports import CODES
from duoti.model.shapes import SMOOTH_SHAPES
from duoti.spatial.algebra import add, dot, scale, sqrt, sub
from duoti.spatial.shape import Shape

FAR = 1e30  # gap of a point that is none
NUMBERS = 10  # of a point in the output of a manifold
ENDLESS = 1e29  # reach of a half-space
HUGE = 1e28  # reach of another shape without bounds

ALIASES = {"point": "sphere", "shell": "sphere", "rod": "capsule", "hollow_cylinder": "cylinder"}
"""Shapes that touch like others: a point is a sphere without radius, a rod a capsule without."""

AS_HULLS = {"cone": "mesh"}
"""Shapes that touch with a convex hull where they have no pair of their own (a cone: `contact.collide.hulls`)."""

AS_TRIANGLES = frozenset(("torus", "revolution", "extrusion"))
"""Shapes that touch by triangles where they have no pair of their own (`contact.collide.surfaces`)."""


def is_of_triangles(kind: str) -> bool:
    """Whether a kind of shapes is triangles, or may be, in a pair of `surfaces`."""
    return kind == "triangles" or kind in AS_TRIANGLES


class ShapePair:
    """A pair of shapes; see the module's text."""

    kind: ClassVar[str]
    first: ClassVar[str]
    second: ClassVar[str]
    points: ClassVar[int]
    """How many points of contact there may be at once."""
    law: ClassVar[Callable[..., Any] | None] = None
    manifold: ClassVar[Callable[..., Any] | None] = None
    hulls: ClassVar[tuple[str, ...]] = ()
    """Kinds of shapes that the pair knows by their convex hulls; `manifold` takes the arrays of these first then."""
    exact_hulls: ClassVar[bool] = False
    """True if it needs no more than the corners of hulls: they are not simplified then."""
    surfaces: ClassVar[bool] = False
    """True if the second shape is a non-convex mesh; `manifold` takes the arrays of these after those of hulls."""
    rates: ClassVar[bool] = True
    """False if its points jump, so that nothing is said about their accelerations."""
    profiles: ClassVar[bool] = False
    """True if `law` takes a table of knots first."""
    distance: ClassVar[bool] = False
    """True if the least gap is the distance of the shapes, wherever they are apart."""
    curvatures: ClassVar[Callable[..., Any] | None] = None
    """`curvatures(table, X_A, X_B, s_a, s_b, p)` of a wheel b on a: sums of the curvatures of both surfaces [1/m] in
    the direction of rolling, and across it; for pairs that can have creep forces."""


def touching_kind(shape: Shape) -> str:
    """What a shape is to those that it touches: non-convex meshes and height fields are triangles."""
    non_convex = shape.kind == "heightfield" or (shape.kind == "mesh" and not shape.convex)
    return "triangles" if non_convex else shape.kind


def sizes_of(shape: Shape) -> tuple[float, float, float, float] | None:
    """The four numbers of a shape, the last one what it is (`supports`); None if it is none that touches."""
    if shape.kind in VARIABLES and not shape.cavity:
        rows = profile_rows(shape)
        if shape.kind == "rail":  # and how many knots its track has
            return (0.0, float(len(rows)), 0.5 * (len(table_rows(shape)) - len(rows) - 1), 0.0)
        return (0.0, float(len(rows)), float(rows[0, X]), float(rows[-1, X]))  # rows counted from those of its table
    sizes = _lengths_of(shape)
    if sizes is None:
        return None
    return (*sizes, float(CODES.get(ALIASES.get(shape.kind, shape.kind), 0)))


def _lengths_of(shape: Shape) -> tuple[float, float, float] | None:
    d, kind = dict(shape.dimensions), ALIASES.get(shape.kind, shape.kind)
    if shape.cavity:
        return None
    if kind == "plane":
        return (0.0, 0.0, 0.0)
    if kind == "sphere":
        return (d.get("radius", 0.0), 0.0, 0.0)
    if kind in ("capsule", "cylinder"):
        return (d.get("radius", d.get("outer_radius", 0.0)), d["length"] / 2, 0.0)
    if kind == "disc":
        return (d["radius"], 0.0, 0.0)
    if kind == "cone":
        return (d["radius"], 0.75 * d["height"], 0.25 * d["height"])  # apex and base from its centre of mass
    if kind == "torus":
        return (d["ring_radius"], d["tube_radius"], 0.0)
    if kind == "box":
        return (d["size_x"] / 2, d["size_y"] / 2, d["size_z"] / 2)
    if kind in SMOOTH_SHAPES:
        return SMOOTH_SHAPES[kind].sizes(d)
    if kind in ("mesh", "heightfield"):
        return (0.0, 0.0, 0.0)  # the number of its hull, once that is known
    return None


def reach_of(shape: Shape) -> float:
    """Radius of a ball about the shape's origin that holds it."""
    sizes, kind = sizes_of(shape), ALIASES.get(shape.kind, shape.kind)
    if sizes is None or kind == "plane":
        return ENDLESS
    if kind in ("extrusion", "rail"):
        return HUGE
    if kind == "revolution":
        return float(np.max(np.hypot(*outline(shape, 200).T))) * 1.001
    a, b, c, _ = sizes
    if kind == "box":
        return float((a * a + b * b + c * c) ** 0.5)
    if kind in SMOOTH_SHAPES:
        return SMOOTH_SHAPES[kind].reach((a, b, c))
    if kind in ("capsule", "torus"):
        return a + b
    if kind == "cone":
        return max(b, float((a * a + c * c) ** 0.5))
    return float((a * a + b * b) ** 0.5)


@helper
def axis_of(R, k):
    """Column k of a rotation matrix (nine numbers)."""
    if k == 0:
        return (R[0], R[3], R[6])
    if k == 1:
        return (R[1], R[4], R[7])
    return (R[2], R[5], R[8])


@helper
def none_here(p):
    """A point of contact that is none; p is any point, for the type of its numbers."""
    zero = 0.0 * p[0]
    return FAR + zero, p, p, (zero, zero, 1.0 + zero)


@helper
def on_plane(X_A, p, radius):
    """A ball about p against the half-space of a: gap, points and normal."""
    n = axis_of(X_A[0], 2)
    height = dot(n, sub(p, X_A[1]))
    return height - radius, sub(p, scale(height, n)), sub(p, scale(radius, n)), n


@helper
def between_balls(p, r_p, q, r_q, other):
    """A ball about p against one about q; `other` is the normal if the centres coincide."""
    d = sub(q, p)
    square = dot(d, d)
    if square.real <= 1e-30:
        return 0.0 * square - r_p - r_q, add(p, scale(r_p, other)), sub(q, scale(r_q, other)), other
    distance = sqrt(square)
    n = scale(1.0 / distance, d)
    return distance - r_p - r_q, add(p, scale(r_p, n)), sub(q, scale(r_q, n)), n


@helper
def clamped(x, low, high):
    """x, or the bound that it is beyond; of complex numbers the real part counts."""
    if x.real < low:
        return low + 0.0 * x
    if x.real > high:
        return high + 0.0 * x
    return x
