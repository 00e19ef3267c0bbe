"""An MJCF file with its includes: sections, settings of the compiler, defaults."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from duoti.formats.mjcf import schema
from duoti.formats.mjcf.frames import orientation
from duoti.formats.reading import Array, Reading
from duoti.formats.xml_tree import Element
from duoti.spatial import Pose

MAX_INCLUDES = 100
MAX_ITEMS = 50_000  # elements of bodies after `replicate`
BOOLEAN = ("true", "false")


@dataclass
class Settings:
    """What `compiler` and `option` say."""

    degrees: bool = True
    sequence: str = "xyz"
    autolimits: bool = True
    from_geoms: str = "auto"
    balance: bool = False
    least_mass: float = 0.0
    least_inertia: float = 0.0
    total_mass: float = -1.0
    group_range: tuple[float, float] = (0.0, 1e9)
    mesh_folder: str = ""
    strip_path: bool = False
    gravity: tuple[float, ...] = (0.0, 0.0, -9.81)
    disabled: frozenset[str] = frozenset()

    @property
    def angle(self) -> float:
        """Radians of one unit of the file."""
        return np.pi / 180.0 if self.degrees else 1.0


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
        self.settings = Settings()
        self.included: set[Path] = {reading.path.resolve()}
        self.classes: dict[str, dict[str, dict[str, str]]] = {"main": {}}
        self.class_actuators: dict[str, list[Element]] = {"main": []}
        self.sections: dict[str, list[Element]] = {name: [] for name in schema.SECTIONS}
        if root.tag != "mujoco":
            hint = "URDF files start with <robot>: load_urdf reads them" if root.tag == "robot" else ""
            reading.error(root, f"an MJCF file starts with <mujoco>, not <{root.tag}>", hint)
            return
        self._include(root)
        reading.unknown(root, ("model",), schema.SECTIONS)
        for section in root:
            if section.tag in self.sections:
                self.sections[section.tag].append(section)
        if sum(self._size(section) for section in self.sections["worldbody"]) > MAX_ITEMS:
            reading.error(self.sections["worldbody"][0], f"the bodies hold more than {MAX_ITEMS} elements")
            return
        for section in self.sections["compiler"]:
            self._read_compiler(section)
        for section in self.sections["option"]:
            self._read_option(section)
        for section in self.sections["default"]:
            self._read_default(section, "")
        for tag, message in schema.UNUSED_SECTIONS.items():
            for section in self.sections[tag]:
                reading.note(section, f"{message} ({len(section.children)} elements)", changes_motion=False)
        for tag in ("deformable", "extension"):
            for section in self.sections[tag]:
                reading.note(section, "not supported; left out with all it holds")

    # ----------------------------------------------------------------------------------------------------- includes

    def _include(self, root: Element) -> None:
        """Put the children of included files in the place of each `include`."""
        stack = [root]
        while stack:
            element = stack.pop()
            if any(child.tag == "include" for child in element):
                element.children = [item for child in element for item in self._expanded(child)]
                stack.append(element)  # what came in may include again
            else:
                stack += element.children

    def _expanded(self, child: Element) -> list[Element]:
        if child.tag != "include":
            return [child]
        file = self.reading.required(child, "file")
        if not file:
            return []
        path, why = self.reading.locate(file)
        if path is None:
            self.reading.error(child, why)
            return []
        if path in self.included or len(self.included) > MAX_INCLUDES:
            self.reading.error(child, f"{file} is included twice, or there are more than {MAX_INCLUDES} includes")
            return []
        self.included.add(path)
        root = self.reading.parse(path, str(self.reading.path.parent / file))
        return [] if root is None else root.children

    # ----------------------------------------------------------------------------------------------------- settings

    def check(self, element: Element, kind: str, children: tuple[str, ...] | None = None) -> None:
        """Note unknown attributes and children."""
        known, harmless = schema.attributes(kind)
        strange = schema.UNSUPPORTED.get(kind, "").split()
        for attribute in strange:
            if attribute in element.attributes:
                self.reading.note(element, f"{attribute} is not supported; left out")
        self.reading.unknown(element, (*known, *harmless, *strange), children)

    def _flag(self, element: Element, attribute: str, default: bool) -> bool:
        return self.reading.choice(element, attribute, BOOLEAN, str(default).lower()) == "true"

    def _read_compiler(self, section: Element) -> None:
        reading, s = self.reading, self.settings
        self.check(section, "compiler", ("lengthrange",))
        s.degrees = (
            reading.choice(section, "angle", ("degree", "radian"), "degree" if s.degrees else "radian") == "degree"
        )
        if section.get("coordinate", "local") != "local":
            reading.error(
                section, 'only coordinate="local" is supported', "let MuJoCo save the model in local coordinates"
            )
        s.sequence = section.get("eulerseq", s.sequence)
        if len(s.sequence) != 3 or set(s.sequence.lower()) - set("xyz"):
            reading.error(section, f'eulerseq="{s.sequence[:20]}" is not three of the letters xyz or XYZ')
            s.sequence = "xyz"
        s.autolimits = self._flag(section, "autolimits", s.autolimits)
        s.from_geoms = reading.choice(section, "inertiafromgeom", ("auto", *BOOLEAN), s.from_geoms)
        s.balance = self._flag(section, "balanceinertia", s.balance)
        s.strip_path = self._flag(section, "strippath", s.strip_path)
        s.least_mass = reading.positive(section, "boundmass", s.least_mass)
        s.least_inertia = reading.positive(section, "boundinertia", s.least_inertia)
        s.total_mass = reading.number(section, "settotalmass", s.total_mass)
        low, high = reading.numbers(section, "inertiagrouprange", 2, s.group_range).tolist()
        s.group_range = (low, high)
        s.mesh_folder = section.get("meshdir") or section.get("assetdir") or s.mesh_folder

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
        for flag in section.all("flag"):
            self.check(flag, "flag", ())
            off = {name for name, value in flag.attributes.items() if value.strip() == "disable"}
            self.settings.disabled |= off
        if "gravity" in self.settings.disabled:
            self.settings.gravity = (0.0, 0.0, 0.0)

    def enabled(self, *flags: str) -> bool:
        """Whether none of these flags of `option` is disabled."""
        return not self.settings.disabled & set(flags)

    # ----------------------------------------------------------------------------------------------------- defaults

    def _read_default(self, section: Element, parent: str) -> None:
        name = section.get("class") or ("main" if not parent else "")
        if not name:
            self.reading.error(section, "class is missing", 'write <default class="...">')
            return
        if parent and name in self.classes:
            self.reading.error(section, f'a second default class "{name}"')
            return
        self.check(section, "default")
        inherited = self.classes.get(parent or name, {})
        values = {tag: dict(given) for tag, given in inherited.items()}
        actuators = list(self.class_actuators.get(parent or name, []))
        for child in section:
            if child.tag in schema.ACTUATORS:
                actuators.append(child)
            elif child.tag != "default":
                known = values.setdefault(child.tag, {})
                if any(a in child.attributes for a in schema.ORIENTATION):
                    for attribute in schema.ORIENTATION:
                        known.pop(attribute, None)
                known.update(child.attributes)
        self.classes[name], self.class_actuators[name] = values, actuators
        if not parent:
            self.classes["main"], self.class_actuators["main"] = values, actuators
        for child in section.all("default"):
            self._read_default(child, name)

    def class_of(self, element: Element, childclass: str = "") -> str:
        """Name of the default class of an element."""
        name = element.get("class") or childclass or "main"
        if name not in self.classes:
            self.reading.missing(element, "default class", name, self.classes)
            return "main"
        return name

    def effective(self, element: Element, childclass: str = "", tag: str = "") -> Element:
        """The element with the attributes of its default class."""
        known = self.classes[self.class_of(element, childclass)].get(tag or element.tag, {})
        if not known:
            return element
        if any(a in element.attributes for a in schema.ORIENTATION):
            known = {k: v for k, v in known.items() if k not in schema.ORIENTATION}
        return replace(element, attributes={**known, **element.attributes})

    # ------------------------------------------------------------------------------------------- contents of bodies

    def pose(self, element: Element) -> Pose:
        """Pose by `pos` and any form of orientation."""
        position = self.reading.numbers(element, "pos")
        return Pose(orientation(self.reading, element, self.settings.angle, self.settings.sequence), position)

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
        return inside * self._copies(element) if element.tag == "replicate" else inside

    def _replicated(self, element: Element, X: Pose, childclass: str, suffix: str) -> Iterator[Item]:
        self.check(element, "replicate", schema.BODY_CHILDREN)
        n, step = int(self.reading.number(element, "count")), self.pose(Element("frame", {
            "pos": element.get("offset") or "0 0 0", "euler": element.get("euler") or "0 0 0"
        }, element.file, element.line))  # fmt: skip
        width, separator = len(str(n - 1)), element.get("sep")
        for i in range(n):
            yield from self.items(element, X, childclass, f"{separator}{i:0{width}d}{suffix}")
            X = X @ step

    def mesh_path(self, file: str) -> str:
        """Path of an asset, relative to the main file."""
        name = file.replace("\\", "/")
        if self.settings.strip_path:
            name = name.rpartition("/")[2]
        return str(Path(self.settings.mesh_folder) / name) if self.settings.mesh_folder else name


def triple(values: Array) -> tuple[float, float, float]:
    """Three numbers as a tuple."""
    x, y, z = values.tolist()
    return x, y, z
