"""Where bodies and joint frames are in the reference configuration.

Joints placed at a world point have frames parallel to the world axes there. Joints placed by markers have the markers'
frames, and they place bodies that the user did not place.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from duoti.model.elements import GROUND, JointElement, Marker
from duoti.model.model import Model
from duoti.spatial import Pose, Rotation

GAP_TOLERANCE = 1e-9  # of positions [m, relative to the model's size] and angles [rad] of markers that should coincide


@dataclass
class Placement:
    """X_WB of each body, and X_PF, X_BM of each joint (frames in the user's body frames)."""

    bodies: dict[str, Pose] = field(default_factory=dict)
    on_parent: dict[str, Pose] = field(default_factory=dict)
    on_child: dict[str, Pose] = field(default_factory=dict)
    gaps: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Distance [m] and angle [rad] by which the markers of a joint miss each other in the reference configuration."""


def _markers(model: Model, element: JointElement) -> tuple[Marker | None, Marker | None]:
    """The explicit markers of a joint; None on the side of a plain body."""
    sides: list[Marker | None] = []
    for reference in (element.parent_reference, element.child_reference):
        marker = model.marker(reference)
        explicit = marker is not None and model.markers.get(marker.name) is marker
        sides.append(marker if explicit else None)
    return sides[0], sides[1]


def place_bodies(model: Model) -> Placement:
    """Place all bodies and joint frames. The model's references and numbers must be in order (see `check`)."""
    result = Placement()
    poses = result.bodies
    poses[GROUND] = Pose.identity()
    poses.update({name: body.pose for name, body in model.bodies.items() if body.placed})
    by_markers = {
        name: _markers(model, element)
        for name, element in model.joints.items()
        if element.at is None and any(_markers(model, element))
    }
    _follow_markers(model, by_markers, poses)
    while missing := [name for name in model.bodies if name not in poses]:
        # at the world's origin, those first that no joint with markers could place; others may follow from them
        otherwise = {side for name, j in model.joints.items() if name not in by_markers for side in (j.parent, j.child)}
        poses[next((name for name in missing if name in otherwise), missing[0])] = Pose.identity()
        _follow_markers(model, by_markers, poses)
    for name, element in model.joints.items():
        X_WP, X_WB = poses[element.parent], poses[element.child]
        if name not in by_markers:
            point = X_WB.position if element.at is None else np.asarray(element.at, dtype=float)
            X_WF = Pose(Rotation.identity(), point)
            result.on_parent[name], result.on_child[name] = X_WP.inverse() @ X_WF, X_WB.inverse() @ X_WF
            continue
        on_parent, on_child = by_markers[name]
        if on_parent is not None and on_child is not None:
            X_PF, X_BM = on_parent.pose, on_child.pose
        elif on_parent is not None:  # the other side where the marker is
            X_PF = on_parent.pose
            X_BM = X_WB.inverse() @ (X_WP @ X_PF)
        else:
            assert on_child is not None
            X_BM = on_child.pose
            X_PF = X_WP.inverse() @ (X_WB @ X_BM)
        result.on_parent[name], result.on_child[name] = X_PF, X_BM
        miss = (X_WP @ X_PF).inverse() @ (X_WB @ X_BM)
        distance, angle = float(np.linalg.norm(miss.position)), float(miss.rotation.angle)
        size = 1.0 + float(np.linalg.norm(X_WP.position)) + float(np.linalg.norm(X_PF.position))
        if distance > GAP_TOLERANCE * size or angle > 1e-7:  # an angle from a quaternion has half its digits
            result.gaps[name] = (distance, angle)
    return result


def _follow_markers(
    model: Model, by_markers: dict[str, tuple[Marker | None, Marker | None]], poses: dict[str, Pose]
) -> None:
    """Place bodies that follow from joints placed by markers, outward from those already placed.

    A joint with a marker on one side only places the body on its other side; the body that carries the marker is
    placed by such a joint only if nothing else places it.
    """

    def place_one(name: str, last_resort: bool) -> bool:
        element = model.joints[name]
        if (element.parent in poses) == (element.child in poses):
            return False
        on_parent, on_child = by_markers[name]
        child_is_new = element.parent in poses
        if (on_parent if child_is_new else on_child) is None and not last_resort:
            return False
        X_PF = on_parent.pose if on_parent else Pose.identity()
        X_BM = on_child.pose if on_child else Pose.identity()
        if child_is_new:
            poses[element.child] = poses[element.parent] @ X_PF @ X_BM.inverse()
        else:
            poses[element.parent] = poses[element.child] @ X_BM @ X_PF.inverse()
        return True

    while sum(place_one(name, False) for name in by_markers) or any(place_one(name, True) for name in by_markers):
        pass
