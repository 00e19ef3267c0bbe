"""XML files as trees of elements that know their lines. Entities are refused, sizes are bounded; nothing is fetched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.parsers import expat

MAX_BYTES = 50_000_000
MAX_DEPTH = 200
MAX_ELEMENTS = 200_000
MAX_ATTRIBUTES = 1000


class XmlError(Exception):
    """The file is no XML that can be read; `line` is 0 if it has none."""

    def __init__(self, message: str, line: int = 0):
        super().__init__(message)
        self.message, self.line = message, line


@dataclass(eq=False)
class Element:
    """One element: tag, attributes, children, text, and where it stands."""

    tag: str
    attributes: dict[str, str]
    file: str
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""
    scope: int = 0
    """Which of several models put together it comes from, for readers that need to know."""

    def __iter__(self) -> Iterator[Element]:
        return iter(self.children)

    def find(self, tag: str) -> Element | None:
        """The first child with this tag."""
        return next((child for child in self.children if child.tag == tag), None)

    def walk(self) -> list[Element]:
        """This element and all below it, level by level."""
        found: list[Element] = [self]
        for element in found:  # grows while it is walked
            found += element.children
        return found

    def all(self, tag: str) -> list[Element]:
        """All children with this tag."""
        return [child for child in self.children if child.tag == tag]

    def get(self, attribute: str, default: str = "") -> str:
        """Value of an attribute, without spaces around it."""
        return self.attributes.get(attribute, default).strip()

    @property
    def label(self) -> str:
        """Tag and name, as in messages."""
        name = self.get("name") or self.get("class")
        return f'{self.tag} "{name[:80]}"' if name else self.tag


def read_bytes(path: Path, limit: int = MAX_BYTES) -> bytes:
    """The content of a file, or XmlError that says why there is none."""
    try:
        if path.is_dir():
            raise XmlError("this is a folder, not a file")
        if path.exists() and not path.is_file():  # a device may be endless, a pipe wait for ever
            raise XmlError("this is a device or a pipe, not a file")
        with path.open("rb") as stream:
            content = stream.read(limit + 1)
        if len(content) > limit:
            raise XmlError(f"the file is larger than {limit / 1e6:.3g} MB")
        return content
    except OSError as error:
        raise XmlError(f"the file cannot be read: {error.strerror or error}") from None


def parse_xml(content: bytes, file: str, most: int = MAX_ELEMENTS) -> Element:
    """The root element; raises XmlError. White space before the declaration, which XML forbids, is passed over."""
    start = content.lstrip()
    blank = content[: len(content) - len(start)] if start.startswith(b"<?xml") else b""
    reader = _Reader(file, blank.count(b"\n"), most)
    try:
        reader.parser.Parse(content[len(blank) :], True)
    except expat.ExpatError as error:
        line = error.lineno + reader.before
        raise XmlError(f"this is no well-formed XML: {expat.ErrorString(error.code)}", line) from None
    except (ValueError, LookupError) as error:  # an encoding that does not exist
        raise XmlError(f"this is no readable XML: {error}") from None
    if reader.root is None:
        raise XmlError("the file has no element")
    return reader.root


class _Reader:
    """Handlers of the parser."""

    def __init__(self, file: str, before: int, most: int):
        self.file, self.before, self.most, self.root, self.count = file, before, most, None, 0
        self.stack: list[Element] = []
        self.texts: list[list[str]] = []
        self.parser: Any = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.data
        self.parser.StartDoctypeDeclHandler = self.refuse
        self.parser.EntityDeclHandler = self.refuse

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        line = self.parser.CurrentLineNumber + self.before
        if self.count > self.most:
            raise XmlError(f"the file, with all that it includes, has more than {MAX_ELEMENTS} elements", line)
        if len(attributes) > MAX_ATTRIBUTES:
            raise XmlError(f"an element has more than {MAX_ATTRIBUTES} attributes", line)
        if len(self.stack) >= MAX_DEPTH:
            raise XmlError(f"elements are nested more than {MAX_DEPTH} deep", line)
        element = Element(tag, attributes, self.file, line)
        if self.stack:
            self.stack[-1].children.append(element)
        else:
            self.root = element
        self.stack.append(element)
        self.texts.append([])

    def end(self, tag: str) -> None:
        text = "".join(self.texts.pop())
        self.stack.pop().text = "" if text.isspace() else text

    def data(self, text: str) -> None:
        if self.stack:
            self.texts[-1].append(text)

    def refuse(self, *_: Any) -> None:
        raise XmlError(
            "document type declarations and entities are refused, because a few of them can fill any memory; "
            "remove <!DOCTYPE ...>",
            self.parser.CurrentLineNumber + self.before,
        )
