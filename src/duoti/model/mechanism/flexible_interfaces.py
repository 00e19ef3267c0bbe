"""Where joints, markers and forces sit on flexible bodies: at the interfaces.

A marker says so itself (`interface=`), or it is where an interface is; so does the frame of a joint at a world point.
What is elsewhere moves with the body's frame, as if the body were rigid: good for looking at, not for forces.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from duoti.flexible.body import Flexible
from duoti.model.elements import Marker, name_of
from duoti.model.mechanism.placement import Placement, explicit_marker
from duoti.model.model import Model
from duoti.spatial import Pose

AT_INTERFACE = 1e-6  # part of the body's length within which a frame is at an interface


def flexible_bodies(model: Model) -> dict[str, Flexible]:
    """The flexible bodies of a model by name."""
    return {name: body.inertia for name, body in model.bodies.items() if isinstance(body.inertia, Flexible)}


def interface_at(body: Flexible, X_UM: Pose, marker: Marker | None = None) -> str | None:
    """Name of the interface at which a frame X_UM of the undeformed body is; that of its marker, if it names one."""
    if marker is not None and marker.interface is not None:
        return marker.interface
    reduced = body.reduced
    for name, each in reduced.interfaces.items():
        if np.linalg.norm(each.position - X_UM.position) <= AT_INTERFACE * reduced.length:
            return name
    return None


def joint_sides(model: Model, placement: Placement, joint: str) -> Iterator[tuple[str, Pose, Marker | None]]:
    """Of parent and child of a joint: the body, the joint's frame in it, and the marker that the joint names."""
    element = model.joints[joint]
    for body, frames, reference in (
        (element.parent, placement.on_parent, element.parent_reference),
        (element.child, placement.on_child, element.child_reference),
    ):
        yield body, frames[joint], explicit_marker(model, reference)


def used_interfaces(model: Model, placement: Placement, body: str) -> list[str]:
    """Interfaces of a flexible body at which there is a joint, a marker, or the body's own frame."""
    flexible = model.bodies[body].inertia
    assert isinstance(flexible, Flexible)
    found = [interface_at(flexible, Pose.identity())]
    found += [
        interface_at(flexible, marker.pose, marker) for marker in model.markers.values() if name_of(marker.body) == body
    ]
    for joint in model.joints:
        for side, X, marker in joint_sides(model, placement, joint):
            if side == body:
                found.append(interface_at(flexible, X, marker))
    return [name for name in flexible.reduced.interfaces if name in found]
