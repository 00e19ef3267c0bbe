"""Formulas of the pages, $...$ and $$...$$, as MathML, which browsers draw by themselves: no script, no network."""

from __future__ import annotations

import html
import re
from typing import Any

from latex2mathml.converter import convert

FORMULA = re.compile(
    r'<(?P<tag>span|div) class="arithmatex">\\(?P<open>[(\[])(?P<tex>.*?)\\[)\]]</(?P=tag)>', re.DOTALL
)
BARE = re.compile(r"\\math(cal|rm|bf|bb|sf|it) ([A-Za-z])")  # an alphabet for one letter without braces
RELATION = re.compile(r"<mi>(&#x027C2;|&#x027F9;|:|;|&#x000B1;)</mi>")  # signs that the converter takes for letters


def on_page_content(content: str, **_: Any) -> str:
    """Called by MkDocs with the HTML of a page."""
    return FORMULA.sub(_mathml, content)


def _mathml(found: re.Match[str]) -> str:
    tex = html.unescape(found["tex"]).replace("{aligned}", "{split}")  # the same, by the name the converter knows
    tex = tex.replace(r"\arg", r"\operatorname{arg}")
    tex = BARE.sub(r"\\math\1{\2}", tex)
    made = convert(tex, display="block" if found["open"] == "[" else "inline")
    return RELATION.sub(r"<mo>\1</mo>", made)
