"""Which links of the tree move in a plane: what they do is then a motion of SE(2), whatever their coordinates are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np

from duoti.model.joints import Joint
from duoti.model.mechanism.joint_motions import law_motions
from duoti.spatial import Pose, Rotation
from duoti.system.compile.tree_bodies import TreeBodies

SAME = 1e-12  # of numbers of order one
Twist = tuple[float, ...]


class Planes:
    """Motions of links against the links that carry them, in world axes of the reference configuration."""

    def __init__(self, links: TreeBodies):
        self.links = links
        self._turned: dict[int, Rotation] = {0: Rotation.identity()}
        self._twists: dict[int, list[Twist] | None] = {}

    def common(self, links: Sequence[int], poses: Sequence[Pose]) -> int:
        """Which axis of frames on these links is normal to a plane that they are in and move in: 1 y, 2 z, 0 none.

        poses: of the frames in the world, in the reference configuration. The plane may move with what carries all.
        """
        R = np.array([np.asarray(pose.rotation.matrix) for pose in poses])
        places = np.array([np.asarray(pose.position) for pose in poses])
        size = max(float(np.abs(places - places[0]).max()), 1e-300)
        for axis in (2, 1):
            n = R[0][:, axis]
            aside = max(float(np.abs(R[:, :, axis] - n).max()), float(np.abs((places - places[0]) @ n).max()) / size)
            if aside <= SAME and all(self._stay(a, b, n.tolist()) for a, b in pairwise(links)):
                return axis
        return 0

    def on_one(self, links: Sequence[int]) -> bool:
        """Whether one link carries all others directly: it may be among them (a hub) or not (ground)."""
        first = min(links)
        others = [link for link in set(links) if link != first]
        if any(self.links.reverse[link] for link in others):
            return False
        carriers = {self.links.parent[link] for link in others}
        return carriers == {first} or (not self.links.reverse[first] and carriers == {self.links.parent[first]})

    def _stay(self, first: int, second: int, normal: Sequence[float]) -> bool:
        """Whether two links move against each other in the plane with this normal only."""
        while first != second:  # a link has a higher number than the one that moves it
            if not self._keeps(max(first, second), normal):
                return False
            first, second = min(first, second), self.links.parent[max(first, second)]
        return True

    def _keeps(self, link: int, normal: Sequence[float]) -> bool:
        """Whether the joint of a link moves it in the plane with this normal only.

        All twists of the joint turn about the normal and shift across it; these are closed under products of their
        exponentials, so that the joint stays in the plane at all coordinates.
        """
        if link not in self._twists:
            self._twists[link] = self._world_twists(link)
        twists = self._twists[link]
        return twists is not None and all(_is_in_plane(each, normal) for each in twists)

    def _rotation(self, link: int) -> Rotation:
        """Of the frame of a link in the world."""
        path = [link]
        while path[-1] not in self._turned:
            path.append(self.links.parent[path[-1]])
        R = self._turned[path.pop()]
        for each in reversed(path):
            R = R @ Rotation.from_matrix([self.links.X_PF[each][k : k + 3] for k in (0, 3, 6)])
            self._turned[each] = R
        return R

    def _world_twists(self, link: int) -> list[Twist] | None:
        joint = self.links.joint[link]
        twists = None if joint is None else _twists(joint)
        if not twists:
            return twists
        R = self._rotation(link).matrix
        return [(*(R @ each[:3]).tolist(), *(R @ each[3:]).tolist()) for each in twists]


@lru_cache(maxsize=1024)
def _twists(joint: Joint) -> list[Twist] | None:
    """Twists of a simple joint in the frame of its law; None if it can turn in any way or is no product of such."""
    motions = law_motions(joint)
    if motions is None or any(each.twist is None for each in motions):
        return None
    return [each.twist for each in motions if each.twist is not None]


def _is_in_plane(twist: Twist, normal: Sequence[float]) -> bool:
    wx, wy, wz, vx, vy, vz = twist
    x, y, z = normal
    aside = max(abs(wy * z - wz * y), abs(wz * x - wx * z), abs(wx * y - wy * x))
    return aside <= SAME and abs(vx * x + vy * y + vz * z) <= SAME
