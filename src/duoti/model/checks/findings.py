"""Findings of a model check: what, where, why, and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from duoti.model.element_id import ElementId

Severity = Literal["error", "warning", "info"]
_MARK: dict[Severity, str] = {"error": "✗", "warning": "!", "info": "·"}


class SourceLocation(NamedTuple):
    """A line of a file, counted from 1; 0 for the file as a whole."""

    file: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file

    def __deepcopy__(self, memo: dict[int, Any]) -> SourceLocation:
        return self


@dataclass(frozen=True)
class Finding:
    """One finding of `check`.

    The words of `what`, `why` and `remedy` may change; `code` is stable.

    Parameters
    ----------
    severity:
        "error", "warning" or "info".
    code:
        Short stable word.
    elements:
        Bodies, joints, forces concerned; the first is the one that the finding is about.
    what, why, remedy:
        What is wrong, the reason, and what to do.
    place:
        Line of the model file.
    key:
        Field of the element.
    unknown:
        Names that are not known.
    """

    severity: Severity
    code: str
    elements: tuple[ElementId, ...]
    what: str
    why: str = ""
    remedy: str = ""
    place: SourceLocation | None = None
    key: str = ""
    unknown: tuple[str, ...] = ()
    """Names that the element uses and that mean nothing: of elements ("rod"), of quantities in a law ("A.angle")."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "what", shortened(self.what))

    @property
    def element(self) -> ElementId | None:
        """What the finding is about, `element.kind` and `element.name`; None for the model or the file as a whole."""
        return self.elements[0] if self.elements else None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the elements concerned."""
        return tuple(element.name for element in self.elements)

    def __str__(self) -> str:
        lines = [f"{_MARK[self.severity]} {f'{self.place}: ' if self.place else ''}{self.what}"]
        if self.why:
            lines.append(f"    why:    {self.why}")
        if self.remedy:
            lines.append(f"    remedy: {self.remedy}")
        return "\n".join(lines)


@dataclass(frozen=True)
class Report:
    """All findings about one model, the gravest first."""

    model: str
    findings: tuple[Finding, ...] = field(default=())
    solver: str = ""
    """Which solver `simulate` takes by default, and why; "" if that was not asked, or the model has errors."""

    @property
    def errors(self) -> tuple[Finding, ...]:
        """Findings that make a simulation impossible."""
        return tuple(f for f in self.findings if f.severity == "error")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """Findings worth a second look."""
        return tuple(f for f in self.findings if f.severity == "warning")

    @property
    def ok(self) -> bool:
        """True if there is no error."""
        return not self.errors

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __str__(self) -> str:
        n, w = len(self.errors), len(self.warnings)
        if n:
            head = f'model "{self.model}" has {n} error{"s" * (n != 1)}'
            head += f" and {w} warning{'s' * (w != 1)}" if w else ""
        else:
            head = f'model "{self.model}" is all right' + (f", with {w} warning{'s' * (w != 1)}" if w else "")
        solver = [f"· solver {self.solver}"] if self.solver else []
        return visible("\n".join([head, *(str(f) for f in self.findings), *solver]))

    def __repr__(self) -> str:
        return str(self)


SourceLocations = Mapping[tuple[str, ...], SourceLocation]
"""Lines of the elements of a model and of their keys: (section, name) and (section, name, key)."""

_IN_FILES = {("joint", "parent"): "between", ("joint", "child"): "between",
             ("contact", "a"): "between", ("contact", "b"): "between"}  # fmt: skip
"""Keys that a model file has under another name."""


def key_in_file(finding: Finding) -> str:
    """The key that a finding is about, as a model file spells it."""
    first = finding.element
    return finding.key if first is None else _IN_FILES.get((first.kind, finding.key), finding.key)


def location_of(finding: Finding, locations: SourceLocations) -> SourceLocation | None:
    """Where in its file the element stands that a finding is about; the line of the very key where it is known."""
    if not locations:
        return None
    first = finding.element
    if first is None:
        return locations.get((finding.key,))
    paths = [(*first.path, key_in_file(finding)), *(element.path for element in finding.elements)]
    return next((locations[path] for path in paths if path in locations), None)


STEERING = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff]")
"""Characters that move a terminal's cursor, change its colours or the direction of writing, or are none."""


def visible(text: str) -> str:
    """A text for terminals: characters that would steer one are written as \\x1b and the like."""
    return STEERING.sub(lambda c: c[0] if c[0] == "\n" else c[0].encode("unicode_escape").decode(), text)


def counted(n: int, one: str, many: str = "") -> str:
    """ "1 body", "2 bodies"."""
    return f"{n} {one if n == 1 else many or one + 's'}"


LONGEST = 2000  # characters of a message, which may quote names and values of any length


def shortened(text: str) -> str:
    """A message without the middle of what would fill the screen."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} [...] {text[-LONGEST // 4 :]}"


class Findings:
    """Collects findings while a check runs: code, elements concerned, what, why, remedy, and the `key` it is about."""

    def __init__(self) -> None:
        self.found: list[Finding] = []

    @contextmanager
    def about(self, element: ElementId) -> Generator[None, None, None]:
        """Report whatever the check of an element raises, so that the others are checked all the same."""
        before = len(self.found)
        try:
            yield
        except Exception as error:  # values of any kind may stand anywhere in a model
            if not any(f.severity == "error" and element in f.elements for f in self.found[before:]):
                self.error("unchecked", (element,), f"{element} cannot be checked: {type(error).__name__}: {error}",
                           "one of its values is of a kind that nothing can be made of", "correct it")  # fmt: skip

    def error(
        self,
        code: str,
        elements: tuple[ElementId, ...],
        what: str,
        why: str = "",
        remedy: str = "",
        key: str = "",
        unknown: tuple[str, ...] = (),
    ) -> None:
        """Add an error."""
        self.found.append(Finding("error", code, elements, what, why, remedy, None, key, unknown))

    def warning(
        self, code: str, elements: tuple[ElementId, ...], what: str, why: str = "", remedy: str = "", key: str = ""
    ) -> None:
        """Add a warning."""
        self.found.append(Finding("warning", code, elements, what, why, remedy, None, key))

    def info(self, code: str, elements: tuple[ElementId, ...], what: str, why: str = "", remedy: str = "") -> None:
        """Add a remark."""
        self.found.append(Finding("info", code, elements, what, why, remedy))

    def report(self, model: str, locations: SourceLocations = MappingProxyType({})) -> Report:
        """All of them, errors first, otherwise in the order found; with their places in the model's file, if known."""
        order = ("error", "warning", "info")
        found = [replace(f, place=f.place or location_of(f, locations)) for f in self.found]
        return Report(model, tuple(sorted(found, key=lambda f: order.index(f.severity))))
