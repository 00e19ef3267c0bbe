"""What the parts of the writer of MJCF share."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from xml.sax.saxutils import quoteattr

import numpy as np
from numpy.typing import NDArray

from duoti.formats.mjcf.save_geoms import placed, q
from duoti.formats.xml.names import free_name
from duoti.model.checks.findings import Findings
from duoti.model.elements import name_of
from duoti.model.mechanism.placement import place_bodies
from duoti.model.model import Model
from duoti.spatial import Pose

Array = NDArray[np.float64]


@dataclass
class Part:
    """A joint of MuJoCo: a coordinate of a joint of the model, or a free or ball joint as a whole."""

    name: str
    joint: str
    coordinate: int
    kind: str
    anchor: Array
    """In the frame of the body,"""
    axis: Array | None = None
    """and likewise."""
    attributes: dict[str, str] = field(default_factory=dict[str, str])
    """Values with their quotation marks."""

    def moved(self, X: Pose) -> Part:
        """The same joint in another body, at rest in the reference configuration."""
        axis = None if self.axis is None else X.rotation.matrix @ self.axis
        return replace(self, anchor=np.asarray(X @ self.anchor), axis=axis)

    @property
    def line(self) -> str:
        """The element."""
        extra = "".join(f" {key}={value}" for key, value in self.attributes.items())
        if self.kind == "free":
            return f"<freejoint name={quoteattr(self.name)}/>"
        axis = "" if self.axis is None else f" axis={q(np.where(np.abs(self.axis) < 1e-16, 0.0, self.axis))}"
        at = f" pos={q(self.anchor)}" if np.any(self.anchor) else ""
        return f'<joint name={quoteattr(self.name)} type="{self.kind}"{at}{axis}{extra}/>'


class Saved:
    """The model, what it becomes, and what is lost."""

    def __init__(self, model: Model):
        self.model = model
        self.placement = place_bodies(model)
        self.found = Findings()
        self.lost: list[str] = []
        self.undrawn: list[str] = []
        self.parts: dict[str, list[Part]] = {}
        """By joint of the tree, in the order in which they stand in the body."""
        self.part_of: dict[tuple[str, int], Part] = {}
        """By joint and coordinate: hinges and slides."""
        self.moving: set[str] = set()
        self.gravcomp: dict[str, float] = {}
        self.sites: dict[str, list[str]] = {}
        """Further ones by body, that stand for ends of connections."""
        self._site_names = {*model.markers}
        self.hidden = self._joint_markers()
        """Markers that only say where joints are."""

    def _joint_markers(self) -> set[str]:
        model = self.model
        ends = {name_of(r) for j in model.joints.values() for r in (j.parent_reference, j.child_reference)}
        used = {name_of(r) for f in model.forces.values() for _, r in f.markers()}
        used |= {name_of(r) for c in model.constraints.values() for r in c.markers()}
        used |= {name_of(r) for c in model.contacts.values() for side in c.sides(model) for r in side}
        used |= {name_of(s.marker) for s in model.sensors.values() if s.marker is not None}
        return (ends & model.markers.keys()) - used

    def parts_of(self, joint: str) -> list[Part]:
        """The joints of MuJoCo that a joint of the model has become, wherever they stand."""
        return [part for parts in self.parts.values() for part in parts if part.joint == joint]

    def site(self, wanted: str, body: str, X: Pose) -> str:
        """A new site on a body."""
        name = free_name(wanted, self._site_names)
        self._site_names.add(name)
        self.sites.setdefault(body, []).append(f"<site name={quoteattr(name)}{placed(X)}/>")
        return name

    def site_of(self, reference: object, wanted: str) -> str:
        """The site of a marker; of a body, one in its frame."""
        marker = self.model.marker(reference)  # pyright: ignore[reportArgumentType]
        assert marker is not None
        if self.model.markers.get(marker.name) is marker:
            return marker.name
        return self.site(wanted, self.model.body_name(reference), marker.pose)  # pyright: ignore[reportArgumentType]
