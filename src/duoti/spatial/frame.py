"""Poses: where a frame is and how it is turned."""

from __future__ import annotations

from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from duoti.spatial.axes import Array, finite_array, frozen, triple, vector3
from duoti.spatial.rotation import IDENTITY, Rotation, Vector


class Pose:
    """Pose X_AB of a frame B in a frame A: orientation R_AB, and vector p_AB between the origins, in A [m].

    `X_AB @ X_BC` is X_AC; `X_AB @ p` gives the coordinates in A of a point known in B, or of many, in rows
    (n, 3).
    """

    rotation: Rotation
    point: Vector
    """The vector between the origins as plain numbers; see `Rotation.wxyz`."""

    __array_ufunc__ = None  # a NumPy array on the left of @ is an error, not an array of objects

    def __init__(self, rotation: Rotation | ArrayLike | None = None, position: ArrayLike = (0.0, 0.0, 0.0)) -> None:
        self.__dict__["rotation"] = Rotation.from_any(rotation)
        self.__dict__["point"] = triple(position, "position")

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a pose does not change: {name} cannot be set; make another one")

    @classmethod
    def of(cls, rotation: Rotation, point: Vector) -> Pose:
        """Of finite numbers that need no check."""
        made = cls.__new__(cls)
        parts = made.__dict__
        parts["rotation"], parts["point"] = rotation, point
        return made

    @cached_property
    def position(self) -> Array:
        """Vector between the origins [m], read-only."""
        return frozen(self.point)

    @property
    def twelve(self) -> tuple[float, ...]:
        """The numbers of the rotation matrix, row by row, and of the position: what kernels know of a pose."""
        return (*self.rotation.nine, *self.point)

    @classmethod
    def identity(cls) -> Pose:
        """A frame that coincides with its reference."""
        return SAME

    @classmethod
    def from_any(cls, x: Pose | Rotation | ArrayLike | None) -> Pose:
        """From a Pose, a Rotation, a position (3 numbers), a homogeneous 4x4 matrix, or None (identity)."""
        if x is None:
            return cls()
        if isinstance(x, Pose):
            return x
        if isinstance(x, Rotation):
            return cls(rotation=x)
        try:
            shape = np.shape(x)
        except ValueError:
            shape = ()
        if shape == (3,):
            return cls(position=vector3(x, "position"))
        if shape == (4, 4):
            X = finite_array(x, (4, 4), "pose matrix")
            if not np.array_equal(X[3], (0.0, 0.0, 0.0, 1.0)):
                raise ValueError(
                    f"last row of the pose matrix is {X[3].tolist()}, not [0, 0, 0, 1]; give "
                    "[[R, p], [0, 1]] with R a rotation matrix and p the position (transpose it if it is "
                    "written for row vectors)"
                )
            return cls(Rotation.from_matrix(X[:3, :3]), X[:3, 3])
        raise ValueError(f"{x!r} is no pose; give a Pose, a Rotation, a position of 3 numbers or a 4x4 matrix")

    @property
    def matrix4(self) -> Array:
        """Homogeneous matrix [[R, p], [0, 1]], read-only."""
        X = np.eye(4)
        X[:3, :3], X[:3, 3] = self.rotation.matrix, self.position
        return frozen(X)

    def inverse(self) -> Pose:
        """X_BA of X_AB."""
        R_BA = self.rotation.inverse()
        x, y, z = R_BA.turned(self.point)
        return Pose.of(R_BA, (-x, -y, -z))

    @overload
    def __matmul__(self, other: Pose | Rotation) -> Pose: ...
    @overload
    def __matmul__(self, other: ArrayLike) -> Array: ...
    def __matmul__(self, other: Pose | Rotation | ArrayLike) -> Pose | Array:
        """Compose with a pose or rotation, or carry a point (3,) or many, one in each row (n, 3)."""
        if isinstance(other, Pose):
            if other is SAME:
                return self
            (x, y, z), (a, b, c) = self.point, self.rotation.turned(other.point)
            return Pose.of(self.rotation @ other.rotation, (x + a, y + b, z + c))
        if isinstance(other, Rotation):
            return Pose.of(self.rotation @ other, self.point)
        return self.position + self.rotation @ other

    def almost_equal(self, other: Pose, tolerance: float = 1e-12) -> bool:
        """Whether the turn [rad] and the distance [m] from one to the other are at most `tolerance`."""
        distance = float(np.linalg.norm(self.position - other.position))
        return distance <= tolerance and self.rotation.almost_equal(other.rotation, tolerance)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pose):
            return NotImplemented
        return self.rotation == other.rotation and bool(np.array_equal(self.position, other.position))

    def __hash__(self) -> int:
        return hash((self.rotation, *self.position.tolist()))

    def __repr__(self) -> str:
        return f"Pose(rotation={self.rotation!r}, position={self.position!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Pose, (self.rotation, self.position)


SAME = Pose(IDENTITY)
