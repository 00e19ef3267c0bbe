"""What every joint type supplies.

A joint joins frame F on its parent to frame M on its child. The two coincide in the reference configuration, when all
coordinates are zero (a quaternion: the identity). A type is one file:

* the class names its coordinates and turns the user's axes into the joint's own frame (`frame`);
* its law, a kernel, says where M is for given coordinates.

The laws know only their own frame, in which "the" axis is z. They return the pose `X_PB` of the child's frame, and,
if the axes of motion move as seen from the child, also write the motion subspace `H` and its bias `c`:

    V_J = H v                     twist of M in F, at M's origin, in M's axes                              (1)
    A_J = H a + c,  c = dH/dt v   with dH/dt the rate of the components of H in M's axes                   (2)

Recursions read `X_PB`, `H` and `c` and never mention a joint type.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from duoti.model.element_id import Fault
from duoti.spatial import Rotation, axis_vector
from duoti.spatial.axes import Axis
from duoti.spatial.reflection import Reflection
from duoti.spelling import with_article
from duoti.strict import Strict

Array = NDArray[np.float64]
UNIT_TOLERANCE = 1e-6  # an axis this near to unit length is only rounded, not meant otherwise


@dataclass(frozen=True)
class Coordinate:
    """A joint coordinate, or a group of them, as the user sees it.

    `rate` names its derivative; a quaternion (four numbers) has an angular velocity (three numbers) as its rate.
    """

    name: str
    rate: str
    unit: str
    size: int = 1
    quaternion: bool = False

    @property
    def nq(self) -> int:
        """Numbers in q."""
        return 4 if self.quaternion else self.size

    @property
    def nv(self) -> int:
        """Numbers in v."""
        return 3 if self.quaternion else self.size

    @property
    def rate_unit(self) -> str:
        """Unit of the rate."""
        return "rad/s" if self.quaternion else f"{self.unit}/s"


def angle(size: int = 1) -> Coordinate:
    """Angle or angles [rad]."""
    return Coordinate("angle", "rate", "rad", size)


def position(size: int = 1) -> Coordinate:
    """Displacement or displacements [m]."""
    return Coordinate("position", "velocity", "m", size)


def attitude() -> Coordinate:
    """Unit quaternion, scalar first, with the angular velocity in the child's joint frame."""
    return Coordinate("rotation", "angular_velocity", "1", quaternion=True)


class JointEquation(NamedTuple):
    """One scalar equation between frames F and M of a cut joint (约束元, constraint primitive).

    "position": component i of the position of M in F is zero; "dot": axis i of F and axis j of M are perpendicular;
    "screw": the advance along z is that of the turn about z.
    """

    kind: str
    i: int = 2
    j: int = 2


def positions(*axes: int) -> tuple[JointEquation, ...]:
    """Position of M in F is zero along these axes of F."""
    return tuple(JointEquation("position", i) for i in axes)


PARALLEL_Z = (JointEquation("dot", 0, 2), JointEquation("dot", 1, 2))
SAME_ATTITUDE = (JointEquation("dot", 0, 1), JointEquation("dot", 1, 2), JointEquation("dot", 2, 0))


def quaternions_of(R: Array) -> Array:
    """Unit quaternions (scalar first, without jumps in sign) of rotation matrices (n, 3, 3)."""
    # row k: 4 times component k of the quaternion times all components; the largest component divides best
    d = np.einsum("nii->ni", R)
    off = [R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]]
    xy, xz, yz = R[:, 0, 1] + R[:, 1, 0], R[:, 0, 2] + R[:, 2, 0], R[:, 1, 2] + R[:, 2, 1]
    x, y, z = d.T
    products = np.array([
        [1 + x + y + z, *off], [off[0], 1 + x - y - z, xy, xz],
        [off[1], xy, 1 - x + y - z, yz], [off[2], xz, yz, 1 - x - y + z],
    ])  # fmt: skip
    largest = np.argmax([products[k, k] for k in range(4)], axis=0)
    q = products[largest, :, np.arange(len(R))].reshape(-1, 4)
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    flips = np.cumprod(np.where(np.sum(q[1:] * q[:-1], axis=1) < 0, -1.0, 1.0))
    q[1:] *= flips[:, None]
    return q


def rotation_about_z(R_FM: Array) -> Array:
    """Angle about z over time, without jumps."""
    return np.unwrap(np.arctan2(R_FM[:, 1, 0], R_FM[:, 0, 0]))


