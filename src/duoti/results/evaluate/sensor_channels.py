"""Channels of sensors: true values from a motion, and what sensors without sampling read of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.dynamics.joint_friction.installation import has_joint_friction
from duoti.dynamics.reaction_feedback.installation import has_reaction_feedback
from duoti.dynamics.workspace import new_workspace
from duoti.model.elements import name_of
from duoti.model.errors import ChannelError
from duoti.model.laws.contact_readings import reading_name
from duoti.model.quantities import Quantity, find_quantity
from duoti.model.sensors import IDEAL, joint_name, normal_force_of, rigid_fault
from duoti.results.evaluate.observe import ACCELERATIONS, FRAMES, observe
from duoti.system.arrays import Reals, Work, size_of_state
from duoti.system.system import System

if TYPE_CHECKING:
    from duoti.results.result import Result


def sensor_values(result: Result, quantity: Quantity) -> Reals:
    """A quantity of a sensor over time, one row for each time."""
    sensor: Any = result.model.sensors[quantity.item]
    parts = sensor.quantities(result.model)
    n = sum(size for _, size in parts.values())
    if quantity.what == IDEAL:
        return true_values(result, quantity.item)
    first = 0
    for what, (_, size) in parts.items():
        if what == quantity.what:
            break
        first += size
    columns = slice(first, first + quantity.size)
    if sensor.sampled:
        names = sensor.components(result.model, quantity.item)[columns]
        places = [result.system.state_names.index(name) for name in names]
        return np.asarray(result.z[:, places])
    return sensor.reading(true_values(result, quantity.item)[:, columns], columns, n)


def true_values(result: Result, name: str) -> Reals:
    """All numbers of a sensor without noise, bias, delay and sampling."""
    system = result.system
    sensor: Any = result.model.sensors[name]
    if sensor.type in ("encoder", "tachometer"):
        found = np.asarray(result[f"joint:{joint_name(sensor.joint)}.{'q' if sensor.type == 'encoder' else 'v'}"])
        return found.reshape(len(result.t), -1)
    if sensor.type == "contact_sensor":
        return sum((result[normal_force_of(each)] for each in sensor.contacts), np.zeros(len(result.t)))[:, None]
    if sensor.type == "force_torque":
        return _wrench(result, sensor)
    marker = system.marker_index(name_of(sensor.marker))
    frames = observe(system, result.t, result.states, FRAMES, [marker]).frames[:, 0]
    rotations = frames[:, :9].reshape(-1, 3, 3)
    if sensor.type == "gyroscope":
        return np.einsum("nji,nj->ni", rotations, frames[:, 12:15])
    return _specific_force(frames, result.observed(ACCELERATIONS, [marker]).frame_accelerations[:, 0], system)


def _specific_force(frames: Reals, accelerations: Reals, system: System) -> Reals:
    """Acceleration less gravity in the axes of the marker."""
    return np.einsum("nji,nj->ni", frames[:, :9].reshape(-1, 3, 3), accelerations[:, 3:] - system.tree.gravity)


def _wrench(result: Result, sensor: Any) -> Reals:
    """Force and torque in a joint, in the axes of the sensor and about its point."""
    system, joint = result.system, joint_name(sensor.joint)
    layout = system.joints[joint]
    force, torque = result.reaction(joint)
    child = system.model.joints[joint].child
    given = name_of(child) if sensor.marker is None else name_of(sensor.marker)
    if given == system.model.ground.name and sensor.marker is None:
        raise ChannelError(f'the child of joint "{joint}" is ground: give the sensor a marker=')
    frames = observe(system, *result.force_states, FRAMES, [layout.child_marker, system.marker_index(given)]).frames
    rotations = frames[:, 1, :9].reshape(-1, 3, 3)
    if sensor.marker is not None:
        torque = torque + np.cross(frames[:, 0, 9:12] - frames[:, 1, 9:12], force)
    sign = 1.0 if sensor.direction == "parent_to_child" else -1.0
    return sign * np.hstack([np.einsum("nji,nj->ni", rotations, each) for each in (force, torque)])


class OneState:
    """A workspace for states one by one, each as if it were the first: a sample depends on no earlier one."""

    def __init__(self, system: System):
        self.work = new_workspace(system, ydot=True)
        self.fresh = self.work.y.base.copy()  # pyright: ignore[reportOptionalMemberAccess]

    def begin(self) -> Work:
        """As it was when it was made."""
        self.work.y.base[:] = self.fresh  # pyright: ignore[reportOptionalSubscript]
        return self.work


def sensed_now(system: System, quantity: Quantity, t: Any, y: Any, kept: dict[str, Any]) -> Reals:
    """A quantity of a sensor in one state: q, v and z. kept: what the next sample of this thread uses again."""
    from duoti.results.records import Stats
    from duoti.results.result import Result

    sensor: Any = system.model.sensors[quantity.item]
    if why := rigid_fault(system.model, sensor):
        raise ChannelError(f'sensor "{quantity.item}": {"; ".join(why)}')
    if sensor.type == "contact_sensor":
        true = np.array([sum(_normal_force(system, each, t, y, kept) for each in sensor.contacts)])
        return true if quantity.what == IDEAL else sensor.reading(true, slice(0, 1), 1)
    whole = np.zeros((1, size_of_state(system.tree)))
    whole[0, : y.shape[1]] = y[0]
    if sensor.type == "accelerometer" and not (has_joint_friction(system) or has_reaction_feedback(system)):
        if "one state" not in kept:
            kept["one state"] = OneState(system)
        marker = [system.marker_index(name_of(sensor.marker))]
        seen = observe(system, t, whole, FRAMES | ACCELERATIONS, marker, work=kept["one state"].begin())
        true = _specific_force(seen.frames[:, 0], seen.frame_accelerations[:, 0], system)[0]
        return true if quantity.what == IDEAL else sensor.reading(true, slice(0, 3), 3)
    return sensor_values(Result(system, t, whole, True, "", Stats("none", 0, 0, 0, 0.0)), quantity)[0]


def compliant_now(system: System, contact: str, what: str, t: Any, y: Any, kept: dict[str, Any]) -> Reals:
    """A quantity of a compliant contact in one state; kept: as in `sensed_now`."""
    if "contacts" not in kept:
        from duoti.results.evaluate.contact_points import CompliantForces

        kept["contacts"] = CompliantForces(system)
    return kept["contacts"].value(contact, what, t, y)


def _normal_force(system: System, contact: str, t: Any, y: Any, kept: dict[str, Any]) -> float:
    """Of a contact in one state: computed, or what the run has written into the state (`laws.contact_readings`)."""
    if not system.model.contacts[contact].law.rigid:
        return float(compliant_now(system, contact, "normal_force", t, y, kept)[0])
    state = reading_name(find_quantity(system.model, normal_force_of(contact)))
    return float(y[0, system.nq + system.nv + system.state_names.index(state)])
