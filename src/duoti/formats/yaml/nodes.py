"""From the text of a YAML file to a tree of nodes that know their line; nothing else is ever made of a file.

Of YAML we take mappings, lists, texts, anchors and aliases. Tags are refused, so that no file can name a Python object;
what a plain word means (a number, `true`, a unit) is decided by whoever reads it. Limits on size, depth and aliases
keep time and memory bounded. libyaml, through PyYAML, is about twenty times faster than parsers in Python and used
where it is installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from duoti.model.checks.findings import SourceLocation

MAX_BYTES = 20_000_000  # of a file
MAX_ALL_BYTES = 60_000_000  # of all files of a model together; a tree of them takes about twenty times as much memory
MAX_NODES = 1_000_000  # of a file, aliases included
MAX_ALIASED = 50_000  # nodes that come from aliases
MAX_DEPTH = 40  # mappings and lists within each other


@dataclass(slots=True)
class Text:
    """A word or a quoted text."""

    value: str
    location: SourceLocation
    plain: bool = True
    """False if it stood in quotation marks."""


@dataclass(slots=True)
class Items:
    """A list."""

    items: list[Node]
    location: SourceLocation


@dataclass(slots=True)
class Table:
    """A mapping; `keys` are the places of its keys."""

    entries: dict[str, Node]
    location: SourceLocation
    keys: dict[str, SourceLocation] = field(default_factory=dict)
    damaged: bool = False
    """True if a key of it was refused."""

    def line_of(self, key: str) -> SourceLocation:
        """Where a key stands."""
        return self.keys.get(key, self.location)


Node = Text | Items | Table


def is_damaged(node: Node) -> bool:
    """Whether a key in a mapping, or in one within it, was refused."""
    if isinstance(node, Table):
        return node.damaged or any(map(is_damaged, node.entries.values()))
    return isinstance(node, Items) and any(map(is_damaged, node.items))


Complain = Callable[[SourceLocation, str], None]
"""What is called with a place and a message for every fault."""


class UnreadableError(Exception):
    """The text is no YAML, or beyond the limits."""

    def __init__(self, location: SourceLocation, message: str):
        self.location, self.message = location, message
        super().__init__(message)


def read_text(path: Path, name: str) -> str:
    """The text of a file; `name` is what messages call it."""
    where = SourceLocation(name, 0)
    try:
        if path.is_dir():
            raise UnreadableError(where, "this is a folder; name a file")
        if not path.is_file():
            raise UnreadableError(where, "there is no such file")
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise UnreadableError(where, f"cannot be read: {error.strerror or error}") from None
    if len(data) > MAX_BYTES:
        raise UnreadableError(where, f"larger than {MAX_BYTES // 1_000_000} MB, which no model file should be")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        what = "binary data" if b"\0" in data[:4096] else "text in another encoding than UTF-8"
        raise UnreadableError(SourceLocation(name, line), f"{what}; save the file as UTF-8 text") from None


def parse(text: str, name: str, complain: Complain) -> Node | None:
    """The tree of a text, None if it is empty.

    Faults that leave the rest readable (a key given twice, a tag) go to `complain`; others raise `UnreadableError`.
    """
    if len(text) > MAX_BYTES:
        raise UnreadableError(SourceLocation(name, 0), f"longer than {MAX_BYTES // 1_000_000} million characters")
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        text.encode()
        return _Composer(yaml.parse(text, Loader=loader), name, complain).document()
    except UnicodeEncodeError as error:
        line = text[: error.start].count("\n") + 1
        raise UnreadableError(SourceLocation(name, line), "a character that does not exist in Unicode") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise UnreadableError(SourceLocation(name, mark.line + 1 if mark else 0), _explained(error)) from None
    except yaml.reader.ReaderError as error:
        line = text[: error.position].count("\n") + 1 if isinstance(error.position, int) else 0
        raise UnreadableError(
            SourceLocation(name, line), "a control character, which text must not hold; is this a text?"
        ) from None
    except yaml.YAMLError as error:
        raise UnreadableError(SourceLocation(name, 0), f"no YAML: {error}") from None


def _explained(error: yaml.MarkedYAMLError) -> str:
    problem = " ".join(part for part in (error.context, error.problem) if part)
    if "cannot start any token" in problem or "tab" in problem:
        hint = "a tab? indent with spaces; a text that begins with %, @ or ` needs quotes"
    elif "mapping values are not allowed" in problem:
        hint = 'a ":" within a text needs quotes; or the indentation is wrong'
    elif "undefined alias" in problem:
        hint = 'a text that begins with "*" needs quotes'
    elif "expected <block end>" in problem or "did not find expected key" in problem:
        hint = "the indentation is wrong, or a bracket is missing"
    elif "',' or" in problem:
        hint = "a comma or a closing bracket is missing"
    else:
        hint = ""
    return f"no YAML: {problem}" + (f" ({hint})" if hint else "")


class _Composer:
    """Puts the tree together from the events of the parser."""

    def __init__(self, events: Iterator[Any], name: str, complain: Complain):
        self.events, self.name, self.complain = events, name, complain
        self.anchors: dict[str, tuple[Node, int]] = {}  # with the number of nodes in it
        self.open: set[str] = set()
        self.count = self.aliased = 0

    def location(self, event: Any) -> SourceLocation:
        return SourceLocation(self.name, event.start_mark.line + 1)

    def document(self) -> Node | None:
        found: Node | None = None
        documents = 0
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise UnreadableError(self.location(event), "a second document begins; a model file holds one")
                found = self.node(next(self.events), 0)
        return found

    def node(self, event: Any, depth: int) -> Node:
        location = self.location(event)
        if isinstance(event, yaml.AliasEvent):
            return self.alias(event, location)
        self.counted(1, location)
        if event.tag is not None and not (event.tag == "!" and isinstance(event, yaml.ScalarEvent)):
            self.complain(location, f"the tag {event.tag[:60]!r}: tags are not allowed in model files; leave it out")
        before = self.count
        if event.anchor is not None:
            self.open.add(event.anchor)
        if isinstance(event, yaml.ScalarEvent):
            found: Node = Text(str(event.value), location, not event.style)
        elif depth >= MAX_DEPTH:
            raise UnreadableError(location, f"nested more than {MAX_DEPTH} levels deep")
        elif isinstance(event, yaml.SequenceStartEvent):
            found = Items([], location)
            while not isinstance(item := next(self.events), yaml.SequenceEndEvent):
                found.items.append(self.node(item, depth + 1))
        else:
            found = self.table(location, depth, bool(event.flow_style))
        if event.anchor is not None:
            self.open.discard(event.anchor)
            self.anchors[event.anchor] = (found, self.count - before + 1)
        return found

    def table(self, location: SourceLocation, depth: int, flow: bool) -> Table:
        found = Table({}, location)
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self.node(event, depth + 1)
            value = self.node(next(self.events), depth + 1)
            damaged, found.damaged = found.damaged, True
            if not isinstance(key, Text):
                self.complain(key.location, "a key must be a word, not a list or a mapping")
            elif not key.value.strip():
                self.complain(key.location, "a key is empty")
            elif key.value == "<<" and key.plain:
                self.complain(key.location, 'merging with "<<" is no part of model files; use parameters or submodels')
            elif flow and isinstance(value, Text) and value.plain and not value.value and key.plain:
                self.complain(
                    key.location,
                    f'{key.value[:60]!r} has no value; a text with a comma, such as "step(t, 0, 0, 1, 1)", needs '
                    "quotes within {...} and [...]",
                )
            elif key.value in found.entries:
                first = found.keys[key.value].line
                self.complain(key.location, f"{key.value[:60]!r} is given twice, first in line {first}")
            else:
                found.entries[key.value] = value
                found.keys[key.value] = key.location
                found.damaged = damaged
        return found

    def alias(self, event: Any, location: SourceLocation) -> Node:
        if event.anchor in self.open:
            raise UnreadableError(location, f"*{event.anchor[:60]} is part of itself")
        if event.anchor not in self.anchors:
            hint = 'a text that begins with "*" needs quotes'
            raise UnreadableError(location, f"there is no &{event.anchor[:60]} before *{event.anchor[:60]} ({hint})")
        found, size = self.anchors[event.anchor]
        self.aliased += size
        if self.aliased > MAX_ALIASED:
            raise UnreadableError(
                location, f"the aliases (*{event.anchor[:60]}) stand for more than {MAX_ALIASED} values"
            )
        self.counted(size, location)
        return found

    def counted(self, size: int, location: SourceLocation) -> None:
        self.count += size
        if self.count > MAX_NODES:
            raise UnreadableError(location, f"more than {MAX_NODES} values, which no model file should have")
