"""Quick start and tutorial in Chinese have the blocks of the English pages, in the same order."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
FENCE = re.compile(r"^```\w+\n.*?^```", re.DOTALL | re.MULTILINE)
PAGES = ["quickstart.md", *(f"tutorial/{page.name}" for page in sorted((DOCS / "tutorial").glob("*.md")))]


@pytest.mark.parametrize("page", PAGES)
def test_the_same_blocks(page):
    english, chinese = ((DOCS / folder / page).read_text(encoding="utf-8") for folder in (".", "zh"))
    assert FENCE.findall(english)
    assert FENCE.findall(chinese) == FENCE.findall(english)
    assert len(re.findall(r"^#+ ", FENCE.sub("", chinese), re.MULTILINE)) == len(
        re.findall(r"^#+ ", FENCE.sub("", english), re.MULTILINE)
    )
