"""Mass, centre of mass and inertia of rigid bodies: composites, cavities, parallel axes, principal axes.

The inertia matrix holds moments on its diagonal, Ixx = integral of (y^2 + z^2) dm, and products with their
minus sign off it, Ixy = - integral of x y dm. SI units: kg, m, kg m^2.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from duoti.spatial.axes import MISSING, Array, Axis, axis_vector, finite_array, frozen, not_negative, triple, vector3
from duoti.spatial.frame import Pose
from duoti.spatial.rotation import Rotation
from duoti.spatial.shape import Shape
from duoti.strict import Explained, explained_constructors

# Simple homogeneous shapes, and the constructors of `Inertia` made of them.


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


ROUND_OFF = 1e-8
"""Inequalities may fail by this part of the largest moment: round-off and eight-digit data."""

CANCELLED = 1e-13
"""What parts and cavities leave of each other below this share of them is round-off: some hundred ulps."""


class Principal(NamedTuple):
    """Principal moments [kg m^2], ascending, and orientation R_BP of the principal axes in the body frame."""

    moments: Array
    rotation: Rotation


class ExtremeProduct(NamedTuple):
    """Largest product of inertia in a principal plane [kg m^2], first . I . second, at 45 degrees in it."""

    value: float
    first: Array
    second: Array


@explained_constructors
@dataclass(frozen=True, eq=False, repr=False)
class Inertia(Shapes):
    r"""Mass, centre of mass and inertia matrix of a body, in its frame.

    $$I = \int \left( |r|^2\, 1 - r\, r^T \right) dm$$

    Impossible data are refused: negative mass, a matrix that is not symmetric, or a principal moment larger than the
    sum of the other two. Zero mass is allowed.

    Parameters
    ----------
    mass:
        Mass [kg].
    com:
        Centre of mass [m] in the frame of the body.
    matrix:
        Inertia matrix about the centre of mass [kg m²]: 3x3, or three numbers for a diagonal one.
    shapes:
        What to draw.
    """

    mass: float
    com: Array = (0.0, 0.0, 0.0)  # pyright: ignore[reportAssignmentType]  # made an array below
    matrix: Array = None  # pyright: ignore[reportAssignmentType]  # refused below when left out
    shapes: tuple[Shape, ...] = ()
    """What can be drawn of the body, in the frame of this inertia."""

    def __post_init__(self) -> None:
        if self.matrix is None:  # pyright: ignore[reportUnnecessaryComparison]
            raise ValueError(
                f"Inertia(mass={self.mass!r}) lacks its matrix; give the 3x3 inertia about the centre of "
                "mass, or use Inertia.point(mass, com=...) for a point mass, or a shape such as Inertia.box"
            )
        if np.shape(self.matrix) == (3,):
            x, y, z = triple(self.matrix, "inertia matrix")
            matrix = [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]]
        else:
            matrix = finite_array(self.matrix, (3, 3), "inertia matrix").tolist()
        (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = matrix
        scale = max(map(abs, (xx, xy, xz, yx, yy, yz, zx, zy, zz)))
        difference = max(abs(xy - yx), abs(xz - zx), abs(yz - zy))
        if difference > ROUND_OFF * scale:
            raise ValueError(
                f"Inertia: the matrix {matrix} is not symmetric (largest difference "
                f"{difference:.3g}); give each product of inertia the same value and "
                "sign on both sides of the diagonal"
            )
        mass, com = not_negative(self.mass, "Inertia: mass", "a mass in kg"), triple(self.com, "com")
        self._set(mass, com, matrix, self.shapes)
        self._check(ROUND_OFF * scale)

    def _set(self, mass: float, com: ArrayLike, matrix: Sequence[Sequence[float]], shapes: Iterable[Shape]) -> None:
        (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = matrix
        xy, xz, yz = 0.5 * (xy + yx), 0.5 * (xz + zx), 0.5 * (yz + zy)
        object.__setattr__(self, "mass", mass)
        object.__setattr__(self, "com", frozen(com))
        object.__setattr__(self, "matrix", frozen(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))))
        object.__setattr__(self, "shapes", tuple(shapes))

    @classmethod
    def _unchecked(cls, mass: float, com: ArrayLike, matrix: ArrayLike, shapes: Iterable[Shape] = ()) -> Inertia:
        """Of numbers that are known to be possible, because they come from possible ones."""
        out = object.__new__(cls)
        out._set(mass, com, np.asarray(matrix, dtype=np.float64).tolist(), shapes)
        return out

    def _of_mass(self, mass: float, matrix: Array) -> Inertia:
        """The same with another mass and a matrix that is symmetric, as it is known to be possible."""
        out = object.__new__(type(self))
        matrix.setflags(write=False)
        vars(out).update(vars(self), mass=mass, matrix=matrix)
        return out

    def _check(self, slack: float) -> None:
        """Refuse moments that no distribution of mass has, by more than `slack` [kg m^2]."""
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = self.matrix.tolist()
        I = sorted((xx, yy, zz)) if xy == xz == yz == 0.0 else np.linalg.eigvalsh(self.matrix).tolist()
        if I[0] >= -slack and I[0] + I[1] >= I[2] - slack:
            return
        shown = "(" + ", ".join(f"{i:.6g}" for i in I) + ") kg m^2"
        if I[0] < -slack:
            raise ValueError(
                f"Inertia: of the principal moments {shown} the first is negative, so the matrix is not "
                "positive semi-definite; check the signs of the products, and that the matrix is about "
                "the centre of mass"
            )
        raise ValueError(
            f"Inertia: the principal moments {shown} violate the triangle inequality I1 + I2 >= I3: "
            f"{I[0]:.6g} + {I[1]:.6g} = {I[0] + I[1]:.6g} < {I[2]:.6g}, which no distribution of mass "
            "does; check units and signs, and that the matrix is about the centre of mass"
        )

    @classmethod
    def _of(
        cls,
        geometry: Geometry,
        given: dict[str, float | None],
        axis: Axis,
        com: ArrayLike | None,
        rotation: Rotation | ArrayLike | None,
    ) -> Inertia:
        kind = geometry.shape.kind
        amounts = [(name, value) for name, value in given.items() if value is not None]
        if len(amounts) != 1:
            names = " or ".join(f"{name}=" for name in given)
            raise ValueError(f"{kind}: give exactly one of {names}, got {'both' if amounts else 'neither'}")
        name, value = amounts[0]
        mass = not_negative(value, f"{kind}: {name}", "a mass in kg" if name == "mass" else "a density (SI)")
        if name != "mass":
            if geometry.measure == 0.0:
                raise ValueError(f"{kind}: a dimension is zero, so {name}= gives no mass; give mass= instead")
            mass *= geometry.measure
        R_BA, u = Rotation.from_any(rotation), axis_vector(axis)
        towards = R_BA @ u
        x, y, z = geometry.moments
        if x == y:  # axially symmetric: only the direction of the axis counts, and letters give exact zeros
            unit = x * np.eye(3) + (z - x) * np.outer(towards, towards)
        else:
            unit = R_BA.matrix @ np.diag(geometry.moments) @ R_BA.matrix.T
        centre = geometry.centre * towards if com is None else vector3(com, "com")
        pose = Pose(R_BA @ Rotation.between("z", u), centre)
        return cls._unchecked(mass, centre, mass * unit, [geometry.shape.moved(pose)])

    @classmethod
    def point(cls, mass: float, *, com: ArrayLike = (0.0, 0.0, 0.0)) -> Inertia:
        """All mass [kg] in one point, the origin or `com` [m]."""
        return cls(mass, vector3(com, "com"), np.zeros((3, 3)))

    @classmethod
    def as_given(cls, mass: float, com: ArrayLike, matrix: ArrayLike) -> Inertia:
        """Like `Inertia(mass, com, matrix)`, but principal moments may violate the triangle inequality.

        For data of others (identified or rounded parameters, robot descriptions); the equations of motion take them.
        """
        I = finite_array(matrix, (3, 3), "inertia matrix")
        scale = float(np.abs(I).max())
        largest = float(np.abs(np.linalg.eigvalsh(I)).max())
        part = cls(mass, vector3(com, "com"), I + largest * np.eye(3))  # checks all but the triangle inequality
        if np.linalg.eigvalsh(part.matrix)[0] < largest - ROUND_OFF * scale:
            raise ValueError(f"Inertia: the matrix {I.tolist()} has negative principal moments")
        return cls._unchecked(part.mass, part.com, I)

    @property
    def is_possible(self) -> bool:
        """False for moments that no distribution of mass has, which `as_given` lets pass."""
        try:
            self._check(ROUND_OFF * float(np.abs(self.matrix).max()))
        except ValueError:
            return False
        return True

    @classmethod
    def from_spatial(cls, numbers: ArrayLike) -> Inertia:
        """From the ten numbers of `spatial()`; the mass must not be zero."""
        m, hx, hy, hz, xx, xy, yy, xz, yz, zz = finite_array(numbers, (10,), "spatial inertia").tolist()
        if m <= 0.0:
            raise ValueError(f"spatial inertia with mass {m:g} kg has no centre of mass; a positive mass is needed")
        com = np.array([hx, hy, hz]) / m
        return cls(m, com, np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) - m * _spread(com))

    @property
    def shape(self) -> Shape | None:
        """The shape this inertia was made from; None when it has none or is composed of several."""
        return self.shapes[0] if len(self.shapes) == 1 else None

    # -------------------------------------------------------------------------------------------- composition

    def __add__(self, other: Inertia | Cavity) -> Inertia:
        """Both parts together; they must be given in the same frame."""
        return combined([self, other])

    def __sub__(self, other: Inertia) -> Inertia:
        """This body with the other one cut out of it; both in the same frame."""
        return combined([self, -other])

    def __neg__(self) -> Cavity:
        """The part as a cavity, material taken away, for a sum or for `combined`."""
        return Cavity(self)

    # ------------------------------------------------------------------------------------------- other frames

    def moved(
        self,
        pose: Pose | Rotation | ArrayLike | None = None,
        rotation: Rotation | ArrayLike | None = None,
    ) -> Inertia:
        """The body carried to a pose X_AB, in A: give a Pose, or a position [m], a rotation or both."""
        X_AB = Pose.from_any(pose) @ Rotation.from_any(rotation)
        R_AB = X_AB.rotation.matrix
        shapes = [shape.moved(X_AB) for shape in self.shapes]
        return self._unchecked(self.mass, X_AB @ self.com, R_AB @ self.matrix @ R_AB.T, shapes)

    def in_frame(self, frame: Pose | Rotation | ArrayLike) -> Inertia:
        """The same body seen from another frame C, given by R_BC (same origin) or by its pose X_BC."""
        X_BC = frame if isinstance(frame, Pose) else Pose(Rotation.from_any(frame))
        return self.moved(X_BC.inverse())

    def about(self, point: ArrayLike) -> Array:
        """Inertia matrix about any point of the body frame, by the parallel axes theorem [kg m^2]."""
        return self.matrix + self.mass * _spread(self.com - vector3(point, "point"))

    def spatial(self) -> Array:
        """Ten numbers: mass, first moment (3), then xx, xy, yy, xz, yz, zz about the body frame's origin."""
        I = self.about((0.0, 0.0, 0.0))
        return np.array([self.mass, *(self.mass * self.com), *I[(0, 0, 1, 0, 1, 2), (0, 1, 1, 2, 2, 2)]])

    def spatial_at(self, rotation: Sequence[float], point: Sequence[float]) -> tuple[float, ...]:
        """`moved(Pose(R, p)).spatial()` by plain numbers, for models of thousands of bodies.

        rotation: the nine numbers of R, row by row. I' = R I R^T about the centre of mass, and m (|c|^2 1 - c c^T) for
        the way to the origin.
        """
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = self.matrix.tolist()
        return spatial_numbers(self.mass, self.com.tolist(), (xx, xy, yy, xz, yz, zz), rotation, point)

    # ---------------------------------------------------------------------------------------- characteristics

    def principal(self, point: ArrayLike | None = None) -> Principal:
        """Principal moments, ascending, and axes, for the centre of mass or another point of the body frame.

        The axes are right-handed; the first two have their largest component positive. Between equal moments
        the axes are not determined, and any of the possible ones are returned.
        """
        moments, axes = np.linalg.eigh(self.matrix if point is None else self.about(point))
        largest = np.abs(axes).argmax(axis=0)
        axes = axes * np.where(axes[largest, (0, 1, 2)] < 0.0, -1.0, 1.0)
        axes[:, 2] = np.cross(axes[:, 0], axes[:, 1])
        return Principal(frozen(moments), Rotation.from_matrix(axes))

    def extreme_products(self, point: ArrayLike | None = None) -> tuple[ExtremeProduct, ...]:
        """Largest products of inertia in the principal planes (2, 3), (1, 3) and (1, 2).

        Each is half the difference of the plane's principal moments, found for axes at 45 degrees to them.
        """
        moments, R_BP = self.principal(point)
        axes = R_BP.matrix.T
        found: list[ExtremeProduct] = []
        for a, b in ((1, 2), (0, 2), (0, 1)):
            first, second = (axes[a] + axes[b]) / math.sqrt(2.0), (axes[b] - axes[a]) / math.sqrt(2.0)
            found.append(ExtremeProduct(0.5 * float(moments[b] - moments[a]), frozen(first), frozen(second)))
        return tuple(found)

    @property
    def radii_of_gyration(self) -> Array:
        """sqrt(I/m) for the axes x, y, z through the centre of mass [m]."""
        if self.mass == 0.0:
            raise ValueError("a body without mass has no radii of gyration; give it mass, or use its matrix")
        return frozen(np.sqrt(np.maximum(self.matrix.diagonal(), 0.0) / self.mass))

    def almost_equal(self, other: Inertia, tolerance: float = 1e-12) -> bool:
        """Whether mass, com, matrix agree to this part of the mass, of |com| or 1 m, and of the trace."""
        m, c, I = self.mass, max(1.0, float(np.linalg.norm(self.com))), float(np.trace(self.matrix))
        return (
            abs(m - other.mass) <= tolerance * m
            and float(np.abs(self.com - other.com).max()) <= tolerance * c
            and float(np.abs(self.matrix - other.matrix).max()) <= tolerance * I
        )

    def __eq__(self, other: object) -> bool:
        return self.__reduce__() == other.__reduce__() if isinstance(other, Inertia) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.mass, *self.com.tolist(), *self.matrix.ravel().tolist(), self.shapes))

    def __repr__(self) -> str:
        return f"Inertia(mass={self.mass:g}, com={self.com.tolist()}, matrix={self.matrix.tolist()})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Inertia._unchecked, (self.mass, self.com.tolist(), self.matrix.tolist(), self.shapes)


