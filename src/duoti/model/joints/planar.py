"""Planar joint (平面铰): two shifts in a plane and a turn about its normal."""

from __future__ import annotations

import numpy as np

from duoti.kernel import helper
from duoti.model.element_id import Fault
from duoti.model.joints.base import (
    PARALLEL_Z,
    Array,
    AxialJoint,
    Joint,
    angle,
    axis_faults,
    axis_remarks,
    position,
    positions,
    rotation_about_z,
)
from duoti.spatial import Rotation, axis_vector
from duoti.spatial.algebra import put6, rotate_z, shift, sincos
from duoti.spatial.axes import Axis
from duoti.spatial.reflection import Reflection


@helper
def _planar(q, k, v, j, p, b, X_PF, H, c):
    s, o = sincos(q[k + 2])
    # V_J = (w z, R_z^T (xdot, ydot, 0)) in M's axes: the shifts are kept along F's axes
    put6(H, j, 0, (0.0, 0.0, 0.0, o, -s, 0.0))
    put6(H, j + 1, 0, (0.0, 0.0, 0.0, s, o, 0.0))
    put6(H, j + 2, 0, (0.0, 0.0, 1.0, 0.0, 0.0, 0.0))
    w = v[j + 2]
    put6(c, b, 0, (0.0, 0.0, 0.0, w * (o * v[j + 1] - s * v[j]), -w * (o * v[j] + s * v[j + 1]), 0.0))
    return rotate_z(shift(X_PF, (q[k], q[k + 1], 0.0)), s, o)


class Planar(AxialJoint):
    r"""The child moves in a plane of the parent: two displacements and one rotation.

    $$p_{FM} = q_1 e_x + q_2 e_y, \qquad R_{FM} = R_z(q_3)$$

    Coordinates: two positions along axes of the plane that are fixed in the parent, then the angle about the normal
    $z$. The two axes follow the normal in cyclic order: x and y for the normal z, z and x for y, y and z for x.

    Parameters
    ----------
    normal:
        Normal of the plane in world axes of the reference configuration: a letter or a vector.
    first_axis:
        First axis of the plane; its part in the plane counts. Give it for a normal that is a vector, or to choose.
    """

    kind = "planar"
    coordinates = (position(2), angle())
    law = staticmethod(_planar)
    closure = positions(2) + PARALLEL_Z

    def __init__(self, normal: Axis, first_axis: Axis | None = None):
        self.normal = normal
        self.first_axis = first_axis

    @property
    def axis(self) -> Axis:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The normal."""
        return self.normal

    axis_name = "normal"

    @property
    def subspace_at_zero(self) -> tuple[tuple[float, ...], ...]:
        """Two shifts, then the turn."""
        return ((0.0, 0.0, 0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 1.0, 0.0, 0.0, 0.0))

    @property
    def moves(self) -> tuple[tuple[int, ...], ...]:
        """The shifts are along axes of F, the turn about one of M."""
        return ((1, 1, 1), (1, 1, 1), (0, 0, 1))

    def faults(self) -> list[Fault]:
        found = super().faults()
        if self.first_axis is not None:
            found += axis_faults("first_axis", self.first_axis)
            if not found and np.linalg.norm(np.cross(axis_vector(self.normal), axis_vector(self.first_axis))) < 1e-6:
                text = "first_axis is parallel to the normal; choose one that lies in the plane"
                found.append(Fault(text, "first_axis"))
        return found

    def remarks(self) -> list[Fault]:
        first = [] if self.first_axis is None else axis_remarks("first_axis", self.first_axis)
        return super().remarks() + first

    def frame(self) -> Rotation:
        """Z along the normal, x along the first axis."""
        if self.first_axis is None:
            return super().frame()
        z = axis_vector(self.normal)
        y = np.cross(z, axis_vector(self.first_axis))
        y = y / np.linalg.norm(y)
        return Rotation.from_matrix(np.column_stack([np.cross(y, z), y, z]))

    def relative_coordinates(self, R_FM: Array, p_FM: Array) -> Array:
        return np.column_stack([p_FM[:, :2], rotation_about_z(R_FM)])

    def relative_velocities(self, q: Array, omega: Array, velocity: Array) -> Array:
        return np.column_stack([velocity[:, :2], omega[:, 2]])

    def mirrored(self, reflection: Reflection) -> tuple[Joint, tuple[float, ...], tuple[float, ...]]:
        """The first axis is a vector, the normal one of rotation; so the second axis is mirrored, too."""
        first = self.frame().matrix[:, 0]
        made = type(self)(reflection.pseudovector_axis(self.normal), reflection.vector_axis(first))
        return made, (1.0,) * 3, (1.0,) * 3

    @staticmethod
    def sample(rng: np.random.Generator) -> Planar:
        """Random normal."""
        return Planar(rng.normal(size=3), first_axis=rng.normal(size=3))
