"""Default classes of MJCF: what elements have that do not say otherwise.

A class shares with the one around it all that it does not change, and holds no attribute that nobody knows: no file
makes a class larger than the list of known attributes, however deep its classes are nested.
"""

from __future__ import annotations

from dataclasses import replace

from duoti.formats.mjcf import schema
from duoti.formats.mjcf.actuator_law import Law, changed
from duoti.formats.xml.reading import Reading
from duoti.formats.xml.xml_tree import Element

Attributes = dict[str, str]
KINDS = {
    "joint": ("joint",), "geom": ("geom",), "site": ("site",), "mesh": ("mesh",), "material": ("material",),
    "pair": ("pair",),
    "equality": ("connect", "weld", "equality joint", "equality tendon"), "tendon": ("fixed", "spatial"),
}  # fmt: skip
"""Elements of a class that are used, and the kinds of elements whose attributes they may have."""


class Defaults:
    """All classes by name; "main" is the outermost."""

    def __init__(self, reading: Reading):
        self.reading = reading
        self.values: dict[str, dict[str, Attributes]] = {"main": {}}
        self.laws: dict[str, Law] = {"main": Law()}

    def read(self, section: Element, attached: bool = False) -> None:
        """A section of the file, with the classes in it; the outermost of an attached model starts from nothing."""
        stack = [(section, "")]
        while stack:
            element, outer = stack.pop()
            name = element.get("class") or ("main" if not outer else "")
            if not name:
                self.reading.error(element, "class is missing", 'write <default class="...">')
                continue
            if name in self.values and (outer or attached):
                self.reading.error(element, f'a second default class "{name[:80]}"')
                continue
            self._read(element, name, outer or ("" if attached else "main"), bool(outer))
            if not outer and not attached:
                self.values["main"], self.laws["main"] = self.values[name], self.laws[name]
            stack += [(child, name) for child in reversed(element.all("default"))]

    def _read(self, element: Element, name: str, outer: str, inner: bool) -> None:
        values, law = self.values.get(outer, {}), self.laws.get(outer, Law())
        self.reading.unknown(element, ("class",))
        if inner:
            law = replace(law, outer=law)
        for child in element:
            if child.tag in schema.ACTUATORS or child.tag in schema.OTHER_ACTUATORS:
                law = changed(self.reading, law, child)
            elif child.tag in KINDS:
                values = {**values, child.tag: self._merged(values.get(child.tag, {}), child)}
            elif child.tag not in schema.OTHER_DEFAULTS:
                self.reading.note(child, "unknown here; left out with all it holds", unknown=True)
        self.values[name], self.laws[name] = values, law

    def _merged(self, known: Attributes, child: Element) -> Attributes:
        allowed = {each for kind in KINDS[child.tag] for each in schema.known(kind)}
        self.reading.unknown(child, allowed)
        if any(a in child.attributes for a in schema.ORIENTATION):
            known = {k: v for k, v in known.items() if k not in schema.ORIENTATION}
        return _over(known, {k: v for k, v in child.attributes.items() if k in allowed})

    def class_of(self, element: Element, childclass: str = "") -> str:
        """Name of the default class of an element."""
        name = element.get("class") or childclass or "main"
        if name not in self.values:
            self.reading.missing(element, "default class", name, self.values)
            return "main"
        return name

    def effective(self, element: Element, childclass: str = "", tag: str = "") -> Element:
        """The element with the attributes of its default class."""
        known = self.values[self.class_of(element, childclass)].get(tag or element.tag, {})
        if not known:
            return element
        if any(a in element.attributes for a in schema.ORIENTATION):
            known = {k: v for k, v in known.items() if k not in schema.ORIENTATION}
        return replace(element, attributes=_over(known, element.attributes))

    def law(self, element: Element) -> Law:
        """The law of an actuator."""
        return changed(self.reading, self.laws[self.class_of(element)], element)


def _over(known: Attributes, given: Attributes) -> Attributes:
    """Attributes in place of those of a class; numbers of friction that are left out stay those of the class."""
    made = {**known, **given}
    if "friction" in known and "friction" in given:
        words = given["friction"].split()
        made["friction"] = " ".join([*words, *known["friction"].split()[len(words) :]])
    return made