@dataclass(frozen=True)
class Cavity:
    """A part with its mass counted negative; only a sum with the body it is cut from is an `Inertia`."""

    part: Inertia

    def __add__(self, other: Inertia | Cavity) -> Inertia:
        return combined([self, other])


def spatial_numbers(
    m: Any, com: Sequence[Any], moments: Sequence[Any], rotation: Sequence[float], point: Sequence[float]
) -> tuple[Any, ...]:
    """The numbers of `Inertia.spatial_at`; arrays of masses, or of other numbers, give arrays.

    moments: xx, xy, yy, xz, yz, zz about the mass centre.
    """
    xx, xy, yy, xz, yz, zz = moments
    a, b, c, d, e, f, g, h, i = rotation
    (px, py, pz), (cx, cy, cz) = point, com
    x, y, z = px + a * cx + b * cy + c * cz, py + d * cx + e * cy + f * cz, pz + g * cx + h * cy + i * cz
    # rows of R I
    ax, ay, az = a * xx + b * xy + c * xz, a * xy + b * yy + c * yz, a * xz + b * yz + c * zz
    dx, dy, dz = d * xx + e * xy + f * xz, d * xy + e * yy + f * yz, d * xz + e * yz + f * zz
    gx, gy, gz = g * xx + h * xy + i * xz, g * xy + h * yy + i * yz, g * xz + h * yz + i * zz
    return (
        m, m * x, m * y, m * z,
        ax * a + ay * b + az * c + m * (y * y + z * z), ax * d + ay * e + az * f - m * x * y,
        dx * d + dy * e + dz * f + m * (x * x + z * z), ax * g + ay * h + az * i - m * x * z,
        dx * g + dy * h + dz * i - m * y * z, gx * g + gy * h + gz * i + m * (x * x + y * y),
    )  # fmt: skip


