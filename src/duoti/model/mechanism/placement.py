"""Where bodies and joint frames are in the reference configuration.

Joints placed at a world point have frames parallel to the world axes there. Joints placed by markers have the markers'
frames, and they place bodies that the user did not place.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from math import atan2, hypot

from duoti.model.elements import GROUND, Body, JointElement, Marker, Reference, name_of
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
    markers: dict[str, Pose] = field(default_factory=dict)
    """Poses in their bodies of the markers that joints name."""
    gaps: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Distance [m] and angle [rad] by which the markers of a joint miss each other in the reference configuration."""

    def of(self, model: Model, reference: Reference) -> Pose:
        """Pose of a marker or body in the world in the reference configuration."""
        marker = model.marker(reference)
        assert marker is not None
        return self.bodies[name_of(marker.body)] @ marker.pose


def explicit_marker(model: Model, reference: Reference) -> Marker | None:
    """The marker that a reference names; None for a body."""
    return None if isinstance(reference, Body) else model.markers.get(name_of(reference))


Sides = tuple[Pose | None, Pose | None]


def _sides(model: Model, element: JointElement, poses: dict[str, Pose]) -> Sides:
    """Poses of the explicit markers of a joint in their bodies, which are kept; None on the side of a plain body."""
    sides: list[Pose | None] = []
    for reference in (element.parent_reference, element.child_reference):
        marker = explicit_marker(model, reference)
        if marker is not None:
            poses[marker.name] = marker.pose
        sides.append(None if marker is None else poses[marker.name])
    return sides[0], sides[1]


def place_bodies(model: Model) -> Placement:
    """Place all bodies and joint frames. The model's references and numbers must be in order (see `check`)."""
    result = Placement()
    poses = result.bodies
    poses[GROUND] = Pose.identity()
    poses.update({name: body.pose for name, body in model.bodies.items() if body.placed})
    by_markers: dict[str, Sides] = {}
    if model.markers:
        sides = {name: _sides(model, each, result.markers) for name, each in model.joints.items() if each.at is None}
        by_markers = {name: pair for name, pair in sides.items() if any(pair)}
    ends = {name: (element.parent, element.child) for name, element in model.joints.items()}
    following = _Following(by_markers, ends, poses)
    following.place_from(*poses)
    # the rest at the world's origin, those first that no joint with markers could place; others may follow from them
    if rest := [name for name in model.bodies if name not in poses]:
        otherwise = {side for name, pair in ends.items() if name not in by_markers for side in pair}
        for name in (*(name for name in rest if name in otherwise), *rest):
            if name not in poses:
                poses[name] = Pose.identity()
                following.place_from(name)
    inverses = {name: pose.inverse() for name, pose in poses.items()} if len(by_markers) < len(model.joints) else {}
    for name, element in model.joints.items():
        parent, child = ends[name]
        X_WP, X_WB = poses[parent], poses[child]
        if name not in by_markers:
            point = X_WB.point if element.at is None else triple(element.at, "at")
            X_WF = Pose.of(IDENTITY, point)
            result.on_parent[name], result.on_child[name] = inverses[parent] @ X_WF, inverses[child] @ X_WF
            continue
        X_PF, X_BM = by_markers[name]
        if X_BM is None:  # the other side where the marker is
            assert X_PF is not None
            X_BM = X_WB.inverse() @ (X_WP @ X_PF)
        elif X_PF is None:
            X_PF = X_WP.inverse() @ (X_WB @ X_BM)
        result.on_parent[name], result.on_child[name] = X_PF, X_BM
        if name in following.used or None in by_markers[name]:
            continue  # they coincide by construction
        miss = (X_WP @ X_PF).inverse() @ (X_WB @ X_BM)
        w, *v = miss.rotation.wxyz
        distance, angle = hypot(*miss.point), 2.0 * atan2(hypot(*v), abs(w))
        size = 1.0 + hypot(*X_WP.point) + hypot(*X_PF.point)
        if distance > GAP_TOLERANCE * size or angle > 1e-7:  # an angle from a quaternion has half its digits
            result.gaps[name] = (distance, angle)
    return result


class _Following:
    """Places bodies that follow from joints placed by markers, outward from those already placed.

    A joint with a marker on one side only places the body on its other side; the body that carries the marker is
    placed by such a joint only if nothing else places it: such joints wait in `late`, by their order in the model.
    """

    def __init__(self, by_markers: dict[str, Sides], ends: dict[str, tuple[str, str]], poses: dict[str, Pose]):
        self.by_markers, self.ends, self.poses = by_markers, ends, poses
        self.at: dict[str, list[tuple[int, str]]] = {}
        for n, name in enumerate(by_markers):
            for side in ends[name]:
                self.at.setdefault(side, []).append((n, name))
        self.late: list[tuple[int, str]] = []
        self.used = set[str]()
        """Joints that placed a body."""

    def place_from(self, *bodies: str) -> None:
        """Place all that follows from bodies that were placed."""
        waiting = [joint for body in bodies for joint in self.at.get(body, ())]
        heapify(waiting)  # by the order of the model: of a loop that does not close, its last joint has the gap
        while waiting or self.late:
            last_resort = not waiting
            n, name = heappop(self.late if last_resort else waiting)
            parent, child = self.ends[name]
            child_is_new = parent in self.poses
            if child_is_new == (child in self.poses):
                continue
            on_parent, on_child = self.by_markers[name]
            if (on_parent if child_is_new else on_child) is None and not last_resort:
                heappush(self.late, (n, name))
                continue
            X_PF, X_BM = on_parent or Pose.identity(), on_child or Pose.identity()
            self.used.add(name)
            if child_is_new:
                self.poses[child] = self.poses[parent] @ X_PF @ X_BM.inverse()
            else:
                self.poses[parent] = self.poses[child] @ X_BM @ X_PF.inverse()
            for joint in self.at[child if child_is_new else parent]:
                heappush(waiting, joint)
