"""What is made when the site is built: copies of the examples, pages as notebooks, navigation of the reference.

A hook of MkDocs. Links of pages to `../src/duoti/examples/NAME.py` work in the repository; in the site they lead to
copies. Every lesson and every chapter of the theory can be had as a notebook, made of the same blocks that the tests
run: `python docs/site_files.py FOLDER` writes them all into a folder.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
EXAMPLES = DOCS.parent / "src" / "duoti" / "examples"
NOTEBOOKS = ("tutorial/", "theory/", "zh/tutorial/", "zh/theory/", "quickstart.md", "zh/quickstart.md")
BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```\n(?:\n?```text\n.*?^```\n)?", re.DOTALL | re.MULTILINE)
SOURCE = re.compile(r"\]\((?:\.\./)+src/duoti/examples/([\w.]+)\)")


def has_notebook(page: str) -> bool:
    """Whether a page (its path below docs) is offered as a notebook."""
    return page.startswith(NOTEBOOKS) and page.endswith(".md") and "```python" in (DOCS / page).read_text("utf-8")


def notebook(text: str) -> dict[str, Any]:
    """A page in Markdown as a Jupyter notebook: each Python block is a cell, its printed text is left to the reader."""
    cells: list[dict[str, Any]] = []

    def add(kind: str, source: str) -> None:
        source = source.strip("\n")
        if source:
            more = {"execution_count": None, "outputs": []} if kind == "code" else {}
            lines = source.splitlines(keepends=True)
            cells.append({"cell_type": kind, "id": f"cell-{len(cells)}", "metadata": {}, **more, "source": lines})

    at = 0
    for block in BLOCK.finditer(text):
        add("markdown", text[at : block.start()])
        add("code", block["code"])
        at = block.end()
    add("markdown", text[at:])
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def notebook_of(page: str) -> str:
    """The notebook of a page as text; tags that only the site understands are taken out."""
    text = (DOCS / page).read_text(encoding="utf-8")
    text = re.sub(r"^</?(details|summary)[^>]*>.*$", lambda m: _plain(m[0]), text, flags=re.MULTILINE)
    return json.dumps(notebook(text), ensure_ascii=False, indent=1)


def _plain(line: str) -> str:
    """A line with a tag of a hidden solution as a heading, or nothing."""
    title = re.search(r"<summary>(.*?)</summary>", line)
    return f"**{title[1]}**" if title else ""


def on_config(config: Any) -> Any:
    """Add the generated pages of each group of the reference to the navigation."""
    for tab in config["nav"]:
        if "Reference" in tab:
            tab["Reference"] = [_group(entry) for entry in tab["Reference"]]
    return config


def _group(entry: Any) -> Any:
    """An entry of the navigation; that of a group of the reference with all pages of the group."""
    if isinstance(entry, str):
        return entry
    ((title, index),) = entry.items()
    if not index.endswith("/index.md"):
        return entry
    others = sorted((page for page in (DOCS / index).parent.glob("*.md") if page.name != "index.md"), key=_title)
    return {title: [index, *({_title(page): page.relative_to(DOCS).as_posix()} for page in others)]}


def _title(page: Path) -> str:
    """The heading of a page."""
    with page.open(encoding="utf-8") as lines:
        return next(lines).lstrip("# ").strip()


def on_files(files: Any, config: Any, **_: Any) -> Any:
    """Add the sources of the examples and the notebooks."""
    from mkdocs.structure.files import File

    for path in sorted([*EXAMPLES.glob("*.py"), *EXAMPLES.glob("*.yaml")]):
        if path.stem != "__init__":
            files.append(File.generated(config, f"examples/{path.name}.txt", abs_src_path=str(path)))
    for page in sorted(DOCS.rglob("*.md")):
        name = page.relative_to(DOCS).as_posix()
        if has_notebook(name):
            files.append(File.generated(config, f"notebooks/{name[:-3]}.ipynb", content=notebook_of(name)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lead links to sources to their copies, and offer the notebook."""
    name = page.file.src_uri
    up = "../" * name.count("/")
    markdown = SOURCE.sub(rf"]({up}examples/\1.txt)", markdown)
    if has_notebook(name):
        word = "下载为 Jupyter 笔记本" if name.startswith("zh/") else "Download as a Jupyter notebook"
        head, line, rest = markdown.partition("\n")
        other = " ·" if rest.startswith("[") else ""  # the page in another language
        markdown = f"{head}{line}\n[{word}]({up}notebooks/{name[:-3]}.ipynb){other}\n{rest}"
    return markdown


def main(folder: Path) -> None:
    """Write all notebooks."""
    for page in sorted(DOCS.rglob("*.md")):
        name = page.relative_to(DOCS).as_posix()
        if has_notebook(name):
            target = folder / f"{name[:-3]}.ipynb"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(notebook_of(name), encoding="utf-8")
            print(target)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
