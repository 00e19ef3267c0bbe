"""The Python blocks of README and of every page of docs/ run; text blocks right after them are what they print."""

import contextlib
import doctest
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "README.zh.md",
    *sorted(p for p in (ROOT / "docs").rglob("*.md") if "```python" in p.read_text(encoding="utf-8")),
]
REFERENCE = [page for page in PAGES if (ROOT / "docs" / "reference") in page.parents]
SHORT = (  # what a new user reads first, and some of each of the other parts
    "README",
    "docs/quickstart.md",
    "docs/tutorial/",
    "docs/guide/model/states.md",
    "docs/guide/flexible/flexible_dynamics.md",
    "docs/guide/contact/contact.md",
    "docs/guide/simulate/events.md",
    "docs/guide/results/results.md",
    "docs/guide/analyses/energy_flow.md",
    "docs/theory/04_recursive_dynamics.md",
    "docs/theory/09_complementarity_and_time_stepping.md",
    "docs/theory/13_bond_graphs.md",
)
BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```\n\n?(?:```text\n(?P<output>.*?)^```)?", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)#\s]+\.md)")
LOOSE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def _path(page):
    return page.relative_to(ROOT).as_posix()


@pytest.mark.sample(*SHORT)
@pytest.mark.parametrize("page", [each for each in PAGES if each not in REFERENCE], ids=_path)
@pytest.mark.filterwarnings("ignore::duoti.errors.SimulationWarning")
def test_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with np.printoptions():  # a page may set them for itself
        run(page)


@pytest.mark.sample(20)
@pytest.mark.parametrize("page", REFERENCE, ids=_path)
@pytest.mark.filterwarnings("ignore::duoti.errors.SimulationWarning")
def test_page_of_the_reference_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with np.printoptions():  # a page may set them for itself
        run(page)


def run(page):
    """Run the blocks of a page one after the other, and compare what they print."""
    pytest.importorskip("matplotlib")
    pytest.importorskip("pandas")
    text = page.read_text(encoding="utf-8")
    blocks = list(BLOCK.finditer(text))
    assert blocks, "no Python block found"
    namespace = {"__name__": "page"}
    for block in blocks:
        line = text[: block.start()].count("\n") + 1
        code = "\n" * line + block["code"]  # so that a traceback shows the line of the page
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, str(page), "exec"), namespace)
        if block["output"] is not None:
            want, got = block["output"], printed.getvalue()
            assert doctest.OutputChecker().check_output(want, got, LOOSE), f"{page.name}:{line} printed\n{got}"


def test_readmes_show_the_same_example_and_commands():
    english, chinese = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README.zh.md"))
    fences = re.compile(r"^```(?:python|sh)\n.*?^```", re.DOTALL | re.MULTILINE)
    assert fences.findall(english) == fences.findall(chinese)


def test_every_page_is_in_the_navigation():
    """Pages of the reference by the index of their group, from which the site's navigation is filled up."""
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    docs = ROOT / "docs"
    listed = {page for page in docs.rglob("*.md") if page.relative_to(docs).as_posix() in navigation}
    linked = {
        (page.parent / link).resolve()
        for page in listed
        if (docs / "reference") in page.parents
        for link in LINK.findall(page.read_text(encoding="utf-8"))
    }
    lost = {page for page in docs.rglob("*.md") if page not in listed and page.resolve() not in linked}
    assert sorted(map(_path, lost)) == []


def test_the_validation_pages_have_every_case():
    """`python docs/make_validation.py` writes them; a new case that is not there, or a failed one, is noticed here."""
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs/validation").glob("*.md")}
    index, text = pages["index"], "".join(pages.values())
    reference = ROOT / "tests" / "reference"
    assert "**no**" not in text
    assert "FAILED" not in text
    waiting = json.loads((reference / "not_yet.json").read_text(encoding="utf-8"))
    for path in (reference / "data").glob("[A-Z]*.json"):
        short = path.stem.partition("_")[0]
        assert re.search(rf"^## {short}: ", text, re.MULTILINE), short
        assert re.search(rf"^\| \[{short}: ", index, re.MULTILINE), short
        assert (ROOT / "docs/pictures/validation" / f"{path.stem}.png").exists(), short
        assert short not in waiting, f"{short} is within reach: take it out of not_yet.json"


def test_the_design_page_has_the_layers_that_are_checked():
    import tomllib

    contract = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = [name.removeprefix("duoti.") for name in contract["contracts"][0]["layers"]]
    page = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    table = page[page.index("| layer |") :].split("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == layers


def test_troubleshooting_quotes_what_is_said():
    """Messages are those of the source, and every way in which a run may fail has a line."""
    from typing import get_args

    from duoti.results.records import ReasonCode

    page = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
    source = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "src" / "duoti").rglob("*.py")))
    source = re.sub(r"[\"']\s*\n\s*f?[\"']", "", source)  # texts that go on in the next line
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("|")]
    quoted = [text for row in rows for text in re.findall(r'"([^"]+)"', row)]
    assert len(quoted) > 8
    assert [text for text in quoted if text not in source] == []
    no_failure = {"end-time", "event", "interrupted", "error", "running", "killed", "unknown"}
    told = {code for row in rows for code in re.findall(r"`([a-z-]+)`", row)}
    assert set(get_args(ReasonCode)) - no_failure <= told