def combined(parts: Iterable[Inertia | Cavity]) -> Inertia:
    """One body of many parts, all in the same frame; write a cavity as `-part`.

    Only the result must be possible, not the partial sums.
    """
    signed = [_signed(p) for p in parts]
    if not signed:
        raise ValueError("combined() needs at least one part")
    mass = math.fsum(s * p.mass for s, p in signed)
    gross = math.fsum(p.mass for _, p in signed)
    if abs(mass) <= CANCELLED * gross:
        mass = 0.0
    if mass < 0.0:
        raise ValueError(
            f"the cavities outweigh the parts: {mass:.6g} kg of {gross:.6g} kg is left; check sizes and densities"
        )
    moment = sum((s * p.mass * p.com for s, p in signed), np.zeros(3))
    if mass > 0.0:
        com = moment / mass
    elif np.abs(moment).max() <= ROUND_OFF * max(p.mass * np.abs(p.com).max() for _, p in signed):
        com = signed[0][1].com
    else:
        raise ValueError(
            f"parts and cavities cancel to zero mass but leave a first moment of {moment.tolist()} kg m; "
            "check that each cavity lies inside the material it is cut from"
        )
    matrices = [p.about(com) for _, p in signed]
    matrix = sum((s * I for (s, _), I in zip(signed, matrices, strict=True)), np.zeros((3, 3)))
    shapes = [shape if s > 0.0 else shape.taken_away() for s, p in signed for shape in p.shapes]
    out = Inertia._unchecked(mass, com, matrix, shapes)  # pyright: ignore[reportPrivateUsage]
    if any(s < 0.0 for s, _ in signed):
        slack = ROUND_OFF * np.abs(matrix).max() + CANCELLED * max(np.trace(I) for I in matrices)
        out._check(float(slack))  # pyright: ignore[reportPrivateUsage]
    return out


def _signed(part: Inertia | Cavity) -> tuple[float, Inertia]:
    if isinstance(part, Cavity):
        return -1.0, part.part
    if isinstance(part, Inertia):  # pyright: ignore[reportUnnecessaryIsInstance]  # users make mistakes
        return 1.0, part
    raise TypeError(f"{part!r} is no part of a body; give Inertia objects, and -Inertia for a cavity")


def _spread(d: Array) -> Array:
    """Inertia of a unit point mass at d: |d|^2 1 - d d^T."""
    return float(d @ d) * np.eye(3) - np.outer(d, d)
