"""Formulas of the pages, $...$ and $$...$$, as MathML, which browsers draw by themselves: no script, no network."""

from __future__ import annotations

import html
import re
from typing import Any

from latex2mathml.converter import convert

FORMULA = re.compile(
    r'<(?P<tag>span|div) class="arithmatex">\\(?P<open>[(\[])(?P<tex>.*?)\\[)\]]</(?P=tag)>', re.DOTALL
)


def on_page_content(content: str, **_: Any) -> str:
    """Called by MkDocs with the HTML of a page."""
    return FORMULA.sub(_mathml, content)


def _mathml(found: re.Match[str]) -> str:
    return convert(html.unescape(found["tex"]), display="block" if found["open"] == "[" else "inline")
