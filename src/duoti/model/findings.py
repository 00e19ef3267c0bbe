"""Findings of a model check: what, where, why, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

Severity = Literal["error", "warning", "info"]
_MARK: dict[Severity, str] = {"error": "✗", "warning": "!", "info": "·"}


@dataclass(frozen=True)
class Finding:
    """One thing found.

    `names` are the bodies, joints, markers or forces concerned; `code` is a short stable word for programs.
    """

    severity: Severity
    code: str
    names: tuple[str, ...]
    what: str
    why: str = ""
    remedy: str = ""

    def __str__(self) -> str:
        lines = [f"{_MARK[self.severity]} {self.what}"]
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
        return "\n".join([head, *(str(f) for f in self.findings)])

    def __repr__(self) -> str:
        return str(self)


def counted(n: int, one: str, many: str = "") -> str:
    """ "1 body", "2 bodies"."""
    return f"{n} {one if n == 1 else many or one + 's'}"


class Findings:
    """Collects findings while a check runs."""

    def __init__(self) -> None:
        self.found: list[Finding] = []

    def error(self, code: str, names: tuple[str, ...], what: str, why: str = "", remedy: str = "") -> None:
        """Add an error."""
        self.found.append(Finding("error", code, names, what, why, remedy))

    def warning(self, code: str, names: tuple[str, ...], what: str, why: str = "", remedy: str = "") -> None:
        """Add a warning."""
        self.found.append(Finding("warning", code, names, what, why, remedy))

    def info(self, code: str, names: tuple[str, ...], what: str, why: str = "", remedy: str = "") -> None:
        """Add a remark."""
        self.found.append(Finding("info", code, names, what, why, remedy))

    def report(self, model: str) -> Report:
        """All of them, errors first, otherwise in the order found."""
        order = ("error", "warning", "info")
        return Report(model, tuple(sorted(self.found, key=lambda f: order.index(f.severity))))
