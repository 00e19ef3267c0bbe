"""The tree of bodies of an MJCF file.

A body becomes a body with the same frame; several joints of one body become a chain with massless bodies in between,
so that each joint keeps its name. Joints lie at markers on the body that carries them. A body without joints and mass
becomes a marker. Coordinates count from the configuration in the file: q = qpos - ref.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from duoti.formats.mjcf import schema
from duoti.formats.mjcf.contacts import TouchingGeom, touching_geom
from duoti.formats.mjcf.document import Document, Item, triple
from duoti.formats.mjcf.geoms import LAST_VISIBLE_GROUP, Geoms
from duoti.formats.mjcf.joints import JointData, joint_forces, read_joint, spring_dampers
from duoti.formats.xml.inertias import checked_inertia
from duoti.formats.xml.names import free_name, marker_name, parameter_name
from duoti.formats.xml.reading import Array
from duoti.formats.xml.xml_tree import Element
from duoti.model.elements import GROUND, Body, Reference
from duoti.model.forces.applied import AppliedForce
from duoti.model.joints.fixed import Fixed
from duoti.model.model import Model
from duoti.spatial import Inertia, Pose, Shape, combined


@dataclass
class BodyFrame:
    """Where a body of the file is: carried by which body of the model, its frame there, and in the world."""

    body: Body
    X_BM: Pose
    X_WM: Pose
    name: str = "world"
    parent: BodyFrame | None = None
    moves: bool = True
    """Relative to its parent."""

    @property
    def root(self) -> BodyFrame:
        """The body that this one is welded to: itself, if it has joints."""
        return self if self.moves or self.parent is None else self.parent.root


@dataclass
class Weight:
    """The part of a body's weight that a force carries; `marker` is its centre of mass, `force` in the world [N]."""

    name: str
    body_frame: BodyFrame
    part: float
    marker: str = ""
    force: Array = field(default_factory=lambda: np.zeros(3))


@dataclass
class Content:
    """What a body holds, sorted."""

    joints: list[Item] = field(default_factory=list)
    geoms: list[Item] = field(default_factory=list)
    sites: list[Item] = field(default_factory=list)
    bodies: list[Item] = field(default_factory=list)
    inertials: list[Item] = field(default_factory=list)


