"""What the files of one model have in common, and the first look at each of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from duoti.formats.errors import Faults
from duoti.formats.key_path import FILE
from duoti.formats.yaml import sections as schema
from duoti.formats.yaml.nodes import Table, Text, parse
from duoti.formats.yaml.simple_values import shown
from duoti.formats.yaml.units import resolved
from duoti.model.checks.findings import SourceLocation


@dataclass
class Context:
    """What the files of one model have in common."""

    faults: Faults
    allow_outside: bool
    root: Path | None
    opened: int = 0
    characters: int = 0
    """Read so far, in all files."""
    copied: int = 0
    unsound: bool = False
    """True if a section or a file could not be read at all: a check would only find what follows from that."""
    damaged: bool = False
    """True if keys were refused."""
    tables: dict[Path, Table | None] = field(default_factory=dict)

    def may_read(self, file: Path) -> bool:
        """Whether a file is in the folder of the model, links followed, or may be elsewhere."""
        return self.allow_outside or (self.root is not None and file.resolve().is_relative_to(self.root))


def parsed(context: Context, text: str, name: str) -> Table | None:
    """The mapping that a file must be, with its version looked at."""
    faults = context.faults
    table = parse(text, name, lambda location, message: faults.add(location, FILE, message, "unreadable"))
    context.damaged |= bool(faults.found)
    if not isinstance(table, Table):
        what = (
            "the file is empty" if table is None else f"{shown(table)}, but a mapping (duoti: 1, name: ...) is needed"
        )
        faults.add(SourceLocation(name, 0 if table is None else table.location.line), FILE, what, "unreadable")
        return None
    version = table.entries.get("duoti")
    if version is None:
        message = f"'duoti: {schema.VERSION}' is missing; a model file begins with it"
        faults.add(table.location, FILE, message, "version", "duoti")
    elif not isinstance(version, Text) or resolved(version.value) != schema.VERSION:
        message = f"{shown(version)}; this program reads version {schema.VERSION}"
        faults.add(version.location, FILE / "duoti", message, "version")
    return table
