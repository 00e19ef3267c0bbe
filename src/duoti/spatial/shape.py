"""Shapes: what a viewer draws of a body, and what it touches others with."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from numpy.typing import ArrayLike

from duoti.spatial.axes import Axis, axis_vector, not_negative, vector3
from duoti.spatial.frame import Pose
from duoti.spatial.rotation import Rotation
from duoti.strict import explained_constructors


@explained_constructors
@dataclass(frozen=True)
class Shape:
    """One part of a body: what a viewer draws, and what contacts touch. It has no part in the inertia.

    The part is centred at the origin of its own frame (a cone: its centre of mass), with its axis along z;
    `pose` is that frame's pose in the frame of the body. A cavity is material taken away. `file` is that of a mesh
    (STL, OBJ); `colour` is a name or "#rrggbb", empty for the viewer's choice. A mesh that is not `convex` touches with
    its triangles, others with their convex hull.
    """

    kind: str
    dimensions: tuple[tuple[str, float], ...] = ()
    pose: Pose = field(default_factory=Pose)
    cavity: bool = False
    file: str = ""
    colour: str = ""
    convex: bool = True

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
        x, y, z = vector3([scale] * 3 if isinstance(scale, int | float) else scale, "mesh: scale").tolist()
        sizes = {"scale_x": x, "scale_y": y, "scale_z": z}
        shape = cls("mesh", tuple(sizes.items()), file=str(file), colour=colour, convex=bool(convex))
        return _placed(shape, "z", position, rotation)


def _round(kind: str, radius: float, length: float | None, colour: str) -> Shape:
    sizes = {"radius": not_negative(radius, f"{kind}: radius", "a length in metres")}
    if length is not None:
        sizes["length"] = not_negative(length, f"{kind}: length", "a length in metres")
    return Shape(kind, tuple(sizes.items()), colour=colour)


def _placed(shape: Shape, axis: Axis, position: ArrayLike, rotation: Any) -> Shape:
    R_BA = Rotation.from_any(rotation) @ Rotation.between("z", axis_vector(axis))
    return replace(shape, pose=Pose(R_BA, vector3(position, f"{shape.kind}: position")))
