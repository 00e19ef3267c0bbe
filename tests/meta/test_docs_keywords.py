"""Calls in the text and tables of the documentation: functions that exist, with parameters that they have."""

import inspect
import re
from operator import attrgetter
from pathlib import Path

import pytest

import duoti as dt

ROOT = Path(__file__).parents[2]
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), *ROOT.glob("README*.md")])
PAGES = [page for page in PAGES if page.parent.name != "history"]  # these have the names of their time
CALL = re.compile(r"`(?:dt\.|duoti\.)?(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?)\((?P<arguments>[^`]*)\)`")
OBJECTS = {"r": dt.Result, "result": dt.Result, "model": dt.Model, "m": dt.Model, "system": dt.System}


def function_of(name: str):
    """What is called, or None if that cannot be told."""
    first, _, rest = name.partition(".")
    home = OBJECTS.get(first) if rest else dt if first in dt.__all__ else None
    try:
        return (
            attrgetter(rest if rest else name)(home if rest and first in OBJECTS else dt)
            if home
            else (attrgetter(name)(dt) if rest and first in dt.__all__ else None)
        )
    except AttributeError:
        raise AssertionError(f"{name} does not exist") from None


def split(arguments: str) -> list[str]:
    """The arguments of a call, commas in brackets and quotes do not part them."""
    parts, depth, quoted, part = [], 0, "", ""
    for character in arguments:
        if quoted or character in "\"'":
            quoted = "" if character == quoted else quoted or character
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0 and not quoted:
            parts, part = [*parts, part.strip()], ""
        else:
            part += character
    return [each for each in (*parts, part.strip()) if each and each != "..."]


def faults_of(line: str) -> list[str]:
    found = []
    in_table = line.startswith("| `")
    for call in CALL.finditer(line):
        function = function_of(call["name"])
        if function is None or not callable(function):
            continue
        parameters = inspect.signature(function).parameters
        kinds = {p.kind for p in parameters.values()}
        names = [n for n in parameters if n not in ("self", "cls")]
        for part in split(call["arguments"]):
            keyword = re.match(r"(\w+)\s*=(?!=)", part)
            if keyword and keyword[1] not in names and inspect.Parameter.VAR_KEYWORD not in kinds:
                found.append(f"{call[0]}: no parameter {keyword[1]!r}; there are {', '.join(names)}")
            # in the first cell of a table a call is a signature: its words are names of parameters
            signature = in_table and call.start() == 2 and inspect.Parameter.VAR_POSITIONAL not in kinds
            if signature and part.isidentifier() and part not in names:
                found.append(f"{call[0]}: no parameter {part!r}; there are {', '.join(names)}")
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_calls_in_the_text(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    assert [fault for line in text.splitlines() for fault in faults_of(line)] == []


def test_calls_in_docstrings():
    """The same for what `help` shows."""
    found = []
    for name in dt.__all__:
        doc = inspect.getdoc(getattr(dt, name, None)) or ""
        found += [f"{name}: {fault}" for line in doc.splitlines() for fault in faults_of(line)]
    assert found == []


def test_faults_are_found():
    assert faults_of("`dt.simulate(model, durration=1)`")
    assert faults_of("| `SpringDamper(a, b)` |")
    assert not faults_of("| `SpringDamper(marker_a, marker_b, stiffness=, damping=)` |")