class Builder:
    """Builds the model; remembers places, joints and sites by their names in the file."""

    def __init__(self, document: Document, model: Model):
        self.document, self.reading, self.model = document, document.reading, model
        self.geoms = Geoms(document)
        self.body_frames: dict[str, BodyFrame] = {"world": BodyFrame(model.ground, Pose(), Pose())}
        self.sites: dict[str, str] = {}
        self.joints: dict[str, JointData] = {}
        self.order: list[JointData] = []
        self.touching: list[TouchingGeom] = []
        self.controls: dict[str, str] = {}
        """Expression of the control, or of the state behind it, of each actuator."""
        self.felt: dict[str, float] = {}
        """Inertia that a force in each joint feels, once somebody asks (`configuration.felt_inertia`)."""
        self.parameters: list[str] = []
        """Parameters of the controls, in the order of the actuators."""
        self.weights: list[Weight] = []
        """Weights that the file carries (gravcomp)."""
        self.soft = False
        """Whether limits give way."""
        self.carried: dict[str, list[tuple[str, tuple[float, float, float]]]] | None = None
        """Those beyond each joint, once somebody asks (`actuators`)."""
        self.names = self._all_names()

    def _all_names(self) -> set[str]:
        """Names of all bodies in the file, so that markers do not take them."""
        found: set[str] = set()
        stack = list(self.document.sections["worldbody"])
        while stack:
            element = stack.pop()
            if element.tag == "body":
                found.add(element.get("name"))
            stack += element.children
        return found

    def build(self) -> None:
        """All of `worldbody`."""
        for section in self.document.sections["worldbody"]:
            content = self._content(Item(section, Pose(), "", ""))
            for item in [*content.joints, *content.inertials]:
                self.reading.error(item.element, "the world cannot have it")
            self._shapes(content, self.body_frames["world"])
            self._sites(content, self.body_frames["world"])
            for item in content.bodies:
                self._body(item, self.body_frames["world"])
        self._after()

    # -------------------------------------------------------------------------------------------------- one body

    def _content(self, item: Item) -> Content:
        content = Content()
        lists = {"joint": content.joints, "freejoint": content.joints, "geom": content.geoms, "site": content.sites,
                 "body": content.bodies, "inertial": content.inertials}  # fmt: skip
        for each in self.document.items(item.element, Pose(), item.childclass, item.suffix):
            tag = each.element.tag
            if tag in lists:
                lists[tag].append(each)
            elif tag in ("camera", "light"):
                self.reading.note(each.element, "not needed; left out", drawn=True)
            elif tag in schema.BODY_CHILDREN:
                self.reading.note(each.element, "not supported; left out with all it holds")
            else:
                self.reading.note(each.element, "unknown here; left out with all it holds", unknown=True)
        return content

    def _body(self, item: Item, parent: BodyFrame) -> None:
        document, model, element = self.document, self.model, item.element
        document.check(element, "body")
        childclass = element.get("childclass") or item.childclass
        if element.get("childclass"):
            childclass = document.defaults.class_of(Element("body", {"class": childclass}, element.file, element.line))
        content = self._content(Item(element, Pose(), childclass, item.suffix))
        given = element.get("name")
        name = (
            f"{given}{item.suffix}"
            if given
            else free_name(f"body_{len(self.body_frames)}", self.body_frames, self.names)
        )
        if name in self.body_frames:
            self.reading.error(element, f'a second body "{name[:80]}"')
            return
        self.document.copies.add("body", given, item.suffix)
        X_PM = item.X @ document.pose(element)
        X_WM = parent.X_WM @ X_PM
        inertia = self._inertia(content, element)
        if not content.joints and inertia is None:
            body_frame = BodyFrame(parent.body, parent.X_BM @ X_PM, X_WM)
            if name != GROUND:
                model.add_marker(name, body_frame.body, body_frame.X_BM.position, body_frame.X_BM.rotation)
        else:
            body_frame = self._moving(element, name, content, inertia, parent, X_PM, X_WM)
        body_frame.name, body_frame.parent, body_frame.moves = name, parent, bool(content.joints)
        self.body_frames[name] = body_frame
        self._shapes(content, body_frame)
        self._sites(content, body_frame)
        if inertia is not None and (part := self.reading.number(element, "gravcomp")):
            self.weights.append(Weight(name, body_frame, part))
        if element.get("mocap") == "true":
            text = "a mocap body, which a program moves in MuJoCo; here it stays where the file has it"
            self.reading.note(element, text, changes_motion=False)
        for child in content.bodies:
            self._body(child, body_frame)

    def _moving(
        self,
        element: Element,
        name: str,
        content: Content,
        inertia: Inertia | None,
        parent: BodyFrame,
        X_PM: Pose,
        X_WM: Pose,
    ) -> BodyFrame:
        """A body of its own, with its joints."""
        model = self.model
        own = name
        if own == GROUND:
            own = free_name("ground_body", self.names)
            self.reading.note(element, f'the name "{GROUND}" is kept for the world; here "{own}"', False)
        mass = inertia or Inertia.point(0.0)
        X, carrier = parent.X_BM @ X_PM, parent.body
        if not content.joints:
            frame = model.add_marker(marker_name(model, f"{own}_frame", self.names), carrier, X.position, X.rotation)
            body = model.add_body(own, mass)
            model.add_joint(free_name(f"{own}_fixed", model.joints), Fixed(), frame, body)
            return BodyFrame(body, Pose(), X_WM)
        free = [item for item in content.joints if read_joint(self, item, own, peek=True) == "free"]
        if free:
            if len(content.joints) > 1 or carrier is not model.ground:
                self.reading.error(free[0].element, "a free joint must be the only joint of a body of the world")
            data = read_joint(self, free[0], own)
            body = model.add_body(own, mass, X_WM.position, X_WM.rotation)
            data.X_WM = X_WM
            self._join(data, model.ground, body)
            return BodyFrame(body, Pose(), X_WM)
        for k, item in enumerate(content.joints):
            data = read_joint(self, item, own)
            last = k == len(content.joints) - 1
            at = X.position + X.rotation @ data.anchor
            frame = model.add_marker(marker_name(model, f"{data.name}_frame", self.names), carrier, at, X.rotation)
            between = free_name(f"{own}_after_{data.name}", model.bodies, self.names)
            body = model.add_body(own, mass) if last else model.add_body(between, Inertia.point(0.0))
            end = body
            if np.any(data.anchor):
                end = model.add_marker(marker_name(model, f"{data.name}_anchor", self.names), body, triple(data.anchor))
            self._join(data, frame, end)
            carrier, X = body, Pose()
        return BodyFrame(carrier, Pose(), X_WM)

    def _join(self, data: JointData, parent: Reference, child: Reference) -> None:
        self.model.add_joint(
            data.name, data.joint, parent, child, limits=data.limits, rotor_inertia=data.armature or None  # pyright: ignore[reportArgumentType]
        )  # fmt: skip
        self.joints[data.name] = data
        self.order.append(data)
        joint_forces(self, data, parent, child)

    # ------------------------------------------------------------------------------------------------------ contents

    def _inertia(self, content: Content, element: Element) -> Inertia | None:
        """By `inertial` or by geoms, as the compiler's settings say; None if there is no mass."""
        s = self.document.settings_of(element)
        by_geoms = s.from_geoms == "true" or (s.from_geoms == "auto" and not content.inertials)
        found: Inertia | None = None
        if len(content.inertials) > 1:
            self.reading.error(content.inertials[1].element, "a body has one inertial")
        if by_geoms:
            found = self._inertia_of_geoms(content, s.group_range)
        if found is None and content.inertials:
            found = self._inertial(content.inertials[0], element)
        if (s.least_mass or s.least_inertia) and (found is None or s.least_mass > found.mass or s.least_inertia):
            # MuJoCo puts the mass of a body that has neither geoms nor inertial at its `pos`, although that is a place
            # in its parent's frame
            base = found or Inertia.point(0.0, com=self.reading.numbers(element, "pos"))
            moments, axes = base.principal()
            matrix = axes.matrix @ np.diag(np.maximum(moments, s.least_inertia)) @ axes.matrix.T
            found = Inertia.as_given(max(base.mass, s.least_mass), base.com, matrix)
        return found if found is not None and (found.mass > 0.0 or np.any(found.matrix)) else None

    def _inertia_of_geoms(self, content: Content, groups: tuple[float, float]) -> Inertia | None:
        low, high = groups
        parts: list[Inertia] = []
        for item in content.geoms:
            geom = self.document.defaults.effective(item.element, item.childclass)
            if low <= self.reading.number(geom, "group") <= high:
                part = self.geoms.inertia(geom)
                if part is not None:
                    parts.append(part.moved(item.X))
        return combined(parts) if parts else None

    def _inertial(self, item: Item, body: Element) -> Inertia:
        element, reading = item.element, self.reading
        self.document.check(element, "inertial", ())
        for name in ("mass", "pos"):
            reading.required(element, name)
        X, mass = item.X @ self.document.pose(element), reading.positive(element, "mass")
        xx, yy, zz, xy, xz, yz = reading.numbers(element, "fullinertia", 6, [0.0] * 6).tolist()
        if "fullinertia" in element.attributes:
            matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        else:
            matrix = np.diag(reading.numbers(element, "diaginertia"))
        moments, axes = np.linalg.eigh(matrix)
        if self.document.settings_of(element).balance and moments[0] + moments[1] < moments[2]:
            matrix = axes @ np.diag([moments.mean()] * 3) @ axes.T
        return checked_inertia(reading, element, body.label, mass, np.zeros(3), matrix).moved(X)

    def _shapes(self, content: Content, body_frame: BodyFrame) -> None:
        shown: list[tuple[bool, Shape]] = []
        for item in content.geoms:
            geom = self.document.defaults.effective(item.element, item.childclass)
            self.document.check(geom, "geom", ("plugin",))
            self.touching.append(touching_geom(self, geom, body_frame, item.X, item.suffix))
            for attribute in ("fluidshape", "fluidcoef"):
                if attribute in geom.attributes:
                    self.reading.note(geom, f"{attribute} is left out")
            shape = self.geoms.shape(geom)
            if shape is not None:
                visible = self.reading.number(geom, "group") <= LAST_VISIBLE_GROUP
                shown.append((visible, shape.moved(body_frame.X_BM @ item.X)))
        some = any(visible for visible, _ in shown)
        body_frame.body.shapes += [shape for visible, shape in shown if visible or not some]

    def _sites(self, content: Content, body_frame: BodyFrame) -> None:
        for item in content.sites:
            site = self.document.defaults.effective(item.element, item.childclass)
            self.document.check(site, "site", ())
            X = body_frame.X_BM @ item.X @ self._site_pose(site)
            given = f"{site.get('name')}{item.suffix}" if site.get("name") else ""
            wanted = given or f"site_{len(self.sites)}"
            if given in self.names or given in self.body_frames:
                wanted = f"{given}_site"
            name = marker_name(self.model, wanted, self.names)
            if given and given in self.sites:
                self.reading.error(site, f'a second site "{given[:80]}"')
            elif given and given != name:
                self.reading.note(
                    site, f'the name is that of a body or marker too; here "{name}"', changes_motion=False
                )
            self.document.copies.add("site", site.get("name"), item.suffix)
            self.sites[given or name] = name
            self.model.add_marker(name, body_frame.body, X.position, X.rotation)

    def _site_pose(self, site: Element) -> Pose:
        if "fromto" in site.attributes:
            sized = replace(site, attributes={**site.attributes, "size": "1"})
            return self.geoms.pose_and_size(sized, "capsule")[0]
        return self.document.pose(site)

    def _carry_weight(self, weight: Weight) -> None:
        """A force against gravity, in the centre of mass."""
        model, body = self.model, weight.body_frame.body
        assert body.inertia is not None
        weight.force = -weight.part * body.inertia.mass * np.array(self.document.settings.gravity)
        weight.marker = parameter_name(model, f"{weight.name}_mass_centre")
        marker = model.add_marker(weight.marker, body, triple(body.inertia.com))
        label = free_name(f"{weight.name}_weight_carried", model.forces)
        model.add_force(label, AppliedForce(marker, triple(weight.force)))

    def _after(self) -> None:
        """What concerns all bodies together."""
        total = self.document.settings.total_mass
        if total > 0.0 and self.model.mass > 0.0:
            factor = total / self.model.mass
            for body in self.model.bodies.values():
                if body.inertia is not None:
                    I = body.inertia
                    body.inertia = Inertia.as_given(factor * I.mass, I.com, factor * I.matrix)
        for weight in self.weights:
            self._carry_weight(weight)
        for data in self.order:
            spring_dampers(self, data)
        limited = [data for data in self.order if data.limits is not None]
        if limited:
            kind = "springs with dampers, linear ones" if self.soft else "rigid stops without restitution"
            text = f"limits of {len(limited)} joints, this one first, are {kind}"
            self.reading.note(limited[0].element, f"{text}; MuJoCo's are soft (solreflimit, margin)", False)
