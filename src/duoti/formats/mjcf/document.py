"""An MJCF file with its includes: sections, settings of the compiler, defaults."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from duoti.formats.mjcf import schema
from duoti.formats.mjcf.attach import Attaching
from duoti.formats.mjcf.defaults import Defaults
from duoti.formats.mjcf.replicate import Copies
from duoti.formats.mjcf.settings import BOOLEAN, Settings
from duoti.formats.xml.reading import Array, Reading
from duoti.formats.xml.xml_tree import Element
from duoti.spatial import Pose, Rotation

TINY = 1e-12


def orientation(reading: Reading, element: Element, angle: float, sequence: str) -> Rotation:
    """Rotation by quat, axisangle, euler, xyaxes or zaxis; `angle` is the unit of the file's angles [rad]."""
    if "axisangle" in element.attributes:
        x, y, z, turn = reading.numbers(element, "axisangle", 4, (0.0, 0.0, 1.0, 0.0)).tolist()
        if math.hypot(x, y, z) < TINY:
            return _no_direction(reading, element, "axisangle")
        return Rotation.about((x, y, z), angle * turn)
    if "euler" in element.attributes:
        return euler(sequence, (angle * reading.numbers(element, "euler")).tolist())
    if "xyaxes" in element.attributes:
        numbers = reading.numbers(element, "xyaxes", 6, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0))
        x, y = numbers[:3], numbers[3:]
        if math.hypot(*x) < TINY:
            return _no_direction(reading, element, "xyaxes")
        x = x / math.hypot(*x)
        y = y - (x @ y) * x
        if math.hypot(*y) < TINY:
            return _no_direction(reading, element, "xyaxes")
        y = y / math.hypot(*y)
        return Rotation.from_matrix(np.column_stack([x, y, np.cross(x, y)]))
    if "zaxis" in element.attributes:
        return Rotation.between("z", reading.vector(element, "zaxis", (0.0, 0.0, 1.0)))
    if "quat" in element.attributes:
        quaternion = reading.numbers(element, "quat", 4, (1.0, 0.0, 0.0, 0.0))
        length = math.hypot(*quaternion.tolist())
        if length < TINY:
            return _no_direction(reading, element, "quat")
        return Rotation(quaternion / length)
    return Rotation.identity()


def euler(sequence: str, angles: list[float]) -> Rotation:
    """Small letters turn about moving axes, capitals about the axes of the parent."""
    R = Rotation.identity()
    for letter, turn in zip(sequence, angles, strict=True):
        R = R @ Rotation.about(letter, turn) if letter.islower() else Rotation.about(letter.lower(), turn) @ R
    return R


def _no_direction(reading: Reading, element: Element, attribute: str) -> Rotation:
    reading.error(element, f'{attribute}="{element.get(attribute)[:60]}" has no direction')
    return Rotation.identity()


MAX_ITEMS = 50_000  # elements of bodies after `replicate`


@dataclass(frozen=True)
class Item:
    """An element inside a body: its own attributes, the frame around it, and what goes behind its name."""

    element: Element
    X: Pose
    childclass: str
    suffix: str


