"""Channels of bodies and markers: where they are and how they move; modal coordinates of flexible bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from duoti.model.element_id import ElementId
from duoti.model.joints.base import quaternions_of
from duoti.model.names import AXES, Quantity
from duoti.results.observe import ACCELERATIONS, FRAMES, observe
from duoti.system.arrays import Reals
from duoti.system.system import FrameKey

if TYPE_CHECKING:
    from duoti.results.result import Result


def frame_values(result: Result, quantity: Quantity) -> Reals:
    """A quantity of a body or marker over time, one row for each time."""
    system, y = result.system, result.states
    if quantity.what in ("modes", "modal_rates"):
        layout = system.flexible[quantity.item]
        return result.q[:, layout.q] if quantity.what == "modes" else result.v[:, layout.v]
    marker = system.markers[FrameKey(ElementId("body" if quantity.kind == "body" else "marker", quantity.item))]
    if quantity.what in ("acceleration", "angular_acceleration"):
        seen = result.observed(ACCELERATIONS, [marker]).frame_accelerations[:, 0]
        return seen[:, 3:] if quantity.what == "acceleration" else seen[:, :3]
    frames = observe(system, result.t, y, FRAMES, [marker]).frames[:, 0]
    if quantity.what == "rotation":
        return quaternions_of(frames[:, :9].reshape(-1, 3, 3))
    if quantity.what in AXES:
        return frames[:, AXES.index(quantity.what) : 9 : 3]
    local = quantity.what.startswith("local_")
    first = {"position": 9, "angular_velocity": 12, "velocity": 15}[quantity.what.removeprefix("local_")]
    found = frames[:, first : first + 3]
    if local:
        found = np.einsum("nji,nj->ni", frames[:, :9].reshape(-1, 3, 3), found)
    return found
