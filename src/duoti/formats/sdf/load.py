"""Models and worlds from SDFormat files (versions 1.4 to 1.12).

A link becomes a body whose frame is the link's, at its place in the world; a joint lies at markers on its parent and
its child, which have the place and the axes of the joint's frame. Joints may close loops. What no joint holds is free.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from duoti.formats.sdf.frames import WORLD, Scope, is_true, text_number, text_numbers, text_of
from duoti.formats.sdf.includes import read_root
from duoti.formats.sdf.shapes import Collision, link_inertia, link_shapes
from duoti.formats.xml.names import free_name, marker_name
from duoti.formats.xml.reading import NUMBER, Reading
from duoti.formats.xml.xml_tree import Element
from duoti.model.constraints.coupler import Coupler
from duoti.model.contacts.base import ContactLaw
from duoti.model.contacts.rigid_contact import RigidContact
from duoti.model.elements import GROUND, Body
from duoti.model.forces.applied import AppliedForce
from duoti.model.forces.joint_damping import JointDamping
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.forces.joint_spring import JointSpring
from duoti.model.joints import Joint
from duoti.model.joints.composite import Composite
from duoti.model.joints.fixed import Fixed
from duoti.model.joints.free import Free
from duoti.model.joints.prismatic import Prismatic
from duoti.model.joints.revolute import Revolute
from duoti.model.joints.screw import Screw
from duoti.model.joints.spherical import Spherical
from duoti.model.joints.universal import Universal
from duoti.model.model import Model
from duoti.spatial import Pose, Rotation
from duoti.spatial.axes import axis_vector
from duoti.strict import explained

JOINTS = ("revolute", "continuous", "prismatic", "fixed", "ball", "universal", "screw", "revolute2", "gearbox")
AXES = {"revolute": 1, "continuous": 1, "prismatic": 1, "screw": 1, "universal": 2, "revolute2": 2}
GRAVITY = (0.0, 0.0, -9.8)
"""Of a world that says nothing, and of a model that stands alone."""
BOUNDLESS = 1e15  # files of older versions say 1e16
SAME = 1e-13  # of poses (entries of the matrix, metres) that are the same but for round-off
LEFT_OUT = {
    "plugin": "plugins are left out", "gripper": "grippers are left out", "sensor": "sensors are left out",
    "light": "lights are left out", "projector": "projectors are left out", "battery": "batteries are left out",
    "particle_emitter": "emitters are left out", "audio_source": "sounds are left out",
    "audio_sink": "sounds are left out", "actor": "actors, which follow scripts, are left out",
    "road": "roads are left out", "population": "populations are left out", "state": "states are left out",
    "velocity_decay": "the decay of velocities is left out",
}  # fmt: skip
OF_MODELS = ("pose", "link", "joint", "frame", "model", "include", "static", "self_collide", "allow_auto_disable",
             "enable_wind", *LEFT_OUT)  # fmt: skip
OF_WORLDS = (*OF_MODELS, "gravity", "physics", "scene", "gui", "atmosphere", "magnetic_field", "wind", "audio",
             "spherical_coordinates")  # fmt: skip
OF_LINKS = ("pose", "inertial", "visual", "collision", "gravity", "self_collide", "kinematic", "must_be_base_link",
            "enable_wind", *LEFT_OUT)  # fmt: skip
OF_JOINTS = ("pose", "parent", "child", "axis", "axis2", "physics", "gearbox_ratio", "gearbox_reference_body",
             "thread_pitch", "screw_thread_pitch", *LEFT_OUT)  # fmt: skip
MOTION = ("plugin", "actor", "velocity_decay")
"""What may move things when it is there."""


@explained
def load_sdf(
    path: str | Path,
    *,
    package_paths: Iterable[str | Path] = (),
    strict: bool = False,
    allow_outside: bool = False,
    parameters: Mapping[str, float | str] | None = None,
    contacts: ContactLaw | bool | None = None,
) -> Model:
    """The model in an SDFormat file (.sdf, .world): a model, or a world with all its models.

    Links have the names of the file, those of nested models with the names of the models around them, "arm::link". All
    that is left out is in `model.import_notes`. Faults raise `ModelError` with all of them.

    Parameters
    ----------
    package_paths:
        Folders of models, or folders that hold them, for `model://name/...` and `package://name/...`.
    strict:
        What is left out although it may change the motion is an error instead of a warning.
    parameters:
        Values for numbers of the model, by name.
    contacts:
        `True`: links touch by the rules of SDFormat, with rigid contacts of the friction (the smaller `mu` of a pair)
        and restitution in the file. A law: the same pairs with this law. Left out, nothing touches, with a note.
    """
    if not isinstance(contacts, ContactLaw | bool | None):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"contacts={contacts!r}: give True or a law of contact such as dt.RigidContact(friction=0.5)")
    reading = Reading(path, package_paths, allow_outside)
    root = read_root(reading)
    reading.raise_faults()
    assert root is not None
    loading = _Loading(reading, root, contacts not in (None, False))
    model = loading.build()
    reading.raise_faults()
    if contacts not in (None, False):
        loading.add_contacts(contacts if isinstance(contacts, ContactLaw) else None)
    reading.set_parameters(model, parameters)
    return reading.finish(model, strict)


class _Loading:
    """The links and joints of a file, and how they become a model."""

    def __init__(self, reading: Reading, root: Scope, touching: bool):
        self.reading, self.root, self.touching = reading, root, touching
        gravity = GRAVITY
        if root.is_world and (given := root.element.find("gravity")) is not None:
            gravity = tuple(text_numbers(reading, given, 3, GRAVITY).tolist())
        self.model = Model(root.element.get("name") or reading.path.stem, gravity=gravity)
        self.bodies: dict[tuple[int, str], Body] = {}
        self.poses: dict[tuple[int, str], Pose] = {}
        self.collisions: dict[str, list[Collision]] = {}
        self.touches_itself: dict[str, bool] = {}
        self.top: dict[str, str] = {}
        """Body -> the outermost model that it belongs to."""
        self.static: set[str] = set()
        self.joint_names: dict[tuple[int, str], str] = {}

    def build(self) -> Model:
        """Bodies, joints, forces."""
        scopes = self.root.scopes()
        for scope in scopes:
            self._look(scope)
            for name, (kind, element) in scope.items.items():
                if kind == "link":
                    self._link(scope, name, element)
        joints = [(s, n, e) for s in scopes for n, (kind, e) in s.items.items() if kind == "joint"]
        held: list[tuple[str, str]] = []
        for scope, name, element in joints:
            if element.get("type") != "gearbox":
                held += self._joint(scope, name, element)
        self._let_go(held)
        for scope, name, element in joints:
            if element.get("type") == "gearbox":
                self._gearbox(scope, name, element)
            self._mimic(scope, name, element)
        for scope in scopes:
            for name, (kind, element) in scope.items.items():
                if kind == "frame":
                    self._frame(scope, name, element)
        if not self.bodies:
            self.reading.error(self.root.element, "there is no link in it")
        return self.model

    def _look(self, scope: Scope) -> None:
        """Name what is not read."""
        attributes = ("name", "canonical_link", "placement_frame", "namespace")
        self.reading.unknown(scope.element, attributes, OF_WORLDS if scope.is_world else OF_MODELS)
        self._leave_out(scope.element)

    def _leave_out(self, element: Element) -> None:
        for child in element:
            if child.tag in LEFT_OUT:
                self.reading.note(child, LEFT_OUT[child.tag], changes_motion=child.tag in MOTION)

    # ------------------------------------------------------------------------------------------------------- links

    def _link(self, scope: Scope, name: str, element: Element) -> None:
        reading, model = self.reading, self.model
        reading.unknown(element, ("name",), OF_LINKS)
        self._leave_out(element)
        X = scope.in_world() @ scope.pose(name)
        full = scope.full(name)
        if full == GROUND or full in model.bodies:
            full = free_name(f"{full}_link", model.bodies)
            reading.note(element, f'the name is taken; here "{full}"', changes_motion=False)
        inertia = link_inertia(reading, element)
        shapes = link_shapes(reading, element, self.touching)
        touching = [each.shape for each in shapes.collisions]
        if shapes.collisions and not self.touching:
            text = f"{len(touching)} collision{'s' * (len(touching) > 1)}; load(..., contacts=True) lets links touch"
            reading.note(element, text, changes_motion=False)
        drawn = touching if self.touching else shapes.visuals or touching
        body = model.add_body(full, inertia, position=X.position, rotation=X.rotation, shapes=drawn)
        self.bodies[id(scope), name], self.poses[id(scope), name] = body, X
        self.collisions[full] = shapes.collisions
        outer = scope
        while outer.parent is not None and not outer.parent.is_world:
            outer = outer.parent
        self.top[full] = outer.name or outer.element.get("name")
        own = text_of(element, "self_collide") or text_of(scope.element, "self_collide")
        self.touches_itself[full] = is_true(own)
        if scope.static:
            self.static.add(full)
            model.add_joint(free_name(f"{full}_static", model.joints), Fixed(), model.ground, body)
        elif is_true(text_of(element, "kinematic")):
            reading.note(element, "a kinematic link, which a program moves; here forces move it")
        if not is_true(text_of(element, "gravity", "true")) and not scope.static:
            place = body
            if np.any(inertia.com):
                at = marker_name(model, f"{full}_centre", self._taken())
                place = model.add_marker(at, body, inertia.com)
            lift = tuple((-inertia.mass * np.asarray(model.gravity, dtype=float)).tolist())
            model.add_force(free_name(f"{full}_weightless", model.forces), AppliedForce(place, lift))

    def _taken(self) -> set[str]:
        return {scope.full(name) for scope in self.root.scopes() for name in scope.items}

    def _frame(self, scope: Scope, name: str, element: Element) -> None:
        """A frame becomes a marker."""
        self.reading.unknown(element, ("name", "attached_to"), ("pose",))
        owner = scope.body(name)
        X = scope.in_world() @ scope.pose(name)
        body: Body = self.model.ground
        if owner is not None:
            key = (id(owner[0]), owner[1])
            if key not in self.bodies:
                return
            body, X = self.bodies[key], _snapped(self.poses[key].inverse() @ X)
        label = marker_name(self.model, scope.full(name))
        self.model.add_marker(label, body, X.position, X.rotation)

    def _let_go(self, held: list[tuple[str, str]]) -> None:
        """Free joints for all groups of bodies that nothing holds to ground."""
        near: dict[str, set[str]] = {name: set() for name in (*self.model.bodies, GROUND)}
        for a, b in held:
            near[a].add(b)
            near[b].add(a)
        for name in self.static:
            near[name].add(GROUND)
            near[GROUND].add(name)
        carried = {child for _, child in held}
        reached = _reached(GROUND, near)
        for first in (False, True):  # roots of trees, then rings that have none
            for name in self.model.bodies:
                if name not in reached and (first or name not in carried):
                    joint = free_name(f"{name}_free", self.model.joints)
                    self.model.add_joint(joint, Free(), self.model.ground, self.model.bodies[name])
                    reached |= _reached(name, near)

    # ------------------------------------------------------------------------------------------------------- joints

    def _joint(self, scope: Scope, name: str, element: Element) -> list[tuple[str, str]]:
        """Add a joint; returns the bodies that it holds together."""
        reading, model = self.reading, self.model
        reading.unknown(element, ("name", "type"), OF_JOINTS)
        self._leave_out(element)
        kind = reading.choice(element, "type", JOINTS, "fixed")
        sides: list[tuple[Body, Pose]] = []
        for tag in ("parent", "child"):
            end = text_of(element, tag)
            if not end:
                reading.error(element, f"it has no {tag}", f"write <{tag}>LINK</{tag}>")
                return []
            owner = scope.body(end)
            if owner is None:
                if end != WORLD and scope.owner(end) is None:
                    return []
                sides.append((model.ground, Pose()))
                continue
            key = (id(owner[0]), owner[1])
            if key not in self.bodies:
                reading.missing(element, "link", owner[1], scope.known_names())
                return []
            sides.append((self.bodies[key], self.poses[key]))
        (parent, X_WP), (child, X_WC) = sides
        if parent is child:
            reading.error(element, f"parent and child are both {parent.name}")
            return []
        label = free_name(scope.full(name), model.joints)
        if {parent.name, child.name} <= {GROUND, *self.static}:
            reading.note(element, "both its links stand still (static); left out", changes_motion=False)
            return []
        X_WJ = scope.in_world() @ scope.pose(name)
        joint = self._kind(scope, name, element, kind)
        axes = [axis for tag in ("axis", "axis2")[: AXES.get(kind, 0)] if (axis := element.find(tag)) is not None]
        limits, effort, velocity = self._limits(axes, kind)
        place = self._place(f"{label}_frame", parent, X_WP.inverse() @ X_WJ)
        on_child = self._place(f"{label}_child_frame", child, X_WC.inverse() @ X_WJ)
        model.add_joint(label, joint, place, on_child, limits=limits, effort_limit=effort, velocity_limit=velocity)
        self.joint_names[id(scope), name] = label
        self._dynamics(label, joint, axes)
        return [(parent.name, child.name)]

    def _place(self, name: str, body: Body, X: Pose) -> Any:
        X = _snapped(X)
        if Pose() == X and body.name != GROUND:
            return body
        label = marker_name(self.model, name, self._taken())
        return self.model.add_marker(label, body, X.position, X.rotation)

    def _kind(self, scope: Scope, name: str, element: Element, kind: str) -> Joint:
        if kind in ("fixed", "ball"):
            return Fixed() if kind == "fixed" else Spherical()
        a = self._axis(scope, name, element, "axis")
        if kind == "prismatic":
            return Prismatic(a)
        if kind == "screw":
            return Screw(a, self._lead(element))
        if kind in ("universal", "revolute2"):
            b = self._axis(scope, name, element, "axis2")
            u, v = (np.asarray(Rotation.between("z", each).matrix)[:, 2] for each in (a, b))
            if kind == "universal" and abs(float(u @ v)) < 1e-12:
                return Universal(a, b)
            return Composite(Revolute(a), Revolute(b))
        return Revolute(a)

    def _axis(self, scope: Scope, name: str, element: Element, tag: str) -> Any:
        axis = element.find(tag)
        if axis is None:
            self.reading.error(element, f"it has no {tag}", f"write <{tag}><xyz>0 0 1</xyz></{tag}>")
            return "z"
        known = ("xyz", "limit", "dynamics", "use_parent_model_frame", "mimic", "initial_position")
        self.reading.unknown(axis, (), known)
        x, y, z = scope.axis(name, axis).tolist()
        return {(1.0, 0.0, 0.0): "x", (0.0, 1.0, 0.0): "y", (0.0, 0.0, 1.0): "z"}.get((x, y, z), (x, y, z))

    def _lead(self, element: Element) -> float:
        """Advance per turn [m] of a right-handed thread."""
        if element.find("screw_thread_pitch") is None and element.find("thread_pitch") is not None:
            pitch = text_number(self.reading, element, "thread_pitch", 1.0)  # radians per metre of a left-handed one
            return -2.0 * math.pi / pitch if pitch else 0.0
        return text_number(self.reading, element, "screw_thread_pitch", 1.0)

    def _limits(self, axes: list[Element], kind: str) -> tuple[Any, Any, Any]:
        """Bounds of the coordinates, and limits of the drive; None for what is not limited."""
        bounds: list[tuple[float, float]] = []
        drive: dict[str, list[float]] = {"effort": [], "velocity": []}
        for axis in axes:
            given = axis.find("limit")
            if given is not None:
                known = ("lower", "upper", "effort", "velocity", "stiffness", "dissipation")
                self.reading.unknown(given, (), known)
            low, high = (self._bound(given, tag) for tag in ("lower", "upper"))
            low, high = (-math.inf if low is None else low), (math.inf if high is None else high)
            if kind == "continuous":
                low, high = -math.inf, math.inf
            if low > high and given is not None:
                self.reading.note(given, f"lower {low:g} is above upper {high:g}; left out")
                low, high = -math.inf, math.inf
            bounds.append((low, high))
            for tag, found in drive.items():
                value = self._bound(given, tag)
                found.append(math.inf if value is None or value < 0.0 else value)
        limited = any(math.isfinite(each) for pair in bounds for each in pair)
        effort, velocity = (
            (None if not any(map(math.isfinite, each)) else each[0] if len(each) == 1 else each)
            for each in drive.values()
        )
        return bounds if limited else None, effort, velocity

    def _bound(self, given: Element | None, tag: str) -> float | None:
        """A number, or None of none or of one that means infinity."""
        word = text_of(given, tag)
        if not word or word.lower().lstrip("+-") in ("inf", "infinity"):
            return None
        if NUMBER.fullmatch(word) and abs(float(word)) > BOUNDLESS:
            return None
        return text_number(self.reading, given, tag)

    def _dynamics(self, name: str, joint: Joint, axes: list[Element]) -> None:
        model, reading = self.model, self.reading
        for k, axis in enumerate(axes):
            given = axis.find("dynamics")
            if given is None:
                continue
            reading.unknown(given, (), ("damping", "friction", "spring_reference", "spring_stiffness"))
            damping, friction = (text_number(reading, given, tag) for tag in ("damping", "friction"))
            stiffness, rest = (text_number(reading, given, tag) for tag in ("spring_stiffness", "spring_reference"))
            end = f"_{k + 1}" if len(axes) > 1 else ""
            several = k if joint.nv > 1 else None
            if damping < 0.0 or stiffness < 0.0 or friction < 0.0:
                reading.error(given, "damping, friction and stiffness cannot be negative")
                continue
            if stiffness or (damping and joint.nv > 1):
                law = JointSpring(name, stiffness, damping if joint.nv > 1 else 0.0, rest, several)
                model.add_force(free_name(f"{name}_spring{end}", model.forces), law)
            if damping and joint.nv == 1:
                model.add_force(free_name(f"{name}_damping", model.forces), JointDamping(name, damping))
            if friction and joint.nv == 1:
                model.add_force(free_name(f"{name}_friction", model.forces), JointFriction(name, constant=friction))
            elif friction:
                reading.note(given, "dry friction in a joint of two axes is left out")

    def _mimic(self, scope: Scope, name: str, element: Element) -> None:
        """One coordinate follows another: q = multiplier (leader - reference) + offset."""
        for k, tag in enumerate(("axis", "axis2")):
            axis = element.find(tag)
            given = None if axis is None else axis.find("mimic")
            if given is None:
                continue
            self.reading.unknown(given, ("joint", "axis"), ("multiplier", "offset", "reference"))
            leader, at = given.get("joint"), int(given.get("axis") == "axis2")
            owner = scope.owner(leader) if leader else None
            led = None if owner is None else self.joint_names.get((id(owner[0]), owner[1]))
            follower = self.joint_names.get((id(scope), name))
            if led is None or follower is None:
                self.reading.error(given, f'there is no joint "{leader[:80]}" to follow')
                continue
            factor = text_number(self.reading, given, "multiplier", 1.0)
            offset, reference = (text_number(self.reading, given, each) for each in ("offset", "reference"))
            terms = {(follower, k): 1.0, (led, at): -factor}
            label = free_name(f"{follower}_mimic", self.model.constraints)
            self.model.add_constraint(label, Coupler(terms, offset - factor * reference))

    def _gearbox(self, scope: Scope, name: str, element: Element) -> None:
        """theta_2 = -ratio theta_1: angles of the parent and the child about their axes, from the reference body."""
        reading, model = self.reading, self.model
        reading.unknown(element, ("name", "type"), OF_JOINTS)
        ends = [text_of(element, tag) for tag in ("gearbox_reference_body", "parent", "child")]
        owners = [scope.body(each) for each in ends if each]
        keys = [None if owner is None else (id(owner[0]), owner[1]) for owner in owners]
        if len(keys) < 3 or any(key is not None and key not in self.bodies for key in keys):
            reading.error(element, "a gearbox needs a parent, a child and a gearbox_reference_body")
            return
        middle, one, two = (GROUND if key is None else self.bodies[key].name for key in keys)
        terms: dict[Any, float] = {}
        for body, tag, factor in (
            (one, "axis", text_number(reading, element, "gearbox_ratio", 1.0)),
            (two, "axis2", 1.0),
        ):
            given = element.find(tag) or element.find("axis")
            joint = next(
                (j for j in model.joints.values() if {j.parent, j.child} == {middle, body} and j.kind == "revolute"),
                None,
            )
            if joint is None or given is None:
                text = f'no revolute joint turns "{body}" about "{middle}"; the gearbox is left out'
                reading.note(element, text)
                return
            wanted = (scope.in_world() @ scope.pose(name)).rotation.matrix @ scope.axis(name, given)
            is_axis = self._direction(joint) * (1.0 if joint.child == body else -1.0)
            along = float(wanted @ is_axis)
            if abs(along) < 1.0 - 1e-9:
                reading.note(element, f'its {tag} is not that of joint "{joint.name}"; the gearbox is left out')
                return
            terms[joint.name] = terms.get(joint.name, 0.0) + math.copysign(factor, along)
        label = free_name(scope.full(name), model.constraints)
        model.add_constraint(label, Coupler(terms))

    def _direction(self, joint: Any) -> Any:
        """World axis of a revolute joint in the reference configuration."""
        marker = self.model.marker(joint.parent_reference)
        assert marker is not None
        R_WB = Rotation.identity() if joint.parent == GROUND else self.model.bodies[joint.parent].pose.rotation
        return R_WB.matrix @ (marker.pose.rotation.matrix @ axis_vector(joint.joint.axis))

    # ----------------------------------------------------------------------------------------------------- contacts

    def add_contacts(self, law: ContactLaw | None) -> None:
        """Contacts between groups of bodies that are alike: model, self_collide, friction, restitution."""
        groups: dict[tuple[str, bool, float, float], list[str]] = {}
        for body, collisions in self.collisions.items():
            if not collisions:
                continue
            surfaces = {(each.friction, each.restitution) for each in collisions}
            if len(surfaces) > 1 and law is None:
                self.reading.note(
                    self.root.element,
                    f'collisions of "{body}" differ in friction or restitution: all have the smallest',
                )
            friction, restitution = (min(values) for values in zip(*surfaces, strict=True))
            key = (self.top[body], self.touches_itself[body], friction, restitution)
            groups.setdefault(key, []).append(body)
        items, count = list(groups.items()), 0
        for i, (a, left) in enumerate(items):
            for b, right in items[i:]:
                if a[0] == b[0] and not (a[1] or b[1]):
                    continue
                if {*left, *right} <= self.static or (a == b and len(left) < 2):
                    continue
                count += 1
                chosen = law or RigidContact(friction=min(a[2], b[2]), restitution=min(a[3], b[3]))
                self.model.add_contact(f"contacts_{count}", chosen, left, right)
        if not count:
            self.reading.note(self.root.element, "no links may touch each other by the rules of the file", False)


def _reached(start: str, near: Mapping[str, set[str]]) -> set[str]:
    found, frontier = {start}, [start]
    while frontier:
        new = near[frontier.pop()] - found
        found |= new
        frontier += new
    return found


def _snapped(X: Pose) -> Pose:
    """A pose without the round-off of poses that undo each other."""
    p, R = np.asarray(X.position, dtype=float), X.rotation
    p = np.where(np.abs(p) < SAME, 0.0, p)
    if np.max(np.abs(R.matrix - np.eye(3))) < SAME:
        R = Rotation.identity()
    return Pose(R, p)
