"""Rows, frames and markers of a system: the part of the compiler that makes the tree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from duoti.flexible.body import Flexible
from duoti.model.element_id import ElementId
from duoti.model.elements import GROUND, JointElement, Marker, Reference, name_of
from duoti.model.joints import Joint
from duoti.model.joints.fixed import Fixed
from duoti.model.joints.free import Free
from duoti.model.mechanism.flexible_interfaces import joint_sides
from duoti.model.mechanism.placement import Placement
from duoti.model.model import Model
from duoti.spatial import Inertia, Pose, Rotation
from duoti.system.arrays import Ints
from duoti.system.compile.flexible_bodies import FlexibleAttachment, FlexibleBodies
from duoti.system.compile.planar_motion import Planes
from duoti.system.compile.tree_bodies import TreeBodies, find_shadow_bodies, joints_with_shadows, without
from duoti.system.constraint_arrays import Closure, ClosureEquation
from duoti.system.system import FrameKey, JointLayout
from duoti.topology import Topology

NO_INDICES = np.zeros(0, np.int64)
NO_INERTIA = (0.0,) * 10
IDENTITY = Pose.identity().twelve


def _flat(spans: Sequence[range]) -> Ints:
    """Indices of spans, one after the other."""
    if len(spans) == 1:
        return np.arange(spans[0].start, spans[0].stop)
    return np.array([k for span in spans for k in span], dtype=np.int64)


class TreeBuilder:
    """Bodies, joints and markers of a model on a given tree.

    shadows: `joints_with_shadows`, if they are known. `reads_places` tells afterwards whether force elements have asked
    where frames are in the reference configuration.
    """

    def __init__(
        self, model: Model, topo: Topology, placement: Placement, fuse: bool, shadows: Sequence[str] | None = None
    ):
        self.model = model
        self.placement = placement
        self.fuse = fuse
        self.links = TreeBodies()
        self.body_index: dict[str, int] = {GROUND: 0}
        self.X_BU: dict[str, Pose] = {GROUND: Pose.identity()}  # the user's body frame in the link's frame
        self.joint_layouts: dict[str, JointLayout] = {}
        self.virtual: dict[str, JointLayout] = {}
        self.topo = topo
        self.marker_names: dict[FrameKey, int] = {}
        self.named_frames: dict[str, int] = {}  # of bodies and markers
        self.marker_body: list[int] = []
        self.X_BM: list[tuple[float, ...]] = []
        self.flexible = FlexibleBodies(model, placement, self.links)
        self.planes = Planes(self.links)
        self.reads_places = False
        cut = joints_with_shadows(model, topo) if shadows is None else shadows
        self.shadow_bodies = find_shadow_bodies(model, topo, placement, cut)
        self.halves: dict[str, list[Inertia]] = {}
        for shadow in self.shadow_bodies.values():
            self.halves.setdefault(shadow.body, []).append(shadow.inertia)
        self._add_bodies(topo, placement)
        self._add_markers(placement)

    def _add_bodies(self, topo: Topology, placement: Placement) -> None:
        for arc in topo.tree:
            if arc.virtual:
                self._add_virtual(arc.outboard, placement)
            elif self._fuses(arc.name, arc.outboard):
                self._fuse(arc.name, arc.inboard, arc.outboard, arc.reversed, placement)
            else:
                self._add_joint(self.model.joints[arc.name], arc.inboard, arc.outboard, arc.reversed, placement)
        for name, shadow in self.shadow_bodies.items():
            element = self.model.joints[name]
            inboard = element.child if shadow.reverse else element.parent
            self._add_joint(element, inboard, shadow.body, shadow.reverse, placement, half=shadow.inertia)

    def _fuses(self, joint: str, outboard: str) -> bool:
        """Whether a joint makes two bodies one link: a weld of a rigid body to what is inboard of it."""
        return self.fuse and self.model.joints[joint].kind == "fixed" and outboard not in self.flexible.bodies

    def _add_virtual(self, body: str, placement: Placement) -> None:
        """A free joint from ground to a body, at its origin and parallel to the world axes."""
        element = JointElement(f"~{body}", Free(), GROUND, body)
        X_WF = Pose(Rotation.identity(), placement.bodies[body].position)
        placement.on_parent[element.name] = X_WF
        placement.on_child[element.name] = placement.bodies[body].inverse() @ X_WF
        self._add_joint(element, GROUND, body, False, placement)
        self.virtual[body] = self.joint_layouts.pop(element.name)

    def _add_joint(
        self,
        element: JointElement,
        inboard: str,
        outboard: str,
        reverse: bool,
        placement: Placement,
        half: Inertia | None = None,
    ) -> None:
        """Rows for the parts of a joint, from the inboard to the outboard body, massless bodies in between.

        `near` and `far` are the joint's frames in the user's frames of inboard and outboard body; part i has a frame
        of its own, turned from these by R_i. `half`: inertia of the half of the outboard body that hangs on this
        joint (see `tree_bodies`); the body itself is elsewhere in the tree.
        """
        parts = element.joint.parts
        near, far = placement.on_parent[element.name], placement.on_child[element.name]
        if reverse:
            near, far = far, near
        on_inboard, on_outboard = self._interfaces(element, reverse, placement)
        link, X_RU = self._attachment(inboard, on_inboard)
        X = X_RU @ near  # frame of the joint as seen from the link that carries the next part
        rotor = element.rotor_inertias
        order = range(len(parts) - 1, -1, -1) if reverse else range(len(parts))
        q, v, last = [range(0)] * len(parts), [range(0)] * len(parts), order[-1]
        for i in order[:-1]:
            R = parts[i].frame()
            link, q[i], v[i] = self._add_part(link, parts, i, reverse, X @ R, NO_INERTIA, rotor)
            X = Pose.of(R.inverse(), (0.0, 0.0, 0.0))
        R = parts[last].frame()
        X_BU = (far @ R).inverse()  # the link of the outboard body: its frame in the user's frame is far @ R
        inertia = self._inertia(outboard, X_BU, half)
        link, q[last], v[last] = self._add_part(link, parts, last, reverse, X @ R, inertia, rotor)
        if half is None:
            self.body_index[outboard], self.X_BU[outboard] = link, X_BU
            if outboard in self.flexible.bodies:
                self.flexible.add(outboard, link, X_BU, on_outboard)
        else:
            self._marker_on(FrameKey(ElementId("joint", element.name), "closing parent"), link, X_BU @ far)
        self.joint_layouts[element.name] = JointLayout(_flat(q), _flat(v), link, -1, -1, reverse)

    def _add_part(
        self,
        link: int,
        parts: Sequence[Joint],
        i: int,
        reverse: bool,
        X: Pose,
        inertia: Sequence[float],
        rotor: Sequence[float],
    ) -> tuple[int, range, range]:
        """The link of one part of a joint; returns its number and where its coordinates and velocities are."""
        part, links = parts[i], self.links
        q, v = range(links.nq, links.nq + part.nq), range(links.nv, links.nv + part.nv)
        if len(parts) > 1:
            start = sum(p.nv for p in parts[:i])
            rotor = rotor[start : start + part.nv]
        return links.add(link, part, reverse, len(parts) > 1, X, inertia, rotor), q, v

    def flexible_body(self, name: str) -> FlexibleAttachment:
        """A flexible body and where it stands, for loads on its nodes."""
        self.reads_places = True
        return self.flexible.attachment_of(name)

    def is_own_frame(self, reference: Reference) -> bool:
        """Whether a marker or body is the very frame of the link that it moves with."""
        self.reads_places = True
        return self.X_BM[self.named_frames[name_of(reference)]] == IDENTITY

    def plane_of(self, references: Sequence[Reference], on_one: bool = False) -> int:
        """Which axis of these frames is the normal of a plane in which they are and move: 1 y, 2 z, 0 none.

        on_one: none, too, unless each moves by a single joint on what carries them all.
        """
        self.reads_places = True
        links = [self.marker_body[self.named_frames[name_of(each)]] for each in references]
        if on_one and not self.planes.on_one(links):
            return 0
        return self.planes.common(links, [self.reference_pose(each) for each in references])

    def reference_pose(self, reference: Reference) -> Pose:
        """Pose of a marker or body in the world in the reference configuration."""
        self.reads_places = True
        return self.placement.of(self.model, reference)

    def _interfaces(self, element: JointElement, reverse: bool, placement: Placement) -> list[str | None]:
        """Interfaces of flexible bodies at which a joint is, on its inboard and its outboard side."""
        if not self.flexible.bodies or element.name not in self.model.joints:
            return [None, None]
        found = [self.flexible.interface(*side) for side in joint_sides(self.model, placement, element.name)]
        return found[::-1] if reverse else found

    def _attachment(self, body: str, interface: str | None) -> tuple[int, Pose]:
        """The link that carries what is attached to a body, and the user's body frame in the link's frame."""
        link, X_RU = self.body_index[body], self.X_BU[body]
        return self.flexible.seat(body, link, X_RU, interface) if self.flexible.bodies else (link, X_RU)

    def _fuse(self, joint: str, inboard: str, outboard: str, reverse: bool, placement: Placement) -> None:
        """No link for a weld: the outboard body becomes a part of the link of the inboard one."""
        near, far = placement.on_parent[joint], placement.on_child[joint]
        if reverse:
            near, far = far, near
        link, X_RU = self._attachment(inboard, self._interfaces(self.model.joints[joint], reverse, placement)[0])
        self.X_BU[outboard] = X_RU @ near @ far.inverse()
        self.body_index[outboard] = link
        own = self._inertia(outboard, self.X_BU[outboard])
        self.links.inertia[link] = [a + b for a, b in zip(self.links.inertia[link], own, strict=True)]
        self.joint_layouts[joint] = JointLayout(NO_INDICES, NO_INDICES, -1, -1, -1, reverse, fused=True)

    def _inertia(self, body: str, X_BU: Pose, half: Inertia | None = None) -> Sequence[float]:
        """Ten numbers of a body, without the halves that hang on cut joints, or of such a half."""
        if half is not None:
            return without(half, [], X_BU)
        inertia = self.model.bodies[body].inertia
        if isinstance(inertia, Flexible):
            inertia = inertia.rigid
        assert isinstance(inertia, Inertia)
        return without(inertia, self.halves.get(body, []), X_BU)

    def _add_markers(self, placement: Placement) -> None:
        for name in self.body_index:
            self.named_frames[name] = self._marker(FrameKey(ElementId("body", name)), name, Pose.identity())
        for name, marker in self.model.markers.items():
            key = FrameKey(ElementId("marker", name))
            pose = placement.markers.get(name) or marker.pose
            self.named_frames[name] = self._marker(key, name_of(marker.body), pose, marker)
        for name, found in self.joint_layouts.items():
            on_parent, on_child = self._sides(self.model.joints[name], placement)
            self.joint_layouts[name] = found._replace(parent_marker=on_parent, child_marker=on_child)
        for name in self.topo.cut_joints:
            element, who = self.model.joints[name], ElementId("joint", name)
            if shadow := self.shadow_bodies.get(name):
                far = (placement.on_parent if shadow.reverse else placement.on_child)[name]
                self._marker(FrameKey(who, "closing child"), shadow.body, far)
                continue
            on_parent, on_child = self._sides(element, placement)
            self.joint_layouts[name] = JointLayout(NO_INDICES, NO_INDICES, -1, on_parent, on_child, False)
            R = Pose(element.joint.frame())
            sides = zip(("closing parent", "closing child"), joint_sides(self.model, placement, name), strict=True)
            for side, (body, X, marker) in sides:
                self._marker(FrameKey(who, side), body, X @ R, marker)

    def _sides(self, element: JointElement, placement: Placement) -> tuple[int, int]:
        """Frames of a joint on the user's parent and child."""
        who, name = ElementId("joint", element.name), element.name
        if not self.flexible.bodies:
            X_PF, X_BM = placement.on_parent[name], placement.on_child[name]
            on_parent = self._rigid(FrameKey(who, "parent"), element.parent, X_PF)
            return on_parent, self._rigid(FrameKey(who, "child"), element.child, X_BM)
        parent, child = joint_sides(self.model, placement, name)
        on_parent = self._marker(FrameKey(who, "parent"), *parent)
        return on_parent, self._marker(FrameKey(who, "child"), *child)

    def _marker(self, key: FrameKey, body: str, X_UM: Pose, marker: Marker | None = None) -> int:
        """A frame on a body; `marker` is the one that it belongs to, if it was named."""
        if not self.flexible.bodies:
            return self._rigid(key, body, X_UM)
        link, X_RU = self._attachment(body, self.flexible.interface(body, X_UM, marker))
        return self._marker_on(key, link, X_RU @ X_UM)

    def _rigid(self, key: FrameKey, body: str, X_UM: Pose) -> int:
        """A frame on a body of a model without flexible bodies."""
        return self._marker_on(key, self.body_index[body], self.X_BU[body] @ X_UM)

    def _marker_on(self, key: FrameKey, link: int, X_BM: Pose) -> int:
        self.marker_names[key] = number = len(self.marker_body)
        self.marker_body.append(link)
        self.X_BM.append(X_BM.twelve)
        return number

    def constraint_ends(self, name: str) -> tuple[int, int]:
        """The frames in which the equations of a constraint are written."""
        constraint, who = self.model.constraints[name], ElementId("constraint", name)
        (a, b), (R_a, R_b) = constraint.markers(), constraint.frames()
        return self._marker(FrameKey(who, "a"), *self._turned(a, R_a)), self._marker(
            FrameKey(who, "b"), *self._turned(b, R_b)
        )

    def _turned(self, reference: Reference, frame: Rotation) -> tuple[str, Pose, Marker]:
        marker = self.model.marker(reference)
        assert marker is not None
        return name_of(marker.body), marker.pose @ Pose(frame), marker

    def cut_joints(self) -> list[Closure]:
        """Equations of the cut joints, and of the shadow welds of those that keep their coordinates."""
        found: list[Closure] = []
        for name in self.topo.cut_joints:
            joint = Fixed() if name in self.shadow_bodies else self.model.joints[name].joint
            who = ElementId("joint", name)
            ends = tuple(self.marker_names[FrameKey(who, side)] for side in ("closing parent", "closing child"))
            advance = joint.parameters()[0] if joint.kind == "screw" else 0.0
            equations = [ClosureEquation(each.kind, each.i, each.j) for each in joint.closure]
            found.append(Closure(who, (ends[0], ends[1]), equations, advance))
        return found
