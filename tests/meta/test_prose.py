"""Pages can be read: short sentences, short pages, links that lead somewhere, notebooks that are their pages."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = next(p for p in Path(__file__).resolve().parents if (p / "pyproject.toml").exists())
DOCS = ROOT / "docs"
READMES = [ROOT / "README.md", ROOT / "README.zh.md", ROOT / "CONTRIBUTING.md"]
UNMEASURED = ("history/", "validation/", "zh/", "internals.md")  # diaries, statements of cases as published, Chinese
FENCE = re.compile(r"^(`{3,}).*?^\1 *$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"!?\[[^\]]*\]\(<?([^)\s>]+)>?(?: \"[^\"]*\")?\)|(?:src|href)=\"([^\"]+)\"")


def script(name: str) -> ModuleType:
    """A script of docs/ as a module."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def pages() -> list[Path]:
    return sorted(DOCS.rglob("*.md"))


def anchors(text: str) -> set[str]:
    """Anchors of the headings, as GitHub and MkDocs make them."""
    text = FENCE.sub("", text)
    found: set[str] = set(re.findall(r"(?:id|name)=\"([^\"]+)\"", text))
    for heading in re.findall(r"^#+ +(.*?)(?: *\{.*\})?$", text, re.MULTILINE):
        plain = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        words = re.sub(r"[^\w\s-]", "", plain.lower()).strip()
        found |= {re.sub(r"[-\s]+", "-", words), re.sub(r"\s", "-", words)}
    return found


def test_sentences_are_short() -> None:
    """At most 30 words: longer ones are two thoughts (docs/prose.py tells how they are counted)."""
    prose = script("prose")
    found = [
        f"{page.relative_to(ROOT)}: {words} words: {sentence[:100]}"
        for page in [*READMES[:1], *pages()]
        if not page.relative_to(DOCS if DOCS in page.parents else ROOT).as_posix().startswith(UNMEASURED)
        for words, sentence in prose.long_sentences(page.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_pages_are_short() -> None:
    """A page of the guide has one subject and at most 250 lines."""
    prose = script("prose")
    found: list[str] = []
    for folder, most in (("guide", prose.MOST_LINES), ("tutorial", prose.MOST_LINES), ("theory", prose.LONG_CHAPTER)):
        for page in (DOCS / folder).rglob("*.md"):
            lines = page.read_text(encoding="utf-8").count("\n")
            if lines > most:
                found.append(f"{page.relative_to(ROOT)}: {lines} lines")
    assert found == []


def test_links_lead_somewhere() -> None:
    """Files, pictures and headings that pages name are there, as seen in the repository."""
    texts = {page: page.read_text(encoding="utf-8") for page in [*READMES, *pages()]}
    known = {page.resolve(): anchors(text) for page, text in texts.items()}
    dead: list[str] = []
    for page, text in texts.items():
        if "history" in page.parts:
            continue
        for match in LINK.finditer(re.sub(r"`[^`\n]+`", "", FENCE.sub("", text))):
            link = match[1] or match[2]
            if re.match(r"(https?|mailto):", link):
                continue
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page.resolve()
            if not target.exists() or (anchor and target in known and anchor not in known[target]):
                dead.append(f"{page.relative_to(ROOT)}: {link}")
    assert dead == []


def test_notebooks_are_their_pages() -> None:
    """Every lesson and chapter has a notebook with the same code, in order, which Python can read."""
    files = script("site_files")
    offered = [p.relative_to(DOCS).as_posix() for p in pages() if files.has_notebook(p.relative_to(DOCS).as_posix())]
    assert any(name.startswith("tutorial/") for name in offered)
    for name in offered:
        made = json.loads(files.notebook_of(name))
        assert (made["nbformat"], made["nbformat_minor"]) == (4, 5)
        code = ["".join(cell["source"]) for cell in made["cells"] if cell["cell_type"] == "code"]
        assert len({cell["id"] for cell in made["cells"]}) == len(made["cells"])
        text = (DOCS / name).read_text(encoding="utf-8")
        assert code == [block.strip("\n") for block in re.findall(r"^```python\n(.*?)^```", text, re.S | re.M)], name
        for cell in code:
            ast.parse(cell)


def test_a_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = script("site_files")
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {}
    for cell in json.loads(files.notebook_of("quickstart.md"))["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), namespace)
    assert "r" in namespace


def test_long_sentences_are_found() -> None:
    prose = script("prose")
    long = "This sentence " + "goes on and on " * 8 + "without an end."
    assert [
        words for words, _ in prose.long_sentences(f"# Title\n\nShort one. {long}\n\n```python\n{long}\n```\n")
    ] == [37]
    assert prose.long_sentences(f"| {long} | {long} |\n") == []
