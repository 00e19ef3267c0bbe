"""Reflections about a coordinate plane: how vectors, pseudovectors, poses and shapes change."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from duoti.spatial.axes import LETTERS, Array, Axis
from duoti.spatial.frame import Pose
from duoti.spatial.rotation import Rotation
from duoti.spatial.shape import Shape

_FLIPPED = {"extrusion": 1, "heightfield": 0, "mesh": 0}
"""The axis of its own frame along which a shape is turned round: one about which it is symmetric, or can be made so."""
_SYMMETRIC = ("plane", "point", "box", "sphere", "cylinder", "capsule", "disc", "ellipsoid", "cone", "torus",
              "hollow_cylinder", "shell", "revolution", "rod", "polyline")  # fmt: skip


@dataclass(frozen=True)
class Reflection:
    """The reflection about the plane through the origin with the normal x (0), y (1) or z (2)."""

    normal: int

    @property
    def matrix(self) -> Array:
        """S = diag(...), with -1 at the normal."""
        return np.diag(self.signs("vector"))

    def signs(self, of: str) -> tuple[float, ...]:
        """Factors of the components of a "vector", "pseudovector", "vector and pseudovector" or "quaternion"."""
        s = tuple(-1.0 if i == self.normal else 1.0 for i in range(3))
        pseudo = tuple(-x for x in s)
        return {
            "vector": s,
            "pseudovector": pseudo,
            "vector and pseudovector": (*s, *pseudo),
            "quaternion": (1.0, *pseudo),
        }[of]

    def vector(self, p: Any) -> tuple[float, ...]:
        """A vector."""
        return tuple(s * float(x) for s, x in zip(self.signs("vector"), p, strict=True))

    def vector_axis(self, axis: Axis) -> Axis:
        """A direction: a letter stays one."""
        return self._axis(axis, "vector")

    def pseudovector_axis(self, axis: Axis) -> Axis:
        """An axis of rotation: a letter stays one."""
        return self._axis(axis, "pseudovector")

    def _axis(self, axis: Axis, of: str) -> Axis:
        signs = self.signs(of)
        if not isinstance(axis, str):
            return tuple(s * float(x) for s, x in zip(signs, np.asarray(axis, dtype=float), strict=True))
        letter = axis.lstrip("+-").lower()
        if letter not in LETTERS or signs[LETTERS.index(letter)] > 0.0:
            return axis
        return letter if axis.startswith("-") else f"-{letter}"

    def rotation(self, rotation: Rotation) -> Rotation:
        """S R S."""
        return Rotation.from_quaternion([s * x for s, x in zip(self.signs("quaternion"), rotation.wxyz, strict=True)])

    def pose(self, pose: Pose) -> Pose:
        """The pose of the mirrored frame in the mirrored one."""
        return Pose(self.rotation(pose.rotation), self.vector(pose.point))

    def numbers(self, value: Any, signs: tuple[float, ...]) -> Any:
        """Components."""
        array = np.broadcast_to(np.asarray(value, dtype=float), (len(signs),))
        return (np.array(signs) * array).tolist()

    def six_by_six(self, value: Any) -> Any:
        """A matrix between displacements and turns; the entries of a diagonal one stay."""
        array, s = np.asarray(value, dtype=float), np.array(self.signs("vector and pseudovector"))
        return (s[:, None] * array * s).tolist() if array.ndim == 2 else value

    def shape(self, shape: Shape) -> Shape:
        """The mirrored shape in the mirrored frame. Raises ValueError for kinds that are not known."""
        if shape.kind not in (*_SYMMETRIC, *_FLIPPED):
            raise ValueError(f"its shape {shape.kind!r} cannot be mirrored")
        own = np.eye(3)
        k = _FLIPPED.get(shape.kind, 0)
        own[k, k] = -1.0
        turn = Rotation.from_matrix(self.matrix @ np.asarray(shape.pose.rotation.matrix) @ own)
        changed: dict[str, Any] = {}
        if shape.kind == "mesh":
            changed["dimensions"] = tuple((name, -x if name == "scale_x" else x) for name, x in shape.dimensions)
        if shape.kind == "heightfield":
            changed["profile"] = tuple(reversed(shape.profile))
        return replace(shape, pose=Pose(turn, self.vector(shape.pose.point)), **changed)
