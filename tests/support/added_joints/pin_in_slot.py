"""Pin in a slot (销槽铰): a shift along an axis of the parent and a turn about an axis across it."""

from __future__ import annotations

import numpy as np

from duoti.kernel import helper
from duoti.model.joints.base import (
    PARALLEL_Z,
    Array,
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


@helper
def _pin_in_slot(q, k, v, j, p, b, X_PF, H, c):
    s, o = sincos(q[k + 1])
    put6(H, j, 0, (0.0, 0.0, 0.0, o, -s, 0.0))  # the slot, x of F, seen from M
    put6(H, j + 1, 0, (0.0, 0.0, 1.0, 0.0, 0.0, 0.0))
    w = v[j] * v[j + 1]
    put6(c, b, 0, (0.0, 0.0, 0.0, -w * s, -w * o, 0.0))
    return rotate_z(shift(X_PF, (q[k], 0.0, 0.0)), s, o)


class PinInSlot(Joint):
    """Slides along `slot`, fixed in the parent, and turns about `pin`, perpendicular to it.

    Coordinates: position [m], then angle [rad].
    """

    kind = "pin_in_slot"
    coordinates = (position(), angle())
    law = staticmethod(_pin_in_slot)
    closure = positions(1, 2) + PARALLEL_Z

    def __init__(self, slot: Axis, pin: Axis):
        self.slot, self.pin = slot, pin

    @property
    def subspace_at_zero(self) -> tuple[tuple[float, ...], ...]:
        """A shift along x, a turn about z."""
        return ((0.0, 0.0, 0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0, 0.0, 0.0))

    @property
    def moves(self) -> tuple[tuple[int, ...], ...]:
        """The slot is fixed in F, the pin's axis in both, but the slide moves it."""
        return ((1, 1), (0, 1))

    def faults(self) -> list[str]:
        """See `Joint.faults`."""
        found = axis_faults("slot", self.slot) + axis_faults("pin", self.pin)
        if not found and abs(float(axis_vector(self.slot) @ axis_vector(self.pin))) > 1e-6:
            found.append("slot and pin are not perpendicular")
        return found

    def remarks(self) -> list[str]:
        """See `Joint.remarks`."""
        return axis_remarks("slot", self.slot) + axis_remarks("pin", self.pin)

    def frame(self) -> Rotation:
        """Z along the pin, x along the slot."""
        z = axis_vector(self.pin)
        x = axis_vector(self.slot)
        x = x - (x @ z) * z
        x = x / np.linalg.norm(x)
        return Rotation.from_matrix(np.column_stack([x, np.cross(z, x), z]))

    def relative_coordinates(self, R_FM: Array, p_FM: Array) -> Array:
        """See `Joint.relative_coordinates`."""
        return np.column_stack([p_FM[:, 0], rotation_about_z(R_FM)])

    def relative_velocities(self, q: Array, omega: Array, velocity: Array) -> Array:
        """See `Joint.relative_velocities`."""
        return np.column_stack([velocity[:, 0], omega[:, 2]])

    @staticmethod
    def sample(rng: np.random.Generator) -> PinInSlot:
        """Random perpendicular axes."""
        slot = rng.normal(size=3)
        return PinInSlot(slot, np.cross(slot, rng.normal(size=3)))
