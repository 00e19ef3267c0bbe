"""Write docs/reference: `python docs/make_reference.py`; `--check` only says which pages are not current.

The pages follow from docstrings, constructors and the examples in docs/reference_examples. A new type gets its page
without a change here. `--nav` prints the entries for mkdocs.yml.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from reference_maker.file_keys import file_key_pages
from reference_maker.pages import Page, group_page, index_page
from reference_maker.registry import GROUPS, items

FOLDER = Path(__file__).parent / "reference"


def pages() -> dict[str, str]:
    """All pages by their path below docs/reference."""
    keys = file_key_pages()
    found = {item.path: Page(item).text() for item in items()}
    found |= {f"{group.name}/index.md": group_page(group.name) for group in GROUPS}
    found |= {path: text for path, (_, text) in keys.items()}
    found["index.md"] = index_page([(f"[{title}]({path})", "") for path, (title, _) in keys.items()])
    return found


def differences(wanted: dict[str, str]) -> list[str]:
    """Pages that are missing, not current, or too many."""
    there = {path.relative_to(FOLDER).as_posix(): path for path in FOLDER.rglob("*.md")}
    wrong = [name for name, text in wanted.items()
             if name not in there or there[name].read_text(encoding="utf-8") != text]  # fmt: skip
    return sorted([*wrong, *(there.keys() - wanted.keys())])


def navigation() -> str:
    """Entries for mkdocs.yml."""
    lines = ["  - Reference:", "      - All: reference/index.md"]
    of_files = [(title, path) for path, (title, _) in file_key_pages().items()]
    for group in GROUPS:
        lines += [f"      - {group.title}:", f"          - All: reference/{group.name}/index.md"]
        own = [(item.title, item.path) for item in items() if item.group == group.name]
        own += of_files if group.name == "files" else []
        lines += [f'          - "{title}": reference/{path}' for title, path in own]
    return "\n".join(lines)


def main(options: list[str]) -> int:
    """Write or check."""
    if "--nav" in options:
        print(navigation())
        return 0
    wanted = pages()
    wrong = differences(wanted)
    if "--check" in options:
        print("".join(f"{name}: run python docs/make_reference.py\n" for name in wrong), end="")
        return 1 if wrong else 0
    for name in wrong:
        path = FOLDER / name
        if name not in wanted:
            path.unlink()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(wanted[name], encoding="utf-8")
    print(f"{len(wanted)} pages, {len(wrong)} written")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
