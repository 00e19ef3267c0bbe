"""Flexible bodies in the tree: modal coordinates on the body's link, and a massless link for each interface."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from duoti.flexible.body import Flexible
from duoti.flexible.reduction.reduced import Reduced
from duoti.model.elements import Marker
from duoti.model.mechanism.flexible_interfaces import flexible_bodies, interface_at, used_interfaces
from duoti.model.mechanism.placement import Placement
from duoti.model.model import Model
from duoti.spatial import Pose, Rotation
from duoti.system.arrays import Ints
from duoti.system.compile.tree_bodies import TreeBodies
from duoti.system.flexible_arrays import FLEXIBLE_LAW, INTERFACE_LAW, Flex, FlexBody, build_flex


@dataclass(frozen=True)
class FlexibleLayout:
    """Where a flexible body is in the compiled form."""

    q: Ints
    """Indices of its modal coordinates ..."""
    v: Ints
    """... and of their rates."""
    row: int
    reduced: Reduced
    """The body with its modes counted from the frame that its link has: the interface `root`, if it is one."""
    root: str | None
    interfaces: dict[str, int]
    """Row of each interface that something is attached to."""


class FlexibleAttachment(NamedTuple):
    """What loads on its nodes ask about a flexible body."""

    body: Flexible
    root: str | None
    """The interface that its modes are counted from."""
    X_UB: Pose
    """The link's frame in the body's."""
    row: int
    q: int
    """Where its modal coordinates begin in q ..."""
    v: int
    """... and their rates in v."""


class FlexibleBodies:
    """The flexible bodies of a model, while its tree is built."""

    def __init__(self, model: Model, placement: Placement, links: TreeBodies):
        self.model, self.placement, self.links = model, placement, links
        self.bodies = flexible_bodies(model)
        self.layouts: dict[str, FlexibleLayout] = {}
        self.made: list[FlexBody] = []
        self._frames: dict[
            int, Pose
        ] = {}  # of the links of interfaces, X_IB: the body's link frame in that of the link

    def interface(self, body: str, X_UM: Pose, marker: Marker | None = None) -> str | None:
        """The interface of a body at which a frame is; None elsewhere, and on rigid bodies."""
        return interface_at(self.bodies[body], X_UM, marker) if body in self.bodies else None

    def seat(self, body: str, link: int, X_BU: Pose, interface: str | None) -> tuple[int, Pose]:
        """The link that carries what is at an interface, and the user's body frame in that link's frame."""
        if interface is None or interface == self.layouts[body].root:
            return link, X_BU
        at = self.layouts[body].interfaces[interface]
        return at, self._frames[at] @ X_BU

    def add(self, body: str, link: int, X_BU: Pose, root: str | None) -> None:
        """Modal coordinates and interfaces of a body on the link that was just added; root: where its joint is."""
        flexible: Flexible = self.bodies[body]
        links, reduced = self.links, flexible.reduced.clamped_at(root)
        iq, iv = links.nq, links.nv
        links.add_modes(link, reduced.n)
        X_UB, interfaces = X_BU.inverse(), dict[str, int]()
        for name in used_interfaces(self.model, self.placement, body):
            if name != root:
                at = X_BU @ reduced.interfaces[name].position
                interfaces[name] = links.add_interface(link, iv, reduced.n)
                self._frames[interfaces[name]] = Pose(Rotation.identity(), -np.asarray(at))
        span = np.arange(reduced.n)
        self.layouts[body] = FlexibleLayout(iq + span, iv + span, link, reduced, root, interfaces)
        self.made.append(FlexBody(link, iq, iv, reduced, X_UB, flexible.stiffening, interfaces))

    def attachment_of(self, body: str) -> FlexibleAttachment:
        """Where a body stands."""
        layout = self.layouts[body]
        made = next(each for each in self.made if each.row == layout.row)
        return FlexibleAttachment(self.bodies[body], layout.root, made.X_UB, made.row, made.iq, made.iv)

    def laws(self) -> tuple[int, Ints]:
        """`flexible` and `body_law` of the tree."""
        law = np.zeros(len(self.links.parent), np.int64)
        for layout in self.layouts.values():
            law[layout.row] = FLEXIBLE_LAW
            law[list(layout.interfaces.values())] = INTERFACE_LAW
        return len(self.layouts), law

    def flex(self) -> Flex | None:
        """The tables that the law of the bodies reads; None if there are no flexible bodies."""
        return build_flex(self.made, len(self.links.parent)) if self.made else None
