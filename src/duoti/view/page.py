"""The page: one HTML file with the program and the data in it, which loads nothing from anywhere."""

from __future__ import annotations

import json
from functools import cache
from html import escape
from importlib import resources
from typing import Any

from duoti.version import __version__

# scripts and styles only from within the page; `connect-src` lets a served page talk to the process that serves it
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; connect-src {}"
)

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="generator" content="duoti {version}">
<title>{title}</title>
</head>
<body>
<script type="application/json" id="duoti-document">{document}</script>
<script>{program}</script>
</body>
</html>
"""


@cache
def program() -> str:
    """The built viewer (sources in `viewer/`)."""
    return resources.files("duoti.view").joinpath("assets/viewer.js").read_text(encoding="utf-8")


def html_page(document: dict[str, Any], *, served: bool = False, options: dict[str, Any] | None = None) -> str:
    """The whole page. served: it may ask the process that serves it, relative to its own address."""
    whole = {**document, "version": __version__, "served": served, "options": options or {}}
    text = json.dumps(whole, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return PAGE.format(
        policy=POLICY.format("'self'" if served else "'none'"),
        version=__version__,
        title=escape(document["models"][0]["name"]),
        document=text.replace("<", "\\u003c"),  # no name in a model can end the script
        program=program().replace("</script", "<\\/script"),
    )
