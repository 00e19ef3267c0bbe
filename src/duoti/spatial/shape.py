"""Shapes: what a viewer draws of a body, and what it touches others with."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duoti.spatial.axes import Axis, axis_vector, is_finite_number, not_negative, vector3
from duoti.spatial.frame import Pose
from duoti.spatial.rotation import Rotation
from duoti.spatial.track import checked_track, frame_at, track_table
from duoti.strict import explained_constructors


def heightfield_triangles(shape: Shape) -> NDArray[np.float64]:
    """Triangles [n, 3, 3] of `Shape.heightfield`, counter-clockwise from above.

    The diagonal of a cell is from (x, y) to (x + dx, y + dy), as MuJoCo has it.
    """
    heights = np.array(shape.profile, dtype=float)
    n, m = heights.shape
    half = 0.5 * np.array([shape["size_x"], shape["size_y"]])
    x, y = np.meshgrid(np.linspace(-half[0], half[0], n), np.linspace(-half[1], half[1], m), indexing="ij")
    points = np.stack([x, y, heights], axis=-1)
    a, b, c, d = points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]
    return np.concatenate([np.stack(each, axis=-2).reshape(-1, 3, 3) for each in ((a, b, c), (a, c, d))])


@explained_constructors
@dataclass(frozen=True)
class Shape:
    """One part of a body: what a viewer draws, and what contacts touch. It does not contribute to the inertia.

    The methods below make shapes. The part is centred at the origin of its own frame, with its axis along z.

    Parameters
    ----------
    kind:
        Kind of the shape.
    dimensions:
        Names and values [m].
    pose:
        Pose of the part in the frame of the body.
    cavity:
        Whether material is taken away.
    file:
        File of a mesh (STL, OBJ).
    colour:
        A name or "#rrggbb"; empty for the viewer's choice.
    convex:
        Whether a mesh touches with its convex hull; otherwise with its triangles.
    profile:
        Curve of a surface of revolution, an extrusion or a rail, or rows of heights.
    track:
        Rows (arc length, curvature, cant, height) of the track of a rail.
    """

    kind: str
    dimensions: tuple[tuple[str, float], ...] = ()
    pose: Pose = field(default_factory=Pose)
    cavity: bool = False
    file: str = ""
    colour: str = ""
    convex: bool = True
    profile: str | tuple[tuple[float, ...], ...] = ()
    track: tuple[tuple[float, ...], ...] = ()

    def __post_init__(self) -> None:
        for name, types in _TYPES.items():
            if not isinstance(value := getattr(self, name), types):
                raise TypeError(f"shape: {name} is {_short(value)}; give {_GIVE[name]}")
        for each in self.dimensions:
            given: Any = each
            if not (isinstance(given, tuple | list) and len(given) == 2 and is_finite_number(given[1])):
                raise ValueError(f"shape: dimensions has {_short(each)}; give pairs of a name and a finite number [m]")
        object.__setattr__(self, "dimensions", tuple((str(name), float(size)) for name, size in self.dimensions))
        if not isinstance(self.profile, str) and not len(self.profile):
            object.__setattr__(self, "profile", ())
        if not isinstance(self.profile, str) and len(self.profile):  # as it is read from a file
            checked = (
                _heights(self.profile) if self.kind in ("heightfield", "ribbon") else _profile(self.kind, self.profile)
            )
            object.__setattr__(self, "profile", checked)
        if self.kind == "rail" or len(self.track):
            object.__setattr__(self, "track", checked_track(self.track))

    def __repr__(self) -> str:
        fields = [f"{name}={value!r}" for name, value in self.dimensions]
        fields += [f"{name}={value!r}" for name, value in (("file", self.file), ("colour", self.colour)) if value]
        at, turn = np.asarray(self.pose.position), self.pose.rotation
        fields += [f"position={tuple(at.tolist())}"] if np.any(at) else []
        fields += [f"rotation={turn!r}"] if turn.wxyz != (1.0, 0.0, 0.0, 0.0) else []
        fields += ["cavity"] if self.cavity else []
        return f"<{self.kind.replace('_', ' ')}{': ' if fields else ''}{', '.join(fields)}>"

    def __getitem__(self, name: str) -> float:
        """A dimension by name [m], such as `shape["radius"]`."""
        return dict(self.dimensions)[name]

    def moved(self, X_AB: Pose) -> Shape:
        """The same part in another frame."""
        return replace(self, pose=X_AB @ self.pose)

    def taken_away(self) -> Shape:
        """The part as a cavity, a cavity as a part."""
        return replace(self, cavity=not self.cavity)

    @classmethod
    def plane(cls, *, position: ArrayLike = (0.0, 0.0, 0.0), rotation: Any = None, colour: str = "") -> Shape:
        """The half-space z <= 0 of its frame: a floor, or a wall when turned."""
        return _placed(cls("plane", colour=colour), "z", position, rotation)

    @classmethod
    def point(cls, *, position: ArrayLike = (0.0, 0.0, 0.0), colour: str = "") -> Shape:
        """A point, for contacts."""
        return _placed(cls("point", colour=colour), "z", position, None)

    @classmethod
    def box(
        cls, size: ArrayLike, *, position: ArrayLike = (0.0, 0.0, 0.0), rotation: Any = None, colour: str = ""
    ) -> Shape:
        """Block with edges `size` [m] along its x, y, z."""
        x, y, z = (not_negative(s, "box: size", "a length in metres") for s in vector3(size, "box: size").tolist())
        sizes = {"size_x": x, "size_y": y, "size_z": z}
        return _placed(cls("box", tuple(sizes.items()), colour=colour), "z", position, rotation)

    @classmethod
    def sphere(cls, radius: float, *, position: ArrayLike = (0.0, 0.0, 0.0), colour: str = "") -> Shape:
        """Ball of `radius` [m]."""
        return _placed(_round("sphere", radius, None, colour), "z", position, None)

    @classmethod
    def cylinder(
        cls,
        radius: float,
        length: float,
        axis: Axis = "z",
        *,
        position: ArrayLike = (0.0, 0.0, 0.0),
        rotation: Any = None,
        colour: str = "",
    ) -> Shape:
        """Cylinder of `radius` and `length` [m], centred at `position`."""
        return _placed(_round("cylinder", radius, length, colour), axis, position, rotation)

    @classmethod
    def capsule(
        cls,
        radius: float,
        length: float,
        axis: Axis = "z",
        *,
        position: ArrayLike = (0.0, 0.0, 0.0),
        rotation: Any = None,
        colour: str = "",
    ) -> Shape:
        """Cylinder of `radius` and `length` [m] with half a ball on either end, beyond that length."""
        return _placed(_round("capsule", radius, length, colour), axis, position, rotation)

    @classmethod
    def disc(
        cls,
        radius: float,
        axis: Axis = "z",
        *,
        position: ArrayLike = (0.0, 0.0, 0.0),
        rotation: Any = None,
        colour: str = "",
    ) -> Shape:
        """Flat disc of `radius` [m] without thickness, across the axis: a wheel that touches with its rim."""
        return _placed(_round("disc", radius, None, colour), axis, position, rotation)

    @classmethod
    def ellipsoid(
        cls, radii: ArrayLike, *, position: ArrayLike = (0.0, 0.0, 0.0), rotation: Any = None, colour: str = ""
    ) -> Shape:
        """Ellipsoid with semi-axes `radii` [m] along its x, y, z."""
        given = vector3(radii, "ellipsoid: radii").tolist()
        x, y, z = (not_negative(s, "ellipsoid: radii", "a length in metres") for s in given)
        sizes = {"semi_x": x, "semi_y": y, "semi_z": z}
        return _placed(cls("ellipsoid", tuple(sizes.items()), colour=colour), "z", position, rotation)

    @classmethod
    def mesh(
        cls,
        file: str,
        scale: float | ArrayLike = 1.0,
        *,
        position: ArrayLike = (0.0, 0.0, 0.0),
        rotation: Any = None,
        colour: str = "",
        convex: bool = True,
    ) -> Shape:
        """Triangles from a file (STL or OBJ); `scale`, one number or three, turns its units into metres.

        Contacts see its convex hull. With `convex=False` they see its triangles, each from the side on which its
        corners are counter-clockwise: terrain, bowls, rings.
        """
        if not isinstance(file, str | os.PathLike):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"mesh: file={_short(file)}; give the name of a file")
        if not isinstance(convex, bool | np.bool_):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"mesh: convex={_short(convex)}; give True or False")
        x, y, z = vector3([scale] * 3 if isinstance(scale, int | float) else scale, "mesh: scale").tolist()
        sizes = {"scale_x": x, "scale_y": y, "scale_z": z}
        shape = cls("mesh", tuple(sizes.items()), file=str(file), colour=colour, convex=bool(convex))
        return _placed(shape, "z", position, rotation)

    @classmethod
    def heightfield(
        cls,
        heights: Sequence[Sequence[float]],
        lengths: ArrayLike,
        *,
        position: ArrayLike = (0.0, 0.0, 0.0),
        rotation: Any = None,
        colour: str = "",
    ) -> Shape:
        """Terrain: a surface z over a rectangle `lengths` = (x, y) [m] about its frame's origin, touched from above.

        `heights` [m]: a row for each x, at equal distances from the first to the last, and in each row a number for
        each y likewise.
        """
        try:
            given = np.asarray(lengths, dtype=float).reshape(-1)
        except (TypeError, ValueError, OverflowError):
            given = np.zeros(0)
        if given.shape != (2,) or not np.all(given > 0.0):
            raise ValueError(f"heightfield: lengths={lengths!r}; give two positive ones [m], along x and along y")
        sizes = {"size_x": float(given[0]), "size_y": float(given[1])}
        shape = cls("heightfield", tuple(sizes.items()), colour=colour, profile=_heights(heights))
        return _placed(shape, "z", position, rotation)

    @classmethod
    def revolution(
        cls,
        profile: str | Sequence[Sequence[float]],
        limits: Sequence[float] | None = None,
        axis: Axis = "z",
        *,
        position: ArrayLike = (0.0, 0.0, 0.0),
        rotation: Any = None,
        colour: str = "",
    ) -> Shape:
        """What a curve encloses that turns about `axis`: a wheel.

        Parameters
        ----------
        profile:
            Radius over z [m]: points (z, radius), or an expression of z such as "0.46 - 0.05*z".
        limits:
            Range of z [m] for an expression.
        axis:
            Axis of revolution, the z of its frame.
        position, rotation:
            Pose in the frame of the body.
        colour:
            A name or "#rrggbb".
        """
        shape = cls(
            "revolution", _limits("revolution", profile, limits), colour=colour, profile=_profile("revolution", profile)
        )
        return _placed(shape, axis, position, rotation)

    @classmethod
    def extrusion(
        cls,
        profile: str | Sequence[Sequence[float]],
        length: float,
        limits: Sequence[float] | None = None,
        axis: Axis = "y",
        *,
        position: ArrayLike = (0.0, 0.0, 0.0),
        rotation: Any = None,
        colour: str = "",
    ) -> Shape:
        """What is below a curve that is drawn along `axis`: a rail, a gutter, a road.

        Contacts see it without ends: it continues along the axis, and straight beyond the first and last x.

        Parameters
        ----------
        profile:
            Height z over x [m]: points (x, z), or an expression of x such as "sqrt(0.3^2 - x^2) - 0.3".
        length:
            Length [m] that is drawn, centred at `position`.
        limits:
            Range of x [m] for an expression.
        axis:
            Direction of extrusion; z is up as far as it allows.
        position, rotation:
            Pose in the frame of the body.
        colour:
            A name or "#rrggbb".
        """
        sizes = {"length": not_negative(length, "extrusion: length", "a length in metres")}
        y = axis_vector(axis)
        if abs(y[2]) > 0.999:
            raise ValueError(f"extrusion: axis={axis!r} leaves no direction for up; give rotation= instead")
        x = np.cross(y, (0.0, 0.0, 1.0))
        x /= np.linalg.norm(x)
        turn = Rotation.from_any(rotation) @ Rotation.from_matrix(np.array([x, y, np.cross(x, y)]).T)
        dimensions = (*sizes.items(), *_limits("extrusion", profile, limits))
        shape = cls("extrusion", dimensions, colour=colour, profile=_profile("extrusion", profile))
        return replace(shape, pose=Pose(turn, vector3(position, "extrusion: position")))

    @classmethod
    def rail(
        cls,
        profile: str | Sequence[Sequence[float]],
        track: Sequence[Sequence[float]],
        limits: Sequence[float] | None = None,
        *,
        left: float = 0.0,
        up: float = 0.0,
        position: ArrayLike = (0.0, 0.0, 0.0),
        rotation: Any = None,
        colour: str = "",
    ) -> Shape:
        """A rail along a track with curves and cant, which begins along x of its frame; z is up.

        Contacts see it without ends: it continues straight.

        Parameters
        ----------
        profile:
            Height z over x [m], to the right of an observer who looks along the track: points, or an expression of x.
        track:
            Rows [arc length, curvature, cant, height], linear in between: a curvature that grows is a clothoid. The
            curvature [1/m] is positive to the left; the cant [rad] turns about the track and raises the left side;
            the height [m] is that of the track's middle. Cant and height may be left out.
        limits:
            Range of x [m] for an expression.
        left, up:
            Where the profile's origin is: to the left of and above the middle of the track [m], turned by the cant.
        position, rotation:
            Pose of the beginning of the track in the frame of the body.
        colour:
            A name or "#rrggbb".
        """
        sizes = {
            name: float(vector3((value, 0, 0), f"rail: {name}")[0]) for name, value in (("left", left), ("up", up))
        }
        dimensions = (*sizes.items(), *_limits("rail", profile, limits))
        shape = cls("rail", dimensions, colour=colour, profile=_profile("rail", profile), track=checked_track(track))
        return _placed(shape, "z", position, rotation)

    def track_pose(self, s: float) -> Pose:
        """Pose of the middle of the track of a rail at the arc length s [m]: x along it, y to the left, with cant."""
        if self.kind != "rail":
            raise ValueError(f"track_pose: a shape of kind {self.kind!r} has no track; dt.Shape.rail makes one with")
        R, p = frame_at(track_table(self.track), float(s))
        return self.pose @ Pose(Rotation.from_matrix(R), p)


_TYPES: dict[str, Any] = {
    "kind": str, "dimensions": (tuple, list), "pose": Pose, "cavity": (bool, np.bool_), "file": str, "colour": str,
    "convex": (bool, np.bool_), "profile": (str, tuple, list, np.ndarray),
    "track": (tuple, list, np.ndarray),
}  # fmt: skip
_GIVE = {
    "kind": "a text", "dimensions": "a list of names and numbers", "pose": "a dt.spatial.Pose",
    "cavity": "True or False", "file": "a text", "colour": 'a text such as "red" or "#ff0000"',
    "convex": "True or False", "profile": "points or an expression", "track": "rows of numbers",
}  # fmt: skip


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}..."


def _heights(heights: Any) -> tuple[tuple[float, ...], ...]:
    """Rows of heights, all of the same length; raises ValueError that says what is wrong."""
    try:
        found = np.asarray(heights, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise ValueError("heightfield: heights= needs rows of numbers, all of the same length") from None
    if found.ndim != 2 or min(found.shape) < 2 or not np.all(np.isfinite(found)):
        raise ValueError("heightfield: heights= needs at least two rows of two or more finite numbers [m]")
    return tuple(tuple(row) for row in found.tolist())


def _profile(kind: str, profile: Any) -> str | tuple[tuple[float, ...], ...]:
    """An expression as it is; points as pairs of numbers whose first ones increase."""
    if isinstance(profile, str):
        return profile
    try:
        points = np.asarray(profile, dtype=float)
    except (TypeError, ValueError, OverflowError):
        points = np.zeros((0, 2))
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 2 or not np.all(np.isfinite(points)):
        raise ValueError(f"{kind}: profile= needs at least two points [a, b] of finite numbers, or an expression")
    if np.any(np.diff(points[:, 0]) <= 0.0):
        entry = int(np.argmax(np.diff(points[:, 0]) <= 0.0)) + 1
        raise ValueError(
            f"{kind}: the first numbers of the profile's points must increase; entry {entry} does not. A curve that "
            "turns back is several shapes"
        )
    return tuple((float(a), float(b)) for a, b in points)


def _limits(kind: str, profile: Any, limits: Any) -> tuple[tuple[str, float], ...]:
    """Limits of an expression as dimensions; points have none but their own."""
    if not isinstance(profile, str):
        if limits is not None:
            raise ValueError(f"{kind}: limits= belong to an expression; those of points are the first and the last one")
        return ()
    try:
        low, high = map(float, limits)
    except (TypeError, ValueError, OverflowError):
        low, high = 0.0, 0.0
    if not -np.inf < low < high < np.inf:
        raise ValueError(
            f"{kind}: limits={limits!r}; an expression needs two increasing numbers [m] between which it holds"
        )
    return (("low", low), ("high", high))


def _round(kind: str, radius: float, length: float | None, colour: str) -> Shape:
    sizes = {"radius": not_negative(radius, f"{kind}: radius", "a length in metres")}
    if length is not None:
        sizes["length"] = not_negative(length, f"{kind}: length", "a length in metres")
    return Shape(kind, tuple(sizes.items()), colour=colour)


def _placed(shape: Shape, axis: Axis, position: ArrayLike, rotation: Any) -> Shape:
    R_BA = Rotation.from_any(rotation) @ Rotation.between("z", axis_vector(axis))
    return replace(shape, pose=Pose(R_BA, vector3(position, f"{shape.kind}: position")))
