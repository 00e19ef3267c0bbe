"""Where things are in an SDFormat file: nested models, frames, and poses relative to any of them.

In SDFormat from 1.7 on, every link, joint, frame and nested model of a model is a frame by its name, `a::b` one of the
nested model `a`, and `__model__` the model itself. A pose is relative to what `relative_to` names, or to the model;
that of a joint to its child, that of a frame to what it is attached to.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from duoti.formats.xml.reading import Reading
from duoti.formats.xml.xml_tree import Element
from duoti.spatial import Pose, Rotation

Array = NDArray[np.float64]
WORLD, MODEL = "world", "__model__"
DEEPEST = 40  # of frames that refer to frames


def text_numbers(
    reading: Reading, element: Element | None, count: int | tuple[int, ...], default: tuple[float, ...]
) -> Array:
    """The numbers in the text of an element; the default if there is no element or no text."""
    if element is None or not element.text.strip():
        return np.array(default)
    plain = Element(element.tag, {"text": " ".join(element.text.split())}, element.file, element.line)
    return reading.numbers(plain, "text", count, default)


def text_number(reading: Reading, owner: Element | None, tag: str, default: float = 0.0) -> float:
    """The number in a child of an element."""
    return float(text_numbers(reading, None if owner is None else owner.find(tag), 1, (default,))[0])


def text_of(owner: Element | None, tag: str, default: str = "") -> str:
    """The text of a child of an element."""
    child = None if owner is None else owner.find(tag)
    return default if child is None else child.text.strip()


def is_true(word: str) -> bool:
    """Whether a word says yes."""
    return word.strip().lower() in ("true", "1")


def pose_of(reading: Reading, owner: Element) -> tuple[Pose, str]:
    """The pose in an element and what it is relative to ("": the default)."""
    given = owner.find("pose")
    if given is None:
        return Pose(), ""
    reading.unknown(given, ("relative_to", "frame", "degrees", "rotation_format"), ())
    relative = given.get("relative_to") or given.get("frame")
    if given.get("rotation_format") == "quat_xyzw":
        x, y, z, qx, qy, qz, qw = text_numbers(reading, given, 7, (0, 0, 0, 0, 0, 0, 1)).tolist()
        length = math.hypot(qx, qy, qz, qw)
        if length < 1e-12:
            reading.error(given, "the quaternion has no length")
            return Pose(), relative
        return Pose(Rotation(np.array([qw, qx, qy, qz]) / length), (x, y, z)), relative
    numbers = text_numbers(reading, given, 6, (0.0,) * 6)
    angles = np.radians(numbers[3:]) if is_true(given.get("degrees")) else numbers[3:]
    turn = Rotation.from_euler("xyz", angles) if np.any(angles) else Rotation.identity()
    return Pose(turn, numbers[:3]), relative


@dataclass(eq=False)
class Scope:
    """A model, or the world: what its names mean."""

    reading: Reading
    element: Element
    name: str
    """With the names of the models around it, "" of the world or of a model that stands alone."""
    version: float
    parent: Scope | None = None
    static: bool = False
    merged: bool = False
    placement_frame: str = ""
    placed: Element | None = None
    """Whose pose places the model: its own element, or the `include`."""
    items: dict[str, tuple[str, Element]] = field(default_factory=dict)
    """Links, joints and frames by name, with their kinds."""
    models: dict[str, Scope] = field(default_factory=dict)
    _busy: set[str] = field(default_factory=set)
    _known: dict[str, Pose] = field(default_factory=dict)

    @property
    def is_world(self) -> bool:
        """Whether this is the world, not a model."""
        return self.element.tag == "world"

    def full(self, name: str) -> str:
        """A name as the model of duoti has it."""
        return f"{self.name}::{name}" if self.name else name

    def scopes(self) -> list[Scope]:
        """This and all models in it, outer ones first."""
        found: list[Scope] = [self]
        for scope in found:  # grows while it is walked
            found += scope.models.values()
        return found

    # ----------------------------------------------------------------------------------------------------- names

    def owner(self, name: str) -> tuple[Scope, str] | None:
        """The scope in which the last part of a name is known, and that part; "" is the scope itself."""
        first, _, rest = name.partition("::")
        if name in ("", MODEL):
            return self, ""
        if name in self.items:
            return self, name
        if first in self.models:
            return self.models[first].owner(rest)
        for scope in self.models.values():
            if scope.merged and (found := scope.owner(name)) is not None:
                return found
        return None

    def known_names(self) -> list[str]:
        """Names that may be meant."""
        return [*self.items, *self.models]

    def body(self, name: str) -> tuple[Scope, str] | None:
        """The link that a frame belongs to; None of the world, or with a fault."""
        scope: Scope = self
        for _ in range(DEEPEST):
            if name == WORLD:
                return None
            found = scope.owner(name)
            if found is None:
                scope.reading.missing(scope.element, "link or frame", name, scope.known_names())
                return None
            scope, name = found
            if name == "":
                if scope.is_world:
                    return None
                name = scope.canonical()
                if not name:
                    scope.reading.error(scope.element, "the model has no link")
                    return None
                continue
            kind, element = scope.items[name]
            if kind == "link":
                return scope, name
            name = text_of(element, "child") if kind == "joint" else element.get("attached_to")
        self.reading.error(self.element, f'what "{name[:80]}" is attached to leads in a circle')
        return None

    def canonical(self) -> str:
        """The link that stands for the model: the one it names, its first one, or that of its first nested model."""
        named = self.element.get("canonical_link")
        if named:
            return named
        for name, (kind, _) in self.items.items():
            if kind == "link":
                return name
        for name, scope in self.models.items():
            if inner := scope.canonical():
                return inner if scope.merged else f"{name}::{inner}"
        return ""

    # ----------------------------------------------------------------------------------------------------- poses

    def pose(self, name: str) -> Pose:
        """Pose of a frame in this model; identity, with a fault, if there is none."""
        if name in ("", MODEL):
            return Pose()
        if name == WORLD:
            return self.in_world().inverse()
        if name in self._known:
            return self._known[name]
        if name in self._busy or len(self._busy) > 10 * DEEPEST:
            self.reading.error(self.element, f'the pose of "{name[:80]}" depends on itself')
            return Pose()
        self._busy.add(name)
        self._known[name] = self._pose(name)
        self._busy.discard(name)
        return self._known[name]

    def _pose(self, name: str) -> Pose:
        if name in self.items:
            kind, element = self.items[name]
            X, relative = pose_of(self.reading, element)
            if not relative:
                relative = {"joint": text_of(element, "child"), "frame": element.get("attached_to")}.get(kind, "")
            return self.pose(relative) @ X
        first, _, rest = name.partition("::")
        if first in self.models:
            scope = self.models[first]
            if rest:
                return self.pose(first) @ scope.pose(rest)
            X, relative = pose_of(self.reading, scope.placed or scope.element)
            X = self.pose(relative) @ X
            return X @ scope.pose(scope.placement_frame).inverse() if scope.placement_frame else X
        for key, scope in self.models.items():
            if scope.merged and scope.owner(name) is not None:
                return self.pose(key) @ scope.pose(name)
        self.reading.missing(self.element, "frame", name, self.known_names())
        return Pose()

    def in_world(self) -> Pose:
        """Pose of the model in the world."""
        if self.parent is None:
            if self.is_world:
                return Pose()
            X, relative = pose_of(self.reading, self.placed or self.element)
            if relative not in ("", WORLD):
                self.reading.error(self.element, f'its pose is relative to "{relative[:80]}", and nothing is around it')
            return X @ self.pose(self.placement_frame).inverse() if self.placement_frame else X
        key = next(key for key, scope in self.parent.models.items() if scope is self)
        return self.parent.in_world() @ self.parent.pose(key)

    def axis(self, joint: str, axis: Element) -> Array:
        """Direction of an axis in the frame of the joint."""
        xyz = axis.find("xyz")
        value = text_numbers(self.reading, xyz, 3, (0.0, 0.0, 1.0))
        length = float(np.linalg.norm(value))
        if length < 1e-12:
            self.reading.error(xyz or axis, "the axis has no direction", "give a vector, as 0 0 1")
            return np.array([0.0, 0.0, 1.0])
        value = value / length
        given = "" if xyz is None else xyz.get("expressed_in")
        if self.version < 1.5 or (self.version < 1.7 and is_true(text_of(axis, "use_parent_model_frame"))):
            given = given or MODEL
        if not given:
            return value
        R_MJ, R_ME = self.pose(joint).rotation, self.pose(given).rotation
        turned: Array = R_MJ.matrix.T @ (R_ME.matrix @ value)
        turned[np.abs(turned) < 1e-16] = 0.0
        return turned
