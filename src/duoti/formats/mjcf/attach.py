"""Models that an MJCF file attaches to its bodies: their elements are taken over with a prefix before all names.

An attached body brings along the default classes and assets of its model, and those tendons, constraints and actuators
whose parts are all in it. Angles and folders are those of its own `compiler` (`Element.scope`).
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from pathlib import Path

from duoti.formats.mjcf import schema
from duoti.formats.mjcf.defaults import Defaults
from duoti.formats.mjcf.includes import read_with_includes
from duoti.formats.mjcf.replicate import REFERENCES
from duoti.formats.mjcf.settings import Settings
from duoti.formats.xml.reading import Reading
from duoti.formats.xml.xml_tree import Element

MAX_ATTACHED = 100
MAX_ELEMENTS = 200_000  # of all attached models together
ASSETS = ("mesh", "material", "texture", "hfield", "skin")
TAKEN = ("tendon", "equality", "actuator")


@dataclass
class Child:
    """A model to attach: its root, and where it was read."""

    root: Element
    path: Path


class Attaching:
    """Replaces every `attach` among the bodies."""

    def __init__(
        self, reading: Reading, sections: dict[str, list[Element]], scopes: list[Settings], defaults: Defaults
    ):
        self.reading, self.sections, self.scopes, self.defaults = reading, sections, scopes, defaults
        self.models: dict[str, Child] = {}
        self.size = 0

    def attach_all(self) -> None:
        """Read the models among the assets, and put them where they are attached."""
        for section in self.sections["asset"]:
            for element in section.all("model"):
                self._read(element, self.scopes[0])
            section.children = [child for child in section if child.tag != "model"]
        stack = self.sections["worldbody"][::-1]
        while stack:
            element = stack.pop()
            element.children = [new for child in element for new in self._attached(child)]
            stack += [child for child in reversed(element.children) if child.scope == 0]

    def _read(self, element: Element, settings: Settings) -> None:
        self.reading.unknown(element, schema.known("model"), ())
        file = self.reading.required(element, "file")
        if not file:
            return
        path, why = self.reading.locate(settings.asset_path(file), settings.folder)
        if path is None:  # models are found beside the file, too
            path, why = self.reading.locate(file, settings.folder)
        if path is None:
            self.reading.error(element, why)
            return
        root = read_with_includes(self.reading, path, str(Path(element.file).parent / file))
        if root is not None:
            name = element.get("name") or root.get("model") or path.stem
            self.models[name] = Child(root, path)

    def _attached(self, element: Element) -> list[Element]:
        if element.tag != "attach":
            return [element]
        self.reading.unknown(element, schema.known("attach"), ())
        name, prefix = self.reading.required(element, "model"), element.get("prefix")
        if name not in self.models:
            self.reading.missing(element, "model", name, self.models)
            return []
        child = self.models[name]
        self.size += len(child.root.walk())
        if len(self.scopes) > MAX_ATTACHED or self.size > MAX_ELEMENTS:
            self.reading.error(element, f"more than {MAX_ATTACHED} models or {MAX_ELEMENTS} elements are attached")
            return []
        if any(each.tag in ("attach", "model") for each in child.root.walk()):
            self.reading.note(element, "what is attached inside an attached model is left out")
        return self._take_over(element, child, prefix)

    def _take_over(self, element: Element, child: Child, prefix: str) -> list[Element]:
        root, scope = copy.deepcopy(child.root), len(self.scopes)
        settings = Settings(folder=child.path.parent)
        for section in root.all("compiler"):
            settings.read_compiler(self.reading, section)
        self.scopes.append(settings)
        main = f"{prefix}main"
        for each in root.walk():
            each.scope = scope
            _rename(each, prefix)
        for section in root.all("default"):
            section.attributes.setdefault("class", main)
            self.defaults.read(section, attached=True)
        if main not in self.defaults.values:
            self.defaults.read(Element("default", {"class": main}, element.file, element.line), attached=True)
        found = self._bodies(element, root, prefix)
        for each in found:
            each.attributes.setdefault("childclass", main)
        names = {(each.tag, each.get("name")) for top in found for each in top.walk()}
        for section in root.all("asset"):
            for asset in section:
                asset.attributes.setdefault("class", main)
            self.sections["asset"].append(section)
        for tag in TAKEN:
            for section in root.all(tag):
                section.children = [each for each in section if _complete(each, names)]
                for each in section:
                    each.attributes.setdefault("class", main)
                    if tag == "tendon":
                        names.add(("tendon", each.get("name")))
                self.sections[tag].append(section)
        for section in root.all("keyframe"):
            self.reading.note(section, "keyframes of an attached model are left out", changes_motion=False)
        return found

    def _bodies(self, element: Element, root: Element, prefix: str) -> list[Element]:
        wanted = element.get("body")
        worlds = root.all("worldbody")
        if not wanted:
            return [Element("frame", {}, world.file, world.line, world.children, scope=world.scope) for world in worlds]
        known = {each.get("name"): each for world in worlds for each in world.walk() if each.tag == "body"}
        if f"{prefix}{wanted}" not in known:
            self.reading.missing(element, "body", wanted, [name.removeprefix(prefix) for name in known])
            return []
        return [known[f"{prefix}{wanted}"]]


def _rename(element: Element, prefix: str) -> None:
    """Put the prefix before the name, and before all names that the element refers to."""
    for attribute in ("name", "class", "childclass", "mesh", "material", "texture", "hfield", *REFERENCES):
        if element.get(attribute) and element.get(attribute) != "world":
            element.attributes[attribute] = prefix + element.get(attribute)
    if element.tag in ASSETS and not element.get("name") and element.get("file"):
        element.attributes["name"] = prefix + Path(element.get("file").replace("\\", "/")).stem


def _complete(element: Element, names: set[tuple[str, str]]) -> bool:
    """Whether all that the element refers to is there."""
    for each in (element, *element.children):
        for attribute, kind in REFERENCES.items():
            given = each.get(attribute)
            kinds = ("joint", "freejoint") if kind == "joint" else (kind,)
            if given and given != "world" and not any((k, given) in names for k in kinds):
                return False
    return True