class Document:
    """The file."""

    def __init__(self, reading: Reading, root: Element):
        self.reading = reading
        self.title = root.get("model") or reading.path.stem
        self.scopes = [Settings(folder=reading.folder)]
        self.defaults = Defaults(reading)
        self.copies = Copies()
        self.sections: dict[str, list[Element]] = {name: [] for name in schema.SECTIONS}
        if root.tag != "mujoco":
            hint = "URDF files start with <robot>: load_urdf reads them" if root.tag == "robot" else ""
            reading.error(root, f"an MJCF file starts with <mujoco>, not <{root.tag}>", hint)
            return
        reading.unknown(root, ("model",), schema.SECTIONS)
        for section in root:
            if section.tag in self.sections:
                self.sections[section.tag].append(section)
        for section in self.sections["compiler"]:
            self.check(section, "compiler", ("lengthrange",))
            self.settings.read_compiler(reading, section)
        for section in self.sections["option"]:
            self._read_option(section)
        for section in self.sections["default"]:
            self.defaults.read(section)
        Attaching(reading, self.sections, self.scopes, self.defaults).attach_all()
        if sum(self._size(section) for section in self.sections["worldbody"]) > MAX_ITEMS:
            reading.error(self.sections["worldbody"][0], f"the bodies hold more than {MAX_ITEMS} elements")
            return
        for tag, message in schema.UNUSED_SECTIONS.items():
            for section in self.sections[tag]:
                reading.note(section, f"{message} ({len(section.children)} elements)", changes_motion=False)
        for tag in ("deformable", "extension"):
            for section in self.sections[tag]:
                reading.note(section, "not supported; left out with all it holds")

    # ----------------------------------------------------------------------------------------------------- settings

    @property
    def settings(self) -> Settings:
        """Those of the main file."""
        return self.scopes[0]

    def settings_of(self, element: Element) -> Settings:
        """Those of the model that the element comes from."""
        return self.scopes[element.scope]

    def check(self, element: Element, kind: str, children: tuple[str, ...] | None = None) -> None:
        """Note unknown attributes and children."""
        for attribute in schema.unsupported(kind):
            if attribute in element.attributes:
                self.reading.note(element, f"{attribute} is not supported; left out")
        self.reading.unknown(element, schema.known(kind), children)

    def limited(self, element: Element, flag: str, attribute: str) -> bool:
        """Whether a limit applies: by its flag, or, if that is "auto", because its range is given."""
        given = self.reading.choice(element, flag, (*BOOLEAN, "auto"), "auto")
        if given == "auto":
            return attribute in element.attributes and self.settings_of(element).autolimits
        return given == "true"

    def range_of(self, element: Element, what: str) -> tuple[float, float] | None:
        """A range such as forcerange, if it applies."""
        if not self.limited(element, f"{what}limited", f"{what}range"):
            return None
        low, high = self.reading.numbers(element, f"{what}range", 2).tolist()
        if low > high:
            text = f'{what}range="{element.get(f"{what}range")}": the first number is above the second'
            self.reading.error(element, text)
            return None
        return low, high

    def _read_option(self, section: Element) -> None:
        reading = self.reading
        self.check(section, "option", ("flag",))
        self.settings.gravity = tuple(reading.numbers(section, "gravity", 3, self.settings.gravity).tolist())
        listed = [f"{a} {section.get(a)}" for a in ("timestep", "integrator") if section.get(a)]
        if listed:
            reading.note(section, f"{', '.join(listed)}: choose a solver in dt.simulate", changes_motion=False)
        for name in ("density", "viscosity", "wind"):
            if np.any(reading.numbers(section, name, 3 if name == "wind" else 1)):
                reading.note(section, f"{name} of the medium is left out")
        words = section.get("actuatorgroupdisable").split()
        if words:
            given = reading.numbers(section, "actuatorgroupdisable", tuple(range(1, 32)), (-1.0,))
            self.settings.disabled_groups |= set(given.tolist())
        for flag in section.all("flag"):
            self.check(flag, "flag", ())
            off = {name for name, value in flag.attributes.items() if value.strip() == "disable"}
            self.settings.disabled |= off
        if "gravity" in self.settings.disabled:
            self.settings.gravity = (0.0, 0.0, 0.0)

    def enabled(self, *flags: str) -> bool:
        """Whether none of these flags of `option` is disabled."""
        return not self.settings.disabled & set(flags)

    # ------------------------------------------------------------------------------------------- contents of bodies

    def pose(self, element: Element) -> Pose:
        """Pose by `pos` and any form of orientation."""
        position = self.reading.numbers(element, "pos")
        settings = self.settings_of(element)
        return Pose(orientation(self.reading, element, settings.angle, settings.sequence), position)

    def items(self, owner: Element, X: Pose, childclass: str, suffix: str) -> Iterator[Item]:
        """What a body holds, out of its frames and replicates."""
        for child in owner:
            if child.tag == "frame":
                self.check(child, "frame", schema.BODY_CHILDREN)
                yield from self.items(child, X @ self.pose(child), child.get("childclass") or childclass, suffix)
            elif child.tag == "replicate":
                yield from self._replicated(child, X, childclass, suffix)
            else:
                yield Item(child, X, childclass, suffix)

    def _copies(self, element: Element) -> int:
        """How often a replicate repeats its content."""
        count = self.reading.number(element, "count", 0.0)
        if count < 1 or count != int(count) or count > MAX_ITEMS:
            self.reading.error(element, f'count="{element.get("count")}" is not a whole number from 1 to {MAX_ITEMS}')
            return 0
        return int(count)

    def _size(self, element: Element) -> int:
        """How many elements there are below this one, copies included."""
        inside = sum(1 + self._size(child) for child in element)
        return (1 + inside) * self._copies(element) if element.tag == "replicate" else inside

    def _replicated(self, element: Element, X: Pose, childclass: str, suffix: str) -> Iterator[Item]:
        self.check(element, "replicate", schema.BODY_CHILDREN)
        n, step = int(self.reading.number(element, "count")), self.pose(Element("frame", {
            "pos": element.get("offset") or "0 0 0", "euler": element.get("euler") or "0 0 0"
        }, element.file, element.line, scope=element.scope))  # fmt: skip
        width, separator = len(str(n - 1)), element.get("sep")
        for i in range(n):
            yield from self.items(element, X, childclass, f"{separator}{i:0{width}d}{suffix}")
            X = X @ step


def triple(values: Array) -> tuple[float, float, float]:
    """Three numbers as a tuple."""
    x, y, z = values.tolist()
    return x, y, z
