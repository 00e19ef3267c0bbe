"""The error of a file that cannot become a model, and where its faults are collected."""

from __future__ import annotations

from duoti.formats.key_path import KeyPath
from duoti.model.checks.findings import Finding, Report, SourceLocation
from duoti.model.element_id import ElementId
from duoti.model.errors import ModelError

MOST = 100  # faults that are reported of one file


class ModelFileError(ModelError):
    """A model file is wrong. `report` has all findings, each with the file and line in `place`."""


class Faults:
    """Collects what is wrong with a file, and with those that it includes."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.found: list[Finding] = []
        self.more = 0
        self.spoiled: set[ElementId] = set()
        """Elements with faults: what a check says about them, or about what refers to them, is no news."""
        self.sound_keys: dict[ElementId, frozenset[str]] = {}
        """Keys of such elements that were read; what a check says about these is news."""

    @property
    def full(self) -> bool:
        """True if there are so many that further ones are only counted."""
        return len(self.found) >= MOST

    def add(
        self, location: SourceLocation, path: KeyPath, message: str, code: str = "bad-value", key: str = ""
    ) -> None:
        """A fault at a key such as joints.A.axis; key: the one that is missing or too much there."""
        if self.full:
            self.more += 1
            return
        what = f"{path}: {message}" if path else message
        elements = () if path.element is None else (path.element,)
        finding = Finding("error", code, elements, what, place=location, key=key or path.key)
        if finding not in self.found:  # an alias may bring the same fault twice
            self.found.append(finding)

    def error(self) -> ModelFileError:
        """All of them as an error."""
        found = sorted(self.found, key=lambda f: (f.place is None, f.place or ("", 0)))
        if self.more:
            found.append(Finding("info", "more", (), f"and {self.more} more errors"))
        return ModelFileError(Report(self.file, tuple(found)))