class Joint(Strict):
    """A type of joint; see the module's text."""

    kind: ClassVar[str]
    """Name of the type in files and messages."""
    units: ClassVar[Mapping[str, str]] = {}
    """Units of parameters whose names alone do not say them: {"stiffness": "N m/rad or N/m"}; `constructor_schema`."""
    coordinates: ClassVar[tuple[Coordinate, ...]]
    subspace: tuple[tuple[float, ...], ...] | None = None
    """Rows of H (angular first) when they are constant in M; None when the law writes them."""
    law: ClassVar[Callable[..., Any]]

    nq: int
    """Number of position coordinates."""
    nv: int
    """Number of velocity coordinates, the degrees of freedom."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if isinstance(given := vars(cls).get("coordinates"), tuple):  # otherwise each joint has its own
            cls.nq, cls.nv = sum(c.nq for c in given), sum(c.nv for c in given)

    @property
    def parts(self) -> tuple[Joint, ...]:
        """The simple joints that it is made of: itself, but for composite joints."""
        return (self,)

    closure: ClassVar[tuple[JointEquation, ...]] = ()
    """Equations that hold between the joint's frames, for use as a cut joint that closes a loop."""

    def relative_coordinates(self, R_FM: Array, p_FM: Array) -> Array:
        """Coordinates (rows over time) from the relative pose of the joint's frames, for a cut joint."""
        raise NotImplementedError(f"{with_article(self.kind)} joint is never cut")

    def relative_velocities(self, q: Array, omega: Array, velocity: Array) -> Array:
        """Rates from the relative angular velocity (M's axes) and the rate of p_FM (F's axes), for a cut joint."""
        raise NotImplementedError(f"{with_article(self.kind)} joint is never cut")

    def faults(self) -> list[Fault]:
        """What is wrong with the definition, in words; empty when all is well."""
        return []

    def remarks(self) -> list[Fault]:
        """What is allowed but worth a second look."""
        return []

    def frame(self) -> Rotation:
        """Rotation from the axes in which the user gave the joint's axes to the frame of the law."""
        return Rotation.identity()

    def parameters(self) -> tuple[float, ...]:
        """Numbers that the law reads."""
        return ()

    @property
    def subspace_at_zero(self) -> tuple[tuple[float, ...], ...]:
        """Rows of H in the reference configuration."""
        if self.subspace is None:
            raise TypeError(f"{self.kind}: a joint whose subspace moves says what it is in the reference configuration")
        return self.subspace

    @property
    def moves(self) -> tuple[tuple[int, ...], ...]:
        """[k][i] is 1 if the motion of rate k moves the axis of rate i along, as seen from F; 0 if it leaves it alone.

        dS_i/dq_k = carries[k][i] S_k x S_i (columns of the motion subspace at a fixed point, in fixed axes). Axes that
        are constant in M are carried by all rates. Where S_k x S_i is zero anyway, either number is right.
        """
        if self.subspace is None:
            raise TypeError(f"{self.kind}: a joint whose subspace moves says which of its rates carry which")
        return _all_moved(self.nv)

    @property
    def zero(self) -> Array:
        """Coordinates of the reference configuration."""
        return np.concatenate(
            [np.array([1.0, 0, 0, 0]) if c.quaternion else np.zeros(c.size) for c in self.coordinates] or [np.zeros(0)]
        )

    def mirrored(self, reflection: Reflection) -> tuple[Joint, tuple[float, ...], tuple[float, ...]]:
        """The joint of the mirror image, and the signs that its numbers in q and v have beside those of this one.

        Axes of rotation are pseudovectors, directions vectors; a type that says nothing cannot be mirrored.
        """
        raise NotImplementedError(f"{with_article(self.kind)} joint has no `mirrored`")

    @staticmethod
    @abstractmethod
    def sample(rng: np.random.Generator) -> Joint:
        """A random joint of this type, for tests that every type gets."""

    def __repr__(self) -> str:
        fields = ", ".join(f"{k}={v!r}" for k, v in vars(self).items())
        return f"{type(self).__name__}({fields})"

    def _key(self) -> tuple[Any, ...]:
        """What tells joints of one type apart; an axis may be a letter or any sequence of numbers."""
        return tuple(
            x if x is None or isinstance(x, str) else tuple(np.ravel(np.asarray(x, dtype=object)).tolist())
            for x in vars(self).values()
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Joint) and type(self) is type(other) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((type(self), self._key()))


@cache
def _all_moved(nv: int) -> tuple[tuple[int, ...], ...]:
    return ((1,) * nv,) * nv


def axis_faults(what: str, axis: Axis) -> list[Fault]:
    """Why `axis` is no direction."""
    try:
        axis_vector(axis)
    except ValueError as error:
        return [Fault(f"{what}: {error}", what)]
    return []


def axis_remarks(what: str, axis: Axis) -> list[Fault]:
    """A remark if the axis is a vector of another length than one."""
    if isinstance(axis, str) or axis_faults(what, axis):
        return []
    length = math.hypot(*np.asarray(axis, dtype=float).tolist())
    if abs(length - 1.0) <= UNIT_TOLERANCE:
        return []
    unit = ", ".join(f"{x:.4g}" for x in axis_vector(axis))
    given = tuple(np.asarray(axis).tolist())
    return [Fault(f"{what} {given} has length {length:.4g}; its direction ({unit}) is used", what)]


_CYCLIC = {"x": ("y", "z"), "y": ("z", "x"), "z": ("x", "y")}


def frame_along(axis: Axis) -> Rotation:
    """Rotation to a frame with z along `axis`; for letters, x and y follow in cyclic order (axis y: x' = z, y' = x)."""
    return _frame_along(axis) if isinstance(axis, str) else _frame_along(tuple(axis_vector(axis).tolist()))


@lru_cache(maxsize=10_000)
def _frame_along(axis: str | tuple[float, ...]) -> Rotation:
    z = axis_vector(axis)
    letter = axis.lstrip("+").lower() if isinstance(axis, str) else ""
    if letter in _CYCLIC:
        x = axis_vector(_CYCLIC[letter][0])
    else:
        x = np.cross(np.eye(3)[int(np.argmin(np.abs(z)))], z)
        x = x / np.linalg.norm(x)
    return Rotation.from_matrix(np.column_stack([x, np.cross(z, x), z]))


# What the joints with one axis have in common: the axis, and a frame with z along it.


class AxialJoint(Joint):
    """A joint with one axis: a letter ("x", "-z") or a vector."""

    axis: Axis
    axis_name = "axis"

    def faults(self) -> list[Fault]:
        return axis_faults(self.axis_name, self.axis)

    def remarks(self) -> list[Fault]:
        return axis_remarks(self.axis_name, self.axis)

    def frame(self) -> Rotation:
        """Z along the axis."""
        return frame_along(self.axis)
