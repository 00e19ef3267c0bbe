"""Universal joint (万向铰, Cardan): a turn about an axis of the parent, then about a perpendicular one of the child."""

from __future__ import annotations

import numpy as np

from duoti.kernel import helper
from duoti.model.element_id import Fault
from duoti.model.joints.base import (
    Array,
    Joint,
    JointEquation,
    angle,
    axis_faults,
    axis_remarks,
    positions,
    rotation_about_z,
)
from duoti.spatial import Rotation, axis_vector
from duoti.spatial.algebra import put6, rotate_x, rotate_z, sincos
from duoti.spatial.axes import Axis
from duoti.spatial.reflection import Reflection

PERPENDICULAR_TOLERANCE = 1e-6


@helper
def _universal(q, k, v, j, p, b, X_PF, H, c):
    s1, c1 = sincos(q[k])
    s2, c2 = sincos(q[k + 1])
    # first axis z of F, second axis x of M; z of F seen from M is (0, sin q2, cos q2)
    put6(H, j, 0, (0.0, s2, c2, 0.0, 0.0, 0.0))
    put6(H, j + 1, 0, (1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    w = v[j] * v[j + 1]
    put6(c, b, 0, (0.0, w * c2, -w * s2, 0.0, 0.0, 0.0))
    return rotate_x(rotate_z(X_PF, s1, c1), s2, c2)


class Universal(Joint):
    r"""Cardan joint: the child turns about an axis of the parent and a second, perpendicular axis of its own.

    $$R_{FM} = R_{a_1}(q_1)\, R_{a_2}(q_2), \qquad p_{FM} = 0$$

    Coordinates: the angles $q_1$ and $q_2$. The first axis stays fixed in the parent, the second in the child.

    Parameters
    ----------
    axis1:
        First axis, fixed in the parent, in world axes of the reference configuration: a letter or a vector.
    axis2:
        Second axis, fixed in the child, perpendicular to the first: a letter or a vector.
    """

    kind = "universal"
    coordinates = (angle(2),)
    law = staticmethod(_universal)
    closure = (*positions(0, 1, 2), JointEquation("dot", 2, 0))

    def __init__(self, axis1: Axis, axis2: Axis):
        self.axis1 = axis1
        self.axis2 = axis2

    @property
    def subspace_at_zero(self) -> tuple[tuple[float, ...], ...]:
        """Turns about z, then x."""
        return ((0.0, 0.0, 1.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0, 0.0, 0.0))

    @property
    def moves(self) -> tuple[tuple[int, ...], ...]:
        """The first axis is fixed in F, the second in M."""
        return ((1, 1), (0, 1))

    def faults(self) -> list[Fault]:
        found = axis_faults("axis1", self.axis1) + axis_faults("axis2", self.axis2)
        if not found:
            cosine = float(axis_vector(self.axis1) @ axis_vector(self.axis2))
            if abs(cosine) > PERPENDICULAR_TOLERANCE:
                angle = np.degrees(np.arccos(np.clip(cosine, -1, 1)))
                remedy = "for skewed axes use Composite(Revolute(axis1), Revolute(axis2))"
                found.append(Fault(f"its axes make an angle of {angle:.4g} degrees instead of 90; {remedy}", "axis2"))
        return found

    def remarks(self) -> list[Fault]:
        return axis_remarks("axis1", self.axis1) + axis_remarks("axis2", self.axis2)

    def frame(self) -> Rotation:
        """Z along the first axis, x along the second."""
        z = axis_vector(self.axis1)
        x = axis_vector(self.axis2)
        x = x - (x @ z) * z
        x = x / np.linalg.norm(x)
        return Rotation.from_matrix(np.column_stack([x, np.cross(z, x), z]))

    def relative_coordinates(self, R_FM: Array, p_FM: Array) -> Array:
        return np.column_stack([rotation_about_z(R_FM), np.unwrap(np.arctan2(R_FM[:, 2, 1], R_FM[:, 2, 2]))])

    def relative_velocities(self, q: Array, omega: Array, velocity: Array) -> Array:
        return np.column_stack([np.sin(q[:, 1]) * omega[:, 1] + np.cos(q[:, 1]) * omega[:, 2], omega[:, 0]])

    def mirrored(self, reflection: Reflection) -> tuple[Joint, tuple[float, ...], tuple[float, ...]]:
        """Both axes are pseudovectors."""
        axes = (reflection.pseudovector_axis(each) for each in (self.axis1, self.axis2))
        return type(self)(*axes), (1.0,) * 2, (1.0,) * 2

    @staticmethod
    def sample(rng: np.random.Generator) -> Universal:
        """Random perpendicular axes."""
        axis1 = rng.normal(size=3)
        return Universal(axis1, np.cross(axis1, rng.normal(size=3)))
