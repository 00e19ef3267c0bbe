"""The error of an expression: what is wrong, where, and what to write instead."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable
from difflib import get_close_matches
from typing import Literal, NamedTuple

SHOWN = 72  # characters of a long expression shown around a fault
MAX_PROBLEMS = 10
MAX_NAMES = 16


class Problem(NamedTuple):
    """One fault: the characters text[start:stop], and what is wrong with them."""

    start: int
    stop: int
    message: str
    code: Literal["fault", "unknown-name", "unknown-function"] = "fault"
    word: str = ""
    """The name or function that is unknown."""


class ExpressionError(ValueError):
    """An expression that cannot be compiled; `problems` are its faults, `remedy` what is allowed."""

    def __init__(self, text: str, problems: Iterable[Problem], remedy: str = "") -> None:
        self.text = text
        self.problems = tuple(problems)
        self.remedy = remedy
        super().__init__(text, self.problems, remedy)

    @property
    def unknown(self) -> tuple[str, ...]:
        """The names in it that mean nothing."""
        return tuple(problem.word for problem in self.problems if problem.code == "unknown-name")

    def __str__(self) -> str:
        count = len(self.problems)
        lines = ["fault in an expression:" if count == 1 else f"{count} faults in an expression:"]
        for problem in self.problems[:MAX_PROBLEMS]:
            if self.text.strip():
                lines += _excerpt(self.text, problem.start, problem.stop)
            lines.append(f"  {problem.message}")
        if count > MAX_PROBLEMS:
            lines.append(f"  ... and {count - MAX_PROBLEMS} more")
        lines += [f"  {line}" for line in self.remedy.splitlines()]
        return "\n".join(lines)


def _excerpt(text: str, start: int, stop: int) -> list[str]:
    """Return the line that holds the fault, and the carets that stand under it."""
    first, last = 0, len(text)
    if len(text) > SHOWN:
        first = max(0, min(start - SHOWN // 2, len(text) - SHOWN))
        last = min(len(text), first + SHOWN)
    before = ("... " if first > 0 else "") + _printable(text[first:start])
    marked = _printable(text[start : min(stop, last)])
    after = _printable(text[max(start, min(stop, last)) : last]) + (" ..." if last < len(text) else "")
    return [f"  {before}{marked}{after}".rstrip(), f"  {' ' * _width(before)}{'^' * max(1, _width(marked))}"]


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in text)


def _width(text: str) -> int:
    """Columns on a terminal: an East Asian character takes two, a combining accent none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def quoted(text: str) -> str:
    """Return the text in quotation marks, shortened and without control characters."""
    return f'"{_printable(text if len(text) <= 40 else text[:37] + "...")}"'


def suggestion(word: str, candidates: Collection[str], also_called: dict[str, str] | None = None) -> str:
    """Return '; did you mean ...?' if any candidate resembles the word, otherwise nothing."""
    if also_called and word.lower() in also_called:
        return f"; write {also_called[word.lower()]}"
    same = [name for name in candidates if name.lower() == word.lower()]
    last = [name for name in candidates if name == word.rpartition(".")[2]]  # math.sin
    close = same or last or get_close_matches(word, candidates, n=2, cutoff=0.65)
    return f"; did you mean {' or '.join(close)}?" if close else ""


def listed(names: Iterable[str]) -> str:
    """Return the names as one line, the first of them if there are many."""
    ordered = sorted(names)
    more = len(ordered) - MAX_NAMES
    if more > 1:
        return ", ".join(ordered[:MAX_NAMES]) + f" ... and {more} more"
    return ", ".join(ordered)
