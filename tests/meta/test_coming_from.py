"""Tables of equivalents in docs/coming_from: names exist, channels and expressions are those of a model that runs."""

import contextlib
import io
import re
from operator import attrgetter
from pathlib import Path

import pytest

import duoti as dt

FOLDER = Path(__file__).parents[2] / "docs" / "coming_from"
PAGES = sorted(page for page in FOLDER.glob("*.md") if page.name != "index.md")
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`([^`]+)`")
HOMES = {"dt": dt, "m": dt.Model("home"), "r": dt.Result, "system": dt.System}


def rows_of(text: str) -> list[tuple[str, str]]:
    """The rows of the table of equivalents: the other program's words, ours."""
    table = text.partition("## Equivalents")[2].partition("\n## ")[0]
    lines = [line for line in table.splitlines() if line.startswith("| ") and not line.startswith("|---")]
    return [tuple(cell.strip() for cell in line.strip("| ").split(" | ")) for line in lines[1:]]


def names_of(span: str) -> list[str]:
    """Dotted names in a piece of code, such as dt.Revolute, m.add_body; not those within quotes."""
    return re.findall(r"\b((?:dt|m|r|system)(?:\.[A-Za-z_]\w*)+)", re.sub(r'"[^"]*"', '""', span))


def namespace_of(page: Path, folder: Path) -> dict:
    namespace = {"__name__": "page"}
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
        for code in BLOCK.findall(page.read_text(encoding="utf-8")):
            exec(compile(code, str(page), "exec"), namespace)
    return namespace


def exists(name: str) -> bool:
    home, _, rest = name.partition(".")
    try:
        attrgetter(rest)(HOMES[home])
    except AttributeError:
        return name.startswith("r.energy.")  # an attribute of the property's value: read from the result below
    return True


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_every_row_has_names_that_exist(page):
    text = page.read_text(encoding="utf-8")
    code = "\n".join(BLOCK.findall(text))
    rows = rows_of(text)
    assert len(rows) > 15
    for theirs, ours in rows:
        spans = SPAN.findall(ours)
        names = [name for span in spans for name in names_of(span)]
        assert [name for name in names if not exists(name)] == [], theirs
        checked = [span for span in spans if span[:3] == 'r["' or span[0] == '"' or span in code]
        assert names or checked or "](" in ours, f"nothing to check in the row {theirs!r}"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_channels_and_expressions_are_understood(page, tmp_path):
    """Channels of the tables are read from the page's own result, laws are put into its model."""
    namespace = namespace_of(page, tmp_path)
    model, result = namespace["m"], namespace["r"]
    spans = [span for _, ours in rows_of(page.read_text(encoding="utf-8")) for span in SPAN.findall(ours)]
    for channel in (name for span in spans for name in re.findall(r'r\["([^"]+)"\]', span)):
        assert len(result[channel]) == len(result.t), channel
    for name in (name for span in spans for name in re.findall(r"r\.energy\.(\w+)", span)):
        assert len(getattr(result.energy, name)) == len(result.t)
    for k, law in enumerate(span.strip('"') for span in spans if span[0] == '"' and span != '"name(t)"'):
        model.add_event(f"law {k}", dt.Event(law))
    report = dt.check(model)
    assert report.ok, report
