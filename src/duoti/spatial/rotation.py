"""Rotations as users handle them: one immutable object, read and written in every common form."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from duoti.spatial.axes import Array, Axis, axis_vector, finite_array, frozen, vector3
from duoti.spatial.euler import euler_angles, euler_matrix
from duoti.strict import explained_constructors

TOLERANCE = 1e-6
"""A given quaternion or matrix may miss unit length or orthogonality by this much; it is then normalised."""

ROUND_OFF = 2e-15
"""A quaternion whose squared length is this close to one is left alone, so that saved numbers come back: what `_unit`
makes and the check of it may be off by nine half ulps."""


Quaternion = tuple[float, float, float, float]
Vector = tuple[float, float, float]
NONE: Quaternion = (1.0, 0.0, 0.0, 0.0)  # no rotation: composing with it changes no bit


@explained_constructors
class Rotation:
    """Orientation R_AB of a frame B in a frame A: `R_AB @ x_B` are the components in A of a vector known in
    B.

    Equally: the turn that carries A's axes into B's. Kept as a unit quaternion, scalar first. Compose with
    `@`: `R_AC = R_AB @ R_BC`. Angles are in rad.
    """

    wxyz: Quaternion
    """The quaternion as plain numbers: models have thousands of rotations, and arrays of four are slow."""

    __array_ufunc__ = None  # a NumPy array on the left of @ is an error, not an array of objects

    def __init__(self, quaternion: ArrayLike) -> None:
        q = finite_array(quaternion, (4,), "quaternion")
        length = float(np.linalg.norm(q))
        if abs(length - 1.0) > TOLERANCE:
            raise ValueError(
                f"quaternion {q.tolist()} has length {length:.9g}, not 1; divide it by its length if only "
                "its direction is meant, and give the scalar part first"
            )
        if abs(float(q @ q) - 1.0) > ROUND_OFF:
            q = q / length
        self.__dict__["wxyz"] = tuple(q.tolist())

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a rotation does not change: {name} cannot be set; make another one")

    @classmethod
    def _of(cls, wxyz: Quaternion) -> Rotation:
        """Of a quaternion that is known to be of unit length."""
        made = cls.__new__(cls)
        made.__dict__["wxyz"] = wxyz
        return made

    @classmethod
    def _unit(cls, w: float, x: float, y: float, z: float) -> Rotation:
        """Of any finite quaternion but zero, made one of unit length."""
        length = math.sqrt(w * w + x * x + y * y + z * z)
        return cls._of((w / length, x / length, y / length, z / length))

    @cached_property
    def quaternion(self) -> Array:
        """Unit quaternion (w, x, y, z), read-only. Its sign is kept as given; q and -q are the same rotation."""
        return frozen(self.wxyz)

    # ------------------------------------------------------------------------------------------- constructors

    @classmethod
    def identity(cls) -> Rotation:
        """No rotation."""
        return IDENTITY

    @classmethod
    def from_quaternion(cls, wxyz: ArrayLike) -> Rotation:
        """From a quaternion, scalar first; a length within 1e-6 of one is normalised, any other refused."""
        return cls(wxyz)

    @classmethod
    def from_matrix(cls, matrix: ArrayLike) -> Rotation:
        """From an orthonormal right-handed 3x3 matrix (within 1e-6), accurate for every angle.

        Method of Shepperd (J. Guidance and Control 1, 1978): start from the largest quaternion component.
        """
        R = finite_array(matrix, (3, 3), "rotation matrix")
        defect = float(np.abs(R.T @ R - np.eye(3)).max())
        if defect > TOLERANCE:
            raise ValueError(
                f"rotation matrix {R.tolist()} is not orthonormal: the largest element of |R^T R - 1| is "
                f"{defect:.3g}; give more digits, or orthonormalise its columns first"
            )
        determinant = float(np.linalg.det(R))
        if determinant < 0.0:
            raise ValueError(
                f"rotation matrix {R.tolist()} is left-handed: its determinant is {determinant:.6g}, not "
                "+1; it contains a reflection, reverse one of its columns"
            )
        xx, yy, zz = R.diagonal()
        squares = 1.0 + np.array([xx + yy + zz, xx - yy - zz, yy - xx - zz, zz - xx - yy])  # 4 w^2, 4 x^2, ...
        (_, a, b), (c, _, d), (e, f, _) = R
        products = np.array([  # 4 times the products of the components
            [squares[0], f - d, b - e, c - a],
            [f - d, squares[1], a + c, b + e],
            [b - e, a + c, squares[2], d + f],
            [c - a, b + e, d + f, squares[3]],
        ])  # fmt: skip
        q = products[int(np.argmax(squares))]
        return cls(q / np.linalg.norm(q))

    @classmethod
    def from_vector(cls, vector: ArrayLike) -> Rotation:
        """From a rotation vector: direction of the axis, length the angle [rad], of any size."""
        w = vector3(vector, "rotation vector")
        half = 0.5 * float(np.linalg.norm(w))
        return cls(np.concatenate([[np.cos(half)], 0.5 * np.sinc(half / np.pi) * w]))

    @classmethod
    def about(cls, axis: Axis, angle: float) -> Rotation:
        """Turn about an axis ('x', '-z', ... or a vector of any length but zero) by an angle [rad]."""
        if not np.isfinite(angle):
            raise ValueError(f"rotation angle is {angle!r}; give a finite number of radians")
        (x, y, z), s = axis_vector(axis).tolist(), math.sin(0.5 * angle)
        return cls._unit(math.cos(0.5 * angle), s * x, s * y, s * z)

    @classmethod
    def from_euler(cls, sequence: str, angles: ArrayLike) -> Rotation:
        """From three Euler angles [rad].

        Upper case ("ZXZ") turns about the moving axes, lower case ("zxz") about the fixed axes, always in the
        order written; all 12 sequences of axes exist in both kinds.
        """
        return cls.from_matrix(euler_matrix(sequence, vector3(angles, "Euler angles")))

    @classmethod
    def between(cls, start: Axis, end: Axis) -> Rotation:
        """The shortest turn that carries one direction into another (for opposite ones, any half turn)."""
        a, b = axis_vector(start), axis_vector(end)
        if a.tolist() == b.tolist():
            return IDENTITY
        if a @ b < 0.0:
            # a + b below would be cancelled: half turn about a normal of a, then the smaller rest
            normal = np.cross(a, b)
            if math.hypot(*normal) < 1e-12:  # opposite: all normals are as good
                normal = np.cross(a, np.eye(3)[int(np.argmin(np.abs(a)))])
            return cls.between(-a, b) @ cls.about(normal - a * (a @ normal), math.pi)
        (ax, ay, az), (bx, by, bz) = a.tolist(), b.tolist()
        x, y, z = ax + bx, ay + by, az + bz  # half way between them
        return cls._unit(ax * x + ay * y + az * z, ay * z - az * y, az * x - ax * z, ax * y - ay * x)

    @classmethod
    def from_any(cls, x: Rotation | ArrayLike | None) -> Rotation:
        """From a Rotation, a 3x3 matrix, a quaternion (scalar first), or None for no rotation."""
        if x is None:
            return cls.identity()
        if isinstance(x, Rotation):
            return x
        try:
            shape = np.shape(x)
        except ValueError:
            shape = ()
        if shape == (4,):
            return cls.from_quaternion(x)
        if shape == (3, 3):
            return cls.from_matrix(x)
        hint = "; use Rotation.from_vector or Rotation.from_euler for three numbers" if shape == (3,) else ""
        raise ValueError(
            f"{x!r} is no rotation; give a Rotation, a 3x3 matrix or a quaternion of 4 numbers, scalar first{hint}"
        )

    # ----------------------------------------------------------------------------------------------- read out

    @cached_property
    def matrix(self) -> Array:
        """The 3x3 matrix, read-only; its columns are B's axes in A."""
        return frozen(np.reshape(self.nine, (3, 3)))

    @property
    def nine(self) -> tuple[float, ...]:
        """The numbers of the matrix, row by row."""
        if (known := self.__dict__.get("_nine")) is not None:
            return known
        w, x, y, z = self.wxyz
        self.__dict__["_nine"] = numbers = (
            1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
            2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
            2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
        )  # fmt: skip
        return numbers

    def turned(self, v: Vector) -> Vector:
        """Components in A of a vector known in B; the same as `@` for plain numbers."""
        if self.wxyz == NONE:
            return v
        a, b, c, d, e, f, g, h, i = self.nine
        x, y, z = v
        return (a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z)

    @cached_property
    def _positive(self) -> Array:
        """Of q and -q the one whose first non-zero component is positive."""
        q = self.quaternion
        return -q if q[np.flatnonzero(q)[0]] < 0.0 else q

    @property
    def angle(self) -> float:
        """Angle of the turn, from 0 to pi [rad]."""
        w, *v = self._positive.tolist()
        return 2.0 * math.atan2(math.hypot(*v), w)

    @property
    def axis(self) -> Array:
        """Unit vector of the axis, equal in A and B; z for no rotation, where any axis is right."""
        v = self._positive[1:]
        return axis_vector(v if v.any() else "z")

    @property
    def vector(self) -> Array:
        """Rotation vector [rad]: axis times angle, not longer than pi."""
        return frozen(self.angle * self.axis)

    def euler(self, sequence: str) -> Array:
        """Euler angles [rad] of a sequence as in `from_euler`; the third is zero at singular orientations.

        The second angle is within [-pi/2, pi/2] (Tait-Bryan) or [0, pi] (proper), the others within [-pi,
        pi].
        """
        return frozen(euler_angles(sequence, self.matrix))

    # --------------------------------------------------------------------------------------------- operations

    def inverse(self) -> Rotation:
        """R_BA of R_AB."""
        if self.wxyz == NONE:
            return self
        if (known := self.__dict__.get("_inverse")) is None:
            w, x, y, z = self.wxyz
            self.__dict__["_inverse"] = known = Rotation._of((w, -x, -y, -z))
            a, b, c, d, e, f, g, h, i = self.nine
            known.__dict__["_nine"] = (a, d, g, b, e, h, c, f, i)
        return known

    @overload
    def __matmul__(self, other: Rotation) -> Rotation: ...
    @overload
    def __matmul__(self, other: ArrayLike) -> Array: ...
    def __matmul__(self, other: Rotation | ArrayLike) -> Rotation | Array:
        """Compose with a rotation, or turn a vector (3,) or many, one in each row (n, 3)."""
        if isinstance(other, Rotation):
            if other.wxyz == NONE:
                return self
            if self.wxyz == NONE:
                return other
            last = self.__dict__.get("_last_product")  # joints of a model have few axes: often it is the same again
            if last is not None and last[0] is other:
                return last[1]
            a, b, c, d = self.wxyz
            w, x, y, z = other.wxyz
            q0, q1 = a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y
            q2, q3 = a * y - b * z + c * w + d * x, a * z + b * y - c * x + d * w
            product = Rotation._unit(q0, q1, q2, q3)
            self.__dict__["_last_product"] = other, product
            return product
        v = np.asarray(other, dtype=np.float64)
        if v.ndim == 0 or v.shape[-1] != 3:
            raise ValueError(f"a rotation turns vectors (3,) or rows of vectors (n, 3), not an array {v.shape}")
        return v @ self.matrix.T

    def almost_equal(self, other: Rotation, tolerance: float = 1e-12) -> bool:
        """Whether the turn from one to the other is at most `tolerance` [rad]."""
        return (self.inverse() @ other).angle <= tolerance

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rotation):
            return NotImplemented
        return bool(np.array_equal(self._positive, other._positive))

    def __hash__(self) -> int:
        return hash(tuple(self._positive.tolist()))

    def __repr__(self) -> str:
        if self.angle == 0.0:
            return "Rotation.identity()"
        axis = ", ".join(f"{a + 0.0:.6g}" for a in self.axis)
        return f"Rotation.about(({axis}), {self.angle:.9g})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Rotation, (self.quaternion,)


IDENTITY = Rotation(NONE)
"""No rotation."""
