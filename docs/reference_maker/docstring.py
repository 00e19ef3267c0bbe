"""Docstrings in NumPy's style, taken apart."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from dataclasses import dataclass, field
from functools import cache
from typing import Any

SECTIONS = ("Parameters", "Returns", "Attributes", "Raises", "Notes", "References", "See also", "Examples")
HEADER = re.compile(rf"^({'|'.join(SECTIONS)})\n-{{3,}}$", re.MULTILINE)


@dataclass
class Docstring:
    """The summary, what follows it, the parameters and the other sections."""

    summary: str = ""
    body: str = ""
    parameters: dict[str, str] = field(default_factory=dict)
    sections: dict[str, str] = field(default_factory=dict)


def docstring_of(thing: Any) -> Docstring:
    """The docstring of a class or function; of a dataclass without one, nothing."""
    text = (thing.__doc__ if inspect.isclass(thing) else inspect.getdoc(thing)) or ""
    return parsed(inspect.cleandoc(text))


def parsed(text: str) -> Docstring:
    """A docstring taken apart."""
    pieces = HEADER.split(text)
    head = pieces[0].strip()
    summary, _, body = head.partition("\n\n")
    sections = {pieces[k]: pieces[k + 1].strip("\n") for k in range(1, len(pieces) - 1, 2)}
    return Docstring(
        " ".join(summary.split()),
        body.strip("\n"),
        listed_items(sections.pop("Parameters", "")),
        {name: inspect.cleandoc(content) for name, content in sections.items()},
    )


def listed_items(text: str) -> dict[str, str]:
    """`name, name:` and the text below them, by name."""
    found: dict[str, str] = {}
    names: list[str] = []
    for line in textwrap.dedent(text).splitlines():
        if line and not line.startswith(" "):
            names = [name.strip().lstrip("*") for name in line.split(":")[0].split(",")]
            found |= dict.fromkeys(names, "")
        else:
            for name in names:
                found[name] = f"{found[name]} {line.strip()}".strip()
    return found


@cache
def attribute_docstrings(cls: type) -> dict[str, tuple[str, str]]:
    """Annotated attributes of a class and its bases, each with its annotation and the string that follows it."""
    found: dict[str, tuple[str, str]] = {}
    for base in reversed(cls.__mro__):
        if not base.__module__.startswith("duoti"):
            continue
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(base)))
        except (OSError, TypeError, SyntaxError):
            continue
        statements = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []
        for one, following in zip(statements, [*statements[1:], None], strict=True):
            if not isinstance(one, ast.AnnAssign) or not isinstance(one.target, ast.Name):
                continue
            if one.target.id.startswith("_") or "ClassVar" in ast.unparse(one.annotation):
                continue
            text = ""
            if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
                text = " ".join(str(following.value.value).split())
            found[one.target.id] = (ast.unparse(one.annotation).strip("'\""), text)
    return found
