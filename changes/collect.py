"""Collect the fragments of this folder into CHANGELOG.md: `python changes/collect.py 0.2.0`, when a release is made.

A fragment is a file NAME.KIND.md with one or two lines about one change that users notice, KIND one of added, changed,
fixed, removed, migration. The script writes a section of the version with them and removes the files.
"""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

KINDS = ("added", "changed", "fixed", "removed", "migration")
LONGEST = 320  # characters: two lines
HERE = Path(__file__).resolve().parent


def fragments(folder: Path) -> tuple[dict[str, list[str]], list[str]]:
    """Texts of the fragments by kind, and what is wrong with files that are not."""
    texts: dict[str, list[str]] = {kind: [] for kind in KINDS}
    faults: list[str] = []
    for file in sorted(folder.glob("*.md")):
        kind, text = file.suffixes[0].removeprefix("."), " ".join(file.read_text("utf-8").split())
        if kind not in KINDS:
            faults.append(f"{file.name}: name it NAME.KIND.md, with one of {', '.join(KINDS)} for KIND")
        elif not text or len(text) > LONGEST:
            faults.append(f"{file.name}: has {len(text)} characters; write one or two lines, at most {LONGEST}")
        else:
            texts[kind].append(text.removeprefix("- "))
    return texts, faults


def section(version: str, texts: dict[str, list[str]], date: str) -> str:
    """The part of the change log about a version."""
    parts = [f"## [{version}] - {date}"]
    for kind, found in texts.items():
        if found:
            parts.append(f"### {kind.capitalize()}\n\n" + "\n".join(f"- {text}" for text in found))
    return "\n\n".join(parts) + "\n"


def collect(version: str, log: Path, folder: Path, date: str) -> None:
    """Put the section before the newest one, and remove the fragments."""
    texts, faults = fragments(folder)
    if faults:
        raise SystemExit("\n".join(faults))
    if not any(texts.values()):
        raise SystemExit(f"there are no fragments in {folder.name}")
    before, newest, rest = log.read_text("utf-8").partition("\n## [")
    log.write_text(f"{before}\n{section(version, texts, date)}{newest}{rest}", "utf-8")
    for file in folder.glob("*.md"):
        file.unlink()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Collect fragments into the change log.")
    parser.add_argument("version")
    given = parser.parse_args()
    collect(given.version, HERE.parent / "CHANGELOG.md", HERE, datetime.now(UTC).strftime("%Y-%m-%d"))
    sys.exit(0)
