"""What a smooth convex shape supplies for contacts: one file, a class with two kernels.

The surface is known by its normals: `point(s, u)` is the point of the surface whose outward normal is along u, in the
frame of the shape. For the support function h(u) = max of u . x over the shape, that is the gradient of h (of degree
0 in u). `slope(s, u, k)` is its derivative by the k-th component of u. s has the three sizes of the shape. Both are
generic in the number type.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar


class SmoothShape:
    """A strictly convex shape without edges; see the module's text."""

    kind: ClassVar[str]
    dimensions: ClassVar[tuple[str, ...]]
    """Names of the dimensions of `dt.Shape` that it needs."""
    point: ClassVar[Callable[..., Any]]
    slope: ClassVar[Callable[..., Any]]
    support: ClassVar[Callable[..., Any] | None] = None
    """As `point` but for real numbers only, and for any u, that of length zero too; None if `point` will do."""

    @classmethod
    def sizes(cls, dimensions: Mapping[str, float]) -> tuple[float, float, float]:
        """The three lengths [m] that the kernels read; the first one is a radius."""
        a, b, c = (dimensions[name] for name in cls.dimensions)
        return a, b, c

    @staticmethod
    def reach(sizes: tuple[float, float, float]) -> float:
        """Radius of a ball about the origin that holds the shape."""
        raise NotImplementedError

    @staticmethod
    def half_width(sizes: tuple[float, float, float]) -> float:
        """Half the least distance of two parallel planes with the shape between them."""
        raise NotImplementedError
