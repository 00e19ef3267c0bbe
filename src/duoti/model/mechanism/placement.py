"""Where bodies and joint frames are in the reference configuration.

Joints placed at a world point have frames parallel to the world axes there. Joints placed by markers have the markers'
frames, and they place bodies that the user did not place.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

import numpy as np

from duoti.model.elements import GROUND, JointElement, Marker, Reference, name_of
from duoti.model.model import Model
from duoti.spatial import Pose
from duoti.spatial.axes import triple
from duoti.spatial.rotation import IDENTITY

GAP_TOLERANCE = 1e-9  # of positions [m, relative to the model's size] and angles [rad] of markers that should coincide


@dataclass
class Placement:
    """X_WB of each body, and X_PF, X_BM of each joint (frames in the user's body frames)."""

    bodies: dict[str, Pose] = field(default_factory=dict)
    on_parent: dict[str, Pose] = field(default_factory=dict)
    on_child: dict[str, Pose] = field(default_factory=dict)
    gaps: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Distance [m] and angle [rad] by which the markers of a joint miss each other in the reference configuration."""

    def of(self, model: Model, reference: Reference) -> Pose:
        """Pose of a marker or body in the world in the reference configuration."""
        marker = model.marker(reference)
        assert marker is not None
        return self.bodies[name_of(marker.body)] @ marker.pose


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
    by_markers: dict[str, tuple[Marker | None, Marker | None]] = {}
    if model.markers:
        sides = {name: _markers(model, element) for name, element in model.joints.items() if element.at is None}
        by_markers = {name: pair for name, pair in sides.items() if any(pair)}
    following = _Following(model, by_markers, poses)
    following.place_from(*poses)
    # the rest at the world's origin, those first that no joint with markers could place; others may follow from them
    if rest := [name for name in model.bodies if name not in poses]:
        otherwise = {side for name, j in model.joints.items() if name not in by_markers for side in (j.parent, j.child)}
        for name in (*(name for name in rest if name in otherwise), *rest):
            if name not in poses:
                poses[name] = Pose.identity()
                following.place_from(name)
    inverses = {name: pose.inverse() for name, pose in poses.items()} if len(by_markers) < len(model.joints) else {}
    for name, element in model.joints.items():
        parent, child = element.parent, element.child
        X_WP, X_WB = poses[parent], poses[child]
        if name not in by_markers:
            point = X_WB.point if element.at is None else triple(element.at, "at")
            X_WF = Pose.of(IDENTITY, point)
            result.on_parent[name], result.on_child[name] = inverses[parent] @ X_WF, inverses[child] @ X_WF
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


class _Following:
    """Places bodies that follow from joints placed by markers, outward from those already placed.

    A joint with a marker on one side only places the body on its other side; the body that carries the marker is
    placed by such a joint only if nothing else places it: such joints wait in `late`, by their order in the model.
    """

    def __init__(
        self, model: Model, by_markers: dict[str, tuple[Marker | None, Marker | None]], poses: dict[str, Pose]
    ):
        self.model, self.by_markers, self.poses = model, by_markers, poses
        self.at: dict[str, list[tuple[int, str]]] = {}
        for n, name in enumerate(by_markers):
            for side in (model.joints[name].parent, model.joints[name].child):
                self.at.setdefault(side, []).append((n, name))
        self.late: list[tuple[int, str]] = []

    def place_from(self, *bodies: str) -> None:
        """Place all that follows from bodies that were placed."""
        waiting = [joint for body in bodies for joint in self.at.get(body, ())]
        heapify(waiting)  # by the order of the model: of a loop that does not close, its last joint has the gap
        while waiting or self.late:
            last_resort = not waiting
            n, name = heappop(self.late if last_resort else waiting)
            element = self.model.joints[name]
            if (element.parent in self.poses) == (element.child in self.poses):
                continue
            on_parent, on_child = self.by_markers[name]
            child_is_new = element.parent in self.poses
            if (on_parent if child_is_new else on_child) is None and not last_resort:
                heappush(self.late, (n, name))
                continue
            X_PF = on_parent.pose if on_parent else Pose.identity()
            X_BM = on_child.pose if on_child else Pose.identity()
            if child_is_new:
                self.poses[element.child] = self.poses[element.parent] @ X_PF @ X_BM.inverse()
            else:
                self.poses[element.parent] = self.poses[element.child] @ X_BM @ X_PF.inverse()
            for joint in self.at[element.child if child_is_new else element.parent]:
                heappush(waiting, joint)
