"""Simple homogeneous shapes, and the constructors of `Inertia` made of them."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Self

from numpy.typing import ArrayLike

from duoti.spatial.axes import MISSING, Axis, not_negative, vector3
from duoti.spatial.rotation import Rotation
from duoti.spatial.shape import Shape
from duoti.strict import Explained, explained_constructors


@dataclass(frozen=True)
class Geometry:
    """A shape of unit mass, its centre of mass at the origin and its axis, if it has one, along z."""

    shape: Shape
    measure: float
    """Volume [m^3], length of a rod [m], or area of a shell [m^2]."""
    moments: tuple[float, float, float]
    """Moments of inertia about x, y, z through the centre of mass, for unit mass [m^2]."""
    centre: float = 0.0
    """Distance of the centre of mass from the reference point of the shape, along z [m]."""


@explained_constructors
class Shapes(Explained):
    """The constructors from shapes that `Inertia` offers.

    Every shape is centred at the origin (a cone stands on it). Optional for all of them: `rotation` turns the
    shape about the origin, and `com` puts its centre of mass elsewhere, in the axes of the body. Give the
    mass or a density, not both. Dimensions may be zero: a box without height is a thin plate.
    """

    @classmethod
    @abstractmethod
    def _of(
        cls,
        geometry: Geometry,
        given: dict[str, float | None],
        axis: Axis,
        com: ArrayLike | None,
        rotation: Rotation | ArrayLike | None,
    ) -> Self:
        """Give the shape its mass and its place."""

    @classmethod
    def rod(
        cls,
        mass: float | None = None,
        length: float = MISSING,
        axis: Axis = "x",
        *,
        density_per_length: float | None = None,
        com: ArrayLike | None = None,
        rotation: Rotation | ArrayLike | None = None,
    ) -> Self:
        """Thin rod; mass [kg] or density_per_length [kg/m]."""
        a = _length("rod", "length", length)
        geometry = _geometry("rod", a, (a * a / 12, a * a / 12, 0.0), length=a)
        given = {"mass": mass, "density_per_length": density_per_length}
        return cls._of(geometry, given, axis, com, rotation)

    @classmethod
    def box(
        cls,
        mass: float | None = None,
        size: ArrayLike | None = None,
        *,
        density: float | None = None,
        com: ArrayLike | None = None,
        rotation: Rotation | ArrayLike | None = None,
    ) -> Self:
        """Rectangular block with edges `size` along x, y, z; mass [kg] or density [kg/m^3]."""
        a, b, c = _three("box", "size", size)
        moments = ((b * b + c * c) / 12, (a * a + c * c) / 12, (a * a + b * b) / 12)
        geometry = _geometry("box", a * b * c, moments, size_x=a, size_y=b, size_z=c)
        given = {"mass": mass, "density": density}
        return cls._of(geometry, given, "z", com, rotation)

    @classmethod
    def cylinder(
        cls,
        mass: float | None = None,
        radius: float = MISSING,
        length: float = MISSING,
        axis: Axis = "z",
        *,
        density: float | None = None,
        com: ArrayLike | None = None,
        rotation: Rotation | ArrayLike | None = None,
    ) -> Self:
        """Solid circular cylinder; mass [kg] or density [kg/m^3]."""
        r, a = _length("cylinder", "radius", radius), _length("cylinder", "length", length)
        across = (3 * r * r + a * a) / 12
        moments = (across, across, r * r / 2)
        geometry = _geometry("cylinder", math.pi * r * r * a, moments, radius=r, length=a)
        given = {"mass": mass, "density": density}
        return cls._of(geometry, given, axis, com, rotation)

    @classmethod
    def hollow_cylinder(
        cls,
        mass: float | None = None,
        inner_radius: float = MISSING,
        outer_radius: float = MISSING,
        length: float = MISSING,
        axis: Axis = "z",
        *,
        density: float | None = None,
        com: ArrayLike | None = None,
        rotation: Rotation | ArrayLike | None = None,
    ) -> Self:
        """Tube; mass [kg] or density [kg/m^3]. Equal radii: a thin wall, by mass only."""
        kind = "hollow_cylinder"
        r = _length(kind, "inner_radius", inner_radius)
        s = _length(kind, "outer_radius", outer_radius)
        a = _length(kind, "length", length)
        if r > s:
            raise ValueError(f"{kind}: inner_radius = {r:g} exceeds outer_radius = {s:g}; exchange them")
        q = r * r + s * s
        across = (3 * q + a * a) / 12
        volume = math.pi * (s - r) * (s + r) * a
        moments = (across, across, q / 2)
        geometry = _geometry(kind, volume, moments, inner_radius=r, outer_radius=s, length=a)
        given = {"mass": mass, "density": density}
        return cls._of(geometry, given, axis, com, rotation)

    @classmethod
    def sphere(
        cls,
        mass: float | None = None,
        radius: float = MISSING,
        *,
        density: float | None = None,
        com: ArrayLike | None = None,
        rotation: Rotation | ArrayLike | None = None,
    ) -> Self:
        """Solid sphere; mass [kg] or density [kg/m^3]."""
        r = _length("sphere", "radius", radius)
        i = 2 * r * r / 5
        geometry = _geometry("sphere", 4 / 3 * math.pi * r**3, (i, i, i), radius=r)
        given = {"mass": mass, "density": density}
        return cls._of(geometry, given, "z", com, rotation)

    @classmethod
    def shell(
        cls,
        mass: float | None = None,
        radius: float = MISSING,
        *,
        density_per_area: float | None = None,
        com: ArrayLike | None = None,
        rotation: Rotation | ArrayLike | None = None,
    ) -> Self:
        """Thin spherical shell; mass [kg] or density_per_area [kg/m^2]."""
        r = _length("shell", "radius", radius)
        i = 2 * r * r / 3
        geometry = _geometry("shell", 4 * math.pi * r * r, (i, i, i), radius=r)
        given = {"mass": mass, "density_per_area": density_per_area}
        return cls._of(geometry, given, "z", com, rotation)

    @classmethod
    def cone(
        cls,
        mass: float | None = None,
        radius: float = MISSING,
        height: float = MISSING,
        axis: Axis = "z",
        *,
        density: float | None = None,
        com: ArrayLike | None = None,
        rotation: Rotation | ArrayLike | None = None,
    ) -> Self:
        """Solid circular cone, base centre at the origin, apex along +axis; mass [kg] or density [kg/m^3].

        Its centre of mass is then at height/4 along the axis; `com` puts it elsewhere.
        """
        r, h = _length("cone", "radius", radius), _length("cone", "height", height)
        across = 3 / 80 * (4 * r * r + h * h)
        moments = (across, across, 3 / 10 * r * r)
        geometry = _geometry("cone", math.pi * r * r * h / 3, moments, h / 4, radius=r, height=h)
        given = {"mass": mass, "density": density}
        return cls._of(geometry, given, axis, com, rotation)

    @classmethod
    def ellipsoid(
        cls,
        mass: float | None = None,
        semi_axes: ArrayLike | None = None,
        *,
        density: float | None = None,
        com: ArrayLike | None = None,
        rotation: Rotation | ArrayLike | None = None,
    ) -> Self:
        """Solid ellipsoid with semi-axes along x, y, z; mass [kg] or density [kg/m^3]."""
        a, b, c = _three("ellipsoid", "semi_axes", semi_axes)
        moments = ((b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5)
        geometry = _geometry("ellipsoid", 4 / 3 * math.pi * a * b * c, moments, semi_x=a, semi_y=b, semi_z=c)
        given = {"mass": mass, "density": density}
        return cls._of(geometry, given, "z", com, rotation)

    @classmethod
    def torus(
        cls,
        mass: float | None = None,
        ring_radius: float = MISSING,
        tube_radius: float = MISSING,
        axis: Axis = "z",
        *,
        density: float | None = None,
        com: ArrayLike | None = None,
        rotation: Rotation | ArrayLike | None = None,
    ) -> Self:
        """Solid ring: a disc of tube_radius carried around the axis at ring_radius; mass or density."""
        R, r = _length("torus", "ring_radius", ring_radius), _length("torus", "tube_radius", tube_radius)
        if r > R:
            raise ValueError(
                f"torus: tube_radius = {r:g} exceeds ring_radius = {R:g}, so the ring would cut itself; "
                "make the tube thinner or the ring wider"
            )
        across = R * R / 2 + 5 / 8 * r * r
        moments = (across, across, R * R + 3 / 4 * r * r)
        geometry = _geometry("torus", 2 * math.pi**2 * R * r * r, moments, ring_radius=R, tube_radius=r)
        given = {"mass": mass, "density": density}
        return cls._of(geometry, given, axis, com, rotation)


def _geometry(
    kind: str, measure: float, moments: tuple[float, float, float], centre: float = 0.0, **dimensions: float
) -> Geometry:
    return Geometry(Shape(kind, tuple(dimensions.items())), measure, moments, centre)


def _length(kind: str, name: str, value: float) -> float:
    return not_negative(value, f"{kind}: {name}", "a length in metres")


def _three(kind: str, name: str, values: ArrayLike | None) -> tuple[float, float, float]:
    if values is None:
        raise ValueError(f"{kind}: {name}= is missing; give three lengths along x, y, z in metres")
    x, y, z = vector3(values, f"{kind}: {name}").tolist()
    return _length(kind, f"{name}[0]", x), _length(kind, f"{name}[1]", y), _length(kind, f"{name}[2]", z)
