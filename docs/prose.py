"""Measure the prose of pages: long sentences, long pages. `python docs/prose.py [PAGE ...]` lists what is too long."""

from __future__ import annotations

import re
import sys
from pathlib import Path

DOCS = Path(__file__).parent
MOST_WORDS = 30
MOST_LINES = 250
LONG_CHAPTER = 480  # lines of a chapter of the theory, with its solutions
FENCE = re.compile(r"^( *)(`{3,}|~{3,}).*?^\1\2 *$", re.DOTALL | re.MULTILINE)
FORMULA = re.compile(r"\$\$.*?\$\$", re.DOTALL)
INLINE = re.compile(r"`[^`\n]+`|\$[^$\n]+\$")
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
END = re.compile(r"(?<=[.!?:;。])[\")*_]*\s+(?=[A-Z\"(*_`\[\d]|x\b)")
ABBREVIATION = re.compile(r"\b(e\.g|i\.e|eq|fig|sec|ch|vs|cf|al|no|approx|Dr|St)\.\s", re.IGNORECASE)


def sentences(text: str) -> list[str]:
    """The sentences of a page in Markdown, without code, formulas, tables and headings."""
    for pattern, instead in ((FENCE, "\n\n"), (FORMULA, " x. "), (INLINE, "x"), (LINK, r"\1")):
        text = pattern.sub(instead, text)
    text = re.sub(r"<!--.*?-->|<[^>\n]+>", " ", text, flags=re.DOTALL)
    text = re.sub(r"^\s*([-*+]|\d+\.|>|!!!.*|\?\?\?.*)\s", "\n\n", text, flags=re.MULTILINE)  # items of lists
    found: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text):
        lines = [line for line in paragraph.splitlines() if not line.lstrip().startswith(("#", "|"))]
        joined = ABBREVIATION.sub(r"\1 ", " ".join(lines).strip())
        found += [part.strip() for part in END.split(joined) if part.strip()]
    return found


def long_sentences(text: str, most: int = MOST_WORDS) -> list[tuple[int, str]]:
    """Sentences of more than `most` words, each with its number of words."""
    counted = ((len(re.findall(r"[\w'-]*\w[\w'-]*", sentence)), sentence) for sentence in sentences(text))
    return [(words, sentence) for words, sentence in counted if words > most]


def main(names: list[str]) -> int:
    """Print what is too long; the number of such places."""
    pages = [Path(name) for name in names] or sorted(DOCS.rglob("*.md"))
    count = 0
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for words, sentence in long_sentences(text):
            count += 1
            print(f"{page}: {words} words: {sentence[:150]}")
        most = LONG_CHAPTER if "theory" in page.parts else MOST_LINES
        if (lines := text.count("\n")) > most:
            count += 1
            print(f"{page}: {lines} lines")
    return count


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1:]) else 0)
