"""Names of what stands inside a `replicate`, and copies of what refers to it.

An element outside that refers to something replicated (a tendon to a site, an actuator to a joint) is itself copied
once for each copy of what it refers to, with the same letters behind its name. With copies of copies, the letters of
the inner ones come first, so that a reference to an outer one ends in the same letters.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from duoti.formats.xml.reading import Reading
from duoti.formats.xml.xml_tree import Element

MAX_COPIED = 50_000

REFERENCES = {
    "joint": "joint", "jointinparent": "joint", "joint1": "joint", "joint2": "joint", "site": "site", "site1": "site",
    "site2": "site", "refsite": "site", "body1": "body", "body2": "body", "body": "body", "tendon": "tendon",
    "tendon1": "tendon", "tendon2": "tendon", "geom": "geom", "sidesite": "site", "slidersite": "site",
    "cranksite": "site", "target": "body", "actuator": "actuator",
}  # fmt: skip
"""What the attributes outside bodies refer to."""


class Copies:
    """Suffixes of replicated elements by kind and name."""

    def __init__(self) -> None:
        self.suffixes: dict[tuple[str, str], dict[str, None]] = {}
        self.order: dict[str, int] = {"": 0}

    def add(self, kind: str, name: str, suffix: str) -> None:
        """Something with this name was made, with this suffix behind it."""
        if suffix and name:
            self.suffixes.setdefault((kind, name), {})[suffix] = None
            self.order.setdefault(suffix, len(self.order))

    def expanded(self, reading: Reading, kind: str, elements: Iterable[Element]) -> list[Element]:
        """The elements in the order of MuJoCo: those that refer to no copy, then copy by copy."""
        if not self.suffixes:
            return list(elements)
        found: list[tuple[int, Element]] = []
        size = 0
        for element in elements:
            references = dict.fromkeys(self._references(element))
            wanted = self._suffixes(references)
            size += len(wanted) * (1 + len(element.children))
            if size > MAX_COPIED:
                reading.error(element, f"more than {MAX_COPIED} elements refer to copies")
                return []
            for suffix in wanted:
                found.append((self.order[suffix], self._copy(element, suffix)))
                self.add(kind, element.get("name"), suffix)
            if not wanted:
                found.append((0, element))
        return [element for _, element in sorted(found, key=lambda each: each[0])]

    def _references(self, element: Element) -> Iterable[tuple[str, str]]:
        for each in (element, *element.children):
            for attribute, kind in REFERENCES.items():
                key = (kind, each.get(attribute))
                if key in self.suffixes:
                    yield key

    def _suffixes(self, references: Iterable[tuple[str, str]]) -> list[str]:
        """Suffixes of the innermost copies among the references."""
        every = {suffix: None for key in references for suffix in self.suffixes[key]}
        lengths = {len(next(iter(self.suffixes[key]))) for key in references}
        longest = max(lengths, default=0)
        return [suffix for suffix in every if len(suffix) == longest] if len(lengths) > 1 else list(every)

    def _copy(self, element: Element, suffix: str) -> Element:
        parts = [replace(child, attributes=dict(child.attributes)) for child in element]
        new = replace(element, attributes=dict(element.attributes), children=parts)
        for each in (new, *new.children):
            for attribute, kind in REFERENCES.items():
                known = self.suffixes.get((kind, each.get(attribute)), {})
                end = next((suffix[k:] for k in range(len(suffix)) if suffix[k:] in known), None)
                if end is not None:
                    each.attributes[attribute] = each.get(attribute) + end
        if new.get("name"):
            new.attributes["name"] = new.get("name") + suffix
        return new
